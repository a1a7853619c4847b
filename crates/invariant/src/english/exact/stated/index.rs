//! Which forms may fit a clause: each is looked up by the rarest of its parts that must be said, and the others must be said too.

use super::form::{Form, Part};

/// Where forms are looked up.
#[derive(Default)]
pub(super) struct Index {
    /// The parts that words are needed by, by the numbers of these words.
    of_word: Vec<Vec<u32>>,
    /// The forms that are looked up by parts, by the numbers of these parts.
    of_part: Vec<Vec<Known>>,
    /// The forms that need no word.
    always: Vec<Known>,
    /// What forms need besides, one after the other.
    needs: Vec<Need>,
}

/// A form, and where it stands in the list what it needs besides.
#[derive(Clone, Copy)]
struct Known {
    form: Likely,
    from: u32,
    to: u32,
}

/// A form that may fit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
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

/// The parts that are said in a clause, a bit for each.
#[derive(Default)]
pub(super) struct Said {
    bits: Vec<u64>,
    parts: Vec<u32>,
}

impl Said {
    /// Whether a part is said.
    pub(super) fn has(&self, part: u32) -> bool {
        let word = usize::try_from(part / 64).ok().and_then(|at| self.bits.get(at));
        word.is_some_and(|bits| bits & (1 << (part % 64)) != 0)
    }

    fn add(&mut self, part: u32) {
        let Some(bits) = usize::try_from(part / 64).ok().and_then(|at| self.bits.get_mut(at)) else { return };
        let bit = 1 << (part % 64);
        if *bits & bit == 0 {
            *bits |= bit;
            self.parts.push(part);
        }
    }
}

impl Index {
    /// Of these forms, by the numbers of their entries, with as many words and parts.
    pub(super) fn of<'f>(
        forms: impl Iterator<Item = (usize, &'f [Form])> + Clone,
        words: usize,
        parts: usize,
    ) -> Index {
        let mut common = vec![0u64; words];
        let mut known: Vec<Option<&Part>> = vec![None; parts];
        for part in forms.clone().flat_map(|(_, forms)| forms).flat_map(Form::needs) {
            part.needed().iter().for_each(|word| at(&mut common, *word, |count| *count += 1));
            at(&mut known, part.number, |known| *known = Some(part));
        }
        let mut index = Index::default();
        index.of_word.resize_with(words, Vec::new);
        index.of_part.resize_with(parts, Vec::new);
        for part in known.into_iter().flatten() {
            for word in part.needed() {
                at(&mut index.of_word, *word, |parts| parts.push(part.number));
            }
        }
        let rarity = |part: &Part| {
            let counted = |word: &u32| usize::try_from(*word).ok().and_then(|word| common.get(word));
            part.needed().iter().filter_map(counted).sum::<u64>()
        };
        let numbered =
            |(entry, forms): (usize, &'f [Form])| forms.iter().enumerate().map(move |form| (entry, form));
        let mut all: Vec<(usize, (usize, &Form))> = forms.flat_map(numbered).collect();
        all.sort_by(|(_, (_, one)), (_, (_, other))| one.numbers().cmp(other.numbers()));
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        for (rank, (entry, (number, form))) in all.into_iter().enumerate() {
            let likely = Likely { rank: short(rank), entry: short(entry), form: short(number) };
            index.add(likely, form, &rarity);
        }
        index
    }

    fn add(&mut self, likely: Likely, form: &Form, rarity: &dyn Fn(&Part) -> u64) {
        let length = |needs: &[Need]| u32::try_from(needs.len()).unwrap_or(u32::MAX);
        // What can be put in the fewest ways tells most of what a form is about: a sentence that is only near to it says that too.
        let least = form.needs().min_by_key(|part| part.needed().len()).map(|part| part.number);
        let may_be_unsaid = |part: &Part| part.may_be_unsaid && Some(part.number) != least;
        let key = form.needs().min_by_key(|part| (may_be_unsaid(part), rarity(part)));
        let from = length(&self.needs);
        let others = form.needs().filter(|part| key.is_none_or(|key| key.number != part.number));
        let need = |part: &Part| Need { part: part.number, may_be_unsaid: may_be_unsaid(part) };
        self.needs.extend(others.map(need));
        let known = Known { form: likely, from, to: length(&self.needs) };
        match key {
            Some(part) => at(&mut self.of_part, part.number, |forms| forms.push(known)),
            None => self.always.push(known),
        }
    }

    /// The parts that words say, by the numbers of these words.
    pub(super) fn said(&self, words: &[u32]) -> Said {
        let mut said = Said { bits: vec![0; self.of_part.len().div_ceil(64)], parts: Vec::new() };
        let known = words.iter().filter_map(|word| self.of_word.get(usize::try_from(*word).ok()?));
        known.flatten().for_each(|part| said.add(*part));
        said
    }

    /// The forms all parts of which are said, in the order of these parts.
    pub(super) fn likely(&self, said: &Said) -> Vec<Likely> {
        self.forms(said, |needs| needs.iter().all(|need| said.has(need.part)))
    }

    /// The forms all parts of which are said but some that only join others.
    pub(super) fn nearly(&self, said: &Said) -> Vec<Likely> {
        self.forms(said, |needs| needs.iter().all(|need| need.may_be_unsaid || said.has(need.part)))
    }

    fn forms(&self, said: &Said, counts: impl Fn(&[Need]) -> bool) -> Vec<Likely> {
        let looked_up = said.parts.iter().filter_map(|part| self.of_part.get(usize::try_from(*part).ok()?));
        let known = looked_up.flatten().chain(&self.always);
        let needs = |known: &Known| {
            let range = usize::try_from(known.from).ok()?..usize::try_from(known.to).ok()?;
            self.needs.get(range)
        };
        let counts = |known: &&Known| needs(known).is_some_and(&counts);
        let mut likely: Vec<Likely> = known.filter(counts).map(|known| known.form).collect();
        likely.sort_unstable();
        likely
    }
}

/// Changes what stands at a place of a list.
fn at<T>(list: &mut [T], number: u32, change: impl FnOnce(&mut T)) {
    if let Some(item) = usize::try_from(number).ok().and_then(|number| list.get_mut(number)) {
        change(item);
    }
}
