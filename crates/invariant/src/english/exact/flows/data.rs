//! Data that must not get somewhere, or only there: "what you read in #board stays out of mails", "Slack must not learn what is
//! on the plan page", "figures from the pay table go to hr@acme.com and nobody else".

use super::mention::{Mention, Use, What, has_class};
use super::stretch::{DENYING, KEEPING, Kind, Stretch, has, has_of, stretches};
use crate::english::exact::told::bag::is_word_of;
use crate::english::exact::{Exact, Part, words};
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Case, Place, Verdict};

/// What a mention is to the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cue {
    From,
    To,
    /// Data stays there.
    Home,
    /// Nowhere but there, or not outside of it.
    Alone,
    Unclear,
}

/// What says that nothing else is meant.
pub(super) const ALONE: &[&str] =
    &["only", "alone", "exclusively", "solely", "sole", "nowhere", "else", "another", "limited"];

/// How something gets to a place that alone is for it.
const PUTTING: &[&str] =
    &["saved", "put", "placed", "written", "stored", "kept", "land", "lands", "save", "store"];

/// What one does where data is, before the name of a service.
const LEARNING: &[&str] = &[
    "read",
    "see",
    "find",
    "found",
    "said",
    "happens",
    "what's",
    "discussed",
    "learn",
    "know",
    "stored",
    "seen",
];

/// Something that is named, and what the words around make of it.
pub(super) struct Read<'t> {
    pub(super) mention: &'t Mention,
    pub(super) cue: Cue,
}

impl Exact<'_> {
    /// A ban on data getting from one place to another.
    pub(super) fn data_flow(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let stretches = stretches(tokens);
        if !self.tells_flow(tokens, &stretches) {
            return None;
        }
        let mentions = self.mentions(tokens);
        let kind_at =
            |at: usize| stretches.iter().rev().find(|own| own.from <= at).map_or(Kind::Rule, |own| own.kind);
        let mut read: Vec<Read<'_>> = Vec::new();
        for mention in &mentions {
            let cue = match kind_at(mention.at) {
                Kind::Told => continue,
                Kind::Looking => match mention.what {
                    What::Thing(_) => Cue::From,
                    _ => continue,
                },
                Kind::Rule => self.cue(tokens, mention, read.last()),
            };
            read.push(Read { mention, cue });
        }
        let sides = self.sides(tokens, &read, &stretches)?;
        let mut made: Vec<(Verdict, Case)> = Vec::new();
        for sink in &sides.sinks {
            let case = self.sunk(sink, &sides)?;
            if !made.contains(&(Verdict::Deny, case.clone())) {
                made.push((Verdict::Deny, case));
            }
        }
        if made.is_empty() {
            return None;
        }
        let mut parts = vec![Part::Rules(made)];
        let told = stretches.iter().filter(|own| own.kind != Kind::Rule);
        parts.extend(told.map(|own| Part::Aside(words::text(own.tokens))));
        // Where data goes anyway is nothing that the rule says.
        let others =
            read.iter().filter(|own| own.cue == Cue::To && matches!(own.mention.what, What::Thing(_)));
        parts.extend(
            others.filter_map(|own| {
                Some(Part::Aside(words::text(tokens.get(own.mention.at..own.mention.end)?)))
            }),
        );
        Some(parts)
    }

    /// Whether a text forbids something and says nothing of times, amounts and the like.
    fn tells_flow(&self, tokens: &[Token], stretches: &[Stretch<'_>]) -> bool {
        let rules = || stretches.iter().filter(|own| own.kind == Kind::Rule).map(|own| own.tokens);
        let is_timed = |own: &[Token]| {
            (0..own.len()).any(|at| own.get(at..).is_some_and(|rest| when::read(rest, self.year).is_some()))
        };
        let is_other = |own: &[Token]| {
            has_of(own, "flow-elsewhere") && !self.mentions(own).is_empty() && !is_other_than(own)
        };
        let denies = |own: &[Token]| has(own, DENYING) || has(own, KEEPING) || has(own, ALONE);
        // What is done to a place itself, and not with what is in it, is told elsewhere.
        !rules().any(|own| is_timed(own) || is_other(own) || has_of(own, "flow-acts"))
            && !has_class(tokens)
            && rules().any(denies)
    }

    /// What the words around a mention make of it.
    fn cue(&self, tokens: &[Token], mention: &Mention, last: Option<&Read<'_>>) -> Cue {
        if matches!(mention.what, What::Service(_, Use::Verb)) {
            return Cue::To;
        }
        let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
        let mut at = mention.at;
        let start = mention.at.saturating_sub(8);
        while at > start {
            at -= 1;
            if let Some(last) = last.filter(|last| at < last.mention.end && at >= last.mention.at) {
                // "Slack, GitHub or mail": of one list.
                let between = tokens.get(last.mention.end..mention.at).unwrap_or_default();
                return if between.iter().all(joins) { last.cue } else { self.subject(tokens, mention) };
            }
            let before = at.checked_sub(1).map_or("", low);
            match low(at) {
                "from" if before == "away" => return Cue::To,
                "of" if before == "out" => {
                    let front = tokens.get(at.saturating_sub(14)..at).unwrap_or_default();
                    return if has(front, KEEPING) { Cue::To } else { Cue::From };
                }
                // "out of mails and of Notion"
                "of" if matches!(before, "and" | "or" | "nor") && last.is_some() => {
                    return last.map_or(Cue::From, |last| last.cue);
                }
                "of" if matches!(before, "outside" | "inside") => return Cue::Alone,
                "from" | "of" | "under" | "below" | "beneath" => return Cue::From,
                "outside" | "beyond" | "except" | "but" => return Cue::Alone,
                "isn't" | "aren't" if matches!(mention.what, What::Party(_)) => return Cue::Alone,
                "than" if before == "other" || before == "else" => return Cue::Alone,
                "within" | "inside" | "in" | "on" | "at" => return self.inside(tokens, mention, at),
                "by" | "via"
                    if has(tokens.get(..at).unwrap_or_default(), &["comes", "come", "arrives", "arrive"]) =>
                {
                    return Cue::From;
                }
                "to" | "into" | "onto" | "via" | "by" | "through" | "for" | "off" | "reach" | "reaches"
                | "towards" | "with" => {
                    return Cue::To;
                }
                "query" | "read" | "reading" | "keep" | "remember" | "querying" | "share" | "leave" => {
                    return Cue::From;
                }
                "." | ";" | ":" | "!" | "," => break,
                _ => {}
            }
        }
        self.subject(tokens, mention)
    }

    /// What "in" and its like say.
    fn inside(&self, tokens: &[Token], mention: &Mention, at: usize) -> Cue {
        let near = |count: usize| tokens.get(at.saturating_sub(count)..at).unwrap_or_default();
        let is_stay = has(near(2), &["stay", "stays", "remain", "remains", "keep", "kept", "stayed"])
            || (has(near(2), &["belong", "belongs"]) && !matches!(mention.what, What::Thing(_)));
        let preposition = tokens.get(at).map_or("", |token| token.low.as_str());
        match &mention.what {
            What::Party(_) if matches!(preposition, "within" | "inside") => Cue::Alone,
            What::Party(Place::Domain(_))
                if preposition == "at" && has(near(3), &["isn't", "not", "aren't"]) =>
            {
                Cue::Alone
            }
            What::Party(Place::Domain(_))
                if preposition == "at" && has(near(6), &["see", "find", "read", "found"]) =>
            {
                Cue::From
            }
            What::Party(_) => Cue::To,
            _ if is_stay => Cue::Home,
            What::Thing(_) if has(near(1), &["belong", "belongs"]) => Cue::To,
            What::Thing(_) if has(near(1), PUTTING) && has(tokens, ALONE) => Cue::To,
            What::Thing(places) if is_channel(places) && has(near(1), &["nothing", "anything"]) => Cue::To,
            What::Thing(_) if has_of(near(4), "flow-reading") || has_of(near(2), "flow-data") => Cue::From,
            What::Thing(_) if matches!(preposition, "within" | "inside") => Cue::From,
            _ if has(near(1), LEARNING) || has(near(2), &["what", "what's", "whatever"]) => Cue::From,
            _ => Cue::To,
        }
    }

    /// A mention that nothing stands before: whether it comes to know something.
    pub(super) fn subject(&self, tokens: &[Token], mention: &Mention) -> Cue {
        let mut behind = tokens.get(mention.end..).unwrap_or_default();
        if behind.first().is_some_and(|token| token.shape == Shape::Mark(')')) {
            behind = behind.get(1..).unwrap_or_default();
        }
        let near: Vec<&str> = behind
            .iter()
            .take(5)
            .take_while(|token| !matches!(token.shape, Shape::Mark(_)))
            .map(|token| token.low.as_str())
            .collect();
        let gets = near.iter().position(|word| is_word_of("flow-receiving", word));
        // "… must not be given", "… never get posted": something is done to it.
        let is_done = near.windows(2).any(|pair| {
            matches!(pair, ["get" | "gets" | "be" | "is" | "are" | "being", done] if done.ends_with("ed") && *done != "filled")
        });
        if gets.is_some() && !is_done { Cue::To } else { Cue::Unclear }
    }
}

/// "other than", "else than": what is told with these is no amount.
fn is_other_than(tokens: &[Token]) -> bool {
    let others = tokens.windows(2).filter(|pair| {
        matches!(pair, [first, second] if matches!(first.low.as_str(), "other" | "else") && second.low == "than")
    });
    let odd = tokens.iter().filter(|token| is_word_of("flow-elsewhere", &token.low)).count();
    others.count() == odd
}

/// Whether these are channels by their ids.
pub(super) fn is_channel(places: &[Place]) -> bool {
    places.iter().all(
        |place| matches!(place, Place::Id(id) if id.starts_with(['C', 'G', 'D']) && !id.contains(['/', '-'])),
    )
}

/// What stands between the items of a list.
fn joins(token: &Token) -> bool {
    matches!(
        token.low.as_str(),
        "," | "and" | "or" | "nor" | "/" | "(" | "a" | "an" | "the" | "not" | "in" | "any" | "my"
    )
}
