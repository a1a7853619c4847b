//! Rules in plain English, put into force and removed.

use crate::home::{Home, is_possible};

const SENTENCE: &str = "Never write inside secret/.";

#[test]
fn a_stated_rule_counts_until_a_person_removes_it() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    assert!(home.says(&["invariant", "add", SENTENCE]).output.contains("a script says --yes"));
    let seen = home.says(&["invariant", "add", SENTENCE, "--yes"]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert!(seen.output.contains("would refuse"), "{}", seen.output);
    assert!(home.says(&["invariant", "add", SENTENCE, "--yes"]).output.contains("that is rule 1 already"));

    let call = r#"[{"path": "secret/a.md", "content": "hello"}]"#;
    let refused = String::from_utf8(home.host(call, &[]).wait_with_output().unwrap().stdout).unwrap();
    assert!(refused.contains(SENTENCE), "{refused}");
    assert!(!refused.contains("written"), "{refused}");

    for attempt in [home.says(&["invariant", "remove", "1"]), home.says(&["invariant", "remove", "9"])] {
        assert_eq!(attempt.status, 2, "{}", attempt.output);
    }
    let seen = home.terminal(&["invariant", "remove", "1"], &[("Type yes:", "y\n")]);
    assert_eq!(seen.status, 1, "{}", seen.output);
    assert!(home.says(&["invariant", "list"]).output.contains(SENTENCE));
    let seen = home.terminal(&["invariant", "remove", "1"], &[("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert!(!home.says(&["invariant", "list"]).output.contains(SENTENCE));
    assert!(home.says(&["invariant", "list", "--all"]).output.contains("removed "));
    let recorded = home.says(&["audit", "list"]).output;
    assert!(recorded.contains("rule stated") && recorded.contains("rule removed"), "{recorded}");
}

#[test]
fn several_stated_rules_are_in_force_together() {
    let home = Home::new();
    // Each needs helping predicates of its own.
    for sentence in
        ["Never delete anything except in build/.", "Never mail anything except to acme.com.", SENTENCE]
    {
        let seen = home.says(&["invariant", "add", sentence, "--yes"]);
        assert_eq!(seen.status, 0, "{}", seen.output);
    }
    assert_eq!(home.says(&["invariant", "list", "--json"]).output.lines().count(), 4);
}

#[test]
fn a_sentence_that_is_not_understood_is_not_kept() {
    let home = Home::new();
    let seen = home.says(&["invariant", "add", "Frobnicate the quux.", "--yes"]);
    assert_eq!(seen.status, 1, "{}", seen.output);
    assert!(seen.output.contains("is no rule that can be enforced"), "{}", seen.output);
    assert_eq!(home.says(&["invariant", "list", "--json"]).output.lines().count(), 1);
}

#[test]
fn rules_of_files_are_listed_with_their_origin() {
    let home = Home::new();
    let work = home.path().join("desk/.portcullis");
    std::fs::create_dir_all(&work).unwrap();
    std::fs::write(work.join("portcullis.toml"), "invariants = ['Never push to main.']").unwrap();
    std::fs::create_dir_all(home.path().join("state")).unwrap();
    let own = "invariants = ['Ask me before deleting anything.']";
    std::fs::write(home.path().join("state/portcullis.toml"), own).unwrap();
    let listed = home.says(&["invariant", "list"]).output;
    let wanted = [
        "built in, the program",
        "by your settings, ",
        "“Ask me before deleting anything.”",
        "by the project, ",
        "“Never push to main.”",
    ];
    let places: Vec<Option<usize>> = wanted.iter().map(|part| listed.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{listed}");
}
