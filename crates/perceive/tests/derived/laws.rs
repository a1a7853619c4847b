//! What holds of every derived profile.

use portcullis_lattice::{Effect, Effects};
use portcullis_perceive::derive::{Definition, derive, scheme};
use portcullis_perceive::profile::{Profile, What};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Everything that a call may do, whatever its arguments: what needs a command line or SQL to be told counts as all.
fn effects(profile: &Profile) -> Effects {
    let of = |what: &What| match what {
        What::Flow(flow) => flow.effects,
        What::Shell { .. } | What::Sql { .. } => Effects::ALL,
    };
    profile.deeds.iter().fold(Effects::EMPTY, |all, deed| all.join(of(&deed.what)))
}

fn definition(name: &str, description: &str, annotations: Value, properties: Value) -> Definition {
    let value = json!({
        "name": name, "description": description, "annotations": annotations,
        "inputSchema": {"type": "object", "properties": properties},
    });
    Definition::read(&value).expect("a definition")
}

fn word() -> impl Strategy<Value = String> {
    const KNOWN: [&str; 22] = [
        "get", "list", "search", "delete", "create", "update", "run", "send", "move", "page", "ticket",
        "file", "merge", "request", "status", "agent", "start", "table", "query", "zorblax", "share",
        "export",
    ];
    prop_oneof![proptest::sample::select(&KNOWN[..]).prop_map(str::to_owned), "[a-zA-Z]{1,8}"]
}

fn name() -> impl Strategy<Value = String> {
    (proptest::collection::vec(word(), 1..4), proptest::sample::select(&["_", "-", "."][..]))
        .prop_map(|(words, between)| words.join(between))
}

fn argument() -> impl Strategy<Value = (String, Value)> {
    let schema = proptest::sample::select(&["string", "integer", "boolean", "array", "object"][..]);
    const NAMES: [&str; 16] = [
        "id",
        "path",
        "url",
        "email",
        "command",
        "sql",
        "query",
        "project_id",
        "visibility",
        "archived",
        "action",
        "text",
        "webhook_url",
        "output_path",
        "name",
        "attachments",
    ];
    (proptest::sample::select(&NAMES[..]), schema)
        .prop_map(|(name, kind)| (name.to_owned(), json!({"type": kind})))
}

fn arguments() -> impl Strategy<Value = Value> {
    proptest::collection::vec(argument(), 0..5).prop_map(|list| Value::Object(list.into_iter().collect()))
}

fn hints() -> impl Strategy<Value = Value> {
    let hint = proptest::option::of(any::<bool>());
    (hint.clone(), hint).prop_map(
        |(read_only, destructive)| json!({"readOnlyHint": read_only, "destructiveHint": destructive}),
    )
}

proptest! {
    #[test]
    fn annotations_never_lower_the_risk(
        name in name(), description in "[A-Za-z .]{0,40}", hints in hints(), properties in arguments(),
    ) {
        let plain = derive("desk", &definition(&name, &description, json!({}), properties.clone()));
        let hinted = derive("desk", &definition(&name, &description, hints, properties));
        prop_assert!(effects(&plain).is_subset(effects(&hinted)));
    }

    #[test]
    fn every_tool_does_something(name in name(), description in ".{0,60}", properties in arguments()) {
        let profile = derive("desk", &definition(&name, &description, json!({}), properties));
        prop_assert!(profile.calls.is_some() || !effects(&profile).is_empty());
    }

    #[test]
    fn a_word_that_destroys_is_never_overlooked(before in name(), after in word()) {
        let profile = derive("desk", &definition(&format!("{before}_delete_{after}"), "", json!({}), json!({})));
        prop_assert!(profile.calls.is_some() || effects(&profile).contains(Effect::Del));
    }

    #[test]
    fn the_same_definition_has_the_same_profile(name in name(), description in ".{0,60}", properties in arguments()) {
        let definition = definition(&name, &description, json!({}), properties);
        prop_assert_eq!(derive("desk", &definition), derive("desk", &definition));
    }

    #[test]
    fn no_server_takes_a_name_that_means_something_everywhere(server in ".{0,20}") {
        let scheme = scheme(&server);
        prop_assert!(!["mailto", "https", "http", "file", "ssh", "pkg", "ctxt", "tel", "slack", "github", "db"].contains(&scheme.as_str()));
        prop_assert!(scheme.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-')));
        prop_assert!(scheme.starts_with(|letter: char| letter.is_ascii_lowercase()));
    }
}
