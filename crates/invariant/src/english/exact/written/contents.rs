//! What texts must not hold, by what people call it: "CVE numbers stay out of Slack", "no phone numbers in mails",
//! "never post links to Grafana", "keep prices out of subjects".

mod phrases;

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, bracketed, in_bases, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Saying, Side, Test, Verdict};
use phrases::{ANYWHERE, BEHIND, CLASSES, FRONT, LACKING, NEEDED, PLACES, PRODUCTS};

type Rules = Vec<(Verdict, Case)>;

/// Whatever is written.
const ALL: &[&str] =
    &["anything you write", "what you write", "anything", "any text", "your texts", "writing", "texts"];

impl Exact<'_> {
    /// A ban on something in texts.
    pub(in crate::english::exact) fn contents(&self, tokens: &[Token]) -> Option<Rules> {
        // "… until the advisory is out": nobody knows when that is.
        let tokens = match around(tokens, &["until", "till", "before"]) {
            Some((front, _, behind)) if self.time_free(behind) => front,
            _ => tokens,
        };
        // "no ticket ids in Slack (they look like ORCH-12)"
        if let Some((front, inner)) = bracketed(tokens)
            && let Some(sample) = sampled(inner)
            && let Some((_, _, place)) =
                strip(front, FRONT).and_then(|rest| around(rest, &["into", "in", "on"]))
            && let Some((doings, tests, _)) = self.text_place(place)
        {
            return Some(ruled(doings, tests, vec![Saying::Like(sample)]));
        }
        if let Some(rest) = strip(tokens, FRONT) {
            let parted = around(rest, &["into", "in", "on", "to", "by", "via", "through"]);
            let placed = parted.and_then(|_| {
                // The last of them parts what from where: "links to Grafana in Slack".
                (1..rest.len()).rev().find_map(|at| {
                    let (front, behind) = (rest.get(..at)?, rest.get(at + 1..)?);
                    let word = rest.get(at)?.low.as_str();
                    let is_between = matches!(word, "into" | "in" | "on" | "to" | "by" | "via" | "through");
                    is_between.then(|| self.banned_in(front, behind)).flatten()
                })
            });
            if placed.is_some() {
                return placed;
            }
            let first = tokens.get(1).map_or("", |token| token.low.as_str());
            let action = match first {
                "post" => "post",
                "mail" | "email" => "mail",
                _ => return None,
            };
            let sayings = self.sayings(rest)?;
            return Some(ruled(vec![Doing::Did(action.to_owned())], Vec::new(), sayings));
        }
        if let Some(rest) = strip(tokens, &["keep", "always keep", "leave"])
            && let Some((what, _, place)) = around(rest, &["out of", "off"])
        {
            return self.banned_in(what, place);
        }
        if let Some((what, _, place)) = around(tokens, NEEDED) {
            return self.needed_in(what, place);
        }
        if let Some((what, _, place)) = around(tokens, BEHIND) {
            return self.banned_in(what, place);
        }
        if let Some(what) = strip_end(tokens, ANYWHERE) {
            let sayings = self.sayings(what)?;
            let action = if tokens.iter().any(|token| token.low == "mailed") { "mail" } else { "post" };
            let doing = match self.hand.has_tool_word("message") || action == "mail" {
                true => Doing::Did(action.to_owned()),
                false => Doing::Deed(Deed::Sends),
            };
            return Some(ruled(vec![doing], Vec::new(), sayings));
        }
        let (place, _, what) = around(tokens, LACKING)?;
        self.banned_in(bare(what), place)
    }

    /// Whether words speak of no time that a clock shows.
    fn time_free(&self, tokens: &[Token]) -> bool {
        !tokens.is_empty()
            && (0..tokens.len()).all(|at| {
                tokens.get(at..).is_none_or(|rest| crate::english::when::read(rest, self.year).is_none())
            })
            && !tokens.iter().any(|token| token.shape == Shape::Number)
    }

    /// Signs of a sort in what is written somewhere: "no exclamation marks in Slack".
    fn signs_in(&self, what: &[Token], place: &[Token]) -> Option<Rules> {
        const TEXTS: &[&str] =
            &["text", "body", "content", "message", "comment", "description", "title", "subject", "summary"];
        let forms = self.having(what)?;
        if !forms.iter().all(|form| matches!(form, Form::Sort(sort) if sort != "links")) {
            return None;
        }
        let (doings, mut tests, names) = self.text_place(place)?;
        let arguments = self.hand.arguments_of(&[]);
        let all =
            TEXTS.iter().filter(|name| arguments.contains(**name)).map(|name| (*name).to_owned()).collect();
        let names: Vec<String> = if names.is_empty() { all } else { names };
        let check = Check::Forms(forms);
        tests.push(Test::Value {
            names: (!names.is_empty()).then_some(names)?,
            check,
            presence: Presence::One,
        });
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "Ticket numbers (like OPS-12) must be in every message."
    fn needed_in(&self, what: &[Token], place: &[Token]) -> Option<Rules> {
        let what = self.sayings(what)?;
        let (doings, mut tests, names) = self.text_place(place)?;
        tests.push(Test::Says { what, parameter: names.into_iter().next(), is: false });
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// Words that must not stand in what is written somewhere.
    pub(in crate::english::exact) fn words_kept_out(
        &self,
        words: &[Token],
        place: &[Token],
    ) -> Option<Rules> {
        let what = words.iter().map(|word| Saying::Words(word.text.clone())).collect();
        let (doings, tests, _) = self.text_place(place)?;
        Some(ruled(doings, tests, what))
    }

    fn banned_in(&self, what: &[Token], place: &[Token]) -> Option<Rules> {
        let Some(sayings) = self.sayings(what) else { return self.signs_in(bare(what), place) };
        let (doings, mut tests, names) = self.text_place(place)?;
        if names.is_empty() {
            return Some(ruled(doings, tests, sayings));
        }
        // What stands in one argument is a matter of its form.
        let said = sayings.iter().map(|saying| Test::Says {
            what: vec![saying.clone()],
            parameter: names.first().cloned(),
            is: true,
        });
        let each: Vec<Vec<Test>> = said.map(|test| vec![test]).collect();
        tests.push(Test::Any(each));
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// What each item of a list stands for, if all of them are things that a text can hold.
    pub(in crate::english::exact) fn sayings(&self, tokens: &[Token]) -> Option<Vec<Saying>> {
        if let Some((front, inner)) = bracketed(tokens) {
            if let Some(sample) = sampled(inner) {
                return (!front.is_empty()).then(|| vec![Saying::Like(sample)]);
            }
            if let [one] = inner
                && matches!(one.shape, Shape::Host | Shape::Url)
                && front.iter().any(is_link)
            {
                return Some(vec![Saying::Class(format!("link to {}", host(&one.text)))]);
            }
            // "the names of the referees (Okafor, Hsu)": what stands in brackets are the words.
            let names = |token: &Token| {
                matches!(
                    token.low.as_str(),
                    "name"
                        | "names"
                        | "word"
                        | "words"
                        | "term"
                        | "terms"
                        | "nickname"
                        | "codename"
                        | "codenames"
                        | "surname"
                        | "surnames"
                        | "brand"
                        | "brands"
                        | "expression"
                        | "expressions"
                )
            };
            if front.iter().any(names) {
                let words = self.quoted_words(inner)?;
                return Some(words.into_iter().map(Saying::Words).collect());
            }
            return None;
        }
        let whole = self.saying(tokens);
        if let Some(saying) = whole {
            return Some(vec![saying]);
        }
        let list = items(tokens);
        let sayings: Option<Vec<Saying>> = list.into_iter().map(|item| self.saying(item)).collect();
        sayings.filter(|sayings| !sayings.is_empty())
    }

    fn saying(&self, tokens: &[Token]) -> Option<Saying> {
        let tokens = bare(
            strip(tokens, &["any", "no", "somebody's", "anyone's", "anybody's", "people's"])
                .unwrap_or(tokens),
        );
        if let Some(class) = class(tokens) {
            return Some(Saying::Class(class.to_owned()));
        }
        if let Some((front, _, target)) = around(tokens, &["to", "leading to", "pointing to", "from"])
            && let [one] = bare(front)
            && is_link(one)
        {
            return self.link_to(bare(target)).map(Saying::Class);
        }
        if let Some((front, _, domain)) =
            around(tokens, &["outside", "outside of", "other than to", "except to"])
            && let [one] = bare(front)
            && is_link(one)
            && let [domain] = bare(domain)
            && domain.shape == Shape::Host
        {
            return Some(Saying::Class(format!("link not to {}", host(&domain.text))));
        }
        match tokens {
            // "amounts over 300 EUR"
            [first, rest @ ..]
                if matches!(first.low.as_str(), "amounts" | "amount" | "prices" | "sums" | "figures") =>
            {
                let (amount, length) = crate::english::amount::read(rest)?;
                let unit = rest.get(length..)?;
                let is_money = unit.is_empty()
                    || strip(
                        unit,
                        &["eur", "euro", "euros", "€", "usd", "dollars", "$", "chf", "gbp", "pounds"],
                    )
                    .is_some_and(<[Token]>::is_empty);
                let above = match amount.compare {
                    crate::english::amount::Compare::Above => amount.number,
                    crate::english::amount::Compare::AtLeast => amount.number.checked_sub(1)?,
                    _ => return None,
                };
                is_money.then(|| Saying::Class(format!("amount of money above {above}")))
            }
            // "a Grafana link", "external links"
            [front @ .., last] if is_link(last) && !front.is_empty() => {
                self.link_to(front).map(Saying::Class)
            }
            _ => None,
        }
    }

    /// A link by where it leads: a host, a product, or anywhere outside.
    fn link_to(&self, tokens: &[Token]) -> Option<String> {
        const OUTSIDE: &[&str] = &[
            "external",
            "outside",
            "external websites",
            "outside websites",
            "external sites",
            "outside sites",
            "other websites",
            "other sites",
            "foreign sites",
            "sites outside",
            "the outside",
            "public websites",
            "external pages",
            "websites outside the company",
            "sites outside the company",
            "third-party sites",
            "third-party websites",
            "third-party",
        ];
        if strip(tokens, OUTSIDE).is_some_and(<[Token]>::is_empty) {
            let own: Vec<&str> = self
                .hand
                .layout
                .internal
                .iter()
                .map(String::as_str)
                .filter(|name| name.contains('.') && !name.contains([':', '*', '/']))
                .collect();
            return (!own.is_empty()).then(|| format!("link not to {}", own.join(" ")));
        }
        let said = tokens.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
        if let Some((_, host)) = PRODUCTS.iter().find(|(product, _)| *product == said) {
            return Some(format!("link to {host}"));
        }
        match tokens {
            [one] if matches!(one.shape, Shape::Host | Shape::Url) => {
                Some(format!("link to {}", host(&one.text)))
            }
            // A name that is no word of the language is part of a host's.
            [one] if one.shape == Shape::Word && (one.is_capital() || !self.lexicon.knows(one)) => {
                Some(format!("link to {}", one.low))
            }
            _ => None,
        }
    }

    /// Where something is written: what is done there, and the arguments that are meant where it is these alone.
    pub(in crate::english::exact) fn text_place(
        &self,
        tokens: &[Token],
    ) -> Option<(Vec<Doing>, Vec<Test>, Vec<String>)> {
        let tokens = bare(tokens);
        if let Some(action) =
            PLACES.iter().find(|(people, _)| named(tokens, people)).map(|(_, action)| *action)
        {
            // A query of a database looks for nothing on the web, and a page may be one that is written.
            let is_sql = action == "search" && self.hand.has_parameter("sql");
            if is_sql {
                return Some((vec![Doing::Did("query".to_owned())], Vec::new(), Vec::new()));
            }
            if self.can(action) {
                return Some((vec![Doing::Did(action.to_owned())], Vec::new(), Vec::new()));
            }
            if action != "type" {
                return None;
            }
        }
        if let Some(server) = self.remembering(tokens) {
            let tests = vec![Test::Tool { names: vec![server], is: true }];
            return Some((vec![Doing::Deed(Deed::Writes)], tests, Vec::new()));
        }
        // "#general (C0GENERAL)", "C0GENERAL"
        let ids = channel_ids(tokens);
        if !ids.is_empty() {
            let places = ids.into_iter().map(Place::Id).collect();
            let tests = vec![Test::Place { side: Side::Object, places, inside: true }];
            return Some((vec![Doing::Did("post".to_owned())], tests, Vec::new()));
        }
        if let [one] = tokens
            && self.hand.has_server(&one.low)
        {
            let tests = vec![Test::Tool { names: vec![one.low.clone()], is: true }];
            return Some((vec![Doing::Deed(Deed::Writes)], tests, Vec::new()));
        }
        if strip(tokens, ALL).is_some_and(<[Token]>::is_empty) {
            return Some((vec![Doing::Deed(Deed::Writes)], Vec::new(), Vec::new()));
        }
        // "subject or text of a mail": all of it.
        if let Some((front, _, owner)) = around(tokens, &["of", "in"]) {
            let parts = items(front);
            let is_part = |item: &&[Token]| matches!(bare(item), [one] if PARTS.contains(&one.low.as_str()));
            if parts.len() > 1 && parts.iter().all(is_part) {
                return self.text_place(owner);
            }
        }
        self.text_file(tokens).or_else(|| self.text_argument(tokens))
    }

    /// Texts in files.
    fn text_file(&self, tokens: &[Token]) -> Option<(Vec<Doing>, Vec<Test>, Vec<String>)> {
        const FILES: &[&str] =
            &["file", "files", "a file", "any file", "code", "the code", "notes", "document", "documents"];
        let is_written = self.hand.has_local_files()
            && !self.hand.has_tool_word("page")
            && !self.hand.has_web()
            && strip(tokens, WRITTEN).is_some_and(<[Token]>::is_empty);
        let is_file = is_written || strip(tokens, FILES).is_some_and(<[Token]>::is_empty);
        is_file.then(|| {
            let places = vec![Place::Kind("file".to_owned())];
            let tests = vec![Test::Place { side: Side::Object, places, inside: true }];
            (vec![Doing::Deed(Deed::Writes)], tests, Vec::new())
        })
    }

    /// Texts in an argument, or in what is made.
    fn text_argument(&self, tokens: &[Token]) -> Option<(Vec<Doing>, Vec<Test>, Vec<String>)> {
        if let Some(parameter) = self.parameter(tokens) {
            let (doings, tests) = match &parameter.owner {
                Some(owner) => owner.written(),
                None => (self.doings_of(&parameter.names), Vec::new()),
            };
            let names =
                parameter.names.iter().filter_map(|name| name.split(' ').next_back().map(str::to_owned));
            return Some((doings, tests, names.collect()));
        }
        let scope = self.scope(tokens)?;
        let (doings, tests) = scope.written();
        Some((doings, tests, Vec::new()))
    }

    /// Whether a tool at hand does this.
    fn can(&self, action: &str) -> bool {
        match action {
            "post" => self.hand.has_tool_word("message") || self.hand.has_tool_word("post"),
            "mail" => self.hand.has_tool_word("email") || self.hand.has_tool_word("mail"),
            "schedule" => self.hand.has_calendar(),
            "type" => ["type", "fill", "press"].iter().any(|word| self.hand.has_tool_word(word)),
            _ => true,
        }
    }

    /// The server that keeps what the agent is to remember, if words call it so.
    fn remembering(&self, tokens: &[Token]) -> Option<String> {
        const KEPT: &[&str] = &[
            "memory",
            "your memory",
            "graph",
            "knowledge graph",
            "memory graph",
            "knowledge base",
            "your notes",
            "long-term memory",
            "memory store",
        ];
        let is_it = strip(tokens, KEPT).is_some_and(<[Token]>::is_empty);
        is_it
            .then(|| self.hand.server_like("memory").or_else(|| self.hand.server_like("knowledge")))
            .flatten()
    }
}

/// The ids of channels that words name, if they name nothing else.
pub(in crate::english::exact) fn channel_ids(tokens: &[Token]) -> Vec<String> {
    let is_id = |token: &&Token| {
        token.shape == Shape::Identifier && token.text.starts_with(['C', 'G', 'D']) && token.text.len() > 7
    };
    let is_between = |token: &Token| {
        matches!(token.shape, Shape::Channel | Shape::Mark(_))
            || matches!(
                token.low.as_str(),
                "channel" | "channels" | "and" | "or" | "the" | "customer" | "slack"
            )
    };
    // "the channel we share with Ostwind (C07OSTWIND)": what stands in brackets says which.
    let is_channel =
        |token: &Token| matches!(token.low.as_str(), "channel" | "channels") || token.shape == Shape::Channel;
    if let Some((front, inner)) = bracketed(tokens)
        && front.iter().any(is_channel)
        && inner.iter().all(|token| is_id(&token) || is_between(token))
    {
        return inner.iter().filter(is_id).map(|token| token.text.clone()).collect();
    }
    let is_all = tokens.iter().all(|token| is_id(&token) || is_between(token));
    let ids: Vec<String> = tokens.iter().filter(is_id).map(|token| token.text.clone()).collect();
    if is_all { ids } else { Vec::new() }
}

fn is_link(token: &Token) -> bool {
    matches!(token.low.as_str(), "link" | "links" | "url" | "urls" | "hyperlinks" | "hyperlink")
}

fn host(text: &str) -> String {
    let plain = text.rsplit("://").next().unwrap_or(text);
    plain.split('/').next().unwrap_or(plain).trim_start_matches("*.").to_lowercase()
}

/// Whether words are one of these phrases, in the singular or the plural.
fn named(tokens: &[Token], phrases: &[&str]) -> bool {
    in_bases(tokens).iter().any(|said| phrases.contains(&said.as_str()))
}

fn class(tokens: &[Token]) -> Option<&'static str> {
    let forms = in_bases(bare(tokens));
    let is_it = |people: &[&str]| forms.iter().any(|said| people.contains(&said.as_str()));
    CLASSES.iter().find(|(people, _)| is_it(people)).map(|(_, class)| *class)
}

/// "they look like ORCH-12", "like ORCH-12", "ORCH-12".
fn sampled(tokens: &[Token]) -> Option<String> {
    let rest = strip(
        tokens,
        &["they look like", "like", "such as", "e.g", "for example", "looks like", "of the form"],
    )
    .unwrap_or(tokens);
    let [one] = rest else { return None };
    let has_digits = one.text.chars().any(|letter| letter.is_ascii_digit());
    (has_digits && one.text.contains(['-', '#', '/'])).then(|| one.text.clone())
}

fn ruled(doings: Vec<Doing>, mut tests: Vec<Test>, what: Vec<Saying>) -> Rules {
    tests.push(Test::Says { what, parameter: None, is: true });
    vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })]
}

const WRITTEN: &[&str] = &[
    "pages",
    "page",
    "documents",
    "articles",
    "reports",
    "chapters",
    "posts",
    "entries",
    "docs",
    "readme",
    "manuscript",
    "sheets",
    "lists",
    "records",
    "protocols",
    "minutes",
    "letters",
    "drafts",
    "papers",
    "the readme",
    "documentation",
    "wiki",
    "the text",
    "text files",
];

const PARTS: &[&str] =
    &["subject", "text", "body", "title", "content", "description", "message", "comment", "summary"];
