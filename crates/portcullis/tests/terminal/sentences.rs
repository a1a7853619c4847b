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

/// What may be about when a meeting is, or about when it is arranged.
const TWO: &str = "No meetings on Fridays.";
const ADD_TWO: &[&str] = &["invariant", "add", TWO, "--server", "google-calendar"];

/// The Datalog of the rules in force, as the log has it.
fn in_force(home: &Home) -> String {
    home.says(&["audit", "list", "--json"]).output
}

#[test]
fn of_two_readings_a_script_has_to_name_one() {
    let home = Home::new();
    let seen = home.says(&[ADD_TWO, &["--yes"]].concat());
    assert_eq!(seen.status, 1, "{}", seen.output);
    for told in ["has 2 readings", "reading 1: ", "reading 2: ", "--reading says which one is meant"] {
        assert!(seen.output.contains(told), "{told}: {}", seen.output);
    }
    assert!(!home.says(&["invariant", "list"]).output.contains(TWO));
    for number in ["0", "3"] {
        let seen = home.says(&[ADD_TWO, &["--yes", "--reading", number]].concat());
        assert_eq!(seen.status, 2, "{}", seen.output);
        assert!(seen.output.contains("the sentence has 2 readings"), "{}", seen.output);
    }
    let seen = home.says(&[ADD_TWO, &["--yes", "--reading", "2"]].concat());
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert!(seen.output.contains("on Fridays") && !seen.output.contains("for an event"), "{}", seen.output);
    let kept = in_force(&home);
    assert!(kept.contains("now(D, W, M)") && !kept.contains("event_during"), "{kept}");
}

#[test]
fn of_two_readings_a_person_types_one() {
    if !is_possible() {
        return;
    }
    for wrong in ["3\n", "yes\n", "\n"] {
        let home = Home::new();
        let seen = home.terminal(ADD_TWO, &[("1 to 2:", wrong)]);
        assert_eq!(seen.status, 1, "{}", seen.output);
        assert!(seen.output.contains("nothing was changed"), "{}", seen.output);
        assert!(!home.says(&["invariant", "list"]).output.contains(TWO));
    }
    let home = Home::new();
    let seen = home.terminal(ADD_TWO, &[("1 to 2:", "2\n"), ("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    let kept = in_force(&home);
    assert!(kept.contains("now(D, W, M)") && !kept.contains("event_during"), "{kept}");
}

#[test]
fn a_rule_written_by_hand_counts_like_any_other() {
    let home = Home::new();
    let rules = home.path().join("rules.dl");
    // It has a name of its own, which another rule has too.
    let text = "deny(\"the vault stays shut\") :- shut(R).\nshut(R) :- writes(F, R), touches(R, \"$workspace/vault\").\n";
    std::fs::write(&rules, text).unwrap();
    let rules = rules.to_str().unwrap().to_owned();
    let add = |sentence: &str| {
        let words = ["invariant", "add", sentence, "--datalog", &rules, "--server", "filesystem", "--yes"];
        home.says(&words)
    };
    for sentence in ["Keep the vault shut", "And keep it shut again"] {
        let seen = add(sentence);
        assert_eq!(seen.status, 0, "{}", seen.output);
        assert!(seen.output.contains("Refused is a call of which all of this holds:"), "{}", seen.output);
    }
    let call = r#"[{"path": "vault/a.md", "content": "hello"}]"#;
    let refused = String::from_utf8(home.host(call, &[]).wait_with_output().unwrap().stdout).unwrap();
    assert!(refused.contains("the vault stays shut") && !refused.contains("written"), "{refused}");

    std::fs::write(&rules, "deny(\"x\") :- given(\"colour\").\n").unwrap();
    let seen = add("About an argument that no tool has");
    assert_eq!(seen.status, 2, "{}", seen.output);
    assert!(seen.output.contains("error at 1:14: `given(\"colour\")`"), "{}", seen.output);
    assert_eq!(home.says(&["invariant", "list", "--json"]).output.lines().count(), 3);
}
