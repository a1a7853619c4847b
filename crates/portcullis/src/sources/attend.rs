//! Keeps key sets and bundles fresh while a gateway runs, in a thread of its own: no call and no list waits for it.

use std::collections::BTreeSet;
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use jiff::Timestamp;
use portcullis_gateway::Wanted;
use portcullis_seal::PublicKey;
use portcullis_store::{Bundle as Kept, Durability, Standing, Store};

use super::{Place, SourceError, bundles, keys, read, refresh_bundle, refresh_keys, take};
use crate::configuration::StatedBundle;
use crate::host_streams;
use crate::places::Places;

/// How often it is looked whether something has become old.
const LOOK: Duration = Duration::from_secs(300);
/// So long a gateway waits before it begins for what is old or was never fetched. After that the last good one counts.
const BEGINNING: Duration = Duration::from_secs(2);

/// Refreshes what trust comes from, now and from now on. Returns when the first round is over, or after a short time.
pub(crate) fn attend(places: &Places, wanted: &Wanted, stated: &[StatedBundle]) {
    // Whoever cannot open the store cannot guard anything either, and says so.
    let Ok(store) = places.open(Durability::Process) else { return };
    let (begun, is_begun) = channel();
    let (wanted, stated) = (wanted.clone(), stated.to_vec());
    let spawned = std::thread::Builder::new().name("trust sources".to_owned()).spawn(move || {
        for bundle in &stated {
            if let Err(error) = take_stated(&*store, bundle, Timestamp::now()) {
                note(&error);
            }
        }
        keep_fresh(&*store, &wanted, &begun);
    });
    if spawned.is_ok() {
        let _ = is_begun.recv_timeout(BEGINNING);
    }
}

/// Takes a bundle that settings name, unless it is there.
fn take_stated(store: &dyn Store, stated: &StatedBundle, now: Timestamp) -> Result<(), SourceError> {
    let unusable = |error| SourceError::Root {
        place: stated.root.display().to_string(),
        name: stated.name.clone(),
        error,
    };
    let root = PublicKey::read(&read(&Place::File(stated.root.clone()))?).map_err(unusable)?;
    let place = Place::new(&stated.source)?;
    let is_there = |kept: &Kept| kept.key == root.id().as_str() && kept.source == place.to_string();
    if !store.bundles(Standing::Current)?.iter().any(is_there) {
        take(store, &root, (&stated.name, "settings"), &place, &read(&place)?, now)?;
    }
    Ok(())
}

fn keep_fresh(store: &dyn Store, wanted: &Wanted, begun: &Sender<()>) {
    let mut asked = BTreeSet::new();
    loop {
        match round(store, &asked, Timestamp::now()) {
            // What was asked for too soon after the last try waits for the next round.
            Ok(tried) => asked.retain(|address| !tried.contains(address)),
            Err(error) => note(&error),
        }
        // Nobody waits any more after the first round.
        let _ = begun.send(());
        asked.extend(wanted.wait(LOOK));
    }
}

/// Bundles come first: they may name issuers. Says from where key sets were fetched, or tried to be.
fn round(
    store: &dyn Store,
    wanted: &BTreeSet<String>,
    now: Timestamp,
) -> Result<BTreeSet<String>, SourceError> {
    for kept in bundles::due(store, now)? {
        if let Err(error) = refresh_bundle(store, &kept, now) {
            note(&error);
        }
    }
    let due = keys::due(store, wanted, now)?;
    for address in &due {
        if let Err(error) = refresh_keys(store, address, now) {
            note(&error);
        }
    }
    Ok(due)
}

fn note(error: &SourceError) {
    host_streams::note("trust", &format!("{error}; the last good one counts as long as it may"));
}
