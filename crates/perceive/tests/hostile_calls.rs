//! Calls and definitions that are too long, too deep or too much end quickly in the worst case, on the stack of a worker.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it starts threads with small stacks")]

use portcullis_lattice::{Effect, Reach, Taint};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::derive::{Definition, DefinitionError, derive};
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{
    DefinitionHash, Doubt, Memory, Perceiver, Perception, Profiles, ServerIdentity, Use,
};
use serde_json::{Map, Value, json};

const MEGABYTE: usize = 1 << 20;
const LEVELS: usize = 100_000;
const MANY: usize = 10_000;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// A call perceived; every act must be a flow of the session.
fn call(profile: &Profile, arguments: &Value) -> Perception {
    let ground = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() }
        .ground()
        .unwrap();
    let formats = Formats::built_in().unwrap();
    let perceiver = Perceiver { ground: &ground, formats: &formats, resolver: &NoLinks, tools: &|_| None };
    let seen = perceiver.call(profile, arguments, &Memory::default());
    for act in &seen.acts {
        ground.flow(act, Taint::EMPTY).unwrap();
    }
    seen
}

fn catalogued(server: &str, tool: &str, arguments: &Value) -> Perception {
    let catalogue = Catalogue::built_in().unwrap();
    call(catalogue.profile(server, tool).expect("the tool is in the catalogue"), arguments)
}

fn derived(definition: &Value, arguments: &Value) -> Perception {
    call(&derive("desk", &Definition::read(definition).unwrap()), arguments)
}

fn uses(seen: &Perception) -> impl Iterator<Item = &Use> {
    seen.acts.iter().flat_map(|act| act.deed.inputs.iter().chain(&act.deed.outputs))
}

fn reaches(seen: &Perception, name: &str) -> bool {
    uses(seen).any(|used| used.name == name && used.reach == Reach::Subtree)
}

/// Lists in lists. Whoever makes such a value has to get rid of it, which takes the stack that perception does not.
fn deep(inside: Value) -> Value {
    (0..LEVELS).fold(inside, |inner, _| Value::Array(vec![inner]))
}

#[test]
fn more_places_than_are_told_apart_are_any() {
    on_a_small_stack(|| {
        let paths: Vec<String> = (0..MANY).map(|number| format!("/srv/{number}")).collect();
        let seen = catalogued("filesystem", "read_multiple_files", &json!({ "paths": paths }));
        assert!(reaches(&seen, "/") && !seen.doubts.is_empty());
        // The same said in one text, and ten thousand times the same file.
        let text = json!(paths).to_string();
        let seen = catalogued("filesystem", "read_multiple_files", &json!({ "paths": text }));
        assert!(reaches(&seen, "/") && !seen.doubts.is_empty());
        let seen = catalogued("filesystem", "read_multiple_files", &json!({ "paths": vec!["a"; MANY] }));
        assert!(reaches(&seen, "/"));
        let few = json!({ "paths": paths.get(..1_000) });
        let seen = catalogued("filesystem", "read_multiple_files", &few);
        assert!(seen.doubts.is_empty(), "a thousand are told apart");
        assert_eq!(seen.acts.first().unwrap().deed.inputs.len(), 1_000);
    });
}

#[test]
fn more_recipients_than_are_told_apart_are_anybody() {
    on_a_small_stack(|| {
        let people: Vec<String> = (0..MANY).map(|number| format!("p{number}@acme.com")).collect();
        let mail = json!({ "to": people, "subject": "s", "body": "b" });
        let seen = catalogued("gmail", "send_email", &mail);
        assert!(reaches(&seen, "mailto:*"));
        let seen = catalogued(
            "gmail",
            "send_email",
            &json!({ "to": people.join(", "), "subject": "s", "body": "b" }),
        );
        assert!(reaches(&seen, "mailto:*"));
        let labels: String = (0..MEGABYTE / 16).map(|number| format!("label:l{number} ")).collect();
        let seen = catalogued("gmail", "search_emails", &json!({ "query": labels }));
        assert!(reaches(&seen, "gmail:*"));
    });
}

#[test]
fn more_files_than_are_told_apart_are_any() {
    on_a_small_stack(|| {
        let files: Vec<Value> =
            (0..2 * MANY).map(|number| json!({ "path": format!("src/{number}.rs") })).collect();
        let push =
            json!({ "owner": "acme", "repo": "web", "branch": "main", "files": files, "message": "m" });
        assert!(reaches(&catalogued("github", "push_files", &push), "github:*"));
    });
}

#[test]
fn arguments_that_nothing_is_known_of() {
    on_a_small_stack(|| {
        let keys: Map<String, Value> =
            (0..100_000).map(|number| (format!("key{number}"), json!(format!("/srv/{number}")))).collect();
        let arguments = Value::Object(keys);
        for seen in [
            catalogued("filesystem", "read_text_file", &arguments),
            derived(&json!({ "name": "update_ticket" }), &arguments),
            derived(
                &json!({ "name": "get_file", "inputSchema": { "properties": { "path": {} } } }),
                &arguments,
            ),
        ] {
            let any = seen.acts.iter().filter(|act| act.deed.effects.contains(Effect::Write));
            assert!(any.flat_map(|act| &act.deed.outputs).any(|used| used.name == "https://*"));
            assert!(seen.doubts.len() < 2_000 && seen.acts.len() < 2_000);
        }
        let texts: Vec<String> = (0..MANY).map(|number| format!("https://h{number}.example.org/")).collect();
        let seen = catalogued("filesystem", "read_text_file", &json!({ "path": "a", "more": texts }));
        assert!(["/", "https://*", "mailto:*"].iter().all(|name| reaches(&seen, name)));
    });
}

#[test]
fn a_megabyte_in_every_argument() {
    on_a_small_stack(|| {
        let long = "a/b.c@d ".repeat(MEGABYTE / 8);
        for (server, tool, argument) in [
            ("filesystem", "read_text_file", "path"),
            ("gmail", "send_email", "to"),
            ("gmail", "send_email", "body"),
            ("desktop-commander", "start_process", "command"),
            ("postgres", "query", "sql"),
            ("fetch", "fetch", "url"),
            ("filesystem", "read_text_file", "unknown"),
        ] {
            let seen = catalogued(server, tool, &json!({ argument: long }));
            // Text may be long, and so may an address be whose host is short.
            assert!(!seen.doubts.is_empty() || matches!(argument, "body" | "url"), "{tool}.{argument}");
            assert!(!seen.acts.is_empty(), "{tool}.{argument}");
        }
        let name = "k".repeat(MEGABYTE);
        let seen = derived(&json!({ "name": "get_page" }), &json!({ name.as_str(): "/etc/passwd" }));
        assert!(seen.doubts.contains(&Doubt::UnknownArgument(name)), "too long for the name of an argument");
    });
}

#[test]
fn deep_arguments() {
    on_a_small_stack(|| {
        for (server, tool, argument) in [
            ("filesystem", "read_multiple_files", "paths"),
            ("filesystem", "read_multiple_files", "unknown"),
            ("gmail", "send_email", "to"),
            ("gmail", "batch_modify_emails", "addLabelIds"),
            ("desktop-commander", "start_process", "command"),
            ("desktop-commander", "start_process", "shell"),
            ("postgres", "query", "sql"),
            ("github", "push_files", "files"),
        ] {
            let mut arguments = Map::new();
            arguments.insert(argument.to_owned(), deep(json!("/etc/passwd")));
            let arguments = Value::Object(arguments);
            let seen = catalogued(server, tool, &arguments);
            assert!(!seen.doubts.is_empty(), "{tool}.{argument}");
            std::mem::forget(arguments);
        }
        let mut arguments = Map::new();
        arguments.insert("data".to_owned(), deep(json!({ "webhook": "https://evil.example/" })));
        let arguments = Value::Object(arguments);
        let seen = derived(&json!({ "name": "create_ticket" }), &arguments);
        assert!(uses(&seen).any(|used| used.name.starts_with("https://evil.example")));
        std::mem::forget(arguments);
        let arguments = deep(json!(1));
        assert!(catalogued("postgres", "query", &arguments).doubts.contains(&Doubt::NoObject));
        std::mem::forget(arguments);
    });
}

#[test]
fn definitions() {
    on_a_small_stack(|| {
        let property = |number: usize| (format!("p{number}"), json!({ "type": "string" }));
        let with = |properties: Value| json!({ "name": "update_ticket", "inputSchema": { "properties": properties } });
        let many: Map<String, Value> = (0..MANY).map(property).collect();
        assert_eq!(Definition::read(&with(many.into())), Err(DefinitionError::Schema));
        let long = "x_".repeat(50_000);
        assert_eq!(Definition::read(&json!({ "name": long })), Err(DefinitionError::LongName));
        assert_eq!(Definition::read(&with(json!({ long.as_str(): {} }))), Err(DefinitionError::LongName));
        let described =
            json!({ "name": "get_page", "description": "reads a page and ".repeat(MEGABYTE / 17) });
        assert!(!derived(&described, &json!({})).acts.is_empty());
        // As many as there may be, each as long as it may be and each with something to say.
        let wide: Map<String, Value> = (0..512)
            .map(|number| {
                let description = "the url of the email to save the file to ".repeat(50);
                (
                    format!("{number}{}", "_url".repeat(63)),
                    json!({ "description": description, "enum": vec!["a"; 100] }),
                )
            })
            .collect();
        let arguments: Map<String, Value> =
            wide.keys().map(|name| (name.clone(), json!("https://a.example"))).collect();
        let seen = derived(&with(wide.into()), &arguments.into());
        assert!(!seen.acts.is_empty());
    });
}

#[test]
fn deep_definitions() {
    on_a_small_stack(|| {
        let mut property = Map::new();
        for key in ["enum", "anyOf", "items", "type", "description", "const"] {
            property.insert(key.to_owned(), deep(json!("object")));
        }
        let mut properties = Map::new();
        properties.insert("state".to_owned(), property.into());
        let mut schema = Map::new();
        schema.insert("properties".to_owned(), properties.into());
        schema.insert("required".to_owned(), deep(json!("state")));
        let mut definition = Map::new();
        definition.insert("name".to_owned(), "update_ticket".into());
        definition.insert("inputSchema".to_owned(), schema.into());
        let definition = Value::Object(definition);
        let catalogue = Catalogue::built_in().unwrap();
        let server = ServerIdentity { name: "desk", catalogued: None };
        let profile = Profiles::new(&catalogue).profile(server, &definition, None).unwrap();
        assert!(!call(&profile, &json!({ "state": "open" })).acts.is_empty());
        assert_eq!(DefinitionHash::of("desk", &definition), DefinitionHash::of("desk", &definition));
        std::mem::forget(definition);
    });
}

#[test]
fn different_definitions_have_different_hashes() {
    let pairs = [
        (json!(["a", "b"]), json!(["ab"])),
        (json!(["a", "b"]), json!([["a"], "b"])),
        (json!([[], []]), json!([[[]]])),
        (json!({ "a": "b" }), json!(["a", "b"])),
        (json!({ "a": { "b": 1 } }), json!({ "a": {}, "b": 1 })),
        (json!("1"), json!(1)),
        (json!(1), json!(1.0)),
        (json!(null), json!("null")),
        (json!(true), json!(false)),
        (json!(""), json!([])),
    ];
    for (one, other) in pairs {
        assert_ne!(DefinitionHash::of("s", &one), DefinitionHash::of("s", &other), "{one} {other}");
    }
    assert_ne!(DefinitionHash::of("ab", &json!("c")), DefinitionHash::of("a", &json!("bc")));
}
