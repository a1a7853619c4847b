//! Words that name the same in acts, whichever of them a phrase of the table has: "restart the computer" is known by
//! "restart the machine".

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Words that stand for one another, in their base forms. The first of each row stands for all of them.
const ALIKE: &[&[&str]] = &[
    &[
        "machine",
        "computer",
        "box",
        "host",
        "server",
        "node",
        "workstation",
        "laptop",
        "pc",
        "system",
        "notebook",
    ],
    &["change", "modify", "alter", "adjust", "edit", "touch", "update", "tweak", "manipulate", "amend"],
    &["create", "make", "add", "establish", "generate", "define", "introduce", "invent", "set-up"],
    &["delete", "remove", "erase", "purge", "destroy", "drop", "discard", "eliminate", "wipe"],
    &["mail", "email", "e-mail"],
    &["folder", "directory", "dir"],
    &["turn", "switch", "power"],
    &["event", "meeting", "appointment"],
    &["repo", "repository"],
    &["picture", "image", "photo", "photograph"],
    &["anything", "something", "thing", "things", "stuff", "everything", "one"],
    &["use", "run", "execute", "employ", "call", "invoke"],
    &["database", "db"],
    &["permission", "right", "privilege", "access-right"],
    &["people", "person", "user", "member", "colleague", "coworker"],
    &["allow", "permit", "let"],
    &["skip", "bypass", "circumvent", "disable", "omit", "deactivate"],
    &["package", "dependency", "library", "module"],
    &["job", "task"],
    &["show", "display", "print"],
    &["publish", "release"],
    &["site", "website"],
    &["recurring", "repeating", "recurrent", "regular"],
    &["start", "launch", "spawn", "begin"],
    &["stop", "halt", "end", "terminate", "kill"],
    &["find", "search"],
    &["rename", "relabel"],
    &["save", "store"],
];

/// Particles that stand behind their verb or behind what it is done to: "switch the machine off".
const PARTICLES: &[&str] = &["off", "down", "up", "out", "away", "on"];

/// Words between others that change nothing.
const BETWEEN: &[&str] =
    &["of", "this", "that", "its", "their", "every", "each", "existing", "single", "whole"];

/// Each word with the one that stands for it.
static FIRST: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| {
    // Of a word in several rows the first counts.
    let rows = ALIKE.iter().rev().filter_map(|row| Some((row, *row.first()?)));
    rows.flat_map(|(row, first)| row.iter().map(move |word| (*word, first))).collect()
});

/// The word that stands for another one.
fn like(word: &str) -> &str {
    FIRST.get(word).copied().unwrap_or(word)
}

/// The words of a phrase, in the forms that can be compared: each word by those that it may stand for.
pub(super) fn key(words: &[Vec<String>]) -> Vec<Vec<String>> {
    let is_between = |forms: &Vec<String>| forms.iter().any(|form| BETWEEN.contains(&form.as_str()));
    let mut key: Vec<Vec<String>> = words
        .iter()
        .filter(|forms| !is_between(forms))
        .map(|forms| {
            let mut all: Vec<String> = forms.iter().map(|form| like(form).to_owned()).collect();
            all.sort();
            all.dedup();
            all
        })
        .collect();
    // A particle follows its verb.
    let is_particle = |forms: &Vec<String>| forms.iter().any(|form| PARTICLES.contains(&form.as_str()));
    if let Some(at) = key.iter().rposition(is_particle).filter(|at| *at > 1 && *at + 1 == key.len()) {
        let particle = key.remove(at);
        key.insert(1, particle);
    }
    key
}

/// Whether two phrases name the same.
pub(super) fn are_alike(one: &[Vec<String>], other: &[Vec<String>]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.iter().any(|word| other.contains(word)))
}
