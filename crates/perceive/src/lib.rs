//! What a tool call does, seen without a model.
//!
//! Analysers read the arguments of a call, one kind each: they turn text that an agent wrote into the canonical names
//! of resources and into what is done with them. What they cannot read they say so, and the caller assumes the worst.
//!
//! The crate is pure: no files, sockets, environment, clock or randomness. What has to be looked up on a disk is asked
//! of a resolver that the caller brings.

mod call;
pub mod catalogue;
mod declared;
mod deed;
pub mod derive;
mod ids;
pub mod json;
pub mod layout;
mod letters;
pub mod network;
pub mod paths;
pub mod profile;
mod profiles;
mod riskiest;
pub mod secrets;
pub mod sensitive;
pub mod shell;
pub mod sql;

pub use call::{Doubt, FlowsError, Memory, Note, PageAfter, Particulars, Perceiver, Perception};
pub use declared::Declaration;
pub use deed::{Act, Deed, Use};
pub use profiles::{DefinitionHash, Profiles, ServerIdentity};
pub use riskiest::riskiest;
