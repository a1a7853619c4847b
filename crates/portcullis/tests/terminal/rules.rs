//! Rules of the store: who may add and revoke which, and what is told and recorded.

use serde_json::Value;

use crate::home::{Home, is_possible};

const ALLOW: &str = "allow write from ctxt to @workspace";
const DENY: &str = "deny write from anywhere to /etc/**";

/// The kinds of entries, and what they tell of rules.
fn recorded(home: &Home) -> Vec<(String, String)> {
    let lines = home.says(&["audit", "list", "--json"]).output;
    let read = |line: &str| {
        let entry: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&entry["kind"]), text(&entry["body"]["rule"]))
    };
    lines.lines().map(read).collect()
}

#[test]
fn an_allow_needs_a_person_and_a_deny_does_not() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    for (arguments, told) in [
        (&["rules", "add", ALLOW][..], "standard input is none"),
        (&["rules", "add", ALLOW, "--yes"], "--yes is only for a deny"),
        (&["rules", "add", DENY], "a script says --yes"),
    ] {
        let seen = home.says(arguments);
        assert_eq!(seen.status, 2, "{arguments:?}: {}", seen.output);
        assert!(seen.output.contains(told), "{arguments:?}: {}", seen.output);
    }
    assert_eq!(home.says(&["rules", "list", "--json"]).output, "");

    let seen = home.says(&["rules", "add", DENY, "--yes"]);
    assert!(seen.output.contains("the agent must not write everything under /etc"), "{}", seen.output);
    assert_eq!(seen.status, 0);
    let seen = home.terminal(&["rules", "add", ALLOW, "--because", "tests"], &[("Type yes:", "yes\n")]);
    assert!(
        seen.output.contains("the agent may write the workspace; until it is revoked"),
        "{}",
        seen.output
    );
    assert_eq!(seen.status, 0, "{}", seen.output);
    let pair = |kind: &str, rule: &str| (kind.to_owned(), rule.to_owned());
    let added = format!("{ALLOW} because \"tests\"");
    assert_eq!(recorded(&home), [pair("rule-added", DENY), pair("rule-added", &added)]);
}

#[test]
fn without_a_deny_more_is_possible_so_revoking_it_needs_a_person() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    home.says(&["rules", "add", DENY, "--yes"]);
    home.terminal(&["rules", "add", ALLOW], &[("Type yes:", "yes\n")]);
    for (arguments, told) in [
        (&["rules", "revoke", "1"][..], "standard input is none"),
        (&["rules", "revoke", "1", "--yes"], "--yes is only for allows"),
        (&["rules", "revoke", "2", "1", "--yes"], "--yes is only for allows"),
        (&["rules", "revoke", "7", "--yes"], "there is no rule 7"),
    ] {
        let seen = home.says(arguments);
        assert_eq!(seen.status, 2, "{arguments:?}: {}", seen.output);
        assert!(seen.output.contains(told), "{arguments:?}: {}", seen.output);
    }
    let seen = home.says(&["rules", "revoke", "2", "--yes"]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert!(home.says(&["rules", "revoke", "2", "--yes"]).output.contains("revoked already"));

    let seen = home.terminal(&["rules", "revoke", "1"], &[("Type yes:", "no\n")]);
    assert_eq!(seen.status, 1, "{}", seen.output);
    assert!(home.says(&["rules", "list"]).output.contains(DENY));
    let seen = home.terminal(&["rules", "revoke", "1"], &[("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert_eq!(home.says(&["rules", "list"]).output, "there are no rules: every call is asked about\n");
    assert!(home.says(&["rules", "list", "--all"]).output.contains("revoked "));
    assert_eq!(recorded(&home).iter().filter(|(kind, _)| kind == "rule-revoked").count(), 2);
}

#[test]
fn what_was_typed_before_the_question_is_no_yes() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    // All of this is in the terminal's queue long before the question is asked.
    let line = format!("sleep 2; {} rules add '{ALLOW}'", env!("CARGO_BIN_EXE_portcullis"));
    let seen = home.terminal_of(&["sh", "-c", &line], &[("", "yes\nyes\n"), ("Type yes:", "no\n")]);
    assert!(seen.output.contains("nothing was changed"), "{}", seen.output);
    assert_eq!(seen.status, 1, "{}", seen.output);
}

#[test]
fn a_rule_is_shown_with_what_it_would_newly_cover_and_what_it_decided() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let calls = r#"[{"path": "a.md", "content": "1"}, {"path": "b.md", "content": "2"}]"#;
    let host = home.host(calls, &[]);
    home.wait_for_a_question();
    let steps = [("q to leave:", "2\n"), ("q to leave:", "1\n"), ("question 2: allow this call", "\u{3}")];
    let seen = home.terminal(&["watch", "--plain"], &steps);
    assert!(seen.output.contains("allow in this session: write"), "{}", seen.output);
    drop(host.wait_with_output());

    let seen = home.terminal(&["rules", "add", ALLOW, "--until", "2h"], &[("Type yes:", "yes\n")]);
    assert!(seen.output.contains("would not be asked about any more, 1 in all:"), "{}", seen.output);
    assert!(seen.output.contains("notes.write_note: write "), "{}", seen.output);
    assert!(seen.output.contains("/desk/b.md"), "{}", seen.output);

    let explained = home.says(&["rules", "explain", "1"]).output;
    assert!(explained.contains("question 1: allow in this session"), "{explained}");
    assert!(explained.contains("one recorded call was decided by it"), "{explained}");
    let explained: Value =
        serde_json::from_str(&home.says(&["rules", "explain", "1", "--json"]).output).unwrap();
    assert_eq!((&explained["calls"], &explained["in_force"]), (&1.into(), &true.into()));

    // The wide rule has made the narrow one superfluous for all that was recorded.
    let proposed = home.says(&["rules", "tidy"]).output;
    assert!(proposed.contains("drop rule 1"), "{proposed}");
    assert!(proposed.contains("nothing was changed; --apply puts it into force"), "{proposed}");
    assert_eq!(home.says(&["rules", "tidy", "--apply"]).status, 2);
    let seen = home.terminal(&["rules", "tidy", "--apply"], &[("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    let left = home.says(&["rules", "list", "--json"]).output;
    assert_eq!(left.lines().count(), 1, "{left}");
    assert!(left.contains(ALLOW), "{left}");
}

#[test]
fn rules_that_cannot_be_are_refused() {
    let home = Home::new();
    for (arguments, told) in [
        (&["rules", "add", "allow everything"][..], "error: "),
        (&["rules", "add", ALLOW, "--until", "soon"], "--until: `soon` is no time"),
        (&["rules", "add", ALLOW, "--until", "2020-01-01"], "the rule would end in the past"),
        (&["rules", "add", ALLOW, "--session", "abc"], "there is no session `abc`"),
        (
            &["rules", "add", "allow read from @workspace to ctxt once", "--until", "2h"],
            "says itself how long",
        ),
        (&["rules", "explain", "1"], "there is no rule 1"),
    ] {
        let seen = home.says(arguments);
        assert_eq!(seen.status, 2, "{arguments:?}: {}", seen.output);
        assert!(seen.output.contains(told), "{arguments:?}: {}", seen.output);
    }
}
