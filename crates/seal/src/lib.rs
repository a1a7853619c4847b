//! Signatures over tool definitions, and who is trusted to make them.
//!
//! A provider signs a definition with [`definition::sign`]: a member of the tool's `_meta` gets [`Claims`] and a detached
//! JWS over the canonical form of both. [`definition::verify`] says how a definition stands with the [`TrustRoots`] of a
//! user: the keys the user trusts, signed [`Bundle`]s of keys, issuers and revocations, and the [`KeySet`]s of identity
//! providers, whose tokens may vouch for a definition as well. [`version::succession`] tells whether one definition may
//! follow another.
//!
//! ```
//! use portcullis_seal::{Algorithm, Claims, PrivateKey, TrustRoots, TrustedKey, definition};
//! use portcullis_seal::definition::Standing;
//!
//! let key = PrivateKey::from_random(Algorithm::Ed25519, &[7; 32]).unwrap();
//! let now = "2026-11-15T12:00:00Z".parse().unwrap();
//! let claims = Claims::new("acme.example", "acme.example/add", "1.2.0".parse().unwrap(), now);
//! let tool = br#"{ "name": "add", "inputSchema": {"type": "object"} }"#;
//! let signed = definition::sign(tool, &claims, &key).unwrap();
//!
//! let mut roots = TrustRoots::default();
//! roots.trust(TrustedKey::for_everything(key.public().clone(), "Acme"));
//! let Ok(Standing::Sealed(sealed)) = definition::verify_bytes(&signed, &roots, now) else { panic!() };
//! assert_eq!(sealed.claims().version.to_string(), "1.2.0");
//!
//! roots.revoke_key(key.public().id().clone());
//! let refused = definition::verify_bytes(&signed, &roots, now).unwrap_err();
//! assert_eq!(refused.word(), "revoked-key");
//! ```
//!
//! The crate is pure: no files, sockets, environment or clock; the randomness of a new key is an argument. (The library
//! below draws the nonces of `ES256` itself.)

mod allowance;
mod bundle;
mod claims;
pub mod definition;
mod digest;
mod fields;
mod jws;
mod key;
mod key_set;
mod roots;
pub mod version;
mod voucher;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};

pub use allowance::Names;
pub use bundle::{Bundle, BundleError, BundleForm, Freshness, Pinned, Seen};
pub use claims::{Claims, Profile};
pub use digest::{Digest, DigestError};
pub use fields::FieldError;
pub use jws::JwsError;
pub use key::{Algorithm, KeyError, KeyId, KeyIdError, PrivateKey, PublicKey, SecretText};
pub use key_set::{KeySet, KeySetError, Skipped};
pub use roots::{Issuer, IssuerKeys, RevokedTool, TrustRoots, TrustedKey};
pub use voucher::{Voucher, VoucherRefused, verify as verify_voucher};

/// How far the clocks of a signer and a verifier may be apart.
pub const SKEW: SignedDuration = SignedDuration::from_secs(120);

/// Where a time lies, as seen from now.
fn is_ahead(time: Timestamp, now: Timestamp) -> bool {
    time.duration_since(now) > SKEW
}

/// Whether a time of expiry is over.
fn is_over(expiry: Timestamp, now: Timestamp) -> bool {
    now.duration_since(expiry) >= SKEW
}

/// The first moment at which a time is no longer ahead.
fn no_longer_ahead(time: Timestamp) -> Timestamp {
    time.checked_sub(SKEW).unwrap_or(Timestamp::MIN)
}

/// The first moment at which a time of expiry is over.
fn end(expiry: Timestamp) -> Timestamp {
    expiry.checked_add(SKEW).unwrap_or(Timestamp::MAX)
}

fn base64url(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Bytes have one spelling: no padding, no line breaks, no bits left over.
fn from_base64url(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
