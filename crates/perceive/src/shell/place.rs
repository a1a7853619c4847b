//! Canonical names of what operands name, as the analysers of paths and of the network find them.
//!
//! Where these refuse a text, because programs would read it differently, it is taken for the worst of its kind.

use std::borrow::Cow;

use portcullis_lattice::{Reach, Realms, Resource};

use crate::Use;
use crate::network::{self, Host, Locator, Remote};
use crate::paths::{self, Base, Case, Family, NoLinks, Note, Resolver};

use super::stream::merge;

/// Every local file.
pub(super) const ROOT: &str = "/";
/// Every host.
const ANYWHERE: &str = "https://*";

/// The context as a use.
pub(super) fn context() -> Use {
    Use::context()
}

/// Any file at all: what an operand names that cannot be read.
pub(super) fn any_file() -> Use {
    Use::new(ROOT, Reach::Subtree)
}

/// Any host at all.
pub(super) fn any_host() -> Use {
    Use::new(ANYWHERE, Reach::Subtree)
}

/// A use, if its name is canonical; else the worst of its kind.
pub(super) fn checked(name: String, reach: Reach) -> Use {
    if Resource::new(&name, reach, Realms::NETWORK).is_ok() {
        return Use::new(name, reach);
    }
    if name.starts_with('/') { any_file() } else { any_host() }
}

/// The path that `text` names below `directory`: by its letters alone, as a shell keeps its working directory, if the
/// resolver knows no links; else as the system goes there.
pub(super) fn path(directory: &str, text: &str, resolver: &dyn Resolver) -> Option<String> {
    named(directory, text, resolver).map(|named| named.name)
}

/// Every place that a path may mean: where it leads; where it leads for those who read `..` the other way; and the link
/// itself, if it is one, for it is what is removed or replaced.
pub(super) fn files(directory: &str, text: &str, reach: Reach, resolver: &dyn Resolver) -> Option<Vec<Use>> {
    let found = named(directory, text, resolver)?;
    let mut places = vec![checked(found.name, reach)];
    if found.notes.is_empty() {
        return Some(places);
    }
    let textual = path(directory, text, &NoLinks)?;
    let folder =
        textual.rsplit_once('/').map_or(ROOT, |(folder, _)| if folder.is_empty() { ROOT } else { folder });
    let folder = path(folder, ".", resolver)?;
    let itself = textual.rsplit_once('/').map(|(_, last)| format!("{}/{last}", folder.trim_end_matches('/')));
    for note in found.notes {
        if let Note::OtherReading { name } | Note::Link { at: name } = &note
            && (matches!(note, Note::OtherReading { .. }) || Some(name) == itself.as_ref())
        {
            merge(&mut places, vec![checked(name.clone(), reach)]);
        }
    }
    Some(places)
}

fn named(directory: &str, text: &str, resolver: &dyn Resolver) -> Option<paths::Named> {
    let base = Base { folder: directory, home: None, family: Family::Unix, case: Case::Kept };
    // The shell has expanded `~` already, and programs take no URL for a path: what is left are letters of a name.
    let is_plain = |text: &str| {
        text.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '.')
            && !text.contains(':')
    };
    if text.starts_with('/') || is_plain(text) {
        paths::name(text, &base, resolver).ok()
    } else {
        paths::name(&format!("./{text}"), &base, resolver).ok()
    }
}

/// The last segment of a path, if it has one of its own.
pub(super) fn base_name(text: &str) -> Option<&str> {
    let name = text.trim_end_matches('/').rsplit('/').next()?;
    (!matches!(name, "" | "." | "..")).then_some(name)
}

/// The canonical name of a URL; a text without scheme is one of `http`, as programs take it.
pub(super) fn url(text: &str, resolver: &dyn Resolver) -> Use {
    let text = if text.contains("://") { Cow::Borrowed(text) } else { Cow::Owned(format!("http://{text}")) };
    match network::locate_any_scheme(&text) {
        Ok(Locator::Place(place)) => checked(place.name, Reach::One),
        Ok(Locator::File) => local_url(&text, resolver).unwrap_or_else(any_file),
        Ok(Locator::Context | Locator::Mail(_) | Locator::Opaque { .. }) | Err(_) => any_host(),
    }
}

/// The file of a `file:` URL.
fn local_url(text: &str, resolver: &dyn Resolver) -> Option<Use> {
    let base = Base { folder: ROOT, home: None, family: Family::Unix, case: Case::Kept };
    paths::name(text, &base, resolver).ok().map(|named| checked(named.name, Reach::One))
}

/// The machine that `user@host`, `host:path` or `host` names, as `ssh://host`.
pub(super) fn ssh_host(text: &str) -> Use {
    let text = text.strip_prefix("ssh://").unwrap_or(text);
    let text = text.split('/').next().unwrap_or(text);
    let host = text.rsplit('@').next().unwrap_or(text);
    let host = match host.find(']') {
        Some(end) if host.starts_with('[') => host.get(..=end).unwrap_or(host),
        _ => host.split(':').next().unwrap_or(host),
    };
    host_named("ssh", host, "")
}

/// The host of a name lookup or a raw connection, as `dns://host` or `tcp://host:port`.
pub(super) fn bare_host(scheme: &str, text: &str) -> Use {
    // More than one colon is an address of IPv6, which cannot have a port without brackets.
    let (host, port) = match text.rsplit_once(':') {
        Some((host, _)) if host.contains(':') && !host.ends_with(']') => {
            return host_named(scheme, &format!("[{}]", text.trim_matches(['[', ']'])), "");
        }
        Some((host, port)) => (host, port),
        None => (text, ""),
    };
    host_named(scheme, host, port)
}

fn host_named(scheme: &str, host: &str, port: &str) -> Use {
    // Escapes are for URLs: here a percent sign would be part of the name.
    let Some(host) = Host::parse(host).ok().filter(|_| !host.contains('%')) else { return any_host() };
    if port.is_empty() {
        return checked(format!("{scheme}://{host}"), Reach::One);
    }
    match port.parse::<u16>() {
        Ok(number) if number > 0 => checked(format!("{scheme}://{host}:{number}"), Reach::One),
        _ => any_host(),
    }
}

/// A Git remote: a URL, `host:path`, or `None` for the name of a configured remote or a local path.
pub(super) fn git_remote(text: &str, resolver: &dyn Resolver) -> Option<Use> {
    // One letter before a colon is a host here, and a drive elsewhere.
    let mut letters = text.chars();
    if letters.next().is_some_and(char::is_alphanumeric) && letters.next() == Some(':') {
        return Some(any_host());
    }
    match network::remote(text) {
        Ok(Remote::Place(place)) => Some(checked(place.name, Reach::One)),
        Ok(Remote::File) if text.contains("://") => Some(local_url(text, resolver).unwrap_or_else(any_file)),
        Ok(Remote::File) => None,
        Err(_) => Some(any_host()),
    }
}
