//! Keys to sign with.

use std::fmt;

use aws_lc_rs::encoding::AsBigEndian;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
use zeroize::Zeroizing;

use super::jwk::{self, Material, exactly};
use super::{Algorithm, KeyError, PublicKey, pem};
use crate::fields::Fields;

/// A key to sign with. What is secret about it is shown by nothing but [`PrivateKey::write`].
pub struct PrivateKey {
    pair: Pair,
    public: PublicKey,
}

enum Pair {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
}

/// A text that nobody shall see by accident. It is wiped from memory when it is dropped.
pub struct SecretText(Zeroizing<String>);

/// The key could not sign. That happens only where the system has no randomness.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the key could not sign: the system gives no randomness")]
pub(crate) struct CannotSign;

impl PrivateKey {
    /// A key made from 32 random bytes, which nobody else may ever see.
    ///
    /// # Errors
    /// If the algorithm is not one that definitions are signed with, or (for `ES256`, once in four billion times) the
    /// bytes are no key: take others.
    pub fn from_random(algorithm: Algorithm, bytes: &[u8; 32]) -> Result<PrivateKey, KeyError> {
        match algorithm {
            Algorithm::Ed25519 => Ed25519KeyPair::from_seed_unchecked(bytes)
                .map_err(|_| KeyError::Mismatch)
                .and_then(of_ed25519),
            Algorithm::Es256 => {
                let der = Zeroizing::new(sec1(bytes));
                let pair = EcdsaKeyPair::from_private_key_der(&ECDSA_P256_SHA256_FIXED_SIGNING, &der);
                pair.map_err(|_| KeyError::Point).and_then(of_p256)
            }
            Algorithm::Rs256 | Algorithm::Ps256 => {
                Err(KeyError::Unsupported { kty: "RSA".into(), crv: String::new() })
            }
        }
    }

    /// Reads a private JSON Web Key, or PKCS #8 in PEM as `openssl genpkey` writes it.
    ///
    /// # Errors
    /// If it is none, is public, is of another kind, or its parts do not belong together.
    pub fn read(text: &str) -> Result<PrivateKey, KeyError> {
        if pem::is_pem(text) {
            let der = pem::private_der(text)?;
            return Ed25519KeyPair::from_pkcs8_maybe_unchecked(&der)
                .map_err(|_| KeyError::Mismatch)
                .and_then(of_ed25519)
                .or_else(|_| {
                    let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der);
                    pair.map_err(|_| pem::unsupported()).and_then(of_p256)
                });
        }
        let document = jwk::parse(text)?;
        let (material, _) = Material::read(document.root())?;
        if document.root().get("d").is_none() {
            return Err(KeyError::Public);
        }
        let fields = Fields::some(document.root(), "")?;
        let secret: Zeroizing<[u8; 32]> = match &material {
            Material::Rsa { .. } => {
                return Err(KeyError::Unsupported { kty: "RSA".into(), crv: String::new() });
            }
            Material::Ed25519 { .. } | Material::P256 { .. } => Zeroizing::new(exactly(&fields, "d")?),
        };
        // The point is looked at first, so that a wrong one is not taken for a wrong pair.
        let public = PublicKey::of_material(&material)?;
        let key = PrivateKey::from_random(material.algorithm(), &secret).map_err(|_| KeyError::Mismatch)?;
        if key.public == public { Ok(key) } else { Err(KeyError::Mismatch) }
    }

    /// The public part.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// It as a private JSON Web Key, for a file that nobody else may read.
    ///
    /// # Errors
    /// If the library does not give the key out, which it does.
    pub fn write(&self) -> Result<SecretText, KeyError> {
        let secret = match &self.pair {
            Pair::Ed25519(pair) => {
                let seed = pair.seed().map_err(|_| KeyError::Mismatch)?;
                Zeroizing::new(crate::base64url(
                    AsBigEndian::as_be_bytes(&seed).map_err(|_| KeyError::Mismatch)?.as_ref(),
                ))
            }
            Pair::P256(pair) => {
                let scalar = pair.private_key().as_be_bytes().map_err(|_| KeyError::Mismatch)?;
                Zeroizing::new(crate::base64url(scalar.as_ref()))
            }
        };
        let public = self.public.write();
        let members = public.strip_suffix('}').unwrap_or_default();
        Ok(SecretText(Zeroizing::new(format!(r#"{members},"d":"{}"}}"#, secret.as_str()))))
    }

    /// Signs a message. `ES256` draws a nonce from the system's randomness inside the library; nothing that is decided
    /// depends on it.
    pub(crate) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, CannotSign> {
        let signature = match &self.pair {
            Pair::Ed25519(pair) => pair.try_sign(message),
            Pair::P256(pair) => pair.sign(&SystemRandom::new(), message),
        };
        signature.map(|signature| signature.as_ref().to_vec()).map_err(|_| CannotSign)
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PrivateKey(… of {})", self.public.id())
    }
}

impl SecretText {
    /// The text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SecretText {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretText(…)")
    }
}

fn of_ed25519(pair: Ed25519KeyPair) -> Result<PrivateKey, KeyError> {
    let x = pair.public_key().as_ref().try_into().map_err(|_| KeyError::Mismatch)?;
    let public = PublicKey::of_material(&Material::Ed25519 { x })?;
    Ok(PrivateKey { pair: Pair::Ed25519(pair), public })
}

fn of_p256(pair: EcdsaKeyPair) -> Result<PrivateKey, KeyError> {
    // An uncompressed point: a four, and the two coordinates.
    let (x, y) = match pair.public_key().as_ref() {
        [4, coordinates @ ..] => coordinates.split_at_checked(32).ok_or(KeyError::Point)?,
        _ => return Err(KeyError::Point),
    };
    let (x, y) = (x.try_into().map_err(|_| KeyError::Point)?, y.try_into().map_err(|_| KeyError::Point)?);
    let public = PublicKey::of_material(&Material::P256 { x, y })?;
    Ok(PrivateKey { pair: Pair::P256(pair), public })
}

/// A private key of P-256 as RFC 5915 writes it, without the public part, which follows from it.
fn sec1(scalar: &[u8; 32]) -> Vec<u8> {
    const BEFORE: [u8; 7] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20];
    const CURVE: [u8; 12] = [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
    BEFORE.iter().chain(scalar).chain(&CURVE).copied().collect()
}
