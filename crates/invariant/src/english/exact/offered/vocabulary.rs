//! What people and tools call the same, from `offers.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::pieces::says;
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token};
use crate::names;

const OFFERS: &str = include_str!("../../../../data/offers.toml");

static BUILT_IN: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::of(OFFERS));

/// The words of people and of tools.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    phrases: Vec<(Vec<String>, String)>,
    acts: BTreeMap<String, Act>,
    /// Each word with all that mean the same.
    same: BTreeMap<String, BTreeSet<String>>,
    /// Words by their kinds.
    kinds: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Debug, Default)]
struct Act {
    said: BTreeSet<String>,
    tools: BTreeSet<String>,
}

#[derive(Deserialize, Default)]
struct File {
    phrases: BTreeMap<String, String>,
    acts: BTreeMap<String, Entry>,
    things: Things,
    words: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct Entry {
    said: String,
    tools: String,
}

#[derive(Deserialize, Default)]
struct Things {
    same: Vec<String>,
}

impl Vocabulary {
    pub(super) fn built_in() -> &'static Vocabulary {
        &BUILT_IN
    }

    fn of(text: &str) -> Vocabulary {
        let file: File = toml::from_str(text).unwrap_or_default();
        let words = |text: &str| -> BTreeSet<String> { text.split_whitespace().map(str::to_owned).collect() };
        let mut same: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for group in &file.things.same {
            for word in words(group) {
                same.entry(word).or_default().extend(words(group));
            }
        }
        let phrase = |(said, means): (String, String)| (said.split(' ').map(str::to_owned).collect(), means);
        let mut phrases: Vec<(Vec<String>, String)> = file.phrases.into_iter().map(phrase).collect();
        phrases.sort_by_key(|(said, _)| std::cmp::Reverse(said.len()));
        let act = |(name, entry): (String, Entry)| {
            (name, Act { said: words(&entry.said), tools: words(&entry.tools) })
        };
        let kind = |(name, text): (String, String)| {
            (name, words(&text).into_iter().map(|word| word.replace('_', " ")).collect())
        };
        let kinds = file.words.into_iter().map(kind).collect();
        Vocabulary { phrases, acts: file.acts.into_iter().map(act).collect(), same, kinds }
    }

    /// The words with one in place of those that are said together: "tick off" as "complete".
    pub(super) fn put(&self, tokens: &[Token]) -> Vec<Token> {
        let tokens = switched(tokens);
        let mut put = Vec::with_capacity(tokens.len());
        let mut rest = tokens.as_slice();
        while let Some((first, behind)) = rest.split_first() {
            let begins = |said: &&(Vec<String>, String)| {
                said.0.len() <= rest.len()
                    && said
                        .0
                        .iter()
                        .zip(rest)
                        .all(|(word, token)| token.shape == Shape::Word && token.low == *word)
            };
            match self.phrases.iter().find(begins) {
                Some((said, means)) => {
                    put.push(Token { text: means.clone(), low: means.clone(), ..first.clone() });
                    rest = rest.get(said.len()..).unwrap_or_default();
                }
                None => {
                    put.push(first.clone());
                    rest = behind;
                }
            }
        }
        put
    }

    /// Whether a word is of a kind.
    pub(super) fn is(&self, kind: &str, word: &str) -> bool {
        self.kinds.get(kind).is_some_and(|words| words.contains(word))
    }

    /// Whether words or phrases of a kind are among these.
    pub(super) fn is_said(&self, kind: &str, tokens: &[Token]) -> bool {
        let plain = |token: &Token| matches!(token.shape, Shape::Word | Shape::Identifier);
        let Some(words) = self.kinds.get(kind) else { return false };
        words.iter().any(|word| match word.contains(' ') {
            true => says(tokens, word),
            false => tokens.iter().any(|token| plain(token) && token.low == *word),
        })
    }

    /// What a word of a rule says is done, by the names of acts.
    pub(super) fn acts_said(&self, word: &str) -> Vec<&str> {
        let bases = word_bases(word);
        let says = |act: &&str| {
            self.acts.get(*act).is_some_and(|own| bases.iter().any(|base| own.said.contains(base)))
        };
        self.acts.keys().map(String::as_str).filter(says).collect()
    }

    /// Whether a tool with this word in its name does it.
    pub(super) fn does(&self, act: &str, word: &str) -> bool {
        self.acts.get(act).is_some_and(|own| own.tools.contains(word))
    }

    /// Whether tools are called so for what they do.
    pub(super) fn is_verb(&self, word: &str) -> bool {
        self.acts.values().any(|own| own.tools.contains(word))
    }

    /// All words that mean the same thing.
    pub(super) fn alike(&self, word: &str) -> Vec<String> {
        let own = self.same.get(word).map(|words| words.iter().cloned().collect());
        own.unwrap_or_else(|| vec![word.to_owned()])
    }

    /// Whether two words mean the same thing.
    pub(super) fn is_same(&self, said: &str, own: &str) -> bool {
        let stem = names::stem(said);
        stem == own || self.same.get(&stem).is_some_and(|words| words.contains(own))
    }
}

/// "turn the workflow on" with what is done in one word.
fn switched(tokens: &[Token]) -> Vec<Token> {
    let mut tokens = tokens.to_vec();
    let turns = |token: &Token| {
        token.shape == Shape::Word
            && word_bases(&token.low).iter().any(|base| matches!(base.as_str(), "turn" | "switch"))
    };
    for at in 0..tokens.len() {
        if !tokens.get(at).is_some_and(turns) {
            continue;
        }
        let behind = tokens.iter().enumerate().skip(at + 1).take(5);
        let particle =
            behind.take_while(|(_, token)| token.shape == Shape::Word).find_map(|(place, token)| {
                let act = match token.low.as_str() {
                    "on" => "activate",
                    "off" => "deactivate",
                    _ => return None,
                };
                let ends = tokens.get(place + 1).is_none_or(|next| {
                    matches!(next.shape, Shape::Mark(_))
                        || matches!(next.low.as_str(), "and" | "or" | "in" | "for")
                });
                ends.then_some((place, act))
            });
        if let Some((place, act)) = particle {
            tokens.remove(place);
            if let Some(token) = tokens.get_mut(at) {
                act.clone_into(&mut token.low);
                act.clone_into(&mut token.text);
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vocabulary_can_be_read() {
        let file: File = toml::from_str(OFFERS).unwrap();
        assert!(file.acts.len() > 30 && file.things.same.len() > 20);
        let words = Vocabulary::built_in();
        assert!(words.acts_said("deleting").contains(&"delete") && words.does("delete", "remove"));
        assert!(words.is_same("tickets", "issue") && !words.is_same("ticket", "invoice"));
        let put = words.put(&crate::english::token::tokens("tasks are ticked off by me"));
        assert_eq!(put.get(2).map(|token| token.low.as_str()), Some("complete"));
    }
}
