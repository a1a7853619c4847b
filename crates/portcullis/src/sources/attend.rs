//! Keeps key sets and bundles fresh while a gateway runs, in a thread of its own: no call and no list waits for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use portcullis_gateway::Wanted;
use portcullis_seal::PublicKey;
use portcullis_store::{Bundle as Kept, Change, Commit, Durability, FetchOutcome, Standing, Store};

use super::{
    BUNDLE_FRESH, Need, Place, SourceError, bundles, is_due, keys, read, refresh_bundle, refresh_keys,
    refuse_twice, take,
};
use crate::configuration::StatedBundle;
use crate::host_streams;
use crate::places::Places;

/// How often it is looked whether something has become old, and how seldom the same is heard of whoever asks for it.
const LOOK: Duration = Duration::from_secs(300);
/// So long a gateway waits before it begins for what is old or was never fetched. After that the last good one counts.
const BEGINNING: Duration = Duration::from_secs(2);

/// Refreshes what trust comes from, now and from now on. Returns when the first round is over, or after a short time.
pub(crate) fn attend(places: &Places, wanted: &Wanted, stated: &[StatedBundle]) {
    // Whoever cannot open the store cannot guard anything either, and says so.
    let Ok(store) = places.open(Durability::Process) else { return };
    let (begun, is_begun) = channel();
    let (wanted, stated) = (wanted.clone(), stated.to_vec());
    let spawned = std::thread::Builder::new()
        .name("trust sources".to_owned())
        .spawn(move || keep_fresh(&*store, &wanted, &stated, &begun));
    if spawned.is_ok() {
        let _ = is_begun.recv_timeout(BEGINNING);
    }
}

/// Takes a bundle that settings name, unless it is there or was tried a short while ago.
fn take_stated(store: &dyn Store, stated: &StatedBundle, now: Timestamp) -> Result<(), SourceError> {
    let unusable = |error| SourceError::Root {
        place: stated.root.display().to_string(),
        name: stated.name.clone(),
        error,
    };
    let root = PublicKey::read(&read(&Place::File(stated.root.clone()))?).map_err(unusable)?;
    let place = Place::new(&stated.source)?;
    let is_there = |kept: &Kept| kept.key == root.id().as_str() && kept.source == place.to_string();
    let address = bundles::noted(root.id().as_str(), &place.to_string());
    let tried = store.fetches()?.into_iter().find(|fetch| fetch.address == address);
    let is_left_alone = matches!(place, Place::Address(_))
        && tried.is_some_and(|fetch| {
            fetch.trouble.is_some() && !is_due(Some(&fetch), BUNDLE_FRESH, Need::Wanted, now)
        });
    if is_left_alone || store.bundles(Standing::Current)?.iter().any(is_there) {
        return Ok(());
    }
    refuse_twice(store, &root, &stated.name)?;
    let text = read(&place).map_err(SourceError::from);
    let taken = text.and_then(|text| take(store, &root, (&stated.name, "settings"), &place, &text, now));
    let outcome = match &taken {
        Ok(_) => FetchOutcome::Got(String::new()),
        Err(error) => FetchOutcome::Failed(error.to_string()),
    };
    store.commit(Commit::at(now).change(Change::NoteFetch { address, outcome }))?;
    taken.map(drop)
}

fn keep_fresh(store: &dyn Store, wanted: &Wanted, stated: &[StatedBundle], begun: &Sender<()>) {
    let mut asked = BTreeSet::new();
    let mut heard = Heard::default();
    loop {
        round_of_bundles(store, stated, Timestamp::now());
        let looked = Instant::now();
        loop {
            match round_of_keys(store, &asked, Timestamp::now()) {
                // What was asked for too soon after the last try waits for the next round.
                Ok(tried) => asked.retain(|address| !tried.contains(address)),
                Err(error) => note(&error, LAST),
            }
            // Nobody waits any more after the first round.
            let _ = begun.send(());
            if !heard.wait(wanted, &mut asked, looked) {
                break;
            }
        }
    }
}

/// What was asked for, and when. Whoever lists tools may ask as often as they like.
#[derive(Default)]
struct Heard(BTreeMap<String, Instant>);

impl Heard {
    /// Waits until it is time to look at everything again, or until something is asked for that was not a short while ago, and
    /// says whether it was that.
    fn wait(&mut self, wanted: &Wanted, asked: &mut BTreeSet<String>, looked: Instant) -> bool {
        loop {
            let left = LOOK.saturating_sub(looked.elapsed());
            if left.is_zero() {
                return false;
            }
            let more = wanted.wait(left);
            let is_news = self.is_news(&more, Instant::now());
            asked.extend(more);
            if is_news {
                return true;
            }
        }
    }

    fn is_news(&mut self, asked: &BTreeSet<String>, now: Instant) -> bool {
        self.0.retain(|_, heard| now.duration_since(*heard) < LOOK);
        let mut is_news = false;
        for address in asked {
            if !self.0.contains_key(address) {
                self.0.insert(address.clone(), now);
                is_news = true;
            }
        }
        is_news
    }
}

/// Bundles come first: they may name issuers.
fn round_of_bundles(store: &dyn Store, stated: &[StatedBundle], now: Timestamp) {
    for bundle in stated {
        if let Err(error) = take_stated(store, bundle, now) {
            note(&error, NONE);
        }
    }
    let due = bundles::due(store, now).unwrap_or_else(|error| {
        note(&error, LAST);
        Vec::new()
    });
    for kept in due {
        if let Err(error) = refresh_bundle(store, &kept, now) {
            note(&error, LAST);
        }
    }
}

/// Says from where key sets were fetched, or tried to be.
fn round_of_keys(
    store: &dyn Store,
    wanted: &BTreeSet<String>,
    now: Timestamp,
) -> Result<BTreeSet<String>, SourceError> {
    let due = keys::due(store, wanted, now)?;
    for address in &due {
        if let Err(error) = refresh_keys(store, address, now) {
            let was_there =
                store.fetches()?.iter().any(|fetch| fetch.address == *address && fetch.got.is_some());
            note(&error, if was_there { LAST } else { NONE });
        }
    }
    Ok(due)
}

const LAST: &str = "the last good one counts as long as it may";
const NONE: &str = "nothing counts of it until that works";

fn note(error: &SourceError, follows: &str) {
    host_streams::note("trust", &format!("{error}; {follows}"));
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;
    use portcullis_seal::{Algorithm, BundleForm, PrivateKey};
    use portcullis_store::SqliteStore;

    use super::super::answering::answering;
    use super::super::{Taken, noted_as};
    use super::*;

    const NOW: &str = "2026-11-15T12:00:00Z";

    fn key(seed: u8) -> PrivateKey {
        PrivateKey::from_random(Algorithm::Ed25519, &[seed; 32]).unwrap()
    }

    fn bundle(version: u64, key: &PrivateKey) -> String {
        let now: Timestamp = NOW.parse().unwrap();
        BundleForm::empty(version, now, now + SignedDuration::from_hours(24)).sign(key).unwrap()
    }

    fn store(folder: &std::path::Path) -> SqliteStore {
        SqliteStore::open(&folder.join("portcullis.db"), portcullis_store::Options::default()).unwrap()
    }

    #[test]
    fn a_bundle_that_is_removed_while_it_is_fetched_does_not_come_back() {
        let (folder, now) = (tempfile::tempdir().unwrap(), NOW.parse().unwrap());
        let (reader, person) = (store(folder.path()), store(folder.path()));
        let root = key(1);
        let id = root.public().id().to_string();
        let remove = move || {
            let change = Change::RemoveBundle { key: id, by: "ann".to_owned() };
            person.commit(Commit::at(now).change(change)).unwrap();
        };
        let place = Place::new(&answering(&bundle(2, &root), remove)).unwrap();
        take(&reader, root.public(), ("team", "ann"), &place, &bundle(1, &root), now).unwrap();
        let kept = reader.bundles(Standing::Current).unwrap().remove(0);
        assert!(matches!(refresh_bundle(&reader, &kept, now), Ok(Taken::Replaced)));
        assert_eq!(reader.bundles(Standing::Current).unwrap(), []);
    }

    #[test]
    fn a_key_set_at_the_same_address_is_not_touched_by_a_bundle() {
        let (folder, now) = (tempfile::tempdir().unwrap(), NOW.parse().unwrap());
        let (store, root) = (store(folder.path()), key(1));
        let address = answering(&bundle(1, &root), || {});
        let outcome = FetchOutcome::Got("keys".to_owned());
        let change = Change::NoteFetch { address: address.clone(), outcome };
        store.commit(Commit::at(now).change(change)).unwrap();
        let place = Place::new(&address).unwrap();
        take(&store, root.public(), ("team", "ann"), &place, &bundle(1, &root), now).unwrap();
        let kept = store.bundles(Standing::Current).unwrap().remove(0);
        assert!(matches!(refresh_bundle(&store, &kept, now), Ok(Taken::Same)));
        let fetches = store.fetches().unwrap();
        let of = |address: &str| fetches.iter().find(|fetch| fetch.address == address).unwrap().got.clone();
        assert_eq!(of(&address), Some(("keys".to_owned(), now)));
        assert_eq!(of(&noted_as(&kept)), Some((String::new(), now)));
    }

    #[test]
    fn a_bundle_of_settings_that_is_not_there_yet_is_taken_when_it_is() {
        let (folder, now) = (tempfile::tempdir().unwrap(), NOW.parse().unwrap());
        let (store, root) = (store(folder.path()), key(1));
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("root.json"), root.public().write()).unwrap();
        let source = at("team.jws").to_str().unwrap().to_owned();
        let stated = [StatedBundle { name: "team".to_owned(), source, root: at("root.json") }];
        let taken = || store.bundles(Standing::Current).unwrap().into_iter().map(|kept| kept.version);
        round_of_bundles(&store, &stated, now);
        assert_eq!(taken().count(), 0);
        std::fs::write(at("team.jws"), bundle(3, &root)).unwrap();
        round_of_bundles(&store, &stated, now);
        assert_eq!(taken().collect::<Vec<_>>(), [3]);
        // A name is one bundle, in settings too.
        std::fs::write(at("other.json"), key(2).public().write()).unwrap();
        std::fs::write(at("other.jws"), bundle(1, &key(2))).unwrap();
        let source = at("other.jws").to_str().unwrap().to_owned();
        let other = StatedBundle { name: "team".to_owned(), source, root: at("other.json") };
        let refused = take_stated(&store, &other, now).unwrap_err();
        assert!(matches!(refused, SourceError::Named(_)), "{refused}");
        assert_eq!(taken().collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn who_asks_all_the_time_is_heard_once_in_a_while() {
        let mut heard = Heard::default();
        let asked = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
        let begin = Instant::now();
        let after = |seconds| begin + Duration::from_secs(seconds);
        assert!(heard.is_news(&asked(&["a"]), begin));
        assert!(!heard.is_news(&asked(&["a"]), after(1)));
        assert!(heard.is_news(&asked(&["a", "b"]), after(2)));
        assert!(!heard.is_news(&asked(&["a", "b"]), after(299)));
        assert!(heard.is_news(&asked(&["a"]), after(300)));
        assert!(!heard.is_news(&asked(&[]), after(400)));
    }
}
