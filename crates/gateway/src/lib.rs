//! Guards real servers for real hosts.
//!
//! A [`Guard`] is a session of the monitor with the store behind it. A [`Relay`] stands between one host and one server,
//! and does no input or output itself; a [`Hub`] shows several of them to a host as one. [`stdio`] runs a relay over the
//! standard streams of a host and a child process.

mod backoff;
mod book;
pub mod child;
mod guard;
mod hub;
mod recorded;
mod relay;
mod review;
mod server;
mod settings;
pub mod sink;
pub mod stdio;
mod who;

pub use backoff::Backoff;
pub use book::{
    ASIDE, Allowance, BLOCKED, IssuerAllowance, KEYS_COUNT, KeysOf, LISTED, PINNED, PinError, Roots,
    VERIFIED, Wanted, approval, block, entry_of, kept_bundle, lift, revoking, revoking_issuer, trust_roots,
    trusted_issuer, trusted_key, trusting, trusting_issuer,
};
pub use guard::{
    Admission, AnswerError, Asked, AskedChoice, Given, Guard, GuardError, Request, answer, kind,
};
pub use hub::{Hub, HubAct};
pub use recorded::{
    RecordedAnswer, RecordedBreach, RecordedCall, RecordedFinding, RecordedFlow, RecordedLayout,
    RecordedResource,
};
pub use relay::{Act, Asking, Relay};
pub use review::{Reviewed, ReviewedTool, approve, review};
pub use server::{Origin, Server, Tool, Tools, catalogue};
pub use settings::{Settings, ToolPolicy};
