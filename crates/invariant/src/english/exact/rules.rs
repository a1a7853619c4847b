//! Rules about arguments: what each must be, must not be, must have.

mod bans;
mod needs;

use super::Exact;
use super::values::parameter::Parameter;
use super::values::predicate::Predicate;
use super::words::{begins, strip};
use crate::english::amount::Compare;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Whether something must be so or must not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Polarity {
    Must,
    Never,
}

/// How a subject is bound to what is said of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bond {
    Be,
    Start,
    End,
    Have,
    Filter,
    Exceed,
}

/// Words of wish, each with what it wishes.
const MODALS: &[(&str, Polarity)] = &[
    ("must always", Polarity::Must),
    ("must never", Polarity::Never),
    ("must not", Polarity::Never),
    ("mustn't", Polarity::Never),
    ("must only", Polarity::Must),
    ("must", Polarity::Must),
    ("should always", Polarity::Must),
    ("should never", Polarity::Never),
    ("should not", Polarity::Never),
    ("shouldn't", Polarity::Never),
    ("should", Polarity::Must),
    ("shall not", Polarity::Never),
    ("shall", Polarity::Must),
    ("has to always", Polarity::Must),
    ("always has to", Polarity::Must),
    ("always have to", Polarity::Must),
    ("has to", Polarity::Must),
    ("have to", Polarity::Must),
    ("needs to", Polarity::Must),
    ("need to", Polarity::Must),
    ("may not", Polarity::Never),
    ("may never", Polarity::Never),
    ("may only", Polarity::Must),
    ("can only", Polarity::Must),
    ("cannot", Polarity::Never),
    ("can't", Polarity::Never),
    ("can not", Polarity::Never),
    ("never", Polarity::Never),
    ("do not", Polarity::Never),
    ("don't", Polarity::Never),
    ("does not", Polarity::Never),
    ("doesn't", Polarity::Never),
    ("is never to", Polarity::Never),
    ("are never to", Polarity::Never),
    ("is not to", Polarity::Never),
    ("are not to", Polarity::Never),
    ("always", Polarity::Must),
    ("", Polarity::Must),
];

/// Verbs that bind, with what they may have in them.
const BONDS: &[(&str, Bond, Option<Polarity>)] = &[
    ("be", Bond::Be, None),
    ("always be", Bond::Be, None),
    ("is always", Bond::Be, None),
    ("are always", Bond::Be, None),
    ("is never", Bond::Be, Some(Polarity::Never)),
    ("are never", Bond::Be, Some(Polarity::Never)),
    ("is not", Bond::Be, Some(Polarity::Never)),
    ("are not", Bond::Be, Some(Polarity::Never)),
    ("isn't", Bond::Be, Some(Polarity::Never)),
    ("aren't", Bond::Be, Some(Polarity::Never)),
    ("is", Bond::Be, None),
    ("are", Bond::Be, None),
    ("is only", Bond::Be, None),
    ("are only", Bond::Be, None),
    ("stay", Bond::Be, None),
    ("stays", Bond::Be, None),
    ("remain", Bond::Be, None),
    ("remains", Bond::Be, None),
    ("be kept", Bond::Be, None),
    ("be set to", Bond::Be, None),
    ("start with", Bond::Start, None),
    ("starts with", Bond::Start, None),
    ("begin with", Bond::Start, None),
    ("begins with", Bond::Start, None),
    ("end with", Bond::End, None),
    ("ends with", Bond::End, None),
    ("end in", Bond::End, None),
    ("ends in", Bond::End, None),
    ("have", Bond::Have, None),
    ("has", Bond::Have, None),
    ("consist of", Bond::Have, None),
    ("consists of", Bond::Have, None),
    ("contain", Bond::Have, None),
    ("contains", Bond::Have, None),
    ("include", Bond::Have, None),
    ("includes", Bond::Have, None),
    ("mention", Bond::Have, None),
    ("mentions", Bond::Have, None),
    ("carry", Bond::Have, None),
    ("carries", Bond::Have, None),
    ("get", Bond::Have, None),
    ("gets", Bond::Have, None),
    ("need", Bond::Have, None),
    ("needs", Bond::Have, None),
    ("require", Bond::Have, None),
    ("requires", Bond::Have, None),
    ("come with", Bond::Have, None),
    ("comes with", Bond::Have, None),
    ("use", Bond::Have, None),
    ("uses", Bond::Have, None),
    ("bear", Bond::Have, None),
    ("bears", Bond::Have, None),
    ("go with", Bond::Have, None),
    ("set", Bond::Have, None),
    ("filter on", Bond::Filter, None),
    ("filter by", Bond::Filter, None),
    ("filters on", Bond::Filter, None),
    ("be filtered by", Bond::Filter, None),
    ("be filtered on", Bond::Filter, None),
    ("have a filter on", Bond::Filter, None),
    ("needs a filter on", Bond::Filter, None),
    ("exceed", Bond::Exceed, None),
    ("exceeds", Bond::Exceed, None),
    ("be longer than", Bond::Exceed, None),
];

/// In front of all that a text may have.
const ALONE: &[&str] = &["only", "nothing but", "nothing except", "no other characters than", "just"];

/// A word of wish and a verb at the beginning of these words: what is wished, how it binds, and what follows.
pub(super) fn bond(tokens: &[Token]) -> Option<(Polarity, Bond, &[Token])> {
    let modals = MODALS.iter().filter_map(|(phrase, polarity)| match phrase.is_empty() {
        true => Some((0, *polarity)),
        false => Some((begins(tokens, phrase)?, *polarity)),
    });
    let (length, polarity) = modals.max_by_key(|(length, _)| *length)?;
    let rest = tokens.get(length..)?;
    let verbs = BONDS.iter().filter_map(|verb| Some((begins(rest, verb.0)?, verb)));
    let (more, (_, bond, own)) = verbs.max_by_key(|(length, _)| *length)?;
    let polarity = own.unwrap_or(polarity);
    Some((polarity, *bond, rest.get(more..)?))
}

impl Exact<'_> {
    /// What a clause states about arguments.
    pub(super) fn arguments(&self, tokens: &[Token]) -> Option<Rules> {
        self.in_brackets(tokens)
            .or_else(|| self.stated(tokens))
            .or_else(|| self.degrees(tokens))
            .or_else(|| self.kept(tokens))
            .or_else(|| self.banned(tokens))
            .or_else(|| self.as_flag(tokens))
            .or_else(|| self.only_values(tokens))
            .or_else(|| self.set_so(tokens))
            .or_else(|| self.given_to(tokens))
    }

    /// "Pull request titles must start with a ticket": a subject and what is said of it.
    fn stated(&self, tokens: &[Token]) -> Option<Rules> {
        // "… and never end with a period": of what was spoken of before.
        let last = self.last.borrow().clone();
        if let Some(last) = last
            && let Some((polarity, bond, rest)) = bond(tokens)
            && matches!(bond, Bond::Start | Bond::End | Bond::Be | Bond::Exceed)
            && let Some(predicate) = self.said(bond, rest, &last.names)
        {
            return self.ruled(&last, &predicate, polarity);
        }
        (1..tokens.len()).find_map(|at| {
            let (polarity, bond, rest) = bond(tokens.get(at..)?)?;
            let subject = tokens.get(..at)?;
            if let Some(parameter) = self.parameter(subject) {
                let Some(predicate) = self.said(bond, rest, &parameter.names) else {
                    let is_short = subject.len() < 7
                        && !subject.iter().any(|token| matches!(token.shape, Shape::Mark(_)));
                    if parameter.owner.is_some() && is_short {
                        *self.half.borrow_mut() = Some(super::words::text(subject));
                    }
                    return None;
                };
                return self.ruled(&parameter, &predicate, polarity);
            }
            self.needed(subject, polarity, bond, rest)
        })
    }

    /// What is said of an argument behind a verb.
    pub(super) fn said(&self, bond: Bond, rest: &[Token], names: &[String]) -> Option<Predicate> {
        match bond {
            Bond::Be => self.predicate(rest, names),
            Bond::Start => Some(Predicate::So(Check::Forms(self.affixes(rest, false)?))),
            Bond::End => Some(Predicate::So(Check::Forms(self.affixes(rest, true)?))),
            // "branch names have no spaces"
            Bond::Have if strip(rest, &["no", "neither", "not any"]).is_some() => {
                self.having(strip(rest, &["no", "neither", "not any"])?).map(Predicate::Lacks)
            }
            Bond::Have if strip(rest, ALONE).is_some() => {
                let other = super::values::predicate::other_signs(strip(rest, ALONE)?)?;
                Some(Predicate::Lacks(other))
            }
            Bond::Have => match self.having(rest) {
                Some(forms) => Some(Predicate::So(Check::Forms(forms))),
                None => self.predicate(rest, names).filter(|found| matches!(found, Predicate::Long { .. })),
            },
            Bond::Filter => None,
            Bond::Exceed => {
                let (compare, unit) = (Compare::Above, "character");
                match self.predicate(rest, names) {
                    Some(found) => Some(found),
                    None => {
                        let (number, length) = crate::english::amount::read_number(rest)?;
                        let behind = rest.get(length..)?;
                        let is_long =
                            strip(behind, &["characters", "letters"]).is_some_and(<[Token]>::is_empty);
                        match behind.is_empty() {
                            true => Some(Predicate::So(Check::Above(number))),
                            false => is_long.then_some(Predicate::Long { unit, compare, number }),
                        }
                    }
                }
            }
        }
    }

    /// The rule that an argument be so, or not.
    pub(super) fn ruled(
        &self,
        parameter: &Parameter,
        predicate: &Predicate,
        polarity: Polarity,
    ) -> Option<Rules> {
        let tests = broken(&parameter.names, predicate, polarity)?;
        *self.last.borrow_mut() = Some(parameter.clone());
        let is_missing = matches!(tests.as_slice(), [Test::Value { presence: Presence::Missing, .. }]);
        let (doings, scoped) = match &parameter.owner {
            Some(owner) if is_missing => owner.made(),
            Some(owner) => owner.written(),
            None if is_missing => return None,
            None => (self.doings_of(&parameter.names), Vec::new()),
        };
        Some(refused(doings, scoped, tests))
    }

    /// What is done by calls that have such an argument: arguments of searches say what is looked for, others what is
    /// made.
    pub(super) fn doings_of(&self, names: &[String]) -> Vec<Doing> {
        const LOOKING: &[&str] = &[
            "query",
            "q",
            "url",
            "uri",
            "search",
            "limit",
            "count",
            "max result",
            "time range",
            "freshness",
            "depth",
            "max depth",
            "head",
            "tail",
            "timeout",
            "timeout m",
            "timeout ms",
            "per page",
            "page size",
            "num result",
            "top",
        ];
        // What only tools that look have is said of looking.
        const LOOKS: &[&str] = &[
            "search", "fetch", "scrape", "crawl", "map", "extract", "read", "get", "list", "find", "query",
            "browse", "log", "show", "diff", "status",
        ];
        let looks =
            |tool: &String| crate::names::words(tool).iter().any(|word| LOOKS.contains(&word.as_str()));
        let tools: Vec<String> = names.iter().flat_map(|name| self.hand.tools_with(name)).collect();
        let is_looking = !tools.is_empty() && tools.iter().all(looks);
        match is_looking || names.iter().any(|name| LOOKING.contains(&name.as_str())) {
            true => Vec::new(),
            false => vec![Doing::Deed(Deed::Writes), Doing::Deed(Deed::Runs)],
        }
    }
}

/// The tests of which all hold where something is not as it must be.
pub(super) fn broken(names: &[String], predicate: &Predicate, polarity: Polarity) -> Option<Vec<Test>> {
    // A text that people write freely is no time: "no messages between 12:00 and 13:00" says when.
    let is_free = names.iter().all(|name| super::values::predicate::FREE.contains(&name.as_str()));
    if is_free && matches!(predicate, Predicate::So(Check::During(_))) {
        return None;
    }
    let value =
        |check: Check, presence: Presence| vec![Test::Value { names: names.to_vec(), check, presence }];
    Some(match (predicate, polarity) {
        (Predicate::So(check), Polarity::Must) => value(check.clone(), Presence::Other),
        (Predicate::So(check), Polarity::Never) => value(check.clone(), Presence::One),
        (Predicate::Lacks(forms), Polarity::Must) => value(Check::Forms(forms.clone()), Presence::One),
        (Predicate::Lacks(forms), Polarity::Never) => value(Check::Forms(forms.clone()), Presence::Other),
        (Predicate::Present, Polarity::Must) | (Predicate::Empty, Polarity::Never) => {
            value(Check::Anything, Presence::Missing)
        }
        (Predicate::Empty, Polarity::Must) | (Predicate::Present, Polarity::Never) => {
            value(Check::Anything, Presence::One)
        }
        (Predicate::Long { unit, compare, number }, _) => {
            let is_wished = polarity == Polarity::Must;
            let (above, is) = match (compare, is_wished) {
                (Compare::AtMost, true) | (Compare::Above, false) => (*number, true),
                (Compare::Below, true) | (Compare::AtLeast, false) => (number.checked_sub(1)?, true),
                (Compare::AtLeast, true) | (Compare::Below, false) => (number.checked_sub(1)?, false),
                (Compare::Above, true) | (Compare::AtMost, false) => (*number, false),
                (Compare::Equal, _) => return None,
            };
            let long = |name: &String| {
                let word = name.rsplit(' ').next().unwrap_or(name);
                vec![Test::Measure { unit: format!("{unit} of {word}"), above, is }]
            };
            match names {
                [one] => long(one),
                several => vec![Test::Any(several.iter().map(long).collect())],
            }
        }
    })
}

pub(super) fn refused(doings: Vec<Doing>, mut tests: Vec<Test>, more: Vec<Test>) -> Rules {
    tests.extend(more);
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}
