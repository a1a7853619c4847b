//! Guards many servers at once, for hosts that speak over HTTP.
//!
//! A [`Connection`] is one host with the servers that it speaks to: whatever is said goes through the relay or the hub of
//! the gateway, which decide. Its servers are [child processes or reached over HTTP](Target). The [front](Front) listens on
//! loopback and finds the connection that a request belongs to.

mod connection;
mod front;
mod guarded;
mod link;
mod middle;
mod numbers;
mod outlets;
mod registry;
mod schemas;

pub use connection::{Connection, Notes};
pub use front::{Front, FrontError, Token};
pub use guarded::{Endpoint, Guarded, Opened, Who};
pub use link::Target;
pub use middle::Middle;
