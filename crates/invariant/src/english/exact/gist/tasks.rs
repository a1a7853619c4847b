//! Tasks: who ticks them off, who gets them, and when they are due.

use super::sift::{Sifted, Weight};
use super::{Rules, refused};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::english::when;
use crate::meaning::{Check, Deed, Doing, Form, Presence, Span, Test};

const FINISHING: &[&str] = &[
    "tick",
    "ticks",
    "ticked",
    "ticking",
    "complete",
    "completes",
    "completed",
    "completing",
    "completion",
    "finish",
    "finishes",
    "finished",
    "finishing",
    "done",
    "close",
    "closes",
    "closed",
    "closing",
    "resolve",
    "resolves",
    "resolved",
    "resolving",
];

const ASSIGNING: &[&str] = &[
    "assign",
    "assigns",
    "assigned",
    "assigning",
    "assignee",
    "assignees",
    "assignment",
    "assignments",
    "reassign",
    "reassigned",
    "reassigning",
];

const DUE: &[&str] = &["due", "deadline", "deadlines"];

impl Exact<'_> {
    /// What is said of tasks.
    pub(super) fn tasks(&self, tokens: &[Token]) -> Option<Rules> {
        if !["task", "todo", "card", "ticket", "issue", "item"]
            .iter()
            .any(|word| self.hand.has_own_word(word))
        {
            return None;
        }
        self.tasks_finished(tokens).or_else(|| self.tasks_assigned(tokens)).or_else(|| self.tasks_due(tokens))
    }

    /// "Only people tick tasks off, not you."
    fn tasks_finished(&self, tokens: &[Token]) -> Option<Rules> {
        let sifted = self.words_of_tasks(tokens, FINISHING)?;
        let is_left = sifted.denies() || is_ours(&sifted) || sifted.has(&["only", "leave"]);
        let is_other = sifted.has(&["open", "reopen", "assign", "assigned"]);
        if !is_left || is_other {
            return None;
        }
        let arguments = self.hand.arguments_of(&[]);
        let some = |names: &[&str]| -> Vec<String> {
            names.iter().filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect()
        };
        let value = |names: Vec<String>, values: &[&str]| {
            let forms = values.iter().map(|value| Form::Is((*value).to_owned())).collect();
            (!names.is_empty())
                .then(|| vec![Test::Value { names, check: Check::Forms(forms), presence: Presence::One }])
        };
        let flags = some(&["completed", "complete", "done", "closed", "is completed", "checked", "finished"]);
        let states = some(&["status", "state", "column", "list"]);
        let tools: Vec<String> = ["complete", "close", "finish", "resolve"]
            .iter()
            .flat_map(|verb| self.tools_doing(verb))
            .collect();
        let ways: Vec<Vec<Test>> = [
            value(flags, &["true", "1", "yes"]),
            value(states, &["done", "completed", "complete", "closed", "finished", "resolved"]),
            (!tools.is_empty()).then(|| vec![Test::Tool { names: tools, is: true }]),
        ]
        .into_iter()
        .flatten()
        .collect();
        (!ways.is_empty()).then(|| refused(vec![Doing::Deed(Deed::Writes)], vec![Test::Any(ways)]))
    }

    /// "Nobody but me gets tasks assigned."
    fn tasks_assigned(&self, tokens: &[Token]) -> Option<Rules> {
        let sifted = self.words_of_tasks(tokens, ASSIGNING)?;
        let names = self.ground(&["assignee".to_owned()], &[])?;
        let but_me = sifted.says(&[
            "but me",
            "except me",
            "except to me",
            "than me",
            "to me only",
            "only me",
            "me alone",
            "besides me",
            "but to me",
            "to me or",
            "me or nobody",
            "me or to nobody",
        ]) || (sifted.has(&["only", "others", "else"])
            && sifted.says(&[
                "to me",
                "to others",
                "anyone else",
                "anybody else",
                "somebody else",
                "someone else",
            ]))
            || sifted.says(&["to others", "to other people"]);
        let is_left = sifted.denies() || is_ours(&sifted) || sifted.has(&["empty", "leave", "only", "blank"]);
        if !is_left {
            return None;
        }
        let (check, presence) = match but_me {
            true => (Check::Forms(vec![Form::Is("me".to_owned())]), Presence::Other),
            false => (Check::Anything, Presence::One),
        };
        let test = Test::Value { names, check, presence };
        Some(refused(vec![Doing::Deed(Deed::Writes)], vec![test]))
    }

    /// "Nothing is due on a weekend", "due dates are agreed, don't change them".
    fn tasks_due(&self, tokens: &[Token]) -> Option<Rules> {
        let names = self.ground(&["due".to_owned(), "date".to_owned()], &[])?;
        let timed = self.span_in(tokens);
        let rest: Vec<Token> = match &timed {
            Some((_, at, length)) => {
                let behind = tokens.get(at + length..)?;
                tokens.iter().take(*at).chain(behind).cloned().collect()
            }
            None => tokens.to_vec(),
        };
        let sifted = self.words_of_tasks(&rest, DUE)?;
        if let Some((span, ..)) = timed {
            let is_only = sifted.has(&["only", "must", "always"]) && !sifted.denies();
            let presence = if is_only { Presence::Other } else { Presence::One };
            if !is_only && !sifted.denies() && !sifted.has(&["free"]) {
                return None;
            }
            let test = Test::Value { names, check: Check::During(vec![span]), presence };
            return Some(refused(vec![Doing::Deed(Deed::Writes)], vec![test]));
        }
        let is_kept = sifted.has(&[
            "change",
            "changes",
            "changed",
            "touch",
            "touched",
            "move",
            "moved",
            "moves",
            "alone",
            "stay",
            "stays",
            "shift",
            "shifted",
            "edit",
            "edited",
            "fixed",
            "alter",
            "altered",
            "postpone",
            "extend",
            "remain",
            "untouched",
            "unchanged",
            "modify",
            "modified",
            "set",
            "adjust",
            "keep",
            "leave",
            "pushed",
            "push",
        ]) && (sifted.denies()
            || is_ours(&sifted)
            || sifted.has(&["alone", "stay", "stays", "fixed", "remain", "untouched", "unchanged", "keep"]));
        if !is_kept {
            return None;
        }
        let given = Test::Value { names, check: Check::Anything, presence: Presence::One };
        let is_new = Test::Did { actions: vec!["create".to_owned()], is: false };
        Some(refused(vec![Doing::Deed(Deed::Writes)], vec![given, is_new]))
    }

    fn words_of_tasks<'t>(&self, tokens: &'t [Token], about: &[&str]) -> Option<Sifted<'t>> {
        self.sifted(tokens, "tasks", &|_, token| match token.shape == Shape::Word
            && about.contains(&token.low.as_str())
        {
            true => Weight::Anchor,
            false => Weight::Strange,
        })
    }

    /// The first time that a text names, with where it stands and how many words it takes.
    pub(super) fn span_in(&self, tokens: &[Token]) -> Option<(Span, usize, usize)> {
        (0..tokens.len()).find_map(|at| {
            let (span, length) =
                when::read(tokens.get(at..)?, self.year).filter(|(_, length)| *length > 0)?;
            Some((span, at, length))
        })
    }

    /// The tools of listed servers whose names have this word.
    pub(super) fn tools_doing(&self, verb: &str) -> Vec<String> {
        if !self.hand.has_own_word(verb) {
            return Vec::new();
        }
        self.hand.tools_named(&[verb.to_owned()])
    }
}

/// Whether somebody else does it.
pub(super) fn is_ours(sifted: &Sifted<'_>) -> bool {
    sifted.has(&["mine", "ours", "myself", "ourselves", "people", "humans", "job", "business", "matter"])
        || sifted.says(&[
            "to me",
            "up to us",
            "up to the",
            "by me",
            "by us",
            "by hand",
            "i do",
            "we do",
            "for me",
            "to us",
        ])
}
