//! The pieces of a text, each with what it does: forbids, allows nothing else, asks for something, allows, or only tells.

use super::vocabulary::Vocabulary;
use crate::english::token::{Shape, Token};

/// What a piece does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stance {
    /// It forbids what it names.
    Deny,
    /// It forbids all but what it names.
    Only,
    /// It asks for what it names.
    Always,
    /// It allows something.
    Allow,
    /// It only tells of something.
    Told,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) stance: Stance,
    /// Whether it is left out of what the piece before allows.
    pub(super) is_spared: bool,
    /// Whether it says what the rest is about: a colon follows.
    pub(super) is_label: bool,
}

impl Piece<'_> {
    pub(super) fn has(&self, words: &[&str]) -> bool {
        has(self.tokens, words)
    }
}

/// What opens an exception.
fn excepts(tokens: &[Token], at: usize) -> bool {
    let word = tokens.get(at).map_or("", |token| token.low.as_str());
    match word {
        "except" | "excepting" | "excluding" => true,
        "but" => {
            let before = tokens.get(at.saturating_sub(3)..at).unwrap_or_default();
            has(
                before,
                &["any", "anywhere", "everything", "everywhere", "all", "anything", "anyone", "every"],
            )
        }
        _ => false,
    }
}

/// The pieces of a text between its marks and at "but".
pub(super) fn pieces(tokens: &[Token]) -> Vec<Piece<'_>> {
    let mut found: Vec<Piece<'_>> = Vec::new();
    let mut start = 0;
    for at in 0..=tokens.len() {
        if tokens.get(at).is_some_and(|token| !parts(tokens, at, token)) {
            continue;
        }
        let own = tokens.get(start..at).unwrap_or_default();
        let is_spared = start.checked_sub(1).is_some_and(|at| excepts(tokens, at));
        if !own.is_empty() {
            put(tokens, own, start, is_spared, &mut found);
            let is_label = tokens.get(at).is_some_and(|token| token.low == ":");
            if let Some(last) = found.last_mut().filter(|_| is_label) {
                last.is_label = true;
            }
        }
        start = at + 1;
    }
    found
}

/// Puts a piece behind the others, or into the last of them.
fn put<'t>(tokens: &'t [Token], own: &'t [Token], start: usize, is_spared: bool, found: &mut Vec<Piece<'t>>) {
    let with = |last: &Piece<'_>| {
        let from = start.saturating_sub(last.tokens.len() + 1);
        tokens.get(from..start + own.len()).unwrap_or(own)
    };
    let is_ending = own.len() < 4 && own.iter().all(|token| Vocabulary::built_in().is("ending", &token.low));
    match found.last_mut() {
        // "nothing but …" leaves out what is denied, "whatever you like except …" what is allowed.
        Some(last) if is_spared && matches!(last.stance, Stance::Deny | Stance::Only) => {
            *last = Piece { tokens: with(last), stance: Stance::Only, is_spared: false, is_label: false };
        }
        _ if is_spared => found.push(Piece { tokens: own, stance: Stance::Deny, is_spared, is_label: false }),
        // "never add, change or delete one": a list goes on.
        Some(last) if goes_on(own) && last.stance != Stance::Told && is_cut(last.tokens) => {
            last.tokens = with(last);
        }
        // "status draft, always"
        Some(last) if is_ending => {
            let tokens = with(last);
            let stance = if last.stance == Stance::Told { stance(own) } else { last.stance };
            *last = Piece { tokens, stance, ..*last };
        }
        // "…, old or not"
        _ if says(own, "or not") && own.len() < 4 => {}
        _ => found.push(Piece { tokens: own, stance: stance(own), is_spared, is_label: false }),
    }
}

fn parts(tokens: &[Token], at: usize, token: &Token) -> bool {
    const WHOLE: &[&str] = &["nothing", "nobody", "none", "nowhere"];
    match token.shape {
        Shape::Mark(',' | ';' | ':' | '.' | '!' | '-' | '–' | '—') => true,
        Shape::Word => {
            let before = at.checked_sub(1).and_then(|at| tokens.get(at));
            let next = tokens.get(at + 1).map_or("", |next| next.low.as_str());
            (token.low == "but" && before.is_none_or(|before| !WHOLE.contains(&before.low.as_str())))
                || excepts(tokens, at)
                || (token.low == "so" && at > 0 && !matches!(next, "is" | "are" | "does"))
                || (token.low == "because" || token.low == "since")
        }
        _ => false,
    }
}

/// Whether a list may go on behind these words: they end with what is done.
fn is_cut(tokens: &[Token]) -> bool {
    tokens.last().is_some_and(|last| !Vocabulary::built_in().acts_said(&last.low).is_empty())
        || tokens.len() < 3
}

/// Whether words only go on with a list.
fn goes_on(tokens: &[Token]) -> bool {
    const TELLING: &[&str] = &[
        "is", "are", "was", "were", "has", "have", "i", "we", "you", "they", "he", "she", "it", "comes",
        "belongs", "that", "this", "may", "can", "must", "always", "get", "gets", "them", "him", "her",
    ];
    let is_same = ["so is", "so are", "so does"].iter().any(|phrase| says(tokens, phrase));
    let is_list = has(tokens, &["or", "and", "nor"]) && !has(tokens, TELLING);
    is_same || is_list && tokens.len() < 7 && stance(tokens) == Stance::Told
}

fn stance(tokens: &[Token]) -> Stance {
    let is = |kind: &str| Vocabulary::built_in().is_said(kind, tokens);
    let is_left = has(tokens, &["leave", "leaves", "keep", "left"])
        && has(tokens, &["out", "alone", "off", "be", "untouched", "as", "to", "away", "closed"]);
    let denies = is("denying") || is_left || stays_undone(tokens);
    // "the accountant's job", "a job for the developers"
    let is_job = tokens.windows(2).any(|pair| match pair {
        [whose, job] => matches!(job.low.as_str(), "job" | "business") && whose.low.ends_with("'s"),
        _ => false,
    }) || says(tokens, "job for")
        || says(tokens, "job of");
    let is_reserved = is("reserved") || by_somebody(tokens) || is_job;
    if twice(tokens) {
        return Stance::Always;
    }
    if denies && is("sparing") || says(tokens, "nothing but") {
        return Stance::Only;
    }
    // "running it on main is for release managers only"
    let is_for = ["is for", "are for", "only the", "only our"].iter().any(|phrase| says(tokens, phrase));
    match () {
        () if is("only") && is_for => Stance::Deny,
        () if denies || is_reserved => Stance::Deny,
        () if is("only") => Stance::Only,
        () if is("always") => Stance::Always,
        () if is("allowing") => Stance::Allow,
        () => Stance::Told,
    }
}

/// "stays unpublished": what is not done yet is not done.
pub(super) fn stays_undone(tokens: &[Token]) -> bool {
    has(tokens, &["stay", "stays", "remain", "remains", "leave", "keep"])
        && tokens.iter().any(|token| undone(&token.low).is_some())
}

/// What is done to what is not so any more: `publish` for "unpublished", `activate` for "inactive".
pub(super) fn undone(word: &str) -> Option<String> {
    match word {
        "inactive" | "off" | "disabled" | "deactivated" => Some("activated".to_owned()),
        "unread" => Some("read".to_owned()),
        _ => word.strip_prefix("un").filter(|rest| rest.len() > 4 && rest.ends_with("ed")).map(str::to_owned),
    }
}

/// "no task without a due date": whether something is denied of which something is denied.
fn twice(tokens: &[Token]) -> bool {
    const FIRST: &[&str] =
        &["no", "never", "don't", "dont", "not", "nothing", "nobody", "none", "cannot", "can't"];
    const SECOND: &[&str] = &[
        "no", "without", "isn't", "aren't", "lacks", "lack", "lacking", "missing", "hasn't", "haven't",
        "doesn't",
    ];
    const SECOND_PHRASES: &[&str] = &["that not", "are not", "is not", "does not", "do not"];
    let is =
        |token: &Token, words: &[&str]| token.shape == Shape::Word && words.contains(&token.low.as_str());
    let first = tokens.iter().position(|token| is(token, FIRST));
    let behind = first.and_then(|first| tokens.get(first + 1..)).unwrap_or_default();
    behind.iter().skip(1).any(|token| is(token, SECOND))
        || SECOND_PHRASES.iter().any(|phrase| says(behind, phrase))
}

/// "entered by Mirko", "only Jonas merges".
fn by_somebody(tokens: &[Token]) -> bool {
    let is_name = |token: &Token| {
        token.shape == Shape::Word
            && token.is_capital()
            && token.text.len() > 2
            && token.text.chars().any(char::is_lowercase)
    };
    tokens.windows(2).any(|pair| match pair {
        [by, name] => (by.low == "by" || by.low == "only") && is_name(name),
        _ => false,
    })
}

pub(super) fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| token.shape == Shape::Word && words.contains(&token.low.as_str()))
}

/// Whether words stand in a piece next to each other.
pub(super) fn says(tokens: &[Token], phrase: &str) -> bool {
    let wanted: Vec<&str> = phrase.split(' ').collect();
    tokens
        .windows(wanted.len())
        .any(|window| window.iter().zip(&wanted).all(|(token, word)| token.low == *word))
}
