//! Any text at all as a rule, a file of rules, a scope or a pattern: what is read is written so that it is
//! read back, and what is refused is refused with a place that can be shown.
#![no_main]

use std::fmt::{Debug, Display};

use libfuzzer_sys::fuzz_target;
use portcullis_lattice::{ParseError, Pattern, Reach, Realms, Resource, Rule, Ruleset, Scope, Topology};

fuzz_target!(|bytes: &[u8]| {
    // Bytes that are no text would be refused before any of this; replaced, they make odd names.
    let text = String::from_utf8_lossy(bytes);
    reads_back(&text, |text| text.parse::<Rule>());
    reads_back(&text, |text| text.parse::<Scope>());
    reads_back(&text, Pattern::parse);
    file_reads_back(&text);
    refuses_in_place(&text, Pattern::literal(&text));
    for reach in Reach::ALL {
        refuses_in_place(&text, Resource::new(&text, reach, Realms::NETWORK));
    }
    let mut topology = Topology::new();
    refuses_in_place(&text, topology.set_workspace(&text));
    refuses_in_place(&text, topology.add_target(&text));
    refuses_in_place(&text, topology.add_internal(&text));
    refuses_in_place(&text, topology.add_external(&text));
});

fn reads_back<T: Display + Debug + PartialEq>(text: &str, read: impl Fn(&str) -> Result<T, ParseError>) {
    match read(text) {
        Ok(value) => {
            let written = value.to_string();
            assert_eq!(read(&written).as_ref(), Ok(&value), "`{text:?}` was written as `{written:?}`");
        }
        Err(error) => check(text, &error),
    }
}

fn file_reads_back(text: &str) {
    match Ruleset::parse(text) {
        Ok(rules) => {
            let written = rules.to_string();
            let again = Ruleset::parse(&written).unwrap_or_else(|error| panic!("{error}\n{written:?}"));
            // Lines are counted anew, so the ids may differ.
            let same = rules.entries().iter().map(|entry| &entry.rule);
            assert!(same.eq(again.entries().iter().map(|entry| &entry.rule)), "{text:?} became {written:?}");
            assert!(!written.contains(|letter: char| letter.is_control() && letter != '\n'), "{written:?}");
        }
        Err(refused) => {
            let line =
                usize::try_from(refused.line).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?));
            check(line.expect("the error names a line of the text"), &refused.error);
            assert!(!refused.to_string().is_empty());
        }
    }
}

fn refuses_in_place<T>(text: &str, read: Result<T, ParseError>) {
    if let Err(error) = read {
        check(text, &error);
    }
}

/// An error points at a character of the text it was given, or behind its end, and can be shown on a
/// terminal.
fn check(text: &str, error: &ParseError) {
    assert_eq!(error.text, text, "the error is about another text: {error:?}");
    assert!(error.text.is_char_boundary(error.at), "outside or inside a character: {error:?}");
    let shown = error.to_string();
    assert!(!shown.contains(|letter: char| letter.is_control() && letter != '\n'), "{shown:?}");
}
