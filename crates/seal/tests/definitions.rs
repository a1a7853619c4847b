//! Definitions of tools and how they stand: one file is one case. They are signed by other code than the crate's own.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "support/signer.rs"]
mod signer;

use std::path::Path;

use jiff::Timestamp;
use portcullis_seal::definition::{MEMBER, Standing, verify_bytes};
use portcullis_seal::version::VersionRange;
use portcullis_seal::{
    Algorithm, Digest, Issuer, IssuerKeys, KeySet, Names, PrivateKey, PublicKey, RevokedTool, TrustRoots,
    TrustedKey,
};
use serde::Deserialize;
use serde_json::{Value, json};
use signer::Signer;

const TOOL: &str = r#"{"name":"add","description":"Add two numbers","inputSchema":{"type":"object"}}"#;
const CLAIMS: &str = r#"{"format":1,"provider":"acme.example","tool_id":"acme.example/add","version":"1.2.0",
    "issued":"2026-11-01T00:00:00Z"}"#;
const HEADER: &str = r#"{"alg":"$ALG","kid":"$KID","typ":"portcullis-definition+jws"}"#;
const TOKEN_HEADER: &str = r#"{"alg":"$ALG","kid":"$KID","typ":"JWT"}"#;
const TOKEN: &str = r#"{"iss":"https://id.example","aud":"portcullis","iat":1793534400,"exp":1893456000,
    "tool_id":"acme.example/add","tool_version":"1.2.0","tool_definition":"$HASH","scope":"read write"}"#;

/// A definition, how it is signed, and how it stands. `$KID` and `$ALG` are those of the key, `$KEY(name)` is the id of
/// another, `$HASH` is the hash of the definition. All is judged on 15 November 2026 at noon.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The tool before it is signed.
    #[serde(default = "tool")]
    tool: String,
    /// What the provider says; without it nothing is signed.
    claims: Option<String>,
    #[serde(default = "header")]
    header: String,
    #[serde(default = "key")]
    key: String,
    voucher: Option<VoucherCase>,
    /// The member as it is, instead of all this.
    member: Option<String>,
    /// What is changed in the text afterwards.
    #[serde(default)]
    replace: Vec<(String, String)>,
    /// How it stands.
    stands: Option<String>,
    /// Why it is refused, in one word.
    refused: Option<String>,
    /// The same as people read it.
    says: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VoucherCase {
    #[serde(default = "token_header")]
    header: String,
    #[serde(default = "token")]
    claims: String,
    /// A key and what its issuer calls it: `first` is of the trusted issuer.
    #[serde(default = "token_key")]
    key: String,
    kid: Option<String>,
}

fn tool() -> String {
    TOOL.to_owned()
}
fn header() -> String {
    HEADER.to_owned()
}
fn key() -> String {
    "acme".to_owned()
}
fn token_header() -> String {
    TOKEN_HEADER.to_owned()
}
fn token() -> String {
    TOKEN.to_owned()
}
fn token_key() -> String {
    "first".to_owned()
}
fn now() -> Timestamp {
    "2026-11-15T12:00:00Z".parse().unwrap()
}

/// The keys of the cases, by name.
fn private(name: &str) -> (Algorithm, u8) {
    match name {
        "acme" => (Algorithm::Ed25519, 1),
        "acme-es256" => (Algorithm::Es256, 2),
        "narrow" => (Algorithm::Ed25519, 3),
        "revoked" => (Algorithm::Ed25519, 4),
        "stranger" => (Algorithm::Ed25519, 5),
        "first" => (Algorithm::Es256, 6),
        "second" => (Algorithm::Ed25519, 7),
        "revoked-of-issuer" => (Algorithm::Ed25519, 8),
        _ => panic!("no key is called {name}"),
    }
}

fn public(name: &str) -> PublicKey {
    let (algorithm, seed) = private(name);
    PrivateKey::from_random(algorithm, &[seed; 32]).unwrap().public().clone()
}

fn signer(name: &str) -> Signer {
    let (algorithm, seed) = private(name);
    Signer::of(algorithm, seed)
}

fn issuer(name: &str, audience: &str, keys: &[&str]) -> Issuer {
    let keys: Vec<String> = keys
        .iter()
        .map(|key| if *key == "rsa" { Signer::rsa().jwk(key) } else { signer(key).jwk(key) })
        .collect();
    let keys = KeySet::read(&format!(r#"{{"keys":[{}]}}"#, keys.join(","))).unwrap();
    let (issuer, audience) = (name.to_owned(), audience.to_owned());
    Issuer {
        issuer,
        audience,
        tools: Names::of(["acme.example/*"]),
        keys: IssuerKeys::Stated(keys),
        bundle: None,
    }
}

fn roots() -> TrustRoots {
    let mut roots = TrustRoots::default();
    for name in ["acme", "acme-es256", "revoked"] {
        roots.trust(TrustedKey::for_everything(public(name), name));
    }
    let (providers, tools) = (Names::of(["narrow.example"]), Names::of(["narrow.example/*"]));
    roots.trust(TrustedKey { key: public("narrow"), name: "narrow".to_owned(), providers, tools });
    roots.trust_issuer(issuer("https://id.example", "portcullis", &["first", "rsa", "revoked-of-issuer"]));
    roots.trust_issuer(issuer("https://other.example", "portcullis", &["second"]));
    let url = "https://late.example/keys".to_owned();
    let keys = IssuerKeys::At { url, fetched: None };
    roots.trust_issuer(Issuer {
        issuer: "https://late.example".to_owned(),
        keys,
        ..issuer("", "portcullis", &["first"])
    });
    // Said several times: for other tools with the same key, then with another key of that name, then as it is meant.
    let twice = || issuer("https://twice.example", "portcullis", &["first"]);
    let other = format!(r#"{{"keys":[{}]}}"#, signer("second").jwk("first"));
    let other = IssuerKeys::Stated(KeySet::read(&other).unwrap());
    roots.trust_issuer(Issuer { tools: Names::of(["other.example/*"]), ..twice() });
    roots.trust_issuer(Issuer { keys: other, ..twice() });
    roots.trust_issuer(twice());
    roots.trust_issuer(issuer("https://revoked.example", "portcullis", &["second"]));
    roots.revoke_issuer("https://revoked.example".to_owned());
    roots.revoke_key(public("revoked").id().clone());
    roots.revoke_key(public("revoked-of-issuer").id().clone());
    let versions =
        VersionRange { from: Some("2.0.0".parse().unwrap()), before: Some("2.1.0".parse().unwrap()) };
    roots.revoke_tool(RevokedTool::Versions { tool_id: "acme.example/add".to_owned(), versions });
    let revoked: Value = json!({"name": "revoked by its hash"});
    roots.revoke_tool(RevokedTool::Definition(Digest::of(
        &serde_json_canonicalizer::to_vec(&revoked).unwrap(),
    )));
    roots
}

impl Case {
    fn text(&self) -> String {
        let mut tool: Value = serde_json::from_str(&self.tool).unwrap();
        let member = match &self.member {
            Some(member) => Some(self.filled(member)),
            None => self.signed(&tool),
        };
        let mut text = match member {
            None => self.tool.clone(),
            Some(member) if tool.get("_meta").is_none() => {
                let whole = self.tool.trim_end().strip_suffix('}').unwrap();
                format!(r#"{whole},"_meta":{{"{MEMBER}":{member}}}}}"#)
            }
            Some(member) => {
                tool["_meta"][MEMBER] = serde_json::from_str(&member).unwrap();
                tool.to_string()
            }
        };
        for (from, to) in &self.replace {
            assert!(text.contains(from.as_str()), "{from} is not in {text}");
            text = text.replace(from.as_str(), &self.filled(to));
        }
        text
    }

    fn signed(&self, tool: &Value) -> Option<String> {
        let mut bare = tool.clone();
        let members = bare.as_object_mut()?;
        if members.get("_meta").is_some_and(|meta| meta.as_object().is_some_and(serde_json::Map::is_empty)) {
            members.remove("_meta");
        }
        let mut members = Vec::new();
        if let Some(claims) = &self.claims {
            let claims = if claims.is_empty() { CLAIMS } else { claims };
            let value: Value = serde_json::from_str(claims).unwrap();
            let signature = signer(&self.key).detached(&self.filled(&self.header), &value, &bare);
            members.push(format!(r#""claims":{claims},"signature":"{signature}""#));
        }
        if let Some(voucher) = &self.voucher {
            let hash = Digest::of(&serde_json_canonicalizer::to_vec(&bare).unwrap());
            members.push(format!(r#""voucher":"{}""#, voucher.token(&hash)));
        }
        (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
    }

    fn filled(&self, text: &str) -> String {
        let key = public(&self.key);
        let text = text.replace("$KID", key.id().as_str()).replace("$ALG", key.algorithm().name());
        ["acme", "revoked-of-issuer"]
            .iter()
            .fold(text, |text, name| text.replace(&format!("$KEY({name})"), public(name).id().as_str()))
    }
}

impl VoucherCase {
    fn token(&self, hash: &Digest) -> String {
        let (signer, algorithm) = match self.key.as_str() {
            "rsa" => (Signer::rsa(), "RS256"),
            // The oldest trick: the public key as the secret of a keyed hash.
            "public-key-as-secret" => (Signer::Hmac(signer("first").jwk("first").into_bytes()), "HS256"),
            name => (signer(name), private(name).0.name()),
        };
        let kid = self.kid.as_deref().unwrap_or(&self.key);
        let header = self.header.replace("$KID", kid).replace("$ALG", algorithm);
        signer.compact(&header, self.claims.replace("$HASH", &hash.to_string()).as_bytes())
    }
}

fn case(_: &Path, text: String) -> datatest_stable::Result<()> {
    let case: Case = toml::from_str(&text)?;
    let found = verify_bytes(case.text().as_bytes(), &roots(), now());
    let (stands, refused, says) = match &found {
        Ok(Standing::Unsigned { .. }) => (Some("unsigned"), None, None),
        Ok(Standing::Sealed(_)) => (Some("sealed"), None, None),
        Ok(Standing::Vouched(_)) => (Some("vouched"), None, None),
        Err(refused) => (None, Some(refused.word()), Some(refused.to_string())),
    };
    assert_eq!(stands, case.stands.as_deref(), "{found:?}");
    assert_eq!(refused, case.refused.as_deref(), "{found:?}");
    assert_eq!(says, case.says.as_deref().map(|says| case.filled(says)), "{found:?}");
    Ok(())
}

datatest_stable::harness! {
    { test = case, root = "tests/cases/definitions", pattern = r"\.toml$" },
}
