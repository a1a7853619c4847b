//! Programs that are not run, and several bans in a row: "go through make, do not call python or pytest yourself", "no npm
//! publish and no tags".

use super::Rules;
use super::sift::Weight;
use crate::english::exact::Exact;
use crate::english::exact::words::{around, core, strip};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Test, Verdict};

/// Programs whose names are ordinary words.
const COMMON: &[&str] = &[
    "test", "make", "find", "time", "install", "at", "code", "open", "cut", "sort", "kill", "watch", "which",
    "start", "env", "date", "file", "link", "sleep", "touch", "who", "write", "yes", "true", "false", "node",
    "go", "move", "type", "copy", "del", "more", "less", "head", "tail", "split", "join", "set", "script",
    "top", "wall", "look", "service", "mail", "id",
];

const DENYING: &[&str] =
    &["no", "not", "never", "don't", "neither", "nor", "without", "avoid", "off", "taboo", "forbidden"];

impl Exact<'_> {
    /// Programs that are named where something is denied.
    pub(super) fn programs_avoided(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() {
            return None;
        }
        let is_program = |token: &Token| {
            matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Quoted)
                && self.hand.has_program(&token.low)
                && !COMMON.contains(&token.low.as_str())
        };
        let sifted = self.sifted(tokens, "avoided", &|_, token| match is_program(token) {
            true => Weight::Anchor,
            false => Weight::Strange,
        })?;
        let mut names = Vec::new();
        for (at, token) in &sifted.anchors {
            let is_end = |token: &Token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.'));
            let own = tokens.get(..*at)?.rsplit(is_end).next().unwrap_or_default();
            let behind = tokens.get(at + 1..)?.split(is_end).next().unwrap_or_default();
            let denies = |token: &Token| DENYING.contains(&token.low.as_str());
            // "use pnpm, not npm": only what is denied itself.
            match own.iter().any(denies) || behind.iter().any(denies) {
                true => names.push(token.low.clone()),
                false => return None,
            }
        }
        let tests = vec![Test::Program { names: names.clone(), is: true }];
        (names.len() > 1 || sifted.has(&["make", "yourself", "directly", "hand"]))
            .then(|| vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "no Slack": nothing is written there.
    fn service_banned(&self, part: &[Token]) -> Option<Rules> {
        let [no, service] = part else { return None };
        let server = self.named_server(service).filter(|_| no.low == "no" && service.is_capital())?;
        let tests = vec![Test::Tool { names: vec![server], is: true }];
        let doings = vec![crate::meaning::Doing::Deed(crate::meaning::Deed::Writes)];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "I tag and publish myself": what somebody does himself is not done for him.
    pub(super) fn done_myself(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = core(tokens);
        let rest = strip(tokens, &["i", "we"])?;
        let verbs =
            crate::english::exact::words::strip_end(rest, &["myself", "ourselves", "on my own", "by hand"])?;
        if verbs.is_empty() || verbs.len() > 5 || !verbs.iter().all(|token| token.shape == Shape::Word) {
            return None;
        }
        let mut rules = Rules::new();
        for verb in crate::english::exact::words::items(verbs) {
            let never: Vec<Token> = std::iter::once(crate::english::exact::told::turned::word("never"))
                .chain(verb.iter().cloned())
                .collect();
            rules.extend(self.acts(&never).or_else(|| self.composed(&never))?);
        }
        Some(rules)
    }

    /// "No npm publish and no tags, I do both myself": each ban by itself.
    pub(super) fn several_bans(&self, tokens: &[Token]) -> Option<Rules> {
        const LEAD: &[&str] = &["no", "never", "don't"];
        let tokens = core(tokens);
        let bans = match around(tokens, &[":"]) {
            Some((told, _, bans))
                if self.tells(told) || strip(told, &["releases are", "release is"]).is_some() =>
            {
                bans
            }
            Some(_) => return None,
            None => tokens,
        };
        let bans = self.without_reasons(bans).0;
        strip(bans, LEAD)?;
        let mut parts = parted(bans);
        if parts.len() < 2 {
            return None;
        }
        // A time at the end counts for all of them.
        let timed = parts.last().and_then(|last| self.span_in(last));
        let is_other = parts
            .split_last()
            .is_some_and(|(_, front)| front.iter().any(|part| self.span_in(part).is_some()));
        let is_either =
            bans.last().is_some_and(|last| matches!(last.low.as_str(), "either" | "too" | "then"));
        if is_other || is_either {
            return None;
        }
        if let (Some((_, at, length)), Some(last)) = (&timed, parts.last_mut()) {
            (*at > 1 && at + length == last.len()).then_some(())?;
            last.truncate(*at);
        }
        let time = |case: &Case| {
            let schedule = crate::meaning::Doing::Did("schedule".to_owned());
            let of_event = case.doings.contains(&schedule);
            timed.clone().map(|(span, ..)| Test::Time { spans: vec![span], is: true, of_event })
        };
        let mut rules = Rules::new();
        for part in &parts {
            let plain = part.iter().all(|token| {
                matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Path | Shape::Flag)
            });
            let read = plain
                .then(|| {
                    self.service_banned(part)
                        .or_else(|| self.acts(core(part)))
                        .or_else(|| self.composed(part))
                })
                .flatten()?;
            rules.extend(read);
        }
        for (_, case) in &mut rules {
            let time = time(case);
            case.tests.extend(time);
        }
        Some(rules)
    }
}

/// The bans of a text, each with the word that denies it.
fn parted(bans: &[Token]) -> Vec<Vec<Token>> {
    const NEXT: &[&str] = &["and no", ", no", "and never", ", never", "and don't", ", don't", ", and no"];
    let mut rest = bans;
    let mut parts: Vec<Vec<Token>> = Vec::new();
    let mut lead: Vec<Token> = Vec::new();
    while let Some((front, phrase, behind)) = around(rest, NEXT) {
        parts.push(lead.iter().chain(front).cloned().collect());
        let denying = phrase.rsplit(' ').next().unwrap_or(phrase);
        lead = vec![crate::english::exact::told::turned::word(denying)];
        rest = behind;
    }
    parts.push(lead.iter().chain(rest).cloned().collect());
    parts
}
