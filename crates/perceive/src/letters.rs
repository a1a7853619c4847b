//! Characters that deceive a reader. They are pointed out, never replaced: a name with a look-alike in it is another
//! name.

/// Whether a reader cannot see the character, or it moves what they see: control, zero-width, bidirectional marks.
pub(crate) fn hides(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// The character of path syntax that this one looks like.
pub(crate) fn looks_like_syntax(letter: char) -> Option<char> {
    match letter {
        '\u{2044}' | '\u{2215}' | '\u{29f8}' | '\u{ff0f}' | '\u{2571}' | '\u{1735}' => Some('/'),
        '\u{2216}' | '\u{29f5}' | '\u{29f9}' | '\u{fe68}' | '\u{ff3c}' | '\u{2572}' => Some('\\'),
        '\u{2024}' | '\u{ff0e}' | '\u{fe52}' | '\u{2025}' | '\u{2026}' => Some('.'),
        '\u{2236}' | '\u{a789}' | '\u{ff1a}' | '\u{fe55}' => Some(':'),
        '\u{223c}' | '\u{02dc}' | '\u{ff5e}' => Some('~'),
        _ => None,
    }
}
