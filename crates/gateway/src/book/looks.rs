//! What is thought of the tools of one server, and what the user is told of it.

use std::collections::BTreeMap;

use jiff::Timestamp;
use portcullis_identity::difference::Change;
use portcullis_identity::state::{Callable, Judged, Judgement, Shown, Standing, callable, shown};
use portcullis_identity::suspicion::Weight;
use portcullis_lattice::Decision;
use portcullis_lattice::words::shown as readable;
use portcullis_monitor::ToolStanding;

use super::{Book, Declared};

/// So much of a difference is shown in a question. A longer one is to be looked at by command, for nothing that decides is
/// cut.
const MOST_SHOWN: usize = 4 << 10;

/// What is thought of all tools that a server lists.
pub(crate) struct Looks {
    /// Which approvals it rests on.
    version: u64,
    /// When something that it rests on is over.
    until: Option<Timestamp>,
    pub(crate) judgement: Judgement,
    /// What trusted signers declare of them.
    pub(crate) declared: Declared,
    tools: BTreeMap<String, Look>,
    absent: ToolStanding,
}

/// What a look rests on.
pub(crate) type Basis = (u64, Option<Timestamp>);

/// What is thought of one tool.
pub(crate) struct Look {
    /// Whether it may be called.
    pub(crate) standing: ToolStanding,
    /// How it is listed to the host.
    pub(crate) shown: Shown,
    /// How it can be approved in a question.
    pub(crate) approvable: Approvable,
    pub(crate) word: Standing,
}

/// How a tool can be approved in a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Approvable {
    /// Also where the agent's host shows the question: it is new, and nothing in it is dangerous.
    Anywhere,
    /// Only where no agent can answer.
    AtTerminal,
    /// Only by command: there is more to be seen than a question shows.
    ByCommand,
    /// Not at all.
    No,
}

impl Looks {
    pub(crate) fn new(
        (judgement, until): (Judgement, Option<Timestamp>),
        declared: Declared,
        book: &Book,
    ) -> Looks {
        let look = |judged: &Judged| (judged.name.clone(), Look::new(judged, book));
        let tools = judgement.tools.iter().map(look).collect();
        let absent = said(Decision::Deny, vec!["the server does not list it".to_owned()]);
        Looks { version: book.version(), until, judgement, declared, tools, absent }
    }

    /// What it rests on: which approvals, and what ends next.
    pub(crate) fn basis(&self) -> Basis {
        (self.version, self.until)
    }

    /// Whether it is what would be thought now, by these approvals.
    pub(crate) fn holds(&self, book: &Book, now: Timestamp) -> bool {
        self.version == book.version() && self.until.is_none_or(|until| now < until)
    }

    /// Whether a tool may be called. One that is not listed may not.
    pub(crate) fn standing(&self, name: &str) -> &ToolStanding {
        self.tool(name).map_or(&self.absent, |look| &look.standing)
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Look> {
        self.tools.get(name)
    }

    /// The tools that are new and can be approved together with one that is: nothing in them is dangerous.
    pub(crate) fn new_and_harmless(&self) -> impl Iterator<Item = &Judged> {
        let is_harmless = |judged: &&Judged| {
            self.tool(&judged.name).is_some_and(|look| look.approvable == Approvable::Anywhere)
        };
        self.judgement.tools.iter().filter(is_harmless)
    }

    /// The tools that the policy lets be called though nobody approved them.
    pub(crate) fn new_if_warned(&self) -> impl Iterator<Item = &Judged> {
        let may_be_called = |judged: &&Judged| {
            judged.standing == Standing::New && self.standing(&judged.name).decision == Decision::Permit
        };
        self.judgement.tools.iter().filter(may_be_called)
    }

    /// Those that are not as they were approved, with the word for how they are.
    pub(crate) fn unapproved(&self) -> impl Iterator<Item = (&str, Standing)> {
        let is_unapproved = |word: Standing| !matches!(word, Standing::Verified | Standing::Pinned);
        let tools = self.tools.iter().filter(move |(_, look)| is_unapproved(look.word));
        tools.map(|(name, look)| (name.as_str(), look.word))
    }
}

impl Look {
    fn new(judged: &Judged, book: &Book) -> Look {
        let policy = book.policy();
        let (standing, is_asked) = match callable(judged, policy) {
            Callable::Allowed(_) => (ToolStanding::APPROVED.clone(), false),
            Callable::Recorded(reason) => {
                (said(Decision::Permit, vec![readable(&reason.to_string())]), false)
            }
            Callable::Ask(reason) => {
                let mut reasons = vec![readable(&reason.to_string())];
                reasons.extend(details(judged));
                (said(Decision::Ask, reasons), true)
            }
            Callable::Refused(reason) => {
                let mut reasons = vec![readable(&reason.to_string())];
                reasons.push(advice(&judged.name));
                (said(Decision::Deny, reasons), false)
            }
        };
        let approvable = if is_asked { approvable(judged) } else { Approvable::No };
        Look { standing, shown: shown(judged, policy), approvable, word: judged.standing }
    }
}

fn said(decision: Decision, reasons: Vec<String>) -> ToolStanding {
    ToolStanding { decision, reasons }
}

fn advice(tool: &str) -> String {
    format!(
        "`portcullis tools show {}` tells more, and `portcullis tools approve` lets it be called",
        readable(tool)
    )
}

fn approvable(judged: &Judged) -> Approvable {
    if judged.offer().is_err() {
        return Approvable::No;
    }
    let length: usize = details(judged).iter().map(String::len).sum();
    if length > MOST_SHOWN {
        return Approvable::ByCommand;
    }
    let is_dangerous = judged.findings.iter().any(|finding| finding.cue.weight() == Weight::Dangerous);
    match judged.standing {
        Standing::New if !is_dangerous => Approvable::Anywhere,
        Standing::New
        | Standing::Changed
        | Standing::Downgraded
        | Standing::Squatting
        | Standing::Invalid => Approvable::AtTerminal,
        Standing::Verified | Standing::Pinned | Standing::Revoked => Approvable::No,
    }
}

/// What changed, and what is suspicious, one line each.
fn details(judged: &Judged) -> Vec<String> {
    let changes = judged.difference.iter().flat_map(|difference| &difference.changes).map(Change::marked);
    let findings = judged.findings.iter().map(ToString::to_string);
    let neighbours = judged.neighbours.iter().map(ToString::to_string);
    changes.chain(findings).chain(neighbours).map(|line| readable(&line)).collect()
}
