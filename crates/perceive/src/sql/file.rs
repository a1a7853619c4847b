//! Files and addresses that SQL names in strings.

use portcullis_lattice::{Reach, Realms, Resource};

use crate::deed::Use;

/// Where the relative names of files in a text start: the folder of the database's process, if it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Folder<'a>(pub Option<&'a str>);

impl Folder<'_> {
    /// The file or address that a string names; nothing if it does not tell which one that is.
    pub(super) fn place(self, text: &str) -> Option<Use> {
        let name = match text.split_once("://") {
            Some((scheme, rest)) => address(scheme, rest)?,
            None => self.path(text)?,
        };
        let reach = if name.contains(['*', '?', '[']) { Reach::Subtree } else { Reach::One };
        // A pattern is kept up to its first wildcard: what it matches lies below.
        let name = match reach {
            Reach::Subtree => above_wildcard(&name),
            Reach::One | Reach::Names => name,
        };
        Resource::new(&name, reach, Realms::NETWORK).ok()?;
        Some(Use::new(name, reach))
    }

    fn path(self, text: &str) -> Option<String> {
        let text = text.strip_prefix("file:").unwrap_or(text);
        let mut segments: Vec<&str> = Vec::new();
        if !text.starts_with('/') {
            // `~` means the home of whoever runs the database, and `C:\` a machine of another kind.
            let is_plain = !text.is_empty() && !text.starts_with('~') && !text.contains(['\\', ':']);
            let folder = self.0.filter(|folder| is_plain && folder.starts_with('/'))?;
            segments.extend(folder.split('/').filter(|segment| !segment.is_empty()));
        }
        for segment in text.split('/') {
            match segment {
                "" | "." => {}
                ".." => drop(segments.pop()),
                segment => segments.push(segment),
            }
        }
        Some(format!("/{}", segments.join("/")))
    }
}

/// A URL without what does not say where it is. Anything unusual is no answer.
fn address(scheme: &str, rest: &str) -> Option<String> {
    let scheme = scheme.to_ascii_lowercase();
    if scheme == "file" {
        return Folder(None).path(rest);
    }
    let rest = rest.split(['?', '#']).next()?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = authority.rsplit('@').next()?.to_ascii_lowercase();
    let default_port = if scheme == "https" { ":443" } else { ":80" };
    let host = host.strip_suffix(default_port).unwrap_or(&host);
    let mut segments: Vec<&str> = vec![host];
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." if segments.len() > 1 => drop(segments.pop()),
            ".." => {}
            segment => segments.push(segment),
        }
    }
    Some(format!("{scheme}://{}", segments.join("/")))
}

fn above_wildcard(name: &str) -> String {
    let end = name.find(['*', '?', '[']).unwrap_or(name.len());
    let stem = name.get(..end).unwrap_or(name);
    let folder = stem.rfind('/').map_or("/", |slash| stem.get(..slash).unwrap_or("/"));
    if folder.is_empty() { "/".into() } else { folder.into() }
}
