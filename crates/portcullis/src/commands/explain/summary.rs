//! All tools of a list in short.

use portcullis_lattice::{Effect, Effects, words};
use portcullis_perceive::Profiles;
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::profile::{Profile, What};
use serde::Serialize;
use serde_json::Value;

use super::definitions::Tools;
use super::profile::AssumptionReport;
use super::{ExplainError, Server};

/// All tools of a server.
#[derive(Serialize)]
pub(super) struct Summary<'s> {
    pub(super) server: &'s str,
    catalogued: Option<&'s str>,
    pub(super) tools: Vec<ToolSummary>,
}

/// One tool in short.
#[derive(Serialize)]
pub(super) struct ToolSummary {
    pub(super) tool: String,
    pub(super) source: &'static str,
    /// What it may do, all deeds together.
    effects: Vec<&'static str>,
    /// The same in words, with what else decides.
    pub(super) words: String,
    /// What else decides: `command`, `sql`, `tool`.
    decided_by: Vec<&'static str>,
    pub(super) assumptions: Vec<AssumptionReport>,
}

pub(super) fn summary<'s>(
    server: &'s Server,
    catalogue: &Catalogue,
    tools: &Tools,
    definitions: &[Value],
) -> Result<Summary<'s>, ExplainError> {
    let mut profiles = Profiles::new(catalogue);
    let mut summaries = Vec::new();
    for definition in definitions {
        let profile = profiles
            .profile(server.identity(), definition, None)
            .map_err(|error| ExplainError::definition(tools.path(), error))?;
        summaries.push(ToolSummary::new(&profile));
    }
    Ok(Summary { server: &server.name, catalogued: server.catalogued.as_deref(), tools: summaries })
}

impl ToolSummary {
    fn new(profile: &Profile) -> ToolSummary {
        let mut effects = Effects::EMPTY;
        let mut decided_by = Vec::new();
        for deed in &profile.deeds {
            match &deed.what {
                What::Flow(flow) => effects = effects.join(flow.effects),
                What::Shell { .. } => decided_by.push("command"),
                What::Sql { .. } => decided_by.push("sql"),
            }
        }
        decided_by.extend(profile.calls.as_ref().map(|_| "tool"));
        decided_by.dedup();
        ToolSummary {
            tool: profile.tool.clone(),
            source: profile.source.name(),
            effects: effects.iter().map(Effect::name).collect(),
            words: told(effects, &decided_by),
            decided_by,
            assumptions: profile.assumptions.iter().map(AssumptionReport::new).collect(),
        }
    }
}

/// What a tool may do, in few words.
fn told(effects: Effects, decided_by: &[&'static str]) -> String {
    let decided = decided_by.iter().map(|what| match *what {
        "command" => "what its command says".to_owned(),
        "sql" => "what its SQL says".to_owned(),
        _ => "what the tool does that it calls".to_owned(),
    });
    let effects = Some(words::effects(effects)).filter(|words| !words.is_empty());
    effects.into_iter().chain(decided).collect::<Vec<_>>().join("; ")
}
