//! Data that must not get to somebody: "what Ann told us (ann/) must not get to Bell (bell.example)", "no one outside
//! acme.coop may learn what is in mail 19c4e8d17a2b60f3", "salaries stay in the house (acme.no)".

use super::Rules;
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Deed, Doing, Place, Saying, Side, Test, Verdict};

/// Words that say that data gets somewhere, or stays.
const MOVING: &[&str] = &[
    "get",
    "gets",
    "reach",
    "reaches",
    "leave",
    "leaves",
    "stay",
    "stays",
    "remain",
    "remains",
    "inside",
    "outside",
    "learn",
    "learns",
    "hear",
    "hears",
    "know",
    "knows",
    "see",
    "sees",
    "told",
    "go",
    "goes",
    "send",
    "sent",
    "share",
    "shared",
    "pass",
    "passed",
    "tell",
    "disclose",
    "disclosed",
    "reveal",
    "revealed",
    "mention",
    "mentioned",
    "away",
    "keep",
    "kept",
    "confidential",
    "find",
    "finds",
    "shown",
    "show",
    "given",
    "passes",
    "leak",
    "leaks",
    "leaked",
    "mailed",
    "emailed",
];

/// Words with which a sentence is about something else.
const OTHERWISE: &[&str] = &[
    "edit",
    "change",
    "delete",
    "push",
    "merge",
    "commit",
    "run",
    "create",
    "install",
    "except",
    "unless",
    "ask",
    "without",
    "rename",
    "move",
    "overwrite",
    "book",
    "schedule",
    "search",
    "click",
    "ok",
    "okay",
    "fine",
    "allowed",
    "domain",
    "domains",
    "url",
    "urls",
    "page",
    "link",
    "links",
    "website",
    "websites",
    "site",
    "sites",
    "attachment",
    "attachments",
    "cc",
    "bcc",
    "subject",
    "invite",
    "invited",
    "html",
];

/// Where data must not get.
enum Target {
    /// Anywhere but there.
    Outside(String),
    /// There.
    At(Place),
    /// To anybody but this one.
    But(Place),
    /// With the tools of a server.
    Server(String),
    /// By mail.
    Mail,
}

impl Exact<'_> {
    /// A ban on data getting to somebody.
    pub(super) fn secrets(&self, tokens: &[Token]) -> Option<Rules> {
        let said = |list: &[&str]| {
            tokens.iter().any(|token| token.shape == Shape::Word && list.contains(&token.low.as_str()))
        };
        let denies = said(&["not", "never", "nothing", "no", "nobody", "none", "don't", "noone"]);
        let stays = said(&["stay", "stays", "remain", "remains", "keep", "kept", "only"]);
        let is_there = said(&[
            "inside",
            "within",
            "house",
            "company",
            "away",
            "from",
            "confidential",
            "only",
            "between",
        ]);
        let is_kept = denies || (stays && is_there);
        if tokens.len() > 32 || !said(MOVING) || said(OTHERWISE) || !is_kept {
            return None;
        }
        let target = self.secret_target(tokens)?;
        let carried = match self.secret_source(tokens) {
            Some(places) => Test::Carries(places),
            // What nobody can name is what is marked as sensitive.
            None if self.is_marked_data(tokens) => Test::Secret,
            None => return None,
        };
        let to = |places: Vec<Place>, inside: bool| Test::Place { side: Side::To, places, inside };
        let ways: Vec<Vec<Test>> = match target {
            Target::At(place) => vec![vec![to(vec![place], true)]],
            Target::Mail => vec![vec![Test::Did { actions: vec!["mail".to_owned()], is: true }]],
            Target::Server(server) => vec![vec![Test::Tool { names: vec![server], is: true }]],
            Target::But(place) => vec![vec![to(vec![Place::Network], true), to(vec![place], false)]],
            Target::Outside(domain) => {
                let own = to(vec![Place::Domain(domain)], false);
                let people = to(vec![Place::Kind("person".to_owned())], true);
                vec![vec![people, own.clone()], vec![to(vec![Place::External], true), own]]
            }
        };
        let case = |tests: Vec<Test>| {
            let tests = std::iter::once(carried.clone()).chain(tests).collect();
            (Verdict::Deny, Case { doings: vec![Doing::Deed(Deed::Sends)], tests, ..Case::default() })
        };
        Some(ways.into_iter().map(case).collect())
    }

    /// Where the data must not get: the one host or address that a text names.
    fn secret_target(&self, tokens: &[Token]) -> Option<Target> {
        let mut named = tokens
            .iter()
            .enumerate()
            .filter(|(_, token)| matches!(token.shape, Shape::Host | Shape::Address));
        let Some((at, token)) = named.next() else { return self.secret_service(tokens) };
        if named.next().is_some() {
            return None;
        }
        let alone = |token: &Token| matches!(token.low.as_str(), "only" | "alone" | "else");
        if token.shape == Shape::Address && tokens.iter().any(alone) {
            return Some(Target::But(Place::Address(token.low.clone())));
        }
        if token.shape == Shape::Address {
            return Some(Target::At(Place::Address(token.low.clone())));
        }
        let domain = token.low.trim_start_matches("*.").trim_end_matches('/').to_owned();
        let words = |list: &[&str]| tokens.iter().any(|token| list.contains(&token.low.as_str()));
        let before =
            |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at)).map_or("", |token| &token.low);
        let is_outside =
            (1..4).any(|back| matches!(before(back), "outside" | "beyond")) || words(&["outside"]);
        let is_inside = words(&[
            "inside",
            "within",
            "house",
            "company",
            "organisation",
            "organization",
            "leave",
            "leaves",
        ]) || (words(&["stay", "stays", "remain", "remains"]) && !words(&["away", "from"]))
            || (words(&["only"]) && words(&["for", "to", "at"]));
        Some(match is_outside || is_inside {
            true => Target::Outside(domain),
            false => Target::At(Place::Domain(domain)),
        })
    }

    /// The one service where the data of a table or a folder must not get.
    fn secret_service(&self, tokens: &[Token]) -> Option<Target> {
        let service = |token: &Token| {
            (token.shape == Shape::Word && token.is_capital()).then(|| self.named_server(token)).flatten()
        };
        let is_mailed = tokens.iter().any(|token| {
            matches!(
                token.low.as_str(),
                "mail" | "mailed" | "email" | "emailed" | "e-mail" | "mails" | "emails"
            )
        });
        let mut services = tokens.iter().filter_map(service);
        let denies = tokens.iter().any(|token| {
            matches!(token.low.as_str(), "not" | "never" | "nothing" | "no" | "none" | "don't" | "nobody")
        });
        if is_mailed && denies && services.clone().next().is_none() && self.secret_source(tokens).is_some() {
            return Some(Target::Mail);
        }
        let server = services.next().filter(|_| services.next().is_none())?;
        let is_off = tokens.iter().any(|token| {
            matches!(
                token.low.as_str(),
                "off" | "out" | "not" | "never" | "nothing" | "no" | "don't" | "away"
            )
        });
        (is_off && self.secret_source(tokens).is_some()).then_some(Target::Server(server))
    }

    /// Where the data comes from.
    fn secret_source(&self, tokens: &[Token]) -> Option<Vec<Place>> {
        let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
        let mut places = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", low);
            let is_id = token.text.len() > 7 && token.text.chars().any(|letter| letter.is_ascii_digit());
            match token.shape {
                Shape::Path => places.extend(crate::english::noun::path_places(&token.text, self.hand)),
                Shape::Identifier | Shape::Number if is_id => places.push(Place::Id(token.text.clone())),
                Shape::Word | Shape::Identifier | Shape::Quoted
                    if (before == "table" || low(at + 1) == "table")
                        && !is_word_of("anything", &token.low)
                        && self.has_sql() =>
                {
                    places.push(Place::Table(token.text.clone()));
                }
                _ => {}
            }
        }
        (!places.is_empty()).then_some(places)
    }

    /// Whether a text speaks of data by words of its own, and something is marked as sensitive.
    fn is_marked_data(&self, tokens: &[Token]) -> bool {
        let is_noun = |token: &Token| {
            token.shape == Shape::Word
                && !is_word_of("anything", &token.low)
                && !MOVING.contains(&token.low.as_str())
                && !is_word_of("leaving", &token.low)
        };
        !self.hand.layout.sensitive.is_empty()
            && tokens.iter().any(is_noun)
            && !tokens.iter().any(|token| matches!(token.shape, Shape::Quoted | Shape::Url | Shape::Channel))
    }

    /// "Ann (ann@acme.nl, D02ANN) must not hear of the party": what is not said to somebody.
    pub(super) fn kept_from(&self, tokens: &[Token]) -> Option<Rules> {
        const HEARING: &[&str] = &[
            "hear", "hears", "learn", "learns", "know", "knows", "find", "finds", "told", "surprise",
            "secret", "word",
        ];
        let hears = tokens.iter().any(|token| HEARING.contains(&token.low.as_str()))
            || (tokens.iter().any(|token| token.low == "keep")
                && tokens.iter().any(|token| token.low == "from"));
        let denies = |token: &Token| {
            matches!(token.low.as_str(), "not" | "never" | "nothing" | "no" | "keep" | "don't")
        };
        let people: Vec<Place> = tokens
            .iter()
            .filter_map(|token| match token.shape {
                Shape::Address => Some(Place::Address(token.low.clone())),
                Shape::Identifier if token.text.len() > 7 && token.text.starts_with(['D', 'C', 'U']) => {
                    Some(Place::Id(token.text.clone()))
                }
                _ => None,
            })
            .collect();
        let is_other = |token: &Token| {
            matches!(token.shape, Shape::Path | Shape::Host | Shape::Quoted | Shape::Url | Shape::Number)
                || OTHERWISE.contains(&token.low.as_str())
        };
        if !hears || people.is_empty() || !tokens.iter().any(denies) || tokens.iter().any(is_other) {
            return None;
        }
        let is_topic = |token: &&Token| {
            token.shape == Shape::Word
                && !token.is_capital()
                && !HEARING.contains(&token.low.as_str())
                && !is_word_of("anything", &token.low)
                && !matches!(
                    token.low.as_str(),
                    "about" | "keep" | "out" | "from" | "get" | "may" | "ever" | "single"
                )
        };
        let what: Vec<Saying> =
            tokens.iter().filter(is_topic).map(|token| Saying::Words(token.low.clone())).collect();
        let is_short = !what.is_empty() && what.len() < 4;
        let tests = vec![
            Test::Place { side: Side::To, places: people, inside: true },
            Test::Says { what, parameter: None, is: true },
        ];
        let doings = vec![Doing::Deed(Deed::Writes)];
        is_short.then(|| vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }
}
