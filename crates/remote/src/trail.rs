//! How far a stream of events got, and when to go on with it after it broke.

use std::time::Duration;

use portcullis_wire::sse::Event;
use reqwest::header::HeaderValue;

/// The longest id of an event that is sent back.
const LONGEST_ID: usize = 1024;
/// The longest pause between two tries, whatever a server asks for.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// How far a stream got.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    /// The last event that had an id which can be sent back.
    last: Option<HeaderValue>,
    /// How long the server wants us to wait.
    asked: Option<Duration>,
    /// Tries in a row that brought nothing.
    vain: u32,
}

impl Trail {
    /// An event came.
    pub(crate) fn saw(&mut self, event: &Event) {
        self.vain = 0;
        if let Some(retry) = event.retry {
            self.asked = Some(Duration::from_millis(retry));
        }
        if let Some(id) = &event.id {
            // An empty id says that there is nothing to go on from.
            let is_usable = !id.is_empty() && id.len() <= LONGEST_ID;
            self.last = is_usable.then(|| HeaderValue::from_bytes(id.as_bytes()).ok()).flatten();
        }
    }

    /// The stream was there for a while, even if it said nothing.
    pub(crate) fn lasted(&mut self) {
        self.vain = 0;
    }

    /// From where to go on.
    pub(crate) fn last(&self) -> Option<&HeaderValue> {
        self.last.as_ref()
    }

    /// How long to wait before the next try, or nothing if there were enough.
    pub(crate) fn wait(&mut self, tries: u32, first: Duration, random: u64) -> Option<Duration> {
        if self.vain >= tries {
            return None;
        }
        let pause = pause(self.vain, first, random);
        self.vain += 1;
        Some(pause.max(self.asked.unwrap_or_default()).min(LONGEST_PAUSE))
    }
}

/// A pause that doubles with each try, of which chance takes up to a half, so that not all come back at once.
fn pause(vain: u32, first: Duration, random: u64) -> Duration {
    let longest = first.saturating_mul(1 << vain.min(16)).min(LONGEST_PAUSE);
    let share = u32::try_from(random % 1025).unwrap_or_default();
    longest / 2 + (longest / 2048) * share
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn event(id: Option<&str>, retry: Option<u64>) -> Event {
        Event { id: id.map(str::to_owned), retry, ..Event::default() }
    }

    #[test]
    fn tries_are_counted_until_something_comes() {
        let mut trail = Trail::default();
        let wait = |trail: &mut Trail| trail.wait(2, Duration::from_millis(8), 0);
        assert_eq!(wait(&mut trail), Some(Duration::from_millis(4)));
        assert_eq!(wait(&mut trail), Some(Duration::from_millis(8)));
        assert_eq!(wait(&mut trail), None);
        trail.saw(&event(Some("1"), None));
        assert_eq!(wait(&mut trail), Some(Duration::from_millis(4)));
    }

    #[test]
    fn a_server_may_ask_for_a_longer_pause_but_not_for_any() {
        let mut trail = Trail::default();
        trail.saw(&event(None, Some(900)));
        assert_eq!(trail.wait(9, Duration::from_millis(8), 0), Some(Duration::from_millis(900)));
        trail.saw(&event(None, Some(u64::MAX)));
        assert_eq!(trail.wait(9, Duration::from_millis(8), 0), Some(LONGEST_PAUSE));
    }

    #[test]
    fn only_ids_that_can_be_sent_back_are_kept() {
        let mut trail = Trail::default();
        trail.saw(&event(Some("a-1"), None));
        trail.saw(&event(None, None));
        assert_eq!(trail.last().unwrap(), "a-1");
        for unusable in ["", "a\u{1}b", &"x".repeat(LONGEST_ID + 1)] {
            trail.saw(&event(Some("a-1"), None));
            trail.saw(&event(Some(unusable), None));
            assert_eq!(trail.last(), None, "{unusable}");
        }
    }

    proptest! {
        #[test]
        fn a_pause_is_within_its_half_and_never_too_long(
            vain in 0u32..100, first in 0u64..1_000_000, random: u64,
        ) {
            let first = Duration::from_millis(first);
            let whole = first.saturating_mul(1 << vain.min(16)).min(LONGEST_PAUSE);
            let pause = pause(vain, first, random);
            prop_assert!(pause >= whole / 2 && pause <= whole);
        }
    }
}
