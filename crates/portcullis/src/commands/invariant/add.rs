//! `portcullis invariant add`: a sentence put into force.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_invariant::{Rulebook, Stated};
use portcullis_store::{
    Change, Commit, CommitError, Expected, Invariant, Made, NewEntry, NewInvariant, Standing, Store,
};
use serde_json::json;

use super::check::SentenceReport;
use super::setting::SettingArgs;
use super::{InvariantError, print};
use crate::confirm::{Yes, confirmed_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::whose;

/// What `invariant add` needs.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The rule, in a sentence.
    #[arg(value_name = "SENTENCE")]
    sentence: String,
    /// Do not ask: a rule makes things stricter.
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    setting: SettingArgs,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis invariant add "Never send anything from the hr folder to people outside acme.com"
  portcullis invariant add "Ask me before deleting more than 3 files"

The sentence is said back, with calls that it would refuse or ask about and near misses that it would not; then you
confirm it. It counts in all your sessions from the next call on. What it refuses, no rule and no answer lifts; only
`portcullis invariant remove` does. Folders are meant as they lie in --workspace [default: here].

A project states its own rules in .portcullis/portcullis.toml, and whoever runs the machine in
/etc/portcullis/portcullis.toml:

  invariants = ["Never push to main."]"#;

pub(super) fn run(args: &AddArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let setting = args.setting.setting()?;
    let store = Places::find()?.open_for_person()?;
    let policy = store.policy_version()?;
    let kept = store.invariants(Standing::All)?;
    let in_force = |kept: &&Invariant| kept.removed.is_none();
    if let Some(same) = kept.iter().filter(in_force).find(|kept| kept.sentence == args.sentence) {
        writeln!(out, "that is rule {} already", same.id)?;
        return Ok(ExitCode::SUCCESS);
    }
    print::check(&[SentenceReport::new(&args.sentence, &setting)?], out)?;
    // No two rules of the store have the same number of rules before them.
    let Ok(understood) = setting.understand_as(&args.sentence, &format!("stated_{}", kept.len()))? else {
        return Ok(ExitCode::from(1));
    };
    together(kept.iter().filter(in_force), understood.stated.clone())?;
    writeln!(out)?;
    if !confirmed_by_anybody("Put it into force, for all sessions?", Yes::from_option(args.yes), out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let number = add(&*store, &understood.stated, policy)?;
    writeln!(out, "it is rule {number}, and counts from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

/// Whether all rules can be in force together. If one could not, every gateway would refuse every call.
fn together<'k>(kept: impl Iterator<Item = &'k Invariant>, new: Stated) -> Result<(), Failure> {
    let read = |kept: &Invariant| {
        let damaged =
            |error| GateError::Said(format!("rule {} of the store cannot be read: {error}", kept.id));
        let written = serde_json::from_str(&kept.datalog).map_err(damaged)?;
        Ok(Stated { sentence: kept.sentence.clone(), written })
    };
    let mut stated = kept.map(read).collect::<Result<Vec<Stated>, Failure>>()?;
    stated.push(new);
    Rulebook::new(stated).map_err(InvariantError::from)?;
    Ok(())
}

fn add(store: &dyn Store, stated: &Stated, policy: u64) -> Result<String, Failure> {
    let body = json!({"sentence": stated.sentence, "datalog": stated.written.text, "by": whose::user()});
    let entry = NewEntry::new(kind::INVARIANT_ADDED, &body.to_string()).map_err(CommitError::from)?;
    let new = NewInvariant {
        sentence: stated.sentence.clone(),
        datalog: serde_json::to_string(&stated.written)
            .map_err(|error| GateError::Said(error.to_string()))?,
        author: whose::user(),
    };
    let expected = Expected { policy: Some(policy), ..Expected::default() };
    let commit =
        Commit::at(Timestamp::now()).expecting(expected).entry(entry).change(Change::AddInvariant(new));
    let committed = store.commit(commit)?;
    let number = committed
        .made
        .iter()
        .find_map(|made| if let Made::Invariant(id) = made { Some(id.to_string()) } else { None });
    Ok(number.unwrap_or_default())
}
