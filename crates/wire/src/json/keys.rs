//! Whether an object has a key twice, in time that no choice of keys makes quadratic.

use smallvec::SmallVec;

use super::Slot;
use super::string::unescape_into;

/// Up to so many keys are compared each with each.
const FEW: usize = 12;

/// A key of the object at hand.
#[derive(Clone, Copy)]
struct Key {
    /// Equal for equal keys, and seldom for others.
    print: u64,
    slot: u32,
    /// Where its text stands: in the document, or among the unescaped ones.
    start: usize,
    end: usize,
    escaped: bool,
}

/// The keys of one object; kept from object to object, so that few allocations are made.
#[derive(Default)]
pub(super) struct Keys {
    keys: SmallVec<[Key; FEW]>,
    unescaped: String,
}

impl Keys {
    /// Forgets the keys of the object before.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.unescaped.clear();
    }

    /// Adds the key in a slot of the tape.
    pub(super) fn add(&mut self, text: &str, index: u32, slot: Slot) {
        // Without its quotes.
        let (start, end) = (slot.start as usize + 1, slot.end as usize - 1);
        let raw = text.get(start..end).unwrap_or_default();
        let key = match slot.escaped {
            false => Key { print: print(raw.as_bytes()), slot: index, start, end, escaped: false },
            true => {
                let start = self.unescaped.len();
                unescape_into(raw, &mut self.unescaped);
                let end = self.unescaped.len();
                let text = self.unescaped.get(start..).unwrap_or_default();
                Key { print: print(text.as_bytes()), slot: index, start, end, escaped: true }
            }
        };
        self.keys.push(key);
    }

    /// The slot of the first key that is there before, and what it says.
    pub(super) fn duplicate<'k>(&'k mut self, text: &'k str) -> Option<(u32, &'k str)> {
        let Keys { keys, unescaped } = self;
        let says = |key: &Key| {
            let source = if key.escaped { unescaped.as_str() } else { text };
            source.get(key.start..key.end).unwrap_or_default()
        };
        let again = match keys.len() {
            0 | 1 => None,
            2..=FEW => keys.iter().enumerate().find(|(index, key)| {
                let before = keys.iter().take(*index);
                before.into_iter().any(|other| other.print == key.print && says(other) == says(key))
            }),
            _ => {
                // Where prints collide the texts decide, so that nobody gains by making them collide.
                keys.sort_unstable_by(|one, other| {
                    let by_text = || says(one).cmp(says(other)).then(one.slot.cmp(&other.slot));
                    one.print.cmp(&other.print).then_with(by_text)
                });
                let twice =
                    |pair: &(&Key, &Key)| pair.0.print == pair.1.print && says(pair.0) == says(pair.1);
                let again = keys.iter().zip(keys.iter().skip(1)).filter(twice).map(|(_, again)| again);
                again.min_by_key(|again| again.slot).map(|again| (0, again))
            }
        };
        again.map(|(_, key)| (key.slot, says(key)))
    }
}

/// Its length, its first and its last letters, mixed.
fn print(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let (first, last) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => (bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
    };
    (first.wrapping_mul(FACTOR) ^ last.rotate_left(23)).wrapping_mul(FACTOR) ^ bytes.len() as u64
}
