//! The key in the keyring of the user's session.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use keyring::{Entry, Error};
use zeroize::Zeroizing;

/// The names under which the key is kept.
const SERVICE: &str = "portcullis";
const USER: &str = "the key of logins";
/// How long a keyring may take, which may have to ask the user for its own password first.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Why the keyring gives no key. Nothing of what it holds is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum KeyringError {
    #[error("no keyring can be reached from here")]
    Unreachable,
    #[error("the keyring is locked; unlock it")]
    Locked,
    #[error("the keyring did not answer in {} seconds", TIMEOUT.as_secs())]
    Slow,
    #[error("the keyring has no key for logins any more; log in again")]
    Missing,
    #[error("what the keyring has as the key of logins cannot be read")]
    Unreadable,
}

/// A keyring with one text in it, or none.
pub(crate) trait Ring: Send + Sync {
    /// The text.
    fn read(&self) -> Result<Zeroizing<String>, KeyringError>;

    /// Puts a text there.
    fn write(&self, text: Zeroizing<String>) -> Result<(), KeyringError>;
}

/// That of the user's session.
pub(crate) struct OfTheSession;

impl Ring for OfTheSession {
    fn read(&self) -> Result<Zeroizing<String>, KeyringError> {
        in_time(|| Entry::new(SERVICE, USER)?.get_password().map(Zeroizing::new))
    }

    fn write(&self, text: Zeroizing<String>) -> Result<(), KeyringError> {
        in_time(move || Entry::new(SERVICE, USER)?.set_password(&text))
    }
}

/// In a thread of its own, for nobody else could stop waiting.
fn in_time<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, KeyringError> {
    let (sender, receiver) = mpsc::channel();
    let spawned = thread::Builder::new().name("keyring".into()).spawn(move || {
        let _ = sender.send(work().map_err(|error| failure(&error)));
    });
    spawned.map_err(|_| KeyringError::Unreachable)?;
    receiver.recv_timeout(TIMEOUT).unwrap_or(Err(KeyringError::Slow))
}

/// By its kind alone: what an error holds may be the secret itself.
fn failure(error: &Error) -> KeyringError {
    match error {
        Error::NoEntry => KeyringError::Missing,
        Error::NoStorageAccess(_) => KeyringError::Locked,
        Error::BadEncoding(_) | Error::BadDataFormat(..) | Error::Ambiguous(_) => KeyringError::Unreadable,
        Error::PlatformFailure(_)
        | Error::BadStoreFormat(_)
        | Error::TooLong(..)
        | Error::Invalid(..)
        | Error::NoDefaultStore
        | Error::NotSupportedByStore(_)
        | _ => KeyringError::Unreachable,
    }
}
