//! Tickets by the project that their keys name: "write only in tickets of the project SEIS", "hands off MAGN tickets".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Arguments that say which ticket or project is meant.
const KEYS: &[&str] = &[
    "path",
    "issue key",
    "issue id or key",
    "key",
    "issue id",
    "ticket",
    "ticket key",
    "ticket id",
    "project key",
    "project",
    "issue",
    "work item key",
    "project id or key",
    "parent key",
    "inward issue key",
    "outward issue key",
];

const ONLY: &[&str] = &[
    "write only in",
    "write only to",
    "write only into",
    "only write in",
    "only write to",
    "only write into",
    "only touch",
    "touch only",
    "only change",
    "change only",
    "only edit",
    "edit only",
    "only work on",
    "work only on",
    "work only in",
    "only work in",
    "only update",
    "update only",
    "only comment on",
    "comment only on",
    "comment only in",
    "stay in",
    "stay within",
    "stay inside",
    "only",
    "only use",
    "use only",
    "limit yourself to",
    "stick to",
    "keep to",
    "nothing outside",
    "nothing outside of",
    "no changes outside",
    "never touch anything outside",
    "never change anything outside",
    "no tickets outside",
    "no issues outside",
    "never touch tickets outside",
    "never touch issues outside",
    "only create",
    "create only",
    "only create tickets in",
    "create tickets only in",
    "create issues only in",
    "new tickets only in",
    "new issues only in",
];

const NEVER: &[&str] = &[
    "never touch",
    "never change",
    "never edit",
    "never write in",
    "never write to",
    "never write into",
    "never comment on",
    "never comment in",
    "never update",
    "don't touch",
    "do not touch",
    "don't change",
    "do not change",
    "don't write in",
    "do not write in",
    "don't comment on",
    "do not comment on",
    "hands off",
    "leave alone",
    "no changes to",
    "no changes in",
    "no comments in",
    "no comments on",
    "no new tickets in",
    "never create tickets in",
    "never create issues in",
    "stay out of",
    "keep out of",
    "stay away from",
];

impl Exact<'_> {
    /// A rule about tickets of a project.
    pub(in crate::english::exact) fn tickets(&self, tokens: &[Token]) -> Option<Rules> {
        let tracks = ["jira", "issue", "ticket", "linear"];
        if !tracks.iter().any(|word| {
            self.hand.has_tool_word(word) || self.hand.has_server(word) || self.hand.has_parameter(word)
        }) {
            return None;
        }
        let tokens = strip_end(tokens, &["alone", "please"]).unwrap_or(tokens);
        let (named, presence) = match (strip(tokens, NEVER), strip(tokens, ONLY)) {
            (Some(named), _) => (named, Presence::One),
            (None, Some(named)) => (named, Presence::Other),
            (None, None) => return None,
        };
        let keys = keys(named)?;
        let arguments = self.hand.arguments_of(&[]);
        let names: Vec<String> =
            KEYS.iter().filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect();
        if names.is_empty() {
            return None;
        }
        let forms =
            keys.iter().flat_map(|key| [Form::Is(key.clone()), Form::Has(format!("{key}-"))]).collect();
        let tests = vec![Test::Value { names, check: Check::Forms(forms), presence }];
        let doings = vec![Doing::Deed(Deed::Writes), Doing::Deed(Deed::Deletes)];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }
}

/// The keys of projects that words name: "tickets of the project SEIS", "SEIS and OPS tickets", "the project SEIS".
fn keys(tokens: &[Token]) -> Option<Vec<String>> {
    const TICKETS: &[&str] = &["tickets", "issues", "ticket", "issue", "work items", "bugs", "stories"];
    const PROJECT: &[&str] =
        &["project", "projects", "the project", "the projects", "my project", "our project"];
    let tokens = bare(tokens);
    let (tokens, says_ticket) = match strip(tokens, TICKETS) {
        Some(rest) => {
            (strip(rest, &["of", "in", "from", "that belong to", "belonging to", "with the key"])?, true)
        }
        None => match strip_end(tokens, TICKETS) {
            Some(rest) => (rest, true),
            None => (tokens, false),
        },
    };
    let (tokens, says_project) = match strip(tokens, PROJECT).or_else(|| strip_end(tokens, PROJECT)) {
        Some(rest) => (rest, true),
        None => (bare(tokens), false),
    };
    let tokens = around(tokens, &["in jira", "on jira"]).map_or(tokens, |(front, _, _)| front);
    let one = |item: &[Token]| match bare(item) {
        [key] if key.shape != Shape::Path => {
            let letters = key.text.trim_end_matches("-*").trim_end_matches('-');
            let is_key = letters.len() > 1
                && letters
                    .chars()
                    .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_')
                && letters.starts_with(|letter: char| letter.is_ascii_uppercase());
            is_key.then(|| letters.to_owned())
        }
        _ => None,
    };
    let keys: Option<Vec<String>> = items(tokens).into_iter().map(one).collect();
    keys.filter(|keys| !keys.is_empty() && (says_ticket || says_project))
}
