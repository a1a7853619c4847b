//! Other programs read what we sign, and we read what they sign: `jsonwebtoken`, an implementation of its own.

use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use jsonwebtoken::{DecodingKey, EncodingKey, Header};
use portcullis_seal::definition::{MEMBER, Standing, sign, verify_bytes, vouch};
use portcullis_seal::{
    Algorithm, BundleForm, Claims, Digest, Issuer, IssuerKeys, KeySet, Names, PrivateKey, TrustRoots,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::random::{claims, config, key, now, private, tool};
use crate::signer::{Signer, base64url};

fn theirs(algorithm: Algorithm) -> jsonwebtoken::Algorithm {
    match algorithm {
        Algorithm::Ed25519 => jsonwebtoken::Algorithm::EdDSA,
        Algorithm::Es256 => jsonwebtoken::Algorithm::ES256,
        Algorithm::Rs256 => jsonwebtoken::Algorithm::RS256,
        Algorithm::Ps256 => jsonwebtoken::Algorithm::PS256,
    }
}

fn verifies(key: &PrivateKey, message: &str, signature: &str) -> bool {
    let jwk = serde_json::from_str(&key.public().write()).unwrap();
    let key_of_theirs = DecodingKey::from_jwk(&jwk).unwrap();
    let algorithm = theirs(key.public().algorithm());
    jsonwebtoken::crypto::verify(signature, message.as_bytes(), &key_of_theirs, algorithm).unwrap()
}

fn encoding(signer: &Signer) -> EncodingKey {
    match signer {
        Signer::Ed25519(pair) => EncodingKey::from_ed_der(pair.to_pkcs8().unwrap().as_ref()),
        Signer::P256(pair) => EncodingKey::from_ec_der(pair.to_pkcs8v1().unwrap().as_ref()),
        Signer::Rsa(pair) => {
            let der: Pkcs8V1Der<'_> = pair.as_der().unwrap();
            // It wants what PKCS #8 has in it: a header of 26 bytes, and then the key by PKCS #1.
            EncodingKey::from_rsa_der(&der.as_ref()[26..])
        }
        Signer::Hmac(secret) => EncodingKey::from_secret(secret),
    }
}

proptest! {
    #![proptest_config(config())]

    /// The way of `docs/signing.md`, with other code for every step.
    #[test]
    fn others_verify_what_we_sign(tool in tool(), claims in claims(), key in key()) {
        let key = private(key);
        let tool = Value::Object(tool);
        let signed: Value = serde_json::from_slice(&sign(tool.to_string().as_bytes(), &claims, &key).unwrap()).unwrap();
        let mut definition = signed.clone();
        let member = definition["_meta"].as_object_mut().unwrap().remove(MEMBER).unwrap();
        if definition["_meta"].as_object().unwrap().is_empty() {
            definition.as_object_mut().unwrap().remove("_meta");
        }
        let payload = json!({"claims": member["claims"], "definition": definition});
        let payload = base64url(&serde_json_canonicalizer::to_vec(&payload).unwrap());
        let (header, signature) = member["signature"].as_str().unwrap().split_once("..").unwrap();
        let message = format!("{header}.{payload}");
        prop_assert!(verifies(&key, &message, signature));
        prop_assert!(!verifies(&key, &(message + "A"), signature));
    }

    #[test]
    fn we_take_the_tokens_that_others_make(
        version in 0..9u64, scopes in prop::collection::btree_set("[a-z:]{1,5}", 0..4),
        kind in prop::sample::select(vec![Algorithm::Ed25519, Algorithm::Es256, Algorithm::Rs256]),
    ) {
        let signer = Signer::of(kind, 40);
        let tool = br#"{"name":"a"}"#;
        let definition = Digest::of(tool);
        let token = json!({
            "iss": "https://id.example", "aud": ["portcullis"], "exp": now().as_second() + 60, "iat": now().as_second(),
            "tool_id": "a", "tool_version": format!("1.{version}.0"), "tool_definition": definition.to_string(),
            "scope": scopes.iter().cloned().collect::<Vec<String>>().join(" "),
        });
        let header = Header { kid: Some("k".to_owned()), ..Header::new(theirs(kind)) };
        let token = jsonwebtoken::encode(&header, &token, &encoding(&signer)).unwrap();
        let keys = KeySet::read(&format!(r#"{{"keys":[{}]}}"#, signer.jwk("k"))).unwrap();
        let mut roots = TrustRoots::default();
        roots.trust_issuer(Issuer {
            issuer: "https://id.example".to_owned(),
            audience: "portcullis".to_owned(),
            tools: Names::all(),
            keys: IssuerKeys::Stated(keys),
            bundle: None,
        });
        let vouched = vouch(tool, &token).unwrap();
        let Standing::Vouched(voucher) = verify_bytes(&vouched, &roots, now()).unwrap() else {
            panic!("it is not vouched for")
        };
        prop_assert_eq!(voucher.version(), &semver::Version::new(1, version, 0));
        prop_assert_eq!(voucher.scopes(), &scopes);
        prop_assert_eq!(voucher.definition(), &definition);
        prop_assert_eq!(voucher.issuer(), "https://id.example");
    }
}

#[test]
fn others_verify_our_bundles() {
    for algorithm in [Algorithm::Ed25519, Algorithm::Es256] {
        let key = private((algorithm, 50));
        let bundle = BundleForm::empty(1, now(), now()).sign(&key).unwrap();
        let (message, signature) = bundle.rsplit_once('.').unwrap();
        assert!(verifies(&key, message, signature));
    }
}

#[test]
fn others_call_our_keys_as_we_do() {
    for algorithm in [Algorithm::Ed25519, Algorithm::Es256] {
        let key = private((algorithm, 51));
        let jwk: jsonwebtoken::jwk::Jwk = serde_json::from_str(&key.public().write()).unwrap();
        let thumbprint = jwk.thumbprint(jsonwebtoken::jwk::ThumbprintHash::SHA256).unwrap();
        assert_eq!(thumbprint, key.public().id().as_str());
    }
}

/// A definition that another implementer signs, step by step as the document says.
#[test]
fn we_verify_what_others_sign() {
    for algorithm in [Algorithm::Ed25519, Algorithm::Es256] {
        let (key, signer) = (private((algorithm, 52)), Signer::of(algorithm, 52));
        let said = Claims::new("acme.example", "acme.example/a", semver::Version::new(1, 0, 0), now());
        let claims = json!({"format": 1, "provider": "acme.example", "tool_id": "acme.example/a", "version": "1.0.0",
            "issued": now().to_string()});
        let definition = json!({"name": "a", "inputSchema": {"maximum": 1e3, "minimum": 0.1}});
        let payload = json!({"claims": claims, "definition": definition});
        let payload = base64url(&serde_json_canonicalizer::to_vec(&payload).unwrap());
        let name = algorithm.name();
        let header =
            format!(r#"{{"typ":"portcullis-definition+jws","kid":"{}","alg":"{name}"}}"#, key.public().id());
        let header = base64url(header.as_bytes());
        let message = format!("{header}.{payload}");
        let signature =
            jsonwebtoken::crypto::sign(message.as_bytes(), &encoding(&signer), theirs(algorithm)).unwrap();
        let mut tool = definition.clone();
        tool["_meta"] = json!({MEMBER: {"claims": claims, "signature": format!("{header}..{signature}")}});
        let Standing::Sealed(sealed) =
            verify_bytes(tool.to_string().as_bytes(), &crate::random::trusting(&key), now()).unwrap()
        else {
            panic!("it is not sealed")
        };
        assert_eq!(sealed.claims(), &said);
    }
}
