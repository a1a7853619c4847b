//! What speaks against a definition.

use jiff::Timestamp;
use portcullis_wire::json::{CanonicalError, JsonError};

use crate::fields::FieldError;
use crate::jws::JwsError;
use crate::key::KeyId;
use crate::no_longer_ahead;
use crate::voucher::VoucherRefused;

/// Why a definition is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// Longer than a definition may be.
    #[error("the definition has {length} bytes, and at most {limit} are looked at")]
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
    #[error("the definition cannot be signed or compared: {0}")]
    NoForm(#[from] CanonicalError),
    /// No object.
    #[error("a definition is an object")]
    NoObject,
    /// The member of `_meta` is not as it has to be.
    #[error("in the signing metadata, {0}")]
    Field(#[from] FieldError),
    /// The signature itself.
    #[error(transparent)]
    Jws(#[from] JwsError),
    /// Nobody trusts the key.
    #[error(
        "it is signed with the key `{kid}`, which is not among those you trust; if you know whose it is, say `portcullis keys trust`"
    )]
    UnknownKey {
        /// What the signature calls it.
        kid: String,
    },
    /// The key was revoked.
    #[error("it is signed with the key `{key}`, which was revoked")]
    RevokedKey {
        /// Which key.
        key: KeyId,
    },
    /// The key is trusted, but not for this.
    #[error("the key of `{signer}` is not trusted to sign `{tool_id}` of `{provider}`")]
    NotAllowed {
        /// What people call the owner of the key.
        signer: String,
        /// In whose name it signed.
        provider: String,
        /// Which tool.
        tool_id: String,
    },
    /// The definition or the version was revoked.
    #[error("this definition, or this version of the tool, was revoked")]
    RevokedTool,
    /// The signature is over.
    #[error("its signature expired at {at}")]
    Expired {
        /// When.
        at: Timestamp,
    },
    /// The signature was made in the future.
    #[error("it was signed at {at}, which is still to come; is the clock right?")]
    NotYetValid {
        /// When.
        at: Timestamp,
    },
    /// The voucher.
    #[error(transparent)]
    Voucher(#[from] VoucherRefused),
}

impl Refused {
    /// The reason in one word, for records and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Refused::TooLarge { .. } => "too-large",
            Refused::NotJson(_) | Refused::NoObject | Refused::Field(_) => "malformed",
            Refused::NoForm(_) => "no-canonical-form",
            Refused::Jws(error) => jws_word(error),
            Refused::UnknownKey { .. } => "unknown-key",
            Refused::RevokedKey { .. } => "revoked-key",
            Refused::NotAllowed { .. } => "not-allowed",
            Refused::RevokedTool => "revoked-tool",
            Refused::Expired { .. } => "expired",
            Refused::NotYetValid { .. } => "not-yet-valid",
            Refused::Voucher(refused) => refused.word(),
        }
    }
}

impl Refused {
    /// When it has to be judged anew, because time alone changes the answer.
    pub fn until(&self) -> Option<Timestamp> {
        match self {
            Refused::NotYetValid { at } => Some(no_longer_ahead(*at)),
            Refused::Voucher(refused) => refused.until(),
            Refused::TooLarge { .. }
            | Refused::NotJson(_)
            | Refused::NoForm(_)
            | Refused::NoObject
            | Refused::Field(_)
            | Refused::Jws(_)
            | Refused::UnknownKey { .. }
            | Refused::RevokedKey { .. }
            | Refused::NotAllowed { .. }
            | Refused::RevokedTool
            | Refused::Expired { .. } => None,
        }
    }

    /// Whether something or somebody was revoked.
    pub fn is_revocation(&self) -> bool {
        matches!(
            self,
            Refused::RevokedKey { .. }
                | Refused::RevokedTool
                | Refused::Voucher(VoucherRefused::RevokedKey { .. } | VoucherRefused::RevokedIssuer { .. })
        )
    }

    /// Whether nobody here can say if it is right: its signer, its issuer, or that issuer's key is not known.
    pub fn is_unknown(&self) -> bool {
        matches!(
            self,
            Refused::UnknownKey { .. }
                | Refused::Voucher(
                    VoucherRefused::UnknownIssuer { .. }
                        | VoucherRefused::NoKeys { .. }
                        | VoucherRefused::UnknownKey { .. }
                )
        )
    }

    /// Where a key set could be fetched that would tell more.
    pub fn addresses(&self) -> &[String] {
        if let Refused::Voucher(refused) = self { refused.addresses() } else { &[] }
    }
}

impl VoucherRefused {
    /// The reason in one word, for records and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            VoucherRefused::Jws(error) => jws_word(error),
            VoucherRefused::Field(_) => "malformed",
            VoucherRefused::UnknownIssuer { .. } => "unknown-issuer",
            VoucherRefused::NoKeys { .. } => "no-keys",
            VoucherRefused::UnknownKey { .. } => "unknown-key",
            VoucherRefused::RevokedIssuer { .. } => "revoked-issuer",
            VoucherRefused::RevokedKey { .. } => "revoked-key",
            VoucherRefused::Audience { .. } => "audience",
            VoucherRefused::Expired { .. } => "expired",
            VoucherRefused::NotYetValid { .. } => "not-yet-valid",
            VoucherRefused::OtherDefinition => "other-definition",
            VoucherRefused::OtherTool { .. } => "other-tool",
            VoucherRefused::NotAllowed { .. } => "not-allowed",
        }
    }
}

fn jws_word(error: &JwsError) -> &'static str {
    match error {
        JwsError::TooLong { .. } => "too-large",
        JwsError::Parts { .. }
        | JwsError::NotBase64 { .. }
        | JwsError::NotJson { .. }
        | JwsError::Field(_)
        | JwsError::Type { .. } => "malformed",
        JwsError::Critical => "critical-extension",
        JwsError::OwnKey { .. } => "own-key",
        JwsError::NotSigned | JwsError::Symmetric { .. } | JwsError::Algorithm { .. } => "algorithm",
        JwsError::BadSignature => "bad-signature",
    }
}
