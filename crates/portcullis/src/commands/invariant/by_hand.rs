//! `--datalog`: rules that a user writes by hand.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use portcullis_invariant::by_hand::{ByHand, ByHandError, Handwritten, by_hand};
use portcullis_invariant::trial::TrialCall;
use portcullis_lattice::words::shown;
use serde::Serialize;

use super::super::read;
use super::InvariantError;
use super::call::CallForm;
use super::print::list;
use super::setting::Setting;
use crate::failure::Failure;

/// So many calls of each sort are shown.
const MOST_SHOWN: usize = 3;

/// Where the rules are.
#[derive(Args, Debug)]
pub(super) struct DatalogArgs {
    /// Rules written by hand, in Datalog; the sentence only says what they are for.
    #[arg(long, value_name = "FILE", help_heading = "Rules written by hand", conflicts_with = "model")]
    datalog: Option<PathBuf>,
    /// Data that the rules follow by `carries(F, "NAME")`, and where it comes from, such as
    /// `salaries=folder:hr`; may be given several times.
    #[arg(
        long,
        value_name = "NAME=KIND:VALUE",
        help_heading = "Rules written by hand",
        requires = "datalog"
    )]
    follow: Vec<String>,
}

impl DatalogArgs {
    /// The rules, checked; nothing if there are none.
    pub(super) fn checked(
        &self,
        sentence: &str,
        setting: &Setting,
        prefix: &str,
    ) -> Result<Option<Handwritten>, Failure> {
        let Some(path) = &self.datalog else { return Ok(None) };
        let text = read(path)?;
        let (tools, ground, now) = (&setting.tools, &setting.ground, setting.now);
        let given = ByHand { sentence, text: &text, follow: &self.follow, tools, ground, now, prefix };
        let wrong = |error: ByHandError| InvariantError::ByHand { path: path.clone(), error };
        Ok(Some(by_hand(&given).map_err(wrong)?))
    }
}

impl DatalogArgs {
    /// One file of rules has one sentence.
    pub(super) fn expect_one(&self, sentences: &[String]) -> Result<(), Failure> {
        match &self.datalog {
            Some(_) => Err(InvariantError::OneSentence(sentences.len()).into()),
            None => Ok(()),
        }
    }
}

/// What rules written by hand say and do.
#[derive(Serialize)]
pub(super) struct HandReport {
    pub(super) sentence: String,
    datalog: Vec<String>,
    says: Vec<String>,
    odd: Vec<String>,
    /// Plain calls that they stop.
    stopped: Vec<CallForm>,
    /// Plain calls that they do not stop.
    passed: Vec<CallForm>,
}

impl HandReport {
    pub(super) fn of(rules: &Handwritten) -> HandReport {
        let calls = |calls: &[TrialCall]| calls.iter().take(MOST_SHOWN).map(CallForm::of).collect();
        HandReport {
            sentence: rules.stated.sentence.clone(),
            datalog: rules.stated.written.text.lines().map(str::to_owned).collect(),
            says: rules.says.clone(),
            odd: rules.odd.iter().map(ToString::to_string).collect(),
            stopped: calls(&rules.stopped),
            passed: calls(&rules.passed),
        }
    }

    pub(super) fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "“{}”", shown(&self.sentence))?;
        list("as Datalog", &self.datalog, out)?;
        list("which says", &self.says, out)?;
        let odd: Vec<String> = self.odd.iter().flat_map(|odd| odd.lines()).map(str::to_owned).collect();
        list("is odd", &odd, out)?;
        let lines = |calls: &[CallForm]| calls.iter().map(CallForm::line).collect::<Vec<_>>();
        match self.stopped.is_empty() {
            true => writeln!(out, "\n  stops no plain call of the connected tools")?,
            false => list("would stop", &lines(&self.stopped), out)?,
        }
        match self.passed.is_empty() {
            true => writeln!(out, "\n  stops a plain call of every connected tool"),
            false => list("would let pass", &lines(&self.passed), out),
        }
    }
}
