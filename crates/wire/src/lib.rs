//! Messages between agents and tools, read strictly and forwarded as they came.
//!
//! [`framing`] and [`sse`] cut streams into texts. [`json`] reads a text once, refuses whatever two programs could read
//! differently, and keeps the bytes. [`rpc`] says what kind of message it is, [`mcp`] what it is about and what has to be done
//! with it. [`splice`] edits a message so that the rest stays as it came.
//!
//! ```
//! use portcullis_wire::json::{Document, Limits};
//! use portcullis_wire::mcp::{Direction, Form, Method, ToolCall, Treatment};
//! use portcullis_wire::rpc::{Incoming, Message};
//!
//! let line = br#"{"method":"tools/call","params":{"name":"echo","arguments":{"n":1.0}},"jsonrpc":"2.0","id":4}"#;
//! let document = Document::parse(line, &Limits::default()).unwrap();
//! let Ok(Incoming::One(Message::Request { method, params, .. })) = Message::read(&document) else { panic!() };
//! let handling = Method::of(&method).handling(Direction::ToServer, Form::Request);
//! assert_eq!((handling.treatment, handling.reason), (Treatment::Judge, "runs a tool"));
//! let call = ToolCall::read(params).unwrap();
//! assert_eq!(call.name, "echo");
//! assert_eq!(call.arguments.unwrap().raw(), br#"{"n":1.0}"#);
//!
//! let twice = Document::parse(*br#"{"name":"echo","n\u0061me":"delete"}"#, &Limits::default());
//! assert_eq!(twice.unwrap_err().to_string(), "at byte 15: the key `name` is in this object twice");
//! ```
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.

pub mod framing;
pub mod json;
mod lookalike;
pub mod mcp;
pub mod rpc;
pub mod splice;
pub mod sse;
