//! Anything that is done, with anything that is said of it: "no HTML mails to customers on Fridays", "push only to
//! feature branches", "every search needs a time range". What is done and what is said of it are read apart from each
//! other, so that each of the one goes with each of the other.

mod event;
mod phrases;
mod qualifier;

pub(in crate::english::exact) use qualifier::schedules;

use super::Exact;
use super::rules::{Bond, Polarity, bond};
use super::scope::Scope;
use super::words::{around, bare, core, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Test, Verdict};
use phrases::{ALWAYS, ASKED, ASKING, DENYING, EXCEPT, FORBIDDEN, GOING, KEEPING};

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// What a clause states about calls of a kind.
    pub(crate) fn composed(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = core(tokens);
        if tokens.len() < 2 || tokens.len() > 30 {
            return None;
        }
        let one_clause = || {
            if !event::is_list(tokens) {
                return None;
            }
            self.asked_about(tokens)
                .or_else(|| self.forbidden(tokens))
                .or_else(|| self.only_so(tokens))
                .or_else(|| self.must_be_so(tokens))
        };
        self.excepted(tokens)
            .or_else(|| self.led(tokens))
            .or_else(one_clause)
            .filter(|rules| !rules.iter().any(|(_, case)| is_broad(case)))
    }

    /// "… except to acme.com": what is not meant.
    fn excepted(&self, tokens: &[Token]) -> Option<Rules> {
        let (front, _, exception) = around(tokens, EXCEPT)?;
        let front = strip_end(front, &[","]).unwrap_or(front);
        let mut rules = self.composed(front)?;
        for (_, case) in &mut rules {
            let scope = Scope { doings: case.doings.clone(), tests: case.tests.clone(), ..Scope::default() };
            let tests = self.qualifier(exception, &scope).or_else(|| {
                let event = self.event(exception)?;
                let mut tests = event.tests;
                tests.extend(did(&event.doings)?);
                Some(tests)
            })?;
            case.unless.push(tests);
        }
        Some(rules)
    }

    /// "In docs/: no images", "On Fridays, no deploys": where or when the rest counts.
    fn led(&self, tokens: &[Token]) -> Option<Rules> {
        let at = tokens.iter().position(|token| matches!(token.shape, Shape::Mark(',' | ':')))?;
        let (lead, rest) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        if lead.len() > 10 || rest.is_empty() {
            return None;
        }
        let tests = self.lead(lead)?;
        let mut rules = self.clause(core(rest)).or_else(|| self.composed(rest))?;
        let has_time = |case: &Case| case.tests.iter().any(|test| matches!(test, Test::Time { .. }));
        let is_time = matches!(tests.as_slice(), [Test::Time { .. }]);
        if is_time && rules.iter().any(|(_, case)| has_time(case)) {
            return None;
        }
        for (_, case) in &mut rules {
            let mut all = tests.clone();
            if let [Test::Time { of_event, .. }] = all.as_mut_slice() {
                *of_event = qualifier::schedules(&case.doings);
            }
            case.tests.extend(all);
        }
        Some(rules)
    }

    /// What leads: a time, or a place with its preposition.
    fn lead(&self, tokens: &[Token]) -> Option<Vec<Test>> {
        let anything = Scope::default();
        if let Some(time) = self.when_only(tokens, &anything) {
            return Some(vec![time]);
        }
        let first = tokens.first()?;
        let is_between = matches!(
            first.low.as_str(),
            "in" | "on" | "under" | "inside" | "within" | "below" | "at" | "for" | "to" | "outside"
        );
        is_between.then(|| self.qualifier(tokens, &anything)).flatten()
    }

    /// "Ask me before any push to main."
    fn asked_about(&self, tokens: &[Token]) -> Option<Rules> {
        let what = strip(tokens, ASKING).or_else(|| strip_end(tokens, ASKED))?;
        let events = self.events(strip(what, &["you", "any", "every", "each"]).unwrap_or(what))?;
        Some(events.into_iter().map(|event| (Verdict::Ask, case(event.written()))).collect())
    }

    /// "No pushes to main", "mails with attachments are forbidden", "attachments must never be sent to outsiders".
    fn forbidden(&self, tokens: &[Token]) -> Option<Rules> {
        let named = strip(tokens, DENYING).and_then(|rest| self.events(rest));
        let named = named.or_else(|| self.events(strip_end(tokens, FORBIDDEN)?));
        let events = named.or_else(|| self.done_to_it(tokens))?;
        Some(events.into_iter().map(|event| (Verdict::Deny, case(event.written()))).collect())
    }

    /// "Push only to feature branches", "only mail people at acme.com", "draft pull requests only".
    fn only_so(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rest) = strip(tokens, &["only", "just", "exclusively"]) {
            let parts = (1..rest.len()).find_map(|at| {
                let event = self.plain_event(rest.get(..at)?)?;
                let tests = self.qualifiers(rest.get(at..)?, &event)?;
                Some((event, tests))
            });
            let (event, tests) = parts.or_else(|| self.described_event(rest))?;
            return Some(otherwise(event, tests));
        }
        if let Some(front) = strip_end(tokens, &["only", "and nothing else", "exclusively"])
            && let Some((event, tests)) = self.described_event(front)
        {
            return Some(otherwise(event, tests));
        }
        let (front, _, behind) = around(tokens, &["only", ": only", "exclusively", "nowhere but", "solely"])?;
        let event = self.event(strip_end(front, ALWAYS).unwrap_or(front))?;
        let behind = strip_end(behind, &["and nowhere else", ", nowhere else", "and to nobody else"])
            .unwrap_or(behind);
        let tests = self.qualifiers(behind, &event)?;
        Some(otherwise(event, tests))
    }

    /// "Every mail must have a subject", "commits go to feature branches", "keep uploads under 5 MB".
    fn must_be_so(&self, tokens: &[Token]) -> Option<Rules> {
        if let Some(rest) = strip(tokens, KEEPING) {
            let parts = (1..rest.len()).find_map(|at| {
                let event = self.event(rest.get(..at)?)?;
                Some((self.qualifiers(rest.get(at..)?, &event)?, event))
            });
            let (tests, event) = parts?;
            return Some(otherwise(event, tests));
        }
        (1..tokens.len()).find_map(|at| {
            let rest = tokens.get(at..)?;
            let subject = tokens.get(..at)?;
            if let Some(behind) = strip(rest, GOING) {
                let event = self.event(subject)?;
                let first = behind.first()?.low.as_str();
                let is_place = matches!(
                    first,
                    "to" | "into"
                        | "in"
                        | "on"
                        | "under"
                        | "through"
                        | "via"
                        | "inside"
                        | "within"
                        | "at"
                        | "against"
                );
                let tests = is_place.then(|| self.qualifiers(behind, &event)).flatten()?;
                return Some(otherwise(event, tests));
            }
            let (polarity, bond, behind) = bond(rest)?;
            let event = self.event(subject)?;
            let tests = match bond {
                Bond::Have => self.attribute(behind, &event)?,
                Bond::Be | Bond::Exceed => self.qualifiers(behind, &event)?,
                Bond::Start | Bond::End | Bond::Filter => return None,
            };
            Some(match polarity {
                Polarity::Must => otherwise(event, tests),
                Polarity::Never => {
                    let (doings, mut own) = event.written();
                    own.extend(tests);
                    vec![(Verdict::Deny, Case { doings, tests: own, ..Case::default() })]
                }
            })
        })
    }
}

/// Whether nearly every call would be concerned, which is hardly what is meant.
fn is_broad(case: &Case) -> bool {
    use crate::meaning::Doing;
    let is_deed = |doing: &Doing| matches!(doing, Doing::Deed(_));
    case.doings.iter().all(is_deed) && case.tests.is_empty() && case.unless.is_empty()
}

/// What is done where it is not so.
fn otherwise(event: Scope, tests: Vec<Test>) -> Rules {
    let (doings, own) = event.written();
    vec![(Verdict::Deny, Case { doings, tests: own, unless: vec![tests] })]
}

fn case((doings, tests): (Vec<crate::meaning::Doing>, Vec<Test>)) -> Case {
    Case { doings, tests, ..Case::default() }
}

/// Doings as a test of what is done besides.
fn did(doings: &[crate::meaning::Doing]) -> Option<Option<Test>> {
    use crate::meaning::Doing;
    let names: Option<Vec<String>> = doings
        .iter()
        .map(|doing| match doing {
            Doing::Did(name) => Some(name.clone()),
            Doing::Deed(_) => None,
        })
        .collect();
    names.map(|actions| (!actions.is_empty()).then_some(Test::Did { actions, is: true }))
}

/// Words without what stands in front of a noun, for the parts of this reader.
pub(super) fn plain(tokens: &[Token]) -> &[Token] {
    bare(strip_end(tokens, &[","]).unwrap_or(tokens))
}
