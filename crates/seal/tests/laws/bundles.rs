//! Trust bundles.

use portcullis_seal::definition::{Refused, Standing, hash, sign, verify_bytes};
use portcullis_seal::version::VersionRange;
use portcullis_seal::{
    Algorithm, Bundle, BundleError, BundleForm, Claims, Digest, Freshness, Issuer, IssuerKeys, JwsError,
    KeySet, Names, Pinned, PrivateKey, RevokedTool, Seen, TrustRoots, TrustedKey,
};
use portcullis_wire::json::{Document, Limits};
use proptest::prelude::*;

use crate::random::{config, now, private};
use crate::signer::Signer;

fn root() -> PrivateKey {
    private((Algorithm::Ed25519, 90))
}

fn provider() -> PrivateKey {
    private((Algorithm::Es256, 91))
}

fn tool() -> Vec<u8> {
    let version = semver::Version::new(1, 0, 0);
    sign(br#"{"name":"a"}"#, &Claims::new("acme.example", "acme.example/a", version, now()), &provider())
        .unwrap()
}

fn empty(version: u64) -> BundleForm {
    let day = jiff::SignedDuration::from_hours(24);
    BundleForm::empty(version, now() - day, now() + day)
}

fn full() -> BundleForm {
    let mut form = empty(7);
    let tools = Names::of(["acme.example/*"]);
    form.keys.push(TrustedKey {
        key: provider().public().clone(),
        name: "Acme".to_owned(),
        providers: Names::of(["acme.example"]),
        tools: tools.clone(),
    });
    let keys = format!(r#"{{"keys":[{}]}}"#, Signer::of(Algorithm::Es256, 6).jwk("first"));
    form.issuers.push(Issuer {
        issuer: "https://id.example".to_owned(),
        audience: "portcullis".to_owned(),
        tools: tools.clone(),
        keys: IssuerKeys::Stated(KeySet::read(&keys).unwrap()),
        bundle: None,
    });
    let url = "https://late.example/keys".to_owned();
    form.issuers.push(Issuer {
        issuer: "https://late.example".to_owned(),
        audience: "portcullis".to_owned(),
        tools,
        keys: IssuerKeys::At { url, fetched: None },
        bundle: None,
    });
    form.revoked_keys.push(private((Algorithm::Ed25519, 4)).public().id().clone());
    form.revoked_tools.push(RevokedTool::Definition(Digest::new([1; 32])));
    let versions = VersionRange { from: Some("1.0.0-beta.1".parse().unwrap()), before: None };
    form.revoked_tools.push(RevokedTool::Versions { tool_id: "acme.example/b".to_owned(), versions });
    let before = VersionRange { from: None, before: Some("2.0.0".parse().unwrap()) };
    form.revoked_tools.push(RevokedTool::Versions { tool_id: "acme.example/c".to_owned(), versions: before });
    form.pinned.push(Pinned { tool: "echo".to_owned(), definition: Digest::new([2; 32]) });
    form
}

fn verify(form: &BundleForm, last: Option<Seen>) -> Result<Bundle, BundleError> {
    Bundle::verify(&form.sign(&root()).unwrap(), root().public(), last, now())
}

#[test]
fn a_bundle_is_read_back_as_it_was_signed() {
    let bundle = verify(&full(), None).unwrap();
    let form = full();
    assert_eq!(bundle.keys(), form.keys);
    assert_eq!(bundle.issuers(), form.issuers);
    assert_eq!(bundle.revoked_keys(), form.revoked_keys);
    assert_eq!(bundle.revoked_tools(), form.revoked_tools);
    assert_eq!(bundle.pinned(), form.pinned);
    assert_eq!(bundle.version(), 7);
    assert_eq!(BundleForm::parse(&form.write()).unwrap(), form);
}

#[test]
fn a_bundle_gives_the_trust_that_it_states() {
    let mut roots = TrustRoots::default();
    let refused = Err(Refused::UnknownKey { kid: provider().public().id().to_string() });
    assert_eq!(verify_bytes(&tool(), &roots, now()), refused);
    let freshness = roots.add_bundle(&verify(&full(), None).unwrap(), now());
    assert_eq!(freshness, Freshness::Fresh { age: jiff::SignedDuration::from_hours(24) });
    assert!(matches!(verify_bytes(&tool(), &roots, now()), Ok(Standing::Sealed(_))));
    assert_eq!(roots.pinned(&Digest::new([2; 32])).unwrap().tool, "echo");
    assert_eq!(roots.pinned(&Digest::new([1; 32])), None);
}

/// Whoever keeps newer bundles away keeps no trust alive, and brings no revoked key back.
#[test]
fn of_a_bundle_that_is_over_only_revocations_count() {
    let mut form = full();
    form.expires = now() - jiff::SignedDuration::from_secs(120);
    let bundle = verify(&form, None).unwrap();
    let mut roots = TrustRoots::default();
    let freshness = roots.add_bundle(&bundle, now());
    assert_eq!(freshness, Freshness::Over { age: jiff::SignedDuration::from_hours(24), since: form.expires });
    assert_eq!(verify_bytes(&tool(), &roots, now()).unwrap_err().word(), "unknown-key");
    assert_eq!(
        (roots.keys().count(), roots.issuers().count(), roots.pinned(&Digest::new([2; 32]))),
        (0, 0, None)
    );
    assert!(roots.is_revoked(&form.revoked_keys[0]));
    assert!(roots.is_tool_revoked(&Digest::new([1; 32]), None));
}

#[test]
fn a_bundle_revokes_what_the_user_trusts_and_the_other_way_round() {
    let mut form = full();
    form.revoked_keys.push(provider().public().id().clone());
    let mut roots = TrustRoots::default();
    roots.trust(TrustedKey::for_everything(provider().public().clone(), "mine"));
    roots.add_bundle(&verify(&form, None).unwrap(), now());
    assert_eq!(verify_bytes(&tool(), &roots, now()).unwrap_err().word(), "revoked-key");

    let mut roots = TrustRoots::default();
    roots.revoke_key(provider().public().id().clone());
    roots.add_bundle(&verify(&full(), None).unwrap(), now());
    assert_eq!(verify_bytes(&tool(), &roots, now()).unwrap_err().word(), "revoked-key");

    // A signer of bundles that the user revoked gives no trust either.
    let mut roots = TrustRoots::default();
    roots.revoke_key(root().public().id().clone());
    roots.add_bundle(&verify(&full(), None).unwrap(), now());
    assert_eq!(verify_bytes(&tool(), &roots, now()).unwrap_err().word(), "unknown-key");
}

#[test]
fn a_pin_of_a_revoked_definition_is_none() {
    let definition = hash(Document::parse(*b"{}", &Limits::default()).unwrap().root()).unwrap();
    let mut form = full();
    form.pinned.push(Pinned { tool: "nothing".to_owned(), definition });
    let mut roots = TrustRoots::default();
    roots.add_bundle(&verify(&form, None).unwrap(), now());
    assert!(roots.pinned(&definition).is_some());
    roots.revoke_tool(RevokedTool::Definition(definition));
    assert_eq!(roots.pinned(&definition), None);
}

#[test]
fn keys_that_were_fetched_go_to_the_issuers_that_have_them_there() {
    let mut roots = TrustRoots::default();
    roots.add_bundle(&verify(&full(), None).unwrap(), now());
    let keys =
        KeySet::read(&format!(r#"{{"keys":[{}]}}"#, Signer::of(Algorithm::Es256, 9).jwk("new"))).unwrap();
    roots.note_keys("https://late.example/keys", &keys);
    assert_eq!(roots.issuer("https://late.example")[0].key_set(), Some(&keys));
    assert!(roots.issuer("https://id.example")[0].key_set().unwrap().key("new").is_none());
}

#[test]
fn whom_a_bundle_names_is_nobody_whom_somebody_else_calls_so() {
    let bundle = verify(&full(), None).unwrap();
    let mut roots = TrustRoots::default();
    roots.trust(TrustedKey::for_everything(private((Algorithm::Ed25519, 9)).public().clone(), "Acme"));
    let own = Issuer { bundle: None, ..bundle.issuers()[0].clone() };
    roots.trust_issuer(own);
    roots.add_bundle(&bundle, now());
    let other = private((Algorithm::Ed25519, 11));
    let text = full().sign(&other).unwrap();
    roots.add_bundle(&Bundle::verify(&text, other.public(), None, now()).unwrap(), now());
    let mut keys: Vec<&str> = roots.keys().map(|key| key.name.as_str()).collect();
    keys.sort_unstable();
    let of = |name: &str, key: &PrivateKey| format!("{name} (trust bundle {})", key.public().id());
    let mut expected = vec!["Acme".to_owned(), of("Acme", &root()), of("Acme", &other)];
    expected.sort_unstable();
    assert_eq!(keys, expected);
    let issuers: Vec<String> = roots.issuer("https://id.example").iter().map(Issuer::signer).collect();
    let name = "https://id.example";
    assert_eq!(issuers, [name.to_owned(), of(name, &root()), of(name, &other)]);
}

#[test]
fn bundles_that_are_wrong_are_refused_with_the_reason() {
    let good = full().sign(&root()).unwrap();
    let read = |text: &str| Bundle::verify(text, root().public(), None, now()).unwrap_err().to_string();
    let parts: Vec<&str> = good.split('.').collect();
    let other = verify(&empty(8), None).unwrap();
    assert_eq!(other.version(), 8);
    let payload = empty(8).sign(&root()).unwrap();
    let swapped = format!("{}.{}.{}", parts[0], payload.split('.').nth(1).unwrap(), parts[2]);
    assert_eq!(
        read(&swapped),
        "the bundle is not taken: the signature does not fit: something was changed after it was signed, or another key \
         signed it"
    );
    let stranger = full().sign(&provider()).unwrap();
    let id = provider().public().id().to_string();
    assert_eq!(
        read(&stranger),
        format!("the bundle is signed with the key `{id}`, and not with the one you trust for bundles")
    );
    assert_eq!(
        read(&" ".repeat(10 << 20)),
        "the bundle is not taken: a signature has three parts with points between: a header, a payload, and the \
         signature itself"
    );
    assert_eq!(
        read(&"a".repeat(10 << 20)),
        "the bundle is not taken: the whole of the signature is longer than 4194304 bytes"
    );
    let mut future = full();
    future.issued = now() + jiff::SignedDuration::from_secs(121);
    assert_eq!(
        verify(&future, None).unwrap_err().to_string(),
        "the bundle was issued at 2026-11-15T12:02:01Z, which is still to come; is the clock right?"
    );
}

/// A definition and a bundle are signed with the same keys, and neither passes for the other.
#[test]
fn a_signature_over_another_kind_of_document_is_none() {
    let header =
        format!(r#"{{"alg":"EdDSA","kid":"{}","typ":"portcullis-definition+jws"}}"#, root().public().id());
    let text = Signer::of(Algorithm::Ed25519, 90).compact(&header, full().write().as_bytes());
    let error = Bundle::verify(&text, root().public(), None, now()).unwrap_err();
    assert_eq!(error, BundleError::Jws(JwsError::Type { expected: "portcullis-bundle+jws" }));
}

/// What is signed and wrong. The reason names the place.
#[test]
fn members_of_a_bundle_are_checked() {
    let read = |from: &str, to: &str| {
        let text = full().write();
        assert!(text.contains(from), "{from} is not in {text}");
        BundleForm::parse(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    let cases = [
        (
            r#""format":1"#,
            r#""format":2"#,
            "in the bundle, `format` has to be 1, the only format that this version of Portcullis knows",
        ),
        (r#""version":7"#, r#""version":-7"#, "in the bundle, `version` has to be a whole number"),
        (
            r#""version":7"#,
            r#""version":7,"rules":[]"#,
            "in the bundle, `rules` is not known here; leave it out, or use a version of Portcullis that knows it",
        ),
        (r#""providers":["acme.example"],"#, "", "in the bundle, `keys.providers` is missing"),
        (
            r#""crv":"P-256""#,
            r#""crv":"P-384""#,
            "in the bundle, the key `Acme`: keys of `kty` `EC` and `crv` `P-384` are not supported; use `OKP` with `Ed25519`, or `EC` with `P-256`",
        ),
        (
            r#""jwks_url":"https:"#,
            r#""jwks_url":"http:"#,
            "in the bundle, `issuers.jwks_url` has to be an address that begins with `https://`",
        ),
        (
            r#""jwks":{"keys":["#,
            r#""jwks":{"keys":[{"kty":"oct"},"#,
            "in the bundle, the issuer `https://id.example`: key 1 of the key set: this is a symmetric key; whoever can verify with it can sign with it, so it proves nothing",
        ),
        (
            r#""revoked_keys":[""#,
            r#""revoked_keys":["x"#,
            "in the bundle, `revoked_keys` has to be a list of thumbprints of keys",
        ),
        (
            r#""from":"1.0.0-beta.1""#,
            r#""from":"1""#,
            "in the bundle, `revoked_tools.from` has to be a semantic version such as `1.4.0`",
        ),
        (
            r#"{"definition":"sha256:01"#,
            r#"{"definition":"sha256:0"#,
            "in the bundle, `revoked_tools.definition` has to be `sha256:` and 64 hexadecimal digits",
        ),
        (r#""tool":"echo","#, "", "in the bundle, `pinned.tool` is missing"),
    ];
    for (from, to, says) in cases {
        assert_eq!(read(from, to), says);
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn bundles_only_get_newer(seen in 0..6u64, offered in 0..6u64, same in any::<bool>()) {
        let last = verify(&empty(seen), None).unwrap().seen();
        let mut form = empty(offered);
        if !same {
            form.pinned.push(Pinned { tool: "a".to_owned(), definition: Digest::new([0; 32]) });
        }
        let found = verify(&form, Some(last)).map(|bundle| bundle.version());
        let expected = match offered.cmp(&seen) {
            std::cmp::Ordering::Less => Err(BundleError::Older { offered, seen }),
            std::cmp::Ordering::Equal if !same => Err(BundleError::Forked { version: seen }),
            std::cmp::Ordering::Equal | std::cmp::Ordering::Greater => Ok(offered),
        };
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn any_changed_byte_of_a_bundle_refuses(at in any::<usize>(), byte in any::<u8>()) {
        let text = full().sign(&private((Algorithm::Ed25519, 90))).unwrap();
        let mut changed = text.clone().into_bytes();
        let at = at % changed.len();
        changed[at] = byte;
        if let Ok(changed) = String::from_utf8(changed) && changed.trim_ascii_end() != text {
            prop_assert!(Bundle::verify(&changed, root().public(), None, now()).is_err(), "byte {}", at);
        }
    }
}
