//! What a server asks for that does not let us in: the header `WWW-Authenticate`.

/// The longest value that is kept.
const LONGEST: usize = 2048;

/// What a server asks for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Challenge {
    /// Where it says who gives out tokens for it.
    pub resource_metadata: Option<String>,
    /// What a token has to be good for.
    pub scope: Option<String>,
    /// What is wrong with the token that was sent, such as `insufficient_scope`.
    pub error: Option<String>,
}

impl Challenge {
    /// Reads the values of `WWW-Authenticate`. What is not understood is as if it were not there; the first says.
    pub fn read<'v>(values: impl IntoIterator<Item = &'v [u8]>) -> Challenge {
        let mut challenge = Challenge::default();
        for value in values {
            let Ok(text) = str::from_utf8(value) else { continue };
            let mut scheme = "";
            let mut rest = text;
            while let Some((item, behind)) = next(rest) {
                rest = behind;
                match item {
                    Item::Scheme(name) => scheme = name,
                    Item::Parameter(name, value) if scheme.eq_ignore_ascii_case("bearer") => {
                        challenge.keep(name, value);
                    }
                    Item::Parameter(..) => {}
                }
            }
        }
        challenge
    }

    fn keep(&mut self, name: &str, value: String) {
        let place = match name.to_ascii_lowercase().as_str() {
            "resource_metadata" => &mut self.resource_metadata,
            "scope" => &mut self.scope,
            "error" => &mut self.error,
            _ => return,
        };
        if value.len() <= LONGEST && value.chars().all(|letter| matches!(letter, ' '..='~')) {
            place.get_or_insert(value);
        }
    }
}

enum Item<'t> {
    /// A way to say who one is; parameters follow.
    Scheme(&'t str),
    /// One of them.
    Parameter(&'t str, String),
}

/// The next word of a header, and what is behind it.
fn next(text: &str) -> Option<(Item<'_>, &str)> {
    let text = text.trim_start_matches([' ', '\t', ',']);
    let end = text.find([' ', '\t', ',', '=']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let after = rest.trim_start_matches([' ', '\t']);
    match after.strip_prefix('=') {
        // A word with nothing before its sign of equality is of no use to anybody.
        Some(value) => {
            let (value, behind) = value_of(value.trim_start_matches([' ', '\t']));
            Some((Item::Parameter(name, value), behind))
        }
        None if name.is_empty() => None,
        None => Some((Item::Scheme(name), rest)),
    }
}

/// A value in quotes or without, and what is behind it.
fn value_of(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([' ', '\t', ',']).unwrap_or(text.len());
        let (value, behind) = text.split_at(end);
        return (value.to_owned(), behind);
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, quoted.get(at + 1..).unwrap_or_default()),
            '\\' => value.extend(letters.next().map(|(_, escaped)| escaped)),
            plain => value.push(plain),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(value: &str) -> (Option<String>, Option<String>) {
        let challenge = Challenge::read([value.as_bytes()]);
        (challenge.resource_metadata, challenge.scope)
    }

    #[test]
    fn what_a_server_asks_for_is_found_however_it_is_written() {
        let metadata = || Some("https://mcp.example/.well-known/oauth-protected-resource".to_owned());
        let url = "https://mcp.example/.well-known/oauth-protected-resource";
        let cases = [
            (format!("Bearer resource_metadata=\"{url}\", scope=\"files:read files:write\""), metadata()),
            (format!("bearer  Scope = \"files:read files:write\" ,Resource_Metadata={url}"), metadata()),
            (
                format!(
                    "Basic realm=\"a, Bearer scope=\\\"no\\\"\", Bearer error=\"x\", scope=\"files:read files:write\", resource_metadata=\"{url}\""
                ),
                metadata(),
            ),
            ("Negotiate YWJj==, Bearer scope=\"files:read files:write\"".to_owned(), None),
        ];
        for (value, metadata) in cases {
            assert_eq!(read(&value), (metadata, Some("files:read files:write".to_owned())), "{value}");
        }
    }

    #[test]
    fn other_ways_to_say_who_one_is_are_not_ours() {
        assert_eq!(read("Basic realm=\"x\", scope=\"a\""), (None, None));
        assert_eq!(read("DPoP resource_metadata=\"https://evil.example\""), (None, None));
        assert_eq!(read(""), (None, None));
    }

    #[test]
    fn the_first_says_and_what_is_too_long_or_unprintable_is_dropped() {
        let values: [&[u8]; 2] = [b"Bearer scope=\"a\"", b"Bearer scope=\"b\""];
        assert_eq!(Challenge::read(values).scope.as_deref(), Some("a"));
        assert_eq!(read(&format!("Bearer scope=\"{}\"", "x".repeat(LONGEST + 1))), (None, None));
        assert_eq!(read("Bearer scope=\"a\u{1b}[2J\""), (None, None));
    }

    proptest! {
        #[test]
        fn reading_ends_on_any_header(value in "[ ,=\"\\\\a-zA-Z\\t]{0,60}") {
            Challenge::read([value.as_bytes()]);
        }

        #[test]
        fn a_value_that_was_quoted_is_read_back(value in "[ -~]{0,40}") {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let header = format!("Basic realm=\"{quoted}\", Bearer scope=\"{quoted}\"");
            prop_assert_eq!(read(&header), (None, Some(value)));
        }
    }
}
