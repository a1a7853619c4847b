//! ConsentBench: recorded agent sessions, replayed through the monitor that guards real calls, scored and compared.
//!
//! A trace says what the user asked for and which calls the agent made. Its author wrote down facts about each call, from
//! which an oracle derived what should be decided. A replay shows the monitor the session, the tools and the arguments,
//! never the facts; compares what it decides; and goes on as the trace says, so that one mistake counts once.
//!
//! The crate is pure: it takes texts and gives figures. Files, clocks and progress are the program's.

mod baseline;
mod definitions;
mod grant;
mod replay;
mod report;
mod score;
mod trace;

pub use baseline::Baseline;
pub use definitions::{Definitions, DefinitionsError};
pub use replay::{Replay, ReplayError, Replayed, StepResult, Workbench};
pub use report::{Report, html, json, mistakes, table};
pub use score::{Figures, Group, Measured, Times, score};
pub use trace::{Answer, Kind, Side, Step, Trace, TraceError, traces};
