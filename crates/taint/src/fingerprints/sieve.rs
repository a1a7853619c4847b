//! Which positions of a text are worth a real hash: a table of bits, set by a cheap hash of what is remembered. It is
//! kept in memory alone, for it tells more about the text than the real hashes do.

use super::Key;

const BITS: u32 = 21;
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

#[derive(Clone)]
pub(super) struct Sieve {
    salt: u64,
    words: Vec<u64>,
    /// Lets everything through: what was restored from hashes has no beginnings.
    is_open: bool,
}

impl Sieve {
    pub(super) fn new(key: Key) -> Sieve {
        let salt = key.0.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        Sieve { salt, words: Vec::new(), is_open: false }
    }

    pub(super) fn open(key: Key) -> Sieve {
        Sieve { is_open: true, ..Sieve::new(key) }
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        if self.words.is_empty() {
            self.words = vec![0; 1 << (BITS - 6)];
        }
        if let Some((word, bit)) = self.place(bytes)
            && let Some(word) = self.words.get_mut(word)
        {
            *word |= bit;
        }
    }

    /// Whether these bytes may be remembered: as many as were added, a multiple of eight.
    pub(super) fn passes(&self, bytes: &[u8]) -> bool {
        if self.is_open {
            return true;
        }
        let found = self.place(bytes).and_then(|(word, bit)| Some(self.words.get(word)? & bit != 0));
        found.unwrap_or(false)
    }

    fn place(&self, bytes: &[u8]) -> Option<(usize, u64)> {
        let (words, _) = bytes.as_chunks::<8>();
        let mix =
            |hash: u64, word: &[u8; 8]| (hash.rotate_left(23) ^ u64::from_le_bytes(*word)).wrapping_mul(ODD);
        let hash = words.iter().fold(self.salt, mix) >> (64 - BITS);
        Some((usize::try_from(hash >> 6).ok()?, 1 << (hash & 63)))
    }
}
