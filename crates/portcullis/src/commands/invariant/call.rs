//! Calls as they are written on the command line, and as they are shown.

use portcullis_invariant::Example;
use portcullis_invariant::ordered;
use portcullis_invariant::trial::TrialCall;
use portcullis_lattice::words::shown;
use portcullis_perceive::json;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::InvariantError;

/// A call in JSON.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallForm {
    pub(super) server: String,
    pub(super) tool: String,
    #[serde(default)]
    pub(super) arguments: Map<String, Value>,
}

/// An example in JSON.
#[derive(Serialize)]
pub(super) struct ExampleReport {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) before: Vec<CallForm>,
    pub(super) call: CallForm,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) now: Option<String>,
}

impl CallForm {
    pub(super) fn parse(option: &'static str, text: &str) -> Result<CallForm, InvariantError> {
        let wrong = |error| InvariantError::Call { option, error };
        serde_json::from_value(ordered(&json::strict(text).map_err(wrong)?)).map_err(wrong)
    }

    pub(super) fn call(&self) -> TrialCall {
        TrialCall {
            server: self.server.clone(),
            tool: self.tool.clone(),
            arguments: ordered(&Value::Object(self.arguments.clone())),
        }
    }

    pub(super) fn of(call: &TrialCall) -> CallForm {
        let arguments = ordered(&call.arguments).as_object().cloned().unwrap_or_default();
        CallForm { server: call.server.clone(), tool: call.tool.clone(), arguments }
    }

    /// On one line, with nothing that steers a terminal.
    pub(super) fn line(&self) -> String {
        let arguments = ordered(&Value::Object(self.arguments.clone())).to_string();
        shown(&format!("{}.{} {arguments}", self.server, self.tool))
    }
}

impl ExampleReport {
    pub(super) fn of(example: &Example) -> ExampleReport {
        ExampleReport {
            before: example.before.iter().map(CallForm::of).collect(),
            call: CallForm::of(&example.call),
            now: example.now.map(|now| now.strftime("%Y-%m-%dT%H:%M").to_string()),
        }
    }
}
