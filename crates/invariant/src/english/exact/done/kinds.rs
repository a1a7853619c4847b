//! Kinds of files by their everyday names: "don't edit lockfiles", "leave the tests alone", "CI workflows are frozen".
//! The names stand in `kinds.toml`.

mod phrases;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::lexicon::{bases, word_bases};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};
use phrases::{ASKING, AVOIDING, DENYING, FORBIDDEN, KEEPING, KEPT, LIGHT, NOUNS, PASSIVE, UNWANTED, VERBS};

const KINDS: &str = include_str!("../../../../data/kinds.toml");

type Rules = Vec<(Verdict, Case)>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    kind: Vec<Kind>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Kind {
    words: Vec<String>,
    files: Vec<String>,
}

/// Patterns by what people call the kind.
static BUILT_IN: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let file: Result<File, _> = toml::from_str(KINDS);
    let kinds = file.map(|file| file.kind).unwrap_or_default();
    kinds
        .into_iter()
        .flat_map(|kind| kind.words.into_iter().map(move |word| (word, kind.files.clone())))
        .collect()
});

impl Exact<'_> {
    /// A rule about kinds of files.
    pub(in crate::english::exact) fn kinds(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_files() {
            return None;
        }
        let tokens = strip_end(tokens, &["by hand", "yourself", "manually", "directly"]).unwrap_or(tokens);
        if let Some(rest) = strip(tokens, ASKING) {
            let (deeds, places) = self.deed_to(rest)?;
            return Some(ruled(Verdict::Ask, &deeds, places));
        }
        if let Some(rest) = strip(tokens, DENYING)
            && let Some((deeds, places)) = self.deed_to(rest)
        {
            return Some(ruled(Verdict::Deny, &deeds, places));
        }
        for (front, end) in KEEPING {
            let inner = strip(tokens, &[*front]).and_then(|rest| match end.is_empty() {
                true => Some(rest),
                false => strip_end(rest, &[*end]),
            });
            if let Some(places) = inner.and_then(|inner| self.kinds_named(inner)) {
                return Some(ruled(Verdict::Deny, &[Deed::Changes], places));
            }
        }
        if let Some(places) = strip(tokens, AVOIDING).and_then(|rest| self.kinds_named(rest)) {
            return Some(ruled(Verdict::Deny, &[Deed::Involves], places));
        }
        if let Some(places) = strip_end(tokens, KEPT).and_then(|front| self.kinds_named(front)) {
            return Some(ruled(Verdict::Deny, &[Deed::Changes], places));
        }
        if let Some(places) = strip_end(tokens, FORBIDDEN).and_then(|front| self.kinds_named(front)) {
            return Some(ruled(Verdict::Deny, &[Deed::Involves], places));
        }
        if let Some(places) = strip_end(tokens, UNWANTED).and_then(|front| self.kinds_named(front)) {
            return Some(ruled(Verdict::Deny, &[Deed::Writes], places));
        }
        // "no images in docs/"
        if let Some(tests) = strip(tokens, &["no"]).and_then(|rest| self.kinds_named(rest))
            && tests.len() > 1
        {
            return Some(ruled(Verdict::Deny, &[Deed::Writes], tests));
        }
        let (object, _, verbs) = around(tokens, PASSIVE)?;
        let places = self.kinds_named(object)?;
        let deeds: Option<Vec<Deed>> = items(verbs).into_iter().map(whole_verb).collect();
        Some(ruled(Verdict::Deny, &deeds?, places))
    }

    /// "edit or delete lockfiles", "changes to the CI workflows".
    fn deed_to(&self, tokens: &[Token]) -> Option<(Vec<Deed>, Vec<Test>)> {
        if let Some((phrase, deed)) = NOUNS.iter().find(|(phrase, _)| strip(tokens, &[*phrase]).is_some()) {
            let places = self.kinds_named(strip(tokens, &[*phrase])?)?;
            return Some((vec![*deed], places));
        }
        // "config changes", "lockfile edits"
        const CHANGES: &[&str] =
            &["changes", "edits", "modifications", "change", "updates", "tweaks", "rewrites"];
        if let Some(places) = strip_end(tokens, CHANGES).and_then(|front| self.kinds_named(front)) {
            return Some((vec![Deed::Changes], places));
        }
        let mut deeds = Vec::new();
        let mut rest = tokens;
        loop {
            let (deed, length) = verb(rest)?;
            deeds.push(deed);
            rest = rest.get(length..)?;
            match strip(rest, &["or", "and", ",", ", or", "nor"]) {
                Some(next) if verb(next).is_some() => rest = next,
                _ => break,
            }
        }
        Some((deeds, self.kinds_named(rest)?))
    }

    /// The files that words name, if they name nothing else: kinds and single files, perhaps in a folder.
    fn kinds_named(&self, tokens: &[Token]) -> Option<Vec<Test>> {
        let (tokens, folder) = match around(tokens, &["in", "under", "inside", "below"]) {
            Some((front, _, [path])) if path.shape == Shape::Path => {
                (front, Some(crate::english::noun::path_place(&path.text, self.hand)?))
            }
            _ => (tokens, None),
        };
        let tokens =
            strip_end(tokens, &["on github", "in this repo", "in the repo", "here", "in this repository"])
                .unwrap_or(tokens);
        let mut places: Vec<Place> = Vec::new();
        let mut has_kind = false;
        let list = items(tokens);
        let last = *list.last()?;
        for item in list {
            let plain = lighter(item);
            if let Some(files) = kind(plain).or_else(|| shared(plain, last)) {
                has_kind = true;
                places.extend(files.iter().cloned().map(Place::Named));
                continue;
            }
            match plain {
                [one] if one.shape == Shape::Path => {
                    places.push(crate::english::noun::path_place(&one.text, self.hand)?);
                }
                _ => return None,
            }
        }
        places.sort();
        places.dedup();
        let mut tests = vec![Test::Place { side: Side::Object, places, inside: true }];
        tests.extend(folder.map(|place| Test::Place {
            side: Side::Object,
            places: vec![place],
            inside: true,
        }));
        has_kind.then_some(tests)
    }
}

/// "build and log files": what the last of a list is, all of them are.
fn shared(item: &[Token], last: &[Token]) -> Option<Vec<String>> {
    let end = last.last()?;
    let is_file = matches!(end.low.as_str(), "file" | "files" | "folder" | "folders" | "code");
    let joined: Vec<Token> = item.iter().chain([end]).cloned().collect();
    is_file.then(|| kind(&joined)).flatten()
}

/// The patterns of a kind of files, by its name.
pub(in crate::english::exact) fn kind_of(tokens: &[Token]) -> Option<Vec<String>> {
    kind(lighter(tokens))
}

/// A verb at the beginning of these words that does something to files, and how many of them it takes.
pub(in crate::english::exact) fn verb_of(tokens: &[Token]) -> Option<(Deed, usize)> {
    verb(tokens)
}

fn lighter(mut tokens: &[Token]) -> &[Token] {
    while let Some((first, rest)) = bare(tokens).split_first() {
        if rest.is_empty() || !LIGHT.contains(&first.low.as_str()) {
            break;
        }
        tokens = rest;
    }
    bare(tokens)
}

/// The patterns of a kind, by its name in the singular or the plural.
fn kind(tokens: &[Token]) -> Option<Vec<String>> {
    let (last, front) = tokens.split_last()?;
    if tokens.iter().any(|token| token.shape == Shape::Quoted) {
        return None;
    }
    let front: String = front.iter().flat_map(|token| [token.low.as_str(), " "]).collect();
    let mut endings = bases(last);
    // Whatever shape it has.
    if last.shape != Shape::Word {
        endings.extend(word_bases(&last.low));
    }
    let found = endings.into_iter().find_map(|end| BUILT_IN.get(&format!("{front}{end}")).cloned());
    // "Dockerfile files" are what Dockerfiles are.
    found.or_else(|| {
        let is_file = matches!(last.low.as_str(), "files" | "file" | "folders" | "folder" | "documents");
        let shorter = tokens.get(..tokens.len() - 1).filter(|rest| is_file && !rest.is_empty())?;
        kind(shorter)
    })
}

/// A verb at the beginning of these words, in whatever form, and how many of them it takes.
fn verb(tokens: &[Token]) -> Option<(Deed, usize)> {
    let first = tokens.first()?;
    let forms = bases(first);
    let found = VERBS.iter().filter_map(|(phrase, deed)| {
        let mut words = phrase.split(' ');
        let head = words.next()?;
        let rest: Vec<&str> = words.collect();
        let fits = forms.iter().any(|form| form == head)
            && rest
                .iter()
                .enumerate()
                .all(|(at, word)| tokens.get(at + 1).is_some_and(|own| own.low == *word));
        fits.then_some((*deed, rest.len() + 1))
    });
    found.max_by_key(|(_, length)| *length)
}

fn whole_verb(tokens: &[Token]) -> Option<Deed> {
    let (deed, length) = verb(tokens)?;
    (length == tokens.len()).then_some(deed)
}

fn ruled(verdict: Verdict, deeds: &[Deed], tests: Vec<Test>) -> Rules {
    let mut doings: Vec<Doing> = deeds.iter().copied().map(Doing::Deed).collect();
    doings.sort();
    doings.dedup();
    let mut tests = tests;
    // Who looks at the date or the size of a file does not read it.
    if doings == [Doing::Deed(Deed::Reads)] {
        tests.push(Test::Did { actions: vec!["look at details".to_owned()], is: false });
    }
    vec![(verdict, Case { doings, tests, ..Case::default() })]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_kinds_can_be_read() {
        let file: File = toml::from_str(KINDS).unwrap();
        assert!(file.kind.iter().all(|kind| !kind.words.is_empty() && !kind.files.is_empty()));
        assert!(BUILT_IN.len() > 200);
    }
}
