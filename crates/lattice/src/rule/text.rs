//! The text form of a rule, one line each:
//!
//! ```text
//! allow read from /home/u/p/** to ctxt
//! allow write from ctxt to mailto:*@acme.com for session s1 by ann because "weekly report"
//! allow write, del from @workspace to @workspace until 2026-12-01T00:00:00Z via known filesystem
//! allow read from /home/u/p/.env to ctxt carrying secret once
//! deny write, del from anywhere to /home/u/p/.env, /home/u/p/prod/**
//! ```

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use jiff::Timestamp;

use super::{Action, Binding, Boundary, DEFAULT_GRANTOR, Lifetime, Rule};
use crate::error::ParseError;
use crate::flags::{Effect, Effects, Label, Taint};
use crate::scope::Scope;
use crate::text::{Quoting, Words, write_word};

const WHOLE: &str = "allow read from /home/u/p/** to ctxt";

impl FromStr for Rule {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Rule, ParseError> {
        let mut words = Words::new(line);
        let action = read_action(&mut words)?;
        let effects = read_effects(&mut words)?;
        let inputs = read_scopes(&mut words, action, "from")?;
        let outputs = read_scopes(&mut words, action, "to")?;
        let taint = read_taint(&mut words)?;
        let boundary = Boundary { inputs, outputs, taint, effects };
        let lifetime = read_lifetime(&mut words, action)?;
        let binding = read_binding(&mut words, action)?;
        let grantor = read_phrase(&mut words, "by", "by ann")?.unwrap_or_else(|| DEFAULT_GRANTOR.into());
        let reason = read_phrase(&mut words, "because", r#"because "weekly report""#)?.unwrap_or_default();
        if words.position() < line.len() {
            let problem = "this does not belong here; after the scopes come, in this order, \
                           carrying, a lifetime, via, by, because";
            let example =
                r#"allow read from /p/** to ctxt carrying secret once via known git by ann because "x""#;
            return Err(words.error(problem, example));
        }
        Ok(Rule { action, boundary, lifetime, binding, grantor, reason })
    }
}

fn read_action(words: &mut Words<'_>) -> Result<Action, ParseError> {
    if words.keyword("allow") {
        Ok(Action::Allow)
    } else if words.keyword("deny") {
        Ok(Action::Deny)
    } else {
        Err(words.error("a rule begins with `allow` or `deny`", WHOLE))
    }
}

fn read_effects(words: &mut Words<'_>) -> Result<Effects, ParseError> {
    let names = "an effect was expected: read, write, del, exec or spawn";
    let mut effects = Effects::EMPTY;
    loop {
        let at = words.position();
        let effect = words.next()?.filter(|word| !word.quoted).and_then(|word| Effect::from_name(&word.text));
        let Some(effect) = effect else { return Err(ParseError::new(words.line(), at, names, WHOLE)) };
        effects = effects.with(effect);
        if !words.comma() {
            return Ok(effects);
        }
    }
}

fn read_scopes(words: &mut Words<'_>, action: Action, side: &'static str) -> Result<Vec<Scope>, ParseError> {
    if !words.keyword(side) {
        return Err(words.error(format!("`{side}` was expected"), WHOLE));
    }
    let mut scopes = Vec::new();
    loop {
        let at = words.position();
        let scope = Scope::read(words)?;
        if scope == Scope::Anywhere && action == Action::Allow {
            let problem = "only a deny can say `anywhere`; an allow names at most a realm";
            return Err(ParseError::new(words.line(), at, problem, "allow read from local to ctxt"));
        }
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
        if !words.comma() {
            return Ok(scopes);
        }
    }
}

fn read_taint(words: &mut Words<'_>) -> Result<Taint, ParseError> {
    let mut taint = Taint::EMPTY;
    if !words.keyword("carrying") {
        return Ok(taint);
    }
    loop {
        let at = words.position();
        let label = words.next()?.filter(|word| !word.quoted).and_then(|word| Label::from_name(&word.text));
        let Some(label) = label else {
            let problem = "a label was expected: secret or untrusted";
            return Err(ParseError::new(words.line(), at, problem, "carrying secret"));
        };
        taint = taint.with(label);
        if !words.comma() {
            return Ok(taint);
        }
    }
}

fn read_lifetime(words: &mut Words<'_>, action: Action) -> Result<Lifetime, ParseError> {
    let at = words.position();
    if words.keyword("once") {
        if action == Action::Deny {
            let problem = "a deny cannot hold once: refusing one call needs no rule";
            return Err(ParseError::new(words.line(), at, problem, "for session s1"));
        }
        return Ok(Lifetime::Once);
    }
    if words.keyword("until") {
        let at = words.position();
        let time = words.next()?.and_then(|word| word.text.parse::<Timestamp>().ok());
        let problem = "a time with its offset was expected";
        return time
            .map(Lifetime::Until)
            .ok_or_else(|| ParseError::new(words.line(), at, problem, "until 2026-12-01T00:00:00Z"));
    }
    if words.keyword("for") {
        let session = if words.keyword("session") { words.next()? } else { None };
        return match session {
            Some(name) => Ok(Lifetime::Session(name.text.into())),
            None => Err(words.error("the session's name is missing", "for session s1")),
        };
    }
    words.keyword("always");
    Ok(Lifetime::Always)
}

fn read_binding(words: &mut Words<'_>, action: Action) -> Result<Binding, ParseError> {
    let at = words.position();
    if !words.keyword("via") {
        return Ok(Binding::Unbound);
    }
    if action == Action::Deny {
        let problem = "a deny holds whatever the server";
        return Err(ParseError::new(words.line(), at, problem, "deny write from anywhere to /home/u/p/.env"));
    }
    let known = words.keyword("known");
    match words.next()? {
        Some(name) if known => Ok(Binding::Known(name.text.into())),
        Some(name) => Ok(Binding::Own(name.text.into())),
        None => Err(words.error("the server's name is missing", "via filesystem")),
    }
}

fn read_phrase(
    words: &mut Words<'_>,
    keyword: &str,
    example: &'static str,
) -> Result<Option<Box<str>>, ParseError> {
    if !words.keyword(keyword) {
        return Ok(None);
    }
    match words.next()? {
        Some(word) => Ok(Some(word.text.into())),
        None => Err(words.error(format!("something is missing after `{keyword}`"), example)),
    }
}

/// The line that is read back as the same rule. What is usual is left out.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = match self.action {
            Action::Allow => "allow",
            Action::Deny => "deny",
        };
        write!(f, "{action} {}", self.boundary)?;
        match &self.lifetime {
            Lifetime::Always => {}
            Lifetime::Once => f.write_str(" once")?,
            Lifetime::Until(time) => write!(f, " until {time}")?,
            Lifetime::Session(name) => {
                f.write_str(" for session ")?;
                write_word(f, name, Quoting::AsNeeded)?;
            }
        }
        match &self.binding {
            Binding::Unbound => {}
            Binding::Known(name) => {
                f.write_str(" via known ")?;
                write_word(f, name, Quoting::AsNeeded)?;
            }
            Binding::Own(name) => {
                f.write_str(" via ")?;
                let quoting = if &**name == "known" { Quoting::Always } else { Quoting::AsNeeded };
                write_word(f, name, quoting)?;
            }
        }
        if &*self.grantor != DEFAULT_GRANTOR {
            f.write_str(" by ")?;
            write_word(f, &self.grantor, Quoting::AsNeeded)?;
        }
        if !self.reason.is_empty() {
            f.write_str(" because ")?;
            write_word(f, &self.reason, Quoting::Always)?;
        }
        Ok(())
    }
}

/// The middle of a rule: effects, places, labels.
impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.effects, List(&self.inputs), List(&self.outputs))?;
        match self.taint.is_empty() {
            true => Ok(()),
            false => write!(f, " carrying {}", self.taint),
        }
    }
}

struct List<'s>(&'s [Scope]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, scope) in self.0.iter().enumerate() {
            if position > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{scope}")?;
        }
        Ok(())
    }
}
