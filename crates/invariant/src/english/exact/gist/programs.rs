//! Programs that are not run, and several bans in a row: "go through make, do not call python or pytest yourself", "no npm
//! publish and no tags".

use super::Rules;
use super::sift::Weight;
use crate::english::exact::Exact;
use crate::english::exact::words::{around, core, strip};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Test, Verdict};

impl Exact<'_> {
    /// Programs that are named where something is denied.
    pub(super) fn programs_avoided(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() {
            return None;
        }
        let is_program = |token: &Token| {
            matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Quoted)
                && self.hand.has_program(&token.low)
                && !matches!(
                    token.low.as_str(),
                    "test"
                        | "make"
                        | "find"
                        | "time"
                        | "install"
                        | "at"
                        | "code"
                        | "open"
                        | "cut"
                        | "sort"
                        | "kill"
                        | "watch"
                        | "which"
                        | "start"
                        | "env"
                        | "date"
                        | "file"
                        | "link"
                        | "sleep"
                        | "touch"
                        | "who"
                        | "write"
                        | "yes"
                        | "true"
                        | "false"
                        | "node"
                        | "go"
                        | "move"
                        | "type"
                        | "copy"
                        | "del"
                        | "more"
                        | "less"
                        | "head"
                        | "tail"
                        | "split"
                        | "join"
                        | "set"
                        | "script"
                        | "top"
                        | "wall"
                        | "look"
                        | "service"
                        | "mail"
                        | "id"
                )
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
            let denies = |token: &Token| {
                matches!(
                    token.low.as_str(),
                    "no" | "not"
                        | "never"
                        | "don't"
                        | "neither"
                        | "nor"
                        | "without"
                        | "avoid"
                        | "off"
                        | "taboo"
                        | "forbidden"
                )
            };
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

    /// "No npm publish and no tags, I do both myself": each ban by itself.
    pub(super) fn several_bans(&self, tokens: &[Token]) -> Option<Rules> {
        const NEXT: &[&str] = &["and no", ", no", "and never", ", never", "and don't", ", don't", ", and no"];
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
        if parts.len() < 2 || self.span_in(bans).is_some() {
            return None;
        }
        let mut rules = Rules::new();
        for part in &parts {
            let plain = part.iter().all(|token| {
                matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Path | Shape::Flag)
            });
            let read = plain.then(|| self.acts(core(part)).or_else(|| self.composed(part))).flatten()?;
            rules.extend(read);
        }
        Some(rules)
    }
}
