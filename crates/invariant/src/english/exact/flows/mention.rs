//! The places that a text names: services, and things in them.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::Place;

const FLOWS: &str = include_str!("../../../../data/flows.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    service: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    both: String,
    from: String,
    to: String,
    verbs: String,
    tools: String,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    did: String,
    #[serde(default)]
    server: String,
    #[serde(default)]
    about: String,
    #[serde(default)]
    place: String,
}

/// A service with how calls show it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Service {
    pub(super) name: String,
    phrases: Vec<(Vec<String>, Use)>,
    tools: Vec<String>,
    pub(super) kind: String,
    pub(super) did: String,
    pub(super) server: String,
    pub(super) about: String,
    pub(super) place: String,
}

/// What words for a service can mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Use {
    Both,
    From,
    To,
    /// Something gets there, without the place being named.
    Verb,
}

/// What is named.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum What {
    Service(&'static Service, Use),
    /// A server that has no other name.
    Server(String),
    /// A thing by its path, id, table or page.
    Thing(Vec<Place>),
    /// Somebody, or all at a host.
    Party(Place),
    /// This machine, which things stay on or leave.
    Machine,
}

/// Something that is named, and where.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Mention {
    pub(super) at: usize,
    pub(super) end: usize,
    pub(super) what: What,
}

static SERVICES: LazyLock<Vec<Service>> = LazyLock::new(|| {
    let file: File = toml::from_str(FLOWS).unwrap_or(File { service: Vec::new() });
    file.service.into_iter().map(Service::of).collect()
});

impl Service {
    fn of(entry: Entry) -> Service {
        let mut phrases: Vec<(Vec<String>, Use)> = Vec::new();
        let lists = [
            (&entry.both, Use::Both),
            (&entry.from, Use::From),
            (&entry.to, Use::To),
            (&entry.verbs, Use::Verb),
        ];
        for (list, own) in lists {
            let words = |phrase: &str| phrase.split('_').map(str::to_owned).collect();
            phrases.extend(list.split_whitespace().map(|phrase| (words(phrase), own)));
        }
        let tools = entry.tools.split_whitespace().map(str::to_owned).collect();
        Service {
            name: entry.name,
            phrases,
            tools,
            kind: entry.kind,
            did: entry.did,
            server: entry.server,
            about: entry.about,
            place: entry.place,
        }
    }

    /// How many words of these name it at the beginning, and how.
    fn begins(&self, tokens: &[Token]) -> Option<(usize, Use)> {
        let fits = |words: &Vec<String>| {
            words.iter().enumerate().all(|(at, word)| {
                tokens.get(at).is_some_and(|token| {
                    matches!(token.shape, Shape::Word | Shape::Identifier) && token.low == *word
                })
            })
        };
        let fitting = self.phrases.iter().filter(|(words, _)| fits(words));
        fitting.map(|(words, own)| (words.len(), *own)).max_by_key(|(length, _)| *length)
    }
}

/// Words for the machine that the agent works on.
const MACHINES: &[&str] = &["machine", "computer", "laptop", "pc", "workstation"];

/// What only classes of texts are called by, with a word for a service in it.
const NO_PLACES: &[&str] = &[
    "email address",
    "email addresses",
    "e-mail address",
    "e-mail addresses",
    "mail address",
    "mail addresses",
    "phone numbers",
    "any form",
    "whatever form",
    "no form",
    "which form",
    "search results page",
];

impl Exact<'_> {
    /// Everything that a text names, in its order.
    pub(super) fn mentions(&self, tokens: &[Token]) -> Vec<Mention> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            match self.mention(tokens, at) {
                Some((what, length)) => {
                    found.push(Mention { at, end: at + length, what });
                    at += length;
                }
                None => at += 1 + skipped(tokens.get(at..).unwrap_or_default()),
            }
        }
        found
    }

    fn mention(&self, tokens: &[Token], at: usize) -> Option<(What, usize)> {
        let rest = tokens.get(at..)?;
        if skipped(rest) > 0 {
            return None;
        }
        self.thing(tokens, at)
            .or_else(|| self.tabled(rest, tokens.get(at.checked_sub(1)?)))
            .or_else(|| self.serviced(rest))
            .or_else(|| self.party(rest.first()?).map(|party| (What::Party(party), 1)))
            .or_else(|| {
                let first = rest.first()?;
                MACHINES.contains(&first.low.as_str()).then_some((What::Machine, 1))
            })
    }

    /// A service at hand, or a server by its name.
    fn serviced(&self, rest: &[Token]) -> Option<(What, usize)> {
        let at_hand = |service: &&Service| {
            service.tools.iter().any(|word| self.hand.has_server(word) || self.hand.has_tool_word(word))
        };
        let known = SERVICES.iter().filter(at_hand).filter_map(|service| {
            let (length, own) = service.begins(rest)?;
            Some((What::Service(service, own), length))
        });
        let known = known.max_by_key(|(_, length)| *length);
        known.or_else(|| {
            let first = rest.first().filter(|first| first.is_capital())?;
            let is_tool = matches!(first.low.as_str(), "git" | "fetch" | "time" | "filesystem" | "memory");
            let named = self.hand.has_server(&first.low).then(|| first.low.clone());
            let named = named.or_else(|| self.hand.server_like(&first.low)).filter(|_| !is_tool)?;
            Some((What::Server(named), 1))
        })
    }

    /// A path, a channel, an id, a page or a repository, with what stands in brackets behind it.
    fn thing(&self, tokens: &[Token], at: usize) -> Option<(What, usize)> {
        let rest = tokens.get(at..)?;
        let first = rest.first()?;
        let bracketed = |from: usize| match rest.get(from..) {
            Some([open, id, close, ..])
                if open.shape == Shape::Mark('(') && close.shape == Shape::Mark(')') =>
            {
                Some(id)
            }
            _ => None,
        };
        match first.shape {
            Shape::Channel => match bracketed(1) {
                Some(id) if is_id(id) => Some((What::Thing(vec![Place::Id(id.text.clone())]), 4)),
                _ => None,
            },
            Shape::Identifier if is_id(first) => Some((What::Thing(vec![Place::Id(first.text.clone())]), 1)),
            Shape::Path if !self.hand.has_files() && !self.hand.has_own_paths() => None,
            Shape::Path => {
                let is_repository = self.hand.has_parameter("repo")
                    && first.text.split('/').filter(|part| !part.is_empty()).count() == 2
                    && !first.text.starts_with(['/', '~', '.'])
                    && !first.text.ends_with('/')
                    && !first.text.contains('.');
                let places = match is_repository {
                    true => vec![Place::Id(first.text.clone())],
                    false => crate::english::noun::path_places(&first.text, self.hand),
                };
                (!places.is_empty()).then_some((What::Thing(places), 1))
            }
            Shape::Url => Some((What::Thing(vec![Place::Page(first.text.clone())]), 1)),
            _ => None,
        }
    }

    /// "the table pay", "the pay table", "the collection visits".
    fn tabled(&self, rest: &[Token], before: Option<&Token>) -> Option<(What, usize)> {
        let is_kept = ["collection", "table"].iter().any(|word| self.hand.has_parameter(word));
        if !self.has_sql() && !is_kept && !self.hand.has_server("mongodb") {
            return None;
        }
        let is_holder = |token: &Token| matches!(token.low.as_str(), "table" | "collection");
        let is_name = |token: &Token| {
            matches!(token.shape, Shape::Word | Shape::Identifier)
                && !is_light(&token.low)
                && !is_holder(token)
        };
        let [first, second, ..] = rest else {
            return None;
        };
        if is_holder(first) && is_name(second) && before.is_some_and(|before| !is_name(before)) {
            return Some((What::Thing(vec![Place::Table(second.text.clone())]), 2));
        }
        // "what you read in salaries must not …": nothing else is called so.
        const READ: &[&str] = &["from", "in", "query", "read", "reads", "select"];
        const NOT: &[&str] =
            &["mails", "files", "messages", "results", "people", "emails", "issues", "names", "us"];
        if before.is_some_and(|before| READ.contains(&before.low.as_str()))
            && first.shape == Shape::Word
            && (first.low.ends_with('s') || first.low.contains('_'))
            && first.text == first.low
            && !NOT.contains(&first.low.as_str())
            && !is_light(&first.low)
            && self.serviced(rest).is_none()
            && !second.low.ends_with('s')
            && matches!(second.shape, Shape::Word | Shape::Mark(_))
            && (matches!(second.shape, Shape::Mark(_)) || is_light(&second.low) || second.low == "but")
        {
            return Some((What::Thing(vec![Place::Table(first.text.clone())]), 1));
        }
        (is_name(first) && is_holder(second))
            .then(|| (What::Thing(vec![Place::Table(first.text.clone())]), 2))
    }

    /// Somebody by an address, or all at a host.
    fn party(&self, token: &Token) -> Option<Place> {
        match token.shape {
            Shape::Address => Some(Place::Address(token.low.clone())),
            Shape::Host => Some(Place::Domain(token.low.trim_start_matches(['@', '*', '.']).to_owned())),
            Shape::Mention if token.low.contains('.') => {
                Some(Place::Domain(token.low.trim_start_matches('@').to_owned()))
            }
            _ => None,
        }
    }
}

/// Whether a sort of text is named, such as phone numbers: then not all data is meant.
pub(super) fn has_class(tokens: &[Token]) -> bool {
    let is_class = |phrase: &&&str| phrase.contains("address") || phrase.contains("number");
    (0..tokens.len()).any(|at| {
        let rest = tokens.get(at..).unwrap_or_default();
        NO_PLACES
            .iter()
            .filter(is_class)
            .any(|phrase| crate::english::exact::words::begins(rest, phrase).is_some())
    })
}

/// How many words more than the first belong to what is no place.
fn skipped(rest: &[Token]) -> usize {
    let length = |phrase: &&str| crate::english::exact::words::begins(rest, phrase);
    NO_PLACES.iter().filter_map(length).max().map_or(0, |length| length - 1)
}

/// Something that only a service calls its things by.
pub(super) fn is_id(token: &Token) -> bool {
    token.shape == Shape::Identifier
        && token.text.len() > 7
        && (token.text.chars().any(|letter| letter.is_ascii_digit())
            || token.text.chars().all(|letter| letter.is_ascii_uppercase()))
}

/// Words that are no names.
pub(super) fn is_light(low: &str) -> bool {
    matches!(
        low,
        "the"
            | "a"
            | "an"
            | "any"
            | "my"
            | "our"
            | "your"
            | "of"
            | "from"
            | "in"
            | "on"
            | "to"
            | "is"
            | "are"
            | "and"
            | "or"
            | "that"
            | "this"
            | "which"
            | "each"
            | "every"
            | "no"
            | "not"
            | "may"
            | "must"
            | "stays"
            | "stay"
            | "whole"
            | "same"
            | "database"
            | "for"
            | "other"
            | "single"
            | "one"
            | "it"
            | "never"
            | "should"
            | "can"
            | "goes"
            | "has"
            | "was"
            | "all"
            | "into"
            | "by"
            | "with"
            | "data"
            | "out"
            | "gets"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_for_services_can_be_read() {
        let file: File = toml::from_str(FLOWS).unwrap();
        assert!(file.service.iter().all(|service| {
            [&service.did, &service.server, &service.about, &service.place].iter().any(|way| !way.is_empty())
        }));
    }
}
