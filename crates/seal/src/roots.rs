//! Whom the user trusts: keys and issuers, and what was revoked.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use semver::Version;

use crate::allowance::Names;
use crate::bundle::{Bundle, Freshness, Pinned};
use crate::digest::Digest;
use crate::key::{KeyId, PublicKey};
use crate::key_set::KeySet;
use crate::version::VersionRange;

/// A key, and for what it is trusted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrustedKey {
    /// The key.
    pub key: PublicKey,
    /// What people call its owner. Keys of one name are one signer.
    pub name: String,
    /// The providers in whose name it may sign.
    pub providers: Names,
    /// The ids of tools that it may sign.
    pub tools: Names,
}

impl TrustedKey {
    /// A key that may sign everything.
    pub fn for_everything(key: PublicKey, name: &str) -> TrustedKey {
        TrustedKey { key, name: name.to_owned(), providers: Names::all(), tools: Names::all() }
    }
}

/// An identity provider whose tokens may vouch for definitions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issuer {
    /// Its `iss`, exactly as its tokens have it.
    pub issuer: String,
    /// Who its tokens have to be meant for.
    pub audience: String,
    /// The ids of tools that it may vouch for.
    pub tools: Names,
    /// Its keys.
    pub keys: IssuerKeys,
    /// The key of the bundle that trusts it; nothing where the user does.
    pub bundle: Option<KeyId>,
}

/// Where the keys of an issuer are from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IssuerKeys {
    /// They were stated with the issuer.
    Stated(KeySet),
    /// They are fetched from there.
    At {
        /// The address of the key set.
        url: String,
        /// What was fetched last.
        fetched: Option<KeySet>,
    },
}

impl Issuer {
    /// Who speaks through its tokens. An issuer of a bundle is not the user's of the same name: it may have other keys.
    pub fn signer(&self) -> String {
        self.bundle.as_ref().map_or_else(|| self.issuer.clone(), |bundle| of_bundle(&self.issuer, bundle))
    }

    /// Where its keys are fetched, if they are.
    pub fn address(&self) -> Option<&str> {
        match &self.keys {
            IssuerKeys::Stated(_) => None,
            IssuerKeys::At { url, .. } => Some(url),
        }
    }

    /// Its keys, if they are known.
    pub fn key_set(&self) -> Option<&KeySet> {
        match &self.keys {
            IssuerKeys::Stated(keys) => Some(keys),
            IssuerKeys::At { fetched, .. } => fetched.as_ref(),
        }
    }
}

/// A signer whom a bundle names. What a bundle calls somebody is nobody whom the user or another bundle calls so.
fn of_bundle(name: &str, bundle: &KeyId) -> String {
    format!("{name} (trust bundle {bundle})")
}

/// Tools that nobody shall call any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RevokedTool {
    /// One definition, whoever serves it.
    Definition(Digest),
    /// Versions of a tool.
    Versions {
        /// Which tool.
        tool_id: String,
        /// Which versions of it.
        versions: VersionRange,
    },
}

/// Whom the user trusts. What was revoked by anybody is revoked, whoever trusts it.
#[derive(Clone, Debug, Default)]
pub struct TrustRoots {
    keys: BTreeMap<KeyId, Vec<TrustedKey>>,
    issuers: BTreeMap<String, Vec<Issuer>>,
    revoked_keys: BTreeSet<KeyId>,
    revoked_issuers: BTreeSet<String>,
    revoked_tools: Vec<RevokedTool>,
    /// With the key of the bundle that pins it.
    pinned: BTreeMap<Digest, (Pinned, KeyId)>,
}

/// How a key stands that a signature names.
pub(crate) enum Found<'r> {
    Revoked(KeyId),
    Unknown,
    Trusted(&'r [TrustedKey]),
}

impl TrustRoots {
    /// Trusts a key. Trusted twice, it may do what either says.
    pub fn trust(&mut self, key: TrustedKey) -> &mut TrustRoots {
        self.keys.entry(key.key.id().clone()).or_default().push(key);
        self
    }

    /// Trusts an issuer for some tools and one audience. Several may be said for one issuer.
    pub fn trust_issuer(&mut self, issuer: Issuer) -> &mut TrustRoots {
        self.issuers.entry(issuer.issuer.clone()).or_default().push(issuer);
        self
    }

    /// Never believes a key again, an issuer's key neither.
    pub fn revoke_key(&mut self, key: KeyId) -> &mut TrustRoots {
        self.revoked_keys.insert(key);
        self
    }

    /// Never believes an issuer again, whatever its keys are.
    pub fn revoke_issuer(&mut self, issuer: String) -> &mut TrustRoots {
        self.revoked_issuers.insert(issuer);
        self
    }

    /// Never takes these tools again.
    pub fn revoke_tool(&mut self, tool: RevokedTool) -> &mut TrustRoots {
        self.revoked_tools.push(tool);
        self
    }

    /// Takes in a bundle, and says how fresh it is. Of one that is over, or whose own signer was revoked, only the
    /// revocations count: whoever keeps new bundles away gains no trust by it.
    pub fn add_bundle(&mut self, bundle: &Bundle, now: Timestamp) -> Freshness {
        self.add_revocations(bundle);
        let freshness = bundle.freshness(now);
        if freshness.is_over() || self.is_revoked(bundle.signer()) {
            return freshness;
        }
        for key in bundle.keys() {
            self.trust(TrustedKey { name: of_bundle(&key.name, bundle.signer()), ..key.clone() });
        }
        for issuer in bundle.issuers() {
            self.trust_issuer(Issuer { bundle: Some(bundle.signer().clone()), ..issuer.clone() });
        }
        let pin = |pinned: &Pinned| (pinned.definition, (pinned.clone(), bundle.signer().clone()));
        self.pinned.extend(bundle.pinned().iter().map(pin));
        freshness
    }

    /// Takes in what a bundle revokes, and nothing else of it. Where there are several bundles, all of this comes first: one may
    /// revoke the signer of another.
    pub fn add_revocations(&mut self, bundle: &Bundle) -> &mut TrustRoots {
        self.revoked_keys.extend(bundle.revoked_keys().iter().cloned());
        self.revoked_tools.extend(bundle.revoked_tools().iter().cloned());
        self
    }

    /// Notes the keys that were fetched from an address, for all issuers whose keys are there.
    pub fn note_keys(&mut self, address: &str, keys: &KeySet) -> &mut TrustRoots {
        for issuer in self.issuers.values_mut().flatten() {
            match &mut issuer.keys {
                IssuerKeys::At { url, fetched } if url == address => *fetched = Some(keys.clone()),
                IssuerKeys::At { .. } | IssuerKeys::Stated(_) => {}
            }
        }
        self
    }

    /// All trusted keys that were not revoked.
    pub fn keys(&self) -> impl Iterator<Item = &TrustedKey> {
        self.keys.values().flatten().filter(|key| !self.is_revoked(key.key.id()))
    }

    /// All issuers that were not revoked.
    pub fn issuers(&self) -> impl Iterator<Item = &Issuer> {
        self.issuers.values().flatten().filter(|issuer| !self.is_issuer_revoked(&issuer.issuer))
    }

    /// What is said of an issuer.
    pub fn issuer(&self, name: &str) -> &[Issuer] {
        self.issuers.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an issuer was revoked.
    pub fn is_issuer_revoked(&self, issuer: &str) -> bool {
        self.revoked_issuers.contains(issuer)
    }

    /// Whether a key was revoked.
    pub fn is_revoked(&self, key: &KeyId) -> bool {
        self.revoked_keys.contains(key)
    }

    /// Whether a definition was revoked, by itself or as a version of a tool.
    pub fn is_tool_revoked(&self, definition: &Digest, tool: Option<(&str, &Version)>) -> bool {
        self.revoked_tools.iter().any(|revoked| match revoked {
            RevokedTool::Definition(revoked) => revoked == definition,
            RevokedTool::Versions { tool_id, versions } => {
                tool.is_some_and(|(id, version)| id == tool_id && versions.contains(version))
            }
        })
    }

    /// What a bundle says of a definition that it pins. A revoked one is not pinned.
    pub fn pinned(&self, definition: &Digest) -> Option<&Pinned> {
        self.pin(definition).map(|(pinned, _)| pinned)
    }

    /// The key of the bundle that pins a definition.
    pub fn pinner(&self, definition: &Digest) -> Option<&KeyId> {
        self.pin(definition).map(|(_, signer)| signer)
    }

    fn pin(&self, definition: &Digest) -> Option<&(Pinned, KeyId)> {
        let pin = self.pinned.get(definition).filter(|(_, signer)| !self.is_revoked(signer));
        pin.filter(|_| !self.is_tool_revoked(definition, None))
    }

    pub(crate) fn find(&self, kid: &str) -> Found<'_> {
        match kid.parse::<KeyId>() {
            Ok(id) if self.is_revoked(&id) => Found::Revoked(id),
            Ok(id) => self.keys.get(&id).map_or(Found::Unknown, |keys| Found::Trusted(keys)),
            Err(_) => Found::Unknown,
        }
    }
}
