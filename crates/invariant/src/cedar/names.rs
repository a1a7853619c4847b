//! Questions about names, in Cedar's words.

use super::Misfit;
use super::condition::{Answer, Condition, contains, equal, like, literal};
use crate::meaning::sort_of;
use crate::names;

/// So many words in a row are told of a name.
pub(super) const MOST_WORDS: usize = 4;

/// A filter of a thing, or of a text.
pub(super) fn filter(name: &str, path: &str, is_thing: bool, with: Option<&str>) -> Result<Answer, Misfit> {
    let misfit = || Misfit::Filter(name.to_owned());
    // Of a thing, filters of texts ask about its name.
    let text = if is_thing { format!("{path}.name") } else { path.to_owned() };
    let answer = match (name, with) {
        ("starts_with", Some(with)) => like(&text, &format!("{}*", literal(with))),
        ("ends_with", Some(with)) => like(&text, &format!("*{}", literal(with))),
        ("contains", Some(with)) => like(&text, &format!("*{}*", literal(with))),
        ("glob", Some(pattern)) => like(&text, &glob(pattern).ok_or_else(misfit)?),
        ("is_person", None) if is_thing => like(&text, "mailto:*"),
        ("on_network", None) if is_thing => {
            Condition::any([like(&text, "/*"), equal(&text, "ctxt")]).negated()
        }
        (_, Some(with)) if is_thing => return of_thing(name, path, with),
        _ => return Err(misfit()),
    };
    Ok(Answer::certain(answer))
}

fn of_thing(name: &str, path: &str, with: &str) -> Result<Answer, Misfit> {
    let below = || Condition::plain(format!("{path}.below"));
    let stem = format!("{path}.stem");
    let perhaps = |holds| Answer::perhaps(holds, below());
    // Nothing below a folder has a host, an address or an id.
    let elsewhere = |holds| Answer::perhaps(holds, Condition::all([below(), like(&stem, "/*").negated()]));
    // What ends as files do is one, even where everything below is meant.
    let unless_file = |holds| {
        let file = Condition::plain(format!("{path}.file"));
        Answer::perhaps(holds, Condition::all([below(), file.negated()]))
    };
    Ok(match name {
        "inside" => Answer::certain(inside(&stem, with)),
        "touches" => Answer::certain(Condition::any([
            inside(&stem, with),
            Condition::all([below(), above(&stem, with)]),
        ])),
        "has_path" => elsewhere(has_path(path, with)),
        // All pages below one are at its host.
        "at_host" => Answer::perhaps(
            at_host(path, with),
            Condition::all([below(), like(&stem, "/*").negated(), no_host(path)]),
        ),
        "host_like" if with.contains('*') => return Err(Misfit::Filter(name.to_owned())),
        "host_like" => elsewhere(contains(&format!("{path}.labels"), &with.to_lowercase())),
        "is_address" => elsewhere(equal(&format!("{path}.tail"), &with.to_ascii_lowercase())),
        "has_id" => elsewhere(has_id(path, with)?),
        "is_table" => elsewhere(is_table(path, with)),
        "has_word" => perhaps(contains(&format!("{path}.words"), &words(with)?)),
        "is_called" => Answer::perhaps(
            contains(&format!("{path}.words"), &words(with)?),
            Condition::all([below(), like(&stem, "/*")]),
        ),
        "in_folder" if with.contains('*') => return Err(Misfit::Filter(name.to_owned())),
        "in_folder" => {
            let file = Condition::plain(format!("{path}.file"));
            let may_be = Condition::all([below(), like(&stem, "/*"), file.negated()]);
            Answer::perhaps(in_folder(path, with)?, may_be)
        }
        "named" => unless_file(named(path, with)),
        "last_matches" => match sort_of(with) {
            Some(sort) => unless_file(contains(&format!("{path}.sorts"), sort)),
            None => return Err(Misfit::Filter(name.to_owned())),
        },
        _ => return Err(Misfit::Filter(name.to_owned())),
    })
}

/// The words of a text as they are told of names.
pub(super) fn words(text: &str) -> Result<String, Misfit> {
    let words = names::words(text);
    match words.len() {
        1..=MOST_WORDS => Ok(words.join(" ")),
        _ => Err(Misfit::Words),
    }
}

fn inside(stem: &str, place: &str) -> Condition {
    let place = place.strip_suffix('/').unwrap_or(place);
    match place {
        "" => Condition::always(),
        place => Condition::any([equal(stem, place), like(stem, &format!("{}/*", literal(place)))]),
    }
}

/// The places around a place, with and without a `/` behind them.
fn above(stem: &str, place: &str) -> Condition {
    let cuts = place.match_indices('/').map(|(at, _)| at).chain([place.len()]);
    let around =
        cuts.filter_map(|at| place.get(..at)).flat_map(|front| [front.to_owned(), format!("{front}/")]);
    let mut around: Vec<String> = around.filter(|front| !front.is_empty()).collect();
    around.push("/".to_owned());
    around.sort();
    around.dedup();
    let quoted: Vec<String> = around.iter().map(|one| super::condition::text(one)).collect();
    Condition::plain(format!("[{}].contains({stem})", quoted.join(", ")))
}

fn has_path(thing: &str, path: &str) -> Condition {
    let (stem, own) = (format!("{thing}.stem"), format!("{thing}.own"));
    let pattern = literal(path);
    Condition::all([
        Condition::any([like(&stem, "/*"), like(&stem, "*://*")]).negated(),
        Condition::any([
            equal(&own, path),
            like(&own, &format!("{pattern}/*")),
            like(&stem, &format!("*/{pattern}")),
            like(&stem, &format!("*/{pattern}/*")),
        ]),
    ])
}

/// Whether it is open at which host something is.
fn no_host(path: &str) -> Condition {
    let host = format!("{path}.host");
    Condition::any([equal(&host, ""), like(&host, &format!("*{}*", literal("*")))])
}

fn at_host(path: &str, own: &str) -> Condition {
    let (host, domain) = (format!("{path}.host"), own.to_ascii_lowercase());
    let here = Condition::plain(format!("{path}.loopback"));
    let here = (own == "localhost").then_some(here);
    let at = [equal(&host, &domain), like(&host, &format!("*.{}", literal(&domain)))];
    Condition::any(at.into_iter().chain(here))
}

fn has_id(path: &str, id: &str) -> Result<Condition, Misfit> {
    let whole = format!("{path}.id");
    let id = id.to_lowercase().replace('-', "");
    let id = id.trim_matches('/');
    if id.is_empty() {
        return Err(Misfit::Words);
    }
    let pattern = literal(id);
    Ok(Condition::any([
        equal(&whole, id),
        contains(&format!("{path}.ids"), id),
        like(&whole, &format!("{pattern}/*")),
        like(&whole, &format!("*/{pattern}")),
        like(&whole, &format!("*/{pattern}/*")),
    ]))
}

fn is_table(path: &str, table: &str) -> Condition {
    Condition::any([
        contains(&format!("{path}.tables"), &table.to_ascii_lowercase()),
        equal(&format!("{path}.table"), &names::stem(&table.to_lowercase())),
    ])
}

fn in_folder(path: &str, folder: &str) -> Result<Condition, Misfit> {
    let folders = format!("{path}.folders");
    let words = names::words(folder);
    if words.is_empty() {
        return Err(Misfit::Words);
    }
    Ok(Condition::any([
        contains(&folders, &folder.to_ascii_lowercase()),
        contains(&folders, &words.join(" ")),
    ]))
}

fn named(path: &str, pattern: &str) -> Condition {
    let (last, stem) = (format!("{path}.last"), format!("{path}.stem"));
    let form = |pattern: &str| pattern.split('*').map(literal).collect::<Vec<_>>().join("*");
    if pattern.contains('/') {
        return Condition::any([like(&stem, &format!("*/{}", form(pattern))), equal(&stem, pattern)]);
    }
    match (pattern.starts_with("*."), pattern.contains('*')) {
        (true, _) => like(&format!("{path}.low"), &form(&pattern.to_lowercase())),
        (false, true) => like(&last, &form(pattern)),
        (false, false) => {
            Condition::any([equal(&last, pattern), contains(&format!("{path}.segments"), pattern)])
        }
    }
}

/// A pattern of Datalog as one of Cedar.
fn glob(pattern: &str) -> Option<String> {
    let mut form = String::new();
    let mut letters = pattern.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '*' => form.push('*'),
            '\\' => form.push_str(&literal(letters.next()?.encode_utf8(&mut [0; 4]))),
            letter => form.push_str(&literal(letter.encode_utf8(&mut [0; 4]))),
        }
    }
    Some(form)
}
