//! A clause as the words that it has, in whatever order: what everybody puts otherwise and means alike. Every word must be one
//! that is known to change nothing else, so that nothing is passed over. The words stand in `bags.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use crate::english::token::{Shape, Token};

const BAGS: &str = include_str!("../../../../data/bags.toml");

/// The words of each kind of rule.
static BUILT_IN: LazyLock<BTreeMap<String, BTreeSet<String>>> = LazyLock::new(|| {
    let file: BTreeMap<String, String> = toml::from_str(BAGS).unwrap_or_default();
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    file.into_iter().map(|(name, text)| (name, words(text))).collect()
});

/// The words of a clause, and what stands for itself in it.
pub(in crate::english::exact) struct Bag<'t> {
    words: Vec<&'t str>,
    /// What the clause is about.
    pub(in crate::english::exact) anchors: Vec<&'t Token>,
}

/// Whether rules of a kind have this word.
pub(in crate::english::exact) fn is_word_of(kind: &str, word: &str) -> bool {
    BUILT_IN.get(kind).is_some_and(|words| words.contains(word))
}

/// The clause as a bag, if it has no words but those of a kind of rule, and what it is about.
pub(in crate::english::exact) fn bag<'t>(
    tokens: &'t [Token],
    kind: &str,
    is_anchor: &dyn Fn(&Token) -> bool,
) -> Option<Bag<'t>> {
    let mut bag = Bag { words: Vec::new(), anchors: Vec::new() };
    for token in tokens {
        match &token.shape {
            _ if is_anchor(token) => bag.anchors.push(token),
            Shape::Mark(_) => bag.words.push(&token.low),
            Shape::Word | Shape::Identifier if is_word_of(kind, &token.low) => bag.words.push(&token.low),
            _ => return None,
        }
    }
    Some(bag)
}

impl Bag<'_> {
    /// Whether it has one of these words.
    pub(in crate::english::exact) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(word))
    }

    /// Whether it has these words next to each other.
    pub(in crate::english::exact) fn says(&self, phrase: &str) -> bool {
        let wanted: Vec<&str> = phrase.split(' ').collect();
        self.words.windows(wanted.len()).any(|window| window == wanted)
    }

    /// Whether it has one of these phrases.
    pub(in crate::english::exact) fn says_any(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| self.says(phrase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bags_can_be_read() {
        let file: BTreeMap<String, String> = toml::from_str(BAGS).unwrap();
        assert!(file.values().all(|words| words.split_whitespace().count() > 20));
        assert!(is_word_of("scripts", "run") && !is_word_of("scripts", "payroll"));
    }
}
