//! Which forms may fit a clause: each is looked up by the rarest of its parts that must be said, and the others must be said too.

use super::form::{Form, Part};

/// Where forms are looked up.
#[derive(Default)]
pub(super) struct Index {
    /// The parts that words are needed by, by the numbers of these words.
    of_word: Vec<Parts>,
    /// The parts that may end with words, by the numbers of these words.
    of_last: Vec<Parts>,
    /// The parts that words are needed by and that forms are looked up by, by the numbers of these words.
    keys_of_word: Vec<Vec<u32>>,
    /// The forms that are looked up by parts, by the numbers of these parts.
    of_part: Vec<Vec<Known>>,
    /// The forms that need no word.
    always: Vec<Known>,
    /// What forms need besides, one after the other.
    needs: Vec<Need>,
}

/// A form, the parts that it begins and ends with, and where it stands in the list what it needs besides.
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

    /// Adds a part, and tells whether it is new.
    fn add(&mut self, part: u32) -> bool {
        let Some(bits) = usize::try_from(part / 64).ok().and_then(|at| self.bits.get_mut(at)) else {
            return false;
        };
        let bit = 1 << (part % 64);
        let is_new = *bits & bit == 0;
        *bits |= bit;
        is_new
    }

    fn add_all(&mut self, parts: &Parts) {
        match parts {
            Parts::Few(parts) => parts.iter().for_each(|part| {
                self.add(*part);
            }),
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

/// What a clause says, where it matters.
pub(super) struct Spoken {
    /// The parts that are said anywhere.
    pub(super) anywhere: Said,
    /// Those of them that forms are looked up by.
    keys: Vec<u32>,
    /// Those that it may begin with.
    pub(super) first: Said,
    /// Those that may stand behind what forbids or asks in front of it; none where nothing does.
    pub(super) second: Option<Said>,
    /// Those that it may end with.
    pub(super) last: Said,
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
        let mut common = vec![0u64; words];
        let mut known: Vec<Option<&Part>> = vec![None; parts];
        for part in forms.clone().flat_map(|(_, forms)| forms).flat_map(Form::needs) {
            part.needed().iter().for_each(|word| at(&mut common, *word, |count| *count += 1));
            at(&mut known, part.number, |known| *known = Some(part));
        }
        let rarity = |part: &Part| {
            let counted = |word: &u32| usize::try_from(*word).ok().and_then(|word| common.get(word));
            part.needed().iter().filter_map(counted).sum::<u64>()
        };
        let numbered =
            |(entry, forms): (usize, &'f [Form])| forms.iter().enumerate().map(move |form| (entry, form));
        let mut all: Vec<(usize, (usize, &Form))> = forms.flat_map(numbered).collect();
        all.sort_by(|(_, (_, one)), (_, (_, other))| one.numbers().cmp(other.numbers()));
        let mut index = Index { of_part: Vec::new(), ..Index::default() };
        index.of_part.resize_with(parts, Vec::new);
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let mut keyed: Vec<(Option<u32>, Likely, &Form)> = Vec::new();
        for (rank, (entry, (number, form))) in all.into_iter().enumerate() {
            let likely = Likely { rank: short(rank), entry: short(entry), form: short(number) };
            keyed.push((key(form, &rarity), likely, form));
        }
        // What is looked through together stands together.
        keyed.sort_by_key(|(key, likely, _)| (*key, likely.rank));
        keyed.into_iter().for_each(|(key, likely, form)| index.add(key, likely, form));
        index.of_words(&known, words, parts);
        index
    }

    /// Writes down which parts words belong to.
    fn of_words(&mut self, known: &[Option<&Part>], words: usize, parts: usize) {
        let mut of_word: Vec<Vec<u32>> = vec![Vec::new(); words];
        let (mut of_last, mut of_keys) = (of_word.clone(), of_word.clone());
        for part in known.iter().flatten() {
            let is_key = self.forms_of(part.number).next().is_some();
            for word in part.needed() {
                at(&mut of_word, *word, |parts| parts.push(part.number));
                at(&mut of_keys, *word, |parts| parts.extend(is_key.then_some(part.number)));
            }
            for word in part.ends() {
                at(&mut of_last, word, |parts| parts.push(part.number));
            }
        }
        let each = |list: Vec<Vec<u32>>| list.into_iter().map(|numbers| Parts::of(numbers, parts)).collect();
        (self.of_word, self.of_last, self.keys_of_word) = (each(of_word), each(of_last), of_keys);
    }

    fn forms_of(&self, part: u32) -> impl Iterator<Item = &Known> {
        usize::try_from(part).ok().and_then(|part| self.of_part.get(part)).into_iter().flatten()
    }

    fn add(&mut self, key: Option<u32>, likely: Likely, form: &Form) {
        let length = |needs: &[Need]| u32::try_from(needs.len()).unwrap_or(u32::MAX);
        let least = least(form);
        let from = length(&self.needs);
        let others = form.needs().filter(|part| Some(part.number) != key);
        let need = |part: &Part| Need {
            part: part.number,
            may_be_unsaid: part.may_be_unsaid && Some(part.number) != least,
        };
        self.needs.extend(others.map(need));
        let (first, last) = (first(form), last(form));
        let known = Known { form: likely, first, last, from, to: length(&self.needs) };
        match key {
            Some(part) => at(&mut self.of_part, part, |forms| forms.push(known)),
            None => self.always.push(known),
        }
    }

    /// What a clause says, by the numbers of its words: of all, of those that it may begin with, of those that may stand behind what
    /// forbids or asks in front of it, and of the last one.
    pub(super) fn spoken(
        &self,
        all: impl Iterator<Item = u32> + Clone,
        first: impl Iterator<Item = u32>,
        second: Option<impl Iterator<Item = u32>>,
        last: impl Iterator<Item = u32>,
    ) -> Spoken {
        let mut asked = Said::none(self.of_part.len());
        let keys = all.clone().filter_map(|word| self.keys_of_word.get(usize::try_from(word).ok()?));
        Spoken {
            keys: keys.flatten().copied().filter(|part| asked.add(*part)).collect(),
            anywhere: self.said(&self.of_word, all),
            first: self.said(&self.of_word, first),
            second: second.map(|second| self.said(&self.of_word, second)),
            last: self.said(&self.of_last, last),
        }
    }

    fn said(&self, of_word: &[Parts], words: impl Iterator<Item = u32>) -> Said {
        let mut said = Said::none(self.of_part.len());
        let known = words.filter_map(|word| of_word.get(usize::try_from(word).ok()?));
        known.for_each(|parts| said.add_all(parts));
        said
    }

    /// The forms all parts of which are said, in the order of these parts.
    pub(super) fn likely(&self, spoken: &Spoken) -> Vec<Likely> {
        let is_said = |need: &Need| spoken.anywhere.has(need.part);
        self.forms(spoken, |known| spoken.has_edges(known) && self.needs(known).iter().all(is_said))
    }

    /// The forms all parts of which are said but some that only join others.
    pub(super) fn nearly(&self, spoken: &Spoken) -> Vec<Likely> {
        let is_said = |need: &Need| need.may_be_unsaid || spoken.anywhere.has(need.part);
        self.forms(spoken, |known| self.needs(known).iter().all(is_said))
    }

    fn needs(&self, known: &Known) -> &[Need] {
        let range = usize::try_from(known.from).ok().zip(usize::try_from(known.to).ok());
        range.and_then(|(from, to)| self.needs.get(from..to)).unwrap_or_default()
    }

    fn forms(&self, spoken: &Spoken, counts: impl Fn(&Known) -> bool) -> Vec<Likely> {
        let known = spoken.keys.iter().flat_map(|part| self.forms_of(*part)).chain(&self.always);
        let mut likely: Vec<Likely> = known.filter(|known| counts(known)).map(|known| known.form).collect();
        likely.sort_unstable();
        likely
    }
}

/// Of the parts that must be said, the one that can be put in the fewest ways. It tells most of what a form is about: a sentence that
/// is only near to it says that too.
fn least(form: &Form) -> Option<u32> {
    form.needs().min_by_key(|part| part.needed().len()).map(|part| part.number)
}

/// The part by which a form is looked up: the rarest one.
fn key(form: &Form, rarity: &dyn Fn(&Part) -> u64) -> Option<u32> {
    let least = least(form);
    let may_be_unsaid = |part: &Part| part.may_be_unsaid && Some(part.number) != least;
    form.needs().min_by_key(|part| (may_be_unsaid(part), rarity(part))).map(|part| part.number)
}

fn first(form: &Form) -> First {
    let must = |at: usize| form.part(at).filter(|part| part.is_worded()).map(|part| part.number);
    match must(0) {
        Some(part) => First::Part(part),
        None if form.part(0).is_some_and(Part::is_head) => First::Head(must(1)),
        None => First::Open,
    }
}

/// The part that a form must end with.
fn last(form: &Form) -> Option<u32> {
    form.last().filter(|part| part.is_worded()).map(|part| part.number)
}

/// Changes what stands at a place of a list.
fn at<T>(list: &mut [T], number: u32, change: impl FnOnce(&mut T)) {
    if let Some(item) = usize::try_from(number).ok().and_then(|number| list.get_mut(number)) {
        change(item);
    }
}
