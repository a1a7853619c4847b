//! Messages between agents and tools, read strictly and forwarded as they came.
//!
//! [`json`] reads a message once, refuses whatever two programs could read differently, and keeps the bytes.
//!
//! ```
//! use portcullis_wire::json::{Document, Limits};
//!
//! let call = br#"{"name":"echo","arguments":{"message":"hi"}}"#;
//! let document = Document::parse(call, &Limits::default()).unwrap();
//! let arguments = document.root().get("arguments").unwrap();
//! assert_eq!(arguments.get("message").unwrap().as_str().unwrap(), "hi");
//! assert_eq!(arguments.raw(), br#"{"message":"hi"}"#);
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
