//! Names that are not in the lexicon: looked up among the tools at hand, else taken for a site, a place or a text.

use super::slots::{push_branches, push_choice, push_says};
use super::{Draft, Interpreter};
use crate::english::Trouble;
use crate::english::frame::{Frame, Role, Slot};
use crate::english::noun::{Noun, site};
use crate::meaning::{Deed, Doing, Place, Saying, Test};
use crate::names;

impl Interpreter<'_> {
    /// What the names of a noun mean, in this clause.
    pub(super) fn names(&self, noun: &Noun, slot: &Slot, frame: &Frame, draft: &mut Draft, places: &mut Vec<Place>, is: bool) -> Result<(), Trouble> {
        let says = self.speaks_of_text(frame, draft);
        let is_branch = frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.kind == "branch")) || draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "push" | "commit" | "force push" | "merge" | "rebase")));
        for name in &noun.names {
            let stem = names::stem(&name.to_lowercase());
            if says {
                push_says(draft, vec![Saying::Words(name.clone())], self.parameter(frame), is);
            } else if is_branch && is_branch_name(name) && matches!(slot.role, Role::To | Role::In | Role::Object | Role::Outside) {
                push_branches(draft, vec![name.to_lowercase()], is == (slot.role != Role::Outside));
            } else if let Some(parameters) = self.hand.choice(name) {
                let parameter = if parameters.len() == 1 { parameters.iter().next().cloned() } else { None };
                push_choice(draft, vec![name.to_lowercase()], parameter, is);
            } else if self.hand.has_server(&name.to_lowercase()) {
                draft.tests.push(Test::Tool { names: vec![name.to_lowercase()], is });
            } else if self.hand.has_tool_word(&stem) {
                draft.tests.push(Test::Did { actions: vec![stem], is });
            } else if is_constant(name) {
                push_choice(draft, vec![name.clone()], None, is);
            } else if self.hand.has_parameter(&stem) {
                draft.tests.push(Test::Given { word: stem, is });
            } else if self.is_about_web(draft, slot) || name.chars().next().is_some_and(char::is_uppercase) && self.is_open(draft) {
                places.push(Place::HostLike(site(name)));
            } else if matches!(slot.role, Role::From | Role::In | Role::To | Role::Outside) || !self.is_open(draft) {
                places.push(if self.is_file_like(draft) { Place::Named(name.clone()) } else { Place::Word(name.clone()) });
            } else {
                return Err(Trouble::Words(vec![name.clone()]));
            }
        }
        Ok(())
    }

    /// Whether names in this clause are text that is written: "must never appear in a file".
    fn speaks_of_text(&self, frame: &Frame, draft: &Draft) -> bool {
        let types = draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "type" | "mention" | "web search" | "search")));
        types || frame.verbs.iter().any(|number| self.is_named(*number, "mention"))
    }

    fn is_open(&self, draft: &Draft) -> bool {
        draft.doings.is_empty() || draft.doings.iter().all(|doing| matches!(doing, Doing::Deed(Deed::Involves)))
    }

    fn is_about_web(&self, draft: &Draft, slot: &Slot) -> bool {
        let _ = slot;
        draft.doings.iter().any(|doing| matches!(doing, Doing::Did(name) if matches!(name.as_str(), "web search" | "browse" | "click" | "type" | "log in")))
    }

    /// Whether what is done is done to files.
    fn is_file_like(&self, draft: &Draft) -> bool {
        draft.doings.iter().any(|doing| matches!(doing, Doing::Deed(Deed::Changes | Deed::Reads | Deed::Writes | Deed::Deletes | Deed::Moves)))
    }
}

/// `STARRED`: written in capitals, as values are.
fn is_constant(name: &str) -> bool {
    name.len() > 2 && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
}

fn is_branch_name(name: &str) -> bool {
    let low = name.to_lowercase();
    matches!(low.as_str(), "main" | "master" | "develop" | "dev" | "production" | "prod" | "staging" | "release" | "trunk" | "stable" | "gh-pages" | "next" | "live")
}
