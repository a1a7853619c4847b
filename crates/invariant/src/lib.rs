//! Rules that users state in plain English.
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.

mod action;
mod adopt;
mod alone;
mod aloud;
pub mod by_hand;
pub mod cedar;
pub mod english;
mod examples;
mod facts;
mod filters;
mod forms;
mod hand;
mod history;
mod interest;
mod known;
pub mod meaning;
mod names;
mod ordered;
pub mod propose;
mod rulebook;
mod say;
mod schema;
mod span;
mod stand_in;
mod toolbox;
mod trails;
pub mod trial;
mod write;

pub use examples::{Example, Examples, examples};
pub use facts::{CallFacts, Circumstances, PastCircumstances, Untold, databases};
pub use forms::Form;
pub use hand::Hand;
pub use history::{History, MOST_KEYS};
pub use interest::Interest;
pub use ordered::ordered;
pub use rulebook::{Breach, Rulebook, RulebookError, StateError, Stated};
pub use say::{say, say_case};
pub use schema::Vocabulary;
pub use toolbox::{Described, Toolbox, ToolboxError};
pub use trails::{SavedTrail, Trails};
pub use write::{WriteError, Written, write};
