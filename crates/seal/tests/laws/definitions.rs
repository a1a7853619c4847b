//! Laws of signed definitions.

use portcullis_seal::definition::{
    LONGEST, MEMBER, Refused, SignError, Standing, hash, sign, verify_bytes, vouch,
};
use portcullis_seal::version::{Succession, succession};
use portcullis_seal::{JwsError, KeyId, TrustRoots};
use portcullis_wire::json::{Document, Limits, canonical};
use proptest::prelude::*;
use serde_json::Value;

use crate::random::{claims, config, key, now, private, respelled, tool, trusting};
use crate::signer::Signer;

/// What looks like a token, and vouches for nothing.
const TOKEN: &str = "eyJhbGciOiJFZERTQSIsImtpZCI6ImsifQ.e30.AAAA";

fn document(bytes: &[u8]) -> Document {
    Document::parse(bytes, &Limits::default()).unwrap()
}

/// Not the key that is at hand.
fn another(seed: u8) -> u8 {
    seed.wrapping_add(31).max(1)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn whether_a_signature_is_good_does_not_change_before_the_time_that_the_answer_names(
        issued in -400..400i64, lasts in prop::option::of(-400..400i64), later in 0..1200i64,
    ) {
        let seconds = |seconds: i64| now() + jiff::SignedDuration::from_secs(seconds);
        let key = private((portcullis_seal::Algorithm::Ed25519, 7));
        let version = semver::Version::new(1, 0, 0);
        let mut claims = portcullis_seal::Claims::new("acme.example", "acme.example/a", version, seconds(issued));
        claims.expires = lasts.map(seconds);
        let signed = sign(br#"{"name":"a"}"#, &claims, &key).unwrap();
        let judge = |time| verify_bytes(&signed, &trusting(&key), time);
        let first = judge(now());
        let until = match &first {
            Ok(standing) => standing.until(),
            Err(refused) => refused.until(),
        };
        prop_assert!(until.is_none_or(|until| until > now()));
        if until.is_none_or(|until| seconds(later) < until) {
            prop_assert_eq!(judge(seconds(later)).is_ok(), first.is_ok());
        }
        if let (Ok(_), Some(until)) = (&first, until) {
            prop_assert_eq!(judge(until).unwrap_err().word(), "expired");
        }
    }

    #[test]
    fn what_was_signed_verifies(tool in tool(), claims in claims(), key in key()) {
        let key = private(key);
        let bytes = serde_json::to_vec(&tool).unwrap();
        let signed = sign(&bytes, &claims, &key).unwrap();
        let Standing::Sealed(sealed) = verify_bytes(&signed, &trusting(&key), now()).unwrap() else {
            panic!("it is not sealed")
        };
        prop_assert_eq!(sealed.claims(), &claims);
        prop_assert_eq!(sealed.key(), key.public().id());
        prop_assert_eq!(sealed.definition(), &hash(document(&bytes).root()).unwrap());
    }

    /// Whoever takes the member out again has what the provider wrote, byte for byte.
    #[test]
    fn signing_changes_nothing_but_the_member(tool in tool(), claims in claims(), key in key()) {
        let bytes = serde_json::to_vec_pretty(&tool).unwrap();
        let signed = sign(&bytes, &claims, &private(key)).unwrap();
        let read = document(&signed);
        let meta = read.root().get("_meta").unwrap();
        // The key of what was put in stands right before it, and a comma perhaps.
        let (added, name) = match tool.contains_key("_meta") {
            true => (meta.get(MEMBER).unwrap(), MEMBER),
            false => (meta, "_meta"),
        };
        let start = added.span().start - name.len() - 3;
        let start = if signed[start - 1] == b',' { start - 1 } else { start };
        let without = [&signed[..start], &signed[added.span().end..]].concat();
        prop_assert_eq!(String::from_utf8(without).unwrap(), String::from_utf8(bytes).unwrap());
    }

    #[test]
    fn signing_again_replaces_the_signature(tool in tool(), one in claims(), other in claims(), key in key()) {
        let key = private(key);
        let bytes = serde_json::to_vec(&tool).unwrap();
        let signed = vouch(&sign(&bytes, &one, &key).unwrap(), TOKEN).unwrap();
        let again = sign(&signed, &other, &key).unwrap();
        let read = document(&again);
        let member = read.root().get("_meta").and_then(|meta| meta.get(MEMBER)).unwrap();
        prop_assert!(member.get("voucher").unwrap().is_str(TOKEN));
        prop_assert!(member.get("claims").unwrap().get("version").unwrap().is_str(&other.version.to_string()));
        prop_assert_eq!(hash(read.root()).unwrap(), hash(document(&bytes).root()).unwrap());
    }

    #[test]
    fn whitespace_and_key_order_do_not_matter(tool in tool(), claims in claims(), key in key(), escape in any::<bool>()) {
        let key = private(key);
        let signed = sign(&serde_json::to_vec(&tool).unwrap(), &claims, &key).unwrap();
        let value: Value = serde_json::from_slice(&signed).unwrap();
        let otherwise = respelled(&value, escape);
        prop_assert_eq!(
            verify_bytes(otherwise.as_bytes(), &trusting(&key), now()),
            verify_bytes(&signed, &trusting(&key), now())
        );
    }

    /// A change of one byte is refused, or leaves the meaning, or makes the signature somebody else's member.
    #[test]
    fn any_changed_byte_of_meaning_refuses(
        tool in tool(), claims in claims(), key in key(), changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..24),
    ) {
        let key = private(key);
        let signed = sign(&serde_json::to_vec(&tool).unwrap(), &claims, &key).unwrap();
        let form = canonical(document(&signed).root()).unwrap();
        for (at, byte) in changes {
            let mut changed = signed.clone();
            let at = at % changed.len();
            changed[at] = byte;
            match verify_bytes(&changed, &trusting(&key), now()) {
                Err(_) => {}
                Ok(Standing::Sealed(_)) => {
                    prop_assert_eq!(&canonical(document(&changed).root()).unwrap(), &form, "byte {}", at);
                }
                Ok(Standing::Unsigned { .. }) => {
                    let read = document(&changed);
                    prop_assert!(read.root().get("_meta").and_then(|meta| meta.get(MEMBER)).is_none());
                }
                Ok(Standing::Vouched(_)) => panic!("nobody vouched"),
            }
        }
    }

    #[test]
    fn a_revoked_key_verifies_nothing(tool in tool(), claims in claims(), key in key()) {
        let key = private(key);
        let signed = sign(&serde_json::to_vec(&tool).unwrap(), &claims, &key).unwrap();
        let id: &KeyId = key.public().id();
        let refused = Err(Refused::RevokedKey { key: id.clone() });
        let mut roots = trusting(&key);
        roots.revoke_key(id.clone());
        prop_assert_eq!(verify_bytes(&signed, &roots, now()), refused.clone());
        // In whatever order it was said.
        let mut roots = TrustRoots::default();
        roots.revoke_key(id.clone());
        for trusted in trusting(&key).keys() {
            roots.trust(trusted.clone());
        }
        prop_assert_eq!(verify_bytes(&signed, &roots, now()), refused);
        prop_assert_eq!(roots.keys().count(), 0);
    }

    #[test]
    fn nothing_verifies_that_another_key_signed(tool in tool(), claims in claims(), key in key()) {
        let (owner, other) = (private(key), private((key.0, another(key.1))));
        let signed = sign(&serde_json::to_vec(&tool).unwrap(), &claims, &owner).unwrap();
        let unknown = Err(Refused::UnknownKey { kid: owner.public().id().to_string() });
        prop_assert_eq!(verify_bytes(&signed, &trusting(&other), now()), unknown);
        // Nor if the signature names the trusted key.
        let header = |id: &KeyId| {
            let header = format!(r#"{{"alg":"{}","kid":"{id}","typ":"portcullis-definition+jws"}}"#, key.0);
            crate::signer::base64url(header.as_bytes())
        };
        let text = String::from_utf8(signed).unwrap();
        let renamed = text.replace(&header(owner.public().id()), &header(other.public().id()));
        prop_assert_ne!(&renamed, &text);
        let bad = Err(Refused::Jws(JwsError::BadSignature));
        prop_assert_eq!(verify_bytes(renamed.as_bytes(), &trusting(&other), now()), bad);
    }

    /// Even if the key itself signed the header that says so.
    #[test]
    fn no_algorithm_but_the_keys_own_is_accepted(
        tool in tool(), claims in claims(), key in key(),
        name in prop_oneof![
            prop::sample::select(vec![
                "none", "None", "HS256", "hs256", "HS512", "RS256", "PS256", "ES256", "ES256K", "ES384", "ES512", "EdDSA",
                "Ed25519", "Ed448", "eddsa", "es256", "EdDSA ", "",
            ]).prop_map(str::to_owned),
            "[A-Z]{2}[0-9]{3}",
        ],
    ) {
        let own = private(key);
        let tool = Value::Object(tool);
        let signed = sign(tool.to_string().as_bytes(), &claims, &own).unwrap();
        let value: Value = serde_json::from_slice(&signed).unwrap();
        let said = &value["_meta"][MEMBER]["claims"];
        let mut bare = tool.clone();
        if bare["_meta"].as_object().is_none_or(serde_json::Map::is_empty) {
            bare.as_object_mut().unwrap().remove("_meta");
        }
        let id = own.public().id();
        let header = format!(r#"{{"alg":"{name}","kid":"{id}","typ":"portcullis-definition+jws"}}"#);
        let mut forged = value.clone();
        forged["_meta"][MEMBER]["signature"] = Signer::of(key.0, key.1).detached(&header, said, &bare).into();
        let found = verify_bytes(forged.to_string().as_bytes(), &trusting(&own), now());
        let is_own = name == key.0.name() || (name == "Ed25519" && key.0.name() == "EdDSA");
        prop_assert_eq!(found.is_ok(), is_own, "{:?}", found);
        if let Err(refused) = found {
            prop_assert_eq!(refused.word(), if name.is_empty() { "malformed" } else { "algorithm" });
        }
    }

    #[test]
    fn bytes_that_nobody_signed_are_never_sealed(bytes in prop::collection::vec(any::<u8>(), 0..200), key in key()) {
        let found = verify_bytes(&bytes, &trusting(&private(key)), now());
        prop_assert!(!matches!(found, Ok(Standing::Sealed(_) | Standing::Vouched(_))));
    }
}

/// What an edition is compared by: all that the provider says but the times.
#[test]
fn a_renewed_signature_is_the_same_edition_and_another_profile_is_not() {
    let key = private((portcullis_seal::Algorithm::Ed25519, 1));
    let said = portcullis_seal::Claims::new("a", "a", semver::Version::new(1, 0, 0), now());
    let edition = |claims: &portcullis_seal::Claims| {
        let signed = sign(br#"{"name":"a"}"#, claims, &key).unwrap();
        verify_bytes(&signed, &trusting(&key), now()).unwrap().edition().unwrap()
    };
    let expires = Some(now() + jiff::SignedDuration::from_hours(1));
    let renewed = portcullis_seal::Claims { expires, ..said.clone() };
    assert_eq!(succession(&edition(&said), &edition(&renewed)), Succession::Same);
    let contract = Some(portcullis_seal::Digest::new([1; 32]));
    let contracted = portcullis_seal::Claims { contract, ..said.clone() };
    assert_eq!(succession(&edition(&said), &edition(&contracted)), Succession::Tampered);
    let provider = portcullis_seal::Claims { provider: "b".to_owned(), ..said.clone() };
    assert_eq!(succession(&edition(&said), &edition(&provider)), Succession::Tampered);
    let profile = |scopes: &[&str]| portcullis_seal::Profile {
        effects: portcullis_lattice::Effect::Read.into(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        entitlements: Vec::new(),
    };
    let with = |minor: u64, scopes: &[&str]| portcullis_seal::Claims {
        version: semver::Version::new(1, minor, 0),
        profile: Some(profile(scopes)),
        ..said.clone()
    };
    assert_eq!(succession(&edition(&said), &edition(&with(0, &[]))), Succession::Tampered);
    assert_eq!(succession(&edition(&with(0, &["a"])), &edition(&with(1, &["a"]))), Succession::Newer);
    let grown = Succession::Grown { scopes: vec!["b".to_owned()] };
    assert_eq!(succession(&edition(&with(0, &["a"])), &edition(&with(1, &["a", "b"]))), grown);
}

#[test]
fn ten_megabytes_are_refused_in_words() {
    let key = private((portcullis_seal::Algorithm::Ed25519, 1));
    let long = format!(r#"{{"name":"a","description":"{}"}}"#, "a".repeat(10 << 20));
    let refused = verify_bytes(long.as_bytes(), &trusting(&key), now()).unwrap_err();
    let says = format!("the definition has {} bytes, and at most {LONGEST} are looked at", long.len());
    assert_eq!((refused.word(), refused.to_string()), ("too-large", says));
    let claims = portcullis_seal::Claims::new("a", "a", semver::Version::new(1, 0, 0), now());
    assert!(matches!(sign(long.as_bytes(), &claims, &key), Err(SignError::TooLarge { .. })));
    // Nor can it be signed if the signature makes it too long.
    let just = format!(r#"{{"name":"a","d":"{}"}}"#, "a".repeat(LONGEST - 100));
    assert!(matches!(sign(just.as_bytes(), &claims, &key), Err(SignError::TooLarge { .. })));
    // Many short values are bounded as well.
    let many = format!("[{}1]", "1,".repeat(400_000));
    assert_eq!(verify_bytes(many.as_bytes(), &trusting(&key), now()).unwrap_err().word(), "malformed");
}

#[test]
fn claims_that_could_not_be_read_back_are_not_signed() {
    let key = private((portcullis_seal::Algorithm::Ed25519, 1));
    let hidden = portcullis_seal::Claims::new("a\u{202e}b", "a", semver::Version::new(1, 0, 0), now());
    let error = sign(b"{}", &hidden, &key).unwrap_err();
    assert_eq!(
        error.to_string(),
        "it cannot be signed: `claims.provider` has to be a text that is not empty and has no hidden characters"
    );
    let claims = portcullis_seal::Claims::new("a", "a", semver::Version::new(1, 0, 0), now());
    for tool in ["[]", r#"{"_meta":1}"#] {
        assert_eq!(sign(tool.as_bytes(), &claims, &key), Err(SignError::NoObject), "{tool}");
    }
    let error = vouch(b"{}", "no token").unwrap_err().to_string();
    let parts = "a header, a payload, and the signature itself";
    assert_eq!(
        error,
        format!("this cannot be a voucher: a signature has three parts with points between: {parts}")
    );
}
