//! Key sets that somebody should fetch: nothing is fetched on the path of a call.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Addresses of key sets that would tell more about a definition that was listed. Clones are one and the same.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    inner: Arc<(Mutex<BTreeSet<String>>, Condvar)>,
}

impl Wanted {
    /// These would tell more. Whoever waits for it is woken.
    pub(crate) fn ask(&self, addresses: &[String]) {
        if addresses.is_empty() {
            return;
        }
        let (wanted, changed) = &*self.inner;
        wanted.lock().unwrap_or_else(PoisonError::into_inner).extend(addresses.iter().cloned());
        changed.notify_all();
    }

    /// Waits until something is wanted, though not for longer than this, and takes all that is.
    pub fn wait(&self, longest: Duration) -> BTreeSet<String> {
        let (wanted, changed) = &*self.inner;
        let waiting = wanted.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = changed.wait_timeout_while(waiting, longest, |wanted| wanted.is_empty());
        let (mut wanted, _) = waited.unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *wanted)
    }
}
