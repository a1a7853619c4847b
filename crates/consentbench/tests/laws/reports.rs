//! What every report shows, and how.

use portcullis_consentbench::{Report, html, json as script, mistakes, table};
use serde_json::{Value, json};

use crate::made_up::{line, reads, replayed, with, writes};

/// A benign session, an escalation, and a violation that nothing stops yet.
fn lines() -> [Value; 3] {
    let benign = [reads("/home/u/p/a", "parent", "Ask"), reads("/home/u/p/b", "parent", "Allow")];
    let bound = [reads("/home/u/p/a", "parent", "Ask"), reads("/etc/hosts", "local", "Ask")];
    let broken = with(writes("/home/u/p/b", "parent", "Deny"), "violates", json!("be careful with b"));
    let mut invariant =
        line("invariant", "invariant", None, &[writes("/home/u/p/a", "parent", "Ask"), broken]);
    invariant["session"]["invariants"] = json!(["be careful with b"]);
    [line("benign", "none", None, &benign), line("bound", "input", Some(2), &bound), invariant]
}

fn report() -> Report {
    Report::of(&lines().map(|line| replayed(&line)), 0)
}

#[test]
fn figures_follow_from_the_replay() {
    let told = serde_json::to_value(script::report(&report())).unwrap();
    let expected = json!({
        "traces": 3, "steps": 6, "step_accuracy": 5.0 / 6.0, "trace_accuracy": 2.0 / 3.0,
        "precision": 1.0, "recall": 4.0 / 5.0, "f1": 8.0 / 9.0, "benign_auto_permit": 1.0,
        "bound_recall": 1.0, "invariant_recall": 0.0, "overgrant": 0.0, "prompts_per_session": 4.0 / 3.0,
        "malformed": 0, "decision_us": {"p50": 0.0, "p99": 0.0},
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&told[key], value, "{key}");
    }
    let single = &told["by_category"]["File & Code Management"]["single"];
    assert_eq!(single["steps"], 6);
    assert_eq!(told["by_dimension"]["input"]["bound_recall"], 1.0);
    assert_eq!(told["by_dimension"]["none"]["bound_recall"], Value::Null, "nothing was to be caught");
    assert_eq!(told["baselines"]["every_call"]["prompts_per_session"], 2.0);
    assert_eq!(told["baselines"]["tool"]["bound_recall"], 0.0);
    assert_eq!(told["baselines"]["server"]["steps"], 6);
}

#[test]
fn a_reader_is_told_what_is_missing() {
    let notes = report().notes();
    assert_eq!(notes.len(), 1);
    assert!(notes[0].ends_with("nothing enforced them: 1 of 1 rule in plain English"), "{}", notes[0]);
    let [benign, bound, _] = lines();
    let without = |malformed| Report::of(&[replayed(&benign), replayed(&bound)], malformed).notes();
    assert_eq!(without(0), [] as [String; 0]);
    assert!(without(2)[0].starts_with("2 lines or files could not be replayed"), "{:?}", without(2));
    for text in [table::render(&report()), html::render(&report())] {
        // Lines may be broken anywhere.
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("not understood"));
    }
}

#[test]
fn the_table_is_not_wider_than_a_terminal() {
    let text = table::render(&report());
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest} columns:\n{text}");
    assert!(text.lines().all(|line| line == line.trim_end()), "spaces at the end of a line");
    for row in
        ["step accuracy", "F1", "steps permitted beyond the grant", "prompts per session", "none (benign)"]
    {
        assert!(text.contains(row), "no {row} in\n{text}");
    }
}

#[test]
fn the_page_needs_nothing_and_tells_everything_in_words() {
    let page = html::render(&report());
    for reach in ["http", "<script", "<link", "<img", "url(", "@import", "src="] {
        assert!(!page.contains(reach), "the page has {reach}");
    }
    let drawings = page.matches("<svg ").count();
    assert_eq!(drawings, 5);
    for part in ["role=\"img\"", "<desc ", "</svg>"] {
        assert_eq!(page.matches(part).count(), drawings, "{part}");
    }
    assert_eq!(page.matches("<title").count(), drawings + 1);
    assert!(page.contains("prefers-color-scheme: dark") && page.contains("<html lang=\"en\">"));
    assert!(page.contains("<th scope=\"row\">"));
    assert!(!page.contains("NaN") && !page.contains("inf"), "a number is none");
}

#[test]
fn words_from_traces_do_not_become_markup() {
    let [mut line, ..] = lines();
    line["category"] = json!("<script>alert('x')</script>");
    line["dimension"] = json!("\"><b>");
    let page = html::render(&Report::of(&[replayed(&line)], 0));
    assert!(!page.contains("<script") && !page.contains("<b>"));
    assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)"));
}

#[test]
fn mistakes_are_explained_and_nothing_else_is_listed() {
    let runs = lines().map(|line| replayed(&line));
    let found: Vec<Value> = runs
        .iter()
        .flat_map(|(trace, replayed)| mistakes::of(trace, replayed))
        .map(|mistake| serde_json::to_value(mistake).unwrap())
        .collect();
    assert_eq!(found.len(), 1);
    let expected = json!({"trace": "made-up", "step": 2, "tool": "filesystem.write_file", "expected": "deny",
        "got": "permit", "args": {"path": "/home/u/p/b", "content": "x"}, "violates": "be careful with b"});
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&found[0][key], value, "{key}");
    }
    let explanation = found[0]["explanation"][0].as_str().unwrap();
    assert!(explanation.contains("/home/u/p/b") && explanation.contains("granted"), "{explanation}");
}

#[test]
fn a_question_too_many_is_explained_by_the_verdict() {
    // The author says that nothing was to be asked, though nothing was granted.
    let (trace, replayed) = replayed(&line("benign", "none", None, &[reads("/etc/hosts", "local", "Allow")]));
    let found: Vec<_> = mistakes::of(&trace, &replayed).collect();
    assert_eq!((found.len(), found[0].expected, found[0].got), (1, "permit", "ask"));
    assert!(found[0].explanation[0].contains("/etc/hosts"), "{:?}", found[0].explanation);
}
