//! Words in names: `get_file`, `get-file`, `getFile` and `GetFILE` are the same two.

/// The words of a name, in lower case. Digits go with the letters before them.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let letters: Vec<char> = name.chars().collect();
    let mut previous: Option<char> = None;
    for (index, &letter) in letters.iter().enumerate() {
        let next = letters.get(index + 1).copied();
        let begins = match previous {
            None => true,
            Some(previous) if !previous.is_alphanumeric() => true,
            // `getFile`, and the last capital of `XMLFile`.
            Some(previous) => {
                letter.is_uppercase()
                    && (previous.is_lowercase()
                        || previous.is_numeric()
                        || next.is_some_and(char::is_lowercase) && previous.is_uppercase())
            }
        };
        if letter.is_alphanumeric() {
            match words.last_mut() {
                Some(word) if !begins => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        previous = Some(letter);
    }
    words
}

/// What `Creates`, `creating` and `Created` may be forms of: the word itself and its likely stems.
pub(super) fn stems(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let mut stems = vec![word.clone()];
    let mut add = |ending: &str, instead: &str| {
        if let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) {
            stems.push(format!("{stem}{instead}"));
        }
    };
    add("ies", "y");
    add("es", "");
    add("es", "e");
    add("s", "");
    stems
}

/// A noun without the `s` of several.
pub(super) fn singular(word: &str) -> &str {
    match word {
        word if word.ends_with("ss") || word.ends_with("us") || word.len() < 4 => word,
        word => word.strip_suffix('s').unwrap_or(word),
    }
}
