//! `--cedar`: rules as policies of Cedar, and calls as requests.

use std::io::{Result as Written, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use portcullis_invariant::cedar::{Exported, Misfit, Request, RequestError, SCHEMA, export, requests};
use portcullis_invariant::trial::Judged;
use portcullis_invariant::{Rulebook, Stated};
use portcullis_lattice::words::shown;

use super::super::print_json;
use super::call::CallForm;
use super::setting::{Setting, Understood};
use super::{InvariantError, explain};
use crate::failure::Failure;

/// What is printed of an export.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Part {
    /// The policies.
    Policies,
    /// What they are about.
    Schema,
}

/// A sentence with its policies, or why there are none.
struct Sentence<'s> {
    text: &'s str,
    outcome: Result<Exported, String>,
}

/// Prints policies; and says whether every sentence has become some.
pub(super) fn run(
    part: Part,
    sentences: &[String],
    setting: &Setting,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    if part == Part::Schema {
        out.write_all(SCHEMA.as_bytes())?;
        return Ok(true);
    }
    let exported = exported(sentences, setting)?;
    print(&exported, out)?;
    let is_whole = |one: &Sentence<'_>| one.outcome.as_ref().is_ok_and(|exported| exported.policies.is_ok());
    Ok(exported.iter().all(is_whole))
}

fn exported<'s>(sentences: &'s [String], setting: &Setting) -> Result<Vec<Sentence<'s>>, InvariantError> {
    let read: Vec<_> =
        sentences.iter().zip(1..).map(|(sentence, number)| setting.state(sentence, number)).collect();
    let understood: Vec<Stated> = read.iter().filter_map(|one| one.as_ref().ok().cloned()).collect();
    let mut exported = export(&Rulebook::new(understood)?).into_iter();
    let outcomes = read.into_iter().map(|one| {
        let exported = one.map(|_| exported.next());
        exported.and_then(|one| one.ok_or_else(|| "it was lost".to_owned()))
    });
    Ok(sentences.iter().zip(outcomes).map(|(text, outcome)| Sentence { text, outcome }).collect())
}

fn print(exported: &[Sentence<'_>], out: &mut impl Write) -> Written<()> {
    for (number, Sentence { text, outcome }) in exported.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        // On one line, so that no part of a sentence gets out of the comment.
        writeln!(out, "// “{}”", shown(text))?;
        match outcome {
            Err(why) => writeln!(out, "// is no rule that can be enforced: {}", shown(why))?,
            Ok(Exported { policies: Err(misfit), .. }) => {
                writeln!(out, "// cannot be said in Cedar: {}", shown(&misfit.to_string()))?;
            }
            Ok(Exported { policies: Ok(policies), .. }) => {
                policies.iter().try_for_each(|policy| writeln!(out, "{policy}"))?;
            }
        }
    }
    Ok(())
}

/// Prints the requests by which the policies of a rule are asked about a call.
pub(super) fn requests_for(
    setting: &Setting,
    understood: &Understood,
    before: &[CallForm],
    call: &CallForm,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let exported = export(&understood.book).into_iter().map(|exported| exported.policies);
    let policies = exported.collect::<Result<Vec<_>, Misfit>>().map_err(InvariantError::Cedar)?;
    let mut asked: Result<Vec<Request>, RequestError> = Ok(Vec::new());
    let show = &mut |judged: &Judged<'_>| asked = requests(judged.facts, policies.iter().flatten());
    let mut trial = explain::after(setting, understood, before)?;
    trial.call_shown(&call.call(), Some(setting.now), show).map_err(InvariantError::from)?;
    print_json(&asked.map_err(InvariantError::Request)?, out)?;
    Ok(ExitCode::SUCCESS)
}
