//! What the nouns of a clause mean, by the part they play.

use super::{Draft, Interpreter, place};
use crate::english::Trouble;
use crate::english::amount::Compare;
use crate::english::chunk::Literal;
use crate::english::frame::{Frame, Role, Slot};
use crate::english::lexicon::Marker;
use crate::english::noun::{self, Noun};
use crate::meaning::{Deed, Doing, Place, Saying, Side, Test};
use crate::names;

impl Interpreter<'_> {
    /// What is done, as verbs and nouns say it.
    pub(super) fn doings(&self, frame: &Frame) -> Vec<Doing> {
        if frame.has(Marker::Append) {
            let did = ["update", "edit", "replace", "sql update"].map(|word| Doing::Did(word.to_owned()));
            return [Doing::Deed(Deed::Deletes), Doing::Deed(Deed::Moves)].into_iter().chain(did).collect();
        }
        if frame.has(Marker::Protect) {
            return vec![Doing::Deed(Deed::Changes)];
        }
        if frame.has(Marker::Avoid) {
            // "What you get from the database stays out of Slack"
            let follows = frame.slots.iter().any(|slot| slot.role == Role::From);
            return vec![Doing::Deed(if follows { Deed::Sends } else { Deed::Involves })];
        }
        let acts: Vec<_> = frame.acts.iter().filter_map(|number| self.lexicon.action(*number)).collect();
        let has_text_act =
            acts.iter().any(|act| matches!(act.name.as_str(), "web search" | "search" | "query"));
        let shown = frame.did_words.iter().filter(|word| self.hand.has_tool_word(word) || self.hand.has_program(word));
        let mut doings: Vec<Doing> = shown.map(|word| Doing::Did(word.clone())).collect();
        for (at, number) in frame.verbs.iter().enumerate() {
            let Some(verb) = self.lexicon.action(*number) else { continue };
            let saves = frame
                .verb_words
                .get(at)
                .is_some_and(|word| matches!(word.as_str(), "save" | "store" | "saving" | "saved"));
            let is_light =
                matches!(verb.name.as_str(), "send" | "create" | "write" | "run" | "use" | "change" | "post")
                    && !saves;
            // "send emails" is what "emails" says, "delete events" is what "delete" says.
            if (is_light && !acts.is_empty())
                || (verb.name == "type" && has_text_act)
                || verb.name == "mention"
            {
                // "Nothing from #legal may show up elsewhere": its data goes there.
                let follows =
                    verb.name == "mention" && frame.slots.iter().any(|slot| slot.role == Role::From);
                if follows {
                    doings.push(Doing::Deed(Deed::Sends));
                }
                continue;
            }
            // "leave a TODO in" writes it.
            if verb.name == "send"
                && frame.verb_words.get(at).is_some_and(|word| word.starts_with("leave"))
                && leaves_text(frame)
            {
                continue;
            }
            // "never replace a whole page", where a tool takes the value `replace_content`.
            let word = frame.verb_words.get(at).map(String::as_str).unwrap_or_default();
            if verb.deed == "changes" && !self.chosen(word).is_empty() {
                continue;
            }
            doings.extend(doing(&verb.name, &verb.deed));
        }
        if doings.is_empty() {
            for act in acts.iter().filter(|act| act.name != "mention") {
                doings.extend(doing(&act.name, &act.deed));
            }
        }
        doings.sort();
        doings.dedup();
        doings
    }

    /// The values of arguments at hand that a verb stands for.
    pub(super) fn chosen(&self, word: &str) -> Vec<String> {
        match word.contains(' ') || self.hand.has_tool_word(word) {
            true => Vec::new(),
            false => self.hand.choices_with(word),
        }
    }

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
        let told: Vec<String> = frame.did_words.iter().filter(|word| !self.hand.has_tool_word(word) && !self.hand.has_program(word)).flat_map(|word| [word.clone(), format!("{word}d"), format!("{word}ed")]).collect();
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

    /// A verb of looking or deleting with the noun of an act: "never delete events", "no new events".
    fn acts_of_others(&self, frame: &Frame, draft: &mut Draft) {
        let has_own = draft.doings.iter().any(|doing| {
            matches!(
                doing,
                Doing::Deed(Deed::Reads | Deed::Deletes | Deed::Moves | Deed::Changes | Deed::Writes)
            )
        });
        let by_verb = frame
            .verbs
            .iter()
            .any(|number| self.lexicon.action(*number).is_some_and(|verb| verb.name != "mention"));
        if !has_own || frame.acts.is_empty() || !by_verb {
            return;
        }
        let mailbox = frame.acts.iter().all(|number| self.is_named(*number, "mail"));
        if mailbox && !self.hand.has_tool_word("email") {
            draft.tests.push(place(Side::Object, vec![Place::Kind("mailbox".to_owned())], true));
            return;
        }
        let mut nouns: Vec<String> = frame.act_words.iter().map(|word| names::stem(word)).collect();
        if frame.acts.iter().all(|number| self.is_named(*number, "create")) {
            return;
        }
        for action in frame.acts.iter().filter_map(|number| self.lexicon.action(*number)) {
            nouns.extend(action.tools.iter().filter(|set| !set.contains(' ')).cloned());
            if action.name == "mail" {
                nouns.extend(["email", "mail", "message"].map(str::to_owned));
            }
        }
        nouns.sort();
        nouns.dedup();
        draft.tests.push(Test::Did { actions: nouns, is: true });
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
        if slot.role == Role::As && slot.nouns.iter().all(|noun| !noun.is_definite()) {
            return Ok(());
        }
        let is_outside = slot.role == Role::Outside || slot.nouns.iter().any(|noun| noun.is_outside);
        let inside = is_outside == slot.only;
        let leaves = self.leaves(slot, frame);
        let side = if leaves { Side::To } else { self.side(slot, draft) };
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
        join_alternatives(draft, alternatives, slot);
        if places.is_empty() {
            return Ok(());
        }
        if leaves {
            draft.tests.push(left(places));
            return Ok(());
        }
        let is_plain = !is_outside && !slot.only;
        let writes = draft.doings.contains(&Doing::Deed(Deed::Writes));
        let is_named = slot.role == Role::Object
            && places.iter().all(is_source)
            && slot.nouns.iter().all(|noun| noun.kind.is_empty() || slot.leads)
            && !slot.nouns.iter().any(|noun| noun.kind == "channel");
        let is_data = (slot.role == Role::From && (carries(&draft.doings) || writes))
            || (is_named && carries(&draft.doings) && (slot.leads || !posts(&draft.doings)));
        if is_plain && is_data {
            draft.tests.push(Test::Carries(places));
            return Ok(());
        }
        if !inside {
            let mut kinds: Vec<Place> = slot
                .nouns
                .iter()
                .map(|noun| noun.kind.clone())
                .filter(|kind| is_kind(kind))
                .map(Place::Kind)
                .collect();
            if kinds.is_empty() {
                kinds = implied(&places);
            }
            // Who is outside a domain is also whoever is outside the organisation.
            if kinds.contains(&Place::Kind("person".to_owned()))
                && places.iter().any(|place| matches!(place, Place::Domain(_)))
            {
                kinds.push(Place::External);
            }
            kinds.sort();
            kinds.dedup();
            if !kinds.is_empty() {
                draft.tests.push(place(side, kinds, true));
            }
        }
        draft.tests.push(place(side, places, inside));
        Ok(())
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
        let is_file = slot.nouns.iter().any(|noun| noun.kind == "file" || noun.places.iter().any(is_source));
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
        if let Some(action) = &noun.not_did {
            draft.tests.push(Test::Did { actions: vec![action.clone()], is: false });
            return Ok(());
        }
        // "answer in threads", "without a draft".
        if let Some(action) = noun
            .act
            .and_then(|act| self.lexicon.action(act))
            .filter(|_| matches!(slot.role, Role::In | Role::Without | Role::Having))
        {
            draft.tests.push(Test::Did { actions: vec![action.name.clone()], is });
            return Ok(());
        }
        if noun.act.is_some_and(|act| self.is_named(act, "browse")) && slot.role == Role::From {
            places.push(Place::Kind("page".to_owned()));
            return Ok(());
        }
        if noun.act.is_some() && matches!(slot.role, Role::From | Role::To) && !noun.is_definite() {
            return Ok(());
        }
        if let Some(given) = &noun.given {
            draft.tests.push(Test::Given { word: given.clone(), is });
            return Ok(());
        }
        if let Some(tool) = &noun.tool {
            self.tool_noun(tool, slot, draft, is);
            return Ok(());
        }
        if !noun.command.is_empty() {
            self.command(noun, slot, draft);
            return Ok(());
        }
        if !noun.tools.is_empty() {
            draft.tests.push(Test::Tool { names: noun.tools.clone(), is });
        }
        if let Some(content) = &noun.content {
            if content == "secret" {
                draft.tests.push(Test::Secret);
            } else {
                draft.tests.push(Test::Says {
                    what: vec![Saying::Class(content.clone())],
                    parameter: self.parameter(frame),
                    is,
                });
                self.drop_light(draft);
            }
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
        let is_bare = !noun.is_definite() && !noun.is_it;
        if is_bare && noun.act.is_none() {
            self.bare(noun, slot, frame, draft, places);
        }
        if noun.is_other {
            self.other(slot, frame, draft);
        }
        Ok(())
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
    fn other(&self, slot: &Slot, frame: &Frame, draft: &mut Draft) {
        let own = frame
            .slots
            .iter()
            .filter(|own| own.role == Role::From || own.leads)
            .flat_map(|slot| &slot.nouns)
            .flat_map(|noun| noun.places.iter().cloned());
        let own: Vec<Place> = own.collect();
        let named = if own.is_empty() { self.named_before() } else { own };
        if !named.is_empty() {
            draft.tests.push(place(self.side(slot, draft), named, false));
        }
    }

    /// A name that no call knows as such: a file's where files are meant, a column's where SQL is.
    fn grounded(&self, place: &Place, noun: &Noun, frame: &Frame, draft: &mut Draft) -> Option<Place> {
        let Place::Id(name) = place else { return Some(place.clone()) };
        if self.speaks_of_text(frame, draft) && noun.kind.is_empty() {
            push_says(draft, vec![Saying::Words(name.clone())], self.parameter(frame), true);
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
    fn drop_light(&self, draft: &mut Draft) {
        draft.doings.retain(|doing| {
            !matches!(doing, Doing::Deed(Deed::Writes | Deed::Involves | Deed::Sends | Deed::Copies))
        });
    }

    /// A thing that only has its kind: "files", "people", "issues".
    fn bare(&self, noun: &Noun, slot: &Slot, frame: &Frame, draft: &mut Draft, places: &mut Vec<Place>) {
        if noun.kind == "database" && slot.role == Role::From {
            places.push(Place::Kind("table".to_owned()));
            return;
        }
        // "to anyone", "people's profiles": everybody is nobody in particular.
        // "paste links into Slack": what the text holds.
        let writes = draft.doings.iter().any(|doing| {
            matches!(doing, Doing::Deed(Deed::Writes | Deed::Copies | Deed::Sends))
                || *doing == Doing::Did("post".to_owned())
        });
        let looks = draft.doings.iter().any(|doing| {
            matches!(doing, Doing::Deed(Deed::Reads | Deed::Involves))
                || matches!(doing, Doing::Did(name) if name != "post" && name != "mail")
        });
        if noun.parameter.as_deref() == Some("url")
            && slot.role == Role::Object
            && (writes || (!looks && frame.denies_object))
        {
            draft.tests.push(Test::Says {
                what: vec![Saying::Class("link".to_owned())],
                parameter: None,
                is: true,
            });
            self.drop_light(draft);
            return;
        }
        if matches!(noun.kind.as_str(), "branch" | "database" | "person" | "")
            || slot.role == Role::As
            || noun.parameter.is_some()
        {
            return;
        }
        let makes = draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(Deed::Writes)));
        let by_words = ["repository", "note", "table", "calendar", "channel", "file"]
            .contains(&noun.kind.as_str())
            && makes
            && slot.role == Role::Object
            && frame.verbs.iter().chain(&frame.acts).any(|number| self.is_named(*number, "create"));
        if by_words
            && let Some(word) =
                noun.words.last().map(|word| names::stem(word)).filter(|word| self.is_made(word))
        {
            // "create repositories" shows in the tool's name.
            draft.tests.push(Test::Did { actions: made(&word), is: true });
            return;
        }
        if is_kind(&noun.kind) {
            places.push(Place::Kind(noun.kind.clone()));
        }
    }

    /// Things that tools make: not files, which everything makes.
    fn is_made(&self, word: &str) -> bool {
        !matches!(word, "file" | "document" | "doc")
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
                && let Some(role) = frame
                    .slots
                    .last()
                    .map(|slot| slot.role)
                    .filter(|role| matches!(role, Role::To | Role::From))
            {
                slot.role = role;
            }
        }
        let own = self.doings(&inner);
        // "… except to read it"
        if own == [Doing::Deed(Deed::Reads)]
            && inner.slots.iter().all(|slot| slot.nouns.iter().all(|noun| noun.is_it || !noun.is_definite()))
        {
            return Ok(vec![vec![Test::Did { actions: vec!["reading only".to_owned()], is: true }]]);
        }
        self.slots(&inner, &mut draft)?;
        let of_event = self.is_of_event(&draft, frame);
        let spans = super::merged(&inner.spans);
        if !spans.is_empty() {
            draft.tests.push(Test::Time { spans, is: true, of_event });
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
    pub(super) fn required(&self, needed: &Frame, base: &Draft) -> Result<Vec<Test>, Trouble> {
        let mut draft = Draft { doings: base.doings.clone(), ..Draft::default() };
        self.slots(needed, &mut draft)?;
        let mut tests: Vec<Test> = draft.tests.into_iter().filter_map(Test::negated).collect();
        for (amount, unit) in &needed.amounts {
            let unit = unit.clone().or_else(|| self.guessed_unit(needed)).unwrap_or_else(|| "row".to_owned());
            let (above, is) = match amount.compare {
                Compare::AtLeast => (amount.number - 1, false),
                Compare::Above => (amount.number, false),
                Compare::Below => (amount.number - 1, true),
                Compare::AtMost | Compare::Equal => (amount.number, true),
            };
            tests.push(Test::Measure { unit, above, is });
        }
        for number in &needed.acts {
            if let Some(action) = self.lexicon.action(*number) {
                tests.push(Test::Did { actions: vec![action.name.clone()], is: false });
            }
        }
        let spans = super::merged(&needed.spans);
        if !spans.is_empty() {
            tests.push(Test::Time { spans, is: false, of_event: self.hand.has_calendar() });
        }
        Ok(tests)
    }
}

pub(super) fn doing(name: &str, deed: &str) -> Option<Doing> {
    Some(match deed {
        "reads" => Doing::Deed(Deed::Reads),
        "writes" => Doing::Deed(Deed::Writes),
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
        Doing::Did(name) => matches!(
            name.as_str(),
            "mail" | "post" | "publish" | "upload" | "attach" | "web search" | "forward"
        ),
    })
}

/// What several nouns say: any of them, unless they are what alone is allowed.
fn join_alternatives(draft: &mut Draft, alternatives: Vec<Vec<Test>>, slot: &Slot) {
    let all = slot.only || slot.role == Role::Without || alternatives.len() < 2;
    if all {
        for test in alternatives.into_iter().flatten() {
            push_merged(draft, test);
        }
        return;
    }
    let simple = alternatives.iter().all(|tests| tests.len() == 1);
    if simple && let Some(test) = united(&alternatives) {
        draft.tests.push(test);
        return;
    }
    draft.tests.push(Test::Any(alternatives));
}

/// Tests of one form as one test of several values.
fn united(alternatives: &[Vec<Test>]) -> Option<Test> {
    let mut tests = alternatives.iter().flatten().cloned();
    let mut first = tests.next()?;
    for test in tests {
        if !unite(&mut first, &test) {
            return None;
        }
    }
    Some(first)
}

fn push_merged(draft: &mut Draft, test: Test) {
    let is_united = draft.tests.last_mut().is_some_and(|last| unite(last, &test));
    if !is_united {
        draft.tests.push(test);
    }
}

/// Adds the values of one test to another, if they have the same form.
fn unite(first: &mut Test, other: &Test) -> bool {
    match (first, other) {
        (Test::Says { what, parameter, is }, Test::Says { what: more, parameter: own, is: same })
            if parameter == own && is == same =>
        {
            what.extend(more.iter().cloned())
        }
        (Test::Choice { values, parameter, is }, Test::Choice { values: more, parameter: own, is: same })
            if parameter == own && is == same =>
        {
            values.extend(more.iter().cloned())
        }
        (Test::Branch { patterns, is }, Test::Branch { patterns: more, is: same }) if is == same => {
            patterns.extend(more.iter().cloned())
        }
        (Test::Did { actions, is }, Test::Did { actions: more, is: same }) if is == same => {
            actions.extend(more.iter().cloned())
        }
        (Test::Tool { names, is }, Test::Tool { names: more, is: same }) if is == same => {
            names.extend(more.iter().cloned())
        }
        (Test::Program { names, is }, Test::Program { names: more, is: same }) if is == same => {
            names.extend(more.iter().cloned())
        }
        (Test::About { nouns, is }, Test::About { nouns: more, is: same }) if is == same => {
            nouns.extend(more.iter().cloned())
        }
        (Test::Concerns(names), Test::Concerns(more)) => names.extend(more.iter().cloned()),
        _ => return false,
    }
    true
}

/// Something is posted or mailed, so that the object may be whom it goes to.
fn posts(doings: &[Doing]) -> bool {
    doings
        .iter()
        .any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "post" | "direct message")))
}

/// "leave a TODO": a text, not a place.
fn leaves_text(frame: &Frame) -> bool {
    frame
        .slots
        .iter()
        .filter(|slot| slot.role == Role::Object && !slot.leads)
        .any(|slot| slot.nouns.iter().any(|noun| !noun.names.is_empty() || !noun.literals.is_empty()))
}

/// Beyond a place.
fn left(places: Vec<Place>) -> Test {
    let is_local = |place: &Place| matches!(place, Place::Local);
    if places.iter().all(is_local) {
        return place(Side::To, vec![Place::Network], true);
    }
    if places.contains(&Place::Internal) {
        return place(Side::To, vec![Place::External], true);
    }
    place(Side::To, places, false)
}

fn carries_data(draft: &Draft) -> bool {
    draft.tests.iter().any(|test| matches!(test, Test::Carries(_)))
}

/// Places that data can come from, as opposed to people that it goes to.
fn is_source(place: &Place) -> bool {
    matches!(
        place,
        Place::Path(_)
            | Place::Named(_)
            | Place::Word(_)
            | Place::Folder(_)
            | Place::Ending(_)
            | Place::Table(_)
            | Place::Database(_)
            | Place::Id(_)
    )
}

fn is_kind(kind: &str) -> bool {
    matches!(
        kind,
        "file"
            | "page"
            | "person"
            | "channel"
            | "direct"
            | "repository"
            | "table"
            | "calendar"
            | "mailbox"
            | "note"
            | "package"
            | "host"
            | "network"
    )
}

/// Words of tools that make such a thing.
fn made(word: &str) -> Vec<String> {
    match word {
        "folder" | "directory" | "dir" | "subfolder" | "subdirectory" => {
            vec!["directory".to_owned(), "folder".to_owned(), "mkdir".to_owned()]
        }
        "repo" | "repository" => vec!["repository".to_owned(), "repo".to_owned()],
        "table" => vec!["sql create".to_owned()],
        word => vec![word.to_owned()],
    }
}

/// The kind of things that places speak of.
fn implied(places: &[Place]) -> Vec<Place> {
    places
        .iter()
        .filter_map(|place| match place {
            Place::Path(_)
            | Place::Folder(_)
            | Place::Named(_)
            | Place::Ending(_)
            | Place::TopLevel
            | Place::Hidden => Some(Place::Kind("file".to_owned())),
            Place::Domain(_) | Place::External | Place::Internal => Some(Place::Network),
            Place::Page(_) | Place::HostLike(_) | Place::PlainHttp => Some(Place::Kind("page".to_owned())),
            Place::Address(_) | Place::Mailbox(_) => Some(Place::Kind("person".to_owned())),
            Place::Table(_) | Place::Database(_) => Some(Place::Kind("table".to_owned())),
            _ => None,
        })
        .collect()
}

/// Whether two slots make one: a kind of things, and where they are.
fn fits(before: &Slot, slot: &Slot) -> bool {
    let kind = before.nouns.first().map(|noun| noun.kind.as_str()).unwrap_or_default();
    let is_file = |noun: &Noun| {
        noun.places.iter().all(|place| {
            matches!(
                place,
                Place::Path(_) | Place::Folder(_) | Place::Named(_) | Place::Word(_) | Place::TopLevel
            )
        }) && !noun.places.is_empty()
            || noun.words == ["workspace"]
            || noun.is_it
    };
    let is_net = |noun: &Noun| {
        noun.places.iter().all(|place| {
            matches!(
                place,
                Place::Domain(_) | Place::Internal | Place::External | Place::HostLike(_) | Place::Page(_)
            )
        }) && !noun.places.is_empty()
    };
    match kind {
        "file" => slot.nouns.iter().all(is_file),
        "person" | "page" | "host" => slot.nouns.iter().all(is_net),
        "branch" => slot.role != Role::From,
        "table" => slot.nouns.iter().all(|noun| {
            noun.places.iter().all(|place| {
                matches!(place, Place::Database(_) | Place::Table(_) | Place::Id(_) | Place::Word(_))
            })
        }),
        "channel" | "note" | "repository" => slot.role != Role::From,
        _ => false,
    }
}

fn take_kind(noun: &mut Noun, kind: &str) {
    kind.clone_into(&mut noun.kind);
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
