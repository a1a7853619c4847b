//! What stands for itself: paths, hosts, addresses, ids.

use portcullis_perceive::paths::{self, NoLinks};

use super::Noun;
use crate::english::chunk::Literal;
use crate::hand::Hand;
use crate::meaning::Place;

pub(super) fn literal(literal: &Literal, kind: &str, hand: &Hand, noun: &mut Noun) {
    match literal {
        Literal::Path(path) if kind == "branch" => noun.branches.push(branch(path)),
        Literal::Path(path) if kind == "repository" || is_repository(path, hand) => {
            noun.places.push(Place::Id(path.clone()))
        }
        // ".gov sites"
        Literal::Path(path) if matches!(kind, "page" | "host") && is_top_domain(path) => {
            noun.places.push(Place::Domain(path.trim_start_matches('.').to_lowercase()))
        }
        Literal::Path(path) => relative(&any(path), hand, noun),
        Literal::Host(host) if kind == "host" && host.contains('*') => {
            noun.places.push(Place::HostLike(host.clone()))
        }
        Literal::Host(host) => match host.split_once('/') {
            Some((_, rest)) if !rest.is_empty() => noun.places.push(Place::Page(format!("https://{host}"))),
            _ => noun
                .places
                .push(Place::Domain(host.trim_start_matches("*.").trim_end_matches('/').to_owned())),
        },
        Literal::Url(url) => noun.places.push(Place::Page(url.trim_end_matches('/').to_owned())),
        Literal::Address(address) => noun.places.push(match address.strip_suffix('@') {
            Some(mailbox) => Place::Mailbox(mailbox.to_owned()),
            None => Place::Address(address.clone()),
        }),
        Literal::Channel(channel) => {
            "channel".clone_into(&mut noun.kind);
            noun.places.push(Place::Channel(channel.trim_start_matches('#').to_owned()));
        }
        Literal::Tool(tool) => noun.tools.push(tool.clone()),
        Literal::Identifier(name) => match kind {
            "branch" => noun.branches.push(name.clone()),
            "table" => noun.places.push(Place::Table(name.clone())),
            "database" => noun.places.push(Place::Database(name.clone())),
            "host" | "page" => noun.places.push(Place::HostLike(name.clone())),
            "file" => noun.places.push(Place::Word(name.clone())),
            _ => noun.places.push(Place::Id(name.clone())),
        },
        Literal::Number(number) if kind == "file" => noun.places.push(Place::Folder(number.to_string())),
        Literal::Quoted(text) => match kind {
            "branch" => noun.branches.push(text.clone()),
            "table" => noun.places.push(Place::Table(text.clone())),
            "database" => noun.places.push(Place::Database(text.clone())),
            "file" | "note" | "channel" | "calendar" | "repository" => {
                noun.places.push(Place::Word(text.clone()))
            }
            _ => noun.literals.push(literal.clone()),
        },
        Literal::Mention(_)
        | Literal::Emoji(_)
        | Literal::Flag(_)
        | Literal::Number(_)
        | Literal::Like(_) => noun.literals.push(literal.clone()),
    }
}

/// A path, and the same path inside a repository, where there are some.
fn relative(path: &str, hand: &Hand, noun: &mut Noun) {
    noun.paths.push(path.to_owned());
    noun.places.extend(path_places(path, hand));
}

/// A path as the session has it, and as a repository or a vault has it, where there is one.
pub(crate) fn path_places(path: &str, hand: &Hand) -> Vec<Place> {
    let mut places: Vec<Place> = path_place(path, hand).into_iter().collect();
    let is_relative =
        !path.starts_with(['/', '~', '*']) && path.trim_end_matches('/').len() > 1 && !path.starts_with("..");
    if is_relative && (hand.has_tool_word("repository") || hand.has_own_paths()) && path.contains('/') {
        places.push(Place::Within(path.trim_start_matches("./").trim_end_matches('/').to_owned()));
    }
    places
}

/// `.env.something` is any of that form.
fn any(path: &str) -> String {
    let open =
        ["something", "whatever", "anything", "…", "..."].iter().find_map(|end| path.strip_suffix(end));
    open.filter(|stem| stem.ends_with('.')).map_or_else(|| path.to_owned(), |stem| format!("{stem}*"))
}

/// `.gov`, `.co.uk`.
fn is_top_domain(path: &str) -> bool {
    let labels = path.strip_prefix('.').unwrap_or_default();
    !labels.is_empty() && labels.chars().all(|letter| letter.is_ascii_lowercase() || letter == '.')
}

/// `acme/web`, where repositories are at hand and folders are not.
fn is_repository(path: &str, hand: &Hand) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains('.') && part != "~";
    path.split_once('/').is_some_and(|(owner, name)| is_part(owner) && is_part(name) && !name.contains('/'))
        && !hand.has_tool_word("directory")
        && (hand.has_tool_word("repository")
            || (!hand.has_local_files() && (hand.has_parameter("project") || hand.has_parameter("repo"))))
}

/// A branch by its beginning: `feat/` is every branch there.
pub(crate) fn branch(path: &str) -> String {
    let stem = ["something", "whatever", "xyz", "name"]
        .iter()
        .find_map(|end| path.strip_suffix(end))
        .unwrap_or(path);
    if stem.ends_with('/') { format!("{stem}*") } else { path.to_owned() }
}

/// Whether hosts end so and hardly any file: files of Emacs end in `.org` as well.
fn ends_hosts(end: &str, hand: &Hand) -> bool {
    matches!(end, "gov" | "edu" | "mil" | "com" | "net") || (end == "org" && !hand.has_local_files())
}

/// A path as the session has it. A bare name without a folder is meant wherever it is.
pub(crate) fn path_place(path: &str, hand: &Hand) -> Option<Place> {
    if let Some(end) = path.strip_prefix("*.").filter(|end| !end.contains(['*', '/', '.'])) {
        return Some(Place::Ending(end.to_lowercase()));
    }
    let is_bare = !path.contains('/') && !path.starts_with('~') && path != "." && path != "..";
    if is_bare {
        // `.gov` is no ending of files.
        if let Some(end) = path.strip_prefix('.').filter(|end| ends_hosts(&end.to_lowercase(), hand)) {
            return Some(Place::Domain(end.to_lowercase()));
        }
        // `.pdf` is an ending, `.env` is a name.
        let end = path.strip_prefix('.').filter(|end| !end.contains(['.', '*']));
        return Some(match end.filter(|end| is_ending(end)) {
            Some(end) => Place::Ending(end.to_lowercase()),
            None => Place::Named(path.to_owned()),
        });
    }
    let glob = path.trim_end_matches("/**").trim_end_matches("/*");
    if glob.contains('*') {
        return Some(Place::Named(path.trim_start_matches("**/").to_owned()));
    }
    let named = paths::name(glob, &hand.layout.base(), &NoLinks).ok()?;
    Some(Place::Path(named.name))
}

fn is_ending(end: &str) -> bool {
    !matches!(
        end,
        "env"
            | "git"
            | "ssh"
            | "aws"
            | "github"
            | "vscode"
            | "config"
            | "npmrc"
            | "bashrc"
            | "zshrc"
            | "gitignore"
            | "profile"
            | "cache"
            | "kube"
            | "docker"
            | "idea"
            | "venv"
            | "gnupg"
            | "netrc"
    )
}
