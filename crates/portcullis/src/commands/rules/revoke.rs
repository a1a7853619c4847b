//! `portcullis rules revoke`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::Action;
use portcullis_store::{Commit, Rule};

use super::explain::kept_rule;
use super::kept;
use crate::confirm::{Yes, confirmed, confirmed_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;

/// What `rules revoke` needs.
#[derive(Args, Debug)]
pub(crate) struct RevokeArgs {
    /// The numbers of the rules, as `rules list` shows them.
    #[arg(value_name = "NUMBER", required = true)]
    ids: Vec<u64>,
    /// Do not ask. Only for allows: without them things are stricter.
    #[arg(long)]
    yes: bool,
}

pub(super) fn run(args: &RevokeArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.look()?;
    let mut rules: Vec<Rule> = Vec::new();
    for id in &args.ids {
        let rule = kept_rule(&*store, *id)?;
        if rule.revoked.is_some() {
            return Err(GateError::Said(format!("rule {id} was revoked already; nothing was changed")).into());
        }
        rules.push(rule);
    }
    // A rule that cannot be read could be a deny.
    let denies = |rule: &Rule| kept::entry(rule).map_or(true, |entry| entry.rule.action == Action::Deny);
    let trusted = match rules.iter().any(denies) {
        true if args.yes => {
            let told = "--yes is only for allows: without a deny more is possible, so this needs you, at a terminal that no \
                        agent has";
            return Err(GateError::Said(told.to_owned()).into());
        }
        true => Some(Trusted::check(&*store)?),
        false => None,
    };
    for rule in &rules {
        match kept::entry(rule) {
            Ok(entry) => {
                kept::lines(rule, &entry.rule).iter().try_for_each(|line| writeln!(out, "{line}"))?
            }
            Err(failure) => writeln!(out, "{failure}")?,
        }
    }
    let question = if rules.len() == 1 { "Revoke it?" } else { "Revoke them?" };
    let said = match &trusted {
        Some(trusted) => confirmed(trusted, question, out)?,
        None => confirmed_by_anybody(question, Yes::from_option(args.yes), out)?,
    };
    if !said {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let channel = if trusted.is_some() { "terminal" } else { "command" };
    let commit = Commit::at(Timestamp::now());
    let commit = rules.iter().try_fold(commit, |commit, rule| kept::revoking(commit, rule, channel))?;
    store.commit(commit)?;
    writeln!(out, "revoked, from the next call on")?;
    Ok(ExitCode::SUCCESS)
}
