//! JSON Web Signatures in compact form, with headers that can choose nothing.

use portcullis_wire::json::{Document, Limits};

use crate::fields::{FieldError, Fields, shown};
use crate::key::{PrivateKey, PublicKey};
use crate::{base64url, from_base64url};

/// A header has three short members.
const LONGEST_HEADER: usize = 2 << 10;
/// The signature of an RSA key of 8192 bits, in base64.
const LONGEST_SIGNATURE: usize = 1400;
/// Members that bring a key along, or say where one is.
const KEYS: &[&str] = &["jwk", "jku", "x5c", "x5u"];

/// Why a signature is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JwsError {
    /// A part that is longer than it may be.
    #[error("the {part} of the signature is longer than {limit} bytes")]
    TooLong {
        /// Which part.
        part: &'static str,
        /// How long it may be.
        limit: usize,
    },
    /// Not the three parts of a compact JWS.
    #[error("a signature has three parts with points between: {expected}")]
    Parts {
        /// What they have to be.
        expected: &'static str,
    },
    /// A part that is no base64url, or one with padding or bits left over.
    #[error("the {part} of the signature is not base64url without padding")]
    NotBase64 {
        /// Which part.
        part: &'static str,
    },
    /// A header or payload that is no JSON, or one that could be read in two ways.
    #[error("the {part} of the signature is not strict JSON: {problem}")]
    NotJson {
        /// Which part.
        part: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A member of the header that is missing, wrong or unknown.
    #[error("in the header of the signature, {0}")]
    Field(#[from] FieldError),
    /// Extensions that must be understood. None is.
    #[error("the header of the signature has `crit`, and no extension is supported")]
    Critical,
    /// A key that comes along with what it signed.
    #[error(
        "the header of the signature brings its own key (`{member}`); keys come only from those you trust"
    )]
    OwnKey {
        /// The member that has it.
        member: &'static str,
    },
    /// A signature of another kind of document.
    #[error("this signature is for another kind of document (`typ`); expected `{expected}`")]
    Type {
        /// What it has to be.
        expected: &'static str,
    },
    /// `alg` is `none`.
    #[error("the header of the signature says `alg` `none`: nothing is signed")]
    NotSigned,
    /// A keyed hash, which everybody who can verify can make.
    #[error(
        "the header of the signature says `alg` `{alg}`, a keyed hash; a public key must not be used as its secret"
    )]
    Symmetric {
        /// What it says.
        alg: String,
    },
    /// Another algorithm than the key's own.
    #[error("the header of the signature says `alg` `{alg}`, and the key it names signs with `{own}`")]
    Algorithm {
        /// What it says.
        alg: String,
        /// What the key signs with.
        own: crate::Algorithm,
    },
    /// The signature does not fit.
    #[error(
        "the signature does not fit: something was changed after it was signed, or another key signed it"
    )]
    BadSignature,
}

/// What a header may hold.
#[derive(Clone, Copy)]
pub(crate) enum Header {
    /// `alg`, `kid` and this `typ`, and nothing else.
    Own(&'static str),
    /// The header of a token of an identity provider: other members that choose nothing are left alone.
    Token,
}

/// A compact JWS that was taken apart. Nothing has been verified.
pub(crate) struct Signed<'t> {
    pub(crate) kid: String,
    alg: String,
    header: &'t str,
    payload: &'t str,
    signature: Vec<u8>,
}

impl<'t> Signed<'t> {
    /// Takes a JWS apart whose payload is somewhere else.
    pub(crate) fn detached(text: &'t str, header: Header) -> Result<Signed<'t>, JwsError> {
        const EXPECTED: &str = "a header, nothing, and the signature itself";
        let signed = Signed::parts(text, header, EXPECTED, LONGEST_HEADER + LONGEST_SIGNATURE + 2)?;
        match signed.payload.is_empty() {
            true => Ok(signed),
            false => Err(JwsError::Parts { expected: EXPECTED }),
        }
    }

    /// Takes a JWS apart that has its payload.
    pub(crate) fn attached(text: &'t str, header: Header, limit: usize) -> Result<Signed<'t>, JwsError> {
        let signed = Signed::parts(text, header, "a header, a payload, and the signature itself", limit)?;
        match signed.payload.is_empty() {
            true => Err(JwsError::Parts { expected: "a header, a payload, and the signature itself" }),
            false => Ok(signed),
        }
    }

    fn parts(
        text: &'t str,
        rules: Header,
        expected: &'static str,
        limit: usize,
    ) -> Result<Signed<'t>, JwsError> {
        if text.len() > limit {
            return Err(JwsError::TooLong { part: "whole", limit });
        }
        let mut parts = text.split('.');
        let (Some(header), Some(payload), Some(signature), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
        else {
            return Err(JwsError::Parts { expected });
        };
        for (part, text, limit) in
            [("header", header, LONGEST_HEADER), ("last part", signature, LONGEST_SIGNATURE)]
        {
            if text.len() > limit {
                return Err(JwsError::TooLong { part, limit });
            }
        }
        let signature = from_base64url(signature).ok_or(JwsError::NotBase64 { part: "last part" })?;
        let (alg, kid) = read_header(header, rules)?;
        Ok(Signed { kid, alg, header, payload, signature })
    }

    /// Verifies it with a key over its own payload.
    pub(crate) fn verify(&self, key: &PublicKey) -> Result<(), JwsError> {
        self.check(key, self.payload)
    }

    /// Verifies it with a key over a payload that was somewhere else.
    pub(crate) fn verify_detached(&self, key: &PublicKey, payload: &[u8]) -> Result<(), JwsError> {
        self.check(key, &base64url(payload))
    }

    /// Its payload, strictly read. Whoever calls this before it is verified must not believe it.
    pub(crate) fn payload(&self, limits: &Limits) -> Result<Document, JwsError> {
        let bytes = from_base64url(self.payload).ok_or(JwsError::NotBase64 { part: "payload" })?;
        parse(bytes, "payload", limits)
    }

    fn check(&self, key: &PublicKey, payload: &str) -> Result<(), JwsError> {
        if !key.algorithm().is_called(&self.alg) {
            return Err(JwsError::Algorithm { alg: shown(&self.alg), own: key.algorithm() });
        }
        let message = format!("{}.{payload}", self.header);
        if key.signed(message.as_bytes(), &self.signature) { Ok(()) } else { Err(JwsError::BadSignature) }
    }
}

/// The algorithm and the key that a header names.
fn read_header(text: &str, rules: Header) -> Result<(String, String), JwsError> {
    let bytes = from_base64url(text).ok_or(JwsError::NotBase64 { part: "header" })?;
    let document = parse(bytes, "header", &Limits { bytes: LONGEST_HEADER, depth: 8, nodes: 128 })?;
    let header = Fields::some(document.root(), "")?;
    if header.has("crit") || header.has("b64") {
        return Err(JwsError::Critical);
    }
    if let Some(member) = KEYS.iter().find(|member| header.has(member)) {
        return Err(JwsError::OwnKey { member });
    }
    let alg = header.text("alg")?;
    match alg.to_ascii_lowercase().as_str() {
        "none" => return Err(JwsError::NotSigned),
        lower
            if lower
                .strip_prefix("hs")
                .is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_digit())) =>
        {
            return Err(JwsError::Symmetric { alg: shown(&alg) });
        }
        _ => {}
    }
    match rules {
        Header::Own(expected) => {
            let header = Fields::only(document.root(), "", &["alg", "kid", "typ"])?;
            if header.text("typ")? != expected {
                return Err(JwsError::Type { expected });
            }
        }
        Header::Token => {
            let typ = header.optional_text("typ")?.map(|typ| typ.to_ascii_lowercase());
            if !matches!(typ.as_deref(), None | Some("jwt" | "at+jwt" | "application/at+jwt")) {
                return Err(JwsError::Type { expected: "JWT" });
            }
        }
    }
    Ok((alg, header.text("kid")?))
}

fn parse(bytes: Vec<u8>, part: &'static str, limits: &Limits) -> Result<Document, JwsError> {
    Document::parse(bytes, limits).map_err(|error| JwsError::NotJson { part, problem: error.to_string() })
}

/// Signs a payload. The parts are the header, the payload and the signature, each in base64url.
pub(crate) fn sign(
    payload: &[u8],
    typ: &'static str,
    key: &PrivateKey,
) -> Result<[String; 3], crate::key::CannotSign> {
    let (algorithm, id) = (key.public().algorithm(), key.public().id());
    let header = base64url(format!(r#"{{"alg":"{algorithm}","kid":"{id}","typ":"{typ}"}}"#).as_bytes());
    let payload = base64url(payload);
    let signature = key.sign(format!("{header}.{payload}").as_bytes())?;
    Ok([header, payload, base64url(&signature)])
}
