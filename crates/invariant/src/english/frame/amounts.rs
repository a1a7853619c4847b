//! How much of something a clause speaks of.

use super::{Frame, Framer, State};
use crate::english::amount::{Amount, Compare};
use crate::english::chunk::{Chunk, Piece};
use crate::english::noun::Noun;

impl Framer<'_> {
    pub(super) fn amount(
        &self,
        amount: &Amount,
        rest: &[Piece],
        frame: &mut Frame,
        state: &mut State,
    ) -> usize {
        let mut taken = 1;
        let mut unit = amount.unit.map(str::to_owned);
        for piece in rest.iter().skip(1).take(4) {
            let Chunk::Thing(number) = piece.chunk else {
                let is_currency = matches!(piece.text.to_lowercase().as_str(), "eur" | "usd" | "gbp" | "chf");
                if is_currency && unit.is_none() {
                    unit = Some("amount".to_owned());
                    taken += 1;
                    break;
                }
                // "5 replicas": what an argument counts.
                if let Chunk::Word(word) = &piece.chunk
                    && unit.is_none()
                    && (self.hand.has_word(word) || self.hand.parameter_like(word).is_some())
                {
                    unit = Some(crate::names::stem(word));
                    taken += 1;
                    break;
                }
                let is_between = matches!(piece.chunk, Chunk::Filler | Chunk::Name(_) | Chunk::Word(_));
                if is_between && unit.is_none() {
                    taken += 1;
                    continue;
                }
                break;
            };
            let thing = self.lexicon.thing(number);
            if let Some(thing) = thing.filter(|thing| !thing.unit.is_empty() && unit.is_none()) {
                unit = Some(thing.unit.clone());
                taken += 1;
                if thing.kind.is_empty() || thing.unit == "page" || thing.unit == "recipient" {
                    break;
                }
                // "3 files" also says that it is about files.
                self.noun(Noun::kind(&thing.kind), frame, state);
            }
            break;
        }
        if unit.is_none() {
            taken = 1;
        }
        let next = rest.get(1).map(|piece| piece.text.to_lowercase()).unwrap_or_default();
        let per = rest.get(2).map(|piece| piece.text.to_lowercase()).unwrap_or_default();
        if unit.is_none() && matches!(rest.get(1).map(|piece| &piece.chunk), Some(Chunk::Act(_))) {
            let stem = crate::names::stem(&next);
            let at_once = rest.iter().any(|piece| {
                matches!(
                    piece.text.to_lowercase().as_str(),
                    "per call"
                        | "in one go"
                        | "at once"
                        | "at a time"
                        | "in one call"
                        | "per"
                        | "per request"
                )
            });
            if self.hand.has_parameter(&stem) && !frame.per_session && at_once {
                // "one edit per call", where a tool takes a list of them.
                unit = Some(stem);
                taken = 2;
            } else if per.starts_with("per") && !per.contains("session") {
                unit = Some("result".to_owned());
                taken = 2;
            }
        }
        if let Some(Chunk::Act(number)) = rest.get(1).map(|piece| &piece.chunk)
            && let Some(action) = self.lexicon.action(*number)
        {
            let counted =
                if action.name == "invite" { "recipient".to_owned() } else { format!("did {}", action.name) };
            unit = unit.or(Some(counted));
        }
        let mut amount = amount.clone();
        // Hours are counted in minutes, where a word says hours.
        let hours = rest
            .iter()
            .take(taken)
            .any(|piece| matches!(piece.text.to_lowercase().as_str(), "hour" | "hours" | "hrs" | "h"));
        let scale = rest.iter().take(taken).find_map(|piece| match piece.text.to_lowercase().as_str() {
            "kb" | "kilobytes" | "kilobyte" => Some(1024),
            "mb" | "megabytes" | "megabyte" => Some(1024 * 1024),
            "gb" | "gigabytes" => Some(1024 * 1024 * 1024),
            _ => None,
        });
        if unit.as_deref() == Some("minute") && hours && amount.unit.is_none() {
            amount.number *= 60;
        }
        if unit.as_deref() == Some("byte") && amount.unit.is_none() {
            amount.number = amount.number.saturating_mul(scale.unwrap_or(1));
        }
        if amount.compare == Compare::Equal && unit.is_none() {
            return 1;
        }
        frame.amounts.push((amount, unit));
        taken
    }
}
