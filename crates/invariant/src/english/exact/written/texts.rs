//! Words that must not stand in what is written: "I do not want to see cups or ounces in there".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end, text};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Saying, Test, Verdict};

/// Ways to say that words must not be there, in front of them.
const UNWANTED: &[&str] = &[
    "i do not want to see",
    "i don't want to see",
    "i do not want to read",
    "i don't want to read",
    "i never want to see",
    "i never want to read",
    "never mention",
    "don't mention",
    "do not mention",
    "never use the word",
    "never use the words",
    "don't use the word",
    "don't use the words",
    "do not use the word",
    "do not use the words",
    "never write the word",
    "never write the words",
    "no mention of",
    "never say",
    "don't say",
    "do not say",
    "you must not mention",
    "never put the word",
    "don't put the word",
];

const PUT: &[&str] = &[
    "never put",
    "don't put",
    "do not put",
    "never write",
    "don't write",
    "do not write",
    "never leave",
    "don't leave",
    "do not leave",
    "never insert",
    "don't insert",
];

/// Ways to press something.
const PRESSING: &[&str] = &[
    "never press",
    "don't press",
    "do not press",
    "never click",
    "don't click",
    "do not click",
    "never click on",
    "don't click on",
    "do not click on",
    "never hit",
    "don't hit",
    "do not hit",
    "never tap",
    "don't tap",
];

/// Ways to say it behind them.
const BANNED: &[&str] = &[
    "must not appear",
    "must never appear",
    "may not appear",
    "should not appear",
    "should never appear",
    "must not occur",
    "must never occur",
    "must not be mentioned",
    "must never be mentioned",
    "may not be mentioned",
    "must not be readable",
    "must not show up",
    "must never show up",
    "must not be used",
    "must never be used",
    "must not stand",
    "never appears",
    "never appear",
    "has no place",
    "have no place",
    "is banned",
    "are banned",
    "are out",
    "is out",
    "are taboo",
    "is taboo",
    "should not be mentioned",
    "must not turn up",
    "cannot appear",
];

/// Everything that is written.
const ANYWHERE: &[&str] = &[
    "in there",
    "there",
    "in it",
    "in them",
    "in anything you write",
    "in what you write",
    "in any text",
    "in any text you write",
    "in your texts",
    "in the text",
    "in the texts",
    "anywhere",
    "in anything",
    "in writing",
    "in anything you send",
    "into any file",
    "into files",
    "in files",
    "into a file",
    "in any file",
    "into the code",
    "in the code",
    "in code",
    "into anything",
    "in a file you write",
    "in files you write",
    "in any file you write",
];

impl Exact<'_> {
    /// A ban on words in texts.
    pub(in crate::english::exact) fn texts(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        if let Some(rules) = self.sorted(tokens) {
            return Some(rules);
        }
        if let Some(rules) = self.pressed(tokens) {
            return Some(rules);
        }
        let (said, place) = if let Some(rest) = strip(tokens, UNWANTED).or_else(|| strip(tokens, PUT)) {
            let at = (1..rest.len()).find(|at| {
                rest.get(*at)
                    .is_some_and(|token| matches!(token.low.as_str(), "in" | "into" | "anywhere" | "there"))
            });
            (rest.get(..at.unwrap_or(rest.len()))?, rest.get(at.unwrap_or(rest.len())..)?)
        } else {
            let (said, _, place) = around(tokens, BANNED)?;
            (said, place)
        };
        let words = match strip(tokens, PUT) {
            // "don't put TODO into files": what is written in capitals or quotes stands for itself.
            Some(_) => self.quoted_words(said).filter(|_| {
                said.iter().all(|token| {
                    let is_constant =
                        token.text.len() > 1 && token.text.chars().all(|letter| letter.is_ascii_uppercase());
                    token.shape == Shape::Quoted
                        || is_constant
                        || matches!(token.low.as_str(), "or" | "and" | ",")
                })
            })?,
            None => self.quoted_words(said)?,
        };
        let place = strip_end(place, &["please"]).unwrap_or(place);
        let anywhere = place.is_empty() || strip(place, ANYWHERE).is_some_and(<[Token]>::is_empty);
        if anywhere {
            let what = words.into_iter().map(Saying::Words).collect();
            let tests = vec![Test::Says { what, parameter: None, is: true }];
            return Some(vec![(
                Verdict::Deny,
                Case { doings: vec![Doing::Deed(Deed::Writes)], tests, ..Case::default() },
            )]);
        }
        let parameter = self.parameter(strip(place, &["in", "into", "inside"])?)?;
        let (doings, mut tests) = match &parameter.owner {
            Some(owner) => owner.written(),
            None => (self.doings_of(&parameter.names), Vec::new()),
        };
        let check = Check::Forms(words.into_iter().map(Form::Has).collect());
        tests.push(Test::Value { names: parameter.names, check, presence: Presence::One });
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "no emoji in messages", "no exclamation marks in mails": signs in what is written.
    fn sorted(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        let rest = strip(
            tokens,
            &["no", "never use", "don't use", "do not use", "never put", "don't put", "do not put"],
        )?;
        let (signs, _, place) = around(rest, &["into", "in"])?;
        let forms = self.having(signs)?;
        // What a link is, the looser reading knows as well, and for whatever is written.
        if !forms.iter().all(|form| matches!(form, Form::Sort(sort) if sort != "links")) {
            return None;
        }
        if let Some(parameter) = self.parameter(place) {
            let (doings, mut tests) = match &parameter.owner {
                Some(owner) => owner.written(),
                None => (self.doings_of(&parameter.names), Vec::new()),
            };
            tests.push(Test::Value {
                names: parameter.names,
                check: Check::Forms(forms),
                presence: Presence::One,
            });
            return Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })]);
        }
        let scope = self.scope(place)?;
        const TEXTS: &[&str] = &[
            "text",
            "body",
            "content",
            "message",
            "description",
            "title",
            "subject",
            "html body",
            "summary",
        ];
        let arguments = self.hand.arguments_of(&scope.nouns);
        let names: Vec<String> =
            TEXTS.iter().filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect();
        let (doings, mut tests) = scope.written();
        tests.push(Test::Value {
            names: (!names.is_empty()).then_some(names)?,
            check: Check::Forms(forms),
            presence: Presence::One,
        });
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "never press the delete button": by what stands on it.
    fn pressed(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        let rest = bare(strip(tokens, PRESSING)?);
        let words = match strip(
            rest,
            &["buttons that say", "anything that says", "a button that says", "links that say"],
        ) {
            Some(words) => words,
            // "never press Order or Pay": what is written like a name stands on it.
            None => strip_end(rest, &["button", "buttons", "link", "links"]).or_else(|| {
                let is_name = |token: &Token| {
                    token.is_capital()
                        || token.shape == Shape::Quoted
                        || matches!(token.low.as_str(), "or" | "and" | ",")
                };
                (!rest.is_empty() && rest.iter().all(is_name)).then_some(rest)
            })?,
        };
        let words = self.quoted_words(words)?;
        let what = words.into_iter().map(Saying::Words).collect();
        let tests = vec![Test::Says { what, parameter: None, is: true }];
        let doings = vec![Doing::Did("click".to_owned())];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// Words that stand for themselves: in quotes, names, or single ones. What they describe is not meant.
    pub(in crate::english::exact) fn quoted_words(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let tokens = strip(tokens, &["the word", "the words", "the name", "the names", "words like"])
            .unwrap_or(tokens);
        let list = items(tokens);
        let word = |item: &[Token]| -> Option<String> {
            let led = item.len() > bare(item).len();
            match item {
                [one] if one.shape == Shape::Quoted => Some(one.text.clone()),
                [one] if one.shape == Shape::Word => {
                    let describes =
                        one.low.ends_with("'s") || one.low.ends_with("thing") || one.low.ends_with("body");
                    (!describes).then(|| one.text.clone())
                }
                several
                    if !led
                        && several.iter().all(|token| token.is_capital() && token.shape == Shape::Word) =>
                {
                    Some(text(several))
                }
                _ => None,
            }
        };
        let words: Option<Vec<String>> = list.into_iter().map(word).collect();
        words.filter(|words| !words.is_empty())
    }
}
