//! Any bytes as a signed definition, a bundle, a token and keys: reading ends in a standing or a reason, and nothing is
//! sealed but what was signed.
#![no_main]

use std::sync::OnceLock;

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use portcullis_seal::definition::{self, Standing};
use portcullis_seal::{
    Algorithm, Bundle, BundleForm, Claims, Digest, Issuer, IssuerKeys, KeySet, Names, PrivateKey, PublicKey,
    TrustRoots, TrustedKey, verify_voucher,
};
use portcullis_wire::json::{Document, Limits, canonical};

const TOOL: &[u8] = br#"{"name":"add","description":"Add two numbers","inputSchema":{"type":"object"}}"#;

struct Ground {
    roots: TrustRoots,
    key: PrivateKey,
    /// What was signed.
    signed: Vec<u8>,
    /// The same as a value.
    form: Vec<u8>,
}

fn now() -> Timestamp {
    Timestamp::from_second(1_794_744_000).expect("a time of 2026")
}

fn ground() -> &'static Ground {
    static GROUND: OnceLock<Ground> = OnceLock::new();
    GROUND.get_or_init(|| {
        let key = PrivateKey::from_random(Algorithm::Ed25519, &[1; 32]).expect("a key");
        let version = "1.2.0".parse().expect("a version");
        let claims = Claims::new("acme.example", "acme.example/add", version, now());
        let signed = definition::sign(TOOL, &claims, &key).expect("it can be signed");
        let mut roots = TrustRoots::default();
        roots.trust(TrustedKey::for_everything(key.public().clone(), "Acme"));
        let keys = format!(r#"{{"keys":[{}]}}"#, key.public().write());
        roots.trust_issuer(Issuer {
            issuer: "https://id.example".to_owned(),
            audience: "portcullis".to_owned(),
            tools: Names::all(),
            keys: IssuerKeys::Stated(KeySet::read(&keys).expect("a key set")),
            bundle: None,
        });
        let form = form(&signed).expect("it has a form");
        Ground { roots, key, signed, form }
    })
}

fn form(bytes: &[u8]) -> Option<Vec<u8>> {
    let document = Document::parse(bytes, &Limits::default()).ok()?;
    canonical(document.root()).ok()
}

fuzz_target!(|bytes: &[u8]| {
    let ground = ground();
    match bytes.strip_prefix(b"#") {
        Some(edits) => stands(&edited(&ground.signed, edits)),
        None => stands(bytes),
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let root = ground.key.public();
    // Nothing of these was ever signed with the key.
    assert!(Bundle::verify(text, root, None, now()).is_err());
    assert!(verify_voucher(text, &Digest::of(TOOL), &ground.roots, now()).is_err());
    if let Ok(form) = BundleForm::parse(text) {
        let again = BundleForm::parse(&form.write()).expect("it is read back as it is written");
        assert_eq!(again, form);
    }
    if let Ok(key) = PublicKey::read(text) {
        assert_eq!(PublicKey::read(&key.write()).as_ref(), Ok(&key));
    }
    if let Ok(key) = PrivateKey::read(text) {
        let written = key.write().expect("it can be written");
        let again = PrivateKey::read(written.reveal()).expect("it is read back as it is written");
        assert_eq!(again.public(), key.public());
    }
    let _ = KeySet::read(text);
    // What is left of a set is a set, and nothing is left that was not there.
    if let (Ok(set), Some(left)) = (KeySet::published(text), KeySet::left_of(text, text)) {
        assert_eq!(set.keys().count(), KeySet::published(&left).expect("a key set").keys().count());
    }
});

fn stands(bytes: &[u8]) {
    let ground = ground();
    match definition::verify_bytes(bytes, &ground.roots, now()) {
        Ok(Standing::Sealed(_)) => assert_eq!(form(bytes).as_ref(), Some(&ground.form), "nobody signed this"),
        Ok(Standing::Vouched(_)) => panic!("nobody vouched for this"),
        Ok(Standing::Unsigned { .. }) => {}
        Err(refused) => assert!(!refused.word().is_empty() && !refused.to_string().is_empty()),
    }
}

fn edited(signed: &[u8], edits: &[u8]) -> Vec<u8> {
    let mut bytes = signed.to_vec();
    for edit in edits.as_chunks::<3>().0 {
        let at = usize::from(u16::from_be_bytes([edit[0], edit[1]])) % bytes.len();
        bytes[at] = edit[2];
    }
    bytes
}
