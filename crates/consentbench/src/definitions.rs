//! Definitions of tools that neither a trace nor the catalogue has.

use std::collections::BTreeMap;

use portcullis_perceive::derive::{Definition, DefinitionError};
use portcullis_perceive::json::strict;
use serde_json::Value;

/// The tools of servers that are not in the catalogue: what each would answer to `tools/list`, by its name.
///
/// Traces are published without the texts of third parties; a file of definitions in words of one's own takes their place.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Definitions {
    servers: BTreeMap<String, Vec<Value>>,
}

/// Why a file of definitions is none.
#[derive(Debug, thiserror::Error)]
pub enum DefinitionsError {
    /// It is no JSON, or says something twice.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// It is no object of servers.
    #[error("an object of servers was expected, as in {{\"gitlab\": {{\"tools\": []}}}}")]
    NoServers,
    /// A server has no list of tools.
    #[error("{0}.tools: a list was expected")]
    NoTools(String),
    /// A tool's definition is none.
    #[error("{server}.tools[{at}]: {error}")]
    Definition {
        /// The server.
        server: String,
        /// Which of its tools, from 0.
        at: usize,
        /// What is wrong.
        error: DefinitionError,
    },
}

impl Definitions {
    /// Reads `{"server": {"tools": [...]}}`. Every definition is looked at now, so that a bad one is not found halfway.
    pub fn parse(text: &str) -> Result<Definitions, DefinitionsError> {
        let value = strict(text)?;
        let entries = value.as_object().ok_or(DefinitionsError::NoServers)?;
        let mut servers = BTreeMap::new();
        for (server, answer) in entries {
            let tools = answer.get("tools").and_then(Value::as_array);
            let tools = tools.ok_or_else(|| DefinitionsError::NoTools(server.clone()))?;
            for (at, tool) in tools.iter().enumerate() {
                Definition::read(tool).map_err(|error| DefinitionsError::Definition {
                    server: server.clone(),
                    at,
                    error,
                })?;
            }
            servers.insert(server.clone(), tools.clone());
        }
        Ok(Definitions { servers })
    }

    /// The definition of a server's tool.
    pub fn find(&self, server: &str, tool: &str) -> Option<&Value> {
        self.servers.get(server)?.iter().find(|definition| names(definition, tool))
    }
}

/// Whether a definition is of this tool.
pub(crate) fn names(definition: &Value, tool: &str) -> bool {
    definition.get("name").is_some_and(|name| *name == *tool)
}
