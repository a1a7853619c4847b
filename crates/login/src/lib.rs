//! Logging in to servers that want a user's token.
//!
//! The rules are those of `portcullis-oauth`; here are the edges: questions over HTTP, the browser and the address that it comes
//! back to, and where tokens are kept. A [`Plan`] is what a login would be, for a person to see before; [`Plan::log_in`] does it.
//! [`Logins`] keeps what came of it, sealed. A [`Keeper`] gives tokens to requests, and renews them.

mod browser;
mod door;
mod find;
mod keeper;
mod keyring;
mod leave;
mod logins;
mod plan;
mod sealed;
mod web;

pub use browser::open_browser;
pub use find::FindError;
pub use keeper::Keeper;
pub use leave::{Left, leave};
pub use logins::{Locked, Logins, LoginsError, Opened, Place};
pub use plan::{LoginError, Plan, Wish};
pub use sealed::{FileKey, KeySource, SealError};
pub use web::{Web, WebError};
