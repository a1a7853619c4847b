//! Times and amounts of a clause.

use super::{Draft, Interpreter};
use crate::english::Trouble;
use crate::english::amount::{Amount, Compare};
use crate::english::frame::Frame;
use crate::english::lexicon::Marker;
use crate::meaning::{Deed, Doing, Span, Test};

impl Interpreter<'_> {
    pub(super) fn amount(
        &self,
        amount: &Amount,
        unit: Option<&str>,
        frame: &Frame,
        draft: &mut Draft,
    ) -> Result<(), Trouble> {
        let per_each = frame.per_each.then(|| counted(draft)).flatten();
        let per_each = per_each
            .map(|unit| format!("each {}", unit.trim_start_matches("made ").trim_start_matches("about ")));
        let per_session = per_each.or_else(|| frame.per_session.then(|| counted(draft)).flatten());
        let of = self.parameter(frame).filter(|_| matches!(unit, Some("character" | "line" | "word")));
        let unit = of
            .map(|parameter| format!("{} of {parameter}", unit.unwrap_or_default()))
            .or_else(|| unit.map(str::to_owned));
        let unit = unit.as_deref();
        let unit = match (per_session, unit) {
            (Some(unit), _) => unit,
            (None, Some(unit)) => unit.to_owned(),
            (None, None) => {
                self.guessed_unit(frame).ok_or_else(|| Trouble::Vague("what is counted".to_owned()))?
            }
        };
        let reads = draft.doings == [Doing::Deed(Deed::Reads)];
        let unit = if reads && unit == "line" { "read line".to_owned() } else { unit };
        let denies = frame.has(Marker::Deny) || frame.has(Marker::Forbidden) || frame.asks;
        let (above, is) = match amount.compare {
            Compare::Above => (amount.number, true),
            Compare::AtLeast => (amount.number - 1, denies),
            Compare::AtMost => (amount.number, true),
            Compare::Below => (amount.number - 1, !denies),
            Compare::Equal if frame.has(Marker::Only) => (amount.number, true),
            Compare::Equal => return Err(Trouble::Vague("how many are too many".to_owned())),
        };
        draft.tests.push(Test::Measure { unit, above, is });
        Ok(())
    }

    pub(super) fn guessed_unit(&self, frame: &Frame) -> Option<String> {
        let acts = frame.acts.iter().chain(&frame.verbs).filter_map(|number| self.lexicon.action(*number));
        let mut units = acts.map(|action| match action.name.as_str() {
            "schedule" => "minute",
            "buy" | "sell" if self.hand.own_parameter("quantity").is_some() => "quantity",
            "buy" | "sell" if self.hand.own_parameter("qty").is_some() => "qty",
            "buy" => "amount",
            "query" | "sql select" => "row",
            "crawl" => "depth",
            _ => "",
        });
        units.find(|unit| !unit.is_empty()).map(str::to_owned)
    }
}

/// What is counted in a session: calls that do this.
fn counted(draft: &Draft) -> Option<String> {
    let about = draft.tests.iter().find_map(|test| match test {
        Test::About { nouns, is: true } => nouns.first().map(|noun| format!("made about {noun}")),
        Test::Did { actions, is: true } => actions.first().map(|action| format!("made {action}")),
        _ => None,
    });
    about.or_else(|| {
        draft.doings.first().map(|doing| match doing {
            Doing::Did(name) => format!("made {name}"),
            Doing::Deed(deed) => format!("made {}", deed.name()),
        })
    })
}

/// Days and hours that stand beside each other hold together; what "or" joins are alternatives.
pub(crate) fn merged(spans: &[(Span, bool)]) -> Vec<Span> {
    let mut merged: Vec<Span> = Vec::new();
    for (span, is_alternative) in spans {
        let Some(last) = merged.last_mut() else {
            merged.push(span.clone());
            continue;
        };
        let same = (last.days.is_empty() == span.days.is_empty())
            && (last.hours.is_empty() == span.hours.is_empty())
            && last.dates.is_none()
            && span.dates.is_none();
        if last.is_outside != span.is_outside || (*is_alternative && !same) {
            merged.push(span.clone());
        } else {
            last.days.extend(span.days.iter().copied());
            last.hours.extend(span.hours.iter().copied());
            last.months.extend(span.months.iter().copied());
            last.dates = last.dates.or(span.dates);
        }
    }
    merged
}
