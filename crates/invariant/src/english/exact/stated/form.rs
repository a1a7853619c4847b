//! The form of a plain sentence: words, any of several words, words that may be missing, and holes for what it names.

pub(super) mod near;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock};

use super::holes::{Holes, sort_of};
use super::sight::Sight;
use crate::english::exact::words;
use crate::english::token::Token;

/// Words that forbid, in front of what is done.
pub(super) const NEVER: &[&str] = &[
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you mustn't",
    "you may not",
    "you can't",
    "you cannot",
    "you should not",
    "you shouldn't",
    "you are not to",
    "you're not to",
    "you are not allowed to",
    "you're not allowed to",
    "must not",
    "not",
    "no",
    "you never",
    "never ever",
    "you don't",
    "you do not",
    "don't ever",
    "do not ever",
    "please don't",
    "please never",
    "i don't want you to",
    "i do not want you to",
    "i don't want to see you",
    "i don't want",
    "i do not want",
    "i never want you to",
    "under no circumstances",
    "avoid",
    "refrain from",
    "stop",
    "nobody",
    "neither",
    "not a single",
    "there must be no",
    "there are no",
    "there is no",
    "there should be no",
    "without",
    "please do not",
    "i'd rather you didn't",
    "i would rather you didn't",
    "there is no need to",
    "there's no need to",
    "no need to",
    "you have no business",
    "it is forbidden to",
    "it's forbidden to",
    "it is not okay to",
    "it's not okay to",
    "it is not ok to",
    "make sure you don't",
    "make sure you never",
    "make sure not to",
    "be careful not to",
    "take care not to",
    "you shall not",
    "you will not",
    "you won't",
    "no one",
    "at no time",
    "i never want to see",
    "i don't want to see",
    "i never want",
];

/// Words that ask, in front of what is done.
pub(super) const ASKING: &[&str] = &[
    "ask me before",
    "ask me before you",
    "ask before",
    "ask before you",
    "ask first before",
    "ask first before you",
    "always ask before",
    "always ask before you",
    "always ask me before",
    "always ask me before you",
    "check with me before",
    "check with me before you",
    "get my ok before",
    "get my ok before you",
    "get my okay before you",
    "get my permission before you",
    "wait for my ok before you",
    "i want to be asked before",
    "i want to be asked before you",
    "let me confirm before you",
    "confirm with me before",
    "confirm with me before you",
    "come to me before you",
    "ask me first if you want to",
    "ask me if you want to",
    "ask first if you want to",
    "ask me whenever you want to",
    "ask me first before you",
    "run it by me before you",
    "tell me before you",
    "let me know before you",
    "i decide before you",
    "ask me each time before",
    "ask me each time before you",
    "ask me every time before",
    "ask me every time before you",
    "ask each time before",
    "ask each time before you",
    "ask every time before",
    "ask every time before you",
    "ask me each time you want to",
    "ask me every time you want to",
    "ask me each time",
    "ask me every time",
    "always check with me before",
    "always check with me before you",
    "always check before",
    "always check before you",
    "check with me first before you",
    "check with me each time before you",
    "check with me every time before you",
    "ask for my ok before",
    "ask for my ok before you",
    "ask for my okay before you",
    "ask for permission before",
    "ask for permission before you",
    "ask my permission before you",
    "get my permission before",
    "get my go-ahead before",
    "get my go-ahead before you",
    "get my approval before",
    "get my approval before you",
    "wait for my go-ahead before you",
    "wait for my approval before you",
    "confirm with me first before you",
    "double-check with me before you",
    "please ask before",
    "please ask before you",
    "please ask me before",
    "please ask me before you",
    "please check with me before",
    "please check with me before you",
    "i'd like to be asked before",
    "i'd like to be asked before you",
    "i'd rather you asked before you",
    "check back with me before you",
    "check back with me before",
];

/// Phrases by the names that forms use for them.
pub(super) type Phrases = BTreeMap<String, String>;

/// The words of all forms, each with its number.
#[derive(Default)]
pub(super) struct Vocabulary {
    numbers: HashMap<String, u32>,
}

impl Vocabulary {
    /// The number of a word, if a form has it.
    pub(super) fn number(&self, word: &str) -> Option<u32> {
        self.numbers.get(word).copied()
    }

    /// All words.
    #[cfg(test)]
    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.numbers.keys()
    }

    /// How many words there are.
    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The number of a word, which is new to it perhaps.
    pub(super) fn add(&mut self, word: &str) -> u32 {
        if let Some(known) = self.numbers.get(word) {
            return *known;
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(word.to_owned(), next);
        next
    }
}

/// What forms are made from: the same parts come back in thousands of them.
#[derive(Default)]
pub(super) struct Parts {
    phrases: Phrases,
    vocabulary: Vocabulary,
    /// What holes hold.
    sorts: Vocabulary,
    known: HashMap<String, Arc<Part>>,
}

impl Parts {
    pub(super) fn new(phrases: Phrases) -> Parts {
        Parts { phrases, ..Parts::default() }
    }

    /// How many parts there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// The words of all forms that were made.
    pub(super) fn into_vocabulary(self) -> Vocabulary {
        self.vocabulary
    }

    fn part(&mut self, text: &str) -> Arc<Part> {
        if let Some(known) = self.known.get(text) {
            return Arc::clone(known);
        }
        let item = Item::of(text, &self.phrases, &mut self.vocabulary, &mut self.sorts);
        let may_be_unsaid = near::may_be_unsaid(&item, text, &self.phrases);
        let number = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        let (kind, firsts, lengths) = (item.kind(), item.firsts(), item.lengths());
        let part = Arc::new(Part { number, kind, firsts, lengths, may_be_unsaid, item });
        self.known.insert(text.to_owned(), Arc::clone(&part));
        part
    }
}

/// What a part takes, as far as words tell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// One of some phrases, and whether it must.
    Said,
    MaySay,
    /// What forbids or asks.
    Heads,
    MayHead,
    /// Whatever stands in a hole.
    Holds,
    MayHold,
}

/// A part of a form.
pub(super) struct Part {
    /// Its own number.
    pub(super) number: u32,
    item: Item,
    kind: Kind,
    /// The words that its phrases begin with, where there is no hole, and how many words they have: a bit for each number.
    firsts: Vec<u32>,
    lengths: u64,
    /// Whether a sentence nearly has the form that says nothing of it.
    pub(super) may_be_unsaid: bool,
}

impl Part {
    /// What it takes.
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// The words that it begins with, if it is said.
    pub(super) fn firsts(&self) -> &[u32] {
        &self.firsts
    }

    /// How many words its phrases have: a bit for each number.
    pub(super) fn lengths(&self) -> u64 {
        self.lengths
    }

    /// The words one of which must be said.
    pub(super) fn needed(&self) -> &[u32] {
        if self.is_worded() { &self.firsts } else { &[] }
    }

    /// Whether one of some words must be said.
    pub(super) fn is_worded(&self) -> bool {
        self.kind == Kind::Said
    }

    /// Whether a hole takes whatever stands here.
    pub(super) fn takes_all(&self) -> bool {
        near::takes_all(&self.item)
    }

    /// Whether something must forbid or ask here.
    pub(super) fn is_head(&self) -> bool {
        self.kind == Kind::Heads
    }

    /// The words that it may end with.
    pub(super) fn ends(&self) -> impl Iterator<Item = u32> {
        let phrases = match &self.item {
            Item::Never { .. } => &[],
            Item::Any { phrases, .. } => phrases.as_slice(),
        };
        phrases.iter().flat_map(|phrase| phrase.words.last().copied().into_iter().chain(phrase.joined))
    }
}

/// A sentence as it may be put.
pub(super) struct Form {
    parts: Vec<Arc<Part>>,
}

enum Item {
    /// One of the words that forbid, or that ask, which may be missing.
    Never { is_needed: bool },
    /// One of these phrases, or what stands for itself in one of these holes, which may be missing.
    Any { phrases: Vec<Phrase>, starts: Vec<Start>, holes: Vec<Hole>, is_needed: bool },
}

/// A hole.
struct Hole {
    name: String,
    /// The number of what it holds, whatever its own.
    sort: u32,
}

/// A word that a phrase begins with, and which phrase that is; none where the word is all of it. In order.
type Start = (u32, Option<usize>);

/// Words in a row, by their numbers.
struct Phrase {
    words: Vec<u32>,
    /// All of them written as one word, `exclude_domains`.
    joined: Option<u32>,
}

impl Phrase {
    fn of(text: &str, vocabulary: &mut Vocabulary) -> Phrase {
        let words: Vec<u32> = text.split('_').map(|word| vocabulary.add(word)).collect();
        let joined = (words.len() > 1).then(|| vocabulary.add(text));
        Phrase { words, joined }
    }

    /// How many words it may take: a bit for each number.
    fn lengths(&self) -> u64 {
        // No clause has so many words as the last bit stands for.
        1 << self.words.len().min(63) | self.joined.map_or(0, |_| 1 << 1)
    }

    /// How many words of a sentence it takes from this one on, in whatever form they are, if it begins with this one.
    fn taken(&self, sight: &Sight<'_>, at: usize) -> Option<usize> {
        let fits = self.words.iter().enumerate().skip(1).all(|(more, word)| sight.is(at + more, *word));
        fits.then_some(self.words.len())
    }
}

/// The words that phrases begin with.
fn starts(phrases: &[Phrase]) -> Vec<Start> {
    let each = |(at, phrase): (usize, &Phrase)| {
        let first = phrase.words.first().map(|word| (*word, Some(at)));
        first.into_iter().chain(phrase.joined.map(|joined| (joined, None))).collect::<Vec<Start>>()
    };
    let mut starts: Vec<Start> = phrases.iter().enumerate().flat_map(each).collect();
    starts.sort_unstable();
    starts
}

/// How many words of a sentence these phrases take from this one on: the most first.
fn lengths(phrases: &[Phrase], starts: &[Start], sight: &Sight<'_>, at: usize) -> Vec<usize> {
    let mut lengths = Vec::new();
    for number in sight.numbers(at) {
        let from = starts.partition_point(|(word, _)| word < number);
        let alike = starts.iter().skip(from).take_while(|(word, _)| word == number);
        lengths.extend(alike.filter_map(|(_, phrase)| match phrase {
            Some(phrase) => phrases.get(*phrase)?.taken(sight, at),
            None => Some(1),
        }));
    }
    lengths.sort_unstable_by(|one, other| other.cmp(one));
    lengths.dedup();
    lengths
}

impl Item {
    fn of(text: &str, phrases: &Phrases, vocabulary: &mut Vocabulary, sorts: &mut Vocabulary) -> Item {
        let (said, is_needed) = match text.strip_suffix('?') {
            Some(said) => (said, false),
            None => (text, true),
        };
        if said == "@never" {
            return Item::Never { is_needed };
        }
        let (mut all, mut holes) = (Vec::new(), Vec::new());
        for word in said.split('|') {
            if let Some(name) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                holes.push(Hole { name: name.to_owned(), sort: sorts.add(sort_of(name)) });
                continue;
            }
            // One of several words that may be missing: whether it asks is not told then.
            if word == "@never" {
                all.extend(NEVER.iter().map(|phrase| Phrase::of(&phrase.replace(' ', "_"), vocabulary)));
                continue;
            }
            match word.strip_prefix('@').and_then(|name| phrases.get(name)) {
                Some(known) => all.extend(known.split('|').map(|phrase| Phrase::of(phrase, vocabulary))),
                None => all.push(Phrase::of(word, vocabulary)),
            }
        }
        Item::Any { starts: starts(&all), phrases: all, holes, is_needed }
    }

    fn kind(&self) -> Kind {
        match self {
            Item::Never { is_needed: true } => Kind::Heads,
            Item::Never { is_needed: false } => Kind::MayHead,
            Item::Any { holes, is_needed, .. } => match (holes.is_empty(), is_needed) {
                (true, true) => Kind::Said,
                (true, false) => Kind::MaySay,
                (false, true) => Kind::Holds,
                (false, false) => Kind::MayHold,
            },
        }
    }

    /// The words that its phrases begin with, where there is no hole.
    fn firsts(&self) -> Vec<u32> {
        match self {
            Item::Any { phrases, holes, .. } if holes.is_empty() => {
                let first = phrases.iter().filter_map(|phrase| phrase.words.first().copied());
                first.chain(phrases.iter().filter_map(|phrase| phrase.joined)).collect()
            }
            Item::Never { .. } | Item::Any { .. } => Vec::new(),
        }
    }

    /// How many words its phrases have: a bit for each number.
    fn lengths(&self) -> u64 {
        let Item::Any { phrases, .. } = self else { return 0 };
        phrases.iter().fold(0, |all, phrase| all | phrase.lengths())
    }
}

impl Form {
    /// The form that a text of the table describes.
    pub(super) fn of(says: &str, parts: &mut Parts) -> Form {
        Form { parts: says.split(' ').map(|text| parts.part(text)).collect() }
    }

    /// The parts that must be said.
    pub(super) fn needs(&self) -> impl Iterator<Item = &Part> {
        self.parts().filter(|part| part.is_worded())
    }

    /// All parts.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().map(Arc::as_ref)
    }

    /// The part at a place.
    pub(super) fn part(&self, at: usize) -> Option<&Part> {
        self.parts.get(at).map(Arc::as_ref)
    }

    /// Its last part.
    pub(super) fn last(&self) -> Option<&Part> {
        self.parts.last().map(Arc::as_ref)
    }

    /// The numbers of its parts.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.parts.iter().map(|part| part.number)
    }
}

/// The first way in which a part fits here with which the rest goes on.
pub(super) fn fitting(
    part: &Part,
    sight: &Sight<'_>,
    at: usize,
    holes: &Holes,
    go: &dyn Fn(usize, Holes) -> Option<Holes>,
) -> Option<Holes> {
    match &part.item {
        Item::Never { is_needed } => sight
            .forbids(at)
            .and_then(|length| go(length, holes.clone()))
            .or_else(|| sight.asks(at).and_then(|length| go(length, holes.asking())))
            .or_else(|| if *is_needed { None } else { go(0, holes.clone()) }),
        Item::Any { phrases, starts, holes: sorts, is_needed } => {
            let lengths = lengths(phrases, starts, sight, at);
            let worded = lengths.into_iter().find_map(|length| go(length, holes.clone()));
            let named = |hole: &Hole| {
                let filled = sight.filled(&hole.name, hole.sort, at);
                filled.iter().find_map(|(length, fill)| go(*length, holes.with(&hole.name, fill)))
            };
            worded
                .or_else(|| sorts.iter().find_map(named))
                .or_else(|| if *is_needed { None } else { go(0, holes.clone()) })
        }
    }
}

/// How many tokens forbid or ask at the beginning.
pub(super) fn head(tokens: &[Token]) -> Option<usize> {
    forbids(tokens).or_else(|| asks(tokens))
}

/// Phrases by the words that they begin with.
type Heads = HashMap<&'static str, Vec<&'static str>>;

static FORBIDDING: LazyLock<Heads> = LazyLock::new(|| heads(NEVER));
static INQUIRING: LazyLock<Heads> = LazyLock::new(|| heads(ASKING));

fn heads(phrases: &[&'static str]) -> Heads {
    let mut heads = Heads::new();
    for phrase in phrases {
        let first = phrase.split(' ').next().unwrap_or_default();
        heads.entry(first).or_default().push(phrase);
    }
    heads
}

/// How many tokens forbid at the beginning.
pub(super) fn forbids(tokens: &[Token]) -> Option<usize> {
    longest(tokens, &FORBIDDING)
}

/// How many tokens ask at the beginning.
pub(super) fn asks(tokens: &[Token]) -> Option<usize> {
    longest(tokens, &INQUIRING)
}

fn longest(tokens: &[Token], heads: &Heads) -> Option<usize> {
    let phrases = heads.get(tokens.first()?.low.as_str())?;
    phrases.iter().filter_map(|phrase| words::begins(tokens, phrase)).max()
}
