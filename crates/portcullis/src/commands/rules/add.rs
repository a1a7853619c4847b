//! `portcullis rules add`.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::{Absorbed, Action, Decision, Lifetime, Rule, Ruleset};
use portcullis_store::{Commit, Expected, Made, SessionFilter, Store};

use super::super::sessions;
use super::history::{History, Turned};
use super::kept;
use crate::confirm::{Yes, confirmed, confirmed_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use crate::trusted::Trusted;
use crate::when::{self, Toward};

/// So many calls are shown as examples.
const MOST_SHOWN: usize = 5;

/// What `rules add` needs.
#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The rule.
    #[arg(value_name = "RULE")]
    rule: String,
    /// It holds for one call.
    #[arg(long, group = "lifetime")]
    once: bool,
    /// It ends with a session, named by its first digits.
    #[arg(long, value_name = "SESSION", group = "lifetime")]
    session: Option<String>,
    /// It ends at a time, or after a length of time such as 2h or 7d.
    #[arg(long, value_name = "TIME", group = "lifetime")]
    until: Option<String>,
    /// Why, in your words.
    #[arg(long, value_name = "TEXT")]
    because: Option<String>,
    /// Do not ask. Only for a deny, which makes things stricter.
    #[arg(long)]
    yes: bool,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis rules add 'allow read from @workspace to ctxt'
  portcullis rules add 'allow write from ctxt to mailto:*@acme.com' --until 7d --because "the weekly report"
  portcullis rules add 'deny write, del from anywhere to /home/u/p/.env'

Before anything is added, the rule is said in words, with what it would newly cover: recorded calls that were asked
about, and would not be any more. An allow needs a terminal that no agent has. Without a lifetime it holds until it is
revoked. Every change is recorded (`portcullis audit list --kind rule-added`)."#;

pub(super) fn run(args: &AddArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let store = Places::find()?.open_for_person()?;
    let now = Timestamp::now();
    let rule = rule(args, &*store, now)?;
    let trusted = match rule.action {
        Action::Allow if args.yes => {
            let told =
                "--yes is only for a deny: what allows something needs you, at a terminal that no agent has";
            return Err(GateError::Said(told.to_owned()).into());
        }
        Action::Allow => Some(Trusted::check(&*store)?),
        Action::Deny => None,
    };
    let policy = store.policy_version()?;
    let before = kept::in_force(&*store, now)?;
    explain(&rule, &before, &*store, now, out)?;
    let said = match &trusted {
        Some(trusted) => confirmed(trusted, "Add it?", out)?,
        None => confirmed_by_anybody("Add it?", Yes::from_option(args.yes), out)?,
    };
    if !said {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let expected = Expected { policy: Some(policy), ..Expected::default() };
    let commit = Commit::at(Timestamp::now()).expecting(expected);
    let channel = if trusted.is_some() { "terminal" } else { "command" };
    let committed = store.commit(kept::adding(commit, &rule, channel)?)?;
    let number = committed
        .made
        .iter()
        .find_map(|made| if let Made::Rule(id) = made { Some(id.to_string()) } else { None });
    writeln!(out, "it is rule {}, and counts from the next call on", number.unwrap_or_default())?;
    Ok(ExitCode::SUCCESS)
}

fn rule(args: &AddArgs, store: &dyn Store, now: Timestamp) -> Result<Rule, Failure> {
    let wrong = |told: String| Failure::from(GateError::Said(told));
    let mut rule: Rule = args.rule.parse().map_err(|error| wrong(format!("{error}")))?;
    let lifetime = match (args.once, &args.session, &args.until) {
        (true, ..) => Some(Lifetime::Once),
        (_, Some(session), _) => Some(Lifetime::Session(session.as_str().into())),
        (_, _, Some(time)) => {
            let end =
                when::read(time, Toward::Future, now).map_err(|error| wrong(format!("--until: {error}")))?;
            Some(Lifetime::Until(end))
        }
        _ => None,
    };
    if let Some(lifetime) = lifetime {
        if rule.lifetime != Lifetime::Always {
            return Err(wrong("the rule says itself how long it holds; leave out the option".to_owned()));
        }
        rule.lifetime = lifetime;
    }
    if let Lifetime::Session(name) = &rule.lifetime {
        let id = sessions::named(store, name)?;
        if !store.sessions(SessionFilter::Open)?.iter().any(|session| session.id == id) {
            return Err(wrong(format!("session {id} has ended, and so would the rule")));
        }
        rule.lifetime = Lifetime::Session(id.to_string().into());
    }
    if rule.is_over(now) {
        return Err(wrong("the rule would end in the past".to_owned()));
    }
    if let Some(because) = &args.because {
        rule.reason = because.as_str().into();
    }
    Ok(rule)
}

/// Says what the rule means, and what it changes.
fn explain(
    rule: &Rule,
    before: &Ruleset,
    store: &dyn Store,
    now: Timestamp,
    out: &mut impl Write,
) -> Result<(), Failure> {
    writeln!(out, "{rule}")?;
    writeln!(out, "{}; {}", kept::sentence(rule), kept::lifetime(rule))?;
    match before.clone().absorb(rule.clone()) {
        Absorbed::Covered(by) => writeln!(out, "nothing of it is new: rule {by} says it already")?,
        Absorbed::Added { replaced, .. } => {
            for entry in &replaced {
                writeln!(out, "it says what rule {} says too: {}", entry.id, entry.rule)?;
            }
        }
    }
    let mut after = before.clone();
    after.add(rule.clone());
    let history = History::read(store)?;
    let turned = history.turned(before, &after, now);
    let told = history.calls.len();
    if told == 0 {
        return Ok(writeln!(out, "no call was recorded yet that could show what it changes")?);
    }
    let verb = match rule.action {
        Action::Allow => "would not be asked about any more",
        Action::Deny => "would be refused",
    };
    let wanted = if rule.action == Action::Allow { Decision::Permit } else { Decision::Deny };
    let turned: Vec<&Turned<'_>> =
        turned.iter().filter(|one| one.after == wanted && one.before != one.after).collect();
    match turned.len() {
        0 => writeln!(out, "of the {told} recorded calls none would be decided otherwise")?,
        count => writeln!(out, "of the {told} recorded calls these {verb}, {count} in all:")?,
    }
    for one in turned.iter().take(MOST_SHOWN) {
        writeln!(out, "  {}", one.past.told)?;
    }
    if turned.len() > MOST_SHOWN {
        writeln!(out, "  and {} more", turned.len() - MOST_SHOWN)?;
    }
    Ok(())
}
