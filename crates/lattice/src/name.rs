//! Names of resources: a head and segments, so that containment is a prefix.
//!
//! | name | head | segments |
//! |---|---|---|
//! | `/home/u/a.py` | `/` | `home`, `u`, `a.py` |
//! | `https://docs.rs/serde` | `https://` | `docs.rs`, `serde` |
//! | `mailto:ann@acme.com` | `mailto:` | `ann@acme.com` |
//! | `github:acme/web/main` | `github:` | `acme`, `web`, `main` |
//! | `ctxt` | `ctxt` | |
//!
//! Only canonical names are accepted. A name that says the same place in another way (`..`, `//`, user info,
//! an upper-case host) would make containment by prefix a lie, so it is refused here, whoever made it.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::error::ParseError;

/// The name of the agent's context, and the scope that holds nothing else.
pub(crate) const CONTEXT: &str = "ctxt";
/// The head of every local path.
pub(crate) const LOCAL: &str = "/";
const MAIL: &str = "mailto:";

/// What comes before the segments of a name: `/`, `ctxt`, `https://`, `slack:`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Head(Box<str>);

impl Head {
    /// The head as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether names with this head are files of this machine.
    pub fn is_local(&self) -> bool {
        &*self.0 == LOCAL
    }

    /// Whether this is the agent's context.
    pub fn is_context(&self) -> bool {
        &*self.0 == CONTEXT
    }

    /// Whether names with this head lie beyond this machine.
    pub fn is_network(&self) -> bool {
        !self.is_local() && !self.is_context()
    }

    /// Whether names with this head are things in an account, such as channels or repositories.
    pub fn is_account(&self) -> bool {
        self.is_network() && !self.has_host()
    }

    /// Whether the first segment is a host.
    pub fn has_host(&self) -> bool {
        self.0.ends_with("://")
    }

    /// Whether the one segment is a mail address.
    pub fn is_mail(&self) -> bool {
        &*self.0 == MAIL
    }

    pub(crate) fn context() -> Head {
        Head(CONTEXT.into())
    }

    pub(crate) fn local() -> Head {
        Head(LOCAL.into())
    }
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Whether `*` may stand for other characters in the text at hand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stars {
    /// The text names things literally.
    Literal,
    /// The text is a pattern.
    Wild,
}

/// Splits a name into its head and the rest, and checks that both are canonical.
pub(crate) fn split(text: &str, stars: Stars) -> Result<(Head, &str), ParseError> {
    if text == CONTEXT {
        return Ok((Head::context(), ""));
    }
    if let Some(rest) = text.strip_prefix('/') {
        if !rest.is_empty() {
            check_segments(text, 1, rest, Kind::Path)?;
        }
        return Ok((Head::local(), rest));
    }
    let head_length = scheme_length(text)?;
    let (head, rest) = text.split_at(head_length);
    let head = Head(head.into());
    if rest.is_empty() {
        let problem = format!("nothing is named after `{}`", head.as_str());
        return Err(ParseError::new(text, head_length, problem, "slack:C04ENG, or slack:** for all of it"));
    }
    let kind = match (head.has_host(), head.is_mail()) {
        (true, _) => Kind::Web,
        (_, true) => Kind::Mail,
        _ => Kind::Account,
    };
    check_segments(text, head_length, rest, kind)?;
    match kind {
        Kind::Web => check_host(text, head_length, rest.split('/').next().unwrap_or(rest), stars)?,
        Kind::Mail => check_address(text, head_length, rest, stars)?,
        Kind::Path | Kind::Account => {}
    }
    Ok((head, rest))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Path,
    Web,
    Mail,
    Account,
}

/// The length of `scheme:` or `scheme://` at the beginning of a name.
fn scheme_length(text: &str) -> Result<usize, ParseError> {
    let no_name = |at, problem: &'static str| {
        ParseError::new(text, at, problem, "/home/u/notes.md, https://docs.rs/serde or slack:C04ENG")
    };
    for (at, letter) in text.char_indices() {
        match letter {
            'a'..='z' => {}
            '0'..='9' | '+' | '-' | '.' if at > 0 => {}
            ':' if at > 0 => {
                let rest = text.get(at + 1..).unwrap_or_default();
                return Ok(if rest.starts_with("//") { at + 3 } else { at + 1 });
            }
            'A'..='Z' => return Err(no_name(at, "a scheme is written in lower case")),
            _ => {
                return Err(no_name(
                    at,
                    "a name begins with `/` or with a scheme such as `https://` or `slack:`",
                ));
            }
        }
    }
    Err(no_name(text.len(), "a name begins with `/` or with a scheme such as `https://` or `slack:`"))
}

fn check_segments(text: &str, start: usize, rest: &str, kind: Kind) -> Result<(), ParseError> {
    let mut at = start;
    for segment in rest.split('/') {
        match segment {
            "" => {
                let problem = "an empty segment (`//` or a `/` at the end) names no place of its own";
                return Err(ParseError::new(text, at, problem, "/home/u/p"));
            }
            "." | ".." => {
                let problem = format!("`{segment}` must be resolved before a place is named");
                return Err(ParseError::new(text, at, problem, "/home/u/p"));
            }
            _ => {}
        }
        for (offset, letter) in segment.char_indices() {
            let problem = forbidden(letter, kind).or_else(|| {
                (letter == '%' && kind == Kind::Web).then(|| idle_escape(segment, offset)).flatten()
            });
            if let Some(problem) = problem {
                return Err(ParseError::new(text, at + offset, problem, "https://docs.rs/serde"));
            }
        }
        at += segment.len() + 1;
    }
    Ok(())
}

/// Why a character cannot be part of a canonical name of this kind.
fn forbidden(letter: char, kind: Kind) -> Option<&'static str> {
    match (letter, kind) {
        ('\0', _) => Some("a name cannot hold a NUL character"),
        (letter, Kind::Web | Kind::Mail) if letter.is_control() || letter.is_whitespace() => {
            Some("white space and control characters cannot be part of this name")
        }
        ('?' | '#', Kind::Web) => Some("a URL is named without its query and fragment"),
        ('\\', Kind::Web) => Some("a URL is written with `/`"),
        _ => None,
    }
}

/// Why the escape at `offset` cannot stand in a canonical URL: it says what could be said plainly, or what other
/// readers take for a separator.
fn idle_escape(segment: &str, offset: usize) -> Option<&'static str> {
    let digits = segment.get(offset + 1..offset + 3).unwrap_or_default();
    let is_canonical = digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'A'..=b'F'));
    match u8::from_str_radix(digits, 16) {
        Ok(b'/') => Some("an escaped `/` cannot be part of a name"),
        Ok(b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'-' | b'.' | b'_' | b'~') => {
            Some("what needs no escape is written without one")
        }
        Ok(_) if digits.len() == 2 && is_canonical => None,
        _ => Some("an escape is `%` and two digits of 0-9 and A-F"),
    }
}

fn check_host(text: &str, start: usize, host: &str, stars: Stars) -> Result<(), ParseError> {
    let wrong = |offset: usize, problem: &'static str| {
        Err(ParseError::new(text, start + offset, problem, "https://docs.acme.com:8443/guide"))
    };
    // In brackets stands an IPv6 address, whose colons are no port.
    let end = match host.rfind(']') {
        Some(bracket) => bracket + 1,
        None => host.find(':').unwrap_or(host.len()),
    };
    let (name, port) = host.split_at(end);
    if let Some((offset, problem)) = domain_problem(name, stars) {
        return wrong(offset, problem);
    }
    let port_is_right = match port.strip_prefix(':') {
        None => port.is_empty(),
        Some("*") => stars == Stars::Wild,
        Some(digits) => digits.parse::<u16>().is_ok_and(|port| port > 0) && !digits.starts_with(['0', '+']),
    };
    if !port_is_right {
        return wrong(end, "a port is a number after one colon");
    }
    let usual =
        [("https://", ":443"), ("http://", ":80"), ("wss://", ":443"), ("ws://", ":80"), ("ftp://", ":21")];
    if usual.iter().any(|(scheme, default)| text.starts_with(scheme) && port == *default) {
        return wrong(end, "the usual port is left out");
    }
    Ok(())
}

/// What keeps a text from being the canonical name of a host, and where: letters that are not of a host name, which
/// other readers may take for separators or for other letters, and addresses that are not in their usual form.
fn domain_problem(name: &str, stars: Stars) -> Option<(usize, &'static str)> {
    if let Some(address) = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        let is_canonical = address.parse::<Ipv6Addr>().is_ok_and(|parsed| parsed.to_string() == address);
        return (!is_canonical).then_some((0, "an IPv6 address is written in its shortest form"));
    }
    for (offset, letter) in name.char_indices() {
        match letter {
            'a'..='z' | '0'..='9' | '-' | '_' | '.' => {}
            '*' if stars == Stars::Wild => {}
            'A'..='Z' => return Some((offset, "a host is written in lower case")),
            '@' => return Some((offset, "a URL is named without user or password")),
            _ => {
                return Some((
                    offset,
                    "a host has letters, digits and hyphens; others are written as `xn--…`",
                ));
            }
        }
    }
    if name.split('.').any(str::is_empty) {
        return Some((0, "a host neither is empty nor has a dot at its ends or two in a row"));
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    // What ends in a number is read as an address.
    let is_number = last.bytes().all(|digit| digit.is_ascii_digit())
        || last
            .strip_prefix("0x")
            .is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    (is_number && stars == Stars::Literal && name.parse::<Ipv4Addr>().is_err())
        .then_some((0, "an IPv4 address is written as four numbers"))
}

fn check_address(text: &str, start: usize, address: &str, stars: Stars) -> Result<(), ParseError> {
    let wrong = |offset: usize, problem: &'static str| {
        Err(ParseError::new(text, start + offset, problem, "mailto:ann@acme.com"))
    };
    if stars == Stars::Wild && matches!(address, "*" | "**") {
        return Ok(());
    }
    for (offset, letter) in address.char_indices() {
        if matches!(letter, ',' | ';' | '<' | '>' | '(' | ')' | '"' | '/' | ':' | '\\') {
            return wrong(offset, "one bare mail address is named at a time");
        }
    }
    let Some((name, domain)) = address.split_once('@') else {
        return wrong(address.len(), "a mail address has an `@`");
    };
    if name.is_empty() {
        return wrong(0, "a mail address has a name before the `@`");
    }
    // Mail is delivered alike whatever the case, so a deny would not hold if case told addresses apart.
    if let Some(offset) = name.find(|letter: char| letter.to_lowercase().ne([letter])) {
        return wrong(offset, "a mail address is written in lower case");
    }
    match domain_problem(domain, stars) {
        None => Ok(()),
        Some((0, _)) if domain.is_empty() => {
            wrong(address.len(), "a mail address has a domain after the `@`")
        }
        Some((offset, _)) if domain.get(offset..).is_some_and(|rest| rest.starts_with('@')) => {
            wrong(name.len() + 1 + offset, "a mail address has one `@`")
        }
        Some((offset, problem)) => wrong(name.len() + 1 + offset, problem),
    }
}
