//! What stays inside: files in their folder, words in one channel, searches on some sites.

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, bracketed, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Saying, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Words that the rule is told by.
const LEAVING: &[&str] = &[
    "nothing leaves",
    "nothing may leave",
    "nothing must leave",
    "nothing should leave",
    "nothing ever leaves",
    "nothing gets out of",
    "nothing goes out of",
    "nothing moves out of",
    "nothing is moved out of",
    "nothing gets moved out of",
    "nothing is taken out of",
    "nothing gets taken out of",
    "nothing comes out of",
    "nothing may be taken out of",
    "nothing may be moved out of",
    "nothing may get out of",
    "no file leaves",
    "no files leave",
    "no file may leave",
    "no file gets out of",
    "no file is moved out of",
    "never move anything out of",
    "don't move anything out of",
    "do not move anything out of",
    "never take anything out of",
    "don't take anything out of",
    "do not take anything out of",
    "never move files out of",
    "don't move files out of",
    "never take files out of",
    "don't take files out of",
];

/// Words that the rule is told by.
const HELD: &[&str] = &[
    "what is in",
    "what's in",
    "whatever is in",
    "everything in",
    "anything in",
    "files in",
    "all files in",
    "the files in",
    "everything under",
    "what is under",
    "files under",
    "documents in",
    "the documents in",
    "what lies in",
    "what sits in",
    "everything inside",
    "all in",
];

/// Words that the rule is told by.
const STAYING: &[&str] = &[
    "stays there",
    "stay there",
    "stays put",
    "stay put",
    "stays where it is",
    "stay where they are",
    "stays in place",
    "stay in place",
    "must stay there",
    "must stay where it is",
    "must stay where they are",
    "must stay in place",
    "must stay put",
    "remains there",
    "remain there",
    "stays in that folder",
    "stay in that folder",
    "stays in the folder",
    "stay in the folder",
    "must not leave it",
    "never leaves it",
    "remains where it is",
    "remain where they are",
    "must not be moved away",
    "is not moved elsewhere",
];

/// Words that the rule is told by.
const ONLY: &[&str] = &[
    "only in",
    "only on",
    "only to",
    "only into",
    "are only for",
    "may only appear in",
    "may only be mentioned in",
    "may only be named in",
    "may only be used in",
    "must only appear in",
    "must only be mentioned in",
    "should only appear in",
    "should only be mentioned in",
    "can only be mentioned in",
    "belong only in",
    "belongs only in",
    "only belong in",
    "only belongs in",
    "are only mentioned in",
    "is only mentioned in",
    "may be mentioned only in",
    "may be mentioned in",
    "appear only in",
    "appears only in",
    "only appear in",
    "only appears in",
    "go only into",
    "only go into",
    "only go in",
    "are to be mentioned only in",
    "are used only in",
    "are only used in",
    "stay in",
    "stays in",
    "must stay in",
    "have to stay in",
    "belong in",
    "are for",
];

/// Words that the rule is told by.
const SEARCHING: &[&str] = &[
    "search only on",
    "search only in",
    "search only at",
    "search only within",
    "only search on",
    "only search in",
    "only search within",
    "only search",
    "searches only on",
    "searches only in",
    "web searches only on",
    "searches are limited to",
    "searches are restricted to",
    "limit searches to",
    "restrict searches to",
    "limit every search to",
    "restrict every search to",
    "every search is limited to",
    "searches stay on",
    "searches stay within",
    "search results only from",
    "only search results from",
    "results only from",
    "search nothing but",
    "search nowhere but on",
];

impl Exact<'_> {
    /// What must not come out of where it is.
    pub(in crate::english::exact) fn bounded(&self, tokens: &[Token]) -> Option<Rules> {
        self.leaves_folder(tokens).or_else(|| self.words_only_in(tokens)).or_else(|| self.searched_on(tokens))
    }

    /// "nothing leaves invoices/2025", "files in vault/ stay where they are".
    fn leaves_folder(&self, tokens: &[Token]) -> Option<Rules> {
        let (path, stays) = match strip(tokens, LEAVING) {
            Some(path) => (path, false),
            None => {
                let rest = strip(tokens, HELD)?;
                let path = match strip_end(rest, STAYING) {
                    Some(path) => path,
                    // "what is in vault/ stays in vault/"
                    None => {
                        let (path, _, again) = around(
                            rest,
                            &["stays in", "stay in", "must stay in", "remains in", "stays inside"],
                        )?;
                        matches!((path, again), ([one], [other]) if one.low == other.low).then_some(path)?
                    }
                };
                (path, true)
            }
        };
        let [path] = bare(path) else { return None };
        if path.shape != Shape::Path || !self.hand.has_local_files() {
            return None;
        }
        let place = crate::english::noun::path_place(&path.text, self.hand)?;
        // A file that stays where it is may be read, copied and sent.
        let is_data = !tokens
            .iter()
            .any(|token| matches!(token.low.as_str(), "where" | "put" | "place" | "move" | "moved"));
        let at = |side: Side, inside: bool| Test::Place { side, places: vec![place.clone()], inside };
        let moved =
            std::iter::once(Doing::Deed(Deed::Moves)).chain(is_data.then_some(Doing::Deed(Deed::Copies)));
        let mut rules = refused(moved.collect(), vec![at(Side::Object, true), at(Side::To, false)]);
        if stays {
            rules.extend(refused(vec![Doing::Deed(Deed::Deletes)], vec![at(Side::Object, true)]));
        }
        if !is_data {
            return Some(rules);
        }
        let network = Test::Place { side: Side::To, places: vec![Place::Network], inside: true };
        let carried = Test::Carries(vec![place.clone()]);
        rules.extend(refused(vec![Doing::Deed(Deed::Sends)], vec![carried, network]));
        Some(rules)
    }

    /// "customer names (Tessaro, Welby) only in #accounts (C05ACCNTS2)".
    fn words_only_in(&self, tokens: &[Token]) -> Option<Rules> {
        let (front, phrase, place) = around(tokens, ONLY)?;
        let says_only = phrase.contains("only") || strip_end(place, &["only", "alone"]).is_some();
        let stays = phrase.contains("stay");
        let place = strip_end(
            place,
            &["only", "alone", "and nowhere else", ", nowhere else", "and in no other channel"],
        )
        .unwrap_or(place);
        let front = strip(front, &["mention", "use", "name", "write", "put", "post", "only mention"])
            .unwrap_or(front);
        // What stands in brackets are the words; what stands before them says what they are.
        let words = match bracketed(front) {
            Some((label, inner))
                if !label.is_empty() && label.iter().all(|token| token.shape == Shape::Word) =>
            {
                inner
            }
            Some(_) => return None,
            None => front,
        };
        let is_literal = bracketed(front).is_some()
            || items(words).iter().all(|item| matches!(bare(item), [one] if one.shape == Shape::Quoted));
        if !is_literal || !(says_only || stays) {
            return None;
        }
        let what: Vec<Saying> = self.quoted_words(words)?.into_iter().map(Saying::Words).collect();
        let ids = crate::english::exact::written::contents::channel_ids(bare(place));
        let (doings, places) = match ids.is_empty() {
            false => {
                (vec![Doing::Did("post".to_owned())], ids.into_iter().map(Place::Id).collect::<Vec<_>>())
            }
            true => (vec![Doing::Deed(Deed::Writes)], self.named_places(place)?),
        };
        let tests = vec![
            Test::Place { side: Side::To, places, inside: false },
            Test::Says { what, parameter: None, is: true },
        ];
        Some(refused(doings, tests))
    }

    /// "search only on bafin.de and esma.europa.eu": an argument of the search says where.
    fn searched_on(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(tokens, SEARCHING)?;
        let rest = bracketed(rest).map_or(rest, |(front, _)| front);
        let rest = strip_end(rest, &["and nowhere else", ", nowhere else", "only", ", nothing else"])
            .unwrap_or(rest);
        let arguments = self.hand.arguments_of(&[]);
        let names: Vec<String> = ["include domain", "domain", "site", "allowed domain"]
            .iter()
            .filter(|name| arguments.contains(**name))
            .map(|name| (*name).to_owned())
            .collect();
        let host = |item: &[Token]| match bare(item) {
            [one] if one.shape == Shape::Host => Some(Form::Is(one.text.clone())),
            _ => None,
        };
        let forms: Vec<Form> = items(rest).into_iter().map(host).collect::<Option<_>>()?;
        if names.is_empty() || forms.is_empty() {
            return None;
        }
        let test =
            |check: Check, presence: Presence| vec![Test::Value { names: names.clone(), check, presence }];
        let search = || vec![Doing::Did("search".to_owned())];
        let mut rules = refused(search(), test(Check::Forms(forms), Presence::Other));
        rules.extend(refused(search(), test(Check::Anything, Presence::Missing)));
        Some(rules)
    }
}

fn refused(doings: Vec<Doing>, tests: Vec<Test>) -> Rules {
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}
