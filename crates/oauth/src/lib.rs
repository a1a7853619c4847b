//! OAuth 2.1, as the client of an MCP server that wants a user's token: the rules, without any I/O.
//!
//! What servers answer goes in as bytes; what has to be asked next comes out as addresses and forms. Time and randomness are
//! arguments. The order of a login:
//!
//! 1. [`ServerUrl::metadata_places`] → [`Protected`]: who gives out tokens for the server, and for which resource (RFC 9728).
//! 2. [`Issuer::metadata_places`] → [`Authority`]: where the issuer is asked, and what it can do (RFC 8414, OpenID Connect).
//! 3. [`way`] → [`Client`]: who we are to it (known, by a document, or registered).
//! 4. [`Attempt`]: the address for the browser, with PKCE, `state` and `resource`; the answer, with `state` and `iss` checked.
//! 5. [`Attempt::token_request`] → [`Tokens`] → [`Login`]: what is kept, for one server, one issuer and one resource.
//!
//! A [`Login`] hands out its refresh token only to the [`Authority`] of its own issuer, and its access token only for its own
//! server.

mod address;
mod attempt;
mod authority;
mod client;
mod form;
mod kept;
mod login;
mod members;
mod resource;
mod scopes;
mod secret;
mod tokens;

pub use address::{AddressError, Near, ServerUrl};
pub use attempt::{Answer, AnswerError, Asked, Attempt, Chance};
pub use authority::{Authority, AuthorityError, Issuer};
pub use client::{Client, ClientError, Configured, NoWay, Redirect, Way, registration, way};
pub use form::Form;
pub use kept::KeptError;
pub use login::{Login, Mismatch, Standing};
pub use members::MemberError;
pub use resource::{Protected, ProtectedError, Resource};
pub use scopes::{ScopeError, Scopes};
pub use secret::Secret;
pub use tokens::{Refusal, TokenError, Tokens};
