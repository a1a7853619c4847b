//! The example of `docs/signing.md` is one.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use portcullis_seal::definition::{Standing, sign, verify_bytes};
use portcullis_seal::{BundleForm, Claims, PrivateKey, PublicKey, TrustRoots, TrustedKey};

const DOCUMENT: &str = include_str!("../../../docs/signing.md");

/// The line of the document that begins so.
fn line(beginning: &str) -> &'static str {
    DOCUMENT.lines().find(|line| line.starts_with(beginning)).unwrap()
}

#[test]
fn the_example_of_the_document_verifies_and_is_signed_alike() {
    let public = PublicKey::read(line(r#"{"kty":"OKP""#)).unwrap();
    assert!(DOCUMENT.contains(public.id().as_str()));
    let signed = line(r#"{"name":"add""#);
    let mut roots = TrustRoots::default();
    roots.trust(TrustedKey::for_everything(public, "the RFC"));
    let now = "2026-11-15T12:00:00Z".parse().unwrap();
    let Standing::Sealed(sealed) = verify_bytes(signed.as_bytes(), &roots, now).unwrap() else {
        panic!("it is not sealed")
    };
    assert!(DOCUMENT.contains(&format!("`{}`", sealed.definition())));
    let claims = Claims::new("acme.example", "acme.example/add", "1.2.0".parse().unwrap(), now);
    assert_eq!(sealed.claims(), &claims);
    // The payload that the document shows is what was signed.
    let payload: serde_json::Value = serde_json::from_str(line(r#"{"claims":"#)).unwrap();
    let private = r#"{"kty":"OKP","crv":"Ed25519","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
        "x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;
    // Its members stay in the order of the document.
    let tool = br#"{"name":"add","inputSchema":{"type":"object"}}"#;
    let bare: serde_json::Value = serde_json::from_slice(tool).unwrap();
    assert_eq!(payload["definition"], bare);
    assert_eq!(sign(tool, &claims, &PrivateKey::read(private).unwrap()).unwrap(), signed.as_bytes());
}

/// The bundle of the document has marks for what is left out; with something in their place it is one.
#[test]
fn the_bundle_of_the_document_is_one() {
    let start = DOCUMENT.split("by the one key that is trusted for bundles.").nth(1).unwrap();
    let text = start.split("```json").nth(1).unwrap().split("```").next().unwrap();
    let key = line(r#"{"kty":"OKP""#);
    let text =
        text.replace(r#"{ "kty": "OKP", "…": "…" }"#, key).replace("sha256:…", &format!("sha256:{:064}", 0));
    let form = BundleForm::parse(&text).unwrap();
    assert_eq!((form.version, form.keys.len(), form.revoked_tools.len(), form.pinned.len()), (7, 1, 2, 1));
}
