//! Rules that are told by what they are about: the act, the place and the time are looked for in the whole sentence, and
//! whatever else it says is taken for talk around them. Only what names its matter beyond doubt is read here.

mod acts;
mod dates;
mod files;
mod forms;
mod messages;
mod names;
mod places;
mod programs;
mod repositories;
mod services;

use super::{Exact, Part, words};
use crate::english::interpret::merged;
use crate::english::lexicon::has_base;
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Check, Doing, Form, Place, Presence, Side, Span, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Words that forbid in the part of a sentence that has them.
const DENYING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "dont",
    "nothing",
    "none",
    "nobody",
    "neither",
    "nor",
    "cannot",
    "can't",
    "isn't",
    "aren't",
    "mustn't",
    "won't",
    "without",
    "forbidden",
    "taboo",
    "banned",
    "prohibited",
    "refrain",
    "avoid",
    "leave",
    "alone",
    "off",
];

/// Words that make more of a rule than a ban.
const OPEN: &[&str] =
    &["unless", "except", "ask", "if", "whenever", "besides", "exception", "apart", "other"];

/// Words that set a time, which must be understood then.
const TIMING: &[&str] = &["before", "after", "between", "since", "outside"];

/// A sentence and its parts.
pub(super) struct Sketch<'t> {
    tokens: &'t [Token],
    parts: Vec<&'t [Token]>,
}

impl<'t> Sketch<'t> {
    fn new(tokens: &'t [Token]) -> Sketch<'t> {
        let mut parts = Vec::new();
        let mut from = 0;
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            if token.shape == Shape::Mark(',') && goes_on(tokens.get(at + 1..).unwrap_or_default()) {
                continue;
            }
            if ends(token, before) {
                parts.extend(tokens.get(from..at));
                from = at + 1;
            }
        }
        parts.extend(tokens.get(from..));
        parts.retain(|part| !part.is_empty());
        Sketch { tokens, parts }
    }

    /// Rules, with the parts beside them that rule nothing.
    fn with_talk(&self, rules: Rules) -> Vec<Part> {
        let talk =
            self.parts.iter().filter(|part| !self::rules(part)).map(|part| Part::Aside(words::text(part)));
        std::iter::once(Part::Rules(rules)).chain(talk).collect()
    }

    /// The parts that forbid something.
    fn denying(&self) -> impl Iterator<Item = &'t [Token]> {
        self.parts.iter().copied().filter(|part| denies(part))
    }

    /// Whether the sentence says one of these anywhere.
    fn says(&self, patterns: &[&str]) -> bool {
        self.parts.iter().any(|part| says(part, patterns))
    }

    /// Whether a part that forbids says one of these.
    fn denies(&self, patterns: &[&str]) -> bool {
        self.denying().any(|part| says(part, patterns))
    }

    fn has(&self, words: &[&str]) -> bool {
        has(self.tokens, words)
    }
}

/// Whether a list goes on behind a comma: "images, volumes or containers".
fn goes_on(behind: &[Token]) -> bool {
    const NEW: &[&str] = &[
        "you", "it", "they", "that", "i", "we", "is", "are", "he", "she", "there", "do", "who", "just",
        "please",
    ];
    let joint =
        behind.iter().take(5).position(|token| matches!(token.low.as_str(), "or" | "and" | "nor" | ","));
    joint.is_some_and(|joint| {
        (1..=3).contains(&joint)
            && behind.iter().take(joint + 2).all(|token| {
                let is_new = NEW.contains(&token.low.as_str()) || DENYING.contains(&token.low.as_str());
                !is_new && matches!(token.shape, Shape::Word | Shape::Mark(','))
            })
            && behind.iter().take(7).any(|token| matches!(token.low.as_str(), "or" | "and" | "nor"))
    })
}

/// Whether a part of a sentence ends here: "nothing but" is one.
fn ends(token: &Token, before: Option<&Token>) -> bool {
    const BUT: &[&str] = &[
        "nothing", "anything", "nobody", "anybody", "anyone", "noone", "none", "nowhere", "anywhere", "one",
    ];
    let is_none = before.is_some_and(|before| BUT.contains(&before.low.as_str()));
    match token.shape {
        Shape::Mark(mark) => matches!(mark, ',' | ':' | ';' | '.' | '!' | '(' | ')' | '-'),
        Shape::Word => match token.low.as_str() {
            "but" => !is_none,
            "so" | "because" => true,
            _ => false,
        },
        _ => false,
    }
}

fn denies(part: &[Token]) -> bool {
    has(part, DENYING)
}

/// Whether one of these words is among them, in whatever form.
fn has(tokens: &[Token], words: &[&str]) -> bool {
    tokens.iter().any(|token| is_one(token, words))
}

fn is_one(token: &Token, words: &[&str]) -> bool {
    token.shape != Shape::Quoted && has_base(&token.low, |base| words.contains(&base))
}

/// Whether words fit one of these patterns somewhere: `a|b` is one of several words, `..` up to six others, `@` a path.
fn says(tokens: &[Token], patterns: &[&str]) -> bool {
    patterns
        .iter()
        .any(|pattern| (0..tokens.len()).any(|at| tokens.get(at..).is_some_and(|rest| fits(rest, pattern))))
}

fn fits(tokens: &[Token], pattern: &str) -> bool {
    if pattern.is_empty() {
        return true;
    }
    let (first, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
    if first == ".." {
        return (0..=tokens.len().min(6)).any(|skip| tokens.get(skip..).is_some_and(|tail| fits(tail, rest)));
    }
    let is_here = |token: &Token| match first.trim_end_matches('?') {
        "@" => token.shape == Shape::Path,
        words => {
            let is_among = |base: &str| words.split('|').any(|word| word == base);
            token.shape != Shape::Quoted && has_base(&token.low, is_among)
        }
    };
    let here = tokens.first().is_some_and(is_here) && fits(tokens.get(1..).unwrap_or_default(), rest);
    here || (first.ends_with('?') && fits(tokens, rest))
}

impl Exact<'_> {
    /// What a sentence states that is told by its matter.
    pub(super) fn sketched(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        if tokens.len() > 45 || tokens.last().is_some_and(|last| last.shape == Shape::Mark('?')) {
            return None;
        }
        let sketch = Sketch::new(tokens);
        let rules = self
            .sketched_names(&sketch)
            .or_else(|| self.sketched_messages(&sketch))
            .or_else(|| self.sketched_files(&sketch))
            .or_else(|| self.sketched_dates(&sketch))
            .or_else(|| self.sketched_forms(&sketch))
            .or_else(|| self.sketched_programs(&sketch))
            .or_else(|| self.sketched_repositories(&sketch))
            .or_else(|| self.sketched_services(&sketch))
            .or_else(|| self.sketched_acts(&sketch, false))
            .or_else(|| self.sketched_places(&sketch))?;
        Some(sketch.with_talk(rules))
    }

    /// The same, of acts that other readers know better where they understand all that is said of them.
    pub(crate) fn sketched_late(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let vague = |token: &Token| matches!(token.low.as_str(), "that" | "which" | "who" | "whose");
        if tokens.len() > 25 || tokens.iter().any(vague) {
            return None;
        }
        let sketch = Sketch::new(tokens);
        let rules = self.sketched_acts(&sketch, true)?;
        Some(sketch.with_talk(rules))
    }

    /// The time that a sentence names where it rules; none where nothing there sets a time.
    fn sketched_time(&self, sketch: &Sketch<'_>) -> Option<Vec<Test>> {
        let mut spans: Vec<(Span, bool)> = Vec::new();
        for part in &sketch.parts {
            let part = clocked(part);
            let (found, taken) = self.times_in(&part);
            let is_time = !found.is_empty() && taken + 2 >= part.len();
            if !is_time && !rules(&part) {
                continue;
            }
            let sets = |token: &Token| token.shape == Shape::Word && TIMING.contains(&token.low.as_str());
            if found.is_empty() && part.iter().any(sets) {
                return None;
            }
            spans.extend(found);
        }
        if spans.is_empty() {
            return Some(Vec::new());
        }
        let is = !self.is_only_then(sketch);
        Some(vec![Test::Time { spans: merged(&spans), is, of_event: false }])
    }

    /// Whether what is told is allowed at a time and at no other.
    fn is_only_then(&self, sketch: &Sketch<'_>) -> bool {
        let timed = |part: &&[Token]| !self.times_in(&clocked(part)).0.is_empty();
        let only = sketch.parts.iter().filter(|part| timed(part)).any(|part| has(part, &["only"]));
        only && !sketch.parts.iter().any(|part| timed(part) && denies(part))
    }

    /// The times in words, and how many of the words they take.
    fn times_in(&self, part: &[Token]) -> (Vec<(Span, bool)>, usize) {
        let mut spans: Vec<(Span, bool)> = Vec::new();
        let (mut at, mut taken) = (0, 0);
        while let Some(rest) = part.get(at..).filter(|rest| !rest.is_empty()) {
            let Some((span, length)) = when::read(rest, self.year).filter(|(_, length)| *length > 0) else {
                at += 1;
                continue;
            };
            let before = at.checked_sub(1).and_then(|before| part.get(before));
            let is_alternative =
                before.is_some_and(|token| matches!(token.low.as_str(), "and" | "or")) && !spans.is_empty();
            spans.push((span, is_alternative));
            at += length;
            taken += length;
        }
        (spans, taken)
    }
}

/// Whether a part of a sentence says what must be, and does not only tell something.
pub(super) fn rules(part: &[Token]) -> bool {
    const RULING: &[&str] = &[
        "stay", "keep", "remain", "only", "frozen", "must", "may", "closed", "limited", "always", "hands",
        "locked", "just",
    ];
    // "Once you have read a mail, …": a condition is no talk.
    const CONDITIONS: &[&str] =
        &["once", "after", "when", "if", "whenever", "until", "before", "while", "unless"];
    let is_condition = part.first().is_some_and(|first| CONDITIONS.contains(&first.low.as_str()));
    is_condition || denies(part) || has(part, RULING)
}

/// Hours with a hyphen between them as two: `7:00-19:00`.
fn clocked(part: &[Token]) -> Vec<Token> {
    let word = |text: &str, token: &Token, shape: Shape| Token {
        text: text.to_owned(),
        low: text.to_owned(),
        shape,
        at: token.at,
    };
    let is_clock = |text: &str| {
        text.contains(':') && text.chars().all(|letter| letter.is_ascii_digit() || letter == ':')
    };
    part.iter()
        .flat_map(|token| match token.low.split_once(['-', '–']) {
            Some((from, to)) if is_clock(from) && is_clock(to) => {
                let number = Shape::Number;
                vec![
                    word(from, token, number.clone()),
                    word("to", token, Shape::Word),
                    word(to, token, number),
                ]
            }
            _ => vec![token.clone()],
        })
        .collect()
}

/// Whether a part names something that stands for itself and that nobody looked at.
fn is_literal(token: &Token) -> bool {
    matches!(
        token.shape,
        Shape::Path
            | Shape::Host
            | Shape::Url
            | Shape::Address
            | Shape::Channel
            | Shape::Quoted
            | Shape::Identifier
            | Shape::Number
    )
}

fn at(side: Side, places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side, places, inside }
}

fn did(acts: &[&str]) -> Vec<Doing> {
    acts.iter().map(|act| Doing::Did((*act).to_owned())).collect()
}

fn refused(doings: Vec<Doing>, tests: Vec<Test>) -> Rules {
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}

fn value(names: &[&str], check: Check, presence: Presence) -> Test {
    Test::Value { names: names.iter().map(|name| (*name).to_owned()).collect(), check, presence }
}

/// The line of a command has one of these in it.
fn line_has(texts: &[String]) -> Test {
    let forms = texts.iter().map(|text| Form::Is(format!("*{text}*"))).collect();
    value(&["command"], Check::Forms(forms), Presence::One)
}
