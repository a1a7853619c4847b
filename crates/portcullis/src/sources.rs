//! Where trust comes from: key sets of identity providers and trust bundles, fetched beside the calls and kept by the store.
//!
//! What cannot be fetched changes nothing: the last good one counts, a key set for a week and a bundle until it is over.

#[cfg(test)]
mod answering;
mod attend;
mod bundles;
mod keys;
mod place;

use jiff::{SignedDuration, Timestamp};
use portcullis_lattice::words::shown;
use portcullis_seal::{BundleError, KeyError, KeySetError};
use portcullis_store::{CommitError, Fetch, StoreError};

pub(crate) use attend::attend;
pub(crate) use bundles::{Taken, noted_as, refresh_bundle, refuse_twice, take, verified};
pub(crate) use keys::{addresses, refresh_keys};
pub(crate) use place::{Place, PlaceError, read, told};

/// A key set is fetched anew when it is older than this.
const KEYS_FRESH: SignedDuration = SignedDuration::from_hours(24);
/// A bundle at an address is fetched anew when it is older than this: it may revoke something.
const BUNDLE_FRESH: SignedDuration = SignedDuration::from_hours(1);
/// After a try, however it ended, nothing is tried there by itself for so long.
const PAUSE: SignedDuration = SignedDuration::from_mins(5);

/// Why something that trust comes from cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SourceError {
    #[error(transparent)]
    Place(#[from] PlaceError),
    #[error("`{place}`: {error}")]
    Keys { place: String, error: KeySetError },
    #[error("cannot use the key in `{place}` for the trust bundle `{name}`: {error}")]
    Root { place: String, name: String, error: KeyError },
    #[error("`{place}`: {error}")]
    Bundle { place: String, error: BundleError },
    #[error("you have a trust bundle `{}` of another key; take another name", shown(.0))]
    Named(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Commit(#[from] CommitError),
}

/// Whether somebody asks for it now, or only time has passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Need {
    /// Something was seen that only a newer one explains.
    Wanted,
    /// It may have become old.
    Usual,
}

/// Whether something is to be fetched by itself.
fn is_due(fetch: Option<&Fetch>, fresh: SignedDuration, need: Need, now: Timestamp) -> bool {
    let Some(fetch) = fetch else { return true };
    // A clock that went back keeps nothing from being tried.
    let since = |time: Timestamp| now.duration_since(time).abs();
    let is_old = fetch.got.as_ref().is_none_or(|(_, got)| since(*got) >= fresh);
    since(fetch.tried) >= PAUSE && (is_old || need == Need::Wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_old_or_wanted_is_fetched_but_not_all_the_time() {
        let now: Timestamp = "2026-11-15T12:00:00Z".parse().unwrap();
        let ago = |minutes: i64| now - SignedDuration::from_mins(minutes);
        let fetch = |got: Option<i64>, tried: i64| Fetch {
            address: "a".to_owned(),
            got: got.map(|minutes| (String::new(), ago(minutes))),
            tried: ago(tried),
            trouble: None,
        };
        let day = SignedDuration::from_hours(24);
        for (kept, need, expected) in [
            (None, Need::Usual, true),
            (Some(fetch(Some(60), 60)), Need::Usual, false),
            (Some(fetch(Some(60), 60)), Need::Wanted, true),
            (Some(fetch(Some(4), 4)), Need::Wanted, false),
            (Some(fetch(Some(1440), 1440)), Need::Usual, true),
            (Some(fetch(Some(1440), 4)), Need::Usual, false),
            (Some(fetch(None, 4)), Need::Wanted, false),
            (Some(fetch(None, 5)), Need::Usual, true),
            (Some(fetch(Some(-2000), -2000)), Need::Usual, true),
        ] {
            assert_eq!(is_due(kept.as_ref(), day, need, now), expected, "{kept:?} {need:?}");
        }
    }
}
