//! What signatures say about definitions, as it was found out elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use semver::Version;
use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;

/// What is known of the signature of a definition.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Evidence {
    /// It has none.
    #[default]
    Unsigned,
    /// It has one that is right. Whether its signer is trusted is not said by that.
    Verified(Vouch),
    /// It has one of which nobody here can say whether it is right: the key or the issuer is not known. That is as good as none.
    Unproven {
        /// Why, in words.
        reason: String,
    },
    /// It has none, and somebody who is trusted with such lists has approved this very definition.
    Listed {
        /// What the user calls the list.
        by: String,
        /// The content that was approved.
        content: ContentHash,
    },
    /// It has one that is not right: broken, expired, of an unknown form.
    Refused {
        /// Why, in words.
        reason: String,
    },
    /// The key, the tool or the definition was revoked.
    Revoked {
        /// By whom and why, in words.
        reason: String,
    },
}

impl Evidence {
    /// The content of the definition that somebody stands for.
    pub(super) fn content(&self) -> Option<ContentHash> {
        match self {
            Evidence::Verified(vouch) => Some(vouch.content),
            Evidence::Listed { content, .. } => Some(*content),
            Evidence::Unsigned
            | Evidence::Unproven { .. }
            | Evidence::Refused { .. }
            | Evidence::Revoked { .. } => None,
        }
    }
}

/// The evidence for the tools of a listing, by name. What is not in it is unsigned.
pub type Evidences = BTreeMap<String, Evidence>;

/// What a signer vouches for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vouch {
    /// The key or issuer, by the name under which it is trusted.
    pub signer: String,
    /// What the signer calls the tool.
    pub tool_id: String,
    /// The version of the definition.
    pub version: Version,
    /// The OAuth scopes that it needs.
    pub scopes: BTreeSet<String>,
    /// The hash of the declared profile.
    pub profile: Option<ContentHash>,
    /// The hash of the contract behind the tool.
    pub contract: Option<ContentHash>,
    /// The issuer that vouches for it besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// The content of the definition that the signature was checked on, so that none is taken for another's.
    pub content: ContentHash,
}

/// How a definition was signed when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seal {
    /// Not at all.
    Absent,
    /// By somebody who was not trusted.
    Untrusted {
        /// Who.
        signer: String,
    },
    /// By somebody who was.
    Trusted(Box<Vouch>),
    /// With a signature that was not right.
    Refused,
}
