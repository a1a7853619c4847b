//! Where keys are looked for: in the environment, and in the keyring of the user's session.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use keyring::{Entry, Error};

use crate::key::{Key, KeyError};

/// The name under which keys are kept; beside it stands the host that they are for.
pub const SERVICE: &str = "portcullis";
/// How long a keyring may take, which may have to ask the user for its own password first.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where keys are looked for.
pub trait Secrets {
    /// What is in an environment variable.
    fn variable(&self, name: &str) -> Option<String>;

    /// The key that the keyring has for a host.
    fn kept(&self, host: &str) -> Result<Key, KeyringError>;
}

/// The environment of this process, and the keyring of its user.
#[derive(Clone, Copy, Debug)]
pub struct OfThisMachine;

/// Why the keyring gives no key. Nothing of what it holds is told.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyringError {
    /// There is none, or none that this process may speak to.
    #[error("no keyring can be reached from here; set the variable")]
    Unreachable,
    /// It is there, and stays shut.
    #[error("the keyring is locked; unlock it")]
    Locked,
    /// The user was asked, and said nothing.
    #[error("the keyring did not answer in {} seconds", TIMEOUT.as_secs())]
    Slow,
    /// It has none for this host.
    #[error("the keyring has no key for `{host}`{}", keep(.host))]
    Missing {
        /// Which host.
        host: String,
    },
    /// It has more than one, and nobody says which.
    #[error("the keyring has several keys for `{host}`; remove all but one")]
    Several {
        /// Which host.
        host: String,
    },
    /// What it has is no key.
    #[error("what the keyring has for `{host}` is no key: {error}")]
    Key {
        /// Which host.
        host: String,
        /// What is wrong with it.
        error: KeyError,
    },
}

/// How a key is put into the keyring, on systems whose own program can do it.
fn keep(host: &str) -> String {
    if cfg!(target_os = "macos") {
        format!(" (`security add-generic-password -s {SERVICE} -a {host} -w` puts one there)")
    } else if cfg!(target_os = "linux") {
        format!(" (`secret-tool store --label=Portcullis service {SERVICE} username {host}` puts one there)")
    } else {
        format!(" (its entry has the service `{SERVICE}` and the user `{host}`)")
    }
}

impl Secrets for OfThisMachine {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn kept(&self, host: &str) -> Result<Key, KeyringError> {
        let (sender, receiver) = mpsc::channel();
        let own = host.to_owned();
        // In a thread of its own, for nobody else could stop waiting.
        let spawned = thread::Builder::new().name("keyring".into()).spawn(move || {
            let _ = sender.send(read(&own));
        });
        spawned.map_err(|_| KeyringError::Unreachable)?;
        receiver.recv_timeout(TIMEOUT).unwrap_or(Err(KeyringError::Slow))
    }
}

fn read(host: &str) -> Result<Key, KeyringError> {
    let text = Entry::new(SERVICE, host).and_then(|entry| entry.get_password());
    let text = text.map_err(|error| failure(&error, host))?;
    Key::new(&text).map_err(|error| KeyringError::Key { host: host.to_owned(), error })
}

/// By its kind alone: what an error holds may be the secret itself.
fn failure(error: &Error, host: &str) -> KeyringError {
    let host = host.to_owned();
    match error {
        Error::NoEntry => KeyringError::Missing { host },
        Error::Ambiguous(_) => KeyringError::Several { host },
        Error::NoStorageAccess(_) => KeyringError::Locked,
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            KeyringError::Key { host, error: KeyError::Letters }
        }
        Error::PlatformFailure(_)
        | Error::BadStoreFormat(_)
        | Error::TooLong(..)
        | Error::Invalid(..)
        | Error::NoDefaultStore
        | Error::NotSupportedByStore(_)
        | _ => KeyringError::Unreachable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_keyring_holds_is_told() {
        let secret = || b"sk-portcullis-0123\xff".to_vec();
        let errors = [
            (Error::BadEncoding(secret()), "what the keyring has for `h` is no key: it has letters"),
            (Error::BadDataFormat(secret(), "sk-portcullis-0123".into()), "what the keyring has for `h`"),
            (Error::PlatformFailure("sk-portcullis-0123".into()), "no keyring can be reached from here"),
            (Error::NoStorageAccess("sk-portcullis-0123".into()), "the keyring is locked; unlock it"),
            (Error::NoEntry, "the keyring has no key for `h`"),
            (Error::Ambiguous(Vec::new()), "the keyring has several keys for `h`; remove all but one"),
            (Error::NoDefaultStore, "no keyring can be reached from here"),
        ];
        for (error, expected) in errors {
            let told = failure(&error, "h");
            let (words, inside) = (told.to_string(), format!("{told:?}"));
            assert!(words.starts_with(expected), "{words}");
            assert!(!words.contains("sk-portcullis") && !inside.contains("sk-portcullis"), "{inside}");
            // Nor as numbers, which is how bytes are printed.
            assert!(!inside.contains("115, 107"), "{inside}");
        }
    }
}
