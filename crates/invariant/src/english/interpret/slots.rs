//! What the nouns of a clause mean, by the part they play.

use super::{Draft, Interpreter, place};
use crate::english::Trouble;
use crate::english::chunk::Literal;
use crate::english::frame::{Frame, Role, Slot};
use crate::english::lexicon::Marker;
use crate::english::noun::{self, Noun};
use crate::meaning::{Deed, Doing, Place, Saying, Side, Test};
use crate::names;

impl Interpreter<'_> {
    /// What is done, as verbs and nouns say it.
    pub(super) fn doings(&self, frame: &Frame) -> Vec<Doing> {
        let verbs: Vec<_> = frame.verbs.iter().filter_map(|number| self.lexicon.action(*number)).collect();
        let acts: Vec<_> = frame.acts.iter().filter_map(|number| self.lexicon.action(*number)).collect();
        let is_light = |name: &str| matches!(name, "send" | "create" | "write" | "run" | "use" | "change");
        let mut doings = Vec::new();
        for verb in &verbs {
            // "send emails" is what "emails" says, "delete events" is what "delete" says.
            if is_light(&verb.name) && !acts.is_empty() {
                continue;
            }
            doings.extend(doing(&verb.name, &verb.deed));
        }
        if doings.is_empty() {
            for act in &acts {
                doings.extend(doing(&act.name, &act.deed));
            }
        }
        doings.sort();
        doings.dedup();
        doings
    }

    pub(super) fn slots(&self, frame: &Frame, draft: &mut Draft) -> Result<(), Trouble> {
        // A verb of looking or deleting with the noun of an act: "never delete events".
        let has_own = draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(Deed::Reads | Deed::Deletes | Deed::Moves | Deed::Changes)));
        if has_own && !frame.acts.is_empty() && !frame.verbs.is_empty() {
            let actions: Vec<String> = frame.act_words.iter().map(|word| names::stem(word)).collect();
            draft.tests.push(Test::Did { actions, is: true });
        }
        for slot in self.joined(frame) {
            self.slot(&slot, frame, draft)?;
        }
        Ok(())
    }

    /// Slots that belong together made one: "people" and "at acme.com", "files" and "outside /project".
    fn joined(&self, frame: &Frame) -> Vec<Slot> {
        let mut slots: Vec<Slot> = Vec::new();
        for slot in &frame.slots {
            let is_inner = matches!(slot.role, Role::In | Role::Outside | Role::From) && !slot.leads;
            if is_inner
                && let Some(before) = slots.last_mut()
                && !before.leads
                && before.nouns.iter().all(|noun| !noun.is_definite() && !noun.kind.is_empty() && noun.act.is_none())
                && fits(before, slot)
            {
                let kind = before.nouns.first().map(|noun| noun.kind.clone()).unwrap_or_default();
                let mut nouns = slot.nouns.clone();
                nouns.iter_mut().for_each(|noun| take_kind(noun, &kind));
                before.nouns = nouns;
                before.only |= slot.only;
                if slot.role == Role::Outside {
                    before.role = match before.role {
                        Role::To => Role::To,
                        _ => Role::Outside,
                    };
                    before.nouns.iter_mut().for_each(|noun| noun.unit.push('!'));
                }
                continue;
            }
            slots.push(slot.clone());
        }
        slots
    }

    fn slot(&self, slot: &Slot, frame: &Frame, draft: &mut Draft) -> Result<(), Trouble> {
        let is_outside = slot.role == Role::Outside || slot.nouns.iter().any(|noun| noun.unit.ends_with('!'));
        let inside = is_outside == slot.only;
        let side = self.side(slot, frame, draft);
        let mut places = Vec::new();
        for noun in &slot.nouns {
            self.noun(noun, slot, frame, draft, &mut places, inside)?;
        }
        if places.is_empty() {
            return Ok(());
        }
        let carries = slot.role == Role::From && !slot.only && !is_outside && carries(&draft.doings)
            || (slot.role == Role::Object && !is_outside && !slot.only && carries(&draft.doings) && places.iter().all(is_source));
        if carries {
            draft.tests.push(Test::Carries(places));
            return Ok(());
        }
        let kinds: Vec<Place> = slot.nouns.iter().map(|noun| noun.kind.clone()).filter(|kind| is_kind(kind)).map(Place::Kind).collect();
        // "outside docs/" still speaks of files, "outside acme.com" of people.
        if !inside {
            let mut kinds = if kinds.is_empty() { implied(&places) } else { kinds };
            kinds.sort();
            kinds.dedup();
            if !kinds.is_empty() {
                draft.tests.push(place(side, kinds, true));
            }
        }
        draft.tests.push(place(side, places, inside));
        Ok(())
    }

    /// Which part of a flow a slot is.
    fn side(&self, slot: &Slot, frame: &Frame, draft: &Draft) -> Side {
        let sends = draft.doings.iter().any(|doing| match doing {
            Doing::Deed(Deed::Sends | Deed::Copies) => true,
            Doing::Deed(_) => false,
            Doing::Did(name) => matches!(name.as_str(), "mail" | "post" | "publish" | "upload" | "forward" | "attach"),
        });
        match slot.role {
            Role::To => Side::To,
            Role::From => Side::From,
            Role::Object | Role::In | Role::Outside | Role::Without | Role::Having | Role::As => {
                let is_target = slot.nouns.iter().any(|noun| {
                    matches!(noun.kind.as_str(), "person" | "channel" | "direct") || noun.places.iter().any(|place| matches!(place, Place::External | Place::Internal | Place::Domain(_) | Place::Address(_) | Place::Network | Place::Mailbox(_)))
                });
                let _ = frame;
                if sends && is_target {
                    Side::To
                } else if sends && slot.nouns.iter().any(|noun| noun.kind == "file" || noun.places.iter().any(is_source)) && matches!(slot.role, Role::Object | Role::Outside) {
                    Side::From
                } else {
                    Side::Object
                }
            }
        }
    }

    fn noun(&self, noun: &Noun, slot: &Slot, frame: &Frame, draft: &mut Draft, places: &mut Vec<Place>, inside: bool) -> Result<(), Trouble> {
        let is = slot.role != Role::Without && !slot.only;
        if let Some(action) = &noun.not_did {
            draft.tests.push(Test::Did { actions: vec![action.clone()], is: false });
            return Ok(());
        }
        if let Some(given) = &noun.given {
            draft.tests.push(Test::Given { word: given.clone(), is });
            return Ok(());
        }
        if !noun.tools.is_empty() {
            draft.tests.push(Test::Tool { names: noun.tools.clone(), is });
        }
        if let Some(content) = &noun.content {
            if content == "secret" {
                draft.tests.push(Test::Secret);
            } else {
                draft.tests.push(Test::Says { what: vec![Saying::Class(content.clone())], parameter: self.parameter(frame), is });
            }
        }
        if !noun.branches.is_empty() || (noun.kind == "branch" && !noun.places.is_empty()) {
            let mut patterns = noun.branches.clone();
            patterns.extend(noun.places.iter().filter_map(as_branch));
            push_branches(draft, patterns, inside);
            return Ok(());
        }
        self.literals(noun, frame, draft, is)?;
        places.extend(noun.places.iter().cloned());
        places.extend(noun.adjectives.iter().cloned());
        if noun.words == ["workspace"] && noun.places.is_empty() {
            places.push(noun::workspace(self.hand));
        }
        if !noun.names.is_empty() {
            self.names(noun, slot, frame, draft, places, is)?;
        }
        let is_bare = noun.places.is_empty() && noun.adjectives.is_empty() && noun.names.is_empty() && noun.content.is_none() && noun.tools.is_empty() && noun.literals.is_empty();
        if is_bare && noun.act.is_none() {
            self.bare(noun, slot, draft, places);
        }
        Ok(())
    }

    /// A thing that only has its kind: "files", "people", "issues".
    fn bare(&self, noun: &Noun, slot: &Slot, draft: &mut Draft, places: &mut Vec<Place>) {
        if noun.kind == "branch" || noun.kind == "database" || slot.role == Role::As {
            return;
        }
        let by_words = ["repository", "note", "table", "calendar", "channel"].contains(&noun.kind.as_str()) && draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(Deed::Writes)));
        if by_words {
            // "create repositories" shows in the tool's name.
            draft.tests.push(Test::Did { actions: noun.words.iter().map(|word| names::stem(word)).collect(), is: true });
            return;
        }
        if is_kind(&noun.kind) && noun.parameter.is_none() {
            places.push(Place::Kind(noun.kind.clone()));
        }
    }

    fn literals(&self, noun: &Noun, frame: &Frame, draft: &mut Draft, is: bool) -> Result<(), Trouble> {
        let mut choices = Vec::new();
        let mut says = Vec::new();
        for literal in &noun.literals {
            match literal {
                Literal::Emoji(name) => choices.push(name.clone()),
                Literal::Mention(name) => says.push(Saying::Words(name.clone())),
                Literal::Quoted(text) => says.push(Saying::Words(text.clone())),
                Literal::Flag(flag) => draft.tests.push(Test::Did { actions: vec![flag.to_lowercase()], is }),
                Literal::Number(number) => choices.push(number.to_string()),
                _ => {}
            }
        }
        if !choices.is_empty() {
            push_choice(draft, choices, None, is);
        }
        if !says.is_empty() {
            push_says(draft, says, self.parameter(frame), is);
        }
        Ok(())
    }

    /// The argument that a clause speaks of: "into a URL", "in the subject".
    pub(super) fn parameter(&self, frame: &Frame) -> Option<String> {
        frame.slots.iter().flat_map(|slot| &slot.nouns).find_map(|noun| noun.parameter.clone())
    }

    /// Exceptions: each alone is enough.
    pub(super) fn exceptions(&self, excepted: &Frame, frame: &Frame) -> Result<Vec<Vec<Test>>, Trouble> {
        if excepted.asks {
            return Ok(Vec::new());
        }
        if !excepted.unknown.is_empty() {
            return Err(Trouble::Words(excepted.unknown.clone()));
        }
        let mut draft = Draft { doings: self.doings(frame), ..Draft::default() };
        let mut inner = excepted.clone();
        // "no file except README.md" excepts what the object is.
        for slot in &mut inner.slots {
            slot.only = false;
            if slot.role == Role::Object
                && let Some(role) = frame.slots.last().map(|slot| slot.role).filter(|role| matches!(role, Role::To | Role::From))
            {
                slot.role = role;
            }
        }
        let own = self.doings(&inner);
        self.slots(&inner, &mut draft)?;
        let of_event = self.is_of_event(&draft, frame);
        for span in super::merged(&inner.spans) {
            draft.tests.push(Test::Time { span, of_event });
        }
        for (amount, unit) in &inner.amounts {
            self.amount(amount, unit.as_deref(), &inner, &mut draft)?;
        }
        for doing in own {
            if let Doing::Did(name) = doing {
                draft.tests.push(Test::Did { actions: vec![name], is: true });
            }
        }
        Ok(if draft.tests.is_empty() { Vec::new() } else { vec![draft.tests] })
    }

    /// What must be there, each as a test that it is not.
    pub(super) fn required(&self, needed: &Frame) -> Result<Vec<Test>, Trouble> {
        let mut draft = Draft { doings: Vec::new(), ..Draft::default() };
        self.slots(needed, &mut draft)?;
        let mut tests: Vec<Test> = draft.tests.into_iter().filter_map(Test::negated).collect();
        for (amount, unit) in &needed.amounts {
            let unit = unit.clone().or_else(|| self.guessed_unit(needed)).unwrap_or_else(|| "row".to_owned());
            tests.push(Test::Measure { unit, above: amount.number, is: true });
        }
        for number in &needed.acts {
            if let Some(action) = self.lexicon.action(*number) {
                tests.push(Test::Did { actions: vec![action.name.clone()], is: false });
            }
        }
        for span in &needed.spans {
            let span = crate::meaning::Span { is_outside: !span.is_outside, ..span.clone() };
            tests.push(Test::Time { span, of_event: self.hand.has_calendar() });
        }
        Ok(tests)
    }

    pub(super) fn has(&self, frame: &Frame, marker: Marker) -> bool {
        frame.has(marker)
    }
}

fn doing(name: &str, deed: &str) -> Option<Doing> {
    Some(match deed {
        "reads" => match name {
            "read" | "browse" => Doing::Deed(Deed::Reads),
            _ => Doing::Did(name.to_owned()),
        },
        "writes" => match name {
            "create" => Doing::Deed(Deed::Writes),
            _ => Doing::Deed(Deed::Writes),
        },
        "changes" => Doing::Deed(Deed::Changes),
        "deletes" => Doing::Deed(Deed::Deletes),
        "moves" => Doing::Deed(Deed::Moves),
        "copies" => Doing::Deed(Deed::Copies),
        "runs" => Doing::Deed(Deed::Runs),
        "sends" => Doing::Deed(Deed::Sends),
        "involves" => Doing::Deed(Deed::Involves),
        _ => Doing::Did(name.to_owned()),
    })
}

/// Deeds by which data goes somewhere.
fn carries(doings: &[Doing]) -> bool {
    doings.iter().any(|doing| match doing {
        Doing::Deed(deed) => matches!(deed, Deed::Sends | Deed::Copies),
        Doing::Did(name) => matches!(name.as_str(), "mail" | "post" | "publish" | "upload" | "attach" | "web search" | "forward"),
    })
}

/// Places that data can come from, as opposed to people that it goes to.
fn is_source(place: &Place) -> bool {
    matches!(place, Place::Path(_) | Place::Named(_) | Place::Word(_) | Place::Folder(_) | Place::Ending(_) | Place::Table(_) | Place::Database(_) | Place::Id(_))
}

fn is_kind(kind: &str) -> bool {
    matches!(kind, "file" | "page" | "person" | "channel" | "direct" | "repository" | "table" | "calendar" | "mailbox" | "note" | "package" | "host" | "network")
}

/// The kind of things that places speak of.
fn implied(places: &[Place]) -> Vec<Place> {
    places.iter().filter_map(|place| match place {
        Place::Path(_) | Place::Folder(_) | Place::Named(_) | Place::Ending(_) | Place::TopLevel | Place::Hidden => Some(Place::Kind("file".to_owned())),
        Place::Domain(_) | Place::External | Place::Internal => Some(Place::Network),
        Place::Page(_) | Place::HostLike(_) | Place::PlainHttp => Some(Place::Kind("page".to_owned())),
        Place::Address(_) | Place::Mailbox(_) => Some(Place::Kind("person".to_owned())),
        Place::Table(_) | Place::Database(_) => Some(Place::Kind("table".to_owned())),
        _ => None,
    }).collect()
}

/// Whether two slots make one: a kind of things, and where they are.
fn fits(before: &Slot, slot: &Slot) -> bool {
    let kind = before.nouns.first().map(|noun| noun.kind.as_str()).unwrap_or_default();
    let is_file = |noun: &Noun| noun.places.iter().all(|place| matches!(place, Place::Path(_) | Place::Folder(_) | Place::Named(_) | Place::Word(_) | Place::TopLevel)) && !noun.places.is_empty() || noun.words == ["workspace"];
    let is_net = |noun: &Noun| noun.places.iter().all(|place| matches!(place, Place::Domain(_) | Place::Internal | Place::External | Place::HostLike(_) | Place::Page(_))) && !noun.places.is_empty();
    match kind {
        "file" => slot.nouns.iter().all(is_file),
        "person" | "page" | "host" => slot.nouns.iter().all(is_net),
        "branch" => slot.role != Role::From,
        "table" => slot.nouns.iter().all(|noun| noun.places.iter().all(|place| matches!(place, Place::Database(_) | Place::Table(_) | Place::Id(_) | Place::Word(_)))),
        "channel" | "note" | "repository" => slot.role != Role::From,
        _ => false,
    }
}

fn take_kind(noun: &mut Noun, kind: &str) {
    noun.kind = kind.to_owned();
    if kind == "branch" {
        noun.branches.extend(noun.places.drain(..).filter_map(|place| as_branch(&place)));
        noun.branches.append(&mut noun.names);
    }
}

fn as_branch(place: &Place) -> Option<String> {
    match place {
        Place::Id(name) | Place::Named(name) | Place::Word(name) => Some(name.clone()),
        Place::Path(path) => path.rsplit('/').next().map(|name| format!("{name}/*")),
        _ => None,
    }
}

pub(super) fn push_branches(draft: &mut Draft, patterns: Vec<String>, is: bool) {
    if let Some(Test::Branch { patterns: before, is: own }) = draft.tests.last_mut()
        && *own == is
    {
        before.extend(patterns);
        return;
    }
    draft.tests.push(Test::Branch { patterns, is });
}

pub(super) fn push_choice(draft: &mut Draft, values: Vec<String>, parameter: Option<String>, is: bool) {
    if let Some(Test::Choice { values: before, is: own, .. }) = draft.tests.last_mut()
        && *own == is
    {
        before.extend(values);
        return;
    }
    draft.tests.push(Test::Choice { values, parameter, is });
}

pub(super) fn push_says(draft: &mut Draft, says: Vec<Saying>, parameter: Option<String>, is: bool) {
    if let Some(Test::Says { what, is: own, .. }) = draft.tests.last_mut()
        && *own == is
    {
        what.extend(says);
        return;
    }
    draft.tests.push(Test::Says { what: says, parameter, is });
}
