//! Of files these alone: "only markdown", "everything you save is CSV", "move only files whose name starts with 2026-".

use crate::english::exact::Exact;
use crate::english::exact::called::names::affixed;
use crate::english::exact::done::kinds::{kind_of, verb_of};
use crate::english::exact::words::{bare, items, strip, strip_end};
use crate::english::token::Token;
use crate::meaning::{Case, Deed, Doing, Place, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// In front of the formats that alone may be written.
const WRITING: &[&str] = &[
    "only",
    "nothing but",
    "only write",
    "write only",
    "only create",
    "create only",
    "only save",
    "save only",
    "only use",
    "use only",
    "only produce",
    "produce only",
    "write nothing but",
    "create nothing but",
    "just",
    "save everything as",
    "write everything as",
    "write everything in",
    "everything you write is",
    "everything is",
    "everything must be",
    "everything in",
    "everything as",
    "all files are",
    "all files must be",
    "files must be",
    "new files must be",
    "all new files are",
    "new files are",
    "files are always",
    "files are",
    "files are only",
    "output must be",
    "output is always",
    "output only as",
    "no files other than",
    "no formats other than",
    "no file other than",
    "no other format than",
    "no other formats than",
    "no other files than",
    "no other file types than",
    "no file types other than",
    "never create anything but",
    "never write anything but",
    "always write",
    "always use",
    "always save as",
    "the output is",
    "the output is always",
    "the format is",
    "the format is always",
    "results only as",
    "results are",
    "reports are",
    "files only as",
    "files only in",
];

/// Behind them.
const ALONE: &[&str] =
    &["only", "alone", "exclusively", "and nothing else", "format only", "and no other format"];

impl Exact<'_> {
    /// A rule that names what alone may be written, moved, read or deleted.
    pub(in crate::english::exact) fn formats(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_local_files() && !self.hand.runs_commands() {
            return None;
        }
        self.named_only(tokens).or_else(|| self.formats_only(tokens))
    }

    fn formats_only(&self, tokens: &[Token]) -> Option<Rules> {
        let ended = strip_end(tokens, ALONE);
        let rest = match strip(ended.unwrap_or(tokens), WRITING) {
            Some(rest) => rest,
            None => ended?,
        };
        let rest = strip_end(rest, &["format", "formats", "please"]).unwrap_or(rest);
        let mut places = Vec::new();
        for item in items(rest) {
            let item = bare(item);
            places.extend(kind_of(item)?.into_iter().map(Place::Named));
        }
        // A kind that is a folder or one file is no format.
        let is_ending = |place: &Place| matches!(place, Place::Named(name) if name.starts_with("*."));
        (!places.is_empty() && places.iter().all(is_ending)).then(|| kept_to(Deed::Writes, places))
    }

    /// "move only the files whose name starts with 2026-", "only files ending in .tmp may be deleted".
    fn named_only(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some((deed, length)) = verb_of(strip(tokens, &["only"]).unwrap_or(tokens)) {
            let led = strip(tokens, &["only"]);
            let rest = led.unwrap_or(tokens).get(length..)?;
            let rest = match led {
                Some(_) => rest,
                None => strip(rest, &["only", "nothing but", "just"])?,
            };
            let (_, glob) = affixed(rest)?;
            return Some(kept_to(deed, vec![glob]));
        }
        let rest = strip(tokens, &["only"])?;
        const MAY: &[&str] = &["may be", "can be", "are to be", "are", "get", "should be", "must be"];
        let (subject, _, verb) = crate::english::exact::words::around(rest, MAY)?;
        let (deed, length) = verb_of(verb).filter(|(_, length)| *length == verb.len())?;
        let (_, glob) = affixed(subject)?;
        (length > 0).then(|| kept_to(deed, vec![glob]))
    }
}

/// Whatever else this is done to breaks the rule.
fn kept_to(deed: Deed, places: Vec<Place>) -> Rules {
    let at = |places: Vec<Place>, inside: bool| Test::Place { side: Side::Object, places, inside };
    let tests = vec![at(vec![Place::Kind("file".to_owned())], true), at(places, false)];
    vec![(Verdict::Deny, Case { doings: vec![Doing::Deed(deed)], tests, ..Case::default() })]
}
