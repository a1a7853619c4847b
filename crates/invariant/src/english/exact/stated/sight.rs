//! A clause as forms look at it: the numbers of its words, and what was found out about it already, for many forms ask for
//! the same.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::Tables;
use super::form::{ASKING, NEVER, Vocabulary, longest};
use super::holes::{self, Fill};
use super::index::Said;
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};

/// Words in front of a noun that change nothing here.
const LIGHT: &[&str] = &["the", "a", "an", "any", "my", "our", "your", "some", "this", "that", "of"];

/// The numbers of what a word may be a form of. The same words come back in every part of a sentence.
fn numbers(token: &Token, exact: &Exact<'_>, vocabulary: &Vocabulary) -> Rc<[u32]> {
    // What is in quotation marks is no word of a form.
    if token.shape == Shape::Quoted {
        return Rc::from([]);
    }
    if let Some(known) = exact.numbers.borrow().get(&token.low) {
        return Rc::clone(known);
    }
    let bases = exact.bases_of(&token.low);
    let numbers: Rc<[u32]> = bases.iter().filter_map(|base| vocabulary.number(base)).collect();
    exact.numbers.borrow_mut().insert(token.low.clone(), Rc::clone(&numbers));
    numbers
}

/// The ways to fill a hole, with how many words each takes.
type Filled = Rc<Vec<(usize, Fill)>>;

/// A clause.
pub(super) struct Sight<'s> {
    tokens: &'s [Token],
    exact: &'s Exact<'s>,
    words: Vec<Seen>,
    /// The parts of forms that its words say.
    said: Said,
    holes: RefCell<BTreeMap<(usize, String), Filled>>,
}

/// What is known of a word.
struct Seen {
    /// The numbers of what it may be a form of.
    numbers: Rc<[u32]>,
    is_light: bool,
    forbids: OnceCell<Option<usize>>,
    asks: OnceCell<Option<usize>>,
}

impl<'s> Sight<'s> {
    pub(super) fn of(tokens: &'s [Token], exact: &'s Exact<'s>, tables: &Tables) -> Sight<'s> {
        let seen = |token: &Token| Seen {
            numbers: numbers(token, exact, &tables.vocabulary),
            is_light: token.shape == Shape::Word && LIGHT.contains(&token.low.as_str()),
            forbids: OnceCell::new(),
            asks: OnceCell::new(),
        };
        let words: Vec<Seen> = tokens.iter().map(seen).collect();
        let mut numbers: Vec<u32> = words.iter().flat_map(|word| word.numbers.iter().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        let said = tables.index.said(&numbers);
        Sight { tokens, exact, words, said, holes: RefCell::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The parts that its words say.
    pub(super) fn said(&self) -> &Said {
        &self.said
    }

    /// Whether its words say a part of a form.
    pub(super) fn says(&self, part: u32) -> bool {
        self.said.has(part)
    }

    /// Whether a word stands here, in whatever form.
    pub(super) fn is(&self, at: usize, number: u32) -> bool {
        self.words.get(at).is_some_and(|word| word.numbers.contains(&number))
    }

    /// Whether nothing is lost without the word here.
    pub(super) fn is_light(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is_light)
    }

    /// Whether the word here only joins others.
    pub(super) fn may_be_passed(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(super::form::near::may_be_passed)
    }

    /// How many words forbid from here on.
    pub(super) fn forbids(&self, at: usize) -> Option<usize> {
        let word = self.words.get(at)?;
        *word.forbids.get_or_init(|| longest(self.rest(at), NEVER))
    }

    /// How many words ask from here on.
    pub(super) fn asks(&self, at: usize) -> Option<usize> {
        let word = self.words.get(at)?;
        *word.asks.get_or_init(|| longest(self.rest(at), ASKING))
    }

    /// The ways to fill a hole from here on.
    pub(super) fn filled(&self, name: &str, at: usize) -> Filled {
        let sort = holes::sort_of(name);
        let key = (at, sort.to_owned());
        if let Some(known) = self.holes.borrow().get(&key) {
            return Rc::clone(known);
        }
        let filled = Rc::new(holes::ways(sort, self.rest(at), self.exact));
        self.holes.borrow_mut().insert(key, Rc::clone(&filled));
        filled
    }

    fn rest(&self, at: usize) -> &[Token] {
        self.tokens.get(at..).unwrap_or_default()
    }
}
