//! Where trust comes from beside keys: identity providers, trust bundles, and what was fetched of both.

use jiff::Timestamp;

use crate::digest::Digest;
use crate::rule::Removal;
use crate::signer::Trust;

/// What is said of an identity provider from now on, in place of what was said of it so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewIssuer {
    /// Which, exactly as its tokens name it.
    pub issuer: String,
    /// For what it is trusted and where its keys are, as JSON.
    pub particulars: String,
    /// Whether it is trusted.
    pub trust: Trust,
    /// Who says so.
    pub by: String,
}

/// What is or was said of an identity provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issuer {
    /// Which, exactly as its tokens name it.
    pub issuer: String,
    /// For what it is trusted and where its keys are, as JSON.
    pub particulars: String,
    /// Whether it is trusted.
    pub trust: Trust,
    /// When that was said.
    pub since: Timestamp,
    /// By whom.
    pub by: String,
    /// When and by whom something else was said.
    pub replaced: Option<Removal>,
}

/// A trust bundle that is taken in place of the one before of the same key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewBundle {
    /// The key that signs it, by its thumbprint. It tells one bundle from another.
    pub key: String,
    /// That key itself.
    pub public: String,
    /// What people call it.
    pub name: String,
    /// Where it comes from: a file or an address.
    pub source: String,
    /// The bundle, as it was signed.
    pub text: String,
    /// Its number. A lower one than ever before is refused.
    pub version: u64,
    /// The hash of what was signed. The same number with another one is refused.
    pub content: Digest,
    /// Who takes it.
    pub by: String,
}

/// A trust bundle that is or was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The key that signs it, by its thumbprint.
    pub key: String,
    /// That key itself.
    pub public: String,
    /// What people call it.
    pub name: String,
    /// Where it comes from: a file or an address.
    pub source: String,
    /// The bundle, as it was signed; empty once it was replaced or removed.
    pub text: String,
    /// Its number.
    pub version: u64,
    /// The hash of what was signed.
    pub content: Digest,
    /// When it was taken.
    pub taken: Timestamp,
    /// By whom.
    pub by: String,
    /// When and by whom it was replaced or removed.
    pub replaced: Option<Removal>,
}

/// How a try to fetch something ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FetchOutcome {
    /// This came, and can be used.
    Got(String),
    /// Nothing that can be used. What came before stays.
    Failed(String),
    /// Nothing that can be used, though it tells that only this is left of what came before, which gets no younger by it.
    Left {
        /// What is left.
        content: String,
        /// Why what came cannot be used.
        trouble: String,
    },
}

/// What was fetched last from an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetch {
    /// The address.
    pub address: String,
    /// What came last, and when.
    pub got: Option<(String, Timestamp)>,
    /// When it was tried last.
    pub tried: Timestamp,
    /// Why the last try brought nothing.
    pub trouble: Option<String>,
}
