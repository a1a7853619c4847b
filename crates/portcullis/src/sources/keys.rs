//! Key sets of identity providers.

use std::collections::BTreeSet;

use jiff::Timestamp;
use portcullis_gateway::{kind, trust_roots};
use portcullis_seal::{KeySet, TrustRoots};
use portcullis_store::{Change, Commit, CommitError, FetchOutcome, NewEntry, Store};
use serde_json::json;

use super::{KEYS_FRESH, Need, Place, SourceError, is_due, read, told};

/// Where the keys of trusted issuers are fetched, whoever trusts them, with the issuers.
pub(crate) fn addresses(
    store: &dyn Store,
    now: Timestamp,
) -> Result<BTreeSet<(String, String)>, SourceError> {
    let roots = trust_roots(store, &TrustRoots::default(), now)?.trusted;
    let addresses =
        roots.issuers().filter_map(|issuer| Some((issuer.address()?.to_owned(), issuer.issuer.clone())));
    Ok(addresses.collect())
}

/// Fetches a key set and keeps it. If that fails, the last one stays and the trouble is noted; where what came tells that keys are
/// gone, they are gone though it is spoilt. Says how many keys it has.
pub(crate) fn refresh_keys(store: &dyn Store, address: &str, now: Timestamp) -> Result<usize, SourceError> {
    let text = Place::address(address).and_then(|url| read(&Place::Address(url)));
    let before = store.fetches()?.into_iter().find(|fetch| fetch.address == address);
    let before = before.and_then(|fetch| fetch.got).map(|(content, _)| content);
    let fetched = text.map_err(SourceError::from).and_then(|text| kept(address, text, before.as_deref()));
    let (outcome, counted) = match fetched {
        Ok((outcome, counted)) => (outcome, counted),
        Err(error) => (FetchOutcome::Failed(error.to_string()), Err(error)),
    };
    let mut commit = Commit::at(now);
    if let FetchOutcome::Got(content) | FetchOutcome::Left { content, .. } = &outcome
        && before.as_ref() != Some(content)
        && let Ok(keys) = KeySet::published(content)
    {
        let names: Vec<String> = keys.keys().map(|(kid, key)| format!("{kid} ({})", key.id())).collect();
        let entry = NewEntry::of(kind::KEYS_FETCHED, &json!({"address": told(address), "keys": names}));
        commit = commit.entry(entry.map_err(CommitError::from)?);
    }
    store.commit(commit.change(Change::NoteFetch { address: address.to_owned(), outcome }))?;
    counted
}

/// What is kept of a text that was fetched, and how many keys it has or why it cannot be used.
fn kept(
    address: &str,
    text: String,
    before: Option<&str>,
) -> Result<(FetchOutcome, Result<usize, SourceError>), SourceError> {
    let error = match KeySet::published(&text) {
        Ok(keys) => return Ok((FetchOutcome::Got(text), Ok(keys.keys().count()))),
        Err(error) => SourceError::Keys { place: told(address), error },
    };
    match before.and_then(|before| KeySet::left_of(before, &text)) {
        Some(content) => Ok((FetchOutcome::Left { content, trouble: error.to_string() }, Err(error))),
        None => Err(error),
    }
}

/// The addresses that are to be fetched now.
pub(super) fn due(
    store: &dyn Store,
    wanted: &BTreeSet<String>,
    now: Timestamp,
) -> Result<BTreeSet<String>, SourceError> {
    let fetches = store.fetches()?;
    let known = addresses(store, now)?.into_iter().map(|(address, _)| address);
    let is_due = |address: &String| {
        let need = if wanted.contains(address) { Need::Wanted } else { Need::Usual };
        is_due(fetches.iter().find(|fetch| fetch.address == *address), KEYS_FRESH, need, now)
    };
    Ok(known.filter(is_due).collect())
}

#[cfg(test)]
mod tests {
    use portcullis_seal::{Algorithm, PrivateKey};
    use portcullis_store::{Options, SqliteStore};

    use super::super::answering::answering;
    use super::*;

    fn key(seed: u8, kid: &str) -> String {
        let key = PrivateKey::from_random(Algorithm::Ed25519, &[seed; 32]).unwrap();
        let mut jwk: serde_json::Value = serde_json::from_str(&key.public().write()).unwrap();
        jwk["kid"] = kid.into();
        jwk.to_string()
    }

    fn set(keys: &[String]) -> String {
        format!(r#"{{"keys":[{}]}}"#, keys.join(","))
    }

    #[test]
    fn a_key_that_is_gone_counts_no_more_however_the_rest_looks() {
        let broken = r#"{"kty":"OKP","crv":"Ed25519","kid":"c","x":"AA"}"#.to_owned();
        let other_kind = r#"{"kty":"EC","crv":"P-521","kid":"c","x":"AA","y":"AA"}"#.to_owned();
        for (text, left, is_good) in [
            (set(&[key(2, "b")]), &["b"][..], true),
            (set(&[]), &[], true),
            (set(&[other_kind]), &[], true),
            (set(&[key(2, "b"), broken.clone()]), &["b"], false),
            (set(&[key(2, "b"), key(3, "b")]), &["b"], false),
            (set(&[broken]), &[], false),
            // Nobody can say what is meant: an error page is no key set.
            ("<html>".to_owned(), &["a", "b"], false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let store = SqliteStore::open(&folder.path().join("s.db"), Options::default()).unwrap();
            let (then, now) = (Timestamp::UNIX_EPOCH, Timestamp::now());
            let address = answering(&text, || {});
            let outcome = FetchOutcome::Got(set(&[key(1, "a"), key(2, "b")]));
            let change = Change::NoteFetch { address: address.clone(), outcome };
            store.commit(Commit::at(then).change(change)).unwrap();
            let done = refresh_keys(&store, &address, now);
            assert_eq!(done.is_ok(), is_good, "{text}: {done:?}");
            let kept = store.fetches().unwrap().remove(0);
            let (content, got) = kept.got.unwrap();
            let keys = KeySet::published(&content).unwrap();
            assert_eq!(keys.keys().map(|(kid, _)| kid).collect::<Vec<_>>(), left, "{text}");
            // What cannot be used makes nothing younger.
            assert_eq!((got > then, kept.trouble.is_none()), (is_good, is_good), "{text}");
        }
    }
}
