//! `--model`: rules that a language model proposes for sentences that are not understood.

use clap::Args;
use portcullis_invariant::Stated;
use portcullis_invariant::meaning::Verdict;
use portcullis_invariant::propose::{Ask, Proposal, Task, TriedCase, propose};
use portcullis_model::{Client, OfThisMachine};
use serde::Serialize;

use super::InvariantError;
use super::call::{CallForm, ExampleReport};
use super::setting::Setting;
use crate::configuration;
use crate::failure::Failure;
use crate::places::Places;

/// Whether a model is asked.
#[derive(Args, Debug)]
pub(super) struct ModelArgs {
    /// Have the language model of your settings propose a rule for what is not understood. It is sent the
    /// sentence, and the names, descriptions and arguments of the connected tools; nothing else, and nothing at
    /// all without this flag.
    #[arg(long)]
    model: bool,
}

impl ModelArgs {
    /// Somebody to ask, if the user wants it.
    pub(super) fn client(&self) -> Result<Option<Client>, Failure> {
        if !self.model {
            return Ok(None);
        }
        let places = Places::find()?;
        let path = places.settings_file();
        let settings = configuration::of_user(&places)?.model;
        let provider =
            settings.provider(&OfThisMachine).map_err(|error| InvariantError::Provider { path, error })?;
        Ok(Some(Client::new(provider).map_err(InvariantError::Client)?))
    }
}

/// What a model proposes, or why it proposes nothing.
#[derive(Serialize)]
pub(super) struct ProposalReport {
    /// Who was asked.
    pub(super) model: String,
    #[serde(flatten)]
    pub(super) outcome: Outcome,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Outcome {
    Proposed(Box<ProposedReport>),
    Failed(String),
}

/// A rule that a model proposes.
#[derive(Serialize)]
pub(super) struct ProposedReport {
    /// Whether all calls are as the model expects them.
    pub(super) holds: bool,
    /// As Datalog.
    pub(super) datalog: Vec<String>,
    /// What that says, in the words of the product.
    pub(super) says: Vec<String>,
    /// Places whose data is followed.
    pub(super) follows: Vec<String>,
    pub(super) cases: Vec<CaseReport>,
    /// How often rules were asked for.
    pub(super) rounds: usize,
    /// What was wrong with earlier answers.
    pub(super) failed: Vec<String>,
}

/// A call that the model thought of.
#[derive(Serialize)]
pub(super) struct CaseReport {
    /// `refused`, `asked` or `passes`.
    pub(super) expected: &'static str,
    pub(super) verdict: &'static str,
    pub(super) certain: bool,
    #[serde(flatten)]
    pub(super) example: ExampleReport,
}

impl ProposalReport {
    /// Asks a model for a rule. Beside the report is the rule itself, if all calls are as the model expects them.
    pub(super) fn ask(
        sentence: &str,
        setting: &Setting,
        client: &mut Client,
        prefix: &str,
    ) -> (ProposalReport, Option<Stated>) {
        let provider = client.provider();
        let (name, kind, host) = (provider.name(), provider.kind().word(), provider.host());
        let model = format!("{name} ({kind}, {host})");
        let (outcome, stated) = match proposed(sentence, setting, client, prefix) {
            Ok(proposal) => {
                let report = Outcome::Proposed(Box::new(ProposedReport::of(&proposal)));
                (report, proposal.holds().then_some(proposal.stated))
            }
            Err(why) => (Outcome::Failed(why), None),
        };
        (ProposalReport { model, outcome }, stated)
    }
}

fn proposed(
    sentence: &str,
    setting: &Setting,
    model: &mut impl Ask,
    prefix: &str,
) -> Result<Proposal, String> {
    let (tools, ground, now) = (&setting.tools, &setting.ground, setting.now);
    let task = Task { sentence, tools, ground, now, prefix };
    propose(&task, model).map_err(|error| error.to_string())
}

impl ProposedReport {
    fn of(proposal: &Proposal) -> ProposedReport {
        let written = &proposal.stated.written;
        ProposedReport {
            holds: proposal.holds(),
            datalog: written.text.lines().map(str::to_owned).collect(),
            says: proposal.says.clone(),
            follows: written.sources.iter().map(|(name, _)| name.clone()).collect(),
            cases: proposal.cases.iter().map(CaseReport::of).collect(),
            rounds: proposal.rounds,
            failed: proposal.failed.clone(),
        }
    }
}

impl CaseReport {
    fn of(tried: &TriedCase) -> CaseReport {
        let word = |verdict: Option<Verdict>| match verdict {
            Some(Verdict::Deny) => "refused",
            Some(Verdict::Ask) => "asked",
            None => "passes",
        };
        let case = &tried.case;
        CaseReport {
            expected: word(case.expected),
            verdict: word(tried.verdict),
            certain: tried.certain,
            example: ExampleReport {
                before: case.before.iter().map(CallForm::of).collect(),
                call: CallForm::of(&case.call),
                now: case.now.map(|now| now.strftime("%Y-%m-%dT%H:%M").to_string()),
            },
        }
    }
}
