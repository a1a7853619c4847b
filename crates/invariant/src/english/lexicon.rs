//! The words that rules are written in, from the data files of this crate.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::token::{Shape, Token};
use crate::action::{Action, Actions};

const LEXICON: &str = include_str!("../../data/lexicon.toml");
const THINGS: &str = include_str!("../../data/things.toml");

/// How a rule is put.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Marker {
    Deny,
    Forbidden,
    Avoid,
    Protect,
    Append,
    Contain,
    Only,
    Else,
    May,
    Needs,
    Except,
    Unless,
    Instead,
}

/// What is between a doing and a thing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Preposition {
    From,
    To,
    In,
    Outside,
    Without,
    Having,
    Before,
    After,
    Between,
    Until,
    As,
}

/// What rules are about.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Thing {
    pub(crate) words: Vec<String>,
    pub(crate) kind: String,
    pub(crate) place: String,
    pub(crate) ends: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) unit: String,
    pub(crate) content: String,
    pub(crate) given: String,
    pub(crate) parameter: String,
    pub(crate) tool: String,
    pub(crate) not_did: String,
    pub(crate) says: String,
    pub(crate) takes_name: bool,
    pub(crate) holds: bool,
    pub(crate) adjective: bool,
}

/// What a phrase may be.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Marker(Marker),
    Preposition(Preposition),
    /// An action, said with a verb.
    Verb(usize),
    /// An action, said with a noun.
    Act(usize),
    Thing(usize),
    It,
    /// Nobody can check it on a call.
    Vague,
    Filler,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    markers: BTreeMap<Marker, Vec<String>>,
    prepositions: BTreeMap<Preposition, Vec<String>>,
    fillers: BTreeMap<String, Vec<String>>,
    pronouns: BTreeMap<String, Vec<String>>,
    vague: BTreeMap<String, Vec<String>>,
    rephrase: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Things {
    thing: Vec<Thing>,
}

/// The words of a phrase, and those that stand for it.
type Rephrased = (Vec<String>, Vec<String>);

/// All words.
pub(crate) struct Lexicon {
    /// Phrases by their first word, the longest first.
    phrases: BTreeMap<String, Vec<(Vec<String>, Entry)>>,
    things: Vec<Thing>,
    actions: &'static Actions,
    /// Phrases by their first word, with what stands for them; `*` is any word.
    rephrased: BTreeMap<String, Vec<Rephrased>>,
}

/// A phrase that stands at some place of a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Phrase {
    pub(crate) entry: Entry,
    /// How many words it takes.
    pub(crate) length: usize,
}

static BUILT_IN: LazyLock<Result<Lexicon, String>> = LazyLock::new(Lexicon::read);

impl Lexicon {
    /// The words of this crate.
    pub(crate) fn built_in() -> Result<&'static Lexicon, String> {
        BUILT_IN.as_ref().map_err(Clone::clone)
    }

    fn read() -> Result<Lexicon, String> {
        let file: File = toml::from_str(LEXICON).map_err(|error| format!("lexicon.toml: {error}"))?;
        let things: Things = toml::from_str(THINGS).map_err(|error| format!("things.toml: {error}"))?;
        let actions = Actions::built_in()?;
        let mut lexicon =
            Lexicon { phrases: BTreeMap::new(), things: things.thing, actions, rephrased: BTreeMap::new() };
        for (marker, phrases) in file.markers {
            phrases.iter().for_each(|phrase| lexicon.add(phrase, &Entry::Marker(marker)));
        }
        for (number, action) in actions.iter().enumerate().filter(|(_, action)| !action.is_exact) {
            action.verbs.iter().for_each(|phrase| lexicon.add(phrase, &Entry::Verb(number)));
            action.nouns.iter().for_each(|phrase| lexicon.add(phrase, &Entry::Act(number)));
        }
        for (number, thing) in lexicon.things.clone().iter().enumerate() {
            thing.words.iter().for_each(|phrase| lexicon.add(phrase, &Entry::Thing(number)));
        }
        for (preposition, phrases) in file.prepositions {
            phrases.iter().for_each(|phrase| lexicon.add(phrase, &Entry::Preposition(preposition)));
        }
        file.pronouns.values().flatten().for_each(|phrase| lexicon.add(phrase, &Entry::It));
        file.vague.values().flatten().for_each(|phrase| lexicon.add(phrase, &Entry::Vague));
        file.fillers.values().flatten().for_each(|phrase| lexicon.add(phrase, &Entry::Filler));
        let split = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        for (plain, phrases) in &file.rephrase {
            for words in phrases.iter().map(|phrase| split(phrase)) {
                let Some(first) = words.first().cloned() else { continue };
                lexicon.rephrased.entry(first).or_default().push((words, split(plain)));
            }
        }
        for phrases in lexicon.rephrased.values_mut() {
            phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        for phrases in lexicon.phrases.values_mut() {
            phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        Ok(lexicon)
    }

    fn add(&mut self, phrase: &str, entry: &Entry) {
        let words: Vec<String> = phrase.split(' ').map(str::to_owned).collect();
        let Some(first) = words.first().cloned() else { return };
        self.phrases.entry(first).or_default().push((words, entry.clone()));
    }

    /// A kind of SQL statement, by its word in capitals.
    pub(crate) fn statement(&self, word: &str) -> Option<Entry> {
        let phrases = self.phrases.get(word)?;
        phrases
            .iter()
            .find(|(words, entry)| words.len() == 1 && matches!(entry, Entry::Act(_)))
            .map(|(_, entry)| entry.clone())
    }

    /// What stands plainer for a phrase that begins with the first of these words, and how many words it takes.
    pub(crate) fn rephrase(&self, tokens: &[Token]) -> Option<(Vec<String>, usize)> {
        let phrases = self.rephrased.get(&tokens.first()?.low)?;
        let fits = |words: &[String]| {
            words.len() <= tokens.len()
                && words.iter().zip(tokens).all(|(word, token)| {
                    *word == token.low || (word == "*" && matches!(token.shape, Shape::Word))
                })
        };
        let (words, plain) = phrases.iter().find(|(words, _)| fits(words))?;
        // What stands for any word stays what it is.
        let caught =
            words.iter().zip(tokens).find(|(word, _)| *word == "*").map(|(_, token)| token.low.clone());
        let word = |word: &String| match (word.as_str(), &caught) {
            ("*", Some(caught)) => caught.clone(),
            _ => word.clone(),
        };
        Some((plain.iter().map(word).collect(), words.len()))
    }

    pub(crate) fn thing(&self, number: usize) -> Option<&Thing> {
        self.things.get(number)
    }

    pub(crate) fn action(&self, number: usize) -> Option<&Action> {
        self.actions.get(number)
    }

    /// Every phrase that begins with the first of these words, the longest first.
    pub(crate) fn phrases(&self, tokens: &[Token]) -> Vec<Phrase> {
        let Some(first) = tokens.first() else { return Vec::new() };
        let mut found = Vec::new();
        for base in bases(first) {
            let candidates = self.phrases.get(&base).into_iter().flatten();
            for (words, entry) in candidates {
                let fits = words.len() <= tokens.len()
                    && words.iter().zip(tokens).skip(1).all(|(word, token)| bases(token).contains(word));
                if fits {
                    found.push(Phrase { entry: entry.clone(), length: words.len() });
                }
            }
        }
        found.sort_by_key(|phrase| std::cmp::Reverse(phrase.length));
        found
    }

    /// The one word of the lexicon that a mistyped one is a single slip away from.
    pub(crate) fn nearest(&self, word: &str) -> Option<String> {
        let first = word.chars().next();
        let letters = word.chars().count();
        let is_as_long = |known: &str| {
            let own = known.chars().count();
            own >= 5 && own.abs_diff(letters) < 2
        };
        let begins = |known: &&String| known.chars().next() == first;
        let alike = self.phrases.range(first.map(String::from).unwrap_or_default()..).map(|(known, _)| known);
        let mut near = alike.take_while(begins).filter(|known| {
            is_as_long(known) && is_near(known, word) && strsim::damerau_levenshtein(known, word) == 1
        });
        let found = near.next()?;
        near.next().is_none().then(|| found.clone())
    }

    /// Whether these words begin with what is to be done.
    pub(crate) fn is_wish(&self, tokens: &[Token]) -> bool {
        let phrases = self.phrases(tokens);
        phrases.iter().any(|phrase| matches!(phrase.entry, Entry::Verb(_)))
            && !phrases.iter().any(|phrase| matches!(phrase.entry, Entry::Act(_) | Entry::Thing(_)))
    }

    /// Whether a word only stands between others.
    pub(crate) fn is_between(&self, token: &Token) -> bool {
        let between = |phrase: &Phrase| {
            matches!(phrase.entry, Entry::Marker(_) | Entry::Preposition(_) | Entry::Filler)
        };
        self.phrases(std::slice::from_ref(token)).iter().any(between)
    }

    /// Whether a word is known at all.
    pub(crate) fn knows(&self, token: &Token) -> bool {
        bases(token).iter().any(|base| self.phrases.contains_key(base))
    }
}

/// Whether words may be a single slip apart: all but two letters of the longer one are the same from both ends.
fn is_near(one: &str, other: &str) -> bool {
    let same = |(one, other): &(char, char)| one == other;
    let front = one.chars().zip(other.chars()).take_while(same).count();
    let back = one.chars().rev().zip(other.chars().rev()).take_while(same).count();
    front + back + 2 >= one.chars().count().max(other.chars().count())
}

/// A word and what may be left of it without its ending.
pub(crate) fn bases(token: &Token) -> Vec<String> {
    if !matches!(token.shape, Shape::Word | Shape::Flag | Shape::Identifier | Shape::Number) {
        return vec![token.low.clone()];
    }
    // Words of SQL are written in capitals where they are meant.
    let mut bases = Vec::new();
    let capitals = token.text.strip_suffix('s').unwrap_or(&token.text);
    if capitals.len() > 2 && capitals.chars().all(|letter| letter.is_ascii_uppercase()) {
        bases.push(capitals.to_owned());
    }
    bases.extend(word_bases(&token.low));
    bases
}

/// Whether one of the base forms of a word is so.
pub(crate) fn has_base(word: &str, is: impl Fn(&str) -> bool) -> bool {
    let ends = word.ends_with(['s', '\'']) || word.ends_with("ed") || word.ends_with("ing");
    // Most words are base forms themselves.
    is(word) || ((ends || irregular(word).is_some()) && word_bases(word).iter().any(|base| is(base)))
}

/// The bits of words in all their forms.
pub(crate) fn base_marks(tokens: &[Token]) -> u64 {
    let bases = tokens.iter().flat_map(|token| word_bases(&token.low));
    bases.fold(0, |marks, base| marks | crate::names::mark(&base))
}

/// A word in lower case and what may be left of it without its ending.
pub(crate) fn word_bases(word: &str) -> Vec<String> {
    let mut bases = vec![word.to_owned()];
    if word == "https" {
        return bases;
    }
    if let Some(base) = irregular(word) {
        bases.push(base.to_owned());
    }
    let mut add = |base: String| {
        if base.len() > 1 && !bases.contains(&base) {
            bases.push(base);
        }
    };
    if let Some(stem) = word.strip_suffix("'s").or_else(|| word.strip_suffix("s'")) {
        add(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix("ies") {
        add(format!("{stem}y"));
    }
    if let Some(stem) = word.strip_suffix("es")
        && ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| stem.ends_with(end))
    {
        add(stem.to_owned());
    }
    if let Some(stem) = word.strip_suffix('s').filter(|stem| !stem.ends_with('s')) {
        add(stem.to_owned());
    }
    for ending in ["ed", "ing"] {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() > 1) else { continue };
        add(stem.to_owned());
        add(format!("{stem}e"));
        let mut letters = stem.chars().rev();
        if let (Some(last), Some(before)) = (letters.next(), letters.next())
            && last == before
        {
            add(stem.get(..stem.len() - last.len_utf8()).unwrap_or(stem).to_owned());
        }
        if let Some(stem) = stem.strip_suffix('i') {
            add(format!("{stem}y"));
        }
    }
    bases
}

fn irregular(word: &str) -> Option<&'static str> {
    Some(match word {
        "written" | "wrote" => "write",
        "sent" => "send",
        "bought" => "buy",
        "made" => "make",
        "ran" => "run",
        "shown" | "showed" => "show",
        "seen" | "saw" => "see",
        "given" | "gave" => "give",
        "taken" | "took" => "take",
        "went" | "gone" => "go",
        "left" => "leave",
        "kept" => "keep",
        "told" => "tell",
        "said" => "say",
        "overwritten" => "overwrite",
        "rewritten" => "rewrite",
        "thrown" => "throw",
        "hidden" => "hide",
        "spent" => "spend",
        "paid" => "pay",
        "stays" => "stay",
        "gotten" | "got" => "get",
        "came" => "come",
        "put" => "put",
        "held" => "hold",
        "built" => "build",
        "done" => "do",
        "people's" => "people",
        _ => return None,
    })
}
