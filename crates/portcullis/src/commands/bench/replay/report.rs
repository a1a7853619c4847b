//! What a replay found: for scripts, and in words for people.

use std::io::Write;

use portcullis_lattice::Decision;
use portcullis_lattice::words::shown;
use portcullis_store::SessionId;
use serde::Serialize;

use super::calls::Call;
use super::session::{After, Replayed};
use crate::commands::audit::deeds;
use crate::when;

/// What was found in all sessions.
#[derive(Serialize)]
pub(super) struct Report {
    /// Whether something is decided otherwise, or may be.
    pub(super) changed: bool,
    /// What it is compared with: the policy of `today`, or that of the end of a `log`.
    pub(super) policy: Policy,
    /// What was changed, in words.
    pub(super) tried: Vec<String>,
    pub(super) total: Counts,
    pub(super) sessions: Vec<SessionReport>,
}

/// Which policy is changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Policy {
    Today,
    Log,
}

/// What was found in a session.
#[derive(Serialize)]
pub(super) struct SessionReport {
    session: String,
    workspace: String,
    from: String,
    to: String,
    #[serde(flatten)]
    counts: Counts,
    changes: Vec<ChangeReport>,
}

/// How many calls are decided how. The first seven are all of them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Counts {
    pub(super) calls: usize,
    pub(super) same: usize,
    pub(super) newly_asked: usize,
    pub(super) newly_permitted: usize,
    pub(super) newly_denied: usize,
    pub(super) no_longer_asked: usize,
    /// Decided alike, unless they break a rule in plain English by what the log does not keep.
    pub(super) undecided: usize,
    /// The log does not tell enough to decide them again.
    pub(super) untold: usize,
    /// A stage asks or refuses by what the log does not keep, and counts as then.
    pub(super) kept: usize,
    /// Asked about then, and answered for the one call.
    pub(super) answered_once: usize,
}

/// A call that is decided otherwise, or may be.
#[derive(Serialize)]
pub(super) struct ChangeReport {
    entry: u64,
    step: u64,
    time: String,
    server: String,
    tool: String,
    deeds: Vec<String>,
    before: &'static str,
    /// What was answered then.
    answer: Option<String>,
    after: &'static str,
    /// What it may be by what the log does not keep, where that is stricter.
    could_be: Option<&'static str>,
    kind: Kind,
    /// What today's policy decides without the change.
    today: &'static str,
    reasons: Vec<String>,
    /// The rules in plain English that it may break.
    may_break: Vec<String>,
}

/// How a decision changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    NewlyAsked,
    NewlyPermitted,
    NewlyDenied,
    NoLongerAsked,
    Undecided,
}

impl Kind {
    fn of(before: Decision, after: &After) -> Option<Kind> {
        match (before, after.decision) {
            (Decision::Permit | Decision::Deny, Decision::Ask) => Some(Kind::NewlyAsked),
            (Decision::Permit | Decision::Ask, Decision::Deny) => Some(Kind::NewlyDenied),
            (Decision::Deny, Decision::Permit) => Some(Kind::NewlyPermitted),
            (Decision::Ask, Decision::Permit) => Some(Kind::NoLongerAsked),
            _ => (after.could_be != after.decision).then_some(Kind::Undecided),
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Kind::NewlyAsked => "newly asked",
            Kind::NewlyPermitted => "newly permitted",
            Kind::NewlyDenied => "newly denied",
            Kind::NoLongerAsked => "no longer asked",
            Kind::Undecided => "undecided",
        }
    }
}

impl Counts {
    fn count(&mut self, replayed: &Replayed<'_>) {
        self.calls += 1;
        self.answered_once += usize::from(replayed.call.is_answered_once);
        let Some(after) = &replayed.after else {
            self.untold += 1;
            return;
        };
        self.kept += usize::from(after.is_kept);
        *match Kind::of(replayed.call.before, after) {
            None => &mut self.same,
            Some(Kind::NewlyAsked) => &mut self.newly_asked,
            Some(Kind::NewlyPermitted) => &mut self.newly_permitted,
            Some(Kind::NewlyDenied) => &mut self.newly_denied,
            Some(Kind::NoLongerAsked) => &mut self.no_longer_asked,
            Some(Kind::Undecided) => &mut self.undecided,
        } += 1;
    }

    fn add(&mut self, other: &Counts) {
        self.calls += other.calls;
        self.same += other.same;
        self.newly_asked += other.newly_asked;
        self.newly_permitted += other.newly_permitted;
        self.newly_denied += other.newly_denied;
        self.no_longer_asked += other.no_longer_asked;
        self.undecided += other.undecided;
        self.untold += other.untold;
        self.kept += other.kept;
        self.answered_once += other.answered_once;
    }
}

impl Report {
    pub(super) fn of(policy: Policy, tried: Vec<String>, sessions: Vec<SessionReport>) -> Report {
        let mut total = Counts::default();
        sessions.iter().for_each(|session| total.add(&session.counts));
        let changed = sessions.iter().any(|session| !session.changes.is_empty());
        Report { changed, policy, tried, total, sessions }
    }
}

impl SessionReport {
    /// What became of the calls of a session, beside what today's policy decides. `unreadable` entries are not among them.
    pub(super) fn of(
        session: SessionId,
        workspace: &str,
        calls: &[Replayed<'_>],
        today: &[Replayed<'_>],
        unreadable: usize,
    ) -> SessionReport {
        let mut counts = Counts { calls: unreadable, untold: unreadable, ..Counts::default() };
        calls.iter().for_each(|call| counts.count(call));
        let time = |call: Option<&Replayed<'_>>| call.map_or(String::new(), |call| call.call.at.to_string());
        SessionReport {
            session: session.to_string(),
            workspace: workspace.to_owned(),
            from: time(calls.first()),
            to: time(calls.last()),
            counts,
            changes: calls.iter().zip(today).filter_map(|(one, today)| change(one, today)).collect(),
        }
    }
}

fn change(replayed: &Replayed<'_>, today: &Replayed<'_>) -> Option<ChangeReport> {
    let (call, after) = (&replayed.call, replayed.after.as_ref()?);
    let today = today.after.as_ref().map_or(call.before, |today| today.decision);
    Some(ChangeReport {
        entry: call.sequence,
        step: call.recorded.step,
        time: call.at.to_string(),
        server: call.recorded.server.clone(),
        tool: call.recorded.tool.clone(),
        deeds: call.recorded.flows.iter().flat_map(deeds).collect(),
        before: call.before.name(),
        answer: answered(call),
        after: after.decision.name(),
        could_be: (after.could_be != after.decision).then_some(after.could_be.name()),
        kind: Kind::of(call.before, after)?,
        today: today.name(),
        reasons: once_each(&after.reasons),
        may_break: once_each(&after.possible),
    })
}

fn answered(call: &Call<'_>) -> Option<String> {
    match call.answer {
        Some((_, answer)) => Some(answer.choice.clone()),
        None => call.is_answered_once.then(|| "once".to_owned()),
    }
}

fn once_each(texts: &[String]) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    texts.iter().for_each(|text| {
        if !seen.contains(text) {
            seen.push(text.clone());
        }
    });
    seen
}

/// Tells what was found.
pub(super) fn print(report: &Report, out: &mut impl Write) -> std::io::Result<()> {
    for tried in &report.tried {
        writeln!(out, "{}", shown(tried))?;
    }
    if report.tried.is_empty() {
        let policy = match report.policy {
            Policy::Today => "with the policy of today",
            Policy::Log => "with the policy at the end of the log",
        };
        writeln!(out, "{policy}")?;
    }
    for session in &report.sessions {
        print_session(session, out)?;
    }
    if let [_, _, ..] = report.sessions.as_slice() {
        writeln!(out, "\nall {} sessions: {}", report.sessions.len(), counted(report.total.calls, "call"))?;
        print_counts(&report.total, out)?;
    }
    Ok(())
}

fn print_session(session: &SessionReport, out: &mut impl Write) -> std::io::Result<()> {
    let calls = counted(session.counts.calls, "call");
    writeln!(out, "\nsession {} in {}: {calls}", session.session, shown(&session.workspace))?;
    print_counts(&session.counts, out)?;
    for change in &session.changes {
        print_change(change, out)?;
    }
    Ok(())
}

fn print_counts(counts: &Counts, out: &mut impl Write) -> std::io::Result<()> {
    let lines = [
        ("decided alike", counts.same),
        (Kind::NewlyAsked.words(), counts.newly_asked),
        (Kind::NewlyPermitted.words(), counts.newly_permitted),
        (Kind::NewlyDenied.words(), counts.newly_denied),
        (Kind::NoLongerAsked.words(), counts.no_longer_asked),
    ];
    for (words, count) in lines {
        writeln!(out, "  {words:<16}{count:>6}")?;
    }
    let notes = [
        (
            counts.undecided,
            "1 call could break a stated rule by what the log does not keep, and is undecided",
            "calls could break a stated rule by what the log does not keep, and are undecided",
        ),
        (
            counts.untold,
            "1 call does not tell enough to be decided again, and is left as it was",
            "calls do not tell enough to be decided again, and are left as they were",
        ),
        (
            counts.kept,
            "1 call is asked about or refused by what the log does not keep; that counts as then",
            "calls are asked about or refused by what the log does not keep; that counts as then",
        ),
        (
            counts.answered_once,
            "1 call was asked about and answered once; the answer counts for it as then",
            "calls were asked about and answered once; the answers count for them as then",
        ),
    ];
    for (count, one, several) in notes {
        match count {
            0 => {}
            1 => writeln!(out, "  {one}")?,
            _ => writeln!(out, "  {count} {several}")?,
        }
    }
    Ok(())
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn print_change(change: &ChangeReport, out: &mut impl Write) -> std::io::Result<()> {
    let at = change.time.parse().map_or_else(|_| change.time.clone(), when::told);
    writeln!(
        out,
        "\nstep {}, entry {}, {at}: {}.{}",
        change.step,
        change.entry,
        shown(&change.server),
        shown(&change.tool)
    )?;
    if change.deeds.is_empty() {
        writeln!(out, "  what it would do is not known")?;
    }
    for deed in &change.deeds {
        writeln!(out, "  {deed}")?;
    }
    let answer = change.answer.as_deref().map_or_else(String::new, answer_words);
    let could = change.could_be.map_or_else(String::new, |could| format!(", perhaps {could}"));
    let already =
        if change.kind != Kind::Undecided && change.today == change.after && change.today != change.before {
            "; it is decided so without the change too"
        } else {
            ""
        };
    writeln!(out, "  {}{answer} → {}{could}: {}{already}", change.before, change.after, change.kind.words())?;
    for reason in &change.reasons {
        writeln!(out, "  - {}", shown(reason))?;
    }
    for rule in &change.may_break {
        writeln!(out, "  - it may break the rule “{}” by what the log does not keep", shown(rule))?;
    }
    Ok(())
}

fn answer_words(choice: &str) -> String {
    let words = match choice.split('-').next().unwrap_or_default() {
        "once" => "answered once",
        "session" => "allowed for the session",
        "always" => "allowed for good",
        "refuse" => "refused",
        "never" => "refused for good",
        _ => "answered",
    };
    format!(" ({words})")
}
