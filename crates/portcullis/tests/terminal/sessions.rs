//! Sessions, listed and ended.

use serde_json::Value;

use crate::home::{Home, is_possible};

#[test]
fn a_session_is_ended_by_a_person_alone() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    // The agent tries it first.
    let attack = [env!("CARGO_BIN_EXE_portcullis"), "sessions", "end", "--gone"];
    let tried = home.host("[]", &attack).wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&tried.stdout).contains("no open session has a host that is gone"));

    let listed = home.says(&["sessions", "list", "--json"]).output;
    let session: Value = serde_json::from_str(listed.lines().next().unwrap()).unwrap();
    assert_eq!((&session["host_runs"], &session["steps"]), (&false.into(), &0.into()));
    let name = session["session"].as_str().unwrap();
    assert!(home.says(&["sessions", "list"]).output.contains("which is gone"));

    let refused = home.says(&["sessions", "end", name]);
    assert_eq!(refused.status, 2, "{}", refused.output);
    assert!(refused.output.contains("standard input is none"), "{}", refused.output);
    let seen = home.terminal(&["sessions", "end", &name[..6]], &[("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert_eq!(home.says(&["sessions", "list"]).output, "no session is open\n");
    assert!(home.says(&["sessions", "list", "--all"]).output.contains("by command"));
    assert!(home.says(&["sessions", "end", name]).output.contains("has ended already"));
    assert!(home.says(&["audit", "list"]).output.contains("session ended"));
}
