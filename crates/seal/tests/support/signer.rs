//! An independent signer: other code than the crate's own, for the canonical form as well, and ready to sign anything.

use std::sync::OnceLock;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use portcullis_seal::{Algorithm, PrivateKey};
use serde_json::Value;

pub(crate) fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// A key with which anything can be signed under any header.
pub(crate) enum Signer {
    Ed25519(Ed25519KeyPair),
    P256(Box<EcdsaKeyPair>),
    Rsa(&'static RsaKeyPair),
    /// A keyed hash.
    Hmac(Vec<u8>),
}

impl Signer {
    /// The same key as the crate makes it of these bytes.
    pub(crate) fn of(algorithm: Algorithm, seed: u8) -> Signer {
        match algorithm {
            Algorithm::Ed25519 => Signer::Ed25519(Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap()),
            Algorithm::Es256 => {
                let private = PrivateKey::from_random(algorithm, &[seed; 32]).unwrap();
                let jwk: Value = serde_json::from_str(&private.public().write()).unwrap();
                let part = |name: &str| URL_SAFE_NO_PAD.decode(jwk[name].as_str().unwrap()).unwrap();
                let point = [vec![4], part("x"), part("y")].concat();
                let pair = EcdsaKeyPair::from_private_key_and_public_key(
                    &ECDSA_P256_SHA256_FIXED_SIGNING,
                    &[seed; 32],
                    &point,
                );
                Signer::P256(Box::new(pair.unwrap()))
            }
            Algorithm::Rs256 | Algorithm::Ps256 => Signer::rsa(),
        }
    }

    /// An RSA key, the same in one run.
    pub(crate) fn rsa() -> Signer {
        static KEY: OnceLock<RsaKeyPair> = OnceLock::new();
        Signer::Rsa(KEY.get_or_init(|| RsaKeyPair::generate(KeySize::Rsa2048).unwrap()))
    }

    /// The key as others would publish it.
    pub(crate) fn jwk(&self, kid: &str) -> String {
        match self {
            Signer::Ed25519(pair) => {
                let x = base64url(pair.public_key().as_ref());
                format!(r#"{{"kty":"OKP","crv":"Ed25519","kid":"{kid}","x":"{x}"}}"#)
            }
            Signer::P256(pair) => {
                let point = pair.public_key().as_ref();
                let (x, y) = (base64url(&point[1..33]), base64url(&point[33..]));
                format!(r#"{{"kty":"EC","crv":"P-256","use":"sig","kid":"{kid}","x":"{x}","y":"{y}"}}"#)
            }
            Signer::Rsa(pair) => {
                let public = pair.public_key();
                let n = base64url(public.modulus().big_endian_without_leading_zero());
                let e = base64url(public.exponent().big_endian_without_leading_zero());
                format!(r#"{{"kty":"RSA","alg":"RS256","kid":"{kid}","n":"{n}","e":"{e}"}}"#)
            }
            Signer::Hmac(secret) => format!(r#"{{"kty":"oct","kid":"{kid}","k":"{}"}}"#, base64url(secret)),
        }
    }

    pub(crate) fn sign(&self, message: &[u8]) -> Vec<u8> {
        match self {
            Signer::Ed25519(pair) => pair.sign(message).as_ref().to_vec(),
            Signer::P256(pair) => pair.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec(),
            Signer::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
                signature
            }
            Signer::Hmac(secret) => {
                let key = aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, secret);
                aws_lc_rs::hmac::sign(&key, message).as_ref().to_vec()
            }
        }
    }

    /// A JWS in compact form, with its payload.
    pub(crate) fn compact(&self, header: &str, payload: &[u8]) -> String {
        let message = format!("{}.{}", base64url(header.as_bytes()), base64url(payload));
        let signature = base64url(&self.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }

    /// A JWS over claims and a definition, without its payload.
    pub(crate) fn detached(&self, header: &str, claims: &Value, definition: &Value) -> String {
        let payload = serde_json::json!({"claims": claims, "definition": definition});
        let compact = self.compact(header, &serde_json_canonicalizer::to_vec(&payload).unwrap());
        let parts: Vec<&str> = compact.split('.').collect();
        format!("{}..{}", parts[0], parts[2])
    }
}
