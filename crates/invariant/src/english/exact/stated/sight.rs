//! A clause as forms look at it: the numbers of its words, and what was found out about it already, for many forms ask for
//! the same.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use super::form::{self, Vocabulary, near};
use super::holes::{self, Fill};
use super::index::Index;
use super::spoken::{Spoken, Words, place};
use crate::english::exact::Exact;
use crate::english::exact::known::Known;
use crate::english::token::{Shape, Token};

/// Words in front of a noun that change nothing here.
const LIGHT: &[&str] = &["the", "a", "an", "any", "my", "our", "your", "some", "this", "that", "of"];

/// The numbers of what a word may be a form of. The same words come back in every part of a sentence.
fn numbers(token: &Token, exact: &Exact<'_>, vocabulary: &Vocabulary) -> Rc<[u32]> {
    // What is in quotation marks is no word of a form.
    if token.shape == Shape::Quoted {
        return Rc::default();
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

/// The ways to fill holes with the words that follow, by the numbers of what they hold.
#[derive(Default)]
pub(in crate::english::exact) struct Ways(RefCell<Known<u32, Filled>>);

/// A clause.
pub(super) struct Sight<'s> {
    tokens: &'s [Token],
    exact: &'s Exact<'s>,
    words: Vec<Seen>,
}

/// What is known of a word.
struct Seen {
    /// The numbers of what it may be a form of.
    numbers: Rc<[u32]>,
    is_light: bool,
    is_joining: bool,
    forbids: OnceCell<Option<usize>>,
    asks: OnceCell<Option<usize>>,
    /// The ways to fill holes from here on, which other clauses may have found that end alike.
    holes: OnceCell<Rc<Ways>>,
}

impl<'s> Sight<'s> {
    pub(super) fn of(tokens: &'s [Token], exact: &'s Exact<'s>, vocabulary: &Vocabulary) -> Sight<'s> {
        let seen = |token: &Token| Seen {
            numbers: numbers(token, exact, vocabulary),
            is_light: token.shape == Shape::Word && LIGHT.contains(&token.low.as_str()),
            is_joining: near::may_be_passed(token),
            forbids: OnceCell::new(),
            asks: OnceCell::new(),
            holes: OnceCell::new(),
        };
        let words: Vec<Seen> = tokens.iter().map(seen).collect();
        Sight { tokens, exact, words }
    }

    /// What its words say of forms.
    pub(super) fn spoken(&self, index: &Index) -> Spoken {
        let places = |is: &dyn Fn(usize) -> bool| {
            (0..self.len()).filter(|at| is(*at)).fold(0, |places, at| places | place(at))
        };
        let behind = |at: usize, length: Option<usize>| length.map_or(0, |length| place(at + length));
        let head = |at: usize| behind(at, self.forbids(at)) | behind(at, self.asks(at));
        let words = Words {
            numbers: self.words.iter().map(|word| Rc::clone(&word.numbers)).collect(),
            light: places(&|at| self.is_light(at)),
            joining: places(&|at| self.may_be_passed(at)),
            heads: (0..self.len()).map(head).collect(),
        };
        index.spoken(&mut self.exact.said.borrow_mut(), words)
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
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
        self.words.get(at).is_some_and(|word| word.is_joining)
    }

    /// How many words forbid from here on.
    pub(super) fn forbids(&self, at: usize) -> Option<usize> {
        let word = self.words.get(at)?;
        *word.forbids.get_or_init(|| form::forbids(self.rest(at)))
    }

    /// How many words ask from here on.
    pub(super) fn asks(&self, at: usize) -> Option<usize> {
        let word = self.words.get(at)?;
        *word.asks.get_or_init(|| form::asks(self.rest(at)))
    }

    /// The numbers of what a word may be a form of.
    pub(super) fn numbers(&self, at: usize) -> &[u32] {
        self.words.get(at).map(|word| word.numbers.as_ref()).unwrap_or_default()
    }

    /// The ways to fill a hole from here on.
    pub(super) fn filled(&self, name: &str, sort: u32, at: usize) -> Filled {
        let Some(word) = self.words.get(at) else {
            return Rc::new(holes::ways(holes::sort_of(name), &[], self.exact));
        };
        let ways = word.holes.get_or_init(|| self.exact.ways_of(self.rest(at)));
        if let Some(known) = ways.0.borrow().get(&sort) {
            return Rc::clone(known);
        }
        let filled = Rc::new(holes::ways(holes::sort_of(name), self.rest(at), self.exact));
        ways.0.borrow_mut().insert(sort, Rc::clone(&filled));
        filled
    }

    fn rest(&self, at: usize) -> &[Token] {
        self.tokens.get(at..).unwrap_or_default()
    }
}
