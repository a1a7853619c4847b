//! Runs `tests/cases/*.toml`. All failing cases of a file are told at once, each by its text.

use std::collections::BTreeMap;
use std::fmt::Debug;

use portcullis_lattice::{Reach, Topology};
use portcullis_perceive::network::{self, Locator, Remote};
use portcullis_perceive::paths::{self, Base, Case as Letters, Family, Found};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Case {
    text: Option<String>,
    texts: Option<Vec<String>>,
    #[serde(default)]
    on: String,
    #[serde(default, rename = "as")]
    kind: String,
    #[serde(default)]
    links: BTreeMap<String, String>,
    name: Option<String>,
    names: Option<Vec<String>>,
    is: Option<String>,
    error: Option<String>,
    #[serde(default)]
    notes: Vec<String>,
    why: String,
}

/// What came out, in the words of a case.
#[derive(PartialEq, Debug)]
enum Outcome {
    Names(Vec<String>, Vec<String>),
    Is(String),
    Error(String),
}

impl Case {
    fn expected(&self) -> Outcome {
        match (&self.name, &self.names, &self.is, &self.error) {
            (Some(name), None, None, None) => Outcome::Names(vec![name.clone()], self.notes.clone()),
            (None, Some(names), None, None) => Outcome::Names(names.clone(), self.notes.clone()),
            (None, None, Some(is), None) => Outcome::Is(is.clone()),
            (None, None, None, Some(error)) => Outcome::Error(error.clone()),
            _ => panic!("a case has one expectation: {self:?}"),
        }
    }

    fn texts(&self) -> Vec<&str> {
        match (&self.text, &self.texts) {
            (Some(text), None) => vec![text],
            (None, Some(texts)) => texts.iter().map(String::as_str).collect(),
            _ => panic!("a case has one text or a list: {self:?}"),
        }
    }
}

#[test]
fn paths_get_their_names() {
    run(include_str!("../cases/paths.toml"), 60, |case| {
        let base = base(&case.on);
        let disk = |place: &str| match case.links.get(place).map(String::as_str) {
            None => Found::Plain,
            Some("?") => Found::Unseen,
            Some(target) => Found::Link(target.into()),
        };
        match paths::name(case.texts()[0], &base, &disk) {
            Ok(named) => Outcome::Names(vec![named.name], kinds(&named.notes)),
            Err(error) => Outcome::Error(format!("{error:?}")),
        }
    });
}

#[test]
fn urls_and_remotes_get_their_names() {
    run(include_str!("../cases/urls.toml"), 80, |case| {
        let text = case.texts()[0];
        match case.kind.as_str() {
            "remote" => match network::remote(text) {
                Ok(Remote::Place(named)) => Outcome::Names(vec![named.name], kinds(&named.notes)),
                Ok(Remote::File) => Outcome::Is("file".into()),
                Err(error) => Outcome::Error(format!("{error:?}")),
            },
            "" => match network::locate(text) {
                Ok(Locator::Place(named)) => Outcome::Names(vec![named.name], kinds(&named.notes)),
                Ok(Locator::Mail(found)) => Outcome::Names(found.names, kinds(&found.notes)),
                Ok(Locator::Context) => Outcome::Is("context".into()),
                Ok(Locator::File) => Outcome::Is("file".into()),
                Ok(Locator::Opaque { scheme }) => Outcome::Is(format!("opaque {scheme}")),
                Err(error) => Outcome::Error(format!("{error:?}")),
            },
            kind => panic!("unknown kind `{kind}`"),
        }
    });
}

#[test]
fn recipients_are_found_all_or_none() {
    run(include_str!("../cases/mail.toml"), 50, |case| match network::recipients(case.texts()) {
        Ok(found) => Outcome::Names(found.names, kinds(&found.notes)),
        Err(error) => Outcome::Error(format!("{error:?}")),
    });
}

fn run(file: &str, at_least: usize, read: impl Fn(&Case) -> Outcome) {
    let cases = toml::from_str::<File>(file).unwrap().case;
    assert!(cases.len() >= at_least, "only {} cases", cases.len());
    let mut failures = String::new();
    for case in &cases {
        assert!(!case.why.is_empty(), "a case without a reason: {case:?}");
        let (expected, found) = (case.expected(), read(case));
        if expected != found {
            failures += &format!(
                "{:?} ({})\n  expected {expected:?}\n  found    {found:?}\n",
                case.texts(),
                case.why
            );
        }
        if let Outcome::Names(names, _) = &found {
            for name in names {
                let placed = Topology::new().resource(name, Reach::One);
                assert!(placed.is_ok(), "the lattice refuses {name:?}: {placed:?}");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// The platforms of the cases.
pub(crate) fn base(platform: &str) -> Base<'static> {
    let unix = Base { folder: "/home/u/p", home: Some("/home/u"), family: Family::Unix, case: Letters::Kept };
    match platform {
        "" | "unix" => unix,
        "mac" => Base { case: Letters::Folded, ..unix },
        "windows" => Base {
            folder: r"C:\Users\u\p",
            home: Some(r"C:\Users\u"),
            family: Family::Windows,
            case: Letters::Folded,
        },
        _ => panic!("unknown platform `{platform}`"),
    }
}

/// The kinds of notes, without what they hold.
fn kinds(notes: &[impl Debug]) -> Vec<String> {
    let kind = |note| format!("{note:?}").split([' ', '(', '{']).next().unwrap_or_default().to_owned();
    notes.iter().map(kind).collect()
}
