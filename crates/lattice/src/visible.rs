//! Text that others wrote, shown so that it cannot move or hide what stands around it.

use alloc::string::String;
use core::fmt::Write;

/// A text with everything invisible made visible.
pub fn shown(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut shown, letter| {
        match hides(letter) {
            // Writing to a string cannot fail.
            true => drop(write!(shown, "\\u{{{:x}}}", letter as u32)),
            false => shown.push(letter),
        }
        shown
    })
}

/// Characters that a reader cannot see or that move what they see: control, zero-width, bidirectional marks.
pub(crate) fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
