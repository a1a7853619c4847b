//! A draft as the cases that it stands for.

use super::Draft;
use crate::meaning::{Case, Doing, Test};

/// The cases of a draft: several where not all that is done has the same time.
pub(super) fn split(draft: Draft) -> Vec<Case> {
    let whole = Case { doings: draft.doings, tests: draft.tests, unless: draft.unless };
    // "No mails and no meetings on Sundays": a meeting has a time of its own, a mail has not.
    let schedules =
        |doing: &Doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "schedule" | "invite"));
    let is_mixed = whole.doings.iter().any(schedules) && !whole.doings.iter().all(schedules);
    let of_event = |test: &Test| matches!(test, Test::Time { of_event: true, .. });
    if !is_mixed || !whole.tests.iter().any(of_event) {
        return vec![whole];
    }
    let (own, others): (Vec<Doing>, Vec<Doing>) = whole.doings.iter().cloned().partition(schedules);
    let mut present = Case { doings: others, ..whole.clone() };
    for test in &mut present.tests {
        if let Test::Time { of_event, .. } = test {
            *of_event = false;
        }
    }
    vec![Case { doings: own, ..whole }, present]
}
