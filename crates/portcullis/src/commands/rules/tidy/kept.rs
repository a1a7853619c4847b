//! The rules of the store, tidied by the calls of the audit log.

use std::io::Write;
use std::process::ExitCode;

use jiff::Timestamp;
use portcullis_lattice::{Entry, Proposal, Recorded, Ruleset, Scope, tidy as propose};
use portcullis_store::{Commit, Expected, Rule as Kept, RuleFilter, Store};

use super::super::history::History;
use super::super::kept;
use super::{TidyArgs, print_report, told};
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;

/// What would become of the rules of the store.
struct Difference<'d> {
    out: Vec<&'d Kept>,
    into: Vec<&'d Entry>,
}

pub(super) fn run(args: &TidyArgs, ceiling: &[Scope], out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let trusted = if args.apply { Some(Trusted::check(&*store)?) } else { None };
    let now = Timestamp::now();
    // Before anything is read: if it is outdated by then, nothing is applied.
    let policy = store.policy_version()?;
    let rules = store.rules(RuleFilter::Active { now })?;
    let before = rules.iter().map(kept::entry).collect::<Result<Ruleset, Failure>>()?;
    let history = History::read(&*store)?;
    let calls: Vec<Recorded> = history.calls.into_iter().map(|past| past.recorded).collect();
    let Some(last) = calls.last() else {
        let told = "the audit log has no calls that tell enough: without a history nothing shows which rules are needed";
        return Err(GateError::Said(told.to_owned()).into());
    };
    let proposal = propose(&before, &calls, ceiling, &last.topology.clone(), now);
    if args.json {
        print_report(&proposal, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let difference = difference(&rules, &before, &proposal);
    print(&difference, &proposal, calls.len(), history.untold, out)?;
    let Some(trusted) = trusted else {
        if !proposal.steps.is_empty() {
            writeln!(out, "nothing was changed; --apply puts it into force")?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    if proposal.steps.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    if !confirmed(&trusted, "Put it into force?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    apply(&*store, &difference, policy, &trusted)?;
    writeln!(out, "in force from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

fn difference<'d>(rules: &'d [Kept], before: &Ruleset, proposal: &'d Proposal) -> Difference<'d> {
    let stays = |entry: &Entry| before.entries().contains(entry);
    let after = proposal.rules.entries();
    let is_out = |kept: &&Kept| !after.iter().any(|entry| entry.id.0 == kept.id.number() && stays(entry));
    Difference {
        out: rules.iter().filter(is_out).collect(),
        into: after.iter().filter(|entry| !stays(entry)).collect(),
    }
}

fn print(
    difference: &Difference<'_>,
    proposal: &Proposal,
    calls: usize,
    untold: usize,
    out: &mut impl Write,
) -> std::io::Result<()> {
    for step in &proposal.steps {
        writeln!(out, "{}", told(step))?;
    }
    if proposal.steps.is_empty() {
        writeln!(out, "nothing can be left out or united")?;
    } else {
        writeln!(out)?;
    }
    for kept in &difference.out {
        writeln!(out, "- {:>4}  {}", kept.id, portcullis_lattice::words::shown(&kept.text))?;
    }
    for entry in &difference.into {
        writeln!(out, "+       {}", entry.rule)?;
    }
    let after = proposal.rules.entries().len();
    let before = after + difference.out.len() - difference.into.len();
    writeln!(out, "{before} rules before, {after} after; {calls} recorded calls are decided alike")?;
    if untold > 0 {
        writeln!(out, "{untold} recorded calls do not tell enough to be decided again, and were left out")?;
    }
    Ok(())
}

/// Lifting widens: who calls this has a trusted channel.
fn apply(store: &dyn Store, difference: &Difference<'_>, policy: u64, _: &Trusted) -> Result<(), Failure> {
    let expected = Expected { policy: Some(policy), ..Expected::default() };
    let commit = Commit::at(Timestamp::now()).expecting(expected);
    let commit =
        difference.out.iter().try_fold(commit, |commit, rule| kept::revoking(commit, rule, "tidy"))?;
    let commit =
        difference.into.iter().try_fold(commit, |commit, entry| kept::adding(commit, &entry.rule, "tidy"))?;
    store.commit(commit)?;
    Ok(())
}
