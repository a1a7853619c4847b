//! The one place where a call is decided.
//!
//! Every front (a server over stdio, a benchmark's replay, a hook) hands its calls to a [`Session`]. The stages look at a
//! call in order, the strictest answer wins, and the [`Verdict`] keeps what each of them found, so that "why?" always has
//! an answer. Deciding changes nothing; what a permitted call changes is told to the session by [`Session::permit`], which
//! alone makes a [`Permit`], and by [`Session::completed`].
//!
//! The crate is pure: the time is an argument, nothing is read or written, nothing is random.

mod again;
mod call;
mod permit;
mod question;
mod session;
mod stage;
mod verdict;

pub use again::{Again, PastCall, Possible, decide_again};
pub use call::{ToolCall, ToolStanding};
pub use permit::{Permit, Refusal};
pub use question::{Answer, AskedDeed, Choice, Question, Term};
pub use session::{LoadError, Outcome, Part, Protected, Session};
pub use stage::{Finding, Stage};
pub use verdict::Verdict;
