//! Texts without white space, so that folding, wrapping and indenting change nothing.

use std::ops::Range;

/// A text without white space, and where each of its bytes stood.
pub(super) struct Normal {
    pub(super) bytes: Vec<u8>,
    offsets: Vec<u32>,
    characters: Vec<u32>,
}

impl Normal {
    pub(super) fn of(text: &str) -> Normal {
        let room = text.len();
        let mut normal = Normal {
            bytes: Vec::with_capacity(room),
            offsets: Vec::with_capacity(room),
            characters: Vec::with_capacity(room),
        };
        let letters = text.char_indices().filter(|(_, letter)| !is_nothing(*letter));
        for ((at, letter), count) in letters.zip(0..) {
            for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                normal.bytes.push(byte);
                // Texts are far shorter than this; a position that is not is shown as the last one that fits.
                normal.offsets.push(u32::try_from(at).unwrap_or(u32::MAX));
                normal.characters.push(count);
            }
        }
        normal
    }

    /// The number of the character that a byte belongs to.
    pub(super) fn character(&self, byte: usize) -> u32 {
        self.characters.get(byte).or(self.characters.last()).copied().unwrap_or(0)
    }

    /// Whether a character begins with this byte.
    pub(super) fn begins_character(&self, byte: usize) -> bool {
        byte == 0 || self.character(byte) != self.character(byte - 1)
    }

    /// How many characters a range of bytes touches.
    pub(super) fn count(&self, range: &Range<usize>) -> u32 {
        match range.is_empty() {
            true => 0,
            false => self.character(range.end - 1) + 1 - self.character(range.start),
        }
    }

    /// A range of the text, as a range of this.
    pub(super) fn range(&self, range: &Range<usize>) -> Range<usize> {
        let at = |offset: usize| self.offsets.partition_point(|kept| (*kept as usize) < offset);
        at(range.start)..at(range.end)
    }

    /// A range of this, as a range of whole characters of the text.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let offset = |byte: usize| self.offsets.get(byte).map_or(0, |at| *at as usize);
        let Some(last) = range.end.checked_sub(1) else { return 0..0 };
        let number = self.character(last);
        let is_of_last = |byte: &usize| self.characters.get(*byte) == Some(&number);
        let length =
            (0..=last).rev().take_while(is_of_last).count() + (last + 1..).take_while(is_of_last).count();
        offset(range.start)..offset(last) + length
    }
}

/// White space, and characters that are not seen.
fn is_nothing(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}
