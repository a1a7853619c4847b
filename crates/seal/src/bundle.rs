//! Trust bundles: one signed document with the keys, issuers, revocations and pins of a team or a registry.

mod form;

use jiff::{SignedDuration, Timestamp};

pub use form::BundleForm;

use crate::digest::Digest;
use crate::fields::{FieldError, shown};
use crate::jws::{Header, JwsError, Signed};
use crate::key::{CannotSign, KeyError, KeyId, PrivateKey, PublicKey};
use crate::key_set::KeySetError;
use crate::roots::{Issuer, RevokedTool, TrustedKey};
use crate::{is_ahead, jws};

const TYPE: &str = "portcullis-bundle+jws";
const LONGEST: usize = 4 << 20;

/// A bundle that was verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    form: BundleForm,
    signer: KeyId,
    content: Digest,
}

/// A definition that is approved for everybody who takes the bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pinned {
    /// The name of the tool, for people.
    pub tool: String,
    /// The hash of its definition.
    pub definition: Digest,
}

/// The last bundle that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Its number.
    pub version: u64,
    /// The hash of its payload.
    pub content: Digest,
}

/// How old a bundle is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Freshness {
    /// It still holds.
    Fresh {
        /// How long ago it was issued.
        age: SignedDuration,
    },
    /// It is over. Its revocations still count, and nothing else of it.
    Over {
        /// How long ago it was issued.
        age: SignedDuration,
        /// Until when it held.
        since: Timestamp,
    },
}

impl Freshness {
    /// Whether it is over.
    pub fn is_over(&self) -> bool {
        matches!(self, Freshness::Over { .. })
    }

    /// How long ago it was issued.
    pub fn age(&self) -> SignedDuration {
        match self {
            Freshness::Fresh { age } | Freshness::Over { age, .. } => *age,
        }
    }
}

/// Why a bundle is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BundleError {
    /// The signature.
    #[error("the bundle is not taken: {0}")]
    Jws(#[from] JwsError),
    /// Another key signed it.
    #[error("the bundle is signed with the key `{kid}`, and not with the one you trust for bundles")]
    OtherKey {
        /// What the signature calls it.
        kid: String,
    },
    /// A member is missing, wrong or unknown.
    #[error("in the bundle, {0}")]
    Field(#[from] FieldError),
    /// A key in it.
    #[error("in the bundle, the key `{name}`: {error}")]
    Key {
        /// What it is called there.
        name: String,
        /// What is wrong with it.
        error: KeyError,
    },
    /// The keys of an issuer in it.
    #[error("in the bundle, the issuer `{issuer}`: {error}")]
    Keys {
        /// Which issuer.
        issuer: String,
        /// What is wrong with them.
        error: KeySetError,
    },
    /// An older one than was taken already.
    #[error(
        "the bundle has version {offered}, and version {seen} was taken already; somebody may be replaying an old one"
    )]
    Older {
        /// Its number.
        offered: u64,
        /// The number of the last one.
        seen: u64,
    },
    /// The same number with other content.
    #[error(
        "the bundle has version {version} as the last one, and other content; its signer has to say which is right"
    )]
    Forked {
        /// The number of both.
        version: u64,
    },
    /// It was issued in the future.
    #[error("the bundle was issued at {at}, which is still to come; is the clock right?")]
    NotYetValid {
        /// When.
        at: Timestamp,
    },
    /// The key does not sign.
    #[error("the key could not sign: the system gives no randomness")]
    CannotSign,
}

impl Bundle {
    /// Verifies a bundle with the key that is trusted for it. One that is over is read as well, for its revocations.
    ///
    /// # Errors
    /// If another key signed it, it was changed, is older than the last one, or is not as it has to be.
    pub fn verify(
        text: &str,
        root: &PublicKey,
        last: Option<Seen>,
        now: Timestamp,
    ) -> Result<Bundle, BundleError> {
        let signed = Signed::attached(text.trim_ascii_end(), Header::Own(TYPE), LONGEST)?;
        if signed.kid != root.id().as_str() {
            return Err(BundleError::OtherKey { kid: shown(&signed.kid) });
        }
        signed.verify(root)?;
        let payload = signed.payload(&form::LIMITS)?;
        let form = BundleForm::read(payload.root())?;
        let content = Digest::of(payload.bytes());
        if let Some(seen) = last {
            if form.version < seen.version {
                return Err(BundleError::Older { offered: form.version, seen: seen.version });
            }
            if form.version == seen.version && content != seen.content {
                return Err(BundleError::Forked { version: form.version });
            }
        }
        if is_ahead(form.issued, now) {
            return Err(BundleError::NotYetValid { at: form.issued });
        }
        Ok(Bundle { form, signer: root.id().clone(), content })
    }

    /// What has to be remembered, so that no older one is taken.
    pub fn seen(&self) -> Seen {
        Seen { version: self.form.version, content: self.content }
    }

    /// How old it is.
    pub fn freshness(&self, now: Timestamp) -> Freshness {
        let age = now.duration_since(self.form.issued);
        match crate::is_over(self.form.expires, now) {
            true => Freshness::Over { age, since: self.form.expires },
            false => Freshness::Fresh { age },
        }
    }

    /// When it is over.
    pub fn until(&self) -> Timestamp {
        crate::end(self.form.expires)
    }

    /// When it was issued.
    pub fn issued(&self) -> Timestamp {
        self.form.issued
    }

    /// Until when it holds, by its signer's clock.
    pub fn expires(&self) -> Timestamp {
        self.form.expires
    }

    /// The key that signed it.
    pub fn signer(&self) -> &KeyId {
        &self.signer
    }

    /// Its number, which only grows.
    pub fn version(&self) -> u64 {
        self.form.version
    }

    /// Keys that may sign definitions.
    pub fn keys(&self) -> &[TrustedKey] {
        &self.form.keys
    }

    /// Identity providers that may vouch for definitions.
    pub fn issuers(&self) -> &[Issuer] {
        &self.form.issuers
    }

    /// Keys that nobody shall believe any more.
    pub fn revoked_keys(&self) -> &[KeyId] {
        &self.form.revoked_keys
    }

    /// Tools that nobody shall call any more.
    pub fn revoked_tools(&self) -> &[RevokedTool] {
        &self.form.revoked_tools
    }

    /// Definitions that are approved.
    pub fn pinned(&self) -> &[Pinned] {
        &self.form.pinned
    }
}

impl BundleForm {
    /// Signs it: a JWS in compact form, with the canonical form as its payload.
    ///
    /// # Errors
    /// If it could not be read back, or the key does not sign.
    pub fn sign(&self, key: &PrivateKey) -> Result<String, BundleError> {
        let payload = self.payload()?;
        let parts = jws::sign(&payload, TYPE, key).map_err(|CannotSign| BundleError::CannotSign)?;
        Ok(parts.join("."))
    }
}
