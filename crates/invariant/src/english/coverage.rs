//! Whether every word of a sentence is in what it was understood as. The freer reader fills slots and may pass over a word
//! that makes the rule a different one; with such a word it has not understood the sentence.

use super::lexicon::{Entry, Lexicon, Thing, bases};
use super::token::{Shape, Token};
use super::when;
use crate::action::Action;
use crate::hand::Hand;
use crate::meaning::{Case, Deed, Doing, Place, Test};
use crate::names;

/// Words that carry nothing by themselves.
const LIGHT: &[&str] = &[
    "not", "and", "or", "nor", "but", "if", "when", "whenever", "as", "than", "of", "to", "by", "for",
    "with", "in", "on", "at", "from", "into", "onto", "there", "here", "it", "yes", "ok", "okay", "up",
    "down", "out", "off", "over", "about", "use", "using", "used", "make", "made", "let", "keep", "stay",
    "leave", "put", "go", "goes", "come", "comes", "take", "set", "who", "which", "whose", "that", "what",
    "each", "every", "both", "either", "neither", "same", "work", "working",
];

/// What a reading is made of, as far as words can show in it.
struct Evidence {
    /// Everything, written out.
    text: String,
    actions: Vec<String>,
    deeds: Vec<Deed>,
    places: Vec<Place>,
    has_time: bool,
    has_number: bool,
}

/// A word of the sentence that is nowhere in what it was understood as.
pub(crate) fn lost(
    tokens: &[Token],
    case: &Case,
    lexicon: &Lexicon,
    hand: &Hand,
    year: i16,
) -> Option<String> {
    let evidence = Evidence::of(case);
    let mut at = 0;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        match evidence.taken(rest, lexicon, hand, year) {
            Some(length) => at += length.max(1),
            None => return rest.first().map(|token| token.text.clone()),
        }
    }
    None
}

/// All that several cases say, as far as words can show in it.
pub(crate) fn together<'c>(cases: impl Iterator<Item = &'c Case>) -> Case {
    let mut all = Case::default();
    for case in cases {
        all.doings.extend(case.doings.iter().cloned());
        all.tests.extend(case.tests.iter().cloned());
        all.unless.extend(case.unless.iter().cloned());
    }
    all
}

impl Evidence {
    fn of(case: &Case) -> Evidence {
        let mut evidence = Evidence {
            text: format!("{case:?}").to_lowercase(),
            actions: Vec::new(),
            deeds: Vec::new(),
            places: Vec::new(),
            has_time: false,
            has_number: false,
        };
        evidence.case(case);
        evidence
    }

    fn case(&mut self, case: &Case) {
        for doing in &case.doings {
            match doing {
                Doing::Deed(deed) => self.deeds.push(*deed),
                Doing::Did(name) => self.actions.push(name.clone()),
            }
        }
        case.tests.iter().chain(case.unless.iter().flatten()).for_each(|test| self.test(test));
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Place { places, .. } | Test::Carries(places) => self.places.extend(places.iter().cloned()),
            Test::Did { actions, .. } => self.actions.extend(actions.iter().cloned()),
            Test::Does(deed) | Test::EarlierHere { deed, .. } => self.deeds.push(*deed),
            Test::Earlier { what, .. } => self.case(what),
            Test::EarlierSame { what, .. } => {
                self.deeds.extend(what.iter().filter_map(|name| Deed::named(name)));
                self.actions.extend(what.iter().cloned());
            }
            Test::Often { what, .. } => {
                self.has_number = true;
                self.case(what);
            }
            Test::Time { .. } => self.has_time = true,
            Test::Measure { .. } => self.has_number = true,
            Test::Value { check, .. } => match check {
                crate::meaning::Check::During(_) => self.has_time = true,
                crate::meaning::Check::Above(_) | crate::meaning::Check::Below(_) => self.has_number = true,
                _ => {}
            },
            Test::Any(alternatives) => alternatives.iter().flatten().for_each(|test| self.test(test)),
            _ => {}
        }
    }

    /// How many of these words, from the first on, are in the reading.
    fn taken(&self, rest: &[Token], lexicon: &Lexicon, hand: &Hand, year: i16) -> Option<usize> {
        let first = rest.first()?;
        if let Some((_, length)) = when::read(rest, year)
            && self.has_time
        {
            return Some(length);
        }
        match first.shape {
            Shape::Word => {}
            Shape::Number => {
                return (self.has_number || self.has_time || self.text.contains(&first.low)).then_some(1);
            }
            // What stands for itself has a guard of its own.
            _ => return Some(1),
        }
        if let Some(shows) = self.shows(&first.low) {
            return shows.then_some(1);
        }
        if LIGHT.contains(&first.low.as_str()) || self.says(first) {
            return Some(1);
        }
        let phrases = lexicon.phrases(rest);
        let known = phrases.iter().find(|phrase| self.accounts(&phrase.entry, lexicon));
        if let Some(phrase) = known {
            return Some(phrase.length);
        }
        // What a program or a tool is called stands for it.
        let stands = |name: &String| hand.has_program(name) && self.actions.contains(name);
        bases(first).iter().any(stands).then_some(1)
    }

    /// Words that look like nothing and yet make another rule, each with what shows that it was not passed over.
    fn shows(&self, word: &str) -> Option<bool> {
        Some(match word {
            "new" => {
                self.text.contains("create") || self.text.contains("\"edit\"") || self.text.contains("new")
            }
            "other" | "another" | "others" | "else" => {
                self.text.contains("inside: false")
                    || self.text.contains("is: false")
                    || self.text.contains("company")
            }
            "existing" => self.text.contains("\"create\"") || self.text.contains("changes"),
            _ => return None,
        })
    }

    fn says(&self, token: &Token) -> bool {
        bases(token)
            .iter()
            .chain(&names::words(&token.low))
            .any(|base| base.len() > 2 && self.text.contains(base))
    }

    fn accounts(&self, entry: &Entry, lexicon: &Lexicon) -> bool {
        match entry {
            Entry::Marker(_) | Entry::Preposition(_) | Entry::It | Entry::Filler | Entry::Vague => true,
            Entry::Verb(number) | Entry::Act(number) => {
                lexicon.action(*number).is_some_and(|action| self.acts(action))
            }
            Entry::Thing(number) => lexicon.thing(*number).is_some_and(|thing| self.holds(thing)),
        }
    }

    fn acts(&self, action: &Action) -> bool {
        let writes = [Deed::Writes, Deed::Changes, Deed::Deletes, Deed::Moves, Deed::Copies, Deed::Sends];
        let family: &[Deed] = match action.deed.as_str() {
            "reads" => &[Deed::Reads, Deed::Involves],
            "runs" => &[Deed::Runs, Deed::Involves],
            "involves" => {
                &[Deed::Involves, Deed::Reads, Deed::Writes, Deed::Changes, Deed::Runs, Deed::Sends]
            }
            "" => &[],
            _ => &writes,
        };
        self.actions.contains(&action.name)
            || family.iter().any(|deed| self.deeds.contains(deed))
            || (!action.deed.is_empty() && self.deeds.contains(&Deed::Involves))
    }

    fn holds(&self, thing: &Thing) -> bool {
        fn named(place: &Place) -> &str {
            match place {
                Place::Path(_)
                | Place::Named(_)
                | Place::Within(_)
                | Place::Ending(_)
                | Place::Folder(_)
                | Place::TopLevel
                | Place::Hidden
                | Place::Formed(_) => "file",
                Place::Domain(_) | Place::HostLike(_) | Place::Page(_) | Place::PlainHttp => "page",
                Place::Address(_) | Place::Mailbox(_) => "person",
                Place::Id(_) | Place::Channel(_) => "channel",
                Place::Table(_) | Place::Database(_) => "table",
                Place::Kind(kind) => kind,
                Place::Word(_) => "word",
                Place::Network | Place::Internal | Place::External | Place::Public | Place::Local => "group",
            }
        }
        let is_kind = |place: &Place| {
            let own = named(place);
            own == thing.kind
                || own == "word"
                || matches!(place, Place::Id(_) | Place::Domain(_) | Place::HostLike(_))
        };
        let stated = |text: &str| !text.is_empty() && self.text.contains(text);
        thing.kind == "anything"
            || self.places.iter().any(is_kind)
            || stated(&thing.unit)
            || stated(&thing.content)
            || stated(&thing.given)
            || thing.parameter.split(' ').any(stated)
            || stated(&thing.tool)
            || stated(&thing.place)
            || (!thing.place.is_empty()
                && self.places.iter().any(|place| {
                    named(place) == "group"
                        || matches!(
                            place,
                            Place::Path(_) | Place::TopLevel | Place::Hidden | Place::PlainHttp
                        )
                }))
            || thing.ends.iter().any(|end| self.text.contains(end.as_str()))
            || thing.names.iter().any(|name| self.text.contains(name.as_str()))
            || stated(&thing.says)
            || stated(&thing.not_did)
            || (thing.kind == "branch" && self.text.contains("branch"))
            || (thing.kind == "person"
                && self
                    .actions
                    .iter()
                    .any(|name| matches!(name.as_str(), "mail" | "invite" | "schedule" | "post")))
    }
}
