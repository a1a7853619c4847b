//! The catalogue: every file is read, and every example in it holds.

use portcullis_perceive::catalogue::Catalogue;

#[test]
fn every_example_holds() {
    let catalogue = Catalogue::built_in().unwrap_or_else(|error| panic!("{error}"));
    catalogue.check().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_tool_has_an_example() {
    let catalogue = Catalogue::built_in().expect("the catalogue is readable");
    for (server, entry) in catalogue.servers() {
        let without: Vec<_> =
            entry.tools().map(|(tool, _)| tool).filter(|tool| !entry.has_example(tool)).collect();
        assert!(without.is_empty(), "{server}: without example: {without:?}");
    }
}
