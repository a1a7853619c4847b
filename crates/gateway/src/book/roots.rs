//! Whose signatures count: the keys that the store has on record.

use portcullis_seal::{KeyId, Names, PublicKey, TrustRoots, TrustedKey};
use portcullis_store::{NewSigner, Signer, Standing, Store, StoreError, Trust};
use serde::{Deserialize, Serialize};

/// For what a key is trusted. Names end in `*` to mean all that begin so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allowance {
    /// The providers in whose name it may sign.
    pub providers: Vec<String>,
    /// The ids of tools that it may sign.
    pub tools: Vec<String>,
}

/// The trust roots that were stated, with the keys of the store. What cannot be read is not trusted.
///
/// # Errors
/// If the store cannot be read.
pub fn trust_roots(store: &dyn Store, stated: &TrustRoots) -> Result<TrustRoots, StoreError> {
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
