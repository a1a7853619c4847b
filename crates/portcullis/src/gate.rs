//! What can go wrong with the gate itself: its state, its settings, its servers.

use portcullis_gateway::GuardError;
use portcullis_gateway::child::LaunchError;
use portcullis_store::{CommitError, StoreError};

use crate::configuration::ConfigurationError;
use crate::places::PlacesError;

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
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Commit(#[from] CommitError),
    #[error("{0}")]
    BuiltIn(String),
}
