//! Which of several services is used: "search with Brave. Tavily bills us by the call, so don't use that", "Tavily is just
//! for extracting pages".

use super::Rules;
use super::sift::Weight;
use crate::english::exact::Exact;
use crate::english::lexicon::bases;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Test, Verdict};

/// What says that something is not to be used.
const OFF: &[&str] = &[
    "off limits",
    "is off",
    "are off",
    "is out",
    "too expensive",
    "leave it",
    "leave that",
    "is taboo",
    "stay away",
    "stay off",
    "hands off",
    "is banned",
    "is forbidden",
    "leave alone",
    "keep off",
    "out of bounds",
    "instead of",
    "rather than",
];

impl Exact<'_> {
    /// A service that is not used, or for one thing alone.
    pub(super) fn servers_named(&self, tokens: &[Token]) -> Option<Rules> {
        let named: Vec<(usize, String)> =
            tokens.iter().enumerate().filter_map(|(at, token)| Some((at, self.service(token)?))).collect();
        if named.is_empty() {
            return None;
        }
        let sifted = self.sifted(tokens, "servers", &|_, token| match self.service(token) {
            Some(_) => Weight::Anchor,
            None if self.act_of_tool(token).is_some() => Weight::Light,
            None => Weight::Strange,
        })?;
        let mut rules: Rules = Vec::new();
        let mut last: Option<String> = None;
        for part in parts(tokens) {
            self.served(part, last.as_deref(), &mut rules)?;
            last = part.iter().rev().find_map(|token| self.service(token)).or(last);
        }
        (!rules.is_empty() && !sifted.anchors.is_empty()).then_some(rules)
    }

    /// What one part says of the service that it names.
    fn served(&self, part: &[Token], last: Option<&str>, rules: &mut Rules) -> Option<()> {
        let services: Vec<(usize, String)> =
            part.iter().enumerate().filter_map(|(at, token)| Some((at, self.service(token)?))).collect();
        let said = part.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        let has = |phrase: &str| format!(" {said} ").contains(&format!(" {phrase} "));
        let denies = |tokens: &[Token]| {
            tokens.iter().any(|token| {
                matches!(
                    token.low.as_str(),
                    "no" | "not" | "never" | "don't" | "without" | "avoid" | "nor" | "neither" | "than"
                )
            })
        };
        let is_off = OFF.iter().any(|phrase| has(phrase));
        let is_only = ["only", "just", "nothing but", "exclusively"].iter().any(|phrase| has(phrase));
        let act = part.iter().find_map(|token| self.act_of_tool(token));
        match services.as_slice() {
            // "…, leave it alone": of the service before.
            [] if is_off || denies(part) => {
                let refers =
                    part.iter().any(|token| matches!(token.low.as_str(), "it" | "that" | "this" | "one"));
                let tests = vec![Test::Tool { names: vec![last.filter(|_| refers)?.to_owned()], is: true }];
                rules.push((Verdict::Deny, Case { tests, ..Case::default() }));
                Some(())
            }
            [] => Some(()),
            [(at, service)] => {
                let before = denies(part.get(..*at)?);
                let behind = denies(part.get(at + 1..)?);
                if is_off || before || behind {
                    let tests = vec![Test::Tool { names: vec![service.clone()], is: true }];
                    rules.push((Verdict::Deny, Case { tests, ..Case::default() }));
                } else if is_only && let Some(act) = act {
                    let of_it = Test::Tool { names: vec![service.clone()], is: true };
                    let does = Test::Did { actions: vec![act.clone()], is: true };
                    match self.is_for_it(part, *at) {
                        // "Tavily only for extracting": nothing else with it.
                        true => rules.push((
                            Verdict::Deny,
                            Case { tests: vec![of_it], unless: vec![vec![does]], ..Case::default() },
                        )),
                        // "search with Brave only": with nothing else.
                        false => {
                            let doings = vec![crate::meaning::Doing::Did(act)];
                            let tests = vec![Test::Tool { names: vec![service.clone()], is: false }];
                            rules.push((Verdict::Deny, Case { doings, tests, ..Case::default() }));
                        }
                    }
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Whether a service is for something, as opposed to something being done with it alone.
    fn is_for_it(&self, part: &[Token], at: usize) -> bool {
        let behind = part.get(at + 1..).unwrap_or_default();
        let only = |token: &Token| matches!(token.low.as_str(), "only" | "just" | "exclusively");
        behind.iter().any(only) && behind.iter().any(|token| self.act_of_tool(token).is_some())
    }

    /// The service that a word names.
    fn service(&self, token: &Token) -> Option<String> {
        if !matches!(token.shape, Shape::Word | Shape::Identifier) {
            return None;
        }
        let is_common =
            matches!(token.low.as_str(), "fetch" | "time" | "memory" | "git" | "filesystem" | "everything");
        let whole = self.hand.has_server(&token.low).then(|| token.low.clone());
        whole.or_else(|| self.hand.server_like(&token.low)).filter(|_| !is_common)
    }

    /// What a tool does that a word names: `extract` for "extracting".
    fn act_of_tool(&self, token: &Token) -> Option<String> {
        if token.shape != Shape::Word {
            return None;
        }
        const DONE: &[&str] = &["search", "extract", "crawl", "map", "fetch", "scrape", "browse", "research"];
        bases(token).into_iter().find(|base| DONE.contains(&base.as_str()) && self.hand.has_tool_word(base))
    }
}

/// The parts of a text between its marks.
fn parts(tokens: &[Token]) -> impl Iterator<Item = &[Token]> {
    let is_mark = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.' | '!'));
    tokens.split(is_mark).filter(|part| !part.is_empty())
}
