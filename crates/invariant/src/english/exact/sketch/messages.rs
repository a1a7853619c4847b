//! Messages of commits: how long they may be, and what they begin with.

use super::{Rules, Sketch, did, value};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Form, Presence, Test, Verdict};

const MESSAGES: &[&str] = &["commit|commits .. message|messages", "message|messages .. commit|commits"];

const FIRST: &[&str] = &["begin|start|open", "first|front|prefix|beginning|prefixed|lead"];

const ONE_LINE: &[&str] =
    &["one|single|1 line", "one-liner|one-line|single-line", "no body|bodies|second|line"];

impl Exact<'_> {
    /// What a message of a commit must be like.
    pub(super) fn sketched_messages(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let is_both = sketch.has(&["commit"]) && sketch.has(&["message"]);
        if !(is_both || sketch.says(MESSAGES)) {
            return None;
        }
        const MORE: &[&str] = &[
            "unless", "except", "ask", "end", "ends", "contain", "mention", "period", "emoji", "capital",
            "english", "body",
        ];
        if sketch.has(MORE) || sketch.tokens.iter().any(|token| token.shape == Shape::Path) {
            return None;
        }
        let mut tests = Vec::new();
        if sketch.says(ONE_LINE) {
            tests.push(Test::Measure { unit: "line of message".to_owned(), above: 1, is: true });
        }
        tests.extend(longest(sketch));
        if let Some(sample) = sketch.tokens.iter().find_map(ticket).filter(|_| sketch.says(FIRST)) {
            let form = Check::Forms(vec![Form::StartsLike(sample)]);
            tests.push(value(&["message"], form, Presence::Other));
        }
        let rules: Rules = tests
            .into_iter()
            .map(|test| {
                (Verdict::Deny, Case { doings: did(&["commit"]), tests: vec![test], ..Case::default() })
            })
            .collect();
        (!rules.is_empty()).then_some(rules)
    }
}

/// "50 characters": how long it may be.
fn longest(sketch: &Sketch<'_>) -> Option<Test> {
    let at = sketch.tokens.iter().position(|token| {
        matches!(token.low.as_str(), "characters" | "chars" | "letters" | "words" | "signs")
    })?;
    let number = sketch.tokens.get(at.checked_sub(1)?)?;
    let above: i64 = number.text.parse().ok()?;
    let is_least = sketch.has(&["least", "minimum"]);
    let unit = if sketch.tokens.get(at)?.low == "words" { "word" } else { "character" };
    (!is_least).then(|| Test::Measure { unit: format!("{unit} of message"), above, is: true })
}

/// `LAB-12`, `LAB-something`: what tickets look like.
fn ticket(token: &Token) -> Option<String> {
    let (key, rest) = token.text.split_once('-')?;
    let is_key =
        key.len() > 1 && key.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit());
    let rest: String = rest
        .chars()
        .take_while(|letter| letter.is_ascii_alphanumeric() || "<>.…".contains(*letter))
        .collect();
    let is_open = rest.is_empty()
        || rest.chars().all(|letter| letter.is_ascii_digit())
        || ["something", "whatever", "number", "xyz", "nnn", "xxx", "..."]
            .iter()
            .any(|open| rest.trim_matches(['<', '>']).eq_ignore_ascii_case(open))
        || rest.chars().all(|letter| matches!(letter, 'X' | 'N' | 'n' | 'x' | '.' | '…' | '<' | '>'));
    (is_key && is_open).then(|| format!("{key}-1"))
}
