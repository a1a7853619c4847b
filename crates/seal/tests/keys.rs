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
fn a_set_that_its_owner_has_emptied_is_empty() {
    for text in [r#"{"keys":[]}"#, r#"{"keys":[{"kty":"OKP","crv":"X25519","kid":"a","x":"AAAA"}]}"#] {
        assert_eq!(KeySet::published(text).unwrap().keys().count(), 0, "of {text}");
        assert_eq!(KeySet::read(text), Err(KeySetError::Empty), "of {text}");
    }
    for text in ["{}", "<html>", r#"{"keys":{}}"#, ""] {
        assert_eq!(KeySet::published(text), KeySet::read(text), "of {text}");
        assert!(KeySet::published(text).is_err(), "of {text}");
    }
}

#[test]
fn of_a_set_those_keys_are_left_that_a_spoilt_one_still_has() {
    let key = |seed: u8, kid: &str| {
        let key = PrivateKey::from_random(Algorithm::Ed25519, &[seed; 32]).unwrap();
        let mut jwk: serde_json::Value = serde_json::from_str(&key.public().write()).unwrap();
        jwk["kid"] = kid.into();
        jwk.to_string()
    };
    let set = |keys: &[String]| format!(r#"{{"keys":[{}]}}"#, keys.join(","));
    let old = set(&[key(1, "a"), key(2, "b")]);
    let broken = r#"{"kty":"OKP","crv":"Ed25519","kid":"c","x":"AA"}"#.to_owned();
    let secret = r#"{"kty":"oct","kid":"c","k":"AAAA"}"#.to_owned();
    for (spoilt, left) in [
        (set(&[key(1, "a"), broken.clone()]), &["a"][..]),
        (set(&[key(1, "a"), secret, key(2, "b")]), &["a", "b"]),
        // A name twice: the keys themselves are still there.
        (set(&[key(1, "a"), key(2, "a")]), &["a", "b"]),
        // The name alone is nothing.
        (set(&[key(3, "a"), key(4, "a")]), &[]),
        (set(&[broken]), &[]),
    ] {
        assert!(KeySet::published(&spoilt).is_err(), "{spoilt}");
        let kept = KeySet::published(&KeySet::left_of(&old, &spoilt).unwrap()).unwrap();
        assert_eq!(kept.keys().map(|(kid, _)| kid).collect::<Vec<_>>(), left, "of {spoilt}");
    }
    for nothing in ["", "<html>", "{}", r#"{"keys":1}"#] {
        assert_eq!(KeySet::left_of(&old, nothing), None, "of {nothing}");
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
