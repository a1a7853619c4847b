//! JSON Web Keys, read strictly.

use aws_lc_rs::digest::{SHA256, digest};
use portcullis_wire::json::{Document, Limits, Node};

use super::{Algorithm, KeyError, KeyId};
use crate::fields::{Fields, shown};
use crate::from_base64url;

/// No key is longer than this.
pub(super) const LONGEST: usize = 16 << 10;
/// Members that only a private key has.
const PRIVATE: &[&str] = &["d", "p", "q", "dp", "dq", "qi", "oth"];
/// The longest number: the modulus of an RSA key of 8192 bits, in base64.
const LONGEST_NUMBER: usize = 1400;

/// What is said of a key besides the key itself.
pub(crate) struct Use {
    /// What its owner calls it.
    pub(crate) kid: Option<String>,
}

/// The numbers of a key. Nothing has been checked but their lengths.
pub(crate) enum Material {
    Ed25519 { x: [u8; 32] },
    P256 { x: [u8; 32], y: [u8; 32] },
    Rsa { n: Vec<u8>, e: Vec<u8>, algorithm: Algorithm },
}

pub(super) fn parse(text: &str) -> Result<Document, KeyError> {
    if text.len() > LONGEST {
        return Err(KeyError::TooLong { limit: LONGEST });
    }
    let limits = Limits { bytes: LONGEST, depth: 8, nodes: 256 };
    Document::parse(text, &limits).map_err(|error| KeyError::Unreadable { problem: error.to_string() })
}

/// Whether there is anything private in it.
pub(super) fn is_private(node: Node<'_>) -> bool {
    PRIVATE.iter().any(|member| node.get(member).is_some())
}

impl Material {
    /// Reads the public part. Members that say nothing of it are left alone, as RFC 7517 wants it.
    pub(crate) fn read(node: Node<'_>) -> Result<(Material, Use), KeyError> {
        let fields = Fields::some(node, "")?;
        let kty = fields.text("kty")?;
        if kty == "oct" || node.get("k").is_some() {
            return Err(KeyError::Symmetric);
        }
        let crv = fields.optional_text("crv")?.unwrap_or_default();
        let material = match (kty.as_str(), crv.as_str()) {
            ("OKP", "Ed25519") => Material::Ed25519 { x: exactly(&fields, "x")? },
            ("EC", "P-256") => Material::P256 { x: exactly(&fields, "x")?, y: exactly(&fields, "y")? },
            ("RSA", _) => {
                let algorithm = match fields.optional_text("alg")?.as_deref() {
                    Some("PS256") => Algorithm::Ps256,
                    _ => Algorithm::Rs256,
                };
                Material::Rsa { n: bytes(&fields, "n")?, e: bytes(&fields, "e")?, algorithm }
            }
            _ => return Err(KeyError::Unsupported { kty: shown(&kty), crv: shown(&crv) }),
        };
        material.check_algorithm(&fields)?;
        check_use(&fields)?;
        Ok((material, Use { kid: fields.optional_text("kid")? }))
    }

    pub(crate) fn algorithm(&self) -> Algorithm {
        match self {
            Material::Ed25519 { .. } => Algorithm::Ed25519,
            Material::P256 { .. } => Algorithm::Es256,
            Material::Rsa { algorithm, .. } => *algorithm,
        }
    }

    /// The members that make up the key, in their canonical form: what is hashed for its thumbprint.
    pub(crate) fn essence(&self) -> String {
        let text = |bytes: &[u8]| crate::base64url(bytes);
        match self {
            Material::Ed25519 { x } => format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{}"}}"#, text(x)),
            Material::P256 { x, y } => {
                format!(r#"{{"crv":"P-256","kty":"EC","x":"{}","y":"{}"}}"#, text(x), text(y))
            }
            Material::Rsa { n, e, .. } => format!(r#"{{"e":"{}","kty":"RSA","n":"{}"}}"#, text(e), text(n)),
        }
    }

    pub(crate) fn id(&self) -> KeyId {
        KeyId::of_thumbprint(digest(&SHA256, self.essence().as_bytes()).as_ref())
    }

    fn check_algorithm(&self, fields: &Fields<'_>) -> Result<(), KeyError> {
        match fields.optional_text("alg")? {
            Some(alg) if !self.algorithm().is_called(&alg) => {
                Err(KeyError::Algorithm { alg: shown(&alg), fitting: self.algorithm() })
            }
            _ => Ok(()),
        }
    }
}

fn check_use(fields: &Fields<'_>) -> Result<(), KeyError> {
    let meant = fields.optional_text("use")?.is_none_or(|meant| meant == "sig");
    let operations = fields.texts("key_ops")?;
    let signs = operations.iter().any(|operation| operation == "verify" || operation == "sign");
    match meant && (signs || !fields.has("key_ops")) {
        true => Ok(()),
        false => Err(KeyError::NotForSignatures),
    }
}

/// A number of so many bytes, leading zeros included.
pub(super) fn exactly<const N: usize>(
    fields: &Fields<'_>,
    member: &'static str,
) -> Result<[u8; N], KeyError> {
    let bytes = bytes(fields, member)?;
    let length = bytes.len();
    bytes.try_into().map_err(|_| KeyError::Length { member, length, expected: N })
}

fn bytes(fields: &Fields<'_>, member: &str) -> Result<Vec<u8>, KeyError> {
    let text = fields.long_text(member, LONGEST_NUMBER)?;
    Ok(from_base64url(&text).ok_or_else(|| fields.wrong(member, "base64url without padding"))?)
}
