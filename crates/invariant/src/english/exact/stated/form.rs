//! The form of a plain sentence: words, any of several words, words that may be missing, and holes for what it names.

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
    "you may not",
    "must not",
    "not",
    "no",
    "you never",
    "never ever",
    "you don't",
];

/// Words in front of a noun that change nothing here.
const LIGHT: &[&str] = &["the", "a", "an", "any", "my", "our", "your", "some", "this", "that", "of"];

/// A sentence as it may be put.
pub(super) struct Form {
    items: Vec<Item>,
    /// The bits of the words that it needs: of each of these, one must be there.
    needs: Vec<u64>,
}

enum Item {
    /// One of the words that forbid.
    Never,
    /// One of these phrases, which may be missing.
    Words { phrases: Vec<String>, is_needed: bool },
    /// What stands for itself.
    Hole(String),
}

impl Item {
    /// The bits of the words that it begins with, if it must be there.
    fn needed(&self) -> Option<u64> {
        match self {
            Item::Never => Some(marks(NEVER.iter().filter_map(|phrase| phrase.split(' ').next()))),
            Item::Words { phrases, is_needed: true } => {
                Some(marks(phrases.iter().filter_map(|phrase| phrase.split(' ').next())))
            }
            Item::Words { .. } | Item::Hole(_) => None,
        }
    }
}

impl Form {
    /// The form that a text of the table describes.
    pub(super) fn of(says: &str) -> Form {
        let item = |text: &str| match text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(hole) => Item::Hole(hole.to_owned()),
            None if text == "@never" => Item::Never,
            None => Item::Words {
                phrases: text.trim_end_matches('?').split('|').map(|word| word.replace('_', " ")).collect(),
                is_needed: !text.ends_with('?'),
            },
        };
        let items: Vec<Item> = says.split(' ').map(item).collect();
        Form { needs: items.iter().filter_map(Item::needed).collect(), items }
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
        Item::Never => longest(tokens, NEVER).and_then(|length| go(length, holes.clone())),
        Item::Words { phrases, is_needed } => {
            let here = phrases.iter().filter_map(|phrase| begins(tokens, phrase));
            here.max().and_then(|length| go(length, holes.clone())).or_else(|| match is_needed {
                true => None,
                false => go(0, holes.clone()),
            })
        }
        Item::Hole(name) => {
            let filled = holes.filled(name, tokens, exact);
            filled.into_iter().find_map(|(length, holes)| go(length, holes))
        }
    };
    found.or_else(|| {
        let (first, behind) = tokens.split_first()?;
        let is_light = first.shape == Shape::Word && LIGHT.contains(&first.low.as_str());
        is_light.then(|| fit(items, behind, exact, holes)).flatten()
    })
}

fn longest(tokens: &[Token], phrases: &[&str]) -> Option<usize> {
    phrases.iter().filter_map(|phrase| words::begins(tokens, phrase)).max()
}

/// How many tokens a phrase takes at the beginning, its words in whatever form.
fn begins(tokens: &[Token], phrase: &str) -> Option<usize> {
    let mut length = 0;
    for word in phrase.split(' ') {
        let token = tokens.get(length).filter(|token| token.shape != Shape::Quoted)?;
        has_base(&token.low, |base| base == word).then_some(())?;
        length += 1;
    }
    Some(length)
}
