//! Things that only have their kind: "files", "people", "issues".

use super::kinds::{is_kind, made};
use super::{Draft, Interpreter};
use crate::english::frame::{Frame, Role, Slot};
use crate::english::noun::Noun;
use crate::meaning::{Deed, Doing, Place, Saying, Test};
use crate::names;

impl Interpreter<'_> {
    /// A thing that only has its kind: "files", "people", "issues".
    pub(super) fn bare(
        &self,
        noun: &Noun,
        slot: &Slot,
        frame: &Frame,
        draft: &mut Draft,
        places: &mut Vec<Place>,
    ) {
        let touches = draft.doings.iter().any(|doing| {
            matches!(doing, Doing::Deed(Deed::Changes | Deed::Reads | Deed::Deletes | Deed::Involves))
        });
        if noun.kind == "database" && (slot.role == Role::From || (touches && slot.role == Role::Object)) {
            places.push(Place::Kind("table".to_owned()));
            return;
        }
        // "no queries on users without a WHERE": a table, whatever else the word means.
        if self.queries(draft)
            && matches!(slot.role, Role::In | Role::From | Role::To | Role::Outside)
            && !matches!(noun.kind.as_str(), "table" | "database")
            && let [word] = noun.words.as_slice()
            && noun.parameter.is_none()
        {
            places.push(Place::Table(word.clone()));
            return;
        }
        if self.links(noun, slot, frame, draft) {
            return;
        }
        if self.bare_argument(noun, slot, frame, draft) {
            return;
        }
        let makes_database = noun.kind == "database"
            && frame.verbs.iter().chain(&frame.acts).all(|number| self.is_named(*number, "create"));
        let makes_database = makes_database && slot.role == Role::Object;
        if (matches!(noun.kind.as_str(), "branch" | "database" | "person" | "") && !makes_database)
            || slot.role == Role::As
            || noun.parameter.is_some()
        {
            return;
        }
        let makes = draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(Deed::Writes)));
        let by_words = ["repository", "note", "table", "calendar", "channel", "file", "database"]
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

    /// "paste links into Slack": what the text holds.
    fn links(&self, noun: &Noun, slot: &Slot, frame: &Frame, draft: &mut Draft) -> bool {
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
            return true;
        }
        false
    }

    /// Things that are arguments of tools, or that tools are about.
    fn bare_argument(&self, noun: &Noun, slot: &Slot, frame: &Frame, draft: &mut Draft) -> bool {
        // "without a subject"
        if let Some(word) = noun.parameter.clone().filter(|_| slot.role == Role::Without) {
            draft.tests.push(Test::Given { word, is: false });
            return true;
        }
        // "no images", where an argument includes them.
        let word = noun.words.last().map(|word| names::stem(word)).unwrap_or_default();
        if frame.denies_object && slot.role == Role::Object && self.hand.includes(&word) {
            draft.tests.push(Test::Given { word, is: true });
            return true;
        }
        // "records", where a tool of its own has them.
        if matches!(noun.kind.as_str(), "table" | "note" | "channel" | "repository" | "host")
            && self.hand.has_own_word(&word)
            && slot.role == Role::Object
        {
            self.tool_noun(&word, slot, draft, true);
            return true;
        }
        let plain = frame.amounts.is_empty()
            && draft.tests.iter().all(|test| !matches!(test, Test::Says { .. } | Test::Choice { .. }));
        if let Some(word) = noun.parameter.clone().filter(|word| {
            frame.denies_object && slot.role == Role::Object && plain && word != "url" && noun.kind.is_empty()
        }) {
            draft.tests.push(Test::Given { word, is: true });
            return true;
        }
        false
    }

    /// Things that tools make: not files, which everything makes.
    fn is_made(&self, word: &str) -> bool {
        !matches!(word, "file" | "document" | "doc")
    }
}
