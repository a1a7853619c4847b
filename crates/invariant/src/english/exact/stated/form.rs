//! The form of a plain sentence: words, any of several words, words that may be missing, and holes for what it names.

use std::collections::BTreeMap;

use super::holes::Holes;
use crate::english::exact::{Exact, words};
use crate::english::lexicon::has_base;
use crate::english::token::{Shape, Token};
use crate::names::marks;

/// Words that forbid, in front of what is done.
const NEVER: &[&str] = &[
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you mustn't",
    "you may not",
    "you can't",
    "you cannot",
    "you should not",
    "you shouldn't",
    "you are not to",
    "you're not to",
    "you are not allowed to",
    "you're not allowed to",
    "must not",
    "not",
    "no",
    "you never",
    "never ever",
    "you don't",
    "you do not",
    "don't ever",
    "do not ever",
    "please don't",
    "please never",
    "i don't want you to",
    "i do not want you to",
    "i don't want to see you",
    "i don't want",
    "i do not want",
    "i never want you to",
    "under no circumstances",
    "avoid",
    "refrain from",
    "stop",
    "nobody",
    "neither",
    "not a single",
    "there must be no",
    "there are no",
    "there is no",
    "there should be no",
    "without",
];

/// Words that ask, in front of what is done.
const ASKING: &[&str] = &[
    "ask me before",
    "ask me before you",
    "ask before",
    "ask before you",
    "ask first before",
    "ask first before you",
    "always ask before",
    "always ask before you",
    "always ask me before",
    "always ask me before you",
    "check with me before",
    "check with me before you",
    "get my ok before",
    "get my ok before you",
    "get my okay before you",
    "get my permission before you",
    "wait for my ok before you",
    "i want to be asked before",
    "i want to be asked before you",
    "let me confirm before you",
    "confirm with me before",
    "confirm with me before you",
    "come to me before you",
    "ask me first if you want to",
    "ask me if you want to",
    "ask first if you want to",
    "ask me whenever you want to",
    "ask me first before you",
    "run it by me before you",
    "tell me before you",
    "let me know before you",
    "i decide before you",
];

/// Words in front of a noun that change nothing here.
const LIGHT: &[&str] = &["the", "a", "an", "any", "my", "our", "your", "some", "this", "that", "of"];

/// Phrases by the names that forms use for them.
pub(super) type Phrases = BTreeMap<String, String>;

/// A sentence as it may be put.
pub(super) struct Form {
    items: Vec<Item>,
    /// The bits of the words that it needs: of each of these, one must be there.
    needs: Vec<u64>,
}

enum Item {
    /// One of the words that forbid, or that ask.
    Never,
    /// One of these phrases, which may be missing.
    Words { phrases: Vec<String>, is_needed: bool },
    /// What stands for itself, which may be missing.
    Hole { name: String, is_needed: bool },
}

impl Item {
    fn of(text: &str, phrases: &Phrases) -> Item {
        let is_needed = !text.ends_with('?');
        let hole = text.trim_end_matches('?').strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        if let Some(name) = hole {
            return Item::Hole { name: name.to_owned(), is_needed };
        }
        if text == "@never" {
            return Item::Never;
        }
        let (said, is_needed) = match text.strip_suffix('?') {
            Some(said) => (said, false),
            None => (text, true),
        };
        let each = |word: &str| match word.strip_prefix('@').and_then(|name| phrases.get(name)) {
            Some(known) => known.split('|').map(plain).collect(),
            None => vec![plain(word)],
        };
        Item::Words { phrases: said.split('|').flat_map(each).collect(), is_needed }
    }

    /// The bits of the words that it begins with, if it must be there.
    fn needed(&self) -> Option<u64> {
        match self {
            Item::Never => {
                let both = NEVER.iter().chain(ASKING);
                Some(marks(both.filter_map(|phrase| phrase.split(' ').next())))
            }
            Item::Words { phrases, is_needed: true } => {
                Some(marks(phrases.iter().filter_map(|phrase| phrase.split(' ').next())))
            }
            Item::Words { .. } | Item::Hole { .. } => None,
        }
    }
}

fn plain(word: &str) -> String {
    word.replace('_', " ")
}

impl Form {
    /// The form that a text of the table describes.
    pub(super) fn of(says: &str, phrases: &Phrases) -> Form {
        let items: Vec<Item> = says.split(' ').map(|text| Item::of(text, phrases)).collect();
        Form { needs: items.iter().filter_map(Item::needed).collect(), items }
    }

    /// Names of phrases that it uses and nobody wrote down.
    #[cfg(test)]
    pub(super) fn unknown(&self) -> Vec<&str> {
        let named = self.items.iter().filter_map(|item| match item {
            Item::Words { phrases, .. } => Some(phrases),
            Item::Never | Item::Hole { .. } => None,
        });
        named.flatten().map(String::as_str).filter(|phrase| phrase.starts_with('@')).collect()
    }

    /// Whether it may fit a sentence with these words, by their bits.
    pub(super) fn may_fit(&self, said: u64) -> bool {
        self.needs.iter().all(|need| need & said != 0)
    }

    /// What fills its holes, if the words have this form and nothing else.
    pub(super) fn fit(&self, tokens: &[Token], exact: &Exact<'_>, holes: Holes) -> Option<Holes> {
        fit(&self.items, tokens, exact, holes)
    }
}

fn fit(items: &[Item], tokens: &[Token], exact: &Exact<'_>, holes: Holes) -> Option<Holes> {
    let Some((item, rest)) = items.split_first() else { return tokens.is_empty().then_some(holes) };
    let go = |length: usize, holes: Holes| fit(rest, tokens.get(length..)?, exact, holes);
    let found = match item {
        Item::Never => longest(tokens, NEVER)
            .and_then(|length| go(length, holes.clone()))
            .or_else(|| longest(tokens, ASKING).and_then(|length| go(length, holes.asking()))),
        Item::Words { phrases, is_needed } => {
            let mut lengths: Vec<usize> =
                phrases.iter().filter_map(|phrase| begins(tokens, phrase)).collect();
            lengths.sort_unstable_by(|one, other| other.cmp(one));
            lengths.dedup();
            lengths.into_iter().find_map(|length| go(length, holes.clone())).or_else(|| match is_needed {
                true => None,
                false => go(0, holes.clone()),
            })
        }
        Item::Hole { name, is_needed } => {
            let filled = holes.filled(name, tokens, exact);
            let found = filled.into_iter().find_map(|(length, holes)| go(length, holes));
            found.or_else(|| if *is_needed { None } else { go(0, holes.clone()) })
        }
    };
    found.or_else(|| {
        let (first, behind) = tokens.split_first()?;
        let is_light = first.shape == Shape::Word && LIGHT.contains(&first.low.as_str());
        is_light.then(|| fit(items, behind, exact, holes)).flatten()
    })
}

/// How many tokens forbid or ask at the beginning.
pub(super) fn head(tokens: &[Token]) -> Option<usize> {
    longest(tokens, NEVER).or_else(|| longest(tokens, ASKING))
}

fn longest(tokens: &[Token], phrases: &[&str]) -> Option<usize> {
    phrases.iter().filter_map(|phrase| words::begins(tokens, phrase)).max()
}

/// How many tokens a phrase takes at the beginning, its words in whatever form.
pub(super) fn begins(tokens: &[Token], phrase: &str) -> Option<usize> {
    // `exclude_domains` is one word where it is written so.
    if tokens.first().is_some_and(|token| token.low.contains('_') && token.low.replace('_', " ") == phrase) {
        return Some(1);
    }
    let mut length = 0;
    for word in phrase.split(' ') {
        let token = tokens.get(length).filter(|token| token.shape != Shape::Quoted)?;
        has_base(&token.low, |base| base == word).then_some(())?;
        length += 1;
    }
    Some(length)
}
