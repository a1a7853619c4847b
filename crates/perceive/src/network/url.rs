//! URLs: one name for each place.
//!
//! The text is split by hand and the host read by the `url` crate. Reading all of it with that crate would give what a
//! browser makes of the text; a tool may use another reader, and where the two would go to different places the text
//! must be refused, which needs a look at it before it is tidied.

use super::escape::{climbs_for_some, escaped_path, unescaped};
use super::{Host, HostError, MailError, Named, Note, Recipients, add, recipients};

/// Schemes that lead to a host on the network, with the port that goes without saying.
const SCHEMES: &[(&str, u16)] = &[
    ("http", 80),
    ("https", 443),
    ("ws", 80),
    ("wss", 443),
    ("ftp", 21),
    ("ftps", 990),
    ("sftp", 22),
    ("ssh", 22),
    ("git", 9418),
    ("rsync", 873),
    ("svn", 3690),
    ("smb", 445),
];

/// What a URL leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Locator {
    /// A place on the network.
    Place(Named),
    /// Nowhere: the content of a `data:` URL is in the text, which the agent wrote, so it comes from the context.
    Context,
    /// A file of this machine, whose name [`paths::name`](crate::paths::name) finds from the same text.
    File,
    /// Mailboxes: a `mailto:` URL with all who would get the mail.
    Mail(Recipients),
    /// Something without a place of its own: code, a reference inside a program, a scheme that is not known here.
    Opaque {
        /// The scheme, in lower case.
        scheme: String,
    },
}

/// Why a URL cannot be named. The caller then assumes the worst.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UrlError {
    /// There is no scheme.
    #[error("no scheme; write `https://` in front")]
    NoScheme,
    /// A line break or another control character, which some programs drop and others do not.
    #[error("a control character in a URL; leave it out")]
    Control,
    /// Not exactly two slashes after the scheme, or nothing after them.
    #[error("a host is written after `://`")]
    NoHost,
    /// The host is none.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The port is none.
    #[error("a port is a number from 1 to 65535")]
    Port,
    /// Programs disagree which host is meant.
    #[error("programs disagree which host this is; leave out `\\` and all but one `@`")]
    AmbiguousHost,
    /// Programs disagree which path is meant.
    #[error("programs disagree which path this is; write it without `..` and escapes")]
    AmbiguousPath,
    /// A `mailto:` URL with a recipient that is none.
    #[error(transparent)]
    Mail(#[from] MailError),
}

/// Names the place that a URL leads to: without user, default port, query, fragment and slash at the end.
///
/// ```
/// # use portcullis_perceive::network::{self, Locator};
/// let Locator::Place(place) = network::locate("https://ann@ACME.com:443/a/../%61dmin/?q#f")? else { panic!() };
/// assert_eq!(place.name, "https://acme.com/admin");
/// # Ok::<(), network::UrlError>(())
/// ```
pub fn locate(text: &str) -> Result<Locator, UrlError> {
    let text = text.trim_matches(|letter: char| letter <= ' ');
    if text.contains(|letter: char| letter.is_control()) {
        return Err(UrlError::Control);
    }
    let (scheme, rest) = split_scheme(text).ok_or(UrlError::NoScheme)?;
    match scheme.as_str() {
        "data" => return Ok(Locator::Context),
        "file" => return Ok(Locator::File),
        "mailto" => return mail(rest).map(Locator::Mail),
        _ => {}
    }
    match SCHEMES.iter().find(|(known, _)| *known == scheme) {
        Some((scheme, port)) => place(scheme, *port, rest).map(Locator::Place),
        None => Ok(Locator::Opaque { scheme }),
    }
}

/// The same for every scheme: one that is not known here leads to the host that is written after its `://`, as a store of
/// objects or an old protocol does.
pub(crate) fn locate_any_scheme(text: &str) -> Result<Locator, UrlError> {
    match locate(text)? {
        Locator::Opaque { scheme } => {
            let rest =
                text.trim_matches(|letter: char| letter <= ' ').split_once(':').map_or("", |(_, rest)| rest);
            // No port goes without saying; 0 is none.
            place(&scheme, 0, rest).map(Locator::Place)
        }
        known @ (Locator::Place(_) | Locator::Context | Locator::File | Locator::Mail(_)) => Ok(known),
    }
}

/// The scheme in lower case, and what comes after its colon.
fn split_scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let letters = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let valid =
        scheme.starts_with(|letter: char| letter.is_ascii_alphabetic()) && scheme.bytes().all(letters);
    valid.then(|| (scheme.to_ascii_lowercase(), rest))
}

fn place(scheme: &str, default_port: u16, rest: &str) -> Result<Named, UrlError> {
    let mut notes = Vec::new();
    // Browsers take `https:/host`, `https:host` and `https:///host` for a host too; other programs do not.
    let rest = rest.strip_prefix("//").ok_or(UrlError::NoHost)?;
    let (authority, path) = rest.split_at(rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len()));
    if authority.is_empty() {
        return Err(UrlError::NoHost);
    }
    // Browsers end the host here; other programs read on, perhaps to an `@`.
    if path.starts_with('\\') {
        return Err(UrlError::AmbiguousHost);
    }
    let host = match authority.split_once('@') {
        None => authority,
        Some((_, host)) if host.contains('@') => return Err(UrlError::AmbiguousHost),
        Some((user, host)) => {
            // `git@` and the like are how these are always written.
            if user.contains(':') || !matches!(scheme, "ssh" | "sftp") {
                add(&mut notes, Note::Userinfo);
            }
            host
        }
    };
    let (host, port) = split_port(host)?;
    let host = Host::read(host, &mut notes)?;
    let port = port.filter(|port| *port != default_port).map(|port| format!(":{port}")).unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let path = canonical_path(path, &mut notes)?;
    Ok(Named { name: format!("{scheme}://{host}{port}{path}"), notes })
}

fn split_port(authority: &str) -> Result<(&str, Option<u16>), UrlError> {
    // In brackets stands an IPv6 address, whose colons are no port.
    let host_end = match authority.rfind(']') {
        Some(end) => end + 1,
        None => authority.find(':').unwrap_or(authority.len()),
    };
    let (host, port) = authority.split_at(host_end);
    let port = match port.strip_prefix(':') {
        None if port.is_empty() => None,
        None => return Err(UrlError::Port),
        Some("") => None,
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_digit()) => {
            Some(digits.parse().map_err(|_| UrlError::Port)?)
        }
        Some(_) => return Err(UrlError::Port),
    };
    // Nothing listens at port 0.
    if port == Some(0) {
        return Err(UrlError::Port);
    }
    Ok((host, port))
}

/// One path for all that lead to the same place: `..` resolved, empty segments left out, escapes only where needed.
///
/// Servers differ in the order in which they decode, join slashes and resolve `..`. Where the order would matter there
/// is no one place.
fn canonical_path(path: &str, notes: &mut Vec<Note>) -> Result<String, UrlError> {
    let slashed = path.replace('\\', "/");
    if slashed != path {
        add(notes, Note::Backslash);
    }
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let mut escaped_slash = false;
    for text in slashed.split('/').skip(1) {
        let decoded = unescaped(text, notes);
        let pieces: Vec<&[u8]> = decoded.split(|byte| matches!(byte, b'/' | b'\\')).collect();
        let several = pieces.len() > 1;
        if pieces.iter().any(|piece| several && is_dots(piece) || climbs_for_some(piece)) {
            return Err(UrlError::AmbiguousPath);
        }
        escaped_slash |= several;
        // An escaped `\` stays one: that it separates is the habit of a few servers only.
        segments.extend(decoded.split(|byte| *byte == b'/').map(<[u8]>::to_vec));
    }
    let climbs = segments.iter().any(|segment| segment == b"..");
    let last = segments.len().saturating_sub(1);
    if segments.iter().take(last).any(Vec::is_empty) {
        add(notes, Note::EmptySegment);
    }
    let resolved = resolve(segments.iter().filter(|segment| !segment.is_empty()));
    if climbs {
        let mut kept = resolve(segments.iter());
        kept.retain(|segment| !segment.is_empty());
        if escaped_slash || kept != resolved {
            return Err(UrlError::AmbiguousPath);
        }
    }
    Ok(escaped_path(resolved))
}

fn is_dots(segment: &[u8]) -> bool {
    matches!(segment, b"." | b"..")
}

fn resolve<'s>(segments: impl Iterator<Item = &'s Vec<u8>>) -> Vec<&'s Vec<u8>> {
    let mut resolved = Vec::new();
    for segment in segments {
        match segment.as_slice() {
            b"." => {}
            b".." => {
                resolved.pop();
            }
            _ => resolved.push(segment),
        }
    }
    resolved
}

/// All who would get the mail of a `mailto:` URL: also those in its `to`, `cc` and `bcc` fields.
fn mail(rest: &str) -> Result<Recipients, UrlError> {
    let rest = rest.split('#').next().unwrap_or_default();
    let (to, fields) = rest.split_once('?').unwrap_or((rest, ""));
    let named = fields.split('&').filter_map(|field| field.split_once('='));
    let copies = named.filter_map(|(name, value)| {
        let name = text_of(name)?.to_ascii_lowercase();
        matches!(name.as_str(), "to" | "cc" | "bcc").then(|| text_of(value))
    });
    let texts: Option<Vec<String>> = std::iter::once(text_of(to)).chain(copies).collect();
    let texts = texts.ok_or(MailError::Ambiguous)?;
    Ok(recipients(texts.iter().map(String::as_str))?)
}

fn text_of(escaped: &str) -> Option<String> {
    String::from_utf8(unescaped(escaped, &mut Vec::new())).ok()
}
