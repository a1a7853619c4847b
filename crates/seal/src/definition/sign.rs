//! Putting a signature or a voucher into a definition, and nothing else.

use portcullis_wire::json::{CanonicalError, Document, JsonError, Node, canonical, canonical_without};
use portcullis_wire::splice::{Splice, SpliceError};

use super::member::{self, Member};
use super::{LIMITS, LONGEST, MEMBER, PATH, Refused, TYPE, payload};
use crate::claims::Claims;
use crate::fields::FieldError;
use crate::jws::{self, Header, JwsError, Signed};
use crate::key::{CannotSign, PrivateKey};
use crate::voucher;

/// Why a definition cannot be signed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SignError {
    /// Longer than a definition may be.
    #[error("the definition would have {length} bytes, and at most {limit} are looked at")]
    TooLarge {
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
    /// No strict JSON.
    #[error("the definition is not strict JSON: {0}")]
    NotJson(#[from] JsonError),
    /// It has no canonical form.
    #[error("the definition cannot be signed: {0}")]
    NoForm(#[from] CanonicalError),
    /// `_meta` is there and is no object.
    #[error("a definition is an object, and so is its `_meta`")]
    NoObject,
    /// The claims, or the member that is there already, are not as they have to be.
    #[error("it cannot be signed: {0}")]
    Field(#[from] FieldError),
    /// What the member held before.
    #[error("the signing metadata that is there already cannot be read; take it out first: {problem}")]
    Member {
        /// What is wrong with it.
        problem: String,
    },
    /// The edit cannot be made.
    #[error("the signature cannot be put in: {0}")]
    Splice(#[from] SpliceError),
    /// What shall be put in is no token.
    #[error("this cannot be a voucher: {0}")]
    Token(#[from] JwsError),
    /// The key does not sign.
    #[error("the key could not sign: the system gives no randomness")]
    CannotSign,
}

/// Signs a definition: the same bytes with our member in `_meta`. A signature that is there already is replaced, and a
/// voucher stays.
///
/// # Errors
/// If it cannot be signed in a way that [`verify`](super::verify) would take.
pub fn sign(tool: &[u8], claims: &Claims, key: &PrivateKey) -> Result<Vec<u8>, SignError> {
    let document = parse(tool)?;
    let written = Document::parse(claims.write(), &LIMITS)?;
    // What could not be read back is not signed.
    Claims::read(written.root())?;
    let form = canonical_without(document.root(), &PATH)?;
    let payload = payload(&canonical(written.root())?, &form);
    let [header, _, signature] = jws::sign(&payload, TYPE, key)?;
    let voucher = member_of(document.root())?.and_then(|member| member.voucher);
    let signed = (written.text(), format!("{header}..{signature}"));
    put(&document, &member::write(Some((signed.0, &signed.1)), voucher.as_deref()))
}

/// Puts a voucher into a definition. A voucher that is there already is replaced, and a signature stays.
///
/// # Errors
/// If it cannot be put in.
pub fn vouch(tool: &[u8], token: &str) -> Result<Vec<u8>, SignError> {
    let document = parse(tool)?;
    Signed::attached(token, Header::Token, voucher::LONGEST)?;
    let signed = member_of(document.root())?.and_then(|member| member.signed);
    let signed = signed.as_ref().map(|signed| (signed.claims.raw_text(), signed.signature.as_str()));
    put(&document, &member::write(signed, Some(token)))
}

fn parse(tool: &[u8]) -> Result<Document, SignError> {
    if tool.len() > LONGEST {
        return Err(SignError::TooLarge { length: tool.len(), limit: LONGEST });
    }
    let document = Document::parse(tool, &LIMITS)?;
    let meta = document.root().get("_meta");
    match document.root().is_object() && meta.is_none_or(Node::is_object) {
        true => Ok(document),
        false => Err(SignError::NoObject),
    }
}

fn member_of(tool: Node<'_>) -> Result<Option<Member<'_>>, SignError> {
    Member::read(tool).map_err(|error: Refused| SignError::Member { problem: error.to_string() })
}

fn put(document: &Document, member: &str) -> Result<Vec<u8>, SignError> {
    let mut splice = Splice::new(document);
    match document.root().get("_meta") {
        Some(meta) => splice.set_member(meta, MEMBER, member.as_bytes()),
        None => {
            splice.insert_member(document.root(), "_meta", format!(r#"{{"{MEMBER}":{member}}}"#).as_bytes())
        }
    };
    let signed = splice.finish()?;
    match signed.len() > LONGEST {
        true => Err(SignError::TooLarge { length: signed.len(), limit: LONGEST }),
        false => Ok(signed),
    }
}

impl From<CannotSign> for SignError {
    fn from(_: CannotSign) -> SignError {
        SignError::CannotSign
    }
}
