//! Trust bundles: verified, never older than before, and kept.

use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_seal::{Bundle, PublicKey, Seen};
use portcullis_store::{
    Bundle as Kept, Change, Commit, CommitError, Digest, FetchOutcome, NewBundle, NewEntry, Standing, Store,
};
use serde_json::json;

use super::{BUNDLE_FRESH, Need, Place, SourceError, is_due, read};

/// What became of a bundle.
pub(crate) enum Taken {
    /// It is the one that is known.
    Same,
    /// It is another one, and counts from now on.
    Newer(Box<Bundle>),
    /// Somebody removed it or took another in its place while it was read: nothing was taken.
    Replaced,
}

/// Under what it is noted how reading a bundle ended. What is fetched from the same address as a key set is something else.
pub(crate) fn noted_as(kept: &Kept) -> String {
    noted(&kept.key, &kept.source)
}

pub(super) fn noted(key: &str, source: &str) -> String {
    format!("bundle {key} {source}")
}

/// Verifies a bundle against all that was ever taken of its key.
pub(crate) fn verified(
    store: &dyn Store,
    root: &PublicKey,
    place: &Place,
    text: &str,
    now: Timestamp,
) -> Result<Bundle, SourceError> {
    let all = store.bundles(Standing::All)?;
    let of_key = all.iter().filter(|kept| kept.key == root.id().as_str());
    let newest = of_key.max_by_key(|kept| kept.version);
    let seen = newest.map(|kept| Seen {
        version: kept.version,
        content: portcullis_seal::Digest::new(*kept.content.bytes()),
    });
    let wrong = |error| SourceError::Bundle { place: place.told(), error };
    Bundle::verify(text, root, seen, now).map_err(wrong)
}

/// A name is one bundle, and so is a key: its versions are counted by it.
pub(crate) fn refuse_twice(store: &dyn Store, root: &PublicKey, name: &str) -> Result<(), SourceError> {
    let is_other = |kept: &Kept| kept.name == name && kept.key != root.id().as_str();
    match store.bundles(Standing::Current)?.iter().any(is_other) {
        true => Err(SourceError::Named(name.to_owned())),
        false => Ok(()),
    }
}

/// Takes a bundle that was read, for good or in place of an older one.
pub(crate) fn take(
    store: &dyn Store,
    root: &PublicKey,
    (name, by): (&str, &str),
    place: &Place,
    text: &str,
    now: Timestamp,
) -> Result<Bundle, SourceError> {
    let bundle = verified(store, root, place, text, now)?;
    let (new, entry) = taken(&bundle, root, (name, by), place, text)?;
    store.commit(Commit::at(now).entry(entry).change(Change::TakeBundle(new)))?;
    Ok(bundle)
}

/// A bundle as the store keeps it, and the log.
fn taken(
    bundle: &Bundle,
    root: &PublicKey,
    (name, by): (&str, &str),
    place: &Place,
    text: &str,
) -> Result<(NewBundle, NewEntry), SourceError> {
    let seen = bundle.seen();
    let body = json!({
        "name": name, "key": root.id().to_string(), "source": place.told(), "version": seen.version,
        "content": seen.content.to_string(), "by": by,
    });
    let entry = NewEntry::new(kind::BUNDLE_TAKEN, &body.to_string()).map_err(CommitError::from)?;
    let new = NewBundle {
        key: root.id().to_string(),
        public: root.write(),
        name: name.to_owned(),
        source: place.to_string(),
        text: text.trim_ascii_end().to_owned(),
        version: seen.version,
        content: Digest::new(*seen.content.bytes()),
        by: by.to_owned(),
    };
    Ok((new, entry))
}

/// Reads a bundle again where it comes from. If that fails, the last one stays and the trouble is noted.
pub(crate) fn refresh_bundle(store: &dyn Store, kept: &Kept, now: Timestamp) -> Result<Taken, SourceError> {
    let refreshed = read_again(store, kept, now);
    let outcome = match &refreshed {
        Ok(_) => FetchOutcome::Got(String::new()),
        Err(error) => FetchOutcome::Failed(error.to_string()),
    };
    store.commit(Commit::at(now).change(Change::NoteFetch { address: noted_as(kept), outcome }))?;
    refreshed
}

fn read_again(store: &dyn Store, kept: &Kept, now: Timestamp) -> Result<Taken, SourceError> {
    let place = Place::new(&kept.source)?;
    let text = read(&place)?;
    if text.trim_ascii_end() == kept.text {
        return Ok(Taken::Same);
    }
    let unusable = || portcullis_store::StoreError::Damaged(format!("the key of the bundle `{}`", kept.name));
    let root = PublicKey::read(&kept.public).map_err(|_| unusable())?;
    let bundle = verified(store, &root, &place, &text, now)?;
    let (new, entry) = taken(&bundle, &root, (&kept.name, "refreshed"), &place, &text)?;
    let change = Change::RenewBundle { new, over: kept.content };
    match store.commit(Commit::at(now).entry(entry).change(change)) {
        Ok(_) => Ok(Taken::Newer(Box::new(bundle))),
        Err(CommitError::BundleReplaced) => Ok(Taken::Replaced),
        Err(error) => Err(error.into()),
    }
}

/// The bundles that are to be read again now.
pub(super) fn due(store: &dyn Store, now: Timestamp) -> Result<Vec<Kept>, SourceError> {
    let fetches = store.fetches()?;
    let is_due = |kept: &Kept| {
        let fetch = fetches.iter().find(|fetch| fetch.address == noted_as(kept));
        // A file is read as often as one likes.
        let is_file = matches!(Place::new(&kept.source), Ok(Place::File(_)));
        is_file || is_due(fetch, BUNDLE_FRESH, Need::Usual, now)
    };
    Ok(store.bundles(Standing::Current)?.into_iter().filter(is_due).collect())
}
