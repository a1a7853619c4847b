//! The risk lattice of Portcullis, and what is decided on it.
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
