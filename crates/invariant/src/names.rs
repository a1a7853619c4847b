//! Names cut into words: of tools, of arguments, of resources.

/// The words of a name in lower case, without endings of plurals: `removeLabels` is `remove label`.
pub(crate) fn words(name: &str) -> Vec<String> {
    if name.is_ascii() { ascii_words(name.as_bytes()) } else { any_words(name) }
}

/// The same where nothing but ASCII is in it, as in nearly all names of tools and arguments.
fn ascii_words(name: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before = b' ';
    let mut rest = name;
    while let [letter, behind @ ..] = rest {
        rest = behind;
        let next_is_lower = behind.first().is_some_and(u8::is_ascii_lowercase);
        let breaks = !letter.is_ascii_alphanumeric()
            || (letter.is_ascii_uppercase()
                && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && next_is_lower)));
        if breaks && !word.is_empty() {
            words.push(stem(&word));
            word.clear();
        }
        if letter.is_ascii_alphanumeric() {
            word.push(char::from(letter.to_ascii_lowercase()));
        }
        before = *letter;
    }
    if !word.is_empty() {
        words.push(stem(&word));
    }
    words
}

fn any_words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        let breaks = !letter.is_alphanumeric()
            || (letter.is_uppercase()
                && before
                    .is_some_and(|before| before.is_lowercase() || (before.is_uppercase() && next_is_lower)));
        if breaks && !word.is_empty() {
            words.push(stem(&word));
            word.clear();
        }
        if letter.is_alphanumeric() {
            word.extend(letter.to_lowercase());
        }
        before = Some(letter);
    }
    if !word.is_empty() {
        words.push(stem(&word));
    }
    words
}

/// A word in lower case without the ending of a plural.
pub(crate) fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    if word.len() > 4
        && let Some(stem) = word.strip_suffix("ies")
    {
        return format!("{stem}y");
    }
    for ending in ["sses", "shes", "ches", "xes"] {
        if word.ends_with(ending) {
            return word.get(..word.len() - 2).unwrap_or(word).to_owned();
        }
    }
    let is_plural = word.len() > 3
        && word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is");
    let length = if is_plural { word.len() - 1 } else { word.len() };
    word.get(..length).unwrap_or(word).to_owned()
}

/// Whether the words of a text stand in another next to each other.
pub(crate) fn has_words(inside: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && inside.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_ascii_are_cut_like_all_others() {
        let names = [
            "",
            "_",
            "removeLabelIds",
            "HTTPServer2Go",
            "XMLHttpRequests",
            "a.b/c d",
            "IDs",
            "myID",
            "A",
            "aB",
            "ABc",
            "v2Beta1_final--x",
            "queries",
            "boxes",
            "9Lives",
            "snake_case_names",
            "kebab-case",
            "__init__",
            "ABCd3EF",
        ];
        for name in names {
            assert_eq!(ascii_words(name.as_bytes()), any_words(name), "{name}");
        }
        assert_eq!(words("removeLabels"), ["remove", "label"]);
        assert_eq!(words("überÄnderungen"), ["über", "änderungen"]);
    }
}
