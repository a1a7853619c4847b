//! What a trusted signer declares of a tool, joined with what else is known of it.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_lattice::{Effect, Effects, Scope};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::derive::{Definition, derive};
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::{Profile, Source, What};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Declaration, Memory, Perceiver};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    why: String,
    tool: String,
    effects: Vec<String>,
    #[serde(default)]
    inputs: Vec<String>,
    #[serde(default)]
    outputs: Vec<String>,
    arguments: String,
    does: Vec<String>,
}

fn declaration(effects: &[String], inputs: &[String], outputs: &[String]) -> Declaration {
    let scopes =
        |texts: &[String]| texts.iter().map(|text| text.parse::<Scope>().expect("a scope")).collect();
    Declaration {
        signer: "Acme".into(),
        effects: effects.iter().map(|name| Effect::from_name(name).expect("an effect")).collect(),
        inputs: scopes(inputs),
        outputs: scopes(outputs),
    }
}

fn acts(profile: &Profile, arguments: &Value) -> Vec<String> {
    let mut accounts = Layout::default().accounts;
    accounts.push("desk".into());
    let layout = Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        accounts,
        ..Layout::default()
    };
    let ground = layout.ground().expect("a layout");
    let formats = Formats::built_in().expect("formats");
    let perceiver =
        Perceiver { ground: &ground, formats: &formats, resolver: &NoLinks, tools: &|_: &str| None };
    let seen = perceiver.call(profile, arguments, &Memory::default());
    seen.acts.iter().map(ToString::to_string).collect()
}

#[test]
fn declared_tools_do_what_their_cases_say() {
    let cases: Cases = toml::from_str(include_str!("cases/declared.toml")).expect("cases");
    let mut wrong = Vec::new();
    for case in &cases.case {
        let definition = Definition::read(&serde_json::from_str(&case.tool).expect("JSON")).expect("a tool");
        let declared = declaration(&case.effects, &case.inputs, &case.outputs);
        let profile = declared.joined("desk", &derive("desk", &definition));
        assert_eq!(profile.source, Source::Declared, "{}", case.why);
        assert_eq!(profile.signer.as_deref(), Some("Acme"), "{}", case.why);
        let found = acts(&profile, &serde_json::from_str(&case.arguments).expect("arguments"));
        if found != case.does {
            wrong.push(format!("{}\n  found    {found:?}\n  expected {:?}", case.why, case.does));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_catalogue_is_never_narrowed() {
    let catalogue = Catalogue::built_in().expect("the catalogue");
    let known = catalogue.profile("filesystem", "move_file").expect("a profile");
    let declared = declaration(&["read".to_owned()], &[], &[]);
    let joined = declared.joined("filesystem", known);
    assert_eq!(joined.source, Source::Catalogue);
    assert!(joined.deeds.starts_with(&known.deeds), "everything of the catalogue is still there");
    let arguments = json!({"source": "/home/u/p/a", "destination": "/home/u/p/b"});
    let found = acts(&joined, &arguments);
    assert_eq!(found.first(), acts(known, &arguments).first());
    assert!(found.iter().any(|act| act.starts_with("read from all of filesystem:*")), "{found:?}");
}

fn effects_of(profile: &Profile) -> Effects {
    let of = |what: &What| match what {
        What::Flow(flow) => flow.effects,
        What::Shell { .. } | What::Sql { .. } => Effects::ALL,
    };
    profile.deeds.iter().fold(Effects::EMPTY, |all, deed| all.join(of(&deed.what)))
}

fn tool() -> impl Strategy<Value = Definition> {
    let words = proptest::sample::select(
        &["get", "delete", "run", "send", "zorblax", "table", "page", "export", "share", "list"][..],
    );
    let arguments = proptest::sample::select(
        &["id", "path", "url", "email", "command", "sql", "webhook_url", "archived", "code", "text"][..],
    );
    let kinds = proptest::sample::select(&["string", "boolean", "object", "array"][..]);
    let properties = proptest::collection::btree_map(arguments, kinds, 0..4);
    (proptest::collection::vec(words, 1..3), properties).prop_map(|(words, properties)| {
        let properties: serde_json::Map<String, Value> =
            properties.into_iter().map(|(name, kind)| (name.to_owned(), json!({"type": kind}))).collect();
        let value = json!({"name": words.join("_"), "inputSchema": {"properties": properties}});
        Definition::read(&value).expect("a definition")
    })
}

fn effects() -> impl Strategy<Value = Effects> {
    let all: Vec<Effect> = Effects::ALL.iter().collect();
    proptest::sample::subsequence(all.clone(), 1..=all.len()).prop_map(|list| list.into_iter().collect())
}

proptest! {
    #[test]
    fn whatever_is_declared_is_perceived(tool in tool(), effects in effects()) {
        let declared = Declaration { signer: "Acme".into(), effects, inputs: Vec::new(), outputs: Vec::new() };
        let known = derive("desk", &tool);
        let joined = declared.joined("desk", &known);
        prop_assert!(effects.is_subset(effects_of(&joined)));
        // And nothing comes from elsewhere than the declaration and the definition.
        prop_assert!(effects_of(&joined).is_subset(effects.join(effects_of(&known))));
    }

    #[test]
    fn what_is_declared_as_everything_narrows_nothing(tool in tool()) {
        let declared =
            Declaration { signer: "Acme".into(), effects: Effects::ALL, inputs: Vec::new(), outputs: Vec::new() };
        let known = derive("desk", &tool);
        let joined = declared.joined("desk", &known);
        prop_assert!(joined.deeds.starts_with(&known.deeds));
    }

    #[test]
    fn a_deed_that_an_argument_asks_for_is_never_narrowed(tool in tool(), effects in effects()) {
        let declared = Declaration { signer: "Acme".into(), effects, inputs: Vec::new(), outputs: Vec::new() };
        let known = derive("desk", &tool);
        let joined = declared.joined("desk", &known);
        use portcullis_perceive::profile::Test;
        let asked = known.deeds.iter().filter(|deed| deed.when.iter().any(|one| one.test != Test::Absent));
        for deed in asked {
            prop_assert!(joined.deeds.contains(deed));
        }
    }
}
