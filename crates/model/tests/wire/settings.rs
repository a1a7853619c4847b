//! What may be said about a provider.

use portcullis_invariant::propose::{Ask, Prompt};
use portcullis_model::{Client, Key, KeyError, KeyringError, Secrets, Settings};
use serde::Deserialize;

use crate::server::{Api, Reply, Server};
use crate::{ALL, KEY};

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
    /// The host that the keyring has a key for.
    kept: Option<String>,
    host: Option<String>,
    error: Option<String>,
}

/// A variable, and a keyring with one entry.
struct Keys {
    variable: Option<(String, String)>,
    kept: Option<String>,
}

impl Secrets for Keys {
    fn variable(&self, name: &str) -> Option<String> {
        self.variable.as_ref().filter(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    fn kept(&self, host: &str) -> Result<Key, KeyringError> {
        match self.kept.as_deref() {
            None => Err(KeyringError::Unreachable),
            Some("locked") => Err(KeyringError::Locked),
            Some(own) if own == host => Ok(Key::new(KEY).unwrap()),
            Some(_) => Err(KeyringError::Missing { host: host.to_owned() }),
        }
    }
}

#[test]
fn a_provider_is_as_it_is_said_or_refused() {
    let file: File = toml::from_str(include_str!("settings.toml")).unwrap();
    for Case { about, model, variable, kept, host, error } in file.case {
        match (model.provider(&Keys { variable, kept }), host, error) {
            (Ok(provider), Some(host), None) => assert_eq!(provider.host(), host, "{about}"),
            (Err(found), None, Some(error)) => {
                // How a key is put into a keyring differs from system to system.
                let told = found.to_string();
                let told =
                    told.split(" (`secret-tool").next().and_then(|told| told.split(" (`security").next());
                assert_eq!(told, Some(error.as_str()), "{about}");
            }
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

#[test]
fn a_key_of_the_keyring_is_sent_to_its_host() {
    for api in ALL {
        let server = Server::start(api, vec![Reply::Text("{}".into())]);
        let keys = Keys { variable: None, kept: Some("127.0.0.1".into()) };
        let provider = crate::settings(api, server.url(api)).provider(&keys).unwrap();
        assert!(!format!("{provider:?}").contains(KEY));
        let mut client = Client::new(provider).unwrap();
        client.ask(&Prompt { system: "s".into(), user: "u".into() }).unwrap();
        let headers = server.seen().remove(0).headers;
        let sent = if api == Api::Anthropic { "x-api-key" } else { "authorization" };
        assert!(headers[sent].ends_with(KEY), "{api:?}");
    }
}
