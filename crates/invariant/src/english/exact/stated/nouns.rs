//! Places that a plain sentence names: by what stands for itself, or by a noun with all that belongs to it.

use super::singles::{RULING, joints};
use crate::english::exact::Exact;
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::Place;

/// Words that may stand inside a noun and what belongs to it.
const BETWEEN: &[&str] = &["in", "of", "under", "below", "inside", "within", "from", "on", "at", "and", "or"];

/// Nouns that may stand beside a path and add nothing to it.
const BESIDE: &[&str] = &[
    "folder",
    "directory",
    "repo",
    "repository",
    "tree",
    "file",
    "dir",
    "subfolder",
    "site",
    "host",
    "domain",
];

/// Files that are called so without an ending.
const BARE_FILES: &[&str] = &[
    "Dockerfile",
    "Containerfile",
    "Makefile",
    "Jenkinsfile",
    "Vagrantfile",
    "Procfile",
    "Gemfile",
    "Rakefile",
    "Justfile",
    "Brewfile",
    "Podfile",
    "Caddyfile",
    "CODEOWNERS",
    "LICENSE",
    "NOTICE",
    "README",
    "CHANGELOG",
    "COPYING",
    "AUTHORS",
    "CONTRIBUTING",
];

/// The ways to read places at the beginning of words, with how many they take: what stands for itself, else a noun. Only what
/// lies in a file system counts where files are meant; where guesses count, words that nothing explains name something too.
pub(super) fn ways(sort: &str, tokens: &[Token], exact: &Exact<'_>) -> Vec<(usize, Vec<Place>)> {
    let front = usize::from(tokens.first().is_some_and(|token| {
        BESIDE.contains(&token.low.as_str())
            && tokens.get(1).is_some_and(|next| !literal(next, exact).is_empty())
    }));
    let listed = listed(tokens.get(front..).unwrap_or_default(), exact);
    let ways = match listed {
        Some((length, places)) => {
            let end = front + length;
            let is_beside = tokens.get(end).is_some_and(|next| BESIDE.contains(&next.low.as_str()));
            let mut ways = vec![(end, places.clone())];
            // ".env files" are all that are called so, `.env.local` as well.
            let last = end.checked_sub(1).and_then(|last| tokens.get(last));
            let is_settings = last.is_some_and(|last| last.low == ".env")
                && tokens.get(end).is_some_and(|next| next.low == "files");
            if is_settings {
                let named = [".env.*", "*.env"].map(|name| Place::Named(name.to_owned()));
                let all: Vec<Place> = places.iter().cloned().chain(named).collect();
                ways.insert(0, (end + 1, all.clone()));
                ways.extend(going_on(tokens, end + 1, &all, exact));
                ways.sort_by_key(|(length, _)| std::cmp::Reverse(*length));
            } else if is_beside {
                ways.insert(0, (end + 1, places));
            }
            ways
        }
        None if sort == "files" && this_folder(tokens).is_some() => {
            let length = this_folder(tokens).unwrap_or_default();
            vec![(length, path_places(".", exact.hand))]
        }
        None => match behind_name(tokens, exact) {
            Some(way) => vec![way],
            None => described(tokens, sort == "things", exact),
        },
    };
    let is_file = |place: &Place| {
        matches!(
            place,
            Place::Path(_)
                | Place::Named(_)
                | Place::Ending(_)
                | Place::Folder(_)
                | Place::Within(_)
                | Place::Hidden
                | Place::TopLevel
                | Place::Formed(_)
        )
    };
    let is_site = |place: &Place| matches!(place, Place::Domain(_) | Place::Page(_) | Place::HostLike(_));
    let counts = |places: &[Place]| match sort {
        "files" => places.iter().all(is_file),
        "sites" => places.iter().all(is_site),
        _ => true,
    };
    ways.into_iter().filter(|(_, places)| counts(places)).collect()
}

/// ".env files or .pem files": a list that goes on behind what its first members are.
fn going_on(
    tokens: &[Token],
    end: usize,
    before: &[Place],
    exact: &Exact<'_>,
) -> Option<(usize, Vec<Place>)> {
    let rest = tokens.get(end..)?;
    let joints = joints(rest);
    let (length, places) = listed(rest.get(joints..).filter(|_| joints > 0)?, exact)?;
    let end = end + joints + length;
    let is_beside = tokens.get(end).is_some_and(|next| BESIDE.contains(&next.low.as_str()));
    Some((end + usize::from(is_beside), [before, &places].concat()))
}

/// "This folder", "the workspace": where the session works.
fn this_folder(tokens: &[Token]) -> Option<usize> {
    const HERE: &[&str] = &[
        "this folder",
        "this directory",
        "this project",
        "the workspace",
        "this workspace",
        "the working directory",
        "the working folder",
        "the current folder",
        "the current directory",
        "the project folder",
        "the project directory",
    ];
    HERE.iter().filter_map(|phrase| crate::english::exact::words::begins(tokens, phrase)).max()
}

/// "The engine repo (/srv/engine)", "my blog folder /home/m/blog": what stands for itself decides.
fn behind_name(tokens: &[Token], exact: &Exact<'_>) -> Option<(usize, Vec<Place>)> {
    // "anyone outside the firm (larkmill.example)" is not the firm.
    const OTHERWISE: &[&str] = &[
        "outside",
        "beyond",
        "besides",
        "other",
        "others",
        "another",
        "else",
        "apart",
        "anyone",
        "anybody",
        "everyone",
        "everybody",
        "someone",
        "somebody",
        "elsewhere",
        "outsiders",
    ];
    let is_name = |token: &&Token| {
        let low = token.low.as_str();
        token.shape == Shape::Word && !RULING.contains(&low) && !OTHERWISE.contains(&low)
    };
    let names = tokens.iter().take(5).take_while(is_name).count();
    let (last, next) = (tokens.get(names.checked_sub(1)?)?, tokens.get(names)?);
    // "the test table (test_orders)" is no folder.
    const NO_PLACES: &[&str] = &[
        "table", "tables", "column", "columns", "branch", "branches", "channel", "label", "calendar", "tag",
    ];
    if NO_PLACES.contains(&last.low.as_str()) {
        return None;
    }
    if next.shape == Shape::Mark('(') {
        let (length, places) = listed(tokens.get(names + 1..)?, exact)?;
        let closes = tokens.get(names + 1 + length)?.shape == Shape::Mark(')');
        return closes.then_some((names + length + 2, places));
    }
    let (length, places) = listed(tokens.get(names..)?, exact)?;
    BESIDE.contains(&last.low.as_str()).then_some((names + length, places))
}

/// A list of what stands for itself.
fn listed(tokens: &[Token], exact: &Exact<'_>) -> Option<(usize, Vec<Place>)> {
    let mut found: Vec<Place> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while let Some(token) = tokens.get(at) {
        let places = literal(token, exact);
        if places.is_empty() {
            break;
        }
        found.extend(places);
        end = at + 1;
        at = end + joints(tokens.get(end..).unwrap_or_default());
        if at == end {
            break;
        }
    }
    (end > 0).then_some((end, found))
}

/// Places that a noun names with all that belongs to it, "the NAS (/mnt/nas)", "the drafts folder", "PDFs": the longest
/// first.
fn described(tokens: &[Token], guesses: bool, exact: &Exact<'_>) -> Vec<(usize, Vec<Place>)> {
    // "other people's home folders", "the root of the project" are not what they seem to be.
    const OTHERWISE: &[&str] = &[
        "root",
        "other",
        "others",
        "another",
        "machine",
        "computer",
        "people's",
        "else's",
        "everybody's",
        "outside",
        "beyond",
        "apart",
        "isn't",
        "aren't",
        "wasn't",
        "doesn't",
    ];
    const GOING: &[&str] = &[
        "gets", "get", "goes", "go", "stays", "stay", "leaves", "leave", "remains", "may", "come", "comes",
        "keep", "alone", "don't", "send", "post",
    ];
    let is_plain = |token: &&Token| {
        let low = token.low.as_str();
        let may_be = token.shape != Shape::Word || !RULING.contains(&low) || BETWEEN.contains(&low);
        may_be
            && !OTHERWISE.contains(&low)
            && !GOING.contains(&low)
            && !matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.' | '!'))
    };
    let joins = tokens.first().is_some_and(|first| matches!(first.low.as_str(), "or" | "and" | "nor"));
    let most = tokens.iter().take(10).take_while(is_plain).count() * usize::from(!joins);
    let ends = |token: &Token| !BETWEEN.contains(&token.low.as_str()) && token.shape != Shape::Mark('(');
    let is_certain = |place: &Place| !matches!(place, Place::Word(_) | Place::HostLike(_));
    // "the file names in docs/", "downloads in cache/" are not all that is there.
    const NO_WHOLE: &[&str] =
        &["name", "names", "length", "size", "sizes", "date", "dates", "downloads", "uploads", "attachments"];
    let is_part = |pair: &[Token]| match pair {
        [first, next] => NO_WHOLE.contains(&first.low.as_str()) && BETWEEN.contains(&next.low.as_str()),
        _ => false,
    };
    let each = |length: usize| {
        let said = tokens.get(..length).filter(|said| said.last().is_some_and(ends))?;
        if said.windows(2).any(is_part) {
            return None;
        }
        let places = exact.places_named(said)?;
        (guesses || places.iter().all(is_certain)).then_some((length, places))
    };
    (1..=most).rev().filter_map(each).collect()
}

/// The places that a token stands for by itself: a path, a host, an address.
fn literal(token: &Token, exact: &Exact<'_>) -> Vec<Place> {
    match token.shape {
        Shape::Path => path_places(&token.text, exact.hand),
        // "acme.com/internal" is a page and what is below it.
        Shape::Host if token.text.trim_end_matches('/').contains('/') => {
            vec![Place::Page(format!("https://{}", token.text.trim_end_matches('/')))]
        }
        Shape::Host => {
            vec![Place::Domain(
                token.low.trim_start_matches('@').trim_start_matches("*.").trim_end_matches('/').to_owned(),
            )]
        }
        Shape::Url => vec![Place::Page(token.text.trim_end_matches('/').to_owned())],
        Shape::Address => vec![Place::Address(token.text.clone())],
        // "node_modules"
        Shape::Identifier if token.text.contains('_') && exact.hand.tool(&token.text).is_none() => {
            vec![Place::Folder(token.text.clone())]
        }
        // "every Dockerfile"
        Shape::Word if BARE_FILES.contains(&token.text.as_str()) => {
            [token.text.clone(), format!("{}.*", token.text)].map(Place::Named).into()
        }
        _ => Vec::new(),
    }
}
