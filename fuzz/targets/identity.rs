//! Any JSON as definitions of tools, one a line: reading, comparing and looking for suspicion end without a panic, a
//! definition does not differ from itself, and two differ just if their content does.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_identity::definition::Definition;
use portcullis_identity::difference::{Run, compare, words};
use portcullis_identity::names::{Neighbourhood, oddity};
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::suspicion::{Around, of_definition, of_text};

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    drop(of_text("text", &text, &Around::new(["search_notes"], ["send_mail", "search_notes"])));
    let read = |line: &str| Definition::parse(line.as_bytes(), &["seal"]).ok();
    let definitions: Vec<Definition> = text.lines().filter_map(read).take(3).collect();
    for definition in &definitions {
        assert!(compare(definition, definition).is_empty());
        let again = read(definition.canonical()).expect("a canonical form is a definition");
        assert_eq!(again.content(), definition.content());
        for finding in of_definition(definition, &Around::default()) {
            assert!(!finding.to_string().contains(['\n', '\u{1b}', '\u{202e}', '\u{200b}']));
        }
        let _ = oddity(definition.name());
    }
    let mut around = Neighbourhood::default();
    for (index, definition) in definitions.iter().enumerate() {
        around.add(&index.to_string(), &server(index), definition.name());
    }
    for (old, new) in definitions.iter().zip(definitions.iter().skip(1)) {
        drop(around.like("0", &server(0), new.name()));
        let difference = compare(old, new);
        assert_eq!(difference.is_empty(), old.content() == new.content());
        drop(difference.to_string());
        for change in &difference.changes {
            drop(change.marked());
        }
        let runs = words(old.description(), new.description());
        let said: String = runs
            .iter()
            .map(|run| match run {
                Run::Same(text) | Run::New(text) => text.as_str(),
                Run::Old(_) => "",
            })
            .collect();
        assert_eq!(said, new.description());
    }
});

fn server(index: usize) -> ServerIdentity {
    ServerIdentity::Remote { url: format!("https://{index}.acme.test/"), tls: None, hold: Default::default() }
}
