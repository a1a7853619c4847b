//! What can go wrong with the gate itself: its state, its settings, its servers.

use portcullis_gateway::child::LaunchError;
use portcullis_gateway::{AnswerError, GuardError};
use portcullis_login::{LoginError, LoginsError, WebError};
use portcullis_serve::FrontError;
use portcullis_store::{CommitError, StoreError};

use crate::configuration::ConfigurationError;
use crate::lister::ListerError;
use crate::own_keys::OwnKeyError;
use crate::places::PlacesError;
use crate::servers::ServerError;
use crate::sources::SourceError;
use crate::trusted::Distrust;

/// A failure of the gate.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GateError {
    #[error(transparent)]
    Places(#[from] PlacesError),
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    #[error(transparent)]
    Guard(#[from] GuardError),
    #[error(transparent)]
    Server(#[from] ServerError),
    #[error(transparent)]
    Front(#[from] FrontError),
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Lister(#[from] ListerError),
    #[error(transparent)]
    OwnKey(#[from] OwnKeyError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Login(#[from] LoginError),
    #[error(transparent)]
    Logins(#[from] LoginsError),
    #[error(transparent)]
    Web(#[from] WebError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error(transparent)]
    Distrust(#[from] Distrust),
    #[error(transparent)]
    Answer(#[from] AnswerError),
    #[error("{0}")]
    BuiltIn(String),
    #[error("{0}")]
    Said(String),
}
