//! How much of something a clause speaks of.

use super::{Frame, Framer, State};
use crate::english::amount::{Amount, Compare};
use crate::english::chunk::{Chunk, Piece};
use crate::english::noun::Noun;

/// Words that say that one call is meant.
const AT_ONCE: &[&str] =
    &["per call", "in one go", "at once", "at a time", "in one call", "per", "per request"];

impl Framer<'_> {
    /// Takes an amount with the word behind it that says what is counted.
    pub(super) fn amount(
        &self,
        amount: &Amount,
        rest: &[Piece],
        frame: &mut Frame,
        state: &mut State,
    ) -> usize {
        let own = amount.unit.map(str::to_owned);
        let (unit, taken) = match own {
            Some(unit) => (Some(unit), 1),
            None => self.unit(rest, frame, state),
        };
        if amount.compare == Compare::Equal && unit.is_none() {
            return 1;
        }
        let words: Vec<String> = rest.iter().take(taken).map(|piece| piece.text.to_lowercase()).collect();
        let factor = if amount.unit.is_some() { 1 } else { factor(unit.as_deref(), &words) };
        let amount = Amount { number: amount.number.saturating_mul(factor), ..amount.clone() };
        frame.amounts.push((amount, unit));
        taken
    }

    /// What is counted, and how many pieces say it, the number among them.
    fn unit(&self, rest: &[Piece], frame: &mut Frame, state: &mut State) -> (Option<String>, usize) {
        // "3 new entities", "10 search results": the next word says what is counted.
        let is_new = rest.get(1).is_some_and(|piece| piece.text.eq_ignore_ascii_case("new"));
        let counts = |piece: &Piece| match piece.chunk {
            Chunk::Thing(number) => self.lexicon.thing(number).is_some_and(|thing| !thing.unit.is_empty()),
            _ => false,
        };
        let is_counted = rest.get(2).is_some_and(counts);
        if let (true, Some(Chunk::Act(number))) = (is_new, rest.get(1).map(|piece| &piece.chunk)) {
            frame.acts.push(*number);
        }
        if let Some(Chunk::Act(number)) = rest.get(1).map(|piece| &piece.chunk)
            && !is_new
            && !is_counted
        {
            return self.unit_of_act(*number, rest, frame);
        }
        for (at, piece) in rest.iter().enumerate().skip(1).take(4) {
            match &piece.chunk {
                Chunk::Thing(number) => {
                    let Some(thing) = self.lexicon.thing(*number).filter(|thing| !thing.unit.is_empty())
                    else {
                        break;
                    };
                    // "3 files" also says that it is about files.
                    let is_here = match thing.kind.as_str() {
                        "table" => self.hand.has_tool_word("query"),
                        "file" => self.hand.has_tool_word("directory") || self.hand.has_program("cat"),
                        _ => true,
                    };
                    if !thing.kind.is_empty() && is_here && thing.unit != "page" && thing.unit != "recipient"
                    {
                        self.noun(Noun::kind(&thing.kind), frame, state);
                    }
                    return (Some(thing.unit.clone()), at + 1);
                }
                _ if matches!(piece.text.to_lowercase().as_str(), "eur" | "usd" | "gbp" | "chf") => {
                    return (Some("amount".to_owned()), at + 1);
                }
                // "5 replicas": what an argument counts.
                Chunk::Word(word) if self.hand.has_word(word) || self.hand.parameter_like(word).is_some() => {
                    return (Some(crate::names::stem(word)), at + 1);
                }
                // "10 blocks", where tools have blocks.
                Chunk::Verb(_)
                    if at == 1
                        && self.hand.has_tool_word(&crate::names::stem(&piece.text.to_lowercase())) =>
                {
                    return (Some(crate::names::stem(&piece.text.to_lowercase())), at + 1);
                }
                Chunk::Act(_) if at == 1 => {}
                Chunk::Filler | Chunk::Name(_) | Chunk::Word(_) => {}
                _ => break,
            }
        }
        (None, 1)
    }

    /// "one edit per call", "25 mails per search", "five mails per session", "eight guests".
    fn unit_of_act(&self, number: usize, rest: &[Piece], frame: &Frame) -> (Option<String>, usize) {
        let text = |at: usize| rest.get(at).map(|piece| piece.text.to_lowercase()).unwrap_or_default();
        let stem = crate::names::stem(&text(1));
        let at_once = rest.iter().any(|piece| AT_ONCE.contains(&piece.text.to_lowercase().as_str()));
        if self.hand.has_parameter(&stem) && !frame.per_session && at_once {
            return (Some(stem), 2);
        }
        // "load more than 50 messages": what is looked at is counted by what the call asks for.
        let looks = frame.verbs.iter().any(|verb| {
            self.lexicon.action(*verb).is_some_and(|verb| verb.deed == "reads" || verb.name == "search")
        });
        let gets = frame.verb_words.iter().all(|word| word.starts_with("get"));
        if looks && !gets && !frame.per_session {
            return (Some("result".to_owned()), 2);
        }
        let per = text(2);
        if per.starts_with("per") && !per.contains("session") && !frame.per_each {
            return (Some("result".to_owned()), 2);
        }
        let counted = self.lexicon.action(number).map(|action| match action.name.as_str() {
            "invite" => "recipient".to_owned(),
            name => format!("did {name}"),
        });
        (counted, 1)
    }
}

/// Hours are counted in minutes, and sizes in bytes.
fn factor(unit: Option<&str>, words: &[String]) -> i64 {
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    match unit {
        Some("minute") if has(&["hour", "hours", "hrs", "h"]) => 60,
        Some("byte") if has(&["kb", "kilobytes", "kilobyte"]) => 1024,
        Some("byte") if has(&["mb", "megabytes", "megabyte"]) => 1024 * 1024,
        Some("byte") if has(&["gb", "gigabytes"]) => 1024 * 1024 * 1024,
        _ => 1,
    }
}
