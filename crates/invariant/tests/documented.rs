//! What `docs/invariants.md` says about rules is true: its sentences are understood, and no fact or filter is missing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the repository, not the engine")]

use std::path::Path;

use portcullis_datalog::Kind;
use portcullis_invariant::{Hand, Rulebook, Stated, Toolbox, Vocabulary};
use portcullis_perceive::layout::Layout;

fn read(path: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(here.join(path)).unwrap()
}

fn section<'d>(document: &'d str, heading: &str) -> &'d str {
    let (_, rest) = document.split_once(&format!("\n{heading}\n")).unwrap();
    let level = format!("\n{} ", heading.split(' ').next().unwrap());
    rest.split(level.as_str()).next().unwrap()
}

/// All servers of the catalogue, at hand in a session like that of the documents.
fn hand() -> Hand {
    let mut tools = Toolbox::new().unwrap();
    tools.connect_all();
    tools.hand(&Layout {
        workspace: "/home/ann/report".into(),
        home: "/home/ann".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    })
}

fn rows<'d>(document: &'d str, heading: &str, sign: char) -> Vec<&'d str> {
    let rows = section(document, heading).lines().filter(|line| line.starts_with('|'));
    rows.filter_map(|row| row.split(sign).nth(1)).collect()
}

#[test]
fn every_documented_sentence_is_understood() {
    let document = read("../../docs/invariants.md");
    let sentences = rows(&document, "## What can be said", '`');
    assert!(sentences.len() > 25, "the table is read");
    let hand = hand();
    for sentence in sentences {
        let stated =
            Stated::read(sentence, &hand, 2026, 0).unwrap_or_else(|error| panic!("{sentence}: {error}"));
        Rulebook::new(vec![stated]).unwrap_or_else(|error| panic!("{sentence}: {error}"));
    }
}

#[test]
fn every_sentence_that_is_documented_as_refused_is() {
    let document = read("../../docs/invariants.md");
    let sentences = rows(&document, "## What is refused, and why", '"');
    assert!(sentences.len() > 3, "the table is read");
    let hand = hand();
    for sentence in sentences {
        assert!(Stated::read(sentence, &hand, 2026, 0).is_err(), "{sentence}");
    }
}

/// The table of some words of the schema, as the document has to have it.
fn table(head: &str, is_fact: bool) -> String {
    let schema = Vocabulary::built_in().unwrap().schema();
    let words = schema.words().filter(|(name, ..)| schema.id(name).is_some() == is_fact);
    let row = |(name, columns, meaning): (&str, &[Kind], &str)| {
        let kinds: Vec<String> = columns.iter().map(|kind| format!("{kind:?}").to_lowercase()).collect();
        let columns = if kinds.is_empty() { String::new() } else { format!("({})", kinds.join(", ")) };
        format!("| `{name}{columns}` | {meaning} |\n")
    };
    format!("| {head} | meaning |\n|---|---|\n{}", words.map(row).collect::<String>())
}

#[test]
fn every_fact_and_filter_is_documented() {
    let document = read("../../docs/invariants.md");
    for (heading, table) in [("### Facts", table("fact", true)), ("### Filters", table("filter", false))] {
        assert!(
            section(&document, heading).contains(&table),
            "under {heading} docs/invariants.md needs\n{table}"
        );
    }
}
