//! What a text names, and the words around it.

use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};

/// The words of a text that belong to one worry, and what it names.
#[derive(Debug, Default)]
pub(super) struct Sifted<'t> {
    words: Vec<&'t str>,
    /// What it names, with where that stands.
    pub(super) anchors: Vec<(usize, &'t Token)>,
}

/// Words that make a rule: what has one of them is more than a remark.
const RULING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "only",
    "must",
    "mustn't",
    "nothing",
    "nobody",
    "none",
    "nowhere",
    "cannot",
    "can't",
    "may",
    "always",
    "ask",
    "unless",
    "except",
    "without",
    "should",
    "shall",
    "forbidden",
    "allowed",
    "avoid",
    "instead",
];

/// What denies nothing: it says what something is worth.
const WORTH: &[&str] = &[
    "no use",
    "no good",
    "no help",
    "no interest",
    "not interested",
    "not cheap",
    "no budget",
    "no time",
    "not worth",
    "no longer",
    "not needed",
    "no money",
    "not much",
    "no fun",
    "not reliable",
    "not trust",
    "don't trust",
    "don't need",
    "don't have",
    "can't afford",
    "cannot afford",
    "don't like",
    "can't read",
    "don't help",
    "doesn't help",
    "not help",
    "doesn't accept",
    "not accept",
    "no reader",
];

/// What a word is to a reader.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    /// It names something.
    Anchor,
    /// It is a word of this worry.
    Light,
    /// It is none of both.
    Strange,
}

impl Exact<'_> {
    /// The words of a text, if each stretch of it belongs to the worry or only tells something.
    pub(super) fn sifted<'t>(
        &self,
        tokens: &'t [Token],
        kind: &str,
        weigh: &dyn Fn(usize, &Token) -> Weight,
    ) -> Option<Sifted<'t>> {
        let weigh = |at: usize, token: &Token| match weigh(at, token) {
            Weight::Strange if is_light(kind, token) => Weight::Light,
            weight => weight,
        };
        let mut found = Sifted::default();
        for (start, stretch) in stretches(tokens) {
            let mut weights: Vec<Weight> =
                stretch.iter().enumerate().map(|(at, token)| weigh(start + at, token)).collect();
            describe(stretch, &mut weights);
            if !weights.contains(&Weight::Strange) {
                for (at, (token, weight)) in stretch.iter().zip(&weights).enumerate() {
                    match weight {
                        Weight::Anchor => {
                            found.anchors.push((start + at, token));
                            found.words.push("{}");
                        }
                        Weight::Light | Weight::Strange => found.words.push(&token.low),
                    }
                }
                found.words.push(",");
                continue;
            }
            if is_told(stretch, &weights) {
                let own =
                    stretch.iter().enumerate().zip(&weights).filter(|(_, weight)| **weight == Weight::Anchor);
                found.anchors.extend(own.map(|((at, token), _)| (start + at, token)));
                continue;
            }
            let is_label = tokens.get(start + stretch.len()).is_some_and(|next| next.low == ":");
            if weights.contains(&Weight::Anchor) || !self.is_context(stretch, is_label) {
                return None;
            }
        }
        (!found.anchors.is_empty()).then_some(found)
    }

    /// Whether words only tell something: why, or of what.
    fn is_context(&self, stretch: &[Token], is_label: bool) -> bool {
        let is_plain = |token: &Token| {
            matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark('\'' | '(' | ')'))
        };
        // "curl and wget: …" says what the rest is about.
        let is_run = |token: &Token| self.hand.has_program(&token.low);
        // "Stay away from SEC tickets: …" is a rule of its own.
        const WISHING: &[&str] = &["stay", "keep", "leave", "hands", "avoid"];
        let wishes = stretch.first().is_some_and(|first| WISHING.contains(&first.low.as_str()));
        if wishes || !stretch.iter().all(is_plain) || (is_label && stretch.iter().any(is_run)) {
            return false;
        }
        let said = stretch.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        let is_worth = WORTH.iter().any(|phrase| format!(" {said} ").contains(&format!(" {phrase} ")));
        let rules = stretch.iter().any(|token| RULING.contains(&token.low.as_str()));
        let is_short_label = is_label && stretch.len() < 5 && !self.lexicon.is_wish(stretch);
        is_short_label
            || self.tells(stretch)
            || (is_worth && stretch.len() > 2)
            || (!rules && !self.lexicon.is_wish(stretch))
    }
}

/// "our intranet (intra.acme.at)": words in front of brackets only say what is named in them.
fn describe(stretch: &[Token], weights: &mut [Weight]) {
    // "my editor wants .eu addresses": who wants it says nothing of it.
    const WANTING: &[&str] =
        &["wants", "insists", "says", "asks", "accepts", "needs", "demands", "expects", "prefers"];
    if let [whose, _, wants, ..] = stretch
        && matches!(whose.low.as_str(), "my" | "our" | "the")
        && WANTING.contains(&wants.low.as_str())
    {
        for weight in weights.iter_mut().take(3).filter(|weight| **weight == Weight::Strange) {
            *weight = Weight::Light;
        }
    }
    for open in 1..stretch.len() {
        let is_named = stretch.get(open).is_some_and(|token| token.shape == Shape::Mark('('))
            && weights.get(open + 1) == Some(&Weight::Anchor);
        if !is_named {
            continue;
        }
        let before = stretch.iter().take(open).rev().take(4);
        let words = before.take_while(|token| {
            token.shape == Shape::Word
                && !RULING.contains(&token.low.as_str())
                && !is_word_of("anything", &token.low)
        });
        for at in open - words.count()..open {
            if let Some(weight) = weights.get_mut(at).filter(|weight| **weight == Weight::Strange) {
                *weight = Weight::Light;
            }
        }
    }
}

/// "The sheet Budget was approved by the board": something is named, and only told of.
fn is_told(stretch: &[Token], weights: &[Weight]) -> bool {
    const TELLING: &[&str] = &[
        "is", "are", "was", "were", "comes", "come", "belongs", "belong", "has", "have", "had", "holds",
        "hold", "contains", "contain", "got", "gets", "came",
    ];
    let rules =
        stretch.iter().any(|token| RULING.contains(&token.low.as_str()) && token.shape == Shape::Word);
    let strange = weights.iter().position(|weight| *weight == Weight::Strange).unwrap_or(0);
    let last = weights.iter().rposition(|weight| *weight == Weight::Anchor);
    let tells = |at: usize| {
        let is_telling = |token: &Token| TELLING.contains(&token.low.as_str());
        let mut behind = stretch.iter().zip(weights).skip(at + 1).take(4);
        let next = behind.find(|(token, weight)| is_telling(token) || **weight != Weight::Light);
        next.is_some_and(|(token, _)| is_telling(token))
    };
    !rules && last.is_some_and(|last| last < strange && tells(last))
}

/// Stretches between marks, each with where it begins.
fn stretches(tokens: &[Token]) -> Vec<(usize, &[Token])> {
    let is_mark = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.' | '!' | '-' | '–'));
    let mut found = Vec::new();
    let mut start = 0;
    for stretch in tokens.split(is_mark) {
        if !stretch.is_empty() {
            found.push((start, stretch));
        }
        start += stretch.len() + 1;
    }
    found
}

fn is_light(kind: &str, token: &Token) -> bool {
    match token.shape {
        Shape::Mark(_) => true,
        Shape::Word => is_word_of("anything", &token.low) || is_word_of(kind, &token.low),
        _ => false,
    }
}

impl Sifted<'_> {
    /// Whether it has one of these words.
    pub(super) fn has(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(word))
    }

    /// Whether it has one of these phrases.
    pub(super) fn says(&self, phrases: &[&str]) -> bool {
        phrases.iter().any(|phrase| {
            let wanted: Vec<&str> = phrase.split(' ').collect();
            self.words.windows(wanted.len()).any(|window| window == wanted)
        })
    }

    /// Whether something is denied.
    pub(super) fn denies(&self) -> bool {
        self.has(&[
            "never",
            "no",
            "not",
            "don't",
            "dont",
            "nothing",
            "nobody",
            "none",
            "cannot",
            "can't",
            "mustn't",
            "without",
            "neither",
            "nor",
            "avoid",
            "nowhere",
            "shouldn't",
            "isn't",
            "aren't",
            "won't",
        ])
    }
}
