//! Lists and sets by small numbers, such as those of words.

/// What stands at a place of a list.
pub(super) fn at<T>(list: &[T], number: u32) -> Option<&T> {
    list.get(usize::try_from(number).ok()?)
}

/// Changes what stands at a place of a list.
pub(super) fn change<T>(list: &mut [T], number: u32, change: impl FnOnce(&mut T)) {
    if let Some(item) = usize::try_from(number).ok().and_then(|number| list.get_mut(number)) {
        change(item);
    }
}

/// A set of numbers, a bit for each.
#[derive(Default)]
pub(super) struct NumberSet {
    bits: Vec<u64>,
}

impl NumberSet {
    /// Adds a number, and tells whether it is new.
    pub(super) fn insert(&mut self, number: u32) -> bool {
        let Ok(at) = usize::try_from(number / u64::BITS) else { return false };
        if self.bits.len() <= at {
            self.bits.resize(at + 1, 0);
        }
        let bit = 1 << (number % u64::BITS);
        self.bits.get_mut(at).is_some_and(|bits| {
            let is_new = *bits & bit == 0;
            *bits |= bit;
            is_new
        })
    }

    /// Whether a number is among them.
    pub(super) fn has(&self, number: u32) -> bool {
        let bits = usize::try_from(number / u64::BITS).ok().and_then(|at| self.bits.get(at));
        bits.is_some_and(|bits| bits & (1 << (number % u64::BITS)) != 0)
    }
}

impl Extend<u32> for NumberSet {
    fn extend<I: IntoIterator<Item = u32>>(&mut self, numbers: I) {
        for number in numbers {
            self.insert(number);
        }
    }
}

impl FromIterator<u32> for NumberSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> NumberSet {
        let mut set = NumberSet::default();
        set.extend(numbers);
        set
    }
}
