//! The story, as data.

use serde::Deserialize;
use serde_json::Value;

const STORY: &str = include_str!("../../../data/demo.toml");

/// The story.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Story {
    pub(super) intro: String,
    pub(super) rule: String,
    #[serde(rename = "server")]
    pub(super) servers: Vec<StoryServer>,
    #[serde(rename = "step")]
    pub(super) steps: Vec<Step>,
}

/// A toy server.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoryServer {
    pub(super) name: String,
    pub(super) package: String,
    pub(super) tools: Vec<StoryTool>,
}

/// One of its tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoryTool {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) arguments: Vec<String>,
}

/// A call of the assistant, and what comes of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    pub(super) says: String,
    pub(super) server: String,
    pub(super) tool: String,
    pub(super) arguments: Value,
    /// The answer that the story has to the question, if there is one.
    #[serde(default)]
    pub(super) answer: String,
    pub(super) why: String,
    pub(super) result: String,
    /// What is decided, one after the other.
    pub(super) expect: Vec<String>,
}

impl Story {
    /// The story that is built in.
    pub(super) fn built_in() -> Result<Story, toml::de::Error> {
        toml::from_str(STORY)
    }
}

impl Step {
    /// The arguments in one line, in the order of their names.
    pub(super) fn shown_arguments(&self) -> String {
        portcullis_invariant::ordered(&self.arguments).to_string()
    }
}
