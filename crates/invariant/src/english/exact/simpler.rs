//! Sentences of a known build once something that only describes is left out: a reason, a remark in brackets, a relative
//! clause, an adverb. Left out is only what cannot make another rule of it: nothing that forbids, limits or excepts, and
//! nothing that stands for itself. So the rule that is left forbids what the sentence forbids, and perhaps a little more.

use super::{Exact, FUEL, Part, words};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Doing};

/// So many shorter sentences are tried.
const MOST_TRIES: usize = 14;

/// Words that forbid, limit, except or tell when: with one of them nothing is left out.
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
    "ask",
    "cannot",
    "can't",
    "may",
    "always",
    "needs",
    "need",
    "stay",
    "stays",
    "leave",
    "hands",
    "off",
    "out",
    "forbidden",
    "most",
    "should",
    "shall",
    "except",
    "unless",
    "without",
    "but",
    "other",
    "others",
    "else",
    "another",
    "outside",
    "inside",
    "before",
    "after",
    "until",
    "till",
    "between",
    "during",
    "within",
    "every",
    "each",
    "all",
    "any",
    "first",
    "least",
    "maximum",
    "max",
    "minimum",
    "than",
    "more",
    "less",
    "fewer",
    "keep",
    "remain",
    "remains",
    "untouched",
    "alone",
    "taboo",
    "nowhere",
    "neither",
    "nor",
    "isn't",
    "aren't",
    "doesn't",
    "won't",
    "instead",
    "private",
    "public",
    "external",
    "internal",
    "new",
    "existing",
    "own",
    "when",
    "if",
    "while",
    "whenever",
    "once",
    "and",
    "or",
    "same",
    "whole",
    "entire",
    "per",
];

/// Words that say nothing wherever they stand.
const FILLERS: &[&str] = &[
    "yourself",
    "by yourself",
    "on your own",
    "for me",
    "on my behalf",
    "in my name",
    "for us",
    "in any language",
    "in any form",
    "in no form",
    "in whatever form",
    "in any way",
    "of any kind",
    "of any sort",
    "of anything",
    "of theirs",
    "of mine",
    "of ours",
    "directly",
    "really",
    "actually",
    "here",
    "accidentally",
    "by accident",
    "by mistake",
    "anywhere",
    "in the first place",
    "in general",
    "as well",
    "in every query",
    "in any query",
    "in your queries",
    "in queries",
    "that goes out",
    "that go out",
    "that leaves the house",
    "you send out",
    "at a time",
    "under any circumstances",
    "anyhow",
    "somehow",
    "quietly",
    "carelessly",
    "just like that",
    "for no reason",
    "for any reason",
    "whatever the reason",
    "in whatever country",
    "in whatever language",
    "whatever they say",
    "whatever it says",
    "whoever asks",
    "no matter who asks",
    "yet",
    "still",
];

/// Words with which a phrase begins that says where, of what or with what.
const PREPOSITIONS: &[&str] =
    &["in", "on", "at", "of", "for", "from", "with", "to", "about", "into", "under", "by", "as"];

/// Words behind which something new is said.
const VERBS: &[&str] = &[
    "is", "are", "was", "were", "must", "may", "can", "should", "shall", "will", "has", "have", "gets",
    "get", "goes", "go", "stays", "stay", "needs", "need", "do", "does", "never", "not",
];

type Span = (usize, usize);

impl Exact<'_> {
    /// What a sentence states without a remark that changes nothing.
    pub(in crate::english) fn simpler(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        let safe = remarks(tokens);
        let mut tries: Vec<Vec<Span>> = safe.iter().map(|span| vec![*span]).collect();
        if safe.len() > 1 {
            tries.push(safe);
        }
        tries.iter().take(MOST_TRIES).find_map(|cuts| self.shortened(tokens, cuts, has_rules))
    }

    /// What a sentence states without a phrase that says more about something, where nothing else reads it.
    pub(in crate::english) fn simplest(&self, tokens: &[Token], has_rules: bool) -> Option<Vec<Part>> {
        let (safe, mut bold) = (remarks(tokens), phrases(tokens));
        bold.retain(|(from, to)| tokens.get(from + 1..*to).is_some_and(|phrase| self.is_unknown(phrase)));
        let mut tries: Vec<Vec<Span>> = bold.iter().map(|span| vec![*span]).collect();
        if !safe.is_empty() {
            tries.extend(bold.iter().map(|span| [safe.as_slice(), &[*span]].concat()));
        }
        tries.iter().take(MOST_TRIES).find_map(|cuts| self.shortened(tokens, cuts, has_rules))
    }

    /// Whether nothing in these words is known to the readers, so that leaving it out cannot change what they know.
    fn is_unknown(&self, phrase: &[Token]) -> bool {
        let bare = words::bare(phrase);
        (0..bare.len()).all(|at| bare.get(at..).is_some_and(|rest| self.lexicon.phrases(rest).is_empty()))
    }

    fn shortened(&self, tokens: &[Token], cuts: &[Span], has_rules: bool) -> Option<Vec<Part>> {
        let is_kept = |at: usize| !cuts.iter().any(|(from, to)| (*from..*to).contains(&at));
        let (kept, left): (Vec<_>, Vec<_>) = tokens.iter().enumerate().partition(|(at, _)| is_kept(*at));
        let kept = trimmed(kept.into_iter().map(|(_, token)| token.clone()).collect());
        let left: Vec<Token> = left.into_iter().map(|(_, token)| token.clone()).collect();
        if kept.len() < 2 || kept.len() == tokens.len() {
            return None;
        }
        self.fuel.set(FUEL);
        let parts = self.sentence(&kept, has_rules);
        self.half();
        let mut parts = parts.filter(|parts| parts.iter().all(|part| self.is_sound(part, &kept)))?;
        parts.push(Part::Aside(words::text(&left)));
        Some(parts)
    }

    /// Whether a part says what it is about, and guesses nothing.
    fn is_sound(&self, part: &Part, kept: &[Token]) -> bool {
        let says_all = kept
            .iter()
            .any(|token| matches!(token.low.as_str(), "anything" | "nothing" | "everything" | "all" | "any"));
        let is_broad = |case: &Case| {
            case.tests.is_empty() && case.doings.iter().all(|doing| matches!(doing, Doing::Deed(_)))
        };
        match part {
            Part::Rules(rules) => {
                rules.iter().all(|(_, case)| !self.guesses(case, kept) && (says_all || !is_broad(case)))
            }
            Part::Permission(_) | Part::Aside(_) => true,
        }
    }
}

fn remarks(tokens: &[Token]) -> Vec<Span> {
    [segments(tokens), brackets(tokens), relatives(tokens), fillers(tokens)].concat()
}

/// Whether words may be left out: they forbid nothing, and none of them stands for itself.
fn may_go(tokens: &[Token]) -> bool {
    !tokens.is_empty()
        && tokens.iter().all(|token| match token.shape {
            Shape::Word => !RULING.contains(&token.low.as_str()),
            Shape::Mark(_) => true,
            _ => false,
        })
}

fn is_mark(token: &Token, marks: &[char]) -> bool {
    matches!(token.shape, Shape::Mark(mark) if marks.contains(&mark))
}

/// Stretches between commas and colons, with the mark before them, or behind the first of them.
fn segments(tokens: &[Token]) -> Vec<Span> {
    let mut depth = 0usize;
    let mut marks: Vec<usize> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.shape {
            Shape::Mark('(') => depth += 1,
            Shape::Mark(')') => depth = depth.saturating_sub(1),
            Shape::Mark(',' | ':' | ';' | '-' | '–') if depth == 0 => marks.push(at),
            _ => {}
        }
    }
    let Some(first) = marks.first() else { return Vec::new() };
    let mut spans = vec![(0, first + 1)];
    let ends = marks.iter().skip(1).copied().chain([tokens.len()]);
    spans.extend(marks.iter().copied().zip(ends));
    spans.retain(|(from, to)| tokens.get(*from..*to).is_some_and(may_go));
    spans
}

/// Remarks in brackets.
fn brackets(tokens: &[Token]) -> Vec<Span> {
    let opens = tokens.iter().enumerate().filter(|(_, token)| is_mark(token, &['(']));
    let span = |(from, _): (usize, &Token)| {
        let length = tokens.get(from..)?.iter().position(|token| is_mark(token, &[')']))?;
        let inner = tokens.get(from..=from + length)?;
        let is_plain = inner.iter().all(|token| !token.is_capital());
        (is_plain && may_go(inner)).then_some((from, from + length + 1))
    };
    opens.filter_map(span).collect()
}

/// "the roadmap that customers can read": what says more about a thing.
fn relatives(tokens: &[Token]) -> Vec<Span> {
    let begins = |(at, token): &(usize, &Token)| {
        *at > 1
            && matches!(token.low.as_str(), "that" | "which" | "who" | "where")
            && token.shape == Shape::Word
    };
    let span = |(from, _): (usize, &Token)| {
        let rest = tokens.get(from + 2..)?;
        let length = rest
            .iter()
            .position(|token| matches!(token.shape, Shape::Mark(_)) || VERBS.contains(&token.low.as_str()));
        let to = length.map_or(tokens.len(), |length| from + 2 + length);
        may_go(tokens.get(from..to)?).then_some((from, to))
    };
    tokens.iter().enumerate().filter(begins).filter_map(span).collect()
}

fn fillers(tokens: &[Token]) -> Vec<Span> {
    let span = |at: usize| {
        let rest = tokens.get(at..)?;
        let length = FILLERS.iter().filter_map(|filler| words::begins(rest, filler)).max()?;
        (at > 0).then_some((at, at + length))
    };
    (0..tokens.len()).filter_map(span).collect()
}

/// Phrases that say where, of what or with what, in words that nothing here is called by.
fn phrases(tokens: &[Token]) -> Vec<Span> {
    let is_only =
        |token: &Token| matches!(token.low.as_str(), "only" | "except" | "unless" | "must" | "always");
    if tokens.iter().any(is_only) {
        return Vec::new();
    }
    let begins = |(at, token): &(usize, &Token)| {
        *at > 1 && token.shape == Shape::Word && PREPOSITIONS.contains(&token.low.as_str())
    };
    let ends = |token: &Token| {
        matches!(token.shape, Shape::Mark(_))
            || PREPOSITIONS.contains(&token.low.as_str())
            || VERBS.contains(&token.low.as_str())
    };
    let span = |(from, _): (usize, &Token)| {
        let rest = tokens.get(from + 1..)?;
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let to = from + 1 + length;
        let is_short = (1..5).contains(&length);
        (is_short && may_go(tokens.get(from..to)?)).then_some((from, to))
    };
    tokens.iter().enumerate().filter(begins).filter_map(span).collect()
}

/// Without marks at the ends, and without two in a row.
fn trimmed(mut tokens: Vec<Token>) -> Vec<Token> {
    let joins = |token: &Token| is_mark(token, &[',', ':', ';', '-', '–']);
    while tokens.first().is_some_and(joins) {
        tokens.remove(0);
    }
    while tokens.last().is_some_and(joins) {
        tokens.pop();
    }
    tokens.dedup_by(|next, before| joins(next) && joins(before));
    tokens
}
