//! Things in a house: "the front door is taboo", "doors stay locked", "leave the heating alone".

use super::sift::Weight;
use super::tasks::is_ours;
use super::{Rules, refused};
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};
use crate::meaning::{Check, Deed, Doing, Form, Presence, Test};

/// What people call the things of a house, and the domains that they are in.
const THINGS: &[(&[&str], &[&str])] = &[
    (&["door", "doors", "lock", "locks"], &["lock", "cover"]),
    (&["gate", "gates", "garage", "blinds", "shutters", "curtains", "awning"], &["cover", "lock"]),
    (
        &[
            "heating",
            "thermostat",
            "thermostats",
            "heater",
            "heaters",
            "radiators",
            "radiator",
            "climate",
            "temperature",
            "temperatures",
        ],
        &["climate", "water_heater"],
    ),
    (&["light", "lights", "lamp", "lamps", "lighting"], &["light"]),
    (&["alarm", "alarms", "siren"], &["alarm_control_panel", "siren"]),
    (&["camera", "cameras"], &["camera"]),
    (&["vacuum", "robot"], &["vacuum"]),
    (&["tv", "television", "speaker", "speakers", "music", "stereo"], &["media_player"]),
    (&["fan", "fans"], &["fan"]),
    (&["switch", "switches", "socket", "sockets", "plug", "plugs"], &["switch"]),
    (&["automation", "automations"], &["automation"]),
    (&["scene", "scenes"], &["scene"]),
];

/// What is done to them, as rules say it and as services are called.
const DONE: &[(&[&str], &[&str])] = &[
    (&["unlock", "unlocks", "unlocked", "unlocking"], &["unlock", "open"]),
    (&["lock", "locked", "locking"], &["lock"]),
    (&["open", "opens", "opened", "opening"], &["open*", "unlock"]),
    (&["disarm", "disarmed", "disarming"], &["*disarm*"]),
    (&["armed", "arm"], &["*arm*"]),
];

impl Exact<'_> {
    /// What is not done to the things of a house.
    pub(super) fn house(&self, tokens: &[Token]) -> Option<Rules> {
        let arguments = self.hand.arguments_of(&[]);
        if !arguments.contains("entity id") || self.span_in(tokens).is_some() {
            return None;
        }
        let is_name = |at: usize| {
            let next = tokens.get(at + 1);
            next.is_some_and(|next| domains(next).is_some())
                && tokens.get(at).is_some_and(|token| {
                    token.shape == Shape::Word
                        && !is_word_of("anything", &token.low)
                        && !is_word_of("house", &token.low)
                        && done(token).is_none()
                })
        };
        let sifted = self.sifted(tokens, "house", &|at, token| match domains(token).is_some()
            || done(token).is_some()
            || is_name(at)
        {
            true => Weight::Anchor,
            false => Weight::Strange,
        })?;
        let is_kept = sifted.has(&["stay", "stays", "remain", "remains", "leave", "keep", "kept"]);
        let is_left = sifted.denies()
            || is_kept
            || is_ours(&sifted)
            || sifted.has(&["taboo", "off", "alone", "hands", "banned", "forbidden", "only"]);
        let things: Vec<&'static str> =
            sifted.anchors.iter().filter_map(|(_, token)| domains(token)).flatten().copied().collect();
        if !is_left || things.is_empty() {
            return None;
        }
        let names: Vec<String> = sifted
            .anchors
            .iter()
            .filter(|(at, _)| is_name(*at))
            .map(|(_, token)| token.low.clone())
            .collect();
        let mut services: Vec<&'static str> = sifted
            .anchors
            .iter()
            .filter(|(at, token)| !(is_lock(token) && *at + 1 == tokens.len() && !is_kept))
            .filter_map(|(_, token)| done(token))
            .flatten()
            .copied()
            .collect();
        // "Doors stay locked": what would end it.
        if is_kept && services == ["lock"] {
            services = vec!["unlock", "open*"];
        }
        if is_kept && services == ["*arm*"] {
            services = vec!["*disarm*"];
        }
        Some(refused(vec![Doing::Deed(Deed::Writes)], tests(&things, &names, &services)))
    }
}

fn tests(things: &[&'static str], names: &[String], services: &[&'static str]) -> Vec<Test> {
    let value = |argument: &str, forms: Vec<Form>| Test::Value {
        names: vec![argument.to_owned()],
        check: Check::Forms(forms),
        presence: Presence::One,
    };
    let domains = things.iter().map(|domain| Form::Is((*domain).to_owned())).collect();
    let entities = things.iter().map(|domain| Form::Starts(format!("{domain}."))).collect();
    let mut tests = vec![Test::Any(vec![vec![value("domain", domains)], vec![value("entity id", entities)]])];
    if !names.is_empty() {
        tests.push(value("entity id", vec![Form::Is(format!("*{}*", names.join("_")))]));
    }
    if !services.is_empty() {
        let forms = services.iter().map(|service| Form::Is((*service).to_owned())).collect();
        tests.push(value("service", forms));
    }
    tests
}

fn is_lock(token: &Token) -> bool {
    matches!(token.low.as_str(), "lock" | "locks")
}

fn domains(token: &Token) -> Option<&'static [&'static str]> {
    let found = THINGS.iter().find(|(people, _)| people.contains(&token.low.as_str()));
    found.filter(|_| token.shape == Shape::Word).map(|(_, domains)| *domains)
}

fn done(token: &Token) -> Option<&'static [&'static str]> {
    let found = DONE.iter().find(|(people, _)| people.contains(&token.low.as_str()));
    found.filter(|_| token.shape == Shape::Word).map(|(_, services)| *services)
}
