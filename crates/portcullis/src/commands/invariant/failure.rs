//! What can be wrong with what is said about rules in plain English.

use std::path::{Path, PathBuf};

use portcullis_invariant::by_hand::ByHandError;
use portcullis_invariant::cedar::{Misfit, RequestError};
use portcullis_invariant::trial::TrialError;
use portcullis_invariant::{RulebookError, ToolboxError};
use portcullis_model::{ClientError, ProviderError};

/// Why nothing is said.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvariantError {
    #[error(transparent)]
    Tools(#[from] ToolboxError),
    #[error(transparent)]
    Trial(#[from] TrialError),
    #[error("`{}`: {error}", .path.display())]
    File { path: PathBuf, error: TrialError },
    #[error("`{}` has no sentences", .path.display())]
    NoSentences { path: PathBuf },
    #[error(
        "{option}: {error}\n  = a call is written {{\"server\": \"gmail\", \"tool\": \"send_email\", \"arguments\": {{…}}}}"
    )]
    Call { option: &'static str, error: serde_json::Error },
    #[error("--now: `{0}` is no time such as 2026-03-06T18:40")]
    Now(String),
    #[error(transparent)]
    Rules(#[from] RulebookError),
    #[error("no model can be asked: {error}{}", place(.error, .path))]
    Provider { path: PathBuf, error: ProviderError },
    #[error("no model can be asked: {0}")]
    Client(ClientError),
    #[error("`{}` holds no rules that can be put into force:\n{error}", .path.display())]
    ByHand { path: PathBuf, error: ByHandError },
    #[error("--datalog: one sentence says what the rules of a file are for, not {0}")]
    OneSentence(usize),
    #[error("--reading: the sentence has {0}; `portcullis invariant check` shows them")]
    Reading(String),
    #[error("this rule cannot be said in Cedar: {0}")]
    Cedar(Misfit),
    #[error("no policy can be asked about this call, so it has to be refused: {0}")]
    Request(RequestError),
}

/// Where to say what is missing. Keys are in no file.
fn place(error: &ProviderError, path: &Path) -> String {
    match error {
        ProviderError::NoKey { .. } | ProviderError::Key { .. } => String::new(),
        ProviderError::NoProvider
        | ProviderError::NoName
        | ProviderError::Url(_)
        | ProviderError::Parts
        | ProviderError::Scheme
        | ProviderError::Plain
        | ProviderError::Timeout => format!("; this belongs into the table `model` of `{}`", path.display()),
    }
}
