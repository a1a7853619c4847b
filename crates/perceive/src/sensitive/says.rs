//! Whether the name of a file says that it holds a secret.

use serde::Deserialize;

/// The words by which names are judged; all in lower case.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// What a file may hold: `token`, `passwords`.
    secrets: Vec<String>,
    /// What may stand after such a word without changing what the file is: `prod`, `backup`.
    neutral: Vec<String>,
    /// What makes it something else when it stands before: `design` tokens, a password `reset`.
    harmless: Vec<String>,
    /// Endings of files that hold data; a file without ending may too.
    data: Vec<String>,
    /// Endings of documents, which hold secrets only where no documentation is.
    documents: Vec<String>,
    /// Folders of documentation.
    manuals: Vec<String>,
}

impl Words {
    /// Whether the last segment of the path says so.
    pub(super) fn say(&self, path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let (stem, ending) = match file.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() => (stem, ending.to_lowercase()),
            _ => (file, String::new()),
        };
        let is_manual = folders.split('/').any(|folder| contains(&self.manuals, &folder.to_lowercase()));
        let may_hold = match ending.as_str() {
            "" => true,
            ending if contains(&self.documents, ending) => !is_manual,
            // `credentials.prod`: what looks like an ending may be a word.
            ending => contains(&self.data, ending) || contains(&self.neutral, ending),
        };
        may_hold && self.is_about_a_secret(&words(stem))
    }

    /// `publish token`, `credentials prod`, but neither `token parser` nor `design tokens`.
    fn is_about_a_secret(&self, words: &[String]) -> bool {
        let Some(at) = words.iter().rposition(|word| contains(&self.secrets, word)) else { return false };
        let (before, after) = words.split_at(at);
        let is_plain =
            |word: &String| contains(&self.neutral, word) || word.bytes().all(|byte| byte.is_ascii_digit());
        let after_is_plain = after.iter().skip(1).all(is_plain);
        after_is_plain && !before.iter().any(|word| contains(&self.harmless, word))
    }
}

fn contains(list: &[String], word: &str) -> bool {
    list.iter().any(|one| one == word)
}

/// The words of a name in lower case, parted by signs and by capitals.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let begins = letter.is_uppercase() && was_lower;
        if !letter.is_alphanumeric() || begins {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
    }
    words.retain(|word| !word.is_empty());
    // `api key` and `private key` are one word each; a `key` alone may be a column, a musical one, or a keyboard's.
    let pairs =
        [("api", "key"), ("private", "key"), ("access", "key"), ("secret", "key"), ("recovery", "code")];
    let mut joined: Vec<String> = Vec::with_capacity(words.len());
    for word in words {
        let singular = word.strip_suffix('s').unwrap_or(&word).to_string();
        match joined.last_mut() {
            Some(last)
                if pairs.iter().any(|(one, two)| last == one && (*two == word || *two == singular)) =>
            {
                last.push_str(&singular);
            }
            _ => joined.push(word),
        }
    }
    joined
}
