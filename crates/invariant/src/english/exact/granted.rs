//! What a sentence lets pass nevertheless, whatever read its rule: "…, a reaction is ok", "… Reading is fine.", "/tmp is fine too".

use super::Exact;
use super::aside::FINE;
use super::words::{strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Meaning, Place, Test};

/// Something that may be done.
enum Grant {
    /// Looking at what the rule is about.
    Reading,
    /// Something that would else be some of what is forbidden.
    Act(Vec<Test>),
    /// The same somewhere else.
    There(Vec<Place>),
}

/// Words behind leave that say no more than that it is given.
const ANYHOW: &[&str] = &[
    "too",
    "also",
    "as well",
    "everywhere",
    "anywhere",
    "any time",
    "anytime",
    "at any time",
    "always",
    "though",
    "of course",
    "all day",
    "in any case",
    "with me",
    "by me",
];

/// Acts of commands: one line may do them and what is forbidden, so they lift nothing.
const OF_COMMANDS: &[&str] =
    &["download", "upload", "http read", "http write", "execute", "run", "copy", "install", "fetch", "query"];

impl Exact<'_> {
    /// Takes out of rules what their sentence lets pass.
    pub(in crate::english) fn let_pass(&self, tokens: &[Token], meanings: &mut [Meaning]) {
        let parts = parts(tokens);
        // Of several rules nobody knows which one is meant.
        if parts.len() < 2 || parts.iter().filter(|part| part.iter().any(rules)).count() > 1 {
            return;
        }
        for grant in parts.into_iter().filter_map(|part| self.grant(part)) {
            let cases = meanings.iter_mut().flat_map(|meaning| &mut meaning.cases);
            cases.for_each(|case| grant.lift(case));
        }
    }

    /// What a part of a sentence allows.
    fn grant(&self, part: &[Token]) -> Option<Grant> {
        let part = strip(part, &["and", "but", "though", "of course"]).unwrap_or(part);
        let part = strip_end(part, ANYHOW).unwrap_or(part);
        let allowed = strip_end(part, FINE).filter(|allowed| (1..=5).contains(&allowed.len()))?;
        let allowed = strip_end(allowed, &["also", "too"]).unwrap_or(allowed);
        if is_looking(allowed) {
            return Some(Grant::Reading);
        }
        let stands = |token: &Token| {
            matches!(token.shape, Shape::Path | Shape::Host | Shape::Address)
                || matches!(token.low.as_str(), "and" | "or")
        };
        if allowed.iter().all(stands) {
            return self.named_places(allowed).map(Grant::There);
        }
        let (allowed, server) = self.with_server(allowed);
        let said = [allowed, &words_of(&["is", "fine"])].concat();
        let mut exceptions = self.permission(&said)?;
        let mut act = exceptions.pop().filter(|_| exceptions.is_empty())?;
        act.extend(server.map(|server| Test::Tool { names: vec![server], is: true }));
        Some(Grant::Act(act))
    }

    /// "posting in Slack": what is done, and where.
    fn with_server<'t>(&self, allowed: &'t [Token]) -> (&'t [Token], Option<String>) {
        match allowed {
            [done @ .., link, server]
                if !done.is_empty()
                    && matches!(link.low.as_str(), "in" | "on" | "to" | "via")
                    && self.hand.has_server(&server.low) =>
            {
                (done, Some(server.low.clone()))
            }
            allowed => (allowed, None),
        }
    }
}

impl Grant {
    fn lift(&self, case: &mut Case) {
        match self {
            Grant::Reading => lift_reading(case),
            Grant::Act(act) => {
                let is_broad = |doing: &Doing| {
                    matches!(doing, Doing::Deed(Deed::Changes | Deed::Writes | Deed::Sends | Deed::Involves))
                };
                if !is_of_commands(act)
                    && !wants(case, act)
                    && case.doings.iter().all(is_broad)
                    && !case.unless.contains(act)
                {
                    case.unless.push(act.clone());
                }
            }
            Grant::There(more) => {
                for test in &mut case.tests {
                    // A folder more where folders are, somebody more where people and their hosts are.
                    let is_folder = |place: &Place| matches!(place, Place::Path(_));
                    let is_host = |place: &Place| {
                        matches!(place, Place::Domain(_) | Place::Address(_) | Place::Page(_))
                    };
                    if let Test::Place { places, inside: false, .. } = test
                        && (places.iter().chain(more).all(is_folder)
                            || places.iter().chain(more).all(is_host))
                    {
                        places.extend(more.iter().cloned());
                    }
                }
            }
        }
    }
}

/// Whether a case is about the very act: "no thread replies, new messages are ok" is about posting in a thread.
fn wants(case: &Case, act: &[Test]) -> bool {
    case.tests.iter().any(|test| act.contains(test))
}

/// Whether something is done by commands.
pub(in crate::english) fn is_of_commands(act: &[Test]) -> bool {
    act.iter().any(|test| {
        matches!(test, Test::Did { actions, .. }
            if actions.iter().any(|action| OF_COMMANDS.contains(&action.as_str())))
    })
}

/// Where anything was forbidden, only changes are; where an argument was, looking things up is not.
fn lift_reading(case: &mut Case) {
    if case.doings == [Doing::Deed(Deed::Involves)] {
        case.doings = vec![Doing::Deed(Deed::Changes)];
        return;
    }
    let looked_up = vec![Test::Did { actions: vec!["look something up".to_owned()], is: true }];
    let is_of_argument = case.tests.iter().any(|test| matches!(test, Test::Value { .. }));
    if case.doings.is_empty() && is_of_argument && !case.unless.contains(&looked_up) {
        case.unless.push(looked_up);
    }
}

/// Whether it is looked at something and no more.
fn is_looking(tokens: &[Token]) -> bool {
    const LOOKING: &[&str] = &[
        "reading",
        "looking",
        "looking at",
        "looking around",
        "looking in",
        "viewing",
        "read access",
        "a look",
        "having a look",
    ];
    const THERE: &[&str] = &["it", "them", "there", "in there", "in it", "that", "those", "these", "only"];
    let tokens = strip_end(tokens, THERE).unwrap_or(tokens);
    strip(tokens, LOOKING).is_some_and(<[Token]>::is_empty)
}

/// Words that make a rule.
fn rules(token: &Token) -> bool {
    const RULING: &[&str] = &[
        "never", "no", "not", "don't", "dont", "nothing", "nobody", "none", "only", "must", "hands", "off",
        "keep", "leave", "stay", "ask", "cannot", "can't", "mustn't",
    ];
    token.shape == Shape::Word && RULING.contains(&token.low.as_str())
}

/// What stands between marks.
fn parts(tokens: &[Token]) -> Vec<&[Token]> {
    let ends = |token: &Token| matches!(token.shape, Shape::Mark('.' | ',' | ';' | '!' | ':'));
    tokens.split(ends).filter(|part| !part.is_empty()).collect()
}

fn words_of(words: &[&str]) -> Vec<Token> {
    words.iter().map(|word| super::told::turned::word(word)).collect()
}
