//! Which forms may fit a clause: each is looked up by the rarest of its parts that must be said, and the others must be said too.

use super::form::{Form, Part};

/// Where forms are looked up.
#[derive(Default)]
pub(super) struct Index {
    /// The parts that words are needed by, by the numbers of these words.
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
    /// What forms need, one after the other.
    needs: Vec<Need>,
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
        at(&mut self.forms, part.number, |forms| {
            if forms.is_empty() {
                for word in part.needed() {
                    at(&mut self.keys, *word, |parts| parts.push(part.number));
                }
            }
            forms.push(known);
        });
    }

    /// The forms that are looked up by parts that these words say.
    fn forms(&self, words: &[u32]) -> impl Iterator<Item = &Known> {
        let known = words.iter().filter_map(|word| self.keys.get(usize::try_from(*word).ok()?));
        let asked = in_numbers(known.flatten());
        let forms = |part: u32| self.forms.get(usize::try_from(part).ok()?);
        asked.into_iter().filter_map(forms).flatten()
    }
}

/// A form, the parts that it begins and ends with, and where it stands in the list what it needs.
#[derive(Clone, Copy)]
struct Known {
    form: Likely,
    first: First,
    last: Option<u32>,
    from: u32,
    to: u32,
}

/// What a form must begin with.
#[derive(Clone, Copy)]
enum First {
    /// A part that must be said.
    Part(u32),
    /// What forbids or asks, and behind it a part that must be said.
    Head(Option<u32>),
    /// Whatever it is.
    Open,
}

/// A form that may fit.
#[derive(Clone, Copy)]
pub(super) struct Likely {
    /// Its place among all forms in the order of their parts.
    rank: u32,
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

/// A part that must be said, unless the form only has to be near and this one only joins others.
#[derive(Clone, Copy)]
struct Need {
    part: u32,
    may_be_unsaid: bool,
}

/// The parts that are said in a clause: a bit for each word that they may begin with.
pub(super) struct Said {
    places: Vec<u64>,
}

/// The last word that has a bit of its own.
const LAST_PLACE: usize = 63;

/// The bit of a word.
fn place(at: usize) -> u64 {
    1 << at.min(LAST_PLACE)
}

impl Said {
    /// Of so many parts, none.
    fn none(parts: usize) -> Said {
        Said { places: vec![0; parts] }
    }

    /// The words that a part may begin with.
    fn places(&self, part: u32) -> u64 {
        usize::try_from(part).ok().and_then(|part| self.places.get(part)).copied().unwrap_or_default()
    }

    /// Whether a part is said.
    pub(super) fn has(&self, part: u32) -> bool {
        self.places(part) != 0
    }

    fn add_all(&mut self, parts: &[u32], place: u64) {
        for part in parts {
            at(&mut self.places, *part, |places| *places |= place);
        }
    }

    /// Whether parts may stand one behind the other.
    fn has_in_order(&self, needs: &[Need]) -> bool {
        let mut from = 0;
        needs.iter().all(|need| {
            let places = self.places(need.part) & (u64::MAX << from);
            from = LAST_PLACE.min(usize::try_from(places.trailing_zeros()).unwrap_or(LAST_PLACE) + 1);
            places != 0
        })
    }
}

/// The words of a clause.
pub(super) struct Words<'w> {
    /// The numbers of each of them.
    pub(super) numbers: &'w dyn Fn(usize) -> &'w [u32],
    /// How many there are.
    pub(super) length: usize,
    /// Which of them it may begin with.
    pub(super) first: Vec<usize>,
    /// Which of them may stand behind what forbids or asks in front of it; none where nothing does.
    pub(super) second: Option<Vec<usize>>,
}

/// What a clause says, where it matters.
pub(super) struct Spoken {
    /// The parts that are said anywhere.
    pub(super) anywhere: Said,
    /// The words that it may begin with, and those that may stand behind what forbids or asks in front of it.
    first: u64,
    second: Option<u64>,
    /// The parts that it may end with.
    last: Vec<u32>,
    /// The numbers of all words, of those that it may begin with, and of those behind what forbids or asks.
    all: Vec<u32>,
    starting: Vec<u32>,
    following: Vec<u32>,
}

impl Spoken {
    /// Whether a form may begin and end as the clause does.
    fn has_edges(&self, known: &Known) -> bool {
        let begins = match known.first {
            First::Part(part) => self.anywhere.places(part) & self.first != 0,
            First::Head(part) => self
                .second
                .is_some_and(|second| part.is_none_or(|part| self.anywhere.places(part) & second != 0)),
            First::Open => true,
        };
        begins && known.last.is_none_or(|part| self.last.binary_search(&part).is_ok())
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
            form.needs().for_each(|part| at(&mut known, part.number, |known| *known = Some(part)));
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
            let likely = Likely { rank: short(rank), entry: short(entry), form: short(number) };
            index.add(likely, form, &frequencies);
        }
        index.of_words(&known, words);
        index
    }

    /// Writes down which parts words belong to.
    fn of_words(&mut self, known: &[Option<&Part>], words: usize) {
        let mut of_word: Vec<Vec<u32>> = vec![Vec::new(); words];
        let mut of_last = of_word.clone();
        for part in known.iter().flatten() {
            for word in part.needed() {
                at(&mut of_word, *word, |parts| parts.push(part.number));
            }
            for word in part.ends() {
                at(&mut of_last, word, |parts| parts.push(part.number));
            }
        }
        (self.of_word, self.of_last) = (of_word, of_last);
    }

    fn add(&mut self, likely: Likely, form: &Form, frequencies: &Frequencies) {
        let length = |needs: &[Need]| u32::try_from(needs.len()).unwrap_or(u32::MAX);
        // Of the parts that must be said, the one that can be put in the fewest ways tells most of what a form is about: a sentence
        // that is only near to it says that too.
        let least = form.needs().min_by_key(|part| part.needed().len()).map(|part| part.number);
        let may_be_unsaid = |part: &Part| part.may_be_unsaid && Some(part.number) != least;
        let key = form.needs().min_by_key(|part| (may_be_unsaid(part), frequencies.anywhere(part)));
        let from = length(&self.needs);
        let need = |part: &Part| Need { part: part.number, may_be_unsaid: may_be_unsaid(part) };
        self.needs.extend(form.needs().map(need));
        let first = First::of(form);
        let last = form.last().filter(|part| part.is_worded()).map(|part| part.number);
        let known = Known { form: likely, first, last, from, to: length(&self.needs) };
        let Some(key) = key else { return self.always.push(known) };
        let is_rarer = |part: &&Part, count: u64| count < frequencies.anywhere(key) && part.is_worded();
        let (front, behind) = (form.part(0), form.part(1));
        if let Some(part) = front.filter(|part| is_rarer(part, frequencies.first(part))) {
            self.first.add(part, known);
            self.nearly.add(key, known);
        } else if let Some(part) =
            behind.filter(|part| front.is_some_and(Part::is_head) && is_rarer(part, frequencies.second(part)))
        {
            self.second.add(part, known);
            self.nearly.add(key, known);
        } else {
            self.anywhere.add(key, known);
        }
    }

    /// What a clause says.
    pub(super) fn spoken(&self, words: &Words<'_>) -> Spoken {
        let mut anywhere = Said::none(self.parts);
        for at in 0..words.length {
            for word in (words.numbers)(at) {
                let parts = usize::try_from(*word).ok().and_then(|word| self.of_word.get(word));
                parts.into_iter().for_each(|parts| anywhere.add_all(parts, place(at)));
            }
        }
        let bits = |places: &[usize]| places.iter().fold(0, |bits, at| bits | place(*at));
        let numbers = |places: &[usize]| in_numbers(places.iter().flat_map(|at| (words.numbers)(*at)));
        let ending = words.length.checked_sub(1).map(words.numbers).unwrap_or_default();
        let ends = ending.iter().filter_map(|word| self.of_last.get(usize::try_from(*word).ok()?));
        Spoken {
            anywhere,
            first: bits(&words.first),
            second: words.second.as_deref().map(bits),
            last: in_numbers(ends.flatten()),
            all: in_numbers((0..words.length).flat_map(|at| (words.numbers)(at))),
            starting: numbers(&words.first),
            following: words.second.as_deref().map(numbers).unwrap_or_default(),
        }
    }

    /// The forms all parts of which are said one behind the other, in the order of these parts.
    pub(super) fn likely(&self, spoken: &Spoken) -> Vec<Likely> {
        let counts =
            |known: &&Known| spoken.has_edges(known) && spoken.anywhere.has_in_order(self.needs(known));
        let known = self.anywhere.forms(&spoken.all).chain(self.first.forms(&spoken.starting));
        in_order(known.chain(self.second.forms(&spoken.following)).chain(&self.always).filter(counts))
    }

    /// The forms all parts of which are said but some that only join others.
    pub(super) fn nearly(&self, spoken: &Spoken) -> Vec<Likely> {
        let is_said = |need: &Need| need.may_be_unsaid || spoken.anywhere.has(need.part);
        let counts = |known: &&Known| self.needs(known).iter().all(is_said);
        let known = self.anywhere.forms(&spoken.all).chain(self.nearly.forms(&spoken.all));
        in_order(known.chain(&self.always).filter(counts))
    }

    fn needs(&self, known: &Known) -> &[Need] {
        let range = usize::try_from(known.from).ok().zip(usize::try_from(known.to).ok());
        range.and_then(|(from, to)| self.needs.get(from..to)).unwrap_or_default()
    }
}

/// Numbers in order, each once.
fn in_numbers<'n>(numbers: impl Iterator<Item = &'n u32>) -> Vec<u32> {
    let mut numbers: Vec<u32> = numbers.copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn in_order<'k>(known: impl Iterator<Item = &'k Known>) -> Vec<Likely> {
    let mut likely: Vec<Likely> = known.map(|known| known.form).collect();
    likely.sort_unstable_by_key(|likely| likely.rank);
    likely
}

impl First {
    fn of(form: &Form) -> First {
        let must = |at: usize| form.part(at).filter(|part| part.is_worded()).map(|part| part.number);
        match must(0) {
            Some(part) => First::Part(part),
            None if form.part(0).is_some_and(Part::is_head) => First::Head(must(1)),
            None => First::Open,
        }
    }
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
            part.needed().iter().for_each(|word| at(list, *word, |count| *count += 1));
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
    let counted = |word: &u32| usize::try_from(*word).ok().and_then(|word| counts.get(word));
    part.needed().iter().filter_map(counted).sum()
}

/// Changes what stands at a place of a list.
fn at<T>(list: &mut [T], number: u32, change: impl FnOnce(&mut T)) {
    if let Some(item) = usize::try_from(number).ok().and_then(|number| list.get_mut(number)) {
        change(item);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use portcullis_perceive::layout::Layout;

    use super::*;
    use crate::english::exact::Exact;
    use crate::english::exact::stated::sight::Sight;
    use crate::english::exact::stated::{BUILT_IN, fitting};
    use crate::english::lexicon::Lexicon;
    use crate::english::token::tokens;
    use crate::hand::Hand;

    #[test]
    fn no_form_that_fits_is_passed_over_and_few_others_are_looked_at() {
        let hand = Hand::new(&Layout::default());
        let exact = Exact::new(Lexicon::built_in().unwrap(), &hand, 2026);
        let mut all: Vec<((usize, usize), &Form)> = Vec::new();
        for (entry, stated) in BUILT_IN.stated.iter().enumerate() {
            all.extend(stated.forms.iter().enumerate().map(|(form, own)| ((entry, form), own)));
        }
        all.sort_by(|(_, one), (_, other)| one.numbers().cmp(other.numbers()));
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
            let likely: BTreeSet<(usize, usize)> =
                likely.into_iter().map(|likely| (likely.entry(), likely.form())).collect();
            let found = all.iter().zip(fitting::fits(&forms, &sight));
            let fitting: Vec<(usize, usize)> =
                found.filter(|(_, holes)| holes.is_some()).map(|((origin, _), _)| *origin).collect();
            let lost: Vec<_> = fitting.iter().filter(|origin| !likely.contains(origin)).collect();
            assert!(!fitting.is_empty() && lost.is_empty(), "{said}: {lost:?} of {}", fitting.len());
            assert!(likely.len() < all.len() / 20, "{said}: {}", likely.len());
        }
    }
}
