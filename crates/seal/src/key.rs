//! Keys: what they sign with, how they are called, how they are written.

mod jwk;
mod pem;
mod private;
mod public;

use std::fmt;
use std::str::FromStr;

pub(crate) use private::CannotSign;
pub use private::{PrivateKey, SecretText};
pub use public::PublicKey;

/// How a key signs. A key has one algorithm, and no message can choose another for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Algorithm {
    /// `EdDSA` with the curve Ed25519.
    Ed25519,
    /// `ES256`: ECDSA with the curve P-256 and SHA-256.
    Es256,
    /// `RS256`: RSA by PKCS #1 v1.5 with SHA-256. Only identity providers sign with it.
    Rs256,
    /// `PS256`: RSA-PSS with SHA-256. Only identity providers sign with it.
    Ps256,
}

impl Algorithm {
    /// What a header calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Algorithm::Ed25519 => "EdDSA",
            Algorithm::Es256 => "ES256",
            Algorithm::Rs256 => "RS256",
            Algorithm::Ps256 => "PS256",
        }
    }

    /// Whether definitions and bundles may be signed with it.
    pub const fn seals(self) -> bool {
        matches!(self, Algorithm::Ed25519 | Algorithm::Es256)
    }

    /// Whether a header means it. RFC 9864 calls the first by its curve.
    pub(crate) fn is_called(self, name: &str) -> bool {
        name == self.name() || (self == Algorithm::Ed25519 && name == "Ed25519")
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// What a key is called: its thumbprint by RFC 7638, so that nobody can call another key so.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(String);

/// Why a text is no id of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a key is called by its thumbprint: 43 letters, digits, `-` and `_`")]
pub struct KeyIdError;

impl KeyId {
    pub(crate) fn of_thumbprint(thumbprint: &[u8]) -> KeyId {
        KeyId(crate::base64url(thumbprint))
    }

    /// The thumbprint.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for KeyId {
    type Err = KeyIdError;

    fn from_str(text: &str) -> Result<KeyId, KeyIdError> {
        match crate::from_base64url(text) {
            Some(bytes) if bytes.len() == 32 => Ok(KeyId(text.to_owned())),
            _ => Err(KeyIdError),
        }
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Why a text is not the key that was asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyError {
    /// Longer than any key.
    #[error("this is longer than {limit} bytes, which no key is")]
    TooLong {
        /// How long a key may be.
        limit: usize,
    },
    /// No JSON, and no PEM either.
    #[error("a key is a JSON Web Key or, if it is private, PKCS #8 in PEM: {problem}")]
    Unreadable {
        /// What is wrong with it.
        problem: String,
    },
    /// A member is missing or wrong.
    #[error("in the key, {0}")]
    Field(#[from] crate::FieldError),
    /// A private key where a public one belongs.
    #[error(
        "this is a private key, and a public one is expected here; keep it secret, and use `portcullis keys export`"
    )]
    Private,
    /// A public key where a private one belongs.
    #[error("this is a public key, and signing needs the private one")]
    Public,
    /// A secret that both sides know.
    #[error("this is a symmetric key; whoever can verify with it can sign with it, so it proves nothing")]
    Symmetric,
    /// A kind of key that is not supported.
    #[error(
        "keys of `kty` `{kty}` and `crv` `{crv}` are not supported; use `OKP` with `Ed25519`, or `EC` with `P-256`"
    )]
    Unsupported {
        /// The kind.
        kty: String,
        /// The curve.
        crv: String,
    },
    /// An algorithm that this key cannot have.
    #[error("the key says `alg` `{alg}`, which does not fit its kind; it would be `{fitting}`")]
    Algorithm {
        /// What it says.
        alg: String,
        /// What fits.
        fitting: Algorithm,
    },
    /// A key that is meant for something else.
    #[error("this key is not meant for signatures (`use` or `key_ops`)")]
    NotForSignatures,
    /// A number of the wrong length.
    #[error("`{member}` has {length} bytes, and has to have {expected}")]
    Length {
        /// Which member.
        member: &'static str,
        /// How many bytes it has.
        length: usize,
        /// How many it has to have.
        expected: usize,
    },
    /// A point that the curve does not have, or that would accept signatures of anybody.
    #[error("the point of this key does not lie on its curve, or is one with which everybody could sign")]
    Point,
    /// An RSA key that is too short or too long, or has an exponent that proves nothing.
    #[error("an RSA key has 2048 to 8192 bits and an odd exponent from 3 on")]
    RsaSize,
    /// The private part belongs to another key.
    #[error("the private and the public part of this key do not belong together")]
    Mismatch,
}

#[cfg(test)]
mod tests;
