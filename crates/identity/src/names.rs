//! Whether a tool's name passes for that of another server's tool.
//!
//! Servers are written by people who do not know of each other, and hosts show which server a tool is of. So that two of
//! them have a `search` or a `create_issue` means nothing, and is told in passing. What counts is a name that *looks* like
//! another without being it, and the very name of another server's tool if it is a distinctive one: one with a word that
//! is not in the vocabulary of tools, such as that of a brand. Tools of the same server at another place, or of a second
//! instance of it, are no neighbours.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use unicode_security::MixedScript;

use crate::difference::{distance, name_words};
use crate::server::ServerIdentity;
use crate::suspicion::{Weight, is_unseen, visible};

/// How a name is like another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resemblance {
    /// It is the same.
    Same,
    /// It is the same but for separators and case: `read-file`, `readFile`, `read_file`.
    Written,
    /// It looks the same and is not.
    Confusable,
    /// A word of it is a letter or two from one of the other's.
    Misspelt,
}

/// A tool of another server with a name like this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbour {
    /// What the user calls the other server.
    pub seat: String,
    /// The other tool.
    pub name: String,
    /// In what way they are alike.
    pub resemblance: Resemblance,
    /// How much that means.
    pub weight: Weight,
}

impl fmt::Display for Neighbour {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.resemblance {
            Resemblance::Same => "has the same name as",
            Resemblance::Written => "has the same name, written in another way, as",
            Resemblance::Confusable => "looks like",
            Resemblance::Misspelt => "is nearly spelt like",
        };
        write!(formatter, "{how} `{}` of the server `{}`", visible(&self.name), visible(&self.seat))
    }
}

/// What is odd about a name by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Oddity {
    /// Characters that are not seen.
    #[error("the name has characters that are not seen")]
    Unseen,
    /// Letters of several scripts.
    #[error("the name has letters of several scripts")]
    MixedScripts,
    /// Something else than letters, digits and `_-./`.
    #[error("the name has characters that the protocol advises against")]
    Unusual,
}

impl Oddity {
    /// How much it means.
    pub fn weight(self) -> Weight {
        match self {
            Oddity::Unseen | Oddity::MixedScripts => Weight::Dangerous,
            Oddity::Unusual => Weight::Glance,
        }
    }
}

/// What is odd about a name, if anything.
pub fn oddity(name: &str) -> Option<Oddity> {
    let is_usual = |letter: char| letter.is_ascii_alphanumeric() || "_-./".contains(letter);
    match name {
        _ if name.chars().all(is_usual) => None,
        _ if name.chars().any(is_unseen) => Some(Oddity::Unseen),
        _ if !name.is_single_script() => Some(Oddity::MixedScripts),
        _ => Some(Oddity::Unusual),
    }
}

/// The tools of all servers that are known, ready to be looked at for likeness.
#[derive(Debug, Clone, Default)]
pub struct Neighbourhood {
    tools: Vec<Known>,
    by_looks: BTreeMap<String, Vec<usize>>,
    /// By a word left out, so that names with one word that differs meet.
    by_rest: BTreeMap<(usize, Vec<String>), Vec<usize>>,
}

#[derive(Debug, Clone)]
struct Known {
    seat: String,
    server: ServerIdentity,
    name: String,
    words: Vec<String>,
}

impl Neighbourhood {
    /// Adds a tool of a server.
    pub fn add(&mut self, seat: &str, server: &ServerIdentity, name: &str) {
        let (index, words) = (self.tools.len(), name_words(name));
        self.by_looks.entry(looks(name)).or_default().push(index);
        for left_out in 0..words.len() {
            self.by_rest.entry(without(&words, left_out)).or_default().push(index);
        }
        let (seat, server, name) = (seat.to_owned(), server.clone(), name.to_owned());
        self.tools.push(Known { seat, server, name, words });
    }

    /// The names of tools of other servers than this one.
    pub fn others(&self, seat: &str, server: &ServerIdentity) -> BTreeSet<String> {
        let others = self.tools.iter().filter(|known| known.is_of_another(seat, server));
        others.map(|known| known.name.clone()).collect()
    }

    /// Tools of other servers with a name like this one; the most telling first.
    pub fn like(&self, seat: &str, server: &ServerIdentity, name: &str) -> Vec<Neighbour> {
        let words = name_words(name);
        let near = (0..words.len()).filter_map(|left_out| self.by_rest.get(&without(&words, left_out)));
        let places: BTreeSet<usize> =
            self.by_looks.get(&looks(name)).into_iter().chain(near).flatten().copied().collect();
        let known = places.iter().filter_map(|place| self.tools.get(*place));
        let others = known.filter(|known| known.is_of_another(seat, server));
        let mut neighbours: Vec<Neighbour> = others
            .filter_map(|known| {
                let (resemblance, weight) = resemblance(name, &words, known)?;
                Some(Neighbour { seat: known.seat.clone(), name: known.name.clone(), resemblance, weight })
            })
            .collect();
        neighbours.sort_by_key(|neighbour| (std::cmp::Reverse(neighbour.weight), neighbour.resemblance));
        neighbours
    }
}

impl Known {
    fn is_of_another(&self, seat: &str, server: &ServerIdentity) -> bool {
        self.seat != seat && self.server.compare(server).is_another()
    }
}

fn resemblance(name: &str, words: &[String], known: &Known) -> Option<(Resemblance, Weight)> {
    let of_distinctive = if is_distinctive(words) { Weight::Dangerous } else { Weight::Glance };
    if name == known.name {
        return Some((Resemblance::Same, of_distinctive));
    }
    if folded(name) == folded(&known.name) {
        return Some((Resemblance::Written, of_distinctive));
    }
    if looks(name) == looks(&known.name) {
        return Some((Resemblance::Confusable, Weight::Dangerous));
    }
    let mut differing = words.iter().zip(&known.words).filter(|(one, other)| one != other);
    let (Some((one, other)), None, true) =
        (differing.next(), differing.next(), words.len() == known.words.len())
    else {
        return None;
    };
    misspelt(one, other).map(|weight| (Resemblance::Misspelt, weight))
}

/// What it means that one word stands where the other name has another.
fn misspelt(word: &str, known: &str) -> Option<Weight> {
    let is_number = |word: &str| word.bytes().any(|byte| byte.is_ascii_digit());
    let is_plural = |one: &str, other: &str| one.strip_suffix('s') == Some(other);
    let (shortest, is_word) = (word.len().min(known.len()), |word: &str| WORDS.contains(word));
    // `get` and `set`, `user` and `users`, `v1` and `v2`.
    let is_honest = is_word(word) || is_plural(word, known) || is_plural(known, word) || is_number(word);
    let most = if shortest >= 9 { 2 } else { 1 };
    if is_honest || shortest < 4 || distance(word, known) > most {
        return None;
    }
    match is_word(known) || shortest >= 5 {
        true => Some(Weight::Dangerous),
        false => Some(Weight::Glance),
    }
}

/// Whether a name has a word that not every server could have.
fn is_distinctive(words: &[String]) -> bool {
    words.iter().any(|word| word.chars().count() >= 4 && !WORDS.contains(word.as_str()))
}

/// The words that names of tools are made of.
static WORDS: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| include_str!("../data/words.txt").lines().collect());

fn without(words: &[String], left_out: usize) -> (usize, Vec<String>) {
    let rest = words.iter().enumerate().filter(|(index, _)| *index != left_out);
    (left_out, rest.map(|(_, word)| word.clone()).collect())
}

/// Without separators and case.
fn folded(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What a name looks like.
fn looks(name: &str) -> String {
    let seen: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let skeleton: String = unicode_security::skeleton(&seen).flat_map(char::to_lowercase).collect();
    // Which of `I`, `l` and `1`, of `O` and `0` stands in Unicode's table depends on case; here they are all one.
    let one = |letter: char| match letter {
        '1' | 'i' => 'l',
        '0' => 'o',
        '5' => 's',
        _ => letter,
    };
    skeleton.replace("rn", "m").replace("vv", "w").chars().map(one).collect()
}

#[cfg(test)]
mod tests;
