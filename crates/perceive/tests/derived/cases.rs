//! Made-up definitions, one case each, with what a call does and what was assumed.

use portcullis_perceive::derive::{Definition, derive, vocabulary_error};
use portcullis_perceive::json;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver};
use serde::Deserialize;

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
    arguments: String,
    does: Vec<String>,
    #[serde(default)]
    doubts: Vec<String>,
    #[serde(default)]
    assumes: Vec<String>,
}

#[test]
fn the_words_can_be_read() {
    assert_eq!(vocabulary_error(), None);
}

#[test]
fn made_up_tools_do_what_their_cases_say() {
    let cases: Cases = toml::from_str(include_str!("../cases/derived.toml")).expect("cases");
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
    let mut wrong = Vec::new();
    for case in &cases.case {
        let definition = json::strict(&case.tool).unwrap_or_else(|error| panic!("{}: {error}", case.why));
        let definition =
            Definition::read(&definition).unwrap_or_else(|error| panic!("{}: {error}", case.why));
        let profile = derive("desk", &definition);
        let arguments = json::strict(&case.arguments).unwrap_or_else(|error| panic!("{}: {error}", case.why));
        let seen = perceiver.call(&profile, &arguments, &Memory::default());
        let texts = |list: Vec<String>, words: &str| format!("{words}: {list:?}");
        let found = [
            texts(seen.acts.iter().map(ToString::to_string).collect(), "does"),
            texts(seen.doubts.iter().map(ToString::to_string).collect(), "doubts"),
            texts(profile.assumptions.iter().map(|one| one.words.clone()).collect(), "assumes"),
        ];
        let expected = [
            texts(case.does.clone(), "does"),
            texts(case.doubts.clone(), "doubts"),
            texts(case.assumes.clone(), "assumes"),
        ];
        if found != expected {
            wrong.push(format!("{}\n  found    {found:?}\n  expected {expected:?}", case.why));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.case.len(), wrong.join("\n"));
}
