//! A session in a folder of user u, with the servers of the catalogue.
#![allow(dead_code, reason = "no test needs all of it")]

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::{Hand, Rulebook, Stated};
use portcullis_lattice::Ruleset;
use portcullis_monitor::{Session, ToolCall, ToolStanding, Verdict};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_taint::{Fingerprints, Key, Limits};
use serde_json::Value;

pub(crate) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::built_in().unwrap());
pub(crate) static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().unwrap());

pub(crate) fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    }
}

pub(crate) fn session(rules: &str, sentences: &[&str]) -> Session<'static> {
    let fingerprints = Fingerprints::new(Key::new([7; 16]), Limits::default());
    let mut session = Session::new("s1", layout().ground().unwrap(), &FORMATS, &NoLinks, fingerprints);
    session.set_rules(Ruleset::parse(rules).unwrap());
    session.set_invariants(rulebook(sentences), TimeZone::UTC);
    session
}

pub(crate) fn rulebook(sentences: &[&str]) -> Rulebook {
    let mut hand = Hand::new(&layout());
    for (server, entry) in CATALOGUE.servers() {
        hand.add_catalogued(server, entry);
    }
    let stated = sentences.iter().enumerate().map(|(at, text)| Stated::read(text, &hand, 2026, at).unwrap());
    Rulebook::new(stated.collect()).unwrap()
}

pub(crate) fn decide(session: &Session<'_>, tool: &str, arguments: &Value) -> Verdict {
    decide_at(session, tool, arguments, friday())
}

pub(crate) fn decide_at(session: &Session<'_>, tool: &str, arguments: &Value, now: Timestamp) -> Verdict {
    let (server, tool) = tool.split_once('.').unwrap();
    let tools = |name: &str| CATALOGUE.profile(server, name);
    let profile = CATALOGUE.profile(server, tool).unwrap();
    session.decide(
        &ToolCall {
            server,
            remote: None,
            profile,
            tools: &tools,
            arguments,
            standing: ToolStanding::APPROVED,
        },
        now,
    )
}

/// A Friday.
pub(crate) fn friday() -> Timestamp {
    "2026-03-06T15:00:00Z".parse().unwrap()
}

pub(crate) fn allowing_everything() -> String {
    let ends = ["ctxt", "local", "extnet"];
    let pairs = ends.iter().flat_map(|from| ends.iter().map(move |to| (from, to)));
    let rules = pairs.flat_map(|(from, to)| {
        [
            format!("allow read, write, del, exec, spawn from {from} to {to}\n"),
            format!("allow read, write, del, exec, spawn from {from} to {to} carrying secret\n"),
        ]
    });
    rules.collect()
}
