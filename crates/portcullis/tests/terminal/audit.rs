//! The audit log as a person and a script read it.

use serde_json::Value;

use crate::home::{Home, is_possible};

/// A home in which one call was asked about and allowed.
fn home_with_a_call() -> Home {
    let home = Home::new();
    let host = home.host(r#"[{"path": "a.md", "content": "hello"}]"#, &[]);
    home.wait_for_a_question();
    home.terminal(&["watch", "--plain", "--once"], &[("q to leave:", "1\n")]);
    drop(host.wait_with_output());
    home
}

#[test]
fn what_was_decided_is_listed_shown_and_verified() {
    if !is_possible() {
        return;
    }
    let home = home_with_a_call();
    let listed = home.says(&["audit", "list"]).output;
    let words: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().nth(5)).collect();
    assert_eq!(words, ["opened", "tools", "ask", "answer", "permit", "ended"], "{listed}");
    assert_eq!(home.says(&["audit", "list", "--kind", "verdict"]).output.lines().count(), 2);
    assert_eq!(home.says(&["audit", "list", "--limit", "1"]).output.lines().count(), 1);
    assert_eq!(home.says(&["audit", "list", "--since", "1h", "--json"]).output.lines().count(), 6);

    let shown = home.says(&["audit", "show", "5"]).output;
    for part in [
        "decision  permit",
        "what the call does",
        "/desk/a.md",
        "arguments, as keyed hashes",
        "it ended with success",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("hello"), "{shown}");

    let whole: Value = serde_json::from_str(&home.says(&["audit", "verify", "--json"]).output).unwrap();
    assert_eq!(whole["whole"], true);
    let head = whole["head"].as_str().unwrap();
    let noted = home.says(&["audit", "verify", "--head", head]);
    assert_eq!(
        (noted.status, noted.output.lines().next()),
        (0, Some("the log is whole, and as it was noted"))
    );
    let other = head.replace("6:", "5:");
    let broken = home.says(&["audit", "verify", "--head", &other]);
    assert_eq!(broken.status, 1, "{}", broken.output);
    assert!(broken.output.contains("entry 5 is not as it was noted"), "{}", broken.output);
}

#[test]
fn an_export_is_verified_without_the_store() {
    if !is_possible() {
        return;
    }
    let home = home_with_a_call();
    let path = home.path().join("audit.jsonl");
    let file = path.to_str().unwrap();
    assert_eq!(home.says(&["audit", "export", "--output", file]).status, 0);
    let again = home.says(&["audit", "export", "--output", file]);
    assert_eq!(again.status, 2, "an export was written over: {}", again.output);
    let stranger = Home::new();
    assert_eq!(stranger.says(&["audit", "verify", file]).status, 0);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(home.says(&["audit", "export"]).output, text);

    let without_an_entry: Vec<&str> =
        text.lines().enumerate().filter(|(line, _)| *line != 2).map(|(_, line)| line).collect();
    for (changed, told) in [
        (text.replacen(r#""decision":"ask""#, r#""decision":"permit""#, 1), "entry 3 was changed"),
        (without_an_entry.join("\n") + "\n", "entry 2 was removed"),
        (text.lines().take(3).collect::<Vec<_>>().join("\n") + "\n", "stops in the middle"),
    ] {
        std::fs::write(&path, changed).unwrap();
        let seen = stranger.says(&["audit", "verify", file]);
        assert_eq!(seen.status, 1, "{told}: {}", seen.output);
        assert!(seen.output.contains(told), "{told}: {}", seen.output);
    }
}

#[test]
fn what_comes_is_followed() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    home.says(&["rules", "add", "deny del from anywhere to /etc/**", "--yes"]);
    let program = env!("CARGO_BIN_EXE_portcullis");
    let line = format!(
        "(sleep 2; {program} rules add 'deny del from anywhere to /usr/**' --yes >/dev/null) & {program} audit list --follow"
    );
    // Ctrl-C ends it.
    let seen = home.terminal_of(&["sh", "-c", &line], &[("/etc/**", ""), ("/usr/**", "\u{3}")]);
    assert!(seen.output.contains("deny del from anywhere to /usr/**"), "{}", seen.output);
    assert!(!seen.output.contains("too slow"), "{}", seen.output);
}

#[test]
fn where_nothing_was_guarded_nothing_is_made() {
    let home = Home::new();
    for command in [
        &["audit", "list"][..],
        &["audit", "verify"],
        &["rules", "list"],
        &["sessions", "list"],
        &["bench", "replay"],
        &["watch", "--json"],
    ] {
        let seen = home.says(command);
        assert_eq!(seen.status, 2, "{command:?}");
        assert!(seen.output.contains("nothing was guarded yet"), "{}", seen.output);
    }
    assert!(!home.path().join("state/portcullis.db").exists());
    for (command, told) in [
        (&["audit", "verify", "--head", "17"][..], "a head is a number, a colon and 64 hexadecimal digits"),
        (&["audit", "verify", "absent.jsonl"], "cannot read `absent.jsonl`"),
    ] {
        let seen = home.says(command);
        assert_eq!(seen.status, 2, "{command:?}");
        assert!(seen.output.contains(told), "{}", seen.output);
    }
}
