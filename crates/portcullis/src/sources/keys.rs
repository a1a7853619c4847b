//! Key sets of identity providers.

use std::collections::BTreeSet;

use jiff::Timestamp;
use portcullis_gateway::{kind, trust_roots};
use portcullis_seal::{KeySet, TrustRoots};
use portcullis_store::{Change, Commit, CommitError, FetchOutcome, NewEntry, Store};
use serde_json::json;

use super::{KEYS_FRESH, Need, Place, SourceError, is_due, read};

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

/// Fetches a key set and keeps it. If that fails, the last one stays and the trouble is noted. Says how many keys it has.
pub(crate) fn refresh_keys(store: &dyn Store, address: &str, now: Timestamp) -> Result<usize, SourceError> {
    let fetched = Place::address(address).map_err(SourceError::from).and_then(|url| {
        let text = read(&Place::Address(url))?;
        let keys =
            KeySet::read(&text).map_err(|error| SourceError::Keys { place: address.to_owned(), error })?;
        Ok((text, keys))
    });
    let outcome = match &fetched {
        Ok((text, _)) => FetchOutcome::Got(text.clone()),
        Err(error) => FetchOutcome::Failed(error.to_string()),
    };
    let mut commit = Commit::at(now);
    if let Ok((text, keys)) = &fetched {
        let before = store.fetches()?.into_iter().find(|fetch| fetch.address == address);
        let is_same = before.and_then(|fetch| fetch.got).is_some_and(|(before, _)| before == *text);
        if !is_same {
            let names: Vec<String> = keys.keys().map(|(kid, key)| format!("{kid} ({})", key.id())).collect();
            let entry = NewEntry::of(kind::KEYS_FETCHED, &json!({"address": address, "keys": names}));
            commit = commit.entry(entry.map_err(CommitError::from)?);
        }
    }
    store.commit(commit.change(Change::NoteFetch { address: address.to_owned(), outcome }))?;
    fetched.map(|(_, keys)| keys.keys().count())
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
