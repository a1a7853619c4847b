//! Random definitions, keys and claims.

use jiff::Timestamp;
use portcullis_seal::{Algorithm, Claims, Digest, PrivateKey, Profile, TrustRoots, TrustedKey};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// How many cases a law is tried on, unless the environment says.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

pub(crate) fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

pub(crate) fn text() -> impl Strategy<Value = String> {
    let letter = prop_oneof![
        6 => prop::char::range('a', 'e'),
        1 => prop::sample::select(vec!['"', '\\', '/', '\n', '\0', ' ', ':', 'é', '😀', '\u{ffff}', '\u{200b}']),
    ];
    vec(letter, 0..10).prop_map(String::from_iter)
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (-1000..1000i64).prop_map(Value::from),
        (-1000..1000i64).prop_map(|digits| Value::from(digits as f64 / 8.0)),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            btree_map(text(), inner, 0..4).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Tools, some with `_meta` and some without.
pub(crate) fn tool() -> impl Strategy<Value = Map<String, Value>> {
    let meta = prop::option::of(btree_map("[ab]\\.c/[de]", value(), 0..3));
    (text(), btree_map(text(), value(), 0..5), meta).prop_map(|(name, members, meta)| {
        let mut tool: Map<String, Value> = members.into_iter().collect();
        tool.insert("name".to_owned(), Value::String(name));
        if let Some(meta) = meta {
            tool.insert("_meta".to_owned(), Value::Object(meta.into_iter().collect()));
        }
        tool
    })
}

pub(crate) fn key() -> impl Strategy<Value = (Algorithm, u8)> {
    (prop::sample::select(vec![Algorithm::Ed25519, Algorithm::Es256]), 1..200u8)
}

pub(crate) fn private((algorithm, seed): (Algorithm, u8)) -> PrivateKey {
    PrivateKey::from_random(algorithm, &[seed; 32]).unwrap()
}

pub(crate) fn claims() -> impl Strategy<Value = Claims> {
    let profile = (vec(prop::sample::select(vec!["read", "write", "del"]), 1..3), vec("[a-z.:]{1,9}", 0..3));
    let profile = profile.prop_map(|(effects, scopes)| Profile {
        effects: effects.iter().filter_map(|name| portcullis_lattice::Effect::from_name(name)).collect(),
        inputs: vec!["ctxt".parse().unwrap()],
        outputs: vec!["https://api.acme.example/**".parse().unwrap(), "@workspace".parse().unwrap()],
        entitlements: scopes.clone(),
        scopes,
    });
    let version = (0..4u64, 0..4u64).prop_map(|(major, minor)| semver::Version::new(major, minor, 0));
    let expiry = prop::option::of(1..1_000_000i64);
    let contract = prop::option::of(any::<[u8; 32]>());
    (version, expiry, prop::option::of(profile), contract).prop_map(|(version, expiry, profile, contract)| {
        Claims {
            expires: expiry.map(|seconds| now() + jiff::SignedDuration::from_secs(seconds)),
            profile,
            contract: contract.map(Digest::new),
            ..Claims::new("acme.example", "acme.example/tool", version, now())
        }
    })
}

pub(crate) fn trusting(key: &PrivateKey) -> TrustRoots {
    let mut roots = TrustRoots::default();
    roots.trust(TrustedKey::for_everything(key.public().clone(), "Acme"));
    roots
}

/// The same value with members the other way round and letters escaped.
pub(crate) fn respelled(value: &Value, escape: bool) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| respelled(item, escape)).collect();
            format!("[ {} ]", items.join(" ,\n"))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                format!("{} : {}", quoted(key, escape), respelled(value, escape))
            };
            format!("{{\t{} }}", members.iter().rev().map(member).collect::<Vec<String>>().join(" , "))
        }
        Value::String(text) => quoted(text, escape),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

fn quoted(text: &str, escape: bool) -> String {
    match escape {
        true => {
            format!("\"{}\"", text.encode_utf16().map(|unit| format!("\\u{unit:04X}")).collect::<String>())
        }
        false => Value::from(text).to_string(),
    }
}
