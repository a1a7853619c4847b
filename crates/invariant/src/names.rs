//! Names cut into words: of tools, of arguments, of resources.

/// The words of a name in lower case, without endings of plurals: `removeLabels` is `remove label`.
pub(crate) fn words(name: &str) -> Vec<String> {
    split(&joined(name)).map(str::to_owned).collect()
}

/// The same with blanks between them. One text instead of many is what makes the facts of a call cheap.
pub(crate) fn joined(name: &str) -> String {
    // Room for blanks where words begin with capitals.
    let mut words = String::with_capacity(name.len() + 8);
    append(name, &mut words);
    words
}

/// The same in a text that is used again and again.
pub(crate) fn rejoined<'t>(name: &str, text: &'t mut String) -> &'t str {
    text.clear();
    append(name, text);
    text
}

/// Puts the words of a name, with blanks between them, behind a text.
pub(crate) fn append(name: &str, text: &mut String) {
    let mut joiner = Joiner { begin: text.len(), text, word: None };
    if name.is_ascii() { joiner.cut_ascii(name.as_bytes()) } else { joiner.cut(name) }
}

/// The words of a text that [`joined`] made.
pub(crate) fn split(joined: &str) -> impl Iterator<Item = &str> {
    let mut rest = joined;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // Words are so short that looking at each letter is the fastest.
        let end = rest.bytes().position(|byte| byte == b' ');
        let (word, behind) = end.and_then(|end| rest.split_at_checked(end)).unwrap_or((rest, ""));
        rest = behind.get(1..).unwrap_or_default();
        Some(word)
    })
}

/// Whether one of the words of a joined text is among these.
pub(crate) fn has(joined: &str, words: &[&str]) -> bool {
    split(joined).any(|word| words.contains(&word))
}

/// Puts words behind a text, with a blank in front of each but the first.
struct Joiner<'t> {
    text: &'t mut String,
    /// Where its first word begins.
    begin: usize,
    /// Where the word begins that is being put together.
    word: Option<usize>,
}

impl Joiner<'_> {
    /// Where nothing but ASCII is in it, as in nearly all names of tools and arguments.
    fn cut_ascii(&mut self, name: &[u8]) {
        let mut before = b' ';
        let mut rest = name;
        while let [letter, behind @ ..] = rest {
            rest = behind;
            let next_is_lower = behind.first().is_some_and(u8::is_ascii_lowercase);
            let breaks = !letter.is_ascii_alphanumeric()
                || (letter.is_ascii_uppercase()
                    && (before.is_ascii_lowercase() || (before.is_ascii_uppercase() && next_is_lower)));
            if breaks {
                self.end_word();
            }
            if letter.is_ascii_alphanumeric() {
                self.begin_word();
                self.text.push(char::from(letter.to_ascii_lowercase()));
            }
            before = *letter;
        }
        self.end_word();
    }

    fn cut(&mut self, name: &str) {
        let mut before: Option<char> = None;
        let mut letters = name.chars().peekable();
        while let Some(letter) = letters.next() {
            let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
            let was = |is: fn(char) -> bool| before.is_some_and(is);
            let breaks = !letter.is_alphanumeric()
                || (letter.is_uppercase()
                    && (was(char::is_lowercase) || (was(char::is_uppercase) && next_is_lower)));
            if breaks {
                self.end_word();
            }
            if letter.is_alphanumeric() {
                self.begin_word();
                self.text.extend(letter.to_lowercase());
            }
            before = Some(letter);
        }
        self.end_word();
    }

    fn begin_word(&mut self) {
        if self.word.is_none() {
            if self.text.len() > self.begin {
                self.text.push(' ');
            }
            self.word = Some(self.text.len());
        }
    }

    fn end_word(&mut self) {
        let Some(word) = self.word.take() else { return };
        let (kept, has_y) = kept(self.text.get(word..).unwrap_or_default());
        self.text.truncate(word + kept);
        if has_y {
            self.text.push('y');
        }
    }
}

/// A word in lower case without the ending of a plural.
pub(crate) fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let (kept, has_y) = kept(word);
    let stem = word.get(..kept).unwrap_or(word);
    if has_y { format!("{stem}y") } else { stem.to_owned() }
}

/// How much of a word is left without the ending of a plural, and whether a `y` stood in its place.
fn kept(word: &str) -> (usize, bool) {
    // Nearly all words are of these.
    if !word.ends_with('s') {
        return (word.len(), false);
    }
    if word.len() > 4 && word.ends_with("ies") {
        return (word.len() - 3, true);
    }
    if ["sses", "shes", "ches", "xes"].iter().any(|ending| word.ends_with(ending)) {
        return (word.len() - 2, false);
    }
    let is_plural = word.len() > 3 && !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is");
    (word.len() - usize::from(is_plural), false)
}

/// A bit for a word, so that most words that are not looked for are told by one look.
pub(crate) fn mark(word: &str) -> u64 {
    let hash = word.bytes().fold(word.len() as u64, |hash, byte| hash.wrapping_mul(31) ^ u64::from(byte));
    1 << (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// The bits of several words.
pub(crate) fn marks<'w>(words: impl IntoIterator<Item = &'w str>) -> u64 {
    words.into_iter().fold(0, |marks, word| marks | mark(word))
}

/// Whether words, joined with blanks, stand in others next to each other.
pub(crate) fn stand_in(joined: &str, wanted: &str) -> bool {
    let begins = |rest: &str| {
        rest.strip_prefix(wanted).is_some_and(|behind| behind.is_empty() || behind.starts_with(' '))
    };
    let behind_blanks = joined.bytes().enumerate().filter(|(_, byte)| *byte == b' ');
    let places = behind_blanks.map(|(place, _)| place + 1);
    !wanted.is_empty()
        && (begins(joined) || places.into_iter().any(|place| joined.get(place..).is_some_and(begins)))
}

/// Whether words, joined with blanks, can be among those of a text at all: the first of them, which may have got its `y`
/// instead of `ies`, begins somewhere in it. Most texts are told by this look.
pub(crate) fn may_have(text: &str, wanted: &str) -> bool {
    let first = split(wanted).next().unwrap_or_default();
    let root = first.strip_suffix('y').unwrap_or(first).as_bytes();
    let Some(letter) = root.first().filter(|_| text.is_ascii()) else { return true };
    text.as_bytes().iter().enumerate().any(|(at, byte)| {
        byte.eq_ignore_ascii_case(letter)
            && text.as_bytes().get(at..at + root.len()).is_some_and(|own| own.eq_ignore_ascii_case(root))
    })
}

/// Whether the words of a text stand in another next to each other.
pub(crate) fn has_words(inside: &[String], wanted: &[String]) -> bool {
    !wanted.is_empty() && inside.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn words_that_stand_in_a_text_may_be_there(
            text in "([a-cA-Csäy_ ./-]|ies|IES|ches|Box){0,8}",
            word in "([a-cA-Csäy _-]|ies|ch|y){1,4}",
        ) {
            let wanted = joined(&word);
            let stands = |words: &str| stand_in(words, &wanted) || words == wanted;
            if text.split(['/', '.']).any(|part| stands(&joined(part))) {
                prop_assert!(may_have(&text, &wanted));
            }
            // A word of the text itself is there for sure.
            for own in split(&joined(&text)) {
                prop_assert!(may_have(&text, own));
            }
        }
    }

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
            let mut words = String::new();
            Joiner { begin: 0, text: &mut words, word: None }.cut(name);
            assert_eq!(joined(name), words, "{name}");
        }
        assert_eq!(words("removeLabels"), ["remove", "label"]);
        assert_eq!(words("überÄnderungen"), ["über", "änderungen"]);
    }

    #[test]
    fn joined_words_are_found_next_to_each_other() {
        assert!(stand_in("pull request merge method", "merge method"));
        assert!(stand_in("merge", "merge"));
        assert!(!stand_in("merge methodical", "merge method"));
        assert!(!stand_in("emerge method", "merge method"));
        assert!(!stand_in("merge", ""));
        assert!(may_have("removeQueries", "query") && may_have("BOXES", "box") && may_have("ä", "box"));
        assert!(!may_have("removeQueries", "box") && may_have("x", "") && !may_have("", "box"));
        assert!(has("from head", &["head"]) && !has("ahead", &["head"]) && !has("", &[""]));
        let mut text = "before".to_owned();
        append("", &mut text);
        append("aB", &mut text);
        assert_eq!(text, "beforea b");
    }
}
