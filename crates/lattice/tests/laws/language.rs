//! Patterns as sets of texts: an automaton for each, compared letter by letter.
//!
//! It knows nothing of segments as the engine does, and shares no code with it. A state of a comparison is
//! the set of places in each of the two texts that could have been reached. The letters tried are those of
//! the two texts, the slash, and one that neither knows.

use std::collections::{HashMap, HashSet};

/// A set of names, by the text that describes it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Language {
    /// The pattern that reads so.
    Pattern(String),
    /// This name, every character for itself.
    Exactly(String),
    /// The names that match when `*` is any run of characters in a segment.
    Like(String),
    /// The names like this and everything below.
    Under(String),
}

/// Compares languages and remembers the answers.
#[derive(Default)]
pub(crate) struct Languages {
    numbers: HashMap<Language, usize>,
    automata: Vec<Automaton>,
    contained: HashMap<(usize, usize), bool>,
    overlapping: HashMap<(usize, usize), bool>,
}

/// A language that [`Languages`] knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct LanguageId(usize);

impl Languages {
    pub(crate) fn number(&mut self, language: Language) -> LanguageId {
        let automata = &mut self.automata;
        LanguageId(*self.numbers.entry(language).or_insert_with_key(|language| {
            automata.push(Automaton::of(language));
            automata.len() - 1
        }))
    }

    /// Whether every name of `inner` is one of `outer`.
    pub(crate) fn contains(&mut self, outer: LanguageId, inner: LanguageId) -> bool {
        let automata = &self.automata;
        *self
            .contained
            .entry((outer.0, inner.0))
            .or_insert_with(|| !found(&automata[outer.0], &automata[inner.0], |outer, inner| inner && !outer))
    }

    /// Whether some name is in both.
    pub(crate) fn overlaps(&mut self, left: LanguageId, right: LanguageId) -> bool {
        let automata = &self.automata;
        *self
            .overlapping
            .entry((left.0, right.0))
            .or_insert_with(|| found(&automata[left.0], &automata[right.0], |left, right| left && right))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Letter(char),
    /// Any run of characters other than the slash.
    Run,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    Nothing,
    /// Nothing, or a slash and more.
    Below,
    /// Anything at all.
    Anything,
}

struct Automaton {
    head: String,
    tokens: Vec<Token>,
    tail: Tail,
}

/// The places before each token, as bits; then the end, then somewhere in the tail.
type States = u64;

impl Automaton {
    fn of(language: &Language) -> Automaton {
        match language {
            Language::Pattern(text) => match (text.strip_prefix('='), text.strip_suffix("**")) {
                (Some(name), _) => Automaton::new(name, false, Tail::Nothing),
                (None, None) => Automaton::new(text, true, Tail::Nothing),
                // All of an account is each thing in it, and what is below.
                (None, Some(head)) if head.ends_with(':') => {
                    Automaton::new(&format!("{head}*"), true, Tail::Below)
                }
                (None, Some(head)) if split(head).1.is_empty() => Automaton::new(head, true, Tail::Anything),
                (None, Some(stem)) => Automaton::new(stem.strip_suffix('/').unwrap(), true, Tail::Below),
            },
            Language::Exactly(name) => Automaton::new(name, false, Tail::Nothing),
            Language::Like(name) => Automaton::new(name, true, Tail::Nothing),
            Language::Under(name) if name == "ctxt" => Automaton::new(name, false, Tail::Nothing),
            Language::Under(name) if name == "/" => Automaton::new(name, true, Tail::Anything),
            Language::Under(name) => Automaton::new(name, true, Tail::Below),
        }
    }

    fn new(text: &str, wild: bool, tail: Tail) -> Automaton {
        let (head, rest) = split(text);
        let token = |letter| if wild && letter == '*' { Token::Run } else { Token::Letter(letter) };
        Automaton { head: head.into(), tokens: rest.chars().map(token).collect(), tail }
    }

    fn start(&self) -> States {
        self.through_runs(1)
    }

    fn end(&self) -> States {
        1 << self.tokens.len()
    }

    /// A run may be empty.
    fn through_runs(&self, mut states: States) -> States {
        for (place, token) in self.tokens.iter().enumerate() {
            if *token == Token::Run && states & (1 << place) != 0 {
                states |= 1 << (place + 1);
            }
        }
        states
    }

    fn step(&self, states: States, letter: char) -> States {
        let mut next = 0;
        for (place, token) in self.tokens.iter().enumerate() {
            if states & (1 << place) != 0 {
                match token {
                    Token::Letter(expected) if *expected == letter => next |= 1 << (place + 1),
                    Token::Run if letter != '/' => next |= 1 << place,
                    Token::Letter(_) | Token::Run => {}
                }
            }
        }
        let (at_end, in_tail) = (states & self.end() != 0, states & (self.end() << 1) != 0);
        let enters = at_end && (self.tail == Tail::Anything || (self.tail == Tail::Below && letter == '/'));
        if enters || in_tail {
            next |= self.end() << 1;
        }
        self.through_runs(next)
    }

    fn accepts(&self, states: States) -> bool {
        states & (self.end() | self.end() << 1) != 0
    }
}

/// The head of a name (`/`, `https://`, `slack:`, `ctxt`) and what follows.
fn split(text: &str) -> (&str, &str) {
    if text.starts_with('/') {
        return text.split_at(1);
    }
    match (text.find("://"), text.find(':')) {
        (Some(at), Some(colon)) if at == colon => text.split_at(at + 3),
        (_, Some(at)) => text.split_at(at + 1),
        (_, None) => (text, ""),
    }
}

/// Whether there is a name for which `wanted` is true of whether the two accept it. Names have no empty
/// segments.
fn found(left: &Automaton, right: &Automaton, wanted: impl Fn(bool, bool) -> bool) -> bool {
    if left.head != right.head {
        return wanted(false, true);
    }
    let letters = letters(left, right);
    let first = (left.start(), right.start(), true);
    // The bare head has no segment that a run could be.
    if wanted(left.tokens.is_empty(), right.tokens.is_empty()) {
        return true;
    }
    let (mut seen, mut open) = (HashSet::from([first]), vec![first]);
    while let Some((in_left, in_right, segment_is_empty)) = open.pop() {
        for &letter in &letters {
            if letter == '/' && segment_is_empty {
                continue;
            }
            let next = (left.step(in_left, letter), right.step(in_right, letter), letter == '/');
            if letter != '/' && wanted(left.accepts(next.0), right.accepts(next.1)) {
                return true;
            }
            // Where the right one is lost, neither question can come true any more.
            if next.1 != 0 && seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}

fn letters(left: &Automaton, right: &Automaton) -> Vec<char> {
    let known = left.tokens.iter().chain(&right.tokens).filter_map(|token| match token {
        Token::Letter(letter) => Some(*letter),
        Token::Run => None,
    });
    // The last is a letter that no name has.
    let mut letters: Vec<char> = known.chain(['/', '\u{1}']).collect();
    letters.sort_unstable();
    letters.dedup();
    letters
}
