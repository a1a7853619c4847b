//! Tokens that change while a server is spoken to: who keeps them is asked before each request.

use std::fmt::{self, Debug, Formatter};
use std::pin::Pin;

use reqwest::header::HeaderValue;
use url::Url;
use zeroize::Zeroizing;

use crate::challenge::Challenge;

/// What somebody has to wait for.
pub type Waiting<'w, T> = Pin<Box<dyn Future<Output = T> + Send + 'w>>;

/// Who keeps the tokens for one server.
///
/// It is told where each goes, so that it can refuse to give one for another server.
pub trait Authorization: Send + Sync {
    /// The token that lets us in now; none if nobody has logged in.
    fn token<'w>(&'w self, place: &'w Url) -> Waiting<'w, Result<Option<Token>, NoToken>>;

    /// Another token than the one that the server refused with status 401; none if there is no other. It is asked for at most
    /// once for each request, which is then sent again: a request that was not let in was not carried out.
    fn another<'w>(
        &'w self,
        place: &'w Url,
        refused: &'w Token,
    ) -> Waiting<'w, Result<Option<Token>, NoToken>>;

    /// What the user can do about not being let in.
    fn advice(&self, status: u16, challenge: &Challenge) -> String;
}

/// Why there is no token, and what the user can do. Nothing in it is secret.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoToken(pub String);

/// A bearer token, which cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(Zeroizing<String>);

impl Token {
    /// Takes a token.
    pub fn new(text: &str) -> Token {
        Token(Zeroizing::new(text.to_owned()))
    }

    /// The token itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The value of the header that shows it, marked as a secret.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let text = Zeroizing::new(format!("Bearer {}", self.reveal()));
        let mut value = HeaderValue::from_str(&text).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

impl Debug for Token {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(…)")
    }
}
