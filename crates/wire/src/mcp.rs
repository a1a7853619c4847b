//! MCP of both eras, read from messages that stay as they are.
//!
//! Every reader is given a [node](crate::json::Node) and answers with what decides, or with a [`ShapeError`]. Nothing
//! that decides is passed over because it has another form than expected: a server may be less strict.

mod call;
mod capabilities;
mod headers;
mod input;
mod lifecycle;
mod list;
mod method;
mod mirror;
mod revision;
mod shape;
mod texts;
mod treatment;

pub use call::{Completion, PromptGet, ResourceRead, Retry, Subscription, TaskRequest, ToolCall};
pub use capabilities::{ClientCapabilities, Elicitation};
pub use headers::{Header, HeaderError, Mismatch, check, decode, encode, headers, name};
pub use input::{Action, InputRequest, InputRequired, ResultKind, answers};
pub use lifecycle::{Discovered, Initialize, Initialized, Party, RequestMeta, key};
pub use list::{Listed, Listing, list_prompts, list_resources, list_templates, list_tools};
pub use method::{Form, Method};
pub use mirror::{MirrorError, Mirrored, mirrored};
pub use revision::{Era, Revision};
pub use shape::{ShapeError, ShapeProblem};
pub use texts::{Manner, Text, texts};
pub use treatment::{Direction, Handling, Treatment};
