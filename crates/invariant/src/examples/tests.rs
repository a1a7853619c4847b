use portcullis_perceive::layout::Layout;
use serde_json::json;

use super::*;
use crate::english;
use crate::{Stated, write};

fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    }
}

/// The examples of a sentence, each tried again.
fn found(sentence: &str, tools: &Toolbox) -> Examples {
    let reading = english::read(sentence, &tools.hand(&layout()), 2026).unwrap();
    let written = write(&reading.meanings, sentence, "rule").unwrap();
    let book = Rulebook::new(vec![Stated { sentence: sentence.to_owned(), written }]).unwrap();
    let ground = layout().ground().unwrap();
    let found = examples(&reading.meanings, &book, tools, &ground).unwrap();
    assert_eq!(found, examples(&reading.meanings, &book, tools, &ground).unwrap(), "the same each time");
    for (examples, fires) in [(&found.fires, true), (&found.quiet, false)] {
        assert!(examples.len() <= MOST_SHOWN);
        for example in examples {
            let mut trial = Trial::new(tools, &ground, &book);
            for before in &example.before {
                trial.call(before, example.now).unwrap();
            }
            let tried = trial.call(&example.call, example.now).unwrap();
            assert_eq!(!tried.breaches.is_empty(), fires, "{sentence}: {example:?}");
        }
    }
    found
}

fn servers(names: &[&str]) -> Toolbox {
    let mut tools = Toolbox::new().unwrap();
    names.iter().for_each(|name| tools.connect(name).unwrap());
    tools
}

#[test]
fn examples_do_what_they_are_shown_for() {
    let tools = servers(&["filesystem", "gmail", "google-calendar"]);
    for sentence in [
        "Don't touch journal.md.",
        "Only write inside docs/.",
        "Never mail legal@acme.com.",
        "Nothing from the hr folder may leave this machine.",
        "At most 3 mails per session.",
        "Ask me before sending mail to more than 5 people.",
        "Don't schedule meetings between 12:00 and 13:00.",
        "No mails on weekends.",
    ] {
        let found = found(sentence, &tools);
        assert!(!found.fires.is_empty() && !found.quiet.is_empty(), "{sentence}: {found:?}");
    }
}

#[test]
fn a_near_miss_is_of_the_same_tool_where_there_is_one() {
    let found = found("Don't touch journal.md.", &servers(&["filesystem"]));
    for (fires, quiet) in found.fires.iter().zip(&found.quiet) {
        assert_eq!(fires.call.tool, quiet.call.tool);
        assert_ne!(fires.call.arguments, quiet.call.arguments);
    }
}

#[test]
fn no_example_is_made_up_where_no_tool_can_break_the_rule() {
    let tools = servers(&["filesystem"]);
    let found = found("Never mail legal@acme.com.", &tools);
    assert_eq!(found, Examples::default());
}

#[test]
fn tools_are_filled_by_their_definitions() {
    let mut tools = Toolbox::new().unwrap();
    let definition = json!({
        "name": "set_visibility",
        "description": "Changes who can see a page",
        "inputSchema": {
            "type": "object",
            "properties": {
                "page_id": { "type": "string" },
                "visibility": { "type": "string", "enum": ["private", "team", "public"] },
            },
            "required": ["page_id"],
        },
    });
    tools.define("wiki", &definition).unwrap();
    let found = found("Never set the visibility to public.", &tools);
    let value = |example: &Example| example.call.arguments.get("visibility").cloned();
    assert!(!found.fires.is_empty());
    assert!(found.fires.iter().all(|example| value(example) == Some(json!("public"))), "{found:?}");
    assert!(found.quiet.iter().all(|example| value(example) != Some(json!("public"))), "{found:?}");
}
