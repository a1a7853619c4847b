//! What a clause says of the parts of forms, and whether these may stand in it one behind the other. Places in a clause are the
//! bits of a number, so that all ways through a form are followed at once.

use std::rc::Rc;

use super::form::{Kind, Part};
use super::numbered::{NumberSet, at, change};

/// Places in a clause: the words that something may begin with, and the end behind the last one.
pub(super) type Places = u64;

/// The most words of a clause, so that its end has a bit as well. Longer ones fit no form.
pub(super) const MOST_WORDS: usize = 61;

/// The bit of a place; none behind all places.
pub(super) fn place(at: usize) -> Places {
    if at <= MOST_WORDS { 1 << at } else { 0 }
}

/// How many words are told apart.
const MOST_KNOWN: usize = 64;

/// The parts that begin with the words of a sentence. Its clauses are cut from the same words, so that each is looked at once.
#[derive(Clone, Default)]
pub(in crate::english::exact) struct Said {
    /// The words, by the numbers of what each may be a form of.
    words: Vec<Rc<[u32]>>,
    /// By the numbers of parts, the words that they may begin with: a bit for each.
    of_parts: Vec<u64>,
}

impl Said {
    /// Notes the words of a clause, of so many parts. No clause has more words than can be told apart, so that older ones may be
    /// forgotten.
    pub(super) fn note<'p>(
        &mut self,
        words: &[Rc<[u32]>],
        parts: usize,
        of_word: impl Fn(u32) -> &'p [u32] + Copy,
    ) {
        let mut new: Vec<&Rc<[u32]>> = Vec::new();
        for word in words.iter().take(MOST_WORDS).filter(|word| !word.is_empty()) {
            if self.bit(word).is_none() && !new.iter().any(|known| Rc::ptr_eq(known, word)) {
                new.push(word);
            }
        }
        if self.words.len() + new.len() > MOST_KNOWN {
            *self = Said::default();
            return self.note(words, parts, of_word);
        }
        self.of_parts.resize(parts, 0);
        for word in new {
            let bit = 1 << self.words.len();
            self.words.push(Rc::clone(word));
            for part in word.iter().flat_map(|number| of_word(*number)) {
                change(&mut self.of_parts, *part, |bits| *bits |= bit);
            }
        }
    }

    /// Which of the words one is.
    fn bit(&self, word: &Rc<[u32]>) -> Option<usize> {
        self.words.iter().position(|known| Rc::ptr_eq(known, word))
    }

    /// The words that a part may begin with.
    fn begins(&self, part: u32) -> u64 {
        at(&self.of_parts, part).copied().unwrap_or_default()
    }
}

/// A part in its place in a form, as far as words tell whether it is said.
#[derive(Clone, Copy)]
pub(super) struct Step {
    part: u32,
    /// How many words its phrases have: a bit for each number.
    lengths: u64,
    kind: Kind,
    /// Whether a sentence nearly has the form that says nothing of it, here or anywhere.
    may_be_unsaid: bool,
    may_be_missing: bool,
}

impl Step {
    /// Of a part, the one behind it, and whether it tells what the form is about.
    pub(super) fn of(part: &Part, next: Option<&Part>, tells: bool) -> Step {
        Step {
            part: part.number,
            lengths: part.lengths(),
            kind: part.kind(),
            may_be_unsaid: part.may_be_unsaid && !next.is_some_and(Part::takes_all),
            may_be_missing: part.kind() != Kind::Said || (part.may_be_unsaid && !tells),
        }
    }
}

/// The words of a clause, as forms look at them.
pub(super) struct Words {
    /// The numbers of what each may be a form of.
    pub(super) numbers: Vec<Rc<[u32]>>,
    /// Those without which nothing is lost.
    pub(super) light: Places,
    /// Those that may be passed over where a clause only has to be near.
    pub(super) joining: Places,
    /// By the word that it begins with, what is behind something that forbids or asks.
    pub(super) heads: Vec<Places>,
}

impl Words {
    /// The numbers of the last one.
    pub(super) fn last(&self) -> &[u32] {
        self.numbers.last().map(Rc::as_ref).unwrap_or_default()
    }
}

/// What a clause says.
pub(super) struct Spoken {
    said: Rc<Said>,
    /// Where each of the words stands that are told apart.
    places: Vec<Places>,
    /// The parts that it may end with.
    last: NumberSet,
    words: Words,
    /// The words that it may begin with, and those that may stand behind what forbids or asks in front of it.
    first: Places,
    second: Places,
}

/// The places that are reached without passing over anything, with one joining word passed over, and with two of them or a
/// part that is not said: as far as a clause may be from a form.
type Reached = [Places; 3];

impl Spoken {
    /// Of these words, which were noted, and the parts that it may end with.
    pub(super) fn new(said: Rc<Said>, words: Words, last: NumberSet) -> Spoken {
        let mut places = vec![0; said.words.len()];
        for (at, word) in words.numbers.iter().enumerate() {
            if let Some(places) = said.bit(word).and_then(|bit| places.get_mut(bit)) {
                *places |= place(at);
            }
        }
        let mut spoken = Spoken { said, places, last, words, first: 0, second: 0 };
        spoken.first = spoken.behind_light(place(0));
        spoken.second = spoken.behind_light(spoken.behind_head(spoken.first));
        spoken
    }

    /// Where a part may begin.
    fn places(&self, part: u32) -> Places {
        let (mut words, mut places) = (self.said.begins(part), 0);
        while words != 0 {
            places |= at(&self.places, words.trailing_zeros()).copied().unwrap_or_default();
            words &= words - 1;
        }
        places
    }

    /// The numbers of all words.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &u32> {
        self.numbers_of(Places::MAX)
    }

    /// The numbers of the words that it may begin with.
    pub(super) fn first(&self) -> impl Iterator<Item = &u32> {
        self.numbers_of(self.first)
    }

    /// The numbers of the words that may stand behind what forbids or asks in front of it.
    pub(super) fn second(&self) -> impl Iterator<Item = &u32> {
        self.numbers_of(self.second)
    }

    fn numbers_of(&self, places: Places) -> impl Iterator<Item = &u32> {
        let words = self.words.numbers.iter().enumerate();
        words.filter(move |(at, _)| places & place(*at) != 0).flat_map(|(_, numbers)| numbers.iter())
    }

    /// Whether something forbids or asks in front of it.
    pub(super) fn has_head(&self) -> bool {
        self.second != 0
    }

    /// Whether a part may stand behind that.
    pub(super) fn has_second(&self, part: u32) -> bool {
        self.places(part) & self.second != 0
    }

    /// Whether it may begin with a part.
    pub(super) fn has_first(&self, part: u32) -> bool {
        self.places(part) & self.first != 0
    }

    /// Whether it may end with a part.
    pub(super) fn has_last(&self, part: u32) -> bool {
        self.last.has(part)
    }

    /// Whether a part is said anywhere.
    pub(super) fn has(&self, part: u32) -> bool {
        self.places(part) != 0
    }

    /// Whether these parts may stand one behind the other and take all words: what holes take is not looked at.
    pub(super) fn may_fit(&self, steps: &[Step]) -> bool {
        let mut reached = place(0);
        for step in steps {
            reached = self.behind(step, self.behind_light(reached));
            if reached == 0 {
                return false;
            }
        }
        reached & self.end() != 0
    }

    /// Whether they nearly do, and what must be said is said.
    pub(super) fn may_nearly_fit(&self, steps: &[Step], farthest: u8) -> bool {
        let is_missing = |step: &Step| !step.may_be_missing && !self.has(step.part);
        if steps.iter().any(is_missing) {
            return false;
        }
        let mut reached = [place(0), 0, 0];
        for step in steps {
            let [none, one, two] = self.passed(reached, |places| self.behind_light(places));
            let unsaid = if step.may_be_unsaid { none } else { 0 };
            reached = [self.behind(step, none), self.behind(step, one), self.behind(step, two) | unsaid];
            if reached == [0; 3] {
                return false;
            }
        }
        let reached = self.passed(reached, |places| places);
        let near = reached.iter().take(usize::from(farthest) + 1).fold(0, |all, places| all | places);
        near & self.end() != 0
    }

    /// The same with joining words passed over, each of which is one more, and with words without which nothing is lost.
    fn passed(&self, [none, one, two]: Reached, further: impl Fn(Places) -> Places) -> Reached {
        let behind = |places: Places| (places & self.words.joining) << 1;
        let none = further(none);
        let one = further(one | behind(none));
        [none, one, further(two | behind(one))]
    }

    /// The places here and behind words without which nothing is lost.
    fn behind_light(&self, places: Places) -> Places {
        let more = places | ((places & self.words.light) << 1);
        if more == places { places } else { self.behind_light(more) }
    }

    /// The places behind what forbids or asks.
    fn behind_head(&self, places: Places) -> Places {
        let heads = self.words.heads.iter().enumerate();
        heads.filter(|(at, _)| places & place(*at) != 0).fold(0, |all, (_, behind)| all | behind)
    }

    /// The places behind a part that begins at one of these.
    fn behind(&self, step: &Step, places: Places) -> Places {
        match step.kind {
            Kind::Said => self.behind_words(step, places),
            Kind::MaySay => places | self.behind_words(step, places),
            Kind::Heads => self.behind_head(places),
            Kind::MayHead => places | self.behind_head(places),
            Kind::Holds => self.from(places << 1),
            Kind::MayHold => self.from(places),
        }
    }

    /// The places behind one of the phrases of a part.
    fn behind_words(&self, step: &Step, places: Places) -> Places {
        let begins = places & self.places(step.part);
        if begins == 0 {
            return 0;
        }
        let (mut lengths, mut behind) = (step.lengths, 0);
        while lengths != 0 {
            behind |= begins << lengths.trailing_zeros();
            lengths &= lengths - 1;
        }
        self.within(behind)
    }

    /// The first of these places, and all behind it.
    fn from(&self, places: Places) -> Places {
        self.within(places | places.wrapping_neg())
    }

    /// The place behind the last word.
    fn end(&self) -> Places {
        place(self.words.numbers.len())
    }

    /// Of these places, those of the clause.
    fn within(&self, places: Places) -> Places {
        places & (self.end() << 1).wrapping_sub(1)
    }
}
