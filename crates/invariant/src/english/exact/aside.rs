//! What changes nothing: reasons, and remarks about the world.

use super::Exact;
use super::words::{around, bare, core, stems, strip, strip_end};
use crate::english::chunk::{Chunk, Piece};
use crate::english::lexicon::Entry;
use crate::english::lexicon::Marker;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Test};

/// Words after which nothing but a reason comes.
pub(super) const REASONS: &[&str] = &["because", "otherwise", "cause", "cuz", "lest"];

/// Phrases after which nothing but a reason comes.
const OPENINGS: &[&str] = &[
    "because",
    "otherwise",
    "cause",
    "cuz",
    "lest",
    "so that",
    "or else",
    "since i",
    "since we",
    "since they",
    "since it",
    "since the",
    "since my",
    "since our",
    "as i",
    "as we",
    "as they",
    "as it",
    "so i",
    "so we",
    "so they",
    "to avoid",
    "in order to",
    "to save",
    "to keep",
    "in case",
];

/// Words that a remark does not have: with one of them it may be a rule.
const RULING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "only",
    "must",
    "mustn't",
    "can't",
    "cannot",
    "always",
    "ask",
    "nothing",
    "nobody",
    "none",
    "nowhere",
    "every",
    "each",
    "without",
    "unless",
    "except",
    "keep",
    "stay",
    "stays",
    "should",
    "shall",
    "may",
    "leave",
    "alone",
    "else",
    "other",
    "others",
    "forbidden",
    "allowed",
    "out",
    "needs",
    "need",
    "most",
    "least",
    "max",
    "first",
    "before",
    "after",
    "until",
    "avoid",
    "stop",
    "isn't",
    "aren't",
    "won't",
];

/// Words with which a remark begins.
const REMARKING: &[&str] = &[
    "i",
    "i'm",
    "we",
    "we're",
    "they",
    "they're",
    "he",
    "she",
    "it",
    "it's",
    "that",
    "that's",
    "this",
    "there",
    "my",
    "our",
    "people",
    "everybody",
    "everyone",
];

/// Words that make a remark of a noun.
const STATING: &[&str] =
    &["is", "are", "was", "were", "has", "have", "had", "hate", "hates", "costs", "cost", "reads"];

impl Exact<'_> {
    /// Whether words are a reason or a remark, and state no rule.
    pub(super) fn is_aside(&self, tokens: &[Token], has_rules: bool) -> bool {
        let tokens = core_of(tokens);
        if strip(tokens, OPENINGS).is_some() || strip_end(tokens, &["otherwise"]).is_some() {
            return has_rules;
        }
        let rules = |piece: &Piece| match &piece.chunk {
            Chunk::Marker(Marker::May | Marker::Instead | Marker::Else) => false,
            Chunk::Marker(_) | Chunk::Ask | Chunk::Strange(_) | Chunk::Amount(_) => true,
            _ => false,
        };
        is_remark(tokens) && !self.chunker().chunks(tokens).iter().any(rules)
    }
}

/// Whether words only tell something.
fn is_remark(tokens: &[Token]) -> bool {
    // "No copy, no change", "nothing in there changes any more": the rule before, once more.
    const AGAIN: &[&str] = &[
        "nothing in there changes",
        "nothing in it changes",
        "nothing there changes",
        "nothing else",
        "no others",
    ];
    if strip(tokens, AGAIN).is_some_and(|rest| rest.len() < 3) {
        return true;
    }
    let rules = |token: &Token| token.shape == Shape::Word && RULING.contains(&token.low.as_str());
    let is_polite = tokens.iter().all(|token| {
        matches!(
            token.low.as_str(),
            "please" | "thanks" | "thank" | "you" | "ok" | "hello" | "hi" | "hey" | "dear"
        )
    });
    if is_polite {
        return true;
    }
    if tokens.iter().any(rules) {
        return false;
    }
    let first = tokens.first().map_or("", |token| token.low.as_str());
    let states = tokens.iter().skip(1).any(|token| STATING.contains(&token.low.as_str()));
    REMARKING.contains(&first) || states
}

fn core_of(tokens: &[Token]) -> &[Token] {
    strip(tokens, &["and", "but"]).unwrap_or(tokens)
}

const FINE: &[&str] = &[
    "is fine",
    "are fine",
    "is ok",
    "are ok",
    "is okay",
    "are okay",
    "is allowed",
    "are allowed",
    "is all right",
    "are all right",
    "is no problem",
    "are no problem",
    "are welcome",
    "is welcome",
    "do not count",
    "don't count",
    "does not count",
    "doesn't count",
    "are excepted",
    "is excepted",
    "are exempt",
    "is alright",
    "are alright",
    "i don't mind",
    "is good",
    "are good",
];

impl Exact<'_> {
    /// What is allowed nevertheless, as exceptions; none of them where it only says what is not forbidden.
    pub(super) fn permission(&self, tokens: &[Token]) -> Option<Vec<Vec<Test>>> {
        let allowed = strip_end(tokens, FINE)
            .or_else(|| strip(tokens, &["you may", "you can", "feel free to", "you are welcome to"]))?;
        // "You may set the status to Draft": what stands behind may speak of the same argument.
        if let Some((named, _, values)) =
            strip(allowed, &["set", "put", "change"]).and_then(|rest| around(rest, &["to"]))
            && let Some(parameter) = self.parameter(named)
            && self.values(values, &parameter.names).is_some()
        {
            *self.last.borrow_mut() = Some(parameter);
            return Some(Vec::new());
        }
        let allowed =
            strip_end(core(allowed), &["them", "it", "those", "there", "in there"]).unwrap_or(allowed);
        let allowed = bare(allowed);
        let whole = |phrase: &crate::english::lexicon::Phrase| phrase.length == allowed.len();
        for phrase in self.lexicon.phrases(allowed).into_iter().filter(whole) {
            let (Entry::Verb(number) | Entry::Act(number)) = phrase.entry else { continue };
            let action = self.lexicon.action(number)?;
            return Some(match action.deed.as_str() {
                "reads" => vec![vec![Test::Did { actions: vec!["reading only".to_owned()], is: true }]],
                "copies" => vec![vec![Test::Does(Deed::Copies)]],
                "" => vec![vec![Test::Did { actions: vec![action.name.clone()], is: true }]],
                _ => return None,
            });
        }
        if let Some(signs) = self.signs_named(allowed) {
            return Some(vec![vec![Test::Sign(signs)]]);
        }
        // "thread replies": by the words of the tools that do it.
        let nouns = stems(allowed);
        let parts: Option<Vec<Test>> = nouns
            .iter()
            .map(|noun| {
                let named =
                    self.lexicon.phrases(&[token(noun)]).into_iter().find_map(|phrase| match phrase.entry {
                        Entry::Act(number) | Entry::Verb(number) => self.lexicon.action(number),
                        _ => None,
                    });
                let action = named.filter(|action| action.deed.is_empty())?;
                Some(Test::Did { actions: vec![action.name.clone()], is: true })
            })
            .collect();
        parts.filter(|parts| !parts.is_empty()).map(|parts| vec![parts])
    }
}

fn token(word: &str) -> Token {
    Token { text: word.to_owned(), low: word.to_owned(), shape: Shape::Word, at: 0 }
}
