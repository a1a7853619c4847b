//! Rules in plain English, told to people.

use std::io::{Result, Write};

use portcullis_lattice::words::shown;

use super::call::ExampleReport;
use super::check::{MeaningReport, ProblemReport, SentenceReport};
use super::model::{CaseReport, Outcome, ProposalReport};

pub(super) fn check(reports: &[SentenceReport], out: &mut impl Write) -> Result<()> {
    for (number, report) in reports.iter().enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        writeln!(out, "“{}”", shown(&report.sentence))?;
        if let Some(meaning) = &report.meaning {
            readings(meaning, &report.others, out)?;
        }
        if let Some(why) = &report.problem {
            problem(why, out)?;
        }
        if let Some(asked) = &report.proposal {
            proposal(asked, out)?;
        }
    }
    Ok(())
}

pub(super) fn problem(problem: &ProblemReport, out: &mut impl Write) -> Result<()> {
    writeln!(out, "  is no rule that can be enforced: {}", shown(&problem.why))?;
    writeln!(out, "\n  forms that are understood")?;
    for form in &problem.nearest {
        writeln!(out, "    {:<60}  {}", form.text, form.about)?;
    }
    Ok(())
}

/// One reading as it is, several by their numbers.
fn readings(first: &MeaningReport, others: &[MeaningReport], out: &mut impl Write) -> Result<()> {
    if others.is_empty() {
        return understood("understood as", first, out);
    }
    let count = others.len() + 1;
    writeln!(out, "  has {count} readings; `portcullis invariant add --reading N` chooses one")?;
    for (number, reading) in std::iter::once(first).chain(others).enumerate() {
        understood(&format!("reading {}: understood as", number + 1), reading, out)?;
    }
    Ok(())
}

fn understood(heading: &str, meaning: &MeaningReport, out: &mut impl Write) -> Result<()> {
    list(heading, &meaning.says, out)?;
    list("as Datalog", &meaning.datalog, out)?;
    list("follows data from", &meaning.follows, out)?;
    list("changes nothing", &meaning.unused, out)?;
    list("left out, for nobody knows these words", &meaning.left_out, out)?;
    let does = match meaning.verdicts.as_slice() {
        ["ask"] => "ask about",
        ["refuse"] => "refuse",
        _ => "refuse or ask about",
    };
    if meaning.fires.is_empty() {
        return writeln!(out, "\n  no call of the connected tools was found that it would {does}");
    }
    writeln!(out, "\n  would {does}")?;
    meaning.fires.iter().try_for_each(|one| example(one, out))?;
    if !meaning.quiet.is_empty() {
        writeln!(out, "\n  would let pass")?;
    }
    meaning.quiet.iter().try_for_each(|one| example(one, out))
}

fn proposal(report: &ProposalReport, out: &mut impl Write) -> Result<()> {
    let ProposalReport { model, outcome } = report;
    let proposed = match outcome {
        Outcome::Proposed(proposed) => proposed,
        Outcome::Failed(why) => {
            writeln!(out, "\n  {} proposes nothing", shown(model))?;
            return why.lines().try_for_each(|line| writeln!(out, "    {}", shown(line)));
        }
    };
    writeln!(out, "\n  {} proposes a rule, which is not in force; read what it says", shown(model))?;
    list("as Datalog", &proposed.datalog, out)?;
    list("which says", &proposed.says, out)?;
    writeln!(out, "\n  tried on calls that the model thought of")?;
    for case in &proposed.cases {
        let CaseReport { expected, verdict, certain, example: one } = case;
        let perhaps = if *certain { "" } else { " perhaps" };
        match expected == verdict {
            true => writeln!(out, "    ok    {verdict}{perhaps}")?,
            false => writeln!(out, "    FAIL  {verdict}{perhaps}, expected: {expected}")?,
        }
        example(one, out)?;
    }
    if !proposed.holds {
        writeln!(out, "\n  the rule does not do what the model expects of it: do not rely on it")?;
    }
    list("earlier answers failed", &proposed.failed, out)
}

fn example(example: &ExampleReport, out: &mut impl Write) -> Result<()> {
    writeln!(out, "    {}", example.call.line())?;
    match example.before.as_slice() {
        [] => {}
        [first, rest @ ..] if !rest.is_empty() && rest.iter().all(|one| one.line() == first.line()) => {
            writeln!(out, "      after {} calls like it", example.before.len())?;
        }
        several => {
            several.iter().try_for_each(|before| writeln!(out, "      after {}", before.line()))?;
        }
    }
    example.now.iter().try_for_each(|now| writeln!(out, "      at {now}"))
}

/// A list under a heading, if there is anything to list.
pub(super) fn list(heading: &str, items: &[String], out: &mut impl Write) -> Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n  {heading}")?;
    items.iter().try_for_each(|item| writeln!(out, "    {}", shown(item)))
}
