//! A rule that no call could break is refused with a hint, and what a reader should know of a reading is shown.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use portcullis_invariant::english::{Reading, Trouble, read};
use portcullis_invariant::trial::{Trial, TrialCall};
use portcullis_invariant::{Rulebook, Stated, Toolbox, Written, say};
use portcullis_perceive::layout::Layout;
use serde_json::json;

fn layout() -> Layout {
    Layout { workspace: "/home/ann/report".into(), home: "/home/ann".into(), ..Layout::default() }
}

fn toolbox(servers: &[&str]) -> Toolbox {
    let mut tools = Toolbox::new().unwrap();
    servers.iter().for_each(|server| tools.connect(server).unwrap());
    tools
}

fn understood(sentence: &str, tools: &Toolbox) -> Result<Reading, Trouble> {
    read(sentence, &tools.hand(&layout()), 2026)
}

#[test]
fn an_argument_that_no_connected_tool_has_is_an_error() {
    let files = toolbox(&["filesystem"]);
    let trouble = understood("bcc is not allowed", &files).unwrap_err();
    assert_eq!(trouble, Trouble::NoArgument { name: "bcc".into(), nearest: None });
    assert!(understood("bcc is not allowed", &toolbox(&["gmail"])).is_ok());
}

#[test]
fn a_channel_by_its_name_alone_is_an_error_where_calls_show_ids() {
    let slack = toolbox(&["slack"]);
    let trouble = understood("Never post in #general.", &slack).unwrap_err();
    assert_eq!(trouble, Trouble::ChannelName("general".into()));
    assert!(trouble.to_string().contains("#general (C012AB3CD)"), "{trouble}");
    assert!(understood("Never post in #general (C01GENERAL).", &slack).is_ok());
}

#[test]
fn a_channel_by_its_name_is_understood_where_calls_show_names() {
    let mut tools = Toolbox::new().unwrap();
    let schema =
        json!({"type": "object", "properties": {"channel": {"type": "string"}, "text": {"type": "string"}}});
    tools.define("chat", &json!({"name": "post_message", "inputSchema": schema})).unwrap();
    assert!(understood("Never post in #general.", &tools).is_ok());
}

#[test]
fn a_word_that_is_left_out_is_shown() {
    let mut tools = Toolbox::new().unwrap();
    let schema = json!({"type": "object", "properties": {"mode": {"type": "string"}}});
    tools.define("home", &json!({"name": "set_alarm", "inputSchema": schema})).unwrap();
    let reading = understood("leave the noisy burglar alarm alone", &tools).unwrap();
    assert_eq!(reading.left_out, ["noisy", "burglar"]);
}

#[test]
fn a_time_that_may_be_that_of_the_call_or_of_the_meeting_is_shown_in_both_readings() {
    let reading = understood("No meetings after 18:00.", &toolbox(&["google-calendar"])).unwrap();
    assert_eq!(say(&reading.meanings), ["Refused: scheduling an event, for an event after 18:00."]);
    let others: Vec<Vec<String>> = reading.others.iter().map(|meanings| say(meanings)).collect();
    assert_eq!(others, [["Refused: scheduling an event, after 18:00."]]);
    let reading = understood("No Slack messages after 18:00.", &toolbox(&["slack"])).unwrap();
    assert!(reading.others.is_empty());
}

#[test]
fn a_milestone_of_a_rule_written_by_hand_counts_once_a_call_has_reached_it() {
    let text = r#"milestone("listed") :- did("list").
deny("list before you write") :- writes(F, R), not earlier("listed")."#;
    let written = Written { text: text.into(), ..Written::default() };
    let book = Rulebook::new(vec![Stated { sentence: "by hand".into(), written }]).unwrap();
    let tools = toolbox(&["filesystem"]);
    let ground = layout().ground().unwrap();
    let mut trial = Trial::new(&tools, &ground, &book);
    let call =
        |tool: &str, arguments| TrialCall { server: "filesystem".into(), tool: tool.into(), arguments };
    let write = call("write_file", json!({"path": "a.md", "content": "x"}));
    let list = call("list_directory", json!({"path": "."}));
    assert_eq!(trial.call(&write, None).unwrap().breaches.len(), 1, "nothing was listed yet");
    assert!(trial.call(&list, None).unwrap().breaches.is_empty());
    assert!(trial.call(&write, None).unwrap().breaches.is_empty());
}

#[test]
fn an_argument_that_only_a_rule_written_by_hand_knows_is_named() {
    let text = r#"deny("no copies") :- given("bcc"), choice("to", _)."#;
    let written = Written { text: text.into(), ..Written::default() };
    let book = Rulebook::new(vec![Stated { sentence: "by hand".into(), written }]).unwrap();
    let hand = |servers: &[&str]| toolbox(servers).hand(&layout());
    assert_eq!(book.missing_arguments(&hand(&["gmail"])), []);
    let named: Vec<String> =
        book.missing_arguments(&hand(&["filesystem"])).iter().map(ToString::to_string).collect();
    assert_eq!(named[0], "no connected tool has an argument called `bcc`");
}
