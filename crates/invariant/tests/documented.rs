//! What `docs/invariants.md` says about rules is true: its sentences are understood, and no fact or filter is missing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the repository, not the engine")]

use std::path::Path;

use portcullis_invariant::{Hand, Rulebook, Stated, Toolbox};
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

/// Names and meanings as the schema's source has them: the macro's lines for facts, the calls of `filter` for filters.
#[test]
fn every_fact_and_filter_is_documented() {
    let schema = read("src/schema.rs");
    let document = read("../../docs/invariants.md");
    let facts = section(&document, "### Facts");
    let filters = section(&document, "### Filters");
    let (_, block) = schema.split_once("\npredicates! {\n").unwrap();
    let mut count = 0;
    for line in block.lines().take_while(|line| *line != "}") {
        let (name, rest) = line.trim().split_once(": [").unwrap();
        let (kinds, meaning) = rest.split_once("] = \"").unwrap();
        let meaning = meaning.trim_end_matches("\";");
        let signature = match kinds.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", kinds.to_lowercase()),
        };
        let row = format!("| `{signature}` | {meaning} |");
        assert!(facts.contains(&row), "docs/invariants.md lacks\n{row}");
        count += 1;
    }
    assert_eq!(
        facts.lines().filter(|line| line.starts_with("| `")).count(),
        count,
        "a fact that there is not"
    );
    let declared: Vec<&str> = schema.split("schema.filter(").skip(1).collect();
    for filter in &declared {
        let name = filter.split('"').nth(1).unwrap();
        let meaning = filter.split('"').nth(3).unwrap();
        let row = filters.lines().find(|line| line.starts_with(&format!("| `{name}(")));
        let row = row.unwrap_or_else(|| panic!("docs/invariants.md lacks the filter {name}"));
        assert!(
            row.ends_with(&format!("| {meaning} |")),
            "docs/invariants.md says otherwise of {name}: {meaning}"
        );
    }
    let listed = filters.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(listed, declared.len(), "a filter that there is not");
}
