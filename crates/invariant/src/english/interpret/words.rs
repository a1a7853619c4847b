//! Names that are not in the lexicon: looked up among the tools at hand, else taken for a site, a place or a text.

use super::unite::{push_branches, push_choice, push_says};
use super::{Draft, Interpreter};
use crate::english::Trouble;
use crate::english::frame::{Frame, Role, Slot};
use crate::english::lexicon::{Marker, word_bases};
use crate::english::noun::{Noun, site};
use crate::meaning::{Deed, Doing, Place, Saying, Test};
use crate::names;

impl Interpreter<'_> {
    /// What the names of a noun mean, in this clause.
    pub(super) fn names(
        &self,
        noun: &Noun,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        places: &mut Vec<Place>,
        is: bool,
    ) -> Result<(), Trouble> {
        let mut unknown = Vec::new();
        // Words in a row are one text.
        if self.speaks_of_text(frame, draft) && noun.names.len() > 1 && !noun.has_ids && noun.act.is_none() {
            push_says(draft, vec![Saying::Words(noun.names.join(" "))], self.parameter(frame), is);
            return Ok(());
        }
        // "the front door": one name, where no word of it is known.
        if self.hand.is_own()
            && noun.names.len() > 1
            && is
            && noun.names.iter().all(|name| !self.hand.has_word(name) && name.starts_with(char::is_lowercase))
            && !draft.doings.is_empty()
        {
            draft.tests.push(Test::Concerns(vec![noun.names.join(" ")]));
            return Ok(());
        }
        if self.value_of(&noun.names, draft, is) {
            return Ok(());
        }
        for name in &noun.names {
            if !self.name(name, noun, slot, frame, draft, places, is) {
                unknown.push(name.clone());
            }
        }
        // "the burglar alarm", where there is an alarm: the other word is told as left out.
        // "unlock a door", where a tool unlocks: what it is done to only says what the tool is about.
        let words = frame.verb_words.iter().chain(&frame.did_words);
        let does = words.flat_map(|word| word_bases(word)).any(|word| self.hand.has_own_word(&word));
        let plain = unknown.iter().all(|name| name.starts_with(char::is_lowercase));
        let by_words =
            !draft.doings.is_empty() && draft.doings.iter().all(|doing| matches!(doing, Doing::Did(_)));
        let does = does || (by_words && self.hand.is_own());
        let is_object = slot.role == Role::Object && !slot.only && does && plain;
        let is_known = unknown.len() < noun.names.len() || (is_object && !draft.doings.is_empty());
        if is_known {
            self.dropped.borrow_mut().append(&mut unknown);
        }
        if unknown.is_empty() || is_known { Ok(()) } else { Err(Trouble::Words(unknown)) }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "everything that a name may mean is decided in one place, in order"
    )]
    fn name(
        &self,
        name: &str,
        noun: &Noun,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        places: &mut Vec<Place>,
        is: bool,
    ) -> bool {
        let low = name.to_lowercase();
        let stem = word_bases(&low)
            .into_iter()
            .find(|base| self.hand.has_tool_word(base))
            .map_or_else(|| names::stem(&low), |base| names::stem(&base));
        match name {
            "WHERE" if slot.role == Role::Without => draft.tests.push(Test::WithoutWhere),
            "LIMIT" if slot.role == Role::Without => draft.tests.push(Test::Unlimited),
            "WHERE" | "LIMIT" => {}
            // "local search", "squash merges": a word in front of an act says which.
            _ if noun.act.is_some() && self.modifies(name, &stem, draft, is) => {}
            // "basic only": a value that nobody knows, not a text that must be there.
            _ if !is
                && slot.only
                && self.speaks_of_text(frame, draft)
                && name.starts_with(char::is_lowercase)
                && !frame.verbs.iter().chain(&frame.acts).any(|number| self.is_named(*number, "mention")) =>
            {
                return false;
            }
            _ if self.speaks_of_text(frame, draft) => {
                push_says(draft, vec![Saying::Words(name.to_owned())], self.parameter(frame), is);
            }
            _ if self.queries(draft)
                && !self.hand.has_tool_word(&stem)
                && matches!(slot.role, Role::In | Role::From | Role::To | Role::Outside) =>
            {
                places.push(Place::Table(name.to_owned()))
            }
            _ if self.queries(draft) && !self.hand.has_tool_word(&stem) => {
                push_says(draft, vec![Saying::Words(name.to_owned())], None, is)
            }
            _ if noun.kind == "repository" || self.of_repositories(frame) && slot.role != Role::Object => {
                places.push(Place::Id(name.to_owned()))
            }
            _ if slot.only && self.topic(&low).is_some() => {
                let parameter = self.topic(&low);
                if let Some(word) = &parameter {
                    draft.tests.push(Test::Given { word: word.clone(), is: true });
                }
                push_choice(draft, vec![name.to_owned()], parameter, is);
            }
            _ if crate::english::token::is_file_end(&low)
                && slot.nouns.iter().any(|noun| noun.kind == "file") =>
            {
                places.push(Place::Ending(low))
            }
            _ if self.is_branch(&low, frame, draft) => {
                push_branches(draft, vec![low], is == (slot.role != Role::Outside))
            }
            _ if is_constant(name) => self.constant(name, noun, slot, frame, draft, places, is),
            _ => return self.name_at_hand(name, &stem, noun, slot, frame, draft, places, is),
        }
        true
    }

    /// `SEC`, `BBC`, `STARRED`: written in capitals, as values and keys are.
    #[expect(clippy::too_many_arguments, reason = "everything that a name may mean is decided in one order")]
    fn constant(
        &self,
        name: &str,
        noun: &Noun,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        places: &mut Vec<Place>,
        is: bool,
    ) {
        let low = name.to_lowercase();
        if self.hand.has_server(&low) {
            return draft.tests.push(Test::Tool { names: vec![low], is });
        }
        // "news from the BBC only"
        let is_source = slot.only || slot.role == Role::From;
        if is_source && self.hand.has_web() && self.hand.choice(name).is_none() {
            return places.push(Place::HostLike(site(name)));
        }
        if self.is_file_like(draft) {
            return places.push(Place::Named(name.to_owned()));
        }
        let parameter = frame.verb_words.iter().find(|word| self.hand.has_parameter(word)).cloned();
        // "SEC tickets": by the name, or by a value.
        if parameter.is_none() && is && !self.queries(draft) && noun.act.is_none() {
            return draft.tests.push(Test::Concerns(vec![name.to_owned()]));
        }
        if parameter.is_some() {
            draft.doings.clear();
        }
        push_choice(draft, vec![name.to_owned()], parameter, is);
    }

    /// A name that the tools at hand know, else a site, a thing or a value.
    #[expect(clippy::too_many_arguments, reason = "everything that a name may mean is decided in one order")]
    fn name_at_hand(
        &self,
        name: &str,
        stem: &str,
        noun: &Noun,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        places: &mut Vec<Place>,
        is: bool,
    ) -> bool {
        let low = name.to_lowercase();
        let is_capital = name.chars().next().is_some_and(char::is_uppercase);
        if self.told_by_deed(name, stem, noun, draft, is) {
            return true;
        }
        match name {
            _ if self.hand.choice(name).is_some() => self.choice(name, draft, is),
            // "no mails to gmail addresses"
            _ if noun.kind == "person" && self.hand.has_server(&low) => {
                places.push(Place::HostLike(site(name)))
            }
            _ if self.hand.has_server(&low) => draft.tests.push(Test::Tool { names: vec![low], is }),
            _ if is_capital && self.hand.server_like(&low).is_some() => {
                draft.tests.push(Test::Tool { names: self.hand.server_like(&low).into_iter().collect(), is })
            }
            _ if self.hand.has_tool_word(stem) => self.tool_noun(stem, slot, draft, is),
            _ if self.hand.has_parameter(stem) && !self.is_file_like(draft) => {
                draft.tests.push(Test::Given { word: stem.to_owned(), is })
            }
            _ if !frame.amounts.is_empty() && draft.doings.is_empty() => {
                // "a snippet must not be longer than 5 lines"
                draft.doings.push(Doing::Deed(Deed::Writes));
                places.push(Place::Word(stem.to_owned()));
            }
            _ if self.hand.has_program(&low) => draft.doings.push(Doing::Did(low)),
            _ if self.is_held(name, slot, frame) => {
                push_choice(draft, vec![name.to_owned()], self.hand.holder().map(str::to_owned), is);
            }
            _ if self.is_site(name, frame, draft) => places.push(Place::HostLike(site(name))),
            // "leave notes alone", where there are files.
            _ if self.is_open(draft) && self.hand.has_tool_word("directory") && self.forbids(frame) => {
                places.push(Place::Named(name.to_owned()));
            }
            _ if is && noun.names.len() == 1 && self.is_own_name(slot, frame, draft) => {
                let deeds = draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(_)));
                match self.hand.holder().filter(|_| deeds && !is_capital && !name.ends_with('s')) {
                    Some(holder) => push_choice(draft, vec![name.to_owned()], Some(holder.to_owned()), is),
                    None => draft.tests.push(Test::Concerns(vec![name.to_owned()])),
                }
            }
            _ if self.is_named_thing(name, draft) => draft.tests.push(Test::Concerns(vec![name.to_owned()])),
            // Where there is nothing but a database, a name is a table.
            _ if !is_capital && self.is_table(slot, draft) => {
                places.push(Place::Table(name.to_owned()));
            }
            _ if self.is_file_like(draft)
                || matches!(slot.role, Role::From | Role::In | Role::To | Role::Outside)
                    && !self.is_open(draft) =>
            {
                places.push(Place::Word(name.to_owned()));
            }
            _ if self.parameter_beside(frame, noun).is_some() => {
                let parameter = self.parameter_beside(frame, noun);
                push_choice(draft, vec![name.to_owned()], parameter, is);
            }
            _ if is_capital && !self.is_open(draft) => {
                push_choice(draft, vec![name.to_owned()], None, is);
            }
            _ => return false,
        }
        true
    }

    /// What a name means by what is done: whom something is assigned to, what is clicked, what a description calls so.
    fn told_by_deed(&self, name: &str, stem: &str, noun: &Noun, draft: &mut Draft, is: bool) -> bool {
        let is_word = self.hand.has_tool_word(stem);
        // "assign nothing to mk-ferry"
        if draft.doings.contains(&Doing::Did("assign".to_owned())) && !is_word {
            push_choice(draft, vec![name.to_owned()], self.hand.parameter_like("assignee"), is);
            return true;
        }
        // "click anything that says Buy"
        if draft.doings == [Doing::Did("click".to_owned())] && noun.kind.is_empty() && !is_word {
            push_says(draft, vec![Saying::Words(name.to_owned())], None, is);
            return true;
        }
        let Some((parameter, value)) = self.hand.called(&name.to_lowercase()) else { return false };
        push_choice(draft, vec![value.clone()], Some(parameter.clone()), is);
        true
    }

    /// Whether there is nothing but a database that a name could be in.
    fn is_table(&self, slot: &Slot, draft: &Draft) -> bool {
        self.hand.has_parameter("sql")
            && !self.is_file_like(draft)
            && !self.hand.has_web()
            && !self.is_open(draft)
            && matches!(slot.role, Role::From | Role::In | Role::To | Role::Outside)
    }

    /// Whether a name is what holds things: "in heron-backups", "prod: look only".
    fn is_held(&self, name: &str, slot: &Slot, frame: &Frame) -> bool {
        let has_dash = name.contains('-');
        let is_place =
            matches!(slot.role, Role::In | Role::From) || frame.has(Marker::Protect) || self.forbids(frame);
        let is_clear = has_dash || !self.hand.has_tool_word("directory");
        self.hand.holder().is_some() && ((is_place && is_clear) || (has_dash && self.hand.is_own()))
    }

    /// Whether an unknown name is what something at hand is called: "leave the alarm alone", "prod: look only". What a
    /// deed of words is done to only says what the tool is about.
    fn is_own_name(&self, slot: &Slot, frame: &Frame, draft: &Draft) -> bool {
        let says =
            self.forbids(frame) || frame.denies_object || frame.has(Marker::Protect) || frame.only_verb;
        let by_words = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(_)));
        self.hand.is_own() && (says || !self.is_open(draft)) && !(by_words && slot.role == Role::Object)
    }

    /// "the mini model", "label payroll": an argument and its value.
    fn value_of(&self, names: &[String], draft: &mut Draft, is: bool) -> bool {
        let [one, other] = names else { return false };
        let is_parameter = |name: &String| {
            let stem = names::stem(&name.to_lowercase());
            self.hand.has_parameter(&stem) && !self.hand.has_tool_word(&stem)
        };
        let (parameter, value) = match (is_parameter(one), is_parameter(other)) {
            (true, false) => (one, other),
            (false, true) => (other, one),
            _ => return false,
        };
        // "privileged containers" are containers.
        if self.hand.has_own_word(&value.to_lowercase()) {
            return false;
        }
        push_choice(draft, vec![value.clone()], Some(names::stem(&parameter.to_lowercase())), is);
        true
    }

    /// The argument that another noun of the clause names: "set the priority to critical".
    fn parameter_beside(&self, frame: &Frame, noun: &Noun) -> Option<String> {
        let others = frame.slots.iter().flat_map(|slot| &slot.nouns).filter(|other| *other != noun);
        let names = others.flat_map(|other| other.names.iter().chain(&other.words));
        names.map(|name| names::stem(&name.to_lowercase())).find(|stem| self.hand.has_parameter(stem))
    }

    /// Whether everything about a thing is forbidden.
    fn forbids(&self, frame: &Frame) -> bool {
        [Marker::Avoid, Marker::Forbidden].iter().any(|marker| frame.has(*marker))
    }

    pub(super) fn queries(&self, draft: &Draft) -> bool {
        draft
            .doings
            .iter()
            .any(|doing| matches!(doing, Doing::Did(name) if name == "query" || name.starts_with("sql ")))
    }

    fn of_repositories(&self, frame: &Frame) -> bool {
        frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.kind == "repository"))
    }

    /// The argument that the words before a colon name: "Labels: only bug and docs".
    fn topic(&self, name: &str) -> Option<String> {
        let last = self.last_frame()?;
        if !last.verbs.is_empty() || !last.acts.is_empty() || !last.markers.is_empty() {
            return None;
        }
        let names = last
            .slots
            .iter()
            .flat_map(|slot| &slot.nouns)
            .flat_map(|noun| noun.names.iter().chain(&noun.words));
        let mut stems = names.map(|name| names::stem(&name.to_lowercase()));
        stems.find(|stem| self.hand.has_parameter(stem) && stem != name)
    }

    /// A word in front of an act: a value, or another word of the tool's name.
    fn modifies(&self, name: &str, stem: &str, draft: &mut Draft, is: bool) -> bool {
        if self.hand.choice(name).is_some() {
            self.choice(name, draft, is);
            return true;
        }
        if self.hand.has_tool_word(stem) {
            draft.tests.push(Test::Did { actions: vec![stem.to_owned()], is });
            return true;
        }
        if let Some(word) = self.hand.parameter_like(stem) {
            draft.tests.push(Test::Given { word, is });
            return true;
        }
        false
    }

    fn choice(&self, name: &str, draft: &mut Draft, is: bool) {
        let parameters = self.hand.choice(name);
        let parameter = parameters
            .filter(|parameters| parameters.len() == 1)
            .and_then(|parameters| parameters.iter().next().cloned());
        push_choice(draft, vec![name.to_lowercase()], parameter, is);
    }

    /// A noun of a tool's name: "issues", "profiles", "labels".
    pub(super) fn tool_noun(&self, stem: &str, slot: &Slot, draft: &mut Draft, is: bool) {
        let deeds = draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(_)));
        if deeds && slot.role == Role::Object {
            match draft.tests.last_mut() {
                // "pull requests" are both words.
                Some(Test::About { nouns, is: own }) if *own == is => *nouns = vec![stem.to_owned()],
                _ => draft.tests.push(Test::About { nouns: vec![stem.to_owned()], is }),
            }
            return;
        }
        draft.tests.push(Test::Did { actions: vec![stem.to_owned()], is });
    }

    /// Whether names in this clause are text that is written: "must never appear in a file".
    pub(super) fn speaks_of_text(&self, frame: &Frame, draft: &Draft) -> bool {
        let types = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "type" | "web search" | "search")));
        let leaves = frame.verb_words.iter().any(|word| word.starts_with("leave"))
            && frame.verbs.len() == 1
            && draft.doings.is_empty();
        let follows = draft.doings.contains(&Doing::Deed(Deed::Sends));
        // "names never go into calendar titles"
        let into = frame
            .slots
            .iter()
            .filter(|slot| matches!(slot.role, Role::To | Role::In))
            .flat_map(|slot| &slot.nouns);
        let into_text = into.filter_map(|noun| noun.parameter.as_deref()).any(|word| word != "url");
        frame.of_text
            || (into_text && frame.has(Marker::Deny) && frame.amounts.is_empty())
            || leaves
            || types
            || (!follows
                && frame.verbs.iter().chain(&frame.acts).any(|number| self.is_named(*number, "mention")))
    }

    fn is_branch(&self, name: &str, frame: &Frame, draft: &Draft) -> bool {
        let speaks = frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.kind == "branch"));
        let pushes = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "push" | "commit" | "force push" | "merge" | "rebase")));
        let has_branches = self.hand.has_tool_word("branch")
            || self.hand.has_tool_word("commit")
            || self.hand.has_program("git");
        let is_target = frame.slots.iter().any(|slot| {
            matches!(slot.role, Role::In | Role::To | Role::From)
                && slot.nouns.iter().any(|noun| noun.names.iter().any(|own| own == name))
        });
        let requests = frame
            .slots
            .iter()
            .any(|slot| slot.nouns.iter().any(|noun| noun.tool.as_deref() == Some("request")));
        (speaks || pushes || (has_branches && (requests || is_target && draft.doings.is_empty())))
            && matches!(
                name,
                "main"
                    | "master"
                    | "develop"
                    | "dev"
                    | "production"
                    | "prod"
                    | "staging"
                    | "release"
                    | "trunk"
                    | "stable"
                    | "gh-pages"
                    | "next"
                    | "live"
            )
    }

    pub(super) fn is_open(&self, draft: &Draft) -> bool {
        draft.doings.is_empty()
            || draft.doings.iter().all(|doing| matches!(doing, Doing::Deed(Deed::Involves)))
    }

    /// A site by what people call it: "no reddit", "stay off LinkedIn".
    fn is_site(&self, name: &str, frame: &Frame, draft: &Draft) -> bool {
        let about_web = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "web search" | "browse" | "click" | "type" | "log in")));
        let has_literals = frame
            .slots
            .iter()
            .flat_map(|slot| &slot.nouns)
            .any(|noun| !noun.literals.is_empty() || !noun.command.is_empty());
        let is_name = name.chars().next().is_some_and(char::is_uppercase)
            || (frame.denies_object && frame.acts.is_empty() && frame.did_words.is_empty() && !has_literals)
            || frame.has(Marker::Avoid)
            || frame.has(Marker::Forbidden);
        let visits = frame.verb_words.iter().any(|word| {
            ["visit", "browse", "surf", "go on", "go to"].iter().any(|verb| word.starts_with(verb))
        });
        let is_name = is_name || visits;
        let reads_pages =
            draft.doings.contains(&Doing::Deed(Deed::Reads)) && !self.hand.has_tool_word("directory");
        self.hand.has_web() && (about_web || ((self.is_open(draft) || reads_pages) && is_name))
    }

    /// Something that is called by a name of its own, where no files are meant.
    fn is_named_thing(&self, name: &str, draft: &Draft) -> bool {
        name.chars().next().is_some_and(char::is_uppercase)
            && !self.is_open(draft)
            && !self.hand.has_tool_word("directory")
    }

    /// Whether what is done is done to files.
    pub(super) fn is_file_like(&self, draft: &Draft) -> bool {
        let deeds = draft.doings.iter().any(|doing| {
            matches!(
                doing,
                Doing::Deed(Deed::Changes | Deed::Reads | Deed::Writes | Deed::Deletes | Deed::Moves)
            )
        });
        deeds
            && (self.hand.has_tool_word("file")
                || self.hand.has_tool_word("directory")
                || self.hand.has_program("cat"))
    }
}

/// `STARRED`: written in capitals, as values are.
fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}
