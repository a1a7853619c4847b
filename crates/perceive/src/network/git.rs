//! Git remotes: URLs, `user@host:path`, and paths.

use super::{Host, HostError, Locator, Named, UrlError, climbs_for_some, escaped_path, locate};

/// What a Git remote leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remote {
    /// A repository on the network: `github:owner/repo`, or its URL.
    Place(Named),
    /// A repository on this machine, whose name [`paths::name`](crate::paths::name) finds from the same text.
    File,
}

/// Why a remote cannot be named. The caller then assumes the worst.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RemoteError {
    /// There is no text.
    #[error("an empty remote names nothing")]
    Empty,
    /// The text begins with `-`, so Git would take it for an option.
    #[error("an option is no remote")]
    Option,
    /// `helper::address` runs a program of that name, and `ext::` any command.
    #[error("a remote helper runs a program; give the address itself")]
    Helper,
    /// The URL leads to no repository.
    #[error("a URL of this kind is no remote")]
    NoRepository,
    /// The path of `host:path` climbs or is empty.
    #[error("the path after the host is empty or has `..` in it")]
    Path,
    /// The URL cannot be named.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// The host of `host:path` is none.
    #[error(transparent)]
    Host(#[from] HostError),
}

/// Names the repository that a remote leads to.
///
/// `host:path` is named as the `ssh://` URL of the same place. Git starts a relative path in the home folder there and
/// the URL in the root; hosts of repositories make no difference, and one name for both is the stricter choice.
pub fn remote(text: &str) -> Result<Remote, RemoteError> {
    match text {
        "" => return Err(RemoteError::Empty),
        _ if text.starts_with('-') => return Err(RemoteError::Option),
        _ if text.contains('\0') => return Err(RemoteError::Url(UrlError::Control)),
        _ => {}
    }
    if let Some((helper, _)) = text.split_once("::")
        && !helper.is_empty()
        && helper.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'_'))
    {
        return Err(RemoteError::Helper);
    }
    if text.contains("://") {
        return from_url(text);
    }
    match split_host(text) {
        Some((host, path)) => from_host_and_path(host, path).map(Remote::Place),
        None => Ok(Remote::File),
    }
}

fn from_url(text: &str) -> Result<Remote, RemoteError> {
    // Package managers write the protocol after `git+`; old versions of Git know these two spellings of `ssh`.
    let text = match text.split_once("://") {
        Some((scheme, rest)) => match scheme.to_ascii_lowercase().as_str() {
            "ssh+git" | "git+ssh" => format!("ssh://{rest}"),
            scheme => format!("{}://{rest}", scheme.strip_prefix("git+").unwrap_or(scheme)),
        },
        None => text.to_owned(),
    };
    match locate(&text)? {
        Locator::Place(place) => Ok(Remote::Place(shortened(place))),
        Locator::File => Ok(Remote::File),
        Locator::Context | Locator::Mail(_) | Locator::Opaque { .. } => Err(RemoteError::NoRepository),
    }
}

/// `user@host:path`, as Git tells it from a path: the colon comes before the first slash.
fn split_host(text: &str) -> Option<(&str, &str)> {
    let colon = match text.find("]:") {
        Some(bracket) => bracket + 1,
        None => text.find(':')?,
    };
    let (host, path) = (text.get(..colon)?, text.get(colon + 1..)?);
    // One letter before a colon is a drive.
    let drive = host.len() == 1 && host.starts_with(|letter: char| letter.is_ascii_alphabetic());
    (!host.contains('/') && !drive).then_some((host, path))
}

fn from_host_and_path(host: &str, path: &str) -> Result<Named, RemoteError> {
    let mut notes = Vec::new();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    // Escapes are for URLs: here a percent sign would be one. `[host:port]:path` is known to some versions of Git only.
    if host.contains('%') {
        return Err(RemoteError::Host(HostError::Invalid));
    }
    let host = Host::read(host, &mut notes)?;
    if path.contains('\\') || path.chars().any(char::is_control) {
        return Err(RemoteError::Path);
    }
    let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let climbs = |part: &&str| *part == ".." || climbs_for_some(part.as_bytes());
    if segments.is_empty() || segments.iter().any(climbs) {
        return Err(RemoteError::Path);
    }
    let name = format!("ssh://{host}{}", escaped_path(segments));
    Ok(shortened(Named { name, notes }))
}

/// GitHub's repositories have one name, whatever the protocol.
fn shortened(place: Named) -> Named {
    let short = place.name.split_once("://").and_then(|(_, rest)| {
        let (host, path) = rest.split_once('/')?;
        let (owner, repository) = path.split_once('/')?;
        // GitHub serves SSH on this port too, for networks that let nothing else out.
        matches!(host, "github.com" | "www.github.com" | "ssh.github.com" | "ssh.github.com:443")
            .then(|| github(owner, repository))?
    });
    Named { name: short.unwrap_or(place.name), notes: place.notes }
}

/// The name of a repository on GitHub, where neither owner nor repository tells upper from lower case.
pub fn github(owner: &str, repository: &str) -> Option<String> {
    let owner = owner.to_ascii_lowercase();
    let repository = repository.to_ascii_lowercase();
    let repository = repository.strip_suffix(".git").unwrap_or(&repository);
    let letters = |text: &str| {
        !matches!(text, "" | "." | "..")
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    (letters(&owner) && letters(repository)).then(|| format!("github:{owner}/{repository}"))
}
