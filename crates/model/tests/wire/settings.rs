//! What may be said about a provider.

use portcullis_model::{Key, KeyError, Settings};
use serde::Deserialize;

use crate::KEY;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    about: String,
    model: Settings,
    /// The variable that must be read, and what is in it.
    variable: Option<(String, String)>,
    host: Option<String>,
    error: Option<String>,
}

#[test]
fn a_provider_is_as_it_is_said_or_refused() {
    let file: File = toml::from_str(include_str!("settings.toml")).unwrap();
    for Case { about, model, variable, host, error } in file.case {
        let read =
            |name: &str| variable.as_ref().filter(|(own, _)| own == name).map(|(_, value)| value.clone());
        match (model.provider(read), host, error) {
            (Ok(provider), Some(host), None) => assert_eq!(provider.host(), host, "{about}"),
            (Err(found), None, Some(error)) => assert_eq!(found.to_string(), error, "{about}"),
            (found, ..) => panic!("{about}: {found:?}"),
        }
    }
}

#[test]
fn what_is_said_first_counts() {
    let first = Settings { name: Some("a".into()), timeout: Some(1), ..Settings::default() };
    let second =
        Settings { name: Some("b".into()), url: Some("https://x.example".into()), ..Settings::default() };
    let both = first.or(second);
    assert_eq!((both.name.as_deref(), both.timeout), (Some("a"), Some(1)));
    assert_eq!(both.url.as_deref(), Some("https://x.example"));
}

#[test]
fn a_key_cannot_be_printed() {
    let key = Key::new(&format!(" {KEY}\n")).unwrap();
    assert_eq!(format!("{key:?} {key:#?}"), "Key(…) Key(…)");
    assert_eq!(Key::new(" ").unwrap_err(), KeyError::Length);
    assert_eq!(Key::new(&"x".repeat(5_000)).unwrap_err(), KeyError::Length);
    for text in ["a b", "a\r\nx-evil: 1", "schlüssel", "a\u{0}b"] {
        assert_eq!(Key::new(text).unwrap_err(), KeyError::Letters, "{text:?}");
    }
}
