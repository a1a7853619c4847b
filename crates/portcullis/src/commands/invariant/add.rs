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

use super::by_hand::{DatalogArgs, HandReport};
use super::check::SentenceReport;
use super::model::{ModelArgs, ProposalReport};
use super::setting::{Setting, SettingArgs, Understood};
use super::{InvariantError, print};
use crate::confirm::{Yes, confirmed, confirmed_by_anybody, numbered_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::whose;

/// What `invariant add` needs.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The rule, in a sentence.
    #[arg(value_name = "SENTENCE")]
    sentence: String,
    /// Which reading of the sentence is meant, by its number, where it has several.
    #[arg(long, value_name = "N", conflicts_with = "datalog")]
    reading: Option<usize>,
    #[command(flatten)]
    datalog: DatalogArgs,
    /// Do not ask: a rule makes things stricter. What a model proposes is always asked about.
    #[arg(long, conflicts_with = "model")]
    yes: bool,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    setting: SettingArgs,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis invariant add "Never send anything from the hr folder to people outside acme.com"
  portcullis invariant add "Ask me before deleting more than 3 files"
  portcullis invariant add "No meetings on Fridays" --reading 2
  portcullis invariant add "Nobody gets a gift" --datalog gifts.dl

The sentence is said back, with calls that it would refuse or ask about and near misses that it would not; then you
confirm it. It counts in all your sessions from the next call on. What it refuses, no rule and no answer lifts; only
`portcullis invariant remove` does. Folders are meant as they lie in --workspace [default: here].

A sentence with several readings is shown in all of them, and you choose one by its number; a script says --reading.
With --datalog, the rules are written by hand: docs/invariants.md has the facts that they may be about.

With --model, a sentence that is not understood is put to the language model of your settings. What it proposes is
shown with what it says and does, and is put into force only if a person at a terminal confirms it.

A project states its own rules in .portcullis/portcullis.toml, and whoever runs the machine in
/etc/portcullis/portcullis.toml:

  invariants = ["Never push to main."]"#;

pub(super) fn run(args: &AddArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let setting = args.setting.setting()?;
    let store = Places::find()?.open_for_person()?;
    let policy = store.policy_version()?;
    let kept = store.invariants(Standing::All)?;
    let in_force = |kept: &&Invariant| kept.removed.is_none();
    let is_same = |kept: &&Invariant| kept.sentence == args.sentence && args.reading.is_none();
    if let Some(same) = kept.iter().filter(in_force).find(is_same) {
        writeln!(out, "that is rule {} already", same.id)?;
        return Ok(ExitCode::SUCCESS);
    }
    // No two rules of the store have the same number of rules before them.
    let prefix = format!("stated_{}", kept.len());
    let Some(candidate) = candidate(args, &setting, &*store, &prefix, out)? else {
        return Ok(ExitCode::from(1));
    };
    together(kept.iter().filter(in_force), candidate.stated.clone())?;
    writeln!(out)?;
    let question = "Put it into force, for all sessions?";
    let is_confirmed = match &candidate.model {
        None => confirmed_by_anybody(question, Yes::from_option(args.yes), out)?,
        Some((_, trusted)) => confirmed(trusted, question, out)?,
    };
    if !is_confirmed {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let number = add(&*store, &candidate, policy)?;
    writeln!(out, "it is rule {number}, and counts from the next call on")?;
    Ok(ExitCode::SUCCESS)
}

/// A rule that may be put into force.
struct Candidate {
    stated: Stated,
    /// The model that proposed it, and the proof that a person reads what it says.
    model: Option<(String, Trusted)>,
}

/// Says a sentence back; or what a model makes of it, if the user wants that and sits here.
fn candidate(
    args: &AddArgs,
    setting: &Setting,
    store: &dyn Store,
    prefix: &str,
    out: &mut impl Write,
) -> Result<Option<Candidate>, Failure> {
    if let Some(rules) = args.datalog.checked(&args.sentence, setting, prefix)? {
        HandReport::of(&rules).print(out)?;
        return Ok(Some(Candidate { stated: rules.stated, model: None }));
    }
    if let Ok((first, others)) = setting.readings(&args.sentence, prefix)? {
        let chosen = chosen(args, setting, first, others, out)?;
        return Ok(chosen.map(|understood| Candidate { stated: understood.stated, model: None }));
    }
    let mut report = SentenceReport::new(&args.sentence, setting)?;
    let Some(mut client) = args.model.client()? else {
        print::check(&[report], out)?;
        return Ok(None);
    };
    // A proposal is only for a person, so nobody is asked for one without.
    let trusted = Trusted::check(store)?;
    let (proposal, stated) = ProposalReport::ask(&args.sentence, setting, &mut client, prefix);
    let model = proposal.model.clone();
    report.proposal = Some(proposal);
    print::check(&[report], out)?;
    Ok(stated.map(|stated| Candidate { stated, model: Some((model, trusted)) }))
}

/// Says a sentence back in the reading that is meant; in all of them where that is not said, for the user to choose.
fn chosen(
    args: &AddArgs,
    setting: &Setting,
    first: Understood,
    others: Vec<Understood>,
    out: &mut impl Write,
) -> Result<Option<Understood>, Failure> {
    let count = others.len() + 1;
    if let Some(number) = args.reading {
        let all = std::iter::once(first).chain(others);
        let meant = number.checked_sub(1).and_then(|place| all.into_iter().nth(place));
        let told = || if count == 1 { "one reading".to_owned() } else { format!("{count} readings") };
        let meant = meant.ok_or_else(|| InvariantError::Reading(told()))?;
        print::check(&[SentenceReport::of(&meant, &[], setting)?], out)?;
        return Ok(Some(meant));
    }
    print::check(&[SentenceReport::of(&first, &others, setting)?], out)?;
    if others.is_empty() {
        return Ok(Some(first));
    }
    writeln!(out)?;
    let number = numbered_by_anybody("Which reading do you mean?", count, Yes::from_option(args.yes), out)?;
    let all = std::iter::once(first).chain(others);
    let meant = number.and_then(|number| all.into_iter().nth(number.checked_sub(1)?));
    if meant.is_none() {
        writeln!(out, "nothing was changed; --reading says which one is meant")?;
    }
    Ok(meant)
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

fn add(store: &dyn Store, candidate: &Candidate, policy: u64) -> Result<String, Failure> {
    let Candidate { stated, model } = candidate;
    let mut body = json!({"sentence": stated.sentence, "datalog": stated.written.text, "by": whose::user()});
    if let (Some((model, _)), Some(told)) = (model, body.as_object_mut()) {
        told.insert("proposed_by".to_owned(), json!(model));
    }
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
