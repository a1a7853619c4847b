//! What a clause names and nothing says anything of.

use super::Draft;
use crate::english::frame::Frame;
use crate::english::lexicon::Marker;
use crate::meaning::Test;

/// An argument that a clause names and that no test is about: "no emoji in page titles", where nothing has a title.
pub(super) fn unsaid<'f>(frame: &'f Frame, draft: &Draft) -> Option<&'f String> {
    let is_said = |word: &&String| *word != "url";
    // "page titles stay as they are": the titles, not the pages.
    let mut all = frame.slots.iter().flat_map(|slot| &slot.nouns).filter_map(|noun| noun.parameter.as_ref());
    if frame.has(Marker::Protect)
        && let Some(word) = all.find(is_said)
    {
        return Some(word);
    }
    let is_about = |test: &Test| {
        matches!(
            test,
            Test::Says { .. }
                | Test::Given { .. }
                | Test::Choice { .. }
                | Test::Measure { .. }
                | Test::Value { .. }
                | Test::Place { .. }
        )
    };
    let is_used = draft.tests.iter().any(|test| match test {
        Test::Any(alternatives) => alternatives.iter().flatten().any(is_about),
        test => is_about(test),
    });
    let named = frame.slots.iter().filter(|slot| !slot.leads).flat_map(|slot| &slot.nouns);
    named.filter_map(|noun| noun.parameter.as_ref()).find(is_said).filter(|_| !is_used)
}
