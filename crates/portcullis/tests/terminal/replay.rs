//! What a real gateway recorded, replayed from its store.

use serde_json::Value;

use crate::home::{Home, is_possible};

fn report(home: &Home, arguments: &[&str]) -> (i32, Value) {
    let seen = home.says(&[&["bench", "replay", "--json"], arguments].concat());
    let report = serde_json::from_str(&seen.output);
    (seen.status, report.unwrap_or_else(|error| panic!("{error}: {}", seen.output)))
}

#[test]
fn a_session_is_replayed_and_nothing_is_written() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let host = home.host(r#"[{"path": "a.md", "content": "hello"}]"#, &[]);
    home.wait_for_a_question();
    home.terminal(&["watch", "--plain", "--once"], &[("q to leave:", "1\n")]);
    drop(host.wait_with_output());
    let kept = || home.says(&["audit", "export"]).output;
    let before = kept();

    let (status, alike) = report(&home, &[]);
    assert_eq!((status, &alike["changed"]), (0, &false.into()), "{alike:#}");
    assert_eq!((&alike["total"]["calls"], &alike["total"]["answered_once"]), (&1.into(), &1.into()));

    let (status, allowed) = report(&home, &["--add", "allow write from ctxt to @workspace"]);
    let change = &allowed["sessions"][0]["changes"][0];
    assert_eq!(status, 1, "{allowed:#}");
    assert_eq!((&change["kind"], &change["answer"]), (&"no_longer_asked".into(), &"once".into()));
    assert_eq!(kept(), before, "a replay only reads");

    // What is changed since is today's policy, and no option is needed to see what it would have decided.
    home.says(&["invariant", "add", "Never write files that end in .md.", "--yes"]);
    let (status, denied) = report(&home, &[]);
    let change = &denied["sessions"][0]["changes"][0];
    assert_eq!(status, 1, "{denied:#}");
    assert_eq!((&change["kind"], &change["today"]), (&"newly_denied".into(), &"deny".into()));
    let (status, without) = report(&home, &["--without-invariant", "1"]);
    assert_eq!((status, &without["changed"]), (0, &false.into()), "{without:#}");

    // Settings of the project count as well.
    let project = home.path().join("desk/.portcullis");
    std::fs::create_dir_all(&project).unwrap();
    let settings = "invariants = [\"Ask before you write files that end in .md.\"]";
    std::fs::write(project.join("portcullis.toml"), settings).unwrap();
    let (_, asked) =
        report(&home, &["--without-invariant", "1", "--add", "allow write from ctxt to @workspace"]);
    assert_eq!(asked["changed"], false, "it is asked about, as it was: {asked:#}");
}
