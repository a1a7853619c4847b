//! Whose word counts: the keys, issuers and trust bundles that the store has on record.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use portcullis_seal::{
    Bundle, Issuer, IssuerKeys, KeyId, KeySet, Names, PublicKey, SKEW, TrustRoots, TrustedKey,
};
use portcullis_store::{
    Bundle as KeptBundle, Issuer as KeptIssuer, NewIssuer, NewSigner, Signer, Standing, Store, StoreError,
    Trust,
};
use serde::{Deserialize, Serialize};

/// So long a key set counts that could not be fetched anew.
pub const KEYS_COUNT: SignedDuration = SignedDuration::from_hours(7 * 24);

/// For what a key is trusted. Names end in `*` to mean all that begin so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// The providers in whose name it may sign.
    pub providers: Vec<String>,
    /// The ids of tools that it may sign.
    pub tools: Vec<String>,
}

/// For what an issuer is trusted, and where its keys are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssuerAllowance {
    /// Who its tokens have to be meant for.
    pub audience: String,
    /// The ids of tools that it may vouch for.
    pub tools: Vec<String>,
    /// Its keys.
    pub keys: KeysOf,
}

/// Where the keys of an issuer are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeysOf {
    /// They were stated: a key set as text.
    Stated(String),
    /// They are fetched from this address.
    At(String),
}

/// Whose word counts, from a time on.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Whose word counts.
    pub trusted: TrustRoots,
    /// When the next bundle or key set is over, so that fewer are trusted.
    pub until: Option<Timestamp>,
    /// What the user calls bundles, by the keys that sign them.
    bundles: BTreeMap<KeyId, String>,
}

impl Roots {
    /// What the user calls the bundle of a key.
    pub fn bundle(&self, signer: &KeyId) -> &str {
        self.bundles.get(signer).map_or("", String::as_str)
    }

    fn ends(&mut self, at: Timestamp, now: Timestamp) {
        if at > now {
            self.until = Some(self.until.map_or(at, |until| until.min(at)));
        }
    }
}

/// The trust roots that were stated, with the keys, issuers and bundles of the store. What cannot be read is not trusted; a
/// bundle that cannot be read is an error, for nobody knows any more what it revokes.
///
/// # Errors
/// If the store or one of its bundles cannot be read.
pub fn trust_roots(store: &dyn Store, stated: &TrustRoots, now: Timestamp) -> Result<Roots, StoreError> {
    let mut found = Roots { trusted: signers(store, stated)?, ..Roots::default() };
    let kept = store.bundles(Standing::Current)?;
    let bundles = kept.iter().map(kept_bundle).collect::<Result<Vec<Bundle>, StoreError>>()?;
    // One may revoke the signer of another.
    for bundle in &bundles {
        found.trusted.add_revocations(bundle);
    }
    // Where the user and a bundle trust the same, the user's word is the one that counts.
    for kept in store.issuers(Standing::Current)? {
        match (kept.trust, trusted_issuer(&kept)) {
            (Trust::Trusted, Some(issuer)) => {
                found.trusted.trust_issuer(issuer);
            }
            (Trust::Trusted, None) => {}
            (Trust::Revoked, _) => {
                found.trusted.revoke_issuer(kept.issuer);
            }
        }
    }
    for (bundle, kept) in bundles.iter().zip(&kept) {
        found.bundles.insert(bundle.signer().clone(), kept.name.clone());
        found.trusted.add_bundle(bundle, now);
        found.ends(bundle.until(), now);
    }
    for fetch in store.fetches()? {
        let Some((content, got)) = fetch.got else { continue };
        let end = got.checked_add(KEYS_COUNT).unwrap_or(got);
        // What was fetched by a clock that was ahead counts as little as what is too old.
        let is_ahead = got.duration_since(now) > SKEW;
        if let Ok(keys) = KeySet::published(&content)
            && now < end
            && !is_ahead
        {
            found.trusted.note_keys(&fetch.address, &keys);
            found.ends(end, now);
        }
    }
    Ok(found)
}

/// A bundle of the store. It is verified again, though it was when it was taken.
///
/// # Errors
/// If it cannot be read.
pub fn kept_bundle(kept: &KeptBundle) -> Result<Bundle, StoreError> {
    let unreadable = |error: &dyn std::fmt::Display| {
        StoreError::Damaged(format!(
            "the trust bundle `{}` cannot be read any more ({error}); remove it and add it again",
            kept.name
        ))
    };
    let root = PublicKey::read(&kept.public).map_err(|error| unreadable(&error))?;
    // It was issued by then, whatever the clock says now.
    Bundle::verify(&kept.text, &root, None, kept.taken).map_err(|error| unreadable(&error))
}

/// An issuer of the store, if it can be read.
pub fn trusted_issuer(kept: &KeptIssuer) -> Option<Issuer> {
    let allowance: IssuerAllowance = serde_json::from_str(&kept.particulars).ok()?;
    let keys = match allowance.keys {
        KeysOf::Stated(text) => IssuerKeys::Stated(KeySet::read(&text).ok()?),
        KeysOf::At(url) => IssuerKeys::At { url, fetched: None },
    };
    let (issuer, audience, tools) = (kept.issuer.clone(), allowance.audience, Names::of(allowance.tools));
    Some(Issuer { issuer, audience, tools, keys, bundle: None })
}

/// What the store keeps of an issuer that is trusted from now on.
pub fn trusting_issuer(issuer: &str, allowance: &IssuerAllowance, by: &str) -> NewIssuer {
    NewIssuer {
        issuer: issuer.to_owned(),
        particulars: serde_json::to_string(allowance).unwrap_or_default(),
        trust: Trust::Trusted,
        by: by.to_owned(),
    }
}

/// What the store keeps of an issuer that is revoked from now on; `known` is what it has of it.
pub fn revoking_issuer(issuer: &str, known: Option<&KeptIssuer>, by: &str) -> NewIssuer {
    NewIssuer {
        issuer: issuer.to_owned(),
        particulars: known.map_or_else(|| "{}".to_owned(), |known| known.particulars.clone()),
        trust: Trust::Revoked,
        by: by.to_owned(),
    }
}

/// The trust roots that were stated, with the keys of the store.
fn signers(store: &dyn Store, stated: &TrustRoots) -> Result<TrustRoots, StoreError> {
    let mut roots = stated.clone();
    for signer in store.signers(Standing::Current)? {
        match signer.trust {
            Trust::Trusted => {
                if let Some(key) = trusted_key(&signer) {
                    roots.trust(key);
                }
            }
            Trust::Revoked => {
                if let Ok(id) = signer.key.parse::<KeyId>() {
                    roots.revoke_key(id);
                }
            }
        }
    }
    Ok(roots)
}

/// A key of the store, if it can be read and is the one it is said to be.
pub fn trusted_key(signer: &Signer) -> Option<TrustedKey> {
    let key = PublicKey::read(&signer.public).ok().filter(|key| key.id().as_str() == signer.key)?;
    let allowance: Allowance = serde_json::from_str(&signer.allowance).ok()?;
    let (providers, tools) = (Names::of(allowance.providers), Names::of(allowance.tools));
    Some(TrustedKey { key, name: signer.name.clone(), providers, tools })
}

/// What the store keeps of a key that is trusted from now on.
pub fn trusting(key: &PublicKey, name: &str, allowance: &Allowance, by: &str) -> NewSigner {
    NewSigner {
        key: key.id().to_string(),
        public: key.write(),
        name: name.to_owned(),
        allowance: serde_json::to_string(allowance).unwrap_or_default(),
        trust: Trust::Trusted,
        by: by.to_owned(),
    }
}

/// What the store keeps of a key that is revoked from now on; `known` is what it has of it.
pub fn revoking(key: &KeyId, name: &str, known: Option<&Signer>, by: &str) -> NewSigner {
    NewSigner {
        key: key.to_string(),
        public: known.map(|known| known.public.clone()).unwrap_or_default(),
        name: name.to_owned(),
        allowance: known.map_or_else(|| "{}".to_owned(), |known| known.allowance.clone()),
        trust: Trust::Revoked,
        by: by.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use portcullis_seal::{Algorithm, PrivateKey};
    use portcullis_store::{Change, Commit, FetchOutcome, Options, SqliteStore};

    use super::*;

    #[test]
    fn a_key_set_counts_from_when_it_was_fetched_for_a_week() {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("s.db"), Options::default()).unwrap();
        let got: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        let key = PrivateKey::from_random(Algorithm::Ed25519, &[1; 32]).unwrap();
        let outcome = FetchOutcome::Got(format!(r#"{{"keys":[{}]}}"#, key.public().write()));
        let (address, audience) = ("https://id.example/keys".to_owned(), "portcullis".to_owned());
        let keys = KeysOf::At(address.clone());
        let allowance = IssuerAllowance { audience, tools: vec!["*".to_owned()], keys };
        let trusting = Change::SetIssuer(trusting_issuer("https://id.example", &allowance, "u"));
        let fetched = Change::NoteFetch { address, outcome };
        store.commit(Commit::at(got).change(trusting).change(fetched)).unwrap();
        let week = KEYS_COUNT.as_secs();
        // A clock may be ahead a little; who sets it back far must not keep old keys alive.
        for (seconds, counts) in
            [(0, true), (week - 1, true), (week, false), (-120, true), (-121, false), (-week, false)]
        {
            let now = got + SignedDuration::from_secs(seconds);
            let roots = trust_roots(&store, &TrustRoots::default(), now).unwrap().trusted;
            let known = roots.issuers().filter_map(Issuer::key_set).count();
            assert_eq!(known == 1, counts, "after {seconds} s");
        }
    }
}
