//! What can go wrong before anything is decided, told to the user.

use std::path::{Path, PathBuf};

use portcullis_consentbench::{ReplayError, TraceError};
use portcullis_gateway::AnswerError;
use portcullis_lattice::{ParseError, RulesetError};
use portcullis_login::{LoginError, LoginsError, WebError};
use portcullis_store::{CommitError, StoreError};

use crate::commands::explain::ExplainError;
use crate::commands::invariant::InvariantError;
use crate::configuration::ConfigurationError;
use crate::described::DescribedError;
use crate::gate::GateError;
use crate::own_keys::OwnKeyError;
use crate::places::PlacesError;
use crate::sources::SourceError;
use crate::trusted::Distrust;

/// A failure of a command. Nothing was decided.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot read `{}`: {error}", shown(.path))]
    Read { path: PathBuf, error: std::io::Error },
    #[error("`{}`, {error}\nno rule of this file is in force", shown(.path))]
    Rules { path: PathBuf, error: Box<RulesetError> },
    #[error("`{}`{}: {error}", shown(.path), in_line(.line))]
    Call { path: PathBuf, line: Option<usize>, error: Box<DescribedError> },
    #[error("`{}` has no calls: without a history nothing shows which rules are needed", shown(.path))]
    NoHistory { path: PathBuf },
    #[error("`{}`, {error}", shown(.path))]
    Trace { path: PathBuf, error: TraceError },
    #[error("no trace could be replayed")]
    NoTraces,
    #[error("cannot use the definitions in `{}`: {error}", shown(.path))]
    Tools { path: PathBuf, error: Box<dyn std::error::Error + Send + Sync> },
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("cannot write `{}`: {error}", shown(.path))]
    WriteFile { path: PathBuf, error: std::io::Error },
    #[error("--within: {0}")]
    Ceiling(Box<ParseError>),
    #[error(transparent)]
    Explain(Box<ExplainError>),
    #[error(transparent)]
    Invariant(Box<InvariantError>),
    #[error(transparent)]
    Gate(Box<GateError>),
    #[error("cannot write the answer: {0}")]
    Write(#[from] std::io::Error),
}

impl From<ExplainError> for Failure {
    fn from(error: ExplainError) -> Failure {
        Failure::Explain(Box::new(error))
    }
}

impl From<GateError> for Failure {
    fn from(error: GateError) -> Failure {
        Failure::Gate(Box::new(error))
    }
}

/// What the gate's own parts say, without a word in between.
macro_rules! failures_of_the_gate {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                GateError::from(error).into()
            }
        })*
    };
}
failures_of_the_gate!(
    AnswerError,
    CommitError,
    ConfigurationError,
    Distrust,
    LoginError,
    LoginsError,
    OwnKeyError,
    PlacesError,
    SourceError,
    StoreError,
    WebError
);

impl From<InvariantError> for Failure {
    fn from(error: InvariantError) -> Failure {
        Failure::Invariant(Box::new(error))
    }
}

fn shown(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { path.display().to_string() }
}

fn in_line(line: &Option<usize>) -> String {
    line.map_or(String::new(), |line| format!(", line {line}"))
}
