//! What is not said somewhere, or nowhere: "my new address (Lindenweg 14) is nobody's business, type it nowhere", "not a word
//! about the outage in #news (C01NEWS) before 14:00", "my mother's visit is private, keep it off Notion".

use super::Rules;
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::exact::words::core;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Saying, Side, Test, Verdict};

/// Words that say that something is not said.
const UNSAID: &[&str] = &[
    "word",
    "mention",
    "mentions",
    "mentioned",
    "private",
    "secret",
    "quiet",
    "silent",
    "write",
    "written",
    "post",
    "posted",
    "say",
    "said",
    "nothing",
    "appear",
    "appears",
    "about",
    "off",
    "business",
    "type",
    "typed",
    "confidential",
    "talk",
    "tell",
    "told",
    "learn",
    "know",
    "hear",
    "nowhere",
    "share",
    "shared",
    "reveal",
    "public",
];

/// What else people call somebody.
const ALSO: &[(&str, &[&str])] = &[
    ("mother", &["mum", "mom", "mama"]),
    ("father", &["dad", "papa"]),
    ("grandmother", &["grandma", "granny"]),
    ("grandfather", &["grandpa"]),
    ("wedding", &["marriage", "marry"]),
    ("pregnancy", &["pregnant"]),
    ("illness", &["ill", "sick"]),
    ("surgery", &["operation"]),
    ("redundancies", &["layoffs", "redundancy", "layoff"]),
    ("layoffs", &["layoff", "redundancies"]),
];

impl Exact<'_> {
    /// A topic that is not spoken of on a service, or in a channel.
    pub(super) fn topics(&self, tokens: &[Token]) -> Option<Rules> {
        let timed = self.span_in(tokens);
        let rest: Vec<Token> = match &timed {
            Some((_, at, length)) => {
                tokens.iter().take(*at).chain(tokens.get(at + length..)?).cloned().collect()
            }
            None => tokens.to_vec(),
        };
        let has = |words: &[&str]| rest.iter().any(|token| words.contains(&token.low.as_str()));
        let denies =
            has(&["not", "no", "never", "nothing", "don't", "keep", "keeps", "stays", "stay", "nobody"]);
        let is_other =
            has(&["unless", "except", "only", "ask", "without", "ok", "okay", "fine", "must", "always"])
                && !has(&["not"]);
        let about = has(&["about", "of"])
            && has(&["word", "quiet", "nothing", "silent", "mention", "talk", "write"])
            || has(&["private", "secret", "confidential"]) && has(&["off", "out", "mention", "from"])
            || has(&["mention", "mentioned"]);
        if !denies || is_other || !about || tokens.len() > 22 {
            return None;
        }
        let (place, named) = self.unsaid_place(&rest)?;
        let topic = self.topic(&rest, &named)?;
        let mut tests = vec![place, Test::Says { what: topic, parameter: None, is: true }];
        tests.extend(timed.map(|(span, ..)| Test::Time { spans: vec![span], is: true, of_event: false }));
        let doings = vec![Doing::Deed(Deed::Writes)];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// The service or the channel that a text names, and the words that name it.
    fn unsaid_place(&self, tokens: &[Token]) -> Option<(Test, Vec<usize>)> {
        let ids = crate::english::exact::written::contents::channel_ids(tokens);
        if !ids.is_empty() {
            let places = ids.iter().cloned().map(Place::Id).collect();
            let is_named = |token: &Token| ids.contains(&token.text) || matches!(token.shape, Shape::Channel);
            let named = tokens.iter().filter(|token| is_named(token)).map(|token| token.at).collect();
            return Some((Test::Place { side: Side::To, places, inside: true }, named));
        }
        let mut services = tokens.iter().filter_map(|token| Some((token.at, self.service_named(token)?)));
        let (at, server) = services.next().filter(|_| services.next().is_none())?;
        Some((Test::Tool { names: vec![server], is: true }, vec![at]))
    }

    fn service_named(&self, token: &Token) -> Option<String> {
        let is_name = token.shape == Shape::Word && token.is_capital();
        is_name.then(|| self.named_server(token)).flatten()
    }

    /// The words of what is not spoken of.
    fn topic(&self, tokens: &[Token], named: &[usize]) -> Option<Vec<Saying>> {
        let is_topic = |token: &&Token| match token.shape {
            Shape::Word => {
                !named.contains(&token.at)
                    && !is_word_of("anything", &token.low)
                    && !UNSAID.contains(&token.low.as_str())
                    && !is_word_of("leaving", &token.low)
                    && !matches!(
                        token.low.as_str(),
                        "repository" | "repo" | "project" | "channel" | "yet" | "quiet"
                    )
            }
            Shape::Quoted => true,
            _ => false,
        };
        let is_strange = |token: &&Token| {
            matches!(token.shape, Shape::Path | Shape::Host | Shape::Url | Shape::Address | Shape::Number)
        };
        let words: Vec<String> =
            tokens.iter().filter(is_topic).map(|token| token.low.trim_end_matches("'s").to_owned()).collect();
        if words.is_empty() || words.len() > 3 || tokens.iter().any(|token| is_strange(&token)) {
            return None;
        }
        let also = |word: &String| -> Vec<String> {
            let more = ALSO.iter().find(|(one, _)| one == word).map_or(&[][..], |(_, more)| *more);
            std::iter::once(word.clone()).chain(more.iter().map(|more| (*more).to_owned())).collect()
        };
        Some(words.iter().flat_map(also).map(Saying::Words).collect())
    }

    /// What is spelled out in brackets or quotes, or as a name with a number, and is said nowhere.
    pub(super) fn said_nowhere(&self, tokens: &[Token]) -> Option<Rules> {
        let has = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.low.as_str()));
        let is_hidden = has(&[
            "nowhere", "secret", "anywhere", "private", "business", "learn", "know", "nobody", "never",
        ]) && has(&[
            "type", "write", "mention", "secret", "learn", "know", "business", "tell", "say", "share",
            "reveal", "put", "give", "private", "use", "enter",
        ]);
        let denies = has(&[
            "not", "no", "never", "nothing", "don't", "nobody", "nobody's", "nowhere", "secret", "private",
        ]);
        let (literal, used) = spelled(tokens)?;
        let is_light = |(at, token): (usize, &Token)| {
            used.contains(&at)
                || matches!(token.shape, Shape::Mark(_))
                || (token.shape == Shape::Word
                    && (is_word_of("anything", &token.low)
                        || UNSAID.contains(&token.low.as_str())
                        || is_word_of("personal", &token.low)))
        };
        if !is_hidden || !denies || !tokens.iter().enumerate().all(is_light) {
            return None;
        }
        let tests = vec![Test::Says { what: vec![Saying::Words(literal)], parameter: None, is: true }];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "no nightly toolchain, neither in a command nor in a file": a word that is not used.
    pub(super) fn words_unused(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() || self.span_in(tokens).is_some() {
            return None;
        }
        let strange = |token: &Token| {
            token.shape == Shape::Word
                && !is_word_of("anything", &token.low)
                && !is_word_of("unused", &token.low)
                && !self.lexicon.knows(token)
                && !self.hand.has_program(&token.low)
                && !self.hand.has_word(&token.low)
                && token.low.len() > 4
        };
        let is_mark = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.'));
        let part = tokens.split(is_mark).find(|part| {
            part.iter().any(|token| matches!(token.low.as_str(), "no" | "never" | "not" | "don't"))
        })?;
        let is_other =
            part.iter().any(|token| matches!(token.low.as_str(), "other" | "others" | "else" | "more"));
        if is_other || self.acts(core(part)).is_some() || self.clause(core(tokens)).is_some() {
            return None;
        }
        let words: Vec<&Token> = part.iter().filter(|token| strange(token)).collect();
        let [one] = words.as_slice() else { return None };
        let says = |words: &[&str]| tokens.iter().any(|token| words.contains(&token.low.as_str()));
        let is_used =
            says(&["use", "using", "allowed", "command", "commands", "toolchain", "version", "stable"]);
        if !is_used || one.low.ends_with("ing") {
            return None;
        }
        let others = part.iter().filter(|token| token.at != one.at);
        let is_light = |token: &Token| is_word_of("anything", &token.low) || is_word_of("unused", &token.low);
        if !others.clone().all(is_light)
            || tokens.iter().any(|token| !matches!(token.shape, Shape::Word | Shape::Mark(_)))
        {
            return None;
        }
        let what = vec![Saying::Words(one.low.clone())];
        let tests = vec![Test::Says { what, parameter: None, is: true }];
        let doings = vec![Doing::Deed(Deed::Runs), Doing::Deed(Deed::Writes)];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }
}

/// What is spelled out, and which words do it: in brackets, in quotes, or a name with a number behind it.
fn spelled(tokens: &[Token]) -> Option<(String, Vec<usize>)> {
    let joined = |from: usize, to: usize| -> Option<(String, Vec<usize>)> {
        let text =
            tokens.get(from..to)?.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ");
        Some((text, (from..to).collect()))
    };
    let is_literal = |token: &Token| {
        matches!(token.shape, Shape::Number | Shape::Quoted | Shape::Identifier)
            || (token.shape == Shape::Word && token.is_capital())
    };
    if let Some(open) = tokens.iter().position(|token| token.shape == Shape::Mark('(')) {
        let close = tokens.iter().position(|token| token.shape == Shape::Mark(')'))?;
        let inner = tokens.get(open + 1..close).filter(|inner| !inner.is_empty() && inner.len() < 7)?;
        return inner.iter().all(is_literal).then(|| joined(open + 1, close)).flatten();
    }
    if let Some(at) = tokens.iter().position(|token| token.shape == Shape::Quoted) {
        return joined(at, at + 1);
    }
    let at = tokens.iter().position(|token| token.shape == Shape::Number)?;
    let from = at.checked_sub(1).filter(|before| tokens.get(*before).is_some_and(Token::is_capital))?;
    joined(from, at + 1)
}
