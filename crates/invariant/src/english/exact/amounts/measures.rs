//! How much there may be of something in one call: "at most 6 guests per event", "one recipient per mail", "appointments
//! last two hours at most", "search results: five at most".

use crate::english::amount::{self, Compare};
use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, bracketed, in_bases, stems, strip, strip_end};
use crate::english::lexicon::bases;
use crate::english::token::Token;
use crate::meaning::{Case, Check, Doing, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// What is counted, by what people call it in the singular.
const COUNTED: &[(&[&str], &str)] = &[
    (&["recipient", "person", "people", "addressee", "address", "mail address", "receiver"], "recipient"),
    (&["guest", "attendee", "invitee", "participant"], "attendee"),
    (&["attachment", "attached file"], "attachment"),
    (&["label", "tag"], "label"),
    (&["assignee"], "assignee"),
    (&["file", "document"], "file"),
    (&["result", "hit", "entry", "entries", "search result", "item", "record", "match"], "result"),
    (&["page", "url", "site", "web page"], "page"),
    (&["row"], "row"),
    (&["line"], "line"),
    (&["word"], "word"),
    (&["character", "letter", "sign"], "character"),
    (&["minute", "hour"], "minute"),
    (&["second", "millisecond"], "millisecond"),
    (&["message", "mail", "email", "commit", "event"], "item"),
    (&["join"], "join"),
    (&["statement"], "statement"),
    (&["level"], "depth"),
];

/// What it is counted in, by the action that shows it.
const IN: &[(&[&str], &str)] = &[
    (&["mail", "email", "e-mail", "message by mail"], "mail"),
    (
        &[
            "event",
            "meeting",
            "invitation",
            "invite",
            "appointment",
            "calendar event",
            "calendar entry",
            "call",
        ],
        "schedule",
    ),
    (&["search", "web search", "query to a search engine", "internet search", "search result"], "search"),
    (&["crawl", "crawling run"], "crawl"),
    (&["message", "slack message", "post", "slack post"], "post"),
    (&["upload", "file upload"], "upload"),
    (&["comment"], "comment"),
    (&["commit"], "commit"),
    (&["push"], "push"),
    (&["query", "sql query", "database query", "statement"], "query"),
    (&["batch", "batch call", "bulk call"], "batch"),
];

const VERBS: &[&str] = &[
    "has",
    "have",
    "may have",
    "can have",
    "gets",
    "get",
    "takes",
    "take",
    "returns",
    "return",
    "may return",
    "covers",
    "cover",
    "may cover",
    "reach",
    "reaches",
    "goes to",
    "go to",
    "contain",
    "contains",
    "may contain",
    "is",
    "are",
    "stay",
    "stays",
    "run",
    "runs",
    "last",
    "lasts",
    "may last",
    "take up",
    "must not exceed",
    "may be",
    "must be",
    "should be",
    "should have",
    "should last",
    "can last",
    "are limited to",
    "is limited to",
    "must last",
    "fetch",
    "fetches",
    "brings",
    "bring",
    "lists",
    "list",
    "may take",
    "may reach",
    "go out to",
    "goes out to",
    "may go to",
    "shows",
    "show",
    ":",
    "must have",
    "must not have",
    "may not have",
    "must not last",
    "may not last",
    "may not take",
    "never last",
    "never lasts",
    "never has",
    "never have",
    "never take",
    "never takes",
    "never goes to",
    "never go to",
    "must never last",
    "should never last",
    "must not take",
    "must not go to",
    "may not go to",
    "never return",
    "never returns",
    "must stay",
];

/// What is done to get several at once.
const FETCHING: &[&str] = &[
    "fetch", "read", "get", "load", "pull", "return", "retrieve", "request", "list", "show", "grab", "take",
    "ask for", "query", "select", "pull up", "find",
];

/// What a call brings several of.
const THINGS: &[&str] =
    &["documents", "document", "records", "record", "entries", "objects", "items", "docs", "results", "hits"];

/// Words for one call.
const ONCE: &[&str] = &[
    "at once",
    "at a time",
    "per call",
    "per query",
    "per request",
    "per find",
    "in one go",
    "with one find",
    "in one call",
    "in one query",
    "in a single call",
    "in a single query",
    "with one call",
    "with one query",
    "per page",
    "with a single find",
    "in one find",
    "with a find",
    "at one go",
    "each time",
    "per read",
];

impl Exact<'_> {
    /// A limit to how much there is in one call.
    pub(in crate::english::exact) fn measured(&self, tokens: &[Token]) -> Option<Rules> {
        let (tokens, argument) = match bracketed(tokens) {
            Some((front, inner)) => (front, Some(self.ground(&stems(inner), &[])?)),
            None => (tokens, None),
        };
        if let Some((amount, _, inside)) =
            around(tokens, &["per", "in one", "in a", "in a single", "for each", "in each"])
        {
            // "8 results per search at most"
            const MOST: &[&str] =
                &["at most", "at the most", "max", "maximum", "tops", "or less", "or fewer"];
            let (amount, inside) = match strip_end(inside, MOST) {
                Some(inside) => (
                    [amount, &["at", "most"].map(crate::english::exact::told::turned::word)].concat(),
                    inside,
                ),
                None => (amount.to_vec(), inside),
            };
            let (most, unit) = self.limit(&amount)?;
            return self.limited(most, unit, bare(inside), argument);
        }
        let denied = strip(tokens, &["no"]);
        let rest = denied.unwrap_or(tokens);
        (1..rest.len()).find_map(|at| {
            let verb = VERBS.iter().filter(|verb| {
                crate::english::exact::words::begins(rest.get(at..).unwrap_or_default(), verb).is_some()
            });
            let longest = verb.max_by_key(|verb| verb.split(' ').count())?;
            let behind = strip(rest.get(at..)?, &[*longest])?;
            let (most, unit) = self.limit(behind)?;
            let inside = bare(rest.get(..at)?);
            let inside = strip(inside, &["one", "one single", "each single"]).unwrap_or(inside);
            self.limited(most, unit, inside, argument.clone())
        })
    }

    /// "at most 10 attachments": of what there is several of in one call alone.
    pub(in crate::english::exact) fn held_at_most(&self, tokens: &[Token]) -> Option<Rules> {
        amount::read(tokens)
            .filter(|(found, _)| matches!(found.compare, Compare::AtMost | Compare::Below))?;
        let (most, unit) = self.limit(tokens)?;
        let unit =
            unit.filter(|unit| matches!(*unit, "attachment" | "attendee" | "recipient" | "assignee"))?;
        let tests = vec![Test::Measure { unit: unit.to_owned(), above: most, is: true }];
        let actions: &[&str] = match unit {
            "attendee" => &["schedule"],
            "assignee" => &["assign"],
            _ => &["mail", "draft"],
        };
        let doings = actions.iter().map(|action| Doing::Did((*action).to_owned())).collect();
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "no mail to more than 8 people".
    pub(in crate::english::exact) fn sent_to_many(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(
            tokens,
            &["no", "never send", "don't send", "do not send", "never send out", "don't send out"],
        )?;
        let (inside, _, amount) = around(rest, &["to", "with", "for"])?;
        let is_more = strip(amount, &["more than", "over", "above", "upwards of"]).is_some();
        let (most, unit) = self.limit(amount).filter(|(_, unit)| is_more && unit.is_some())?;
        self.limited(most, unit, bare(inside), None)
    }

    /// "never fetch more than 50 documents with one find": by the argument that says how many are wanted.
    pub(in crate::english::exact) fn fetched(&self, tokens: &[Token]) -> Option<Rules> {
        const LIMITS: &[&str] = &[
            "limit",
            "max result",
            "max document",
            "count",
            "per page",
            "page size",
            "first",
            "top",
            "size",
        ];
        if self.hand.has_local_files() {
            return None;
        }
        let denied =
            strip(tokens, &["never", "don't", "do not", "dont"]).and_then(|rest| strip(rest, FETCHING));
        let amount = denied.or_else(|| strip(tokens, FETCHING)).unwrap_or(tokens);
        let (found, length) = amount::read(amount)?;
        let most = match (found.compare, denied.is_some()) {
            (Compare::Above, true) | (Compare::AtMost, false) => found.number,
            (Compare::AtLeast, true) | (Compare::Below, false) => found.number.checked_sub(1)?,
            _ => return None,
        };
        let rest = strip(amount.get(length..)?, THINGS)?;
        let is_once = rest.is_empty() || strip(rest, ONCE).is_some_and(<[Token]>::is_empty);
        let arguments = self.hand.arguments_of(&[]);
        let names: Vec<String> =
            LIMITS.iter().filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect();
        if !is_once || names.is_empty() {
            return None;
        }
        self.argued(most, &names)
    }

    /// "at most 6 guests", "five at most", "one recipient", "longer than 45 minutes": how many are too many, and of what.
    pub(in crate::english::exact) fn limit(&self, tokens: &[Token]) -> Option<(i64, Option<&'static str>)> {
        let tokens = strip(tokens, &["only", "just"]).unwrap_or(tokens);
        let plain =
            strip_end(tokens, &["at most", "at the most", "max", "maximum", "tops", "or less", "or fewer"]);
        let (number, length, own) = match plain {
            Some(front) => {
                let (number, length) = amount::read_number(front)?;
                (number, length, front)
            }
            None => match amount::read(tokens) {
                Some((found, length)) => {
                    let most = match found.compare {
                        Compare::AtMost | Compare::Above => found.number,
                        Compare::Below => found.number.checked_sub(1)?,
                        Compare::AtLeast | Compare::Equal => return None,
                    };
                    (most, length, tokens)
                }
                // "one recipient per mail"
                None => match tokens.first()?.low.as_str() {
                    "one" | "a" | "single" => (1, 1, tokens),
                    _ => return None,
                },
            },
        };
        let unit = bare(own.get(length..)?);
        if unit.is_empty() {
            return Some((number, None));
        }
        let last = unit.last()?;
        let said = in_bases(unit);
        let is_it = |people: &[&str]| said.iter().any(|said| people.contains(&said.as_str()));
        let (_, unit) = COUNTED.iter().find(|(people, _)| is_it(people))?;
        let is_second = bases(last).iter().any(|base| base == "second");
        let number = if is_second { number.checked_mul(1000)? } else { number };
        let is_hour = bases(last).iter().any(|base| base == "hour");
        let number = if is_hour { number.checked_mul(60)? } else { number };
        Some((number, Some(*unit)))
    }

    fn limited(
        &self,
        most: i64,
        unit: Option<&'static str>,
        inside: &[Token],
        argument: Option<Vec<String>>,
    ) -> Option<Rules> {
        if let Some(names) = &argument {
            return self.argued(most, names);
        }
        if matches!(unit, Some("line" | "word" | "character"))
            && let Some((front, _, place)) = around(inside, &["to", "in", "on"])
        {
            return self.long_in(most, unit?, front, place);
        }
        let Some(action) = named(inside) else { return self.lasting(most, unit?, inside) };
        if !self.is_at_hand(action) {
            return None;
        }
        let doings = vec![Doing::Did(action.to_owned())];
        let unit = counted_in(unit, action)?;
        let tests = vec![Test::Measure { unit: unit.to_owned(), above: most, is: true }];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// What is counted in calls that do this.
    pub(in crate::english::exact) fn unit_of(
        &self,
        unit: Option<&'static str>,
        event: &crate::english::exact::scope::Scope,
    ) -> Option<String> {
        let actions = event.doings.iter().filter_map(|doing| match doing {
            Doing::Did(name) => Some(name.as_str()),
            Doing::Deed(_) => None,
        });
        let units: Vec<Option<&'static str>> = actions.map(|action| counted_in(unit, action)).collect();
        match units.as_slice() {
            [] => unit.map(str::to_owned),
            [first, rest @ ..] => {
                first.filter(|_| rest.iter().all(|other| other == first)).map(str::to_owned)
            }
        }
    }

    /// An argument named in brackets must not be more: "commands run 60 seconds at most (timeout_ms)".
    fn argued(&self, most: i64, names: &[String]) -> Option<Rules> {
        let test = Test::Value { names: names.to_vec(), check: Check::Above(most), presence: Presence::One };
        Some(vec![(Verdict::Deny, Case { tests: vec![test], ..Case::default() })])
    }

    /// "A downtime lasts two hours at most": what a tool is about, with a beginning and an end.
    fn lasting(&self, most: i64, unit: &str, inside: &[Token]) -> Option<Rules> {
        let nouns = stems(inside);
        let is_known = unit == "minute" && !nouns.is_empty() && self.hand.has_tool_about(&nouns);
        let last = nouns.last().filter(|_| is_known)?;
        let tests = vec![
            Test::About { nouns: vec![last.clone()], is: true },
            Test::Measure { unit: unit.to_owned(), above: most, is: true },
        ];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "Messages to #legal (C0LEGAL001) stay under 100 words."
    fn long_in(&self, most: i64, unit: &str, front: &[Token], place: &[Token]) -> Option<Rules> {
        let action = named(bare(front)).filter(|action| *action == "post")?;
        let ids = crate::english::exact::written::contents::channel_ids(bare(place));
        if ids.is_empty() {
            return None;
        }
        let places = ids.into_iter().map(crate::meaning::Place::Id).collect();
        let tests = vec![
            Test::Place { side: crate::meaning::Side::Object, places, inside: true },
            Test::Measure { unit: unit.to_owned(), above: most, is: true },
        ];
        let doings = vec![Doing::Did(action.to_owned())];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    fn is_at_hand(&self, action: &str) -> bool {
        match action {
            "schedule" => self.hand.has_calendar(),
            "mail" => self.hand.has_tool_word("email") || self.hand.has_tool_word("mail"),
            "post" => self.hand.has_tool_word("message"),
            "batch" => self.hand.has_tool_word("batch") || self.hand.has_tool_word("bulk"),
            "query" => self.hand.has_parameter("sql") || self.hand.has_tool_word("query"),
            _ => true,
        }
    }
}

/// What is counted in a call that does something, by what people call it.
fn counted_in(unit: Option<&'static str>, action: &str) -> Option<&'static str> {
    Some(match (unit, action) {
        (None, "search") => "result",
        (None, "crawl") => "page",
        (None, _) => return None,
        (Some("item"), "batch") => "message",
        (Some("attendee"), "mail") => return None,
        (Some("recipient"), "schedule") => "attendee",
        (Some("minute"), "schedule") => "minute",
        (Some("minute"), _) => return None,
        // How long each text is, other forms say.
        (Some("line" | "word" | "character" | "millisecond"), _) => return None,
        (Some("item"), _) => return None,
        (Some(unit), _) => unit,
    })
}

fn named(tokens: &[Token]) -> Option<&'static str> {
    let said = in_bases(tokens);
    let is_it = |people: &[&str]| said.iter().any(|said| people.contains(&said.as_str()));
    IN.iter().find(|(people, _)| is_it(people)).map(|(_, action)| *action)
}
