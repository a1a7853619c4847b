//! Which forms may fit a clause: each is looked up by the rarest of its parts that must be said, and the others must be said too.

use std::rc::Rc;

use super::form::{Form, Part};
use super::numbered::{NumberSet, at, change};
use super::spoken::{Said, Spoken, Step, Words};

/// Where forms are looked up.
#[derive(Default)]
pub(super) struct Index {
    /// The parts that begin with words, by the numbers of these words.
    of_word: Vec<Vec<u32>>,
    /// The parts that may end with words, by the numbers of these words.
    of_last: Vec<Vec<u32>>,
    /// The forms that are looked up by a part, wherever it is said.
    anywhere: Table,
    /// Those that are looked up by the part that they begin with, and by the part behind what forbids or asks.
    first: Table,
    second: Table,
    /// Where those are looked up as well that only have to be near.
    nearly: Table,
    /// The forms that need no word.
    always: Vec<Known>,
    /// All forms in the order of their parts.
    forms: Vec<Likely>,
    /// The parts of forms, one form after the other.
    steps: Vec<Step>,
    /// How many parts there are.
    parts: usize,
}

/// Forms by parts.
#[derive(Default)]
struct Table {
    /// The parts that words are needed by and that forms are looked up by, by the numbers of these words.
    keys: Vec<Vec<u32>>,
    /// Forms by the numbers of parts.
    forms: Vec<Vec<Known>>,
}

impl Table {
    fn new(words: usize, parts: usize) -> Table {
        let mut table = Table { keys: vec![Vec::new(); words], forms: Vec::new() };
        table.forms.resize_with(parts, Vec::new);
        table
    }

    fn add(&mut self, part: &Part, known: Known) {
        change(&mut self.forms, part.number, |forms| {
            if forms.is_empty() {
                for word in part.needed() {
                    change(&mut self.keys, *word, |parts| parts.push(part.number));
                }
            }
            forms.push(known);
        });
    }

    /// The forms that are looked up by parts that these words say.
    fn forms(&self, words: &[u32]) -> impl Iterator<Item = &Known> {
        let mut seen = NumberSet::default();
        let asked =
            words.iter().flat_map(|word| list(&self.keys, *word)).filter(move |part| seen.insert(**part));
        asked.filter_map(|part| at(&self.forms, *part)).flatten()
    }
}

/// A form as it is looked up: by its place among all in the order of their parts.
#[derive(Clone, Copy)]
struct Known {
    rank: u32,
    /// The rarest part that must be said besides the one that it is looked up by.
    also: Option<u32>,
    /// What it must begin and end with.
    first: First,
    last: Option<u32>,
    /// Where its parts stand in the list of all.
    from: u32,
    to: u32,
}

/// What a form must begin with.
#[derive(Clone, Copy)]
enum First {
    /// A part that must be said.
    Part(u32),
    /// What forbids or asks.
    Head,
    /// That, and behind it a part that must be said.
    BehindHead(u32),
    /// Whatever it is.
    Open,
}

impl First {
    fn of(form: &Form) -> First {
        let must = |at: usize| form.part(at).filter(|part| part.is_worded()).map(|part| part.number);
        match must(0) {
            Some(part) => First::Part(part),
            None if form.part(0).is_some_and(Part::is_head) => must(1).map_or(First::Head, First::BehindHead),
            None => First::Open,
        }
    }
}

impl Known {
    /// Whether what is rarest in it is said, and whether it may begin and end as a clause does.
    fn is_likely(&self, spoken: &Spoken) -> bool {
        let begins = match self.first {
            First::Part(part) => spoken.has_first(part),
            First::Head => spoken.has_head(),
            First::BehindHead(part) => spoken.has_second(part),
            First::Open => true,
        };
        begins
            && self.also.is_none_or(|part| spoken.has(part))
            && self.last.is_none_or(|part| spoken.has_last(part))
    }
}

/// A form that may fit.
#[derive(Clone, Copy)]
pub(super) struct Likely {
    entry: u32,
    form: u32,
}

impl Likely {
    /// The number of its entry.
    pub(super) fn entry(self) -> usize {
        usize::try_from(self.entry).unwrap_or(usize::MAX)
    }

    /// Which of the forms of the entry it is.
    pub(super) fn form(self) -> usize {
        usize::try_from(self.form).unwrap_or(usize::MAX)
    }
}

impl Index {
    /// Of these forms, by the numbers of their entries, with as many words and parts.
    pub(super) fn of<'f>(
        forms: impl Iterator<Item = (usize, &'f [Form])> + Clone,
        words: usize,
        parts: usize,
    ) -> Index {
        let mut frequencies = Frequencies::new(words);
        let mut known: Vec<Option<&Part>> = vec![None; parts];
        for form in forms.clone().flat_map(|(_, forms)| forms) {
            frequencies.count(form);
            form.parts().for_each(|part| change(&mut known, part.number, |known| *known = Some(part)));
        }
        let numbered =
            |(entry, forms): (usize, &'f [Form])| forms.iter().enumerate().map(move |form| (entry, form));
        let mut all: Vec<(usize, (usize, &Form))> = forms.flat_map(numbered).collect();
        all.sort_by(|(_, (_, one)), (_, (_, other))| one.numbers().cmp(other.numbers()));
        let table = || Table::new(words, parts);
        let mut index = Index {
            anywhere: table(),
            first: table(),
            second: table(),
            nearly: table(),
            parts,
            ..Index::default()
        };
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        for (rank, (entry, (number, form))) in all.into_iter().enumerate() {
            index.forms.push(Likely { entry: short(entry), form: short(number) });
            index.add(short(rank), form, &frequencies);
        }
        index.of_words(&known, words);
        index
    }

    /// Writes down which parts words belong to.
    fn of_words(&mut self, known: &[Option<&Part>], words: usize) {
        let mut of_word: Vec<Vec<u32>> = vec![Vec::new(); words];
        let mut of_last = of_word.clone();
        for part in known.iter().flatten() {
            for word in part.firsts() {
                change(&mut of_word, *word, |parts| parts.push(part.number));
            }
            for word in part.ends().filter(|_| part.is_worded()) {
                change(&mut of_last, word, |parts| parts.push(part.number));
            }
        }
        (self.of_word, self.of_last) = (of_word, of_last);
    }

    fn add(&mut self, rank: u32, form: &Form, frequencies: &Frequencies) {
        let length = |steps: &[Step]| u32::try_from(steps.len()).unwrap_or(u32::MAX);
        // Of the parts that must be said, the one that can be put in the fewest ways tells most of what a form is about: a sentence
        // that is only near to it says that too.
        let least = form.needs().min_by_key(|part| part.needed().len()).map(|part| part.number);
        let may_be_unsaid = |part: &Part| part.may_be_unsaid && Some(part.number) != least;
        let key = form.needs().min_by_key(|part| (may_be_unsaid(part), frequencies.anywhere(part)));
        let from = length(&self.steps);
        let step = |(at, part): (usize, &Part)| Step::of(part, form.part(at + 1), Some(part.number) == least);
        self.steps.extend(form.parts().enumerate().map(step));
        let last = form.last().filter(|part| part.is_worded()).map(|part| part.number);
        let others = form.needs().filter(|part| key.is_none_or(|key| part.number != key.number));
        let also = others.min_by_key(|part| frequencies.anywhere(part)).map(|part| part.number);
        let known = Known { rank, also, first: First::of(form), last, from, to: length(&self.steps) };
        let Some(key) = key else { return self.always.push(known) };
        let is_rarer = |part: &&Part, count: u64| count < frequencies.anywhere(key) && part.is_worded();
        let (front, behind) = (form.part(0), form.part(1));
        if let Some(part) = front.filter(|part| is_rarer(part, frequencies.first(part))) {
            self.first.add(part, Known { also: Some(key.number), ..known });
            self.nearly.add(key, known);
        } else if let Some(part) =
            behind.filter(|part| front.is_some_and(Part::is_head) && is_rarer(part, frequencies.second(part)))
        {
            self.second.add(part, Known { also: Some(key.number), ..known });
            self.nearly.add(key, known);
        } else {
            self.anywhere.add(key, known);
        }
    }

    /// What a clause says, which is noted with what others said.
    pub(super) fn spoken(&self, said: &mut Rc<Said>, words: Words) -> Spoken {
        let of_word = |word: u32| list(&self.of_word, word);
        Rc::make_mut(said).note(&words.numbers, self.parts, of_word);
        let last = words.last().iter().flat_map(|word| list(&self.of_last, *word)).copied().collect();
        Spoken::new(Rc::clone(said), words, last)
    }

    /// The forms whose parts may stand one behind the other in the clause, in the order of these parts.
    pub(super) fn likely(&self, spoken: &Spoken) -> Vec<Likely> {
        let (all, first) = (in_numbers(spoken.numbers()), in_numbers(spoken.first()));
        let second = in_numbers(spoken.second());
        let counts = |known: &&Known| known.is_likely(spoken) && spoken.may_fit(self.steps(known));
        let known = self.anywhere.forms(&all).chain(self.first.forms(&first));
        self.in_order(known.chain(self.second.forms(&second)).chain(&self.always).filter(counts))
    }

    /// The forms that the clause may be as near to.
    pub(super) fn nearly(&self, spoken: &Spoken, farthest: u8) -> Vec<Likely> {
        let all = in_numbers(spoken.numbers());
        let counts = |known: &&Known| spoken.may_nearly_fit(self.steps(known), farthest);
        let known = self.anywhere.forms(&all).chain(self.nearly.forms(&all));
        self.in_order(known.chain(&self.always).filter(counts))
    }

    fn in_order<'k>(&self, known: impl Iterator<Item = &'k Known>) -> Vec<Likely> {
        let mut ranks: Vec<u32> = known.map(|known| known.rank).collect();
        ranks.sort_unstable();
        ranks.into_iter().filter_map(|rank| at(&self.forms, rank).copied()).collect()
    }

    fn steps(&self, known: &Known) -> &[Step] {
        let range = usize::try_from(known.from).ok().zip(usize::try_from(known.to).ok());
        range.and_then(|(from, to)| self.steps.get(from..to)).unwrap_or_default()
    }
}

/// The list of a word.
fn list(of_words: &[Vec<u32>], word: u32) -> &[u32] {
    at(of_words, word).map(Vec::as_slice).unwrap_or_default()
}

/// Numbers in order, each once.
fn in_numbers<'n>(numbers: impl Iterator<Item = &'n u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// How many forms words belong to, which tells how rare they are.
struct Frequencies {
    anywhere: Vec<u64>,
    first: Vec<u64>,
    second: Vec<u64>,
}

impl Frequencies {
    fn new(words: usize) -> Frequencies {
        Frequencies { anywhere: vec![0; words], first: vec![0; words], second: vec![0; words] }
    }

    fn count(&mut self, form: &Form) {
        let one_more = |list: &mut Vec<u64>, part: &Part| {
            part.needed().iter().for_each(|word| change(list, *word, |count| *count += 1));
        };
        form.needs().for_each(|part| one_more(&mut self.anywhere, part));
        let front = form.part(0);
        front.into_iter().for_each(|part| one_more(&mut self.first, part));
        let behind = form.part(1).filter(|_| front.is_some_and(Part::is_head));
        behind.into_iter().for_each(|part| one_more(&mut self.second, part));
    }

    fn anywhere(&self, part: &Part) -> u64 {
        sum(&self.anywhere, part)
    }

    fn first(&self, part: &Part) -> u64 {
        sum(&self.first, part)
    }

    fn second(&self, part: &Part) -> u64 {
        sum(&self.second, part)
    }
}

fn sum(counts: &[u64], part: &Part) -> u64 {
    part.needed().iter().filter_map(|word| at(counts, *word)).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use portcullis_perceive::layout::Layout;

    use super::*;
    use crate::english::exact::Exact;
    use crate::english::exact::stated::sight::Sight;
    use crate::english::exact::stated::{BUILT_IN, FARTHEST, fitting};
    use crate::english::lexicon::Lexicon;
    use crate::english::token::tokens;
    use crate::hand::Hand;

    /// All forms in the order of their parts, by the numbers of their entries and their own.
    fn all_forms() -> Vec<((usize, usize), &'static Form)> {
        let mut all: Vec<((usize, usize), &Form)> = Vec::new();
        for (entry, stated) in BUILT_IN.stated.iter().enumerate() {
            all.extend(stated.forms.iter().enumerate().map(|(form, own)| ((entry, form), own)));
        }
        all.sort_by(|(_, one), (_, other)| one.numbers().cmp(other.numbers()));
        all
    }

    fn origins(forms: Vec<Likely>) -> BTreeSet<(usize, usize)> {
        forms.into_iter().map(|likely| (likely.entry(), likely.form())).collect()
    }

    #[test]
    fn no_form_that_fits_is_passed_over_and_few_others_are_looked_at() {
        let hand = Hand::new(&Layout::default());
        let exact = Exact::new(Lexicon::built_in().unwrap(), &hand, 2026);
        let all = all_forms();
        let forms: Vec<&Form> = all.iter().map(|(_, form)| *form).collect();
        for said in [
            "never delete anything in photos/",
            "no force pushes",
            "docs/ is read-only",
            "nothing from hr/ may leave this machine",
            "ask me before you send a mail",
            "only write inside docs/",
        ] {
            let tokens = tokens(said);
            let sight = Sight::of(&tokens, &exact, &BUILT_IN.vocabulary);
            let likely = BUILT_IN.index.likely(&sight.spoken(&BUILT_IN.index));
            let likely = origins(likely);
            let found = all.iter().zip(fitting::fits(&forms, &sight));
            let fitting: Vec<(usize, usize)> =
                found.filter(|(_, holes)| holes.is_some()).map(|((origin, _), _)| *origin).collect();
            let lost: Vec<_> = fitting.iter().filter(|origin| !likely.contains(origin)).collect();
            assert!(!fitting.is_empty() && lost.is_empty(), "{said}: {lost:?} of {}", fitting.len());
            assert!(likely.len() < all.len() / 20, "{said}: {}", likely.len());
        }
    }

    #[test]
    fn no_form_that_is_near_is_passed_over() {
        let hand = Hand::new(&Layout::default());
        let exact = Exact::new(Lexicon::built_in().unwrap(), &hand, 2026);
        let all = all_forms();
        let mut found = 0;
        for said in [
            "never ever delete any of those things in photos/",
            "please no force pushes to it",
            "docs/ is really read-only here",
            "nothing at all from hr/ may leave this machine",
        ] {
            let tokens = tokens(said);
            let sight = Sight::of(&tokens, &exact, &BUILT_IN.vocabulary);
            let spoken = sight.spoken(&BUILT_IN.index);
            for farthest in 1..=FARTHEST {
                let nearly = origins(BUILT_IN.index.nearly(&spoken, farthest));
                // What must be said is said: a form that lacks what it is about is near to nothing.
                let is_said = |form: &Form| form.needs().all(|part| spoken.has(part.number));
                let is_near = |form: &Form| is_said(form) && form.near(&sight, farthest).is_some();
                let near: Vec<_> = all.iter().filter(|(_, form)| is_near(form)).collect();
                let lost = near.iter().filter(|(origin, _)| !nearly.contains(origin)).count();
                found += near.len();
                assert_eq!(lost, 0, "{said}: {lost} of {}", near.len());
                assert!(nearly.len() < all.len() / 20, "{said}: {}", nearly.len());
            }
        }
        assert!(found > 10, "the sentences are near to nothing: {found}");
    }
}
