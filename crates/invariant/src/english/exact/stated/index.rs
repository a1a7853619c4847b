//! Which forms may fit a clause: each is looked up by the rarest of its parts that must be said, and the others must be said too.

use super::form::{Form, Part};

/// Where forms are looked up.
#[derive(Default)]
pub(super) struct Index {
    /// The parts that words are needed by, by the numbers of these words.
    of_word: Vec<Parts>,
    /// The parts that may end with words, by the numbers of these words.
    of_last: Vec<Parts>,
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
    fn forms(&self, words: impl Iterator<Item = u32>) -> impl Iterator<Item = &Known> {
        let known = words.filter_map(|word| self.keys.get(usize::try_from(word).ok()?));
        let mut asked: Vec<u32> = known.flatten().copied().collect();
        asked.sort_unstable();
        asked.dedup();
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

/// Parts that a word belongs to.
enum Parts {
    /// Their numbers.
    Few(Vec<u32>),
    /// A bit for each part that there is.
    Many(Said),
}

/// The parts that are said in a clause, a bit for each.
pub(super) struct Said {
    bits: Vec<u64>,
}

impl Said {
    /// Of so many parts, none.
    fn none(parts: usize) -> Said {
        Said { bits: vec![0; parts.div_ceil(64)] }
    }

    /// Whether a part is said.
    pub(super) fn has(&self, part: u32) -> bool {
        let word = usize::try_from(part / 64).ok().and_then(|at| self.bits.get(at));
        word.is_some_and(|bits| bits & (1 << (part % 64)) != 0)
    }

    fn add(&mut self, part: u32) {
        if let Some(bits) = usize::try_from(part / 64).ok().and_then(|at| self.bits.get_mut(at)) {
            *bits |= 1 << (part % 64);
        }
    }

    fn add_all(&mut self, parts: &Parts) {
        match parts {
            Parts::Few(parts) => parts.iter().for_each(|part| self.add(*part)),
            Parts::Many(said) => {
                self.bits.iter_mut().zip(&said.bits).for_each(|(bits, more)| *bits |= more);
            }
        }
    }
}

impl Parts {
    /// Whichever takes less time to look through.
    fn of(numbers: Vec<u32>, parts: usize) -> Parts {
        if numbers.len() < parts.div_ceil(64) {
            return Parts::Few(numbers);
        }
        let mut said = Said::none(parts);
        for part in numbers {
            said.add(part);
        }
        Parts::Many(said)
    }
}

/// The numbers of words of a clause.
#[derive(Default)]
pub(super) struct Numbers {
    /// Of all of them.
    pub(super) all: Vec<u32>,
    /// Of those that it may begin with.
    pub(super) first: Vec<u32>,
    /// Of those that may stand behind what forbids or asks in front of it; none where nothing does.
    pub(super) second: Option<Vec<u32>>,
    /// Of the last one.
    pub(super) last: Vec<u32>,
}

/// What a clause says, where it matters.
pub(super) struct Spoken {
    numbers: Numbers,
    /// The parts that are said anywhere.
    pub(super) anywhere: Said,
    first: Said,
    second: Option<Said>,
    last: Said,
}

impl Spoken {
    /// Whether a form may begin and end as the clause does.
    fn has_edges(&self, known: &Known) -> bool {
        let begins = match known.first {
            First::Part(part) => self.first.has(part),
            First::Head(part) => {
                self.second.as_ref().is_some_and(|second| part.is_none_or(|part| second.has(part)))
            }
            First::Open => true,
        };
        begins && known.last.is_none_or(|part| self.last.has(part))
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
        let parts = self.parts;
        let each = |list: Vec<Vec<u32>>| list.into_iter().map(|numbers| Parts::of(numbers, parts)).collect();
        (self.of_word, self.of_last) = (each(of_word), each(of_last));
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
    pub(super) fn spoken(&self, numbers: Numbers) -> Spoken {
        Spoken {
            anywhere: self.said(&self.of_word, &numbers.all),
            first: self.said(&self.of_word, &numbers.first),
            second: numbers.second.as_ref().map(|second| self.said(&self.of_word, second)),
            last: self.said(&self.of_last, &numbers.last),
            numbers,
        }
    }

    fn said(&self, of_word: &[Parts], words: &[u32]) -> Said {
        let mut said = Said::none(self.parts);
        let known = words.iter().filter_map(|word| of_word.get(usize::try_from(*word).ok()?));
        known.for_each(|parts| said.add_all(parts));
        said
    }

    /// The forms all parts of which are said, in the order of these parts.
    pub(super) fn likely(&self, spoken: &Spoken) -> Vec<Likely> {
        let is_said = |need: &Need| spoken.anywhere.has(need.part);
        let counts = |known: &&Known| spoken.has_edges(known) && self.needs(known).iter().all(is_said);
        let numbers = &spoken.numbers;
        let second = numbers.second.iter().flatten().copied();
        let known = self.anywhere.forms(numbers.all.iter().copied());
        let known = known.chain(self.first.forms(numbers.first.iter().copied()));
        in_order(known.chain(self.second.forms(second)).chain(&self.always).filter(counts))
    }

    /// The forms all parts of which are said but some that only join others.
    pub(super) fn nearly(&self, spoken: &Spoken) -> Vec<Likely> {
        let is_said = |need: &Need| need.may_be_unsaid || spoken.anywhere.has(need.part);
        let counts = |known: &&Known| self.needs(known).iter().all(is_said);
        let all = || spoken.numbers.all.iter().copied();
        let known = self.anywhere.forms(all()).chain(self.nearly.forms(all()));
        in_order(known.chain(&self.always).filter(counts))
    }

    fn needs(&self, known: &Known) -> &[Need] {
        let range = usize::try_from(known.from).ok().zip(usize::try_from(known.to).ok());
        range.and_then(|(from, to)| self.needs.get(from..to)).unwrap_or_default()
    }
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
