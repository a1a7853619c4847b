//! Nouns that are arguments of the tools at hand: "the due date", "pull request titles", "the label of an issue".

use crate::english::exact::Exact;
use crate::english::exact::scope::Scope;
use crate::english::exact::words::{around, bare, bracketed, stems};
use crate::english::token::Token;

/// An argument that a rule speaks of.
#[derive(Clone, Debug)]
pub(in crate::english::exact) struct Parameter {
    /// What tools call it.
    pub(in crate::english::exact) names: Vec<String>,
    /// What it belongs to, where the words say so.
    pub(in crate::english::exact) owner: Option<Scope>,
}

/// What people call arguments, and what tools call them.
const CALLED: &[(&[&str], &[&str])] = &[
    (&["title", "heading", "headline", "summary"], &["title", "summary", "subject", "name", "topic"]),
    (&["subject", "subject line"], &["subject", "title"]),
    (
        &["description", "body", "text", "note", "detail"],
        &["description", "body", "note", "text", "content", "detail", "message", "html body"],
    ),
    (&["message", "content", "wording"], &["message", "text", "body", "content", "html body"]),
    (&["due date", "deadline", "due", "due day"], &["due on", "due at", "due", "due date", "deadline"]),
    (
        &["start date", "start time", "start", "beginning", "begin"],
        &["start", "start on", "start time", "start date", "start at", "begin", "from"],
    ),
    (&["end date", "end time", "end"], &["end", "end on", "end time", "end date", "end at", "until"]),
    (&["label", "tag"], &["label", "tag", "add label ids", "label ids", "label name", "keyword"]),
    (&["assignee", "owner", "person in charge"], &["assignee", "assigned to", "assignee id", "owner"]),
    (&["attendee", "guest", "participant", "invitee"], &["attendee", "guest", "participant", "invitee"]),
    (
        &["limit", "number of result", "result limit", "page size", "number of row"],
        &["limit", "max result", "count", "per page", "page size", "num result", "top", "row limit"],
    ),
    (&["time range", "time frame", "period"], &["time range", "freshness", "date range", "period"]),
    (&["region", "zone", "datacenter", "data center"], &["region", "location", "zone"]),
    (&["place", "location", "room", "venue"], &["location", "room", "place", "venue"]),
    (&["duration", "length"], &["duration", "duration minute", "length"]),
    (&["status", "state"], &["status", "state"]),
    (&["timeout", "time limit"], &["timeout", "timeout m", "timeout ms", "timeout second"]),
    (&["quantity", "amount", "number of piece"], &["quantity", "qty", "amount"]),
    (&["price", "unit price", "cost"], &["price", "unit price", "cost"]),
    (&["file name", "filename", "file"], &["filename", "file name", "output file", "name"]),
    (&["search term", "query", "search", "search query"], &["query", "q", "search"]),
    (&["colour", "color"], &["color", "colour", "color id"]),
    (&["reminder", "notification"], &["reminder", "notification", "send update"]),
    (&["visibility", "access"], &["visibility", "access", "permission"]),
    (&["attachment"], &["attachment"]),
    (&["temperature", "heating"], &["temperature", "celsius", "target temperature", "degree"]),
    (&["column", "field"], &["field", "column"]),
];

/// Words of an argument's name that do not change what it is.
const LIGHT: &[&str] = &[
    "name", "list", "value", "on", "at", "date", "time", "key", "string", "level", "text", "field", "m",
    "ms", "second", "minute", "iso", "celsius", "c", "percent", "target", "input", "option", "type", "code",
];

impl Exact<'_> {
    /// An argument, with what it belongs to.
    pub(in crate::english::exact) fn parameter(&self, tokens: &[Token]) -> Option<Parameter> {
        let tokens = bare(tokens);
        // "limited to the past month (time_range)": what stands in brackets is its name.
        if let Some((before, inner)) = bracketed(tokens)
            && let Some(names) = self.ground(&stems(inner), &[])
        {
            let owner = self.parameter(before).and_then(|parameter| parameter.owner);
            return Some(Parameter { names, owner });
        }
        // "events" and "Slack messages" are made, whatever arguments are called so.
        if self.is_act(tokens) {
            return None;
        }
        let whole = self.ground(&stems(tokens), &[]);
        if let Some((front, _, behind)) = around(tokens, &["of", "for", "in", "on"])
            && let Some(owner) = self.scope(behind)
        {
            let names = self.ground(&stems(bare(front)), &owner.nouns)?;
            return Some(Parameter { names, owner: Some(owner) });
        }
        // "pull request titles": what it belongs to stands in front.
        let owned = (1..tokens.len()).rev().find_map(|at| {
            let (front, behind) = (tokens.get(..at)?, tokens.get(at..)?);
            let owner = self.scope(front)?;
            let names = self.ground(&stems(behind), &owner.nouns);
            // What is done says which calls are meant, whatever their tools are called.
            let names = names.or_else(|| {
                let is_done = owner.doings.iter().any(|doing| matches!(doing, crate::meaning::Doing::Did(_)));
                is_done.then(|| self.ground(&stems(behind), &[])).flatten()
            })?;
            Some(Parameter { names, owner: Some(owner) })
        });
        match (owned, whole) {
            (Some(mut owned), Some(whole)) => {
                owned.names.extend(whole.into_iter().filter(|name| name != "name"));
                owned.names.sort();
                owned.names.dedup();
                Some(owned)
            }
            (Some(owned), None) => Some(owned),
            (None, whole) => whole.map(|names| Parameter { names, owner: None }),
        }
    }

    /// Whether words name something that is done or made, as a whole.
    fn is_act(&self, tokens: &[Token]) -> bool {
        let is_act = |phrase: &crate::english::lexicon::Phrase| {
            phrase.length == tokens.len() && matches!(phrase.entry, crate::english::lexicon::Entry::Act(_))
        };
        let nouns = stems(tokens);
        // An argument that no tool is about is nothing that is done: `tags` of a job.
        let only_argument = match nouns.as_slice() {
            [one] => self.hand.arguments_of(&[]).contains(one.as_str()) && !self.hand.has_tool_word(one),
            _ => false,
        };
        (!only_argument && self.lexicon.phrases(tokens).iter().any(is_act))
            || (nouns.len() > 1 && self.hand.has_tool_about(&nouns))
    }

    /// What the tools about something call an argument that people call so.
    pub(in crate::english::exact) fn ground(
        &self,
        words: &[String],
        nouns: &[String],
    ) -> Option<Vec<String>> {
        if words.is_empty() || words.len() > 4 {
            return None;
        }
        let said = words.join(" ");
        let mut arguments = self.hand.arguments_of(nouns);
        if arguments.is_empty() {
            arguments = self.hand.arguments_of(&[]);
        }
        let named = |wanted: &str| -> Vec<String> {
            if arguments.contains(wanted) {
                return vec![wanted.to_owned()];
            }
            // Most words are no argument's.
            if !words.iter().all(|word| self.hand.has_argument_word(word)) {
                return Vec::new();
            }
            arguments.iter().filter(|own| is_lightly(own, wanted)).map(str::to_owned).collect()
        };
        let mut found = if is_light_name(&said) { Vec::new() } else { named(&said) };
        if found.is_empty() {
            let groups = CALLED.iter().filter(|(people, _)| people.contains(&said.as_str()));
            let tools = groups.flat_map(|(_, tools)| tools.iter());
            found = tools.filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect();
        }
        // `git commit -m` has a message, though no tool has such an argument.
        if self.hand.runs_commands() && matches!(said.as_str(), "message" | "commit message") {
            found = vec!["message".to_owned()];
        }
        (!found.is_empty()).then_some(found)
    }
}

/// Whether an argument's name is what is wanted, with nothing but light words around it.
fn is_lightly(own: &str, wanted: &str) -> bool {
    if !own.contains(wanted) {
        return false;
    }
    let (own, wanted): (Vec<&str>, Vec<&str>) = (own.split(' ').collect(), wanted.split(' ').collect());
    let Some(at) = own.windows(wanted.len()).position(|window| window == wanted) else { return false };
    let around = own.iter().enumerate().filter(|(place, _)| *place < at || *place >= at + wanted.len());
    around.map(|(_, word)| word).all(|word| LIGHT.contains(word))
}

/// Names of arguments that sentences use for other things: "no changes after 20:00".
fn is_light_name(said: &str) -> bool {
    matches!(said, "name" | "id" | "time" | "after" | "before" | "since" | "until")
}
