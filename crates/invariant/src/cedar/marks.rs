//! Texts with a mark wherever a word begins or ends, so that `like` finds whole words.

use super::condition::literal;

/// The mark.
pub(super) const MARK: char = '\u{2027}';
/// What stands in a marked text for a mark that was in it before.
const OTHER: char = '\u{fffd}';

/// A text with its marks.
pub(super) fn marked(text: &str, is_letter: impl Fn(char) -> bool) -> String {
    let mut marked = String::with_capacity(text.len() + text.len() / 2);
    let mut was_letter = false;
    for letter in text.chars() {
        let letter = if letter == MARK { OTHER } else { letter };
        let is = is_letter(letter);
        if is != was_letter {
            marked.push(MARK);
        }
        marked.push(letter);
        was_letter = is;
    }
    if was_letter {
        marked.push(MARK);
    }
    marked
}

/// A piece of a marked text as a pattern, with the marks inside of it; none where it has signs that marks stand for.
pub(super) fn inside(piece: &str, is_letter: impl Fn(char) -> bool) -> Option<String> {
    if piece.contains([MARK, OTHER]) {
        return None;
    }
    let mut pattern = String::new();
    let mut before: Option<bool> = None;
    for letter in piece.chars() {
        let is = is_letter(letter);
        if before.is_some_and(|before| before != is) {
            pattern.push(MARK);
        }
        pattern.push_str(&literal(letter.encode_utf8(&mut [0; 4])));
        before = Some(is);
    }
    Some(pattern)
}

/// Whether a letter stands in a marked text as it is.
pub(super) fn is_told(letter: char) -> bool {
    !matches!(letter, MARK | OTHER)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_between_marks() {
        let is_letter = |letter: char| letter.is_alphanumeric();
        assert_eq!(marked("a b-c!", is_letter), "‧a‧ ‧b‧-‧c‧!");
        assert_eq!(marked("‧", is_letter), "\u{fffd}");
        assert_eq!(inside("b*c", is_letter).as_deref(), Some("b‧\\*‧c"));
        assert_eq!(inside("b‧c", is_letter), None);
    }
}
