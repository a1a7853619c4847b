//! Language models that may be asked for proposals.
//!
//! A [`Provider`] says who is asked, [`Client`] asks: one HTTPS request for each prompt, in the form of Anthropic's
//! Messages, of OpenAI's chat completions (which many servers speak) or of Ollama's chat. A model never decides
//! anything; what it answers is read by [`portcullis_invariant::propose`].
//!
//! The key of a provider is in no error, no log and no `Debug`: see [`Key`]. It comes from the environment or, if that has
//! none, from the keyring of the user's session, which keeps one for each host: see [`Secrets`].

mod client;
mod key;
mod keyring;
mod provider;
mod shapes;

pub use client::{Client, ClientError};
pub use key::{Key, KeyError};
pub use keyring::{KeyringError, OfThisMachine, SERVICE, Secrets};
pub use provider::{Kind, Provider, ProviderError, Settings};
