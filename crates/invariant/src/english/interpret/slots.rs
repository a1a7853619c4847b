//! What the nouns of a clause mean, by the part they play.

use super::doings::{carries_data, leaves_text, posts};
use super::kinds::{as_branch, fits, is_data, is_source, kinds_outside, left, take_kind};
use super::unite::{join_alternatives, push_branches, push_choice, push_says};
use super::{Draft, Interpreter, place};
use crate::english::Trouble;
use crate::english::chunk::Literal;
use crate::english::frame::{Frame, Role, Slot};
use crate::english::noun::{self, Noun};
use crate::meaning::{Deed, Doing, Place, Saying, Side, Test};

impl Interpreter<'_> {
    pub(super) fn slots(&self, frame: &Frame, draft: &mut Draft) -> Result<(), Trouble> {
        for (at, number) in frame.verbs.iter().enumerate() {
            let word = frame.verb_words.get(at).map(String::as_str).unwrap_or_default();
            let values = self.chosen(word);
            if !values.is_empty()
                && self.lexicon.action(*number).is_some_and(|verb| verb.deed == "changes")
                && draft.doings.is_empty()
            {
                draft.tests.push(Test::Choice { values, parameter: None, is: true });
            }
        }
        // Words that only a description has: a value of an argument says them.
        let told: Vec<String> = frame
            .did_words
            .iter()
            .filter(|word| !self.hand.has_tool_word(word) && !self.hand.has_program(word))
            .flat_map(|word| [word.clone(), format!("{word}d"), format!("{word}ed")])
            .collect();
        if !told.is_empty() {
            draft.tests.push(Test::Concerns(told));
        }
        self.acts_of_others(frame, draft);
        for slot in self.joined(frame) {
            self.slot(&slot, frame, draft)?;
        }
        if carries_data(draft) {
            // Data that is repeated arrives somewhere; that it was copied by the call itself is not needed.
            for doing in &mut draft.doings {
                if *doing == Doing::Deed(Deed::Copies) {
                    *doing = Doing::Deed(Deed::Writes);
                }
            }
        }
        Ok(())
    }

    /// Slots that belong together made one: "people" and "at acme.com", "files" and "outside /project".
    fn joined(&self, frame: &Frame) -> Vec<Slot> {
        let kind = frame
            .slots
            .iter()
            .filter(|slot| slot.role == Role::As)
            .flat_map(|slot| &slot.nouns)
            .map(|noun| noun.kind.clone())
            .find(|kind| !kind.is_empty());
        let mut slots: Vec<Slot> = Vec::new();
        for slot in &frame.slots {
            let is_inner = matches!(slot.role, Role::In | Role::Outside | Role::From) && !slot.leads;
            if is_inner
                && let Some(before) = slots.last_mut()
                && !before.leads
                && before.nouns.iter().all(|noun| {
                    !noun.is_definite() && !noun.kind.is_empty() && noun.act.is_none() && !noun.is_it
                })
                && fits(before, slot)
            {
                let kind = before.nouns.first().map(|noun| noun.kind.clone()).unwrap_or_default();
                let mut nouns = slot.nouns.clone();
                nouns.iter_mut().for_each(|noun| take_kind(noun, &kind));
                before.nouns = nouns;
                before.only |= slot.only;
                if slot.role == Role::Outside {
                    before.nouns.iter_mut().for_each(|noun| noun.is_outside = true);
                }
                continue;
            }
            let mut slot = slot.clone();
            if let Some(kind) = &kind {
                slot.nouns
                    .iter_mut()
                    .filter(|noun| noun.kind.is_empty())
                    .for_each(|noun| noun.kind.clone_from(kind));
            }
            slots.push(slot);
        }
        slots
    }

    fn slot(&self, slot: &Slot, frame: &Frame, draft: &mut Draft) -> Result<(), Trouble> {
        // "Only Ann may receive files": it goes to her.
        let receives = slot.leads
            && slot.role == Role::Object
            && frame.verb_words.iter().any(|word| word.starts_with("receive"));
        let slot = &Slot { role: if receives { Role::To } else { slot.role }, ..slot.clone() };
        if slot.role == Role::As && slot.nouns.iter().all(|noun| !noun.is_definite() && noun.act.is_none()) {
            return Ok(());
        }
        let is_outside = slot.role == Role::Outside || slot.nouns.iter().any(|noun| noun.is_outside);
        let inside = is_outside == slot.only;
        let leaves = self.leaves(slot, frame);
        let side = if leaves { Side::To } else { self.side(slot, draft) };
        let before = draft.tests.len() + draft.doings.len();
        let places = self.places(slot, frame, draft, inside)?;
        if places.is_empty() {
            let adds = draft.tests.len() + draft.doings.len() != before;
            return if adds || says_nothing(slot) { Ok(()) } else { Err(lost(slot)) };
        }
        if leaves {
            draft.tests.push(left(places));
        } else if !is_outside && !slot.only && is_data(slot, &places, draft) {
            draft.tests.push(Test::Carries(places));
        } else {
            let kinds = if inside { Vec::new() } else { kinds_outside(slot, &places) };
            if !kinds.is_empty() {
                draft.tests.push(place(side, kinds, true));
            }
            draft.tests.push(place(side, places, inside));
        }
        Ok(())
    }

    /// The places that the nouns of a slot name; what else they say is added to the draft.
    fn places(
        &self,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        inside: bool,
    ) -> Result<Vec<Place>, Trouble> {
        let mut places = Vec::new();
        let before = draft.tests.len();
        let mut alternatives: Vec<Vec<Test>> = Vec::new();
        for noun in &slot.nouns {
            let count = places.len();
            self.noun(noun, slot, frame, draft, &mut places, inside)?;
            let own: Vec<Test> = draft.tests.drain(before.min(draft.tests.len())..).collect();
            if !own.is_empty() && places.len() == count {
                alternatives.push(own);
            } else {
                draft.tests.extend(own);
            }
        }
        join_alternatives(draft, alternatives, slot, before);
        Ok(places)
    }

    /// "leave the machine", "leave the company": it goes beyond that.
    fn leaves(&self, slot: &Slot, frame: &Frame) -> bool {
        slot.role == Role::Object
            && !slot.leads
            && frame.verb_words.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "leave" | "leaves" | "leaving" | "exit" | "exits" | "get out" | "gets out"
                )
            })
            && !leaves_text(frame)
    }

    /// Which part of a flow a slot is.
    fn side(&self, slot: &Slot, draft: &Draft) -> Side {
        let sends = draft.doings.iter().any(|doing| match doing {
            Doing::Deed(Deed::Sends | Deed::Copies) => true,
            Doing::Deed(_) => false,
            Doing::Did(name) => matches!(
                name.as_str(),
                "mail" | "post" | "publish" | "upload" | "forward" | "attach" | "direct message"
            ),
        });
        let is_target = slot.nouns.iter().any(|noun| {
            matches!(noun.kind.as_str(), "person" | "channel" | "direct")
                || noun.places.iter().any(|place| {
                    matches!(
                        place,
                        Place::External
                            | Place::Internal
                            | Place::Domain(_)
                            | Place::Address(_)
                            | Place::Network
                            | Place::Mailbox(_)
                    )
                })
        });
        let posts = posts(&draft.doings);
        let is_id = slot
            .nouns
            .iter()
            .all(|noun| noun.places.iter().all(|place| matches!(place, Place::Id(_) | Place::Channel(_))));
        let is_file = !(posts && is_id)
            && slot.nouns.iter().any(|noun| noun.kind == "file" || noun.places.iter().any(is_source));
        let is_target =
            is_target || (posts && is_id && slot.nouns.iter().any(|noun| !noun.places.is_empty()));
        match slot.role {
            Role::To => Side::To,
            Role::From => Side::From,
            _ if sends && is_target => Side::To,
            Role::Object | Role::Outside if sends && is_file => Side::From,
            Role::In if sends && !is_file => Side::To,
            _ => Side::Object,
        }
    }

    fn noun(
        &self,
        noun: &Noun,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        places: &mut Vec<Place>,
        inside: bool,
    ) -> Result<(), Trouble> {
        let is = slot.role != Role::Without && !slot.only;
        if self.said_otherwise(noun, slot, draft, places, is) {
            return Ok(());
        }
        if !noun.tools.is_empty() {
            draft.tests.push(Test::Tool { names: noun.tools.clone(), is });
        }
        self.content(noun, frame, draft, is);
        let pushes = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "push" | "commit" | "force push" | "merge" | "rebase")));
        let is_target = matches!(slot.role, Role::To | Role::Outside)
            || (slot.role == Role::Object && slot.nouns.len() == 1);
        if pushes
            && is_target
            && noun.kind != "file"
            && !noun.paths.is_empty()
            && noun.paths.iter().all(|path| !path.starts_with(['/', '~', '.']))
        {
            push_branches(draft, noun.paths.iter().map(|path| noun::branch(path)).collect(), inside);
            return Ok(());
        }
        if !noun.branches.is_empty() || (noun.kind == "branch" && !noun.places.is_empty()) {
            let mut patterns = noun.branches.clone();
            patterns.extend(noun.places.iter().filter_map(as_branch));
            push_branches(draft, patterns, inside);
            return Ok(());
        }
        self.literals(noun, frame, draft, is);
        places.extend(noun.places.iter().filter_map(|place| self.grounded(place, noun, frame, draft)));
        places.extend(noun.adjectives.iter().cloned());
        if noun.words == ["workspace"] && noun.places.is_empty() {
            places.push(noun::workspace(self.hand));
        }
        if !noun.names.is_empty() {
            self.names(noun, slot, frame, draft, places, is)?;
        }
        if !noun.is_definite() && !noun.is_it && noun.act.is_none() {
            self.bare(noun, slot, frame, draft, places);
        }
        if noun.is_other
            && !self.other(slot, frame, draft)
            && matches!(slot.role, Role::To | Role::From | Role::In)
        {
            return Err(Trouble::Vague("which others are meant".to_owned()));
        }
        Ok(())
    }

    /// Nouns that are no places: arguments, tools, commands, the manner of an act.
    fn said_otherwise(
        &self,
        noun: &Noun,
        slot: &Slot,
        draft: &mut Draft,
        places: &mut Vec<Place>,
        is: bool,
    ) -> bool {
        let act = noun.act.and_then(|act| self.lexicon.action(act));
        let is_manner = matches!(slot.role, Role::In | Role::Without | Role::Having | Role::As);
        if let Some(action) = &noun.not_did {
            draft.tests.push(Test::Did { actions: vec![action.clone()], is: false });
        } else if let Some(action) = act.filter(|_| is_manner) {
            // "answer in threads", "without a draft".
            draft.tests.push(Test::Did { actions: vec![action.name.clone()], is });
        } else if act.is_some_and(|act| act.name == "browse") && slot.role == Role::From {
            places.push(Place::Kind("page".to_owned()));
        } else if !noun.values.is_empty() {
            let parameters = noun.values.first().and_then(|value| self.hand.choice(value));
            let one = parameters.filter(|all| all.len() == 1).and_then(|all| all.iter().next().cloned());
            draft.tests.push(Test::Choice { values: noun.values.clone(), parameter: one, is });
        } else if let Some((parameter, value)) = &noun.setting {
            // Only tools that have the argument are meant: "only errors of environment production".
            if slot.only {
                draft.tests.push(Test::Given { word: parameter.clone(), is: true });
            }
            draft.tests.push(Test::Choice {
                values: vec![value.clone()],
                parameter: Some(parameter.clone()),
                is,
            });
        } else if let Some(given) = &noun.given {
            draft.tests.push(Test::Given { word: given.clone(), is });
        } else if let Some(tool) = &noun.tool {
            self.tool_noun(tool, slot, draft, is);
        } else if !noun.command.is_empty() {
            self.command(noun, slot, draft);
        } else {
            return act.is_some() && matches!(slot.role, Role::From | Role::To) && !noun.is_definite();
        }
        true
    }

    /// What a text holds, or that secrets go along.
    fn content(&self, noun: &Noun, frame: &Frame, draft: &mut Draft, is: bool) {
        match noun.content.as_deref() {
            None => {}
            // What is typed shows in the label of the field.
            Some("secret") if draft.doings.contains(&Doing::Did("type".to_owned())) => {
                let says = |parameter: &str| {
                    let what = noun.words.iter().map(|word| Saying::Words(word.clone())).collect();
                    vec![Test::Says { what, parameter: Some(parameter.to_owned()), is }]
                };
                draft.tests.push(Test::Any(["element", "name", "label"].map(says).into()));
            }
            Some("secret") => draft.tests.push(Test::Secret),
            Some(content) => {
                let what = vec![Saying::Class(content.to_owned())];
                draft.tests.push(Test::Says { what, parameter: self.parameter(frame), is });
                self.drop_light(draft);
            }
        }
    }

    /// "no terraform apply", "only git and npm".
    fn command(&self, noun: &Noun, slot: &Slot, draft: &mut Draft) {
        let Some((program, words)) = noun.command.split_first() else { return };
        draft.doings.retain(|doing| {
            !matches!(doing, Doing::Deed(Deed::Runs | Deed::Involves | Deed::Reads | Deed::Changes))
                && *doing != Doing::Did("execute".to_owned())
        });
        if slot.only && words.is_empty() {
            draft.tests.push(Test::Program { names: vec![program.clone()], is: false });
            return;
        }
        let is = !slot.only && slot.role != Role::Without;
        draft.tests.push(Test::Did { actions: vec![noun.command.join(" ")], is });
    }

    /// "other channels": not the ones that were named before.
    fn other(&self, slot: &Slot, frame: &Frame, draft: &mut Draft) -> bool {
        let own = frame
            .slots
            .iter()
            .filter(|own| own.role == Role::From || own.leads)
            .flat_map(|slot| &slot.nouns)
            .flat_map(|noun| noun.places.iter().cloned());
        let own: Vec<Place> = own.collect();
        let named = if own.is_empty() { self.named_before() } else { own };
        let is_known = !named.is_empty();
        if is_known {
            draft.tests.push(place(self.side(slot, draft), named, false));
        }
        is_known
    }

    /// A name that no call knows as such: a file's where files are meant, a column's where SQL is.
    fn grounded(&self, place: &Place, noun: &Noun, frame: &Frame, draft: &mut Draft) -> Option<Place> {
        let searches = draft.doings.iter().any(
            |doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "web search" | "search")),
        );
        if let (Place::Domain(domain), true) = (place, searches && noun.kind == "host") {
            push_says(draft, vec![Saying::Words(domain.trim_start_matches('*').to_owned())], None, true);
            return None;
        }
        let Place::Id(name) = place else { return Some(place.clone()) };
        if self.speaks_of_text(frame, draft) && noun.kind.is_empty() {
            push_says(draft, vec![Saying::Words(name.clone())], self.parameter(frame), true);
            return None;
        }
        if name == "*" {
            push_says(draft, vec![Saying::Class("list of every column".to_owned())], None, true);
            return None;
        }
        let is_plain = noun.kind.is_empty() && !name.contains(['-', '/']);
        let queries = draft
            .doings
            .iter()
            .any(|doing| matches!(doing, Doing::Did(name) if name == "query" || name.starts_with("sql ")));
        if is_plain && queries {
            push_says(draft, vec![Saying::Words(name.clone())], self.parameter(frame), true);
            return None;
        }
        let is_file =
            is_plain && self.is_file_like(draft) && !name.chars().any(|letter| letter.is_ascii_digit());
        Some(if is_file { Place::Named(name.clone()) } else { place.clone() })
    }

    /// Text is enough, whatever is done with it.
    pub(super) fn drop_light(&self, draft: &mut Draft) {
        draft.doings.retain(|doing| {
            !matches!(doing, Doing::Deed(Deed::Writes | Deed::Involves | Deed::Sends | Deed::Copies))
        });
    }

    fn literals(&self, noun: &Noun, frame: &Frame, draft: &mut Draft, is: bool) {
        let mut choices = Vec::new();
        let mut says = Vec::new();
        for literal in &noun.literals {
            match literal {
                Literal::Emoji(name) => choices.push(name.clone()),
                Literal::Mention(name) => says.push(Saying::Words(name.clone())),
                Literal::Quoted(text) => says.push(Saying::Words(text.clone())),
                Literal::Flag(flag) => draft.tests.push(Test::Did { actions: vec![flag.to_lowercase()], is }),
                Literal::Number(number) => choices.push(number.to_string()),
                Literal::Like(sample) => says.push(Saying::Like(sample.clone())),
                _ => {}
            }
        }
        if !choices.is_empty() {
            push_choice(draft, choices, None, is);
        }
        if !says.is_empty() {
            push_says(draft, says, self.parameter(frame), is);
        }
    }

    /// The argument that a clause speaks of: "into a URL", "in the subject".
    pub(super) fn parameter(&self, frame: &Frame) -> Option<String> {
        frame.slots.iter().flat_map(|slot| &slot.nouns).find_map(|noun| noun.parameter.clone())
    }
}

/// Whether a slot may mean nothing: what is done says it already, or it names no particular thing.
fn says_nothing(slot: &Slot) -> bool {
    let is_general = |noun: &Noun| {
        noun.is_anything
            || noun.is_it
            || noun.act.is_some()
            || !noun.unit.is_empty() && noun.kind.is_empty()
            || noun.parameter.is_some()
            || !noun.names.is_empty()
            || noun.content.is_some()
    };
    !matches!(slot.role, Role::Having | Role::From | Role::Outside) || slot.nouns.iter().all(is_general)
}

fn lost(slot: &Slot) -> Trouble {
    let words: Vec<String> = slot.nouns.iter().flat_map(|noun| noun.words.iter().cloned()).collect();
    Trouble::Vague(format!("what is said of {}", words.join(" ")))
}
