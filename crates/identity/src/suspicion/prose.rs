//! A text as sentences of plain words, so that tricks of writing change nothing.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::hidden::is_unseen;

/// A text, and its sentences.
pub(crate) struct Prose<'t> {
    plain: Cow<'t, str>,
    /// The words of all sentences one behind the other: most texts say nothing, so that little is spent on each.
    letters: String,
    words: Vec<Range<usize>>,
    sentences: Vec<Extent>,
}

/// A sentence.
#[derive(Clone, Copy)]
pub(crate) struct Sentence<'p> {
    prose: &'p Prose<'p>,
    extent: &'p Extent,
    /// Whether it is the first of its text, where the imperative tells what a tool does and not what the reader must do.
    pub(crate) is_first: bool,
}

/// Where a sentence stands in the text, and which words are its.
struct Extent {
    text: Range<usize>,
    words: Range<usize>,
}

impl<'p> Sentence<'p> {
    /// Its words, in lower case and without punctuation around them.
    pub(crate) fn words(self) -> impl Iterator<Item = &'p str> + Clone {
        let words = self.prose.words.get(self.extent.words.clone()).unwrap_or_default();
        words.iter().map(move |word| self.prose.letters.get(word.clone()).unwrap_or_default())
    }

    /// As it was written, with blanks made one.
    pub(crate) fn text(self) -> String {
        let text = self.prose.plain.get(self.extent.text.clone()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// The word that stands for every way to forbid: `do not`, `don't`, `never`, `must not`.
pub(super) const NOT: &str = "NOT";

/// A sentence of more words is cut, since looking for patterns in it would take long.
const LONGEST_SENTENCE: usize = 200;

/// Words that mean one thing together.
const PAIRS: [(&[&str], &[&str], &str); 10] = [
    (&["system", "developer", "hidden"], &["prompt", "prompts", "message"], "system_prompt"),
    (
        &["conversation", "chat", "message", "dialogue"],
        &["history", "log", "transcript", "context"],
        "conversation_history",
    ),
    (
        &["previous", "prior", "earlier", "past"],
        &["messages", "conversation", "conversations"],
        "conversation_history",
    ),
    (
        &["entire", "full", "whole", "complete", "this", "our", "current"],
        &["conversation", "chat", "transcript"],
        "conversation_history",
    ),
    (&["entire", "whole", "this", "our"], &["dialogue", "discussion", "exchange"], "conversation_history"),
    (&["private", "ssh", "signing", "encryption"], &["key", "keys"], "private_key"),
    (&["seed", "recovery"], &["phrase", "phrases"], "private_key"),
    (&["api", "access", "session"], &["key", "keys", "token", "tokens"], "api_key"),
    (&["environment", "env"], &["variable", "variables", "vars", "var"], "env_vars"),
    (&["third"], &["party", "parties"], "third-party"),
];

impl<'t> Prose<'t> {
    /// Finds the sentences of a text. A line that ends is no end of a sentence; an empty line is, and so is a bullet.
    pub(crate) fn of(text: &'t str) -> Prose<'t> {
        let mut prose =
            Prose { plain: plain(text), letters: String::new(), words: Vec::new(), sentences: Vec::new() };
        let plain = std::mem::take(&mut prose.plain);
        let mut open = Open::default();
        let mut line_start = 0;
        for line in plain.split_inclusive('\n') {
            let trimmed = line.trim();
            if trimmed.is_empty() || is_bullet(trimmed) {
                prose.end(&mut open);
            }
            let end_of_line = line_start + line.trim_end().len();
            let mut rest = trimmed;
            while !rest.is_empty() {
                let start = end_of_line - rest.len();
                let (word, behind) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
                rest = behind.trim_start();
                open.add(start..start + word.len());
                prose.push(word, &open);
                if ends_sentence(word, rest.is_empty()) || open.count >= LONGEST_SENTENCE {
                    prose.end(&mut open);
                }
            }
            line_start += line.len();
        }
        prose.end(&mut open);
        prose.plain = plain;
        prose
    }

    /// Its sentences, in order.
    pub(crate) fn sentences(&'t self) -> impl Iterator<Item = Sentence<'t>> {
        let number = self.sentences.iter().enumerate();
        number.map(|(number, extent)| Sentence { prose: self, extent, is_first: number == 0 })
    }

    fn end(&mut self, open: &mut Open) {
        let words = open.first_word..self.words.len();
        if let Some(text) = open.text.take()
            && !words.is_empty()
        {
            self.sentences.push(Extent { text, words });
        }
        *open = Open { first_word: self.words.len(), ..Open::default() };
    }

    /// Takes up a word, unless it is nothing but punctuation.
    fn push(&mut self, word: &str, open: &Open) {
        let start = self.letters.len();
        match word.is_ascii() {
            true => {
                let word = without_ends(word.trim_matches(is_around));
                self.letters.push_str(word);
                if let Some(letters) = self.letters.get_mut(start..) {
                    letters.make_ascii_lowercase();
                }
            }
            false => {
                let word = word.replace(['’', '‘'], "'").to_lowercase();
                self.letters.push_str(without_ends(&latin(word.trim_matches(is_around))));
            }
        }
        if self.letters.len() > start {
            self.words.push(start..self.letters.len());
            self.forbid(open.first_word);
            self.join(open.first_word);
        }
    }

    /// The last word of the sentence that begins at a word, and the one before it.
    fn last_two(&self, first: usize) -> (&str, &str) {
        let word = |back: usize| {
            let at = self.words.len().checked_sub(back).filter(|at| *at >= first);
            at.and_then(|at| self.letters.get(self.words.get(at)?.clone())).unwrap_or_default()
        };
        (word(2), word(1))
    }

    /// Every way to forbid becomes one word.
    fn forbid(&mut self, first: usize) {
        match self.last_two(first) {
            (_, "don't" | "dont" | "never" | "mustn't" | "shouldn't") => self.replace(1, NOT),
            ("do" | "must" | "should" | "shall", "not") => self.replace(2, NOT),
            // `Under no circumstances`, `on no account`, `at no time`.
            ("no", "circumstances" | "account" | "time" | "case") => self.replace(2, NOT),
            _ => {}
        }
    }

    fn join(&mut self, first: usize) {
        let (before, last) = self.last_two(first);
        let (Some(left), Some(right)) = (JOINABLE.left.get(before), JOINABLE.right.get(last)) else { return };
        let both = left & right;
        let pair = PAIRS.iter().enumerate().find(|(number, _)| both >> number & 1 == 1);
        if let Some((_, (_, _, together))) = pair {
            self.replace(2, together);
        }
    }

    /// One word in place of the last ones.
    fn replace(&mut self, count: usize, word: &str) {
        self.words.truncate(self.words.len().saturating_sub(count));
        let start = self.letters.len();
        self.letters.push_str(word);
        self.words.push(start..self.letters.len());
    }
}

/// The sentence that has not ended yet.
#[derive(Default)]
struct Open {
    text: Option<Range<usize>>,
    first_word: usize,
    /// How many words were written, whatever became of them.
    count: usize,
}

impl Open {
    fn add(&mut self, word: Range<usize>) {
        self.count += 1;
        let start = self.text.as_ref().map_or(word.start, |text| text.start);
        self.text = Some(start..word.end);
    }
}

/// Which words can be the first and the second of a pair, and of which pairs.
struct Joinable {
    left: HashMap<&'static str, u16>,
    right: HashMap<&'static str, u16>,
}

static JOINABLE: LazyLock<Joinable> = LazyLock::new(|| {
    let mut joinable = Joinable { left: HashMap::new(), right: HashMap::new() };
    for (number, (left, right, _)) in PAIRS.iter().enumerate() {
        left.iter().for_each(|word| *joinable.left.entry(word).or_default() |= 1 << number);
        right.iter().for_each(|word| *joinable.right.entry(word).or_default() |= 1 << number);
    }
    joinable
});

/// A text without what is not seen, in the form that people mean.
fn plain(text: &str) -> Cow<'_, str> {
    let is_seen = |letter: char| letter.is_whitespace() || !is_unseen(letter);
    match text.is_ascii() && text.bytes().all(|byte| is_seen(char::from(byte))) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.chars().filter(|letter| is_seen(*letter)).nfkc().collect()),
    }
}

fn ends_sentence(word: &str, is_last_of_line: bool) -> bool {
    let bare = word.trim_end_matches(['"', '\'', '`', ')', '*', '_', '”', '’']);
    // `Args:` on a line of its own is a heading, `bcc: somebody` is not.
    let is_heading = is_last_of_line && bare.ends_with(':');
    is_heading || bare.ends_with(['.', '!', '?', ';']) && !is_abbreviation(bare)
}

fn without_ends(word: &str) -> &str {
    word.trim_end_matches(['.', ',', ':', ';', '!', '?'])
}

fn is_bullet(line: &str) -> bool {
    let numbered = line.split_once(['.', ')']).is_some_and(|(number, _)| number.parse::<u8>().is_ok());
    numbered || line.starts_with(['-', '*', '•', '#'])
}

fn is_abbreviation(word: &str) -> bool {
    let lower = word.trim_start_matches(['(', '"', '\'', '`']).to_lowercase();
    matches!(lower.as_str(), "e.g." | "i.e." | "etc." | "vs." | "cf." | "approx.")
}

/// What stands around words and not in them. A slash, a tilde, a dot in front and an underscore belong to names.
fn is_around(letter: char) -> bool {
    matches!(
        letter,
        '"' | '\''
            | '`'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '<'
            | '>'
            | '*'
            | ','
            | ';'
            | ':'
            | '!'
            | '?'
            | '“'
            | '”'
            | '—'
            | '–'
            | '-'
            | '='
            | '|'
    )
}

/// A word whose letters only look Latin, as what it looks like.
fn latin(word: &str) -> String {
    match word.is_ascii() || !word.chars().any(|letter| letter.is_ascii_alphabetic()) {
        true => word.to_owned(),
        false => unicode_security::skeleton(word).collect::<String>().to_lowercase(),
    }
}
