//! Keys to verify with.

use std::fmt;

use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256,
    RsaPublicKeyComponents,
};
use portcullis_wire::json::{Node, quote};

use super::jwk::{self, Material};
use super::{Algorithm, KeyError, KeyId, pem};

/// A key to verify with.
#[derive(Clone)]
pub struct PublicKey {
    algorithm: Algorithm,
    id: KeyId,
    /// The members that make it up.
    essence: String,
    parsed: ParsedPublicKey,
}

impl PublicKey {
    /// Reads a JSON Web Key that definitions can be signed with.
    ///
    /// # Errors
    /// If it is none, is private, is of another kind, or would verify what nobody signed.
    pub fn read(text: &str) -> Result<PublicKey, KeyError> {
        if pem::is_pem(text) {
            return Err(match pem::is_private(text) {
                true => KeyError::Private,
                false => KeyError::Unreadable { problem: "a public key is written as a JSON Web Key".into() },
            });
        }
        PublicKey::from_node(jwk::parse(text)?.root())
    }

    /// The same of a part of a document.
    pub(crate) fn from_node(node: Node<'_>) -> Result<PublicKey, KeyError> {
        let (key, _) = PublicKey::of_any_algorithm(node)?;
        match key.algorithm.seals() {
            true => Ok(key),
            false => Err(KeyError::Unsupported { kty: "RSA".into(), crv: String::new() }),
        }
    }

    /// A key of a JSON Web Key Set, with what its owner calls it.
    pub(crate) fn of_any_algorithm(node: Node<'_>) -> Result<(PublicKey, Option<String>), KeyError> {
        let (material, meant) = Material::read(node)?;
        if jwk::is_private(node) {
            return Err(KeyError::Private);
        }
        Ok((PublicKey::of_material(&material)?, meant.kid))
    }

    pub(super) fn of_material(material: &Material) -> Result<PublicKey, KeyError> {
        let parsed = match material {
            Material::Ed25519 { x } if is_weak(x) => return Err(KeyError::Point),
            Material::Ed25519 { x } => ParsedPublicKey::new(&ED25519, x).map_err(|_| KeyError::Point)?,
            Material::P256 { x, y } => {
                let point: Vec<u8> = [4].iter().chain(x).chain(y).copied().collect();
                ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).map_err(|_| KeyError::Point)?
            }
            Material::Rsa { n, e, algorithm } => {
                if !is_sound(n, e) {
                    return Err(KeyError::RsaSize);
                }
                let parameters = match algorithm {
                    Algorithm::Ps256 => &RSA_PSS_2048_8192_SHA256,
                    Algorithm::Ed25519 | Algorithm::Es256 | Algorithm::Rs256 => &RSA_PKCS1_2048_8192_SHA256,
                };
                let components = RsaPublicKeyComponents { n, e };
                components.to_parsed_public_key(parameters).map_err(|_| KeyError::RsaSize)?
            }
        };
        let (algorithm, id, essence) = (material.algorithm(), material.id(), material.essence());
        Ok(PublicKey { algorithm, id, essence, parsed })
    }

    /// How it signs.
    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// What it is called.
    pub fn id(&self) -> &KeyId {
        &self.id
    }

    /// It as a JSON Web Key, with its id and algorithm.
    pub fn write(&self) -> String {
        self.write_as(self.id.as_str())
    }

    /// The same under another name, as its owner calls it.
    pub(crate) fn write_as(&self, kid: &str) -> String {
        let members = self.essence.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let members = members.unwrap_or_default();
        format!(r#"{{{members},"alg":"{}","kid":{},"use":"sig"}}"#, self.algorithm, quote(kid))
    }

    /// Whether this key signed the message.
    pub(crate) fn signed(&self, message: &[u8], signature: &[u8]) -> bool {
        self.parsed.verify_sig(message, signature).is_ok()
    }
}

impl PartialEq for PublicKey {
    fn eq(&self, other: &PublicKey) -> bool {
        self.id == other.id && self.algorithm == other.algorithm
    }
}

impl Eq for PublicKey {}

impl fmt::Debug for PublicKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PublicKey({} {})", self.algorithm, self.id)
    }
}

/// Whether an RSA key has a size that is taken, and an exponent that proves something: under 1 everybody signs.
fn is_sound(n: &[u8], e: &[u8]) -> bool {
    let zeros = n.first().map_or(0, |first| first.leading_zeros() as usize);
    let exponent = !matches!(e, [] | [0, ..] | [1]) && e.last().is_some_and(|last| last % 2 == 1);
    zeros < 8 && (2048..=8192).contains(&(n.len() * 8 - zeros)) && exponent
}

/// Points of Ed25519 of order 1, 2, 4 and 8 in all their spellings, without the bit of the sign. Under such a key a
/// signature can be made that fits many messages, without any private key.
const WEAK: [[u8; 32]; 7] = [
    filled(0x00, 0x00, 0x00),
    filled(0x01, 0x00, 0x00),
    filled(0xec, 0xff, 0x7f),
    filled(0xed, 0xff, 0x7f),
    filled(0xee, 0xff, 0x7f),
    [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5,
        0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f, 0x2a,
        0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
];

const fn filled(first: u8, middle: u8, last: u8) -> [u8; 32] {
    let mut bytes = [middle; 32];
    let [start, .., end] = &mut bytes;
    *start = first;
    *end = last;
    bytes
}

fn is_weak(x: &[u8; 32]) -> bool {
    let mut unsigned = *x;
    let [.., last] = &mut unsigned;
    *last &= 0x7f;
    WEAK.contains(&unsigned)
}
