//! Names of tools and prompts as the host sees them: `SERVER__TOOL`.
//!
//! A name depends on its server's name and on itself, on nothing else: not on the order of servers, not on what else is
//! listed, not on what was shown before. So it is the same after a restart, and no server changes the names of another.

use sha2::{Digest, Sha256};

/// Hosts and the interfaces of models refuse longer names.
const LONGEST: usize = 64;
/// So long may a server's part of it be, that something readable remains of the rest.
const LONGEST_PREFIX: usize = 32;
/// Between the server and its tool.
const BETWEEN: &str = "__";
/// What stands before the hash of a name that cannot be shown as it is.
const MARK: &str = "_x";
/// So many digits of the hash are shown.
const DIGITS: usize = 12;

/// What the names of one server begin with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Prefix(String);

impl Prefix {
    /// The prefix of a server: its name, with what hosts refuse replaced. `__` cannot be in it, nor `_` at its ends, so
    /// that the first `__` of a shown name is the one behind the prefix.
    pub(super) fn of(server: &str) -> Result<Prefix, String> {
        let mut prefix = String::new();
        for letter in server.chars().map(|letter| if is_safe(letter) { letter } else { '-' }) {
            if letter != '_' || !prefix.ends_with('_') {
                prefix.push(letter);
            }
        }
        let prefix = prefix.trim_matches(['_', '-']).to_owned();
        if !prefix.contains(|letter: char| letter.is_ascii_alphanumeric()) {
            let told = portcullis_lattice::words::shown(server);
            return Err(format!(
                "the server `{told}` has no letter or digit in its name that hosts accept; give it a name of letters, \
                 digits, `-` and `_`"
            ));
        }
        if prefix.len() > LONGEST_PREFIX {
            return Err(format!(
                "the name of the server `{prefix}` is too long to stand before the names of its tools; give it one of at \
                 most {LONGEST_PREFIX} letters"
            ));
        }
        Ok(Prefix(prefix))
    }

    /// The text of it.
    pub(super) fn text(&self) -> &str {
        &self.0
    }

    /// The name under which the host sees something of this server.
    pub(super) fn show(&self, name: &str) -> String {
        let Prefix(prefix) = self;
        let is_plain = name.chars().all(is_safe) && !is_marked(name);
        if is_plain && prefix.len() + BETWEEN.len() + name.len() <= LONGEST {
            return format!("{prefix}{BETWEEN}{name}");
        }
        let room = LONGEST.saturating_sub(prefix.len() + BETWEEN.len() + MARK.len() + DIGITS);
        let readable: String =
            name.chars().take(room).map(|letter| if is_safe(letter) { letter } else { '_' }).collect();
        format!("{prefix}{BETWEEN}{readable}{MARK}{}", hash(name))
    }
}

/// A name that the host uses, taken apart.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum Named<'n> {
    /// Shown as it is.
    Plain { prefix: &'n str, name: &'n str },
    /// It has a hash in it: only who listed it knows what it stands for.
    Hashed { prefix: &'n str },
}

/// Takes a shown name apart.
pub(super) fn taken_apart(shown: &str) -> Option<Named<'_>> {
    let (prefix, name) = shown.split_once(BETWEEN)?;
    Some(if is_marked(name) { Named::Hashed { prefix } } else { Named::Plain { prefix, name } })
}

fn is_safe(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '-'
}

/// Whether a name ends like one that was hashed. One that does so by itself is hashed as well, so that no server can list
/// a tool under the shown name of another of its tools.
fn is_marked(name: &str) -> bool {
    let Some((_, digits)) = name.rsplit_once(MARK) else { return false };
    digits.len() == DIGITS && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

fn hash(name: &str) -> String {
    let digest = Sha256::digest(name.as_bytes());
    let mut digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.truncate(DIGITS);
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_get_prefixes_that_hosts_accept() {
        for (server, prefix) in [
            ("files", "files"),
            ("my files!", "my-files"),
            ("a__b", "a_b"),
            ("_a_", "a"),
            ("a_____b", "a_b"),
            ("Älpha", "lpha"),
        ] {
            assert_eq!(Prefix::of(server).unwrap().text(), prefix, "{server}");
        }
        assert!(Prefix::of("").unwrap_err().contains("no letter or digit"));
        assert!(Prefix::of("___").unwrap_err().contains("no letter or digit"));
        assert!(Prefix::of(&"a".repeat(33)).unwrap_err().contains("at most 32"));
    }

    #[test]
    fn only_what_hosts_refuse_is_hashed() {
        let prefix = Prefix::of("files").unwrap();
        assert_eq!(prefix.show("read_file"), "files__read_file");
        assert_eq!(prefix.show("other__tool"), "files__other__tool");
        assert_eq!(prefix.show("_x"), "files___x");
        // The digits are those of SHA-256 as `sha256sum` prints them.
        assert_eq!(prefix.show("read.file"), "files__read_file_xdd32cdf50e1f");
        assert_eq!(prefix.show(&"a".repeat(57)), format!("files__{}", "a".repeat(57)));
        assert_eq!(prefix.show(&"a".repeat(58)).len(), 64);
        assert!(prefix.show(&"a".repeat(58)).starts_with(&format!("files__{}_x", "a".repeat(43))));
        // What looks hashed is hashed again.
        assert_ne!(prefix.show("read_file_xdd32cdf50e1f"), "files__read_file_xdd32cdf50e1f");
    }

    #[test]
    fn the_first_underscores_are_those_behind_the_prefix() {
        for (shown, named) in [
            ("a__b", Some(Named::Plain { prefix: "a", name: "b" })),
            ("a__b__c", Some(Named::Plain { prefix: "a", name: "b__c" })),
            ("a___b", Some(Named::Plain { prefix: "a", name: "_b" })),
            ("a__b_x0123456789ab", Some(Named::Hashed { prefix: "a" })),
            ("a__b_x0123456789AB", Some(Named::Plain { prefix: "a", name: "b_x0123456789AB" })),
            ("a_b", None),
        ] {
            assert_eq!(taken_apart(shown), named, "{shown}");
        }
    }
}
