//! The risk lattice of Portcullis, and what is decided on it.
//!
//! A tool call is a set of [flows](Flow): resources in, resources out, what the data carries and what is
//! done. Consent is a set of [rules](Rule): boundaries that such flows may or must not cross.
//! [`Policy::decide`] says what the rules say about a call, and why; [`Policy::ladder`] offers the answers to
//! a question, and [`Rung::grant`] makes rules of them.
//!
//! ```
//! use portcullis_lattice::{
//!     Call, Decision, Effect, Effects, Flow, Policy, Reach, Resource, Ruleset, Server, Standing, Taint,
//!     Topology,
//! };
//!
//! let rules = Ruleset::parse("allow write from ctxt to mailto:*@acme.com").unwrap();
//! let topology = Topology::new();
//! let policy = Policy::compile(&rules, &topology, "monday");
//!
//! let recipient = topology.resource("mailto:ann@vendor.net", Reach::One).unwrap();
//! let effects = Effects::only(Effect::Write);
//! let flow = Flow::new(vec![Resource::context()], vec![recipient], Taint::EMPTY, effects).unwrap();
//! let server = Server { name: "gmail".into(), standing: Standing::Known };
//! let call = Call { server, flows: vec![flow] };
//!
//! let now = jiff::Timestamp::UNIX_EPOCH;
//! let judgement = policy.decide(&call, now);
//! assert_eq!(judgement.decision, Decision::Ask);
//! assert_eq!(
//!     judgement.explain(&policy, &call)[0].leaves,
//!     ["the output: you allowed people at acme.com, this goes to ann@vendor.net"],
//! );
//! ```
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.
#![no_std]
extern crate alloc;

mod absorb;
mod decide;
mod error;
mod explain;
mod flags;
mod flow;
mod glob;
mod index;
mod judgement;
mod name;
mod nearest;
mod order;
mod pattern;
mod policy;
mod refine;
mod region;
mod resource;
mod rule;
mod ruleset;
mod scope;
mod text;
mod tidy;
mod topology;
mod visible;
pub mod words;

pub use absorb::Absorbed;
pub use error::ParseError;
pub use explain::Explanation;
pub use flags::{Effect, Effects, Label, Realm, Realms, Taint};
pub use flow::{Call, Flow, FlowError, Server, Standing};
pub use judgement::{Decision, Ground, Judgement, PairJudgement};
pub use nearest::{Departure, Nearest, Outside};
pub use pattern::{Depth, Pattern, Segment};
pub use policy::Policy;
pub use refine::{Grant, Ladder, MOST_RUNGS, Rung};
pub use region::{Region, catches};
pub use resource::{Reach, Resource};
pub use rule::{Action, Binding, Boundary, DEFAULT_GRANTOR, Lifetime, Locations, Rule};
pub use ruleset::{Entry, RuleId, Ruleset, RulesetError};
pub use scope::{Network, Scope};
pub use tidy::{Proposal, Recorded, Step, tidy};
pub use topology::{Class, Topology};
