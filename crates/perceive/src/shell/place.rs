//! Canonical names of what operands name: paths and URLs.
//!
//! Kept small and in one place: paths are resolved by their text alone, URLs as far as the names of resources need it.

use portcullis_lattice::{Reach, Realms, Resource};

use crate::Use;

/// The agent's context.
pub(super) const CONTEXT: &str = "ctxt";
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

/// Whether a use lies beyond this machine.
pub(super) fn is_network(used: &Use) -> bool {
    used.name != CONTEXT && !used.name.starts_with('/')
}

/// A use, if its name is canonical; else the worst of its kind.
pub(super) fn checked(name: String, reach: Reach) -> Use {
    if Resource::new(&name, reach, Realms::NETWORK).is_ok() {
        return Use::new(name, reach);
    }
    if name.starts_with('/') { any_file() } else { any_host() }
}

/// The path that `text` names below `directory`, with `.`, `..` and repeated slashes resolved.
pub(super) fn path(directory: &str, text: &str) -> String {
    let mut segments: Vec<&str> = Vec::new();
    let base = if text.starts_with('/') { "" } else { directory };
    for segment in base.split('/').chain(text.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            other => segments.push(other),
        }
    }
    format!("/{}", segments.join("/"))
}

/// The last segment of a path, if it has one of its own.
pub(super) fn base_name(text: &str) -> Option<&str> {
    let name = text.trim_end_matches('/').rsplit('/').next()?;
    (!matches!(name, "" | "." | "..")).then_some(name)
}

/// The canonical name of a URL; a text without scheme is one of `http`, as programs take it.
pub(super) fn url(text: &str) -> Use {
    let (scheme, rest) = match text.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => ("http".to_owned(), text),
    };
    if scheme == "file" {
        let local = rest.find('/').and_then(|at| rest.get(at..)).unwrap_or(ROOT);
        return checked(path(ROOT, local), Reach::One);
    }
    let simple =
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+');
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let host = host_of(authority, &scheme);
    let tail = tail.split(['?', '#']).next().unwrap_or_default();
    if !simple || tail.contains('\\') || has_odd_letters(&host) {
        return any_host();
    }
    let below = path(ROOT, tail);
    checked(format!("{scheme}://{host}{}", if below == ROOT { "" } else { &below }), Reach::One)
}

fn host_of(authority: &str, scheme: &str) -> String {
    let host = authority.rsplit('@').next().unwrap_or(authority).to_ascii_lowercase();
    let port = match scheme {
        "http" | "ws" => ":80",
        "https" | "wss" => ":443",
        "ftp" => ":21",
        "ssh" | "sftp" => ":22",
        _ => return host,
    };
    host.strip_suffix(port).unwrap_or(&host).to_owned()
}

fn has_odd_letters(host: &str) -> bool {
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || ".-_:[]".contains(letter) || letter > '\u{7f}';
    host.is_empty() || !host.chars().all(plain)
}

/// The machine that `user@host`, `host:path` or `host` names, as `ssh://host`.
pub(super) fn ssh_host(text: &str) -> Use {
    let text = text.strip_prefix("ssh://").unwrap_or(text);
    let text = text.split('/').next().unwrap_or(text);
    let host = text.rsplit('@').next().unwrap_or(text);
    let host = if host.starts_with('[') { host } else { host.split(':').next().unwrap_or(host) };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if has_odd_letters(&host) { any_host() } else { checked(format!("ssh://{host}"), Reach::One) }
}

/// The host of a name lookup or a raw connection, as `dns://host` or `tcp://host:port`.
pub(super) fn bare_host(scheme: &str, text: &str) -> Use {
    let host = text.trim_end_matches('.').to_ascii_lowercase();
    let host =
        if host.matches(':').count() > 1 && !host.starts_with('[') { format!("[{host}]") } else { host };
    if has_odd_letters(&host) { any_host() } else { checked(format!("{scheme}://{host}"), Reach::One) }
}

/// A Git remote: a URL, `host:path`, or `None` for the name of a configured remote or a local path.
pub(super) fn git_remote(text: &str) -> Option<Use> {
    if text.contains("://") {
        let named = url(text);
        return Some(github(&named.name).unwrap_or(named));
    }
    let (host, below) = text.split_once(':')?;
    if host.contains('/') || host.is_empty() {
        return None;
    }
    let host = host.rsplit('@').next().unwrap_or(host).to_ascii_lowercase();
    let named = url(&format!("ssh://{host}/{below}"));
    Some(github(&named.name).unwrap_or(named))
}

fn github(name: &str) -> Option<Use> {
    let (_, rest) = name.split_once("://")?;
    let mut parts = rest.split('/');
    if !matches!(parts.next()?, "github.com" | "www.github.com" | "ssh.github.com:443") {
        return None;
    }
    let (owner, repository) = (parts.next()?.to_ascii_lowercase(), parts.next()?);
    let repository = repository.strip_suffix(".git").unwrap_or(repository);
    Some(checked(format!("github:{owner}/{repository}"), Reach::One))
}
