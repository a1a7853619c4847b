//! Keys and sets of keys, as data.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use portcullis_seal::{Algorithm, KeySet, KeySetError, PrivateKey, PublicKey};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    keys: Vec<Case>,
    sets: Vec<Set>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    text: String,
    #[serde(rename = "as")]
    half: String,
    because: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    text: String,
    #[serde(default)]
    kids: Vec<String>,
    #[serde(default)]
    skipped: usize,
    because: Option<String>,
}

fn cases() -> Cases {
    toml::from_str(include_str!("cases/keys.toml")).unwrap()
}

#[test]
fn keys_are_read_or_refused_as_the_case_states() {
    for case in cases().keys {
        let error = match case.half.as_str() {
            "public" => PublicKey::read(&case.text).err(),
            "private" => PrivateKey::read(&case.text).err(),
            other => panic!("a key is public or private, not {other}"),
        };
        assert_eq!(error.map(|error| error.to_string()), case.because, "of {}", case.text);
    }
}

#[test]
fn key_sets_are_read_or_refused_as_the_case_states() {
    for case in cases().sets {
        match KeySet::read(&case.text) {
            Ok(set) => {
                assert_eq!(case.because, None, "of {}", case.text);
                assert_eq!(set.keys().map(|(kid, _)| kid.to_owned()).collect::<Vec<_>>(), case.kids);
                assert_eq!(set.skipped().len(), case.skipped);
            }
            Err(error) => assert_eq!(Some(error.to_string()), case.because, "of {}", case.text),
        }
    }
}

#[test]
fn what_is_too_long_is_refused_before_it_is_read() {
    let long = " ".repeat(10 << 20);
    assert_eq!(
        PublicKey::read(&long).unwrap_err().to_string(),
        "this is longer than 16384 bytes, which no key is"
    );
    assert_eq!(KeySet::read(&long), Err(KeySetError::TooLong { limit: 256 << 10 }));
    let key = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    let many = format!(r#"{{"keys":[{}]}}"#, vec![key; 129].join(","));
    assert_eq!(KeySet::read(&many).unwrap_err().to_string(), "in the key set, `keys` is longer than 128");
}

#[test]
fn a_key_is_read_back_as_it_is_written() {
    for algorithm in [Algorithm::Ed25519, Algorithm::Es256] {
        for seed in 1..20 {
            let key = PrivateKey::from_random(algorithm, &[seed; 32]).unwrap();
            let again = PrivateKey::read(key.write().unwrap().reveal()).unwrap();
            assert_eq!(again.public(), key.public());
            assert_eq!(&PublicKey::read(&key.public().write()).unwrap(), key.public());
            assert_eq!(key.public().algorithm(), algorithm);
        }
    }
}

#[test]
fn no_key_is_made_of_bytes_that_are_none() {
    // More than the order of P-256, and zero.
    for bytes in [[0xff; 32], [0; 32]] {
        assert!(PrivateKey::from_random(Algorithm::Es256, &bytes).is_err());
    }
    assert!(PrivateKey::from_random(Algorithm::Rs256, &[1; 32]).is_err());
}
