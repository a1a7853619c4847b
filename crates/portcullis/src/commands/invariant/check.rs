//! `portcullis invariant check`: what sentences are understood to mean.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use portcullis_invariant::meaning::Verdict;
use portcullis_invariant::{Form, examples, say};
use serde::Serialize;

use super::super::print_json;
use super::by_hand::{DatalogArgs, HandReport};
use super::call::ExampleReport;
use super::model::{ModelArgs, ProposalReport};
use super::setting::{Setting, SettingArgs, Understood};
use super::{InvariantError, cedar, print};
use crate::failure::Failure;

/// So many forms are shown to somebody whose sentence was not understood.
const MOST_FORMS: usize = 4;

/// What `invariant check` needs.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// The rules, a sentence each.
    #[arg(value_name = "SENTENCE", required_unless_present = "cedar")]
    sentences: Vec<String>,
    /// Print what was understood as JSON.
    #[arg(long)]
    json: bool,
    /// Print the rules as policies of Cedar instead, or the schema that these are written for.
    #[arg(
        long,
        value_name = "PART",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "policies",
        conflicts_with = "json"
    )]
    cedar: Option<cedar::Part>,
    #[command(flatten)]
    datalog: DatalogArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    setting: SettingArgs,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis invariant check "Never send anything from the hr folder to people outside acme.com"
  portcullis invariant check "Ask me before deleting more than 3 files" --server desktop-commander
  portcullis invariant check "Never refund more than 100 euros on weekends" --tool payments=tools-list.json
  portcullis invariant check "Nobody gets a gift" --datalog gifts.dl
  portcullis invariant check --cedar "Never push to main" > rules.cedar
  portcullis invariant check --cedar=schema > calls.cedarschema

How to say it:

  Never …, don't …, no … ever       refuses         Never push to main.
  Only … , nothing but …            refuses others  Only write inside docs/.
  Ask me before …                   asks each time  Ask me before buying anything.
  … except …, … unless …            exceptions      Never delete anything except in build/.
  nothing from … may leave …        follows data    Nothing from hr/ may leave this machine.
  … on Fridays after 16:00          times           Don't deploy on Fridays after 16:00.
  … more than 5 …                   amounts         Never mail more than 5 people at once.

With --model, a sentence that is not understood is put to the language model of your settings, which proposes a
rule for you to read. Nothing is put into force.

docs/invariants.md has the forms, and the Datalog that rules become."#;

pub(super) fn run(args: &CheckArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let setting = args.setting.setting()?;
    if let Some(part) = args.cedar {
        let is_whole = cedar::run(part, &args.sentences, &setting, out)?;
        return Ok(ExitCode::from(u8::from(!is_whole)));
    }
    if let [sentence] = args.sentences.as_slice()
        && let Some(rules) = args.datalog.checked(sentence, &setting, "rule")?
    {
        let report = HandReport::of(&rules);
        match args.json {
            true => print_json(&report, out)?,
            false => report.print(out)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    args.datalog.expect_one(&args.sentences)?;
    let mut client = args.model.client()?;
    let mut reports = Vec::new();
    for sentence in &args.sentences {
        let mut report = SentenceReport::new(sentence, &setting)?;
        if let Some(client) = client.as_mut().filter(|_| !report.understood) {
            report.proposal = Some(ProposalReport::ask(sentence, &setting, client, "rule").0);
        }
        reports.push(report);
    }
    match args.json {
        true => print_json(&reports, out)?,
        false => print::check(&reports, out)?,
    }
    Ok(ExitCode::from(u8::from(!reports.iter().all(|report| report.understood))))
}

/// What one sentence is understood to mean.
#[derive(Serialize)]
pub(super) struct SentenceReport {
    pub(super) sentence: String,
    pub(super) understood: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) meaning: Option<MeaningReport>,
    /// What else it may mean.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) others: Vec<MeaningReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) problem: Option<ProblemReport>,
    /// What a model makes of it, which is not in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proposal: Option<ProposalReport>,
}

/// What was understood.
#[derive(Serialize)]
pub(super) struct MeaningReport {
    /// In the words of the product.
    pub(super) says: Vec<String>,
    /// As Datalog.
    pub(super) datalog: Vec<String>,
    /// Places whose data is followed.
    pub(super) follows: Vec<String>,
    /// Parts of the sentence that change nothing.
    pub(super) unused: Vec<String>,
    /// Words that nobody knows, beside others that were understood.
    pub(super) left_out: Vec<String>,
    /// `refuse`, `ask` or both.
    pub(super) verdicts: Vec<&'static str>,
    /// Calls that it refuses or asks about.
    pub(super) fires: Vec<ExampleReport>,
    /// Near misses that it does not concern.
    pub(super) quiet: Vec<ExampleReport>,
}

/// Why a sentence was not understood.
#[derive(Serialize)]
pub(super) struct ProblemReport {
    pub(super) why: String,
    /// Forms that are understood, the nearest first.
    pub(super) nearest: Vec<FormReport>,
}

/// A form that is understood.
#[derive(Serialize)]
pub(super) struct FormReport {
    pub(super) text: &'static str,
    pub(super) about: &'static str,
}

impl SentenceReport {
    pub(super) fn new(sentence: &str, setting: &Setting) -> Result<SentenceReport, InvariantError> {
        Ok(match setting.readings(sentence, "rule")? {
            Ok((first, others)) => SentenceReport::of(&first, &others, setting)?,
            Err(why) => SentenceReport {
                sentence: sentence.to_owned(),
                understood: false,
                meaning: None,
                others: Vec::new(),
                problem: Some(ProblemReport::new(sentence, why)),
                proposal: None,
            },
        })
    }

    /// Of a sentence in the readings that are shown.
    pub(super) fn of(
        first: &Understood,
        others: &[Understood],
        setting: &Setting,
    ) -> Result<SentenceReport, InvariantError> {
        let others =
            others.iter().map(|other| MeaningReport::new(other, setting)).collect::<Result<_, _>>()?;
        Ok(SentenceReport {
            sentence: first.stated.sentence.clone(),
            understood: true,
            meaning: Some(MeaningReport::new(first, setting)?),
            others,
            problem: None,
            proposal: None,
        })
    }
}

impl ProblemReport {
    pub(super) fn new(sentence: &str, why: String) -> ProblemReport {
        let form = |form: &'static Form| FormReport { text: &form.text, about: &form.about };
        ProblemReport { why, nearest: Form::nearest(sentence, MOST_FORMS).into_iter().map(form).collect() }
    }
}

impl MeaningReport {
    fn new(understood: &Understood, setting: &Setting) -> Result<MeaningReport, InvariantError> {
        let Understood { reading, meanings, stated, book } = understood;
        let found = examples(meanings, book, &setting.tools, &setting.ground)?;
        let verdict = |verdict: Verdict| match verdict {
            Verdict::Deny => "refuse",
            Verdict::Ask => "ask",
        };
        Ok(MeaningReport {
            says: say(meanings),
            datalog: stated.written.text.lines().map(str::to_owned).collect(),
            follows: stated.written.sources.iter().map(|(name, _)| name.clone()).collect(),
            unused: reading.unused.clone(),
            left_out: reading.left_out.clone(),
            verdicts: meanings.iter().map(|meaning| verdict(meaning.verdict)).collect(),
            fires: found.fires.iter().map(ExampleReport::of).collect(),
            quiet: found.quiet.iter().map(ExampleReport::of).collect(),
        })
    }
}
