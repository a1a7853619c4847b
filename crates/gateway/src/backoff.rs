//! When a server that ended is started again.

use std::time::Duration;

/// The first pause; each one after it is twice as long.
const FIRST: Duration = Duration::from_millis(250);
/// So often in a row it is tried.
const MOST: u32 = 6;
/// Who ran for so long did not fail to start.
const STEADY: Duration = Duration::from_secs(60);

/// When a server that ended is started again: soon, then later and later, then no more.
#[derive(Debug, Default)]
pub struct Backoff {
    failures: u32,
}

impl Backoff {
    /// How long to wait before the next start of a server that lived for so long; nothing if it is given up.
    pub fn after(&mut self, lived: Duration) -> Option<Duration> {
        if lived >= STEADY {
            self.failures = 0;
        }
        self.failures += 1;
        (self.failures <= MOST).then(|| FIRST * 2_u32.saturating_pow(self.failures - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end() {
        let mut backoff = Backoff::default();
        let pauses: Vec<_> = std::iter::from_fn(|| backoff.after(Duration::ZERO)).collect();
        assert_eq!(pauses.len(), MOST as usize);
        assert!(pauses.is_sorted() && pauses.first() == Some(&FIRST) && pauses.last() == Some(&(FIRST * 32)));
        assert_eq!(backoff.after(STEADY), Some(FIRST));
    }
}
