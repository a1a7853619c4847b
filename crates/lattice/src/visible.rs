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

/// Characters that a reader cannot see or that move what they see: control characters, marks of direction, those
/// that Unicode lets a display ignore, and blanks that are no white space.
pub(crate) fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}
