//! What an issuer answers to a request for tokens.

use jiff::{SignedDuration, Timestamp};
use portcullis_wire::json::Node;

use crate::attempt::printable;
use crate::members::{self, MemberError};
use crate::scopes::Scopes;
use crate::secret::Secret;

/// The longest time for which a token is believed to last.
const LONGEST_LIFE: u64 = 10 * 366 * 24 * 60 * 60;
/// The longest name of an error.
const LONGEST_ERROR: usize = 64;

/// Tokens of one issuer, for one resource.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub(crate) access: Secret,
    pub(crate) refresh: Option<Secret>,
    pub(crate) expires: Option<Timestamp>,
    /// What the issuer says that they are good for, if it says so.
    pub(crate) scopes: Option<Scopes>,
}

/// Why there are no tokens in an answer. Nothing of the answer is told.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TokenError {
    /// Not of the form that it has to have.
    #[error("the answer of the issuer {0}")]
    Form(#[from] MemberError),
    /// Tokens that are used in another way than by showing them.
    #[error("the issuer gives tokens of another kind than `Bearer` (`token_type`)")]
    Kind,
}

/// Why an issuer gives no tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// By its own name for that, such as `invalid_grant`; empty if it gives none.
    pub error: String,
}

impl Tokens {
    /// Reads an answer with tokens.
    ///
    /// # Errors
    /// If there are none that can be used.
    pub fn read(bytes: &[u8], now: Timestamp) -> Result<Tokens, TokenError> {
        let document = members::object(bytes)?;
        let root = document.root();
        if !members::needed_text(root, "token_type")?.eq_ignore_ascii_case("bearer") {
            return Err(TokenError::Kind);
        }
        let access = token(root, "access_token")?.ok_or(MemberError::Missing("access_token"))?;
        let refresh = token(root, "refresh_token")?;
        let life = seconds(root)?;
        let expires = life.and_then(|seconds| {
            let seconds = i64::try_from(seconds.min(LONGEST_LIFE)).ok()?;
            now.checked_add(SignedDuration::from_secs(seconds)).ok()
        });
        let scopes = members::text(root, "scope")?.map(|text| Scopes::read(&text)).transpose();
        let scopes = scopes.map_err(|_| MemberError::Wrong("scope"))?;
        Ok(Tokens { access, refresh, expires, scopes })
    }
}

impl Refusal {
    /// Reads an answer that is a refusal. What cannot be read says nothing.
    pub fn read(bytes: &[u8]) -> Refusal {
        let named = members::object(bytes).ok().and_then(|document| {
            let error = members::text(document.root(), "error").ok()??;
            (error.len() <= LONGEST_ERROR).then(|| printable(&error))
        });
        Refusal { error: named.unwrap_or_default() }
    }

    /// Whether what we showed is good for nothing any more, so that only a person can help.
    pub fn is_final(&self) -> bool {
        ["invalid_grant", "invalid_client", "unauthorized_client"].contains(&self.error.as_str())
    }
}

/// A token, which has to fit into a header as it is.
fn token(root: Node<'_>, name: &'static str) -> Result<Option<Secret>, MemberError> {
    match members::text(root, name)? {
        None => Ok(None),
        Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic()) => {
            Ok(Some(Secret::new(text.into_owned())))
        }
        Some(_) => Err(MemberError::Wrong(name)),
    }
}

/// For how long they last. Some issuers write the number as a text.
fn seconds(root: Node<'_>) -> Result<Option<u64>, MemberError> {
    let Some(member) = root.get("expires_in").filter(|member| !member.is_null()) else { return Ok(None) };
    let read = member.as_u64().or_else(|| member.as_str()?.parse().ok());
    read.map(Some).ok_or(MemberError::Wrong("expires_in"))
}
