//! Many forms at once: what begins alike is looked at once.

use std::cell::RefCell;
use std::ops::Range;

use super::form::{Form, Part, fitting};
use super::holes::Holes;
use super::sight::Sight;

/// What fills the holes of each of these forms, which stand in the order of their parts, if the words have this form and nothing
/// else.
pub(super) fn fits(forms: &[&Form], sight: &Sight<'_>) -> Vec<Option<Holes>> {
    let found = RefCell::new(vec![None; forms.len()]);
    let search = Search { forms, sight, found };
    search.go_on(&(0..forms.len()), 0, 0, &Holes::default());
    search.found.into_inner()
}

struct Search<'s, 'f> {
    forms: &'s [&'f Form],
    sight: &'s Sight<'s>,
    /// What fills the holes of each form: the first way that is found, as if it were looked at alone.
    found: RefCell<Vec<Option<Holes>>>,
}

impl<'f> Search<'_, 'f> {
    /// Goes on from a word with forms that have begun alike.
    fn go_on(&self, forms: &Range<usize>, depth: usize, at: usize, holes: &Holes) {
        let mut from = forms.start;
        while from < forms.end {
            let Some(part) = self.part(from, depth) else {
                if at == self.sight.len() {
                    self.fill(from, holes);
                }
                from += 1;
                continue;
            };
            let is_other =
                |form: &usize| self.part(*form, depth).is_none_or(|other| other.number != part.number);
            let to = (from..forms.end).find(is_other).unwrap_or(forms.end);
            self.alike(&(from..to), part, depth, at, holes);
            from = to;
        }
    }

    /// The same with forms that go on with the same part, perhaps behind words without which nothing is lost.
    fn alike(&self, forms: &Range<usize>, part: &Part, depth: usize, at: usize, holes: &Holes) {
        if self.are_found(forms) {
            return;
        }
        let go = |length: usize, holes: Holes| {
            self.go_on(forms, depth + 1, at + length, &holes);
            self.are_found(forms).then(Holes::default)
        };
        if fitting(part, self.sight, at, holes, &go).is_none() && self.sight.is_light(at) {
            self.alike(forms, part, depth, at + 1, holes);
        }
    }

    fn part(&self, form: usize, depth: usize) -> Option<&'f Part> {
        self.forms.get(form)?.part(depth)
    }

    fn fill(&self, form: usize, holes: &Holes) {
        if let Some(found @ None) = self.found.borrow_mut().get_mut(form) {
            *found = Some(holes.clone());
        }
    }

    fn are_found(&self, forms: &Range<usize>) -> bool {
        self.found.borrow().get(forms.clone()).is_some_and(|found| found.iter().all(Option::is_some))
    }
}
