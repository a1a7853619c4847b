//! Keys that some receivers take for another key.
//!
//! Go's `encoding/json` and others match names without regard to case, the last one winning. So `{"name": "read",
//! "Name": "delete"}` is one tool here and another there, though no key is in it twice.

/// Which of the names a receiver without regard to case would take this key for, if it is not that name itself.
pub(crate) fn among(key: &str, names: &[&'static str]) -> Option<&'static str> {
    names.iter().copied().find(|name| key != *name && folds_to(key, name))
}

/// Whether a key is a name of ASCII letters when case is left out of account.
fn folds_to(key: &str, name: &str) -> bool {
    match key.is_ascii() {
        true => key.eq_ignore_ascii_case(name),
        false => key.chars().map(fold).eq(name.chars().map(fold)),
    }
}

fn fold(letter: char) -> char {
    match letter {
        // The only two letters outside of ASCII that fold into it.
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        _ => letter.to_ascii_lowercase(),
    }
}
