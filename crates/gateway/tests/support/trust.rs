//! Whose word counts, as scenarios say it: keys, issuers and bundles, with tokens and signatures that are made here.
#![allow(clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{Allowance, IssuerAllowance, KeysOf, revoking_issuer, trusting, trusting_issuer};
use portcullis_seal::definition::{MEMBER, hash, sign};
use portcullis_seal::version::VersionRange;
use portcullis_seal::{Algorithm, Bundle, BundleForm, Claims, Pinned, PrivateKey, RevokedTool, TrustedKey};
use portcullis_store::{Change, Commit, CommitError, Digest, FetchOutcome, NewBundle, Store};
use portcullis_wire::json::{Document, Limits};
use serde::Deserialize;
use serde_json::{Value, json};

const ISSUER: &str = "https://id.example";
const ADDRESS: &str = "https://id.example/keys";

/// Something that is said about whose word counts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Said {
    /// The issuer may vouch for everything. Its keys are fetched.
    Issuer,
    /// It is revoked.
    IssuerRevoked,
    /// The issuer has these keys now.
    Keys(Vec<String>),
    /// The key of this provider may sign everything.
    Key(String),
    /// A bundle of the team.
    Bundle(Team),
}

/// A bundle of the team: definitions are named by what scenarios call the tools.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Team {
    version: u64,
    /// For so many seconds.
    lasts: i64,
    #[serde(default)]
    pinned: Vec<Value>,
    #[serde(default)]
    revoked: Vec<Value>,
    #[serde(default)]
    revoked_keys: Vec<String>,
    /// Versions of this tool that are older than this one.
    revoked_versions: Option<(String, String)>,
    /// Keys that may sign everything, by what the team calls them.
    #[serde(default)]
    keys: BTreeMap<String, String>,
    /// Whether it has to be refused, for it is too old.
    #[serde(default)]
    is_refused: bool,
}

/// A tool that somebody signs or vouches for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Made {
    /// What it is called from now on.
    pub(crate) called: String,
    tool: Value,
    signed: Option<Words>,
    vouched: Option<Words>,
}

/// What is said of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    /// By the key of this name.
    by: String,
    version: String,
    /// For so many seconds.
    lasts: i64,
    #[serde(default)]
    scope: String,
}

pub(crate) fn say(said: Value, store: &dyn Store, now: Timestamp) {
    let said: Said = serde_json::from_value(said).unwrap();
    let commit = Commit::at(now);
    let change = match said {
        Said::Issuer => {
            let keys = KeysOf::At(ADDRESS.to_owned());
            let (audience, tools) = ("portcullis".to_owned(), vec!["*".to_owned()]);
            Change::SetIssuer(trusting_issuer(ISSUER, &IssuerAllowance { audience, tools, keys }, "u"))
        }
        Said::IssuerRevoked => Change::SetIssuer(revoking_issuer(ISSUER, None, "u")),
        Said::Keys(kids) => {
            let keys: Vec<String> = kids.iter().map(|kid| token_key(kid).jwk(kid)).collect();
            let outcome = FetchOutcome::Got(format!(r#"{{"keys":[{}]}}"#, keys.join(",")));
            Change::NoteFetch { address: ADDRESS.to_owned(), outcome }
        }
        Said::Key(name) => {
            let all = || vec!["*".to_owned()];
            let allowance = Allowance { providers: all(), tools: all() };
            Change::SetSigner(trusting(own_key(&name).public(), &name, &allowance, "u"))
        }
        Said::Bundle(team) => {
            let is_refused = team.is_refused;
            let done = store.commit(commit.change(Change::TakeBundle(bundle(&team, now))));
            match is_refused {
                true => assert!(matches!(done, Err(CommitError::OlderBundle { .. })), "{done:?}"),
                false => drop(done.unwrap()),
            }
            return;
        }
    };
    store.commit(commit.change(change)).unwrap();
}

fn bundle(team: &Team, now: Timestamp) -> NewBundle {
    let root = own_key("team");
    let mut form = BundleForm::empty(team.version, now, now + SignedDuration::from_secs(team.lasts));
    let pin = |tool: &Value| Pinned { tool: tool["name"].to_string(), definition: definition(tool) };
    form.pinned = team.pinned.iter().map(pin).collect();
    form.revoked_tools = team.revoked.iter().map(|tool| RevokedTool::Definition(definition(tool))).collect();
    form.revoked_keys = team.revoked_keys.iter().map(|name| own_key(name).public().id().clone()).collect();
    form.revoked_tools.extend(team.revoked_versions.as_ref().map(|(tool_id, before)| {
        let versions = VersionRange { from: None, before: Some(before.parse().unwrap()) };
        RevokedTool::Versions { tool_id: tool_id.clone(), versions }
    }));
    let keys = team.keys.iter();
    form.keys =
        keys.map(|(name, key)| TrustedKey::for_everything(own_key(key).public().clone(), name)).collect();
    let text = form.sign(&root).unwrap();
    let seen = Bundle::verify(&text, root.public(), None, now).unwrap().seen();
    NewBundle {
        key: root.public().id().to_string(),
        public: root.public().write(),
        name: "team".to_owned(),
        source: "/team.jws".to_owned(),
        content: Digest::new(*seen.content.bytes()),
        text,
        version: team.version,
        by: "u".to_owned(),
    }
}

fn own_key(name: &str) -> PrivateKey {
    PrivateKey::from_random(Algorithm::Ed25519, &[name.bytes().fold(3, u8::wrapping_add); 32]).unwrap()
}

/// A key of the issuer. Its tokens are put together here, by other code than that which reads them.
struct TokenKey {
    seed: [u8; 32],
    jwk: Value,
}

fn token_key(kid: &str) -> TokenKey {
    let seed = [kid.bytes().fold(1, u8::wrapping_add); 32];
    let key = PrivateKey::from_random(Algorithm::Es256, &seed).unwrap();
    TokenKey { seed, jwk: serde_json::from_str(&key.public().write()).unwrap() }
}

impl TokenKey {
    fn jwk(&self, kid: &str) -> String {
        let mut jwk = self.jwk.clone();
        jwk["kid"] = kid.into();
        jwk.to_string()
    }

    fn compact(&self, header: &str, payload: &[u8]) -> String {
        let part = |name: &str| URL_SAFE_NO_PAD.decode(self.jwk[name].as_str().unwrap()).unwrap();
        let point = [vec![4], part("x"), part("y")].concat();
        let pair = EcdsaKeyPair::from_private_key_and_public_key(
            &ECDSA_P256_SHA256_FIXED_SIGNING,
            &self.seed,
            &point,
        );
        let message = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
        let signature = pair.unwrap().sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{message}.{}", URL_SAFE_NO_PAD.encode(signature.as_ref()))
    }
}

fn definition(tool: &Value) -> portcullis_seal::Digest {
    hash(Document::parse(tool.to_string(), &Limits::default()).unwrap().root()).unwrap()
}

/// A tool with what is said of it.
pub(crate) fn made(made: &Made, now: Timestamp) -> Value {
    let after = |seconds: i64| now + SignedDuration::from_secs(seconds);
    let mut tool = made.tool.clone();
    let id = format!("acme.example/{}", tool["name"].as_str().unwrap());
    let vouched = made.vouched.as_ref().map(|words| {
        let claims = json!({
            "iss": ISSUER, "aud": "portcullis", "iat": now.as_second(), "exp": after(words.lasts).as_second(),
            "tool_id": id, "tool_version": words.version, "scope": words.scope,
            "tool_definition": definition(&tool).to_string(),
        });
        let header = json!({"alg": "ES256", "kid": words.by, "typ": "JWT"}).to_string();
        token_key(&words.by).compact(&header, claims.to_string().as_bytes())
    });
    if let Some(words) = &made.signed {
        let mut claims = Claims::new("acme.example", &id, words.version.parse().unwrap(), now);
        claims.expires = Some(after(words.lasts));
        let signed = sign(tool.to_string().as_bytes(), &claims, &own_key(&words.by)).unwrap();
        tool = serde_json::from_slice(&signed).unwrap();
    }
    if let Some(token) = vouched {
        tool["_meta"][MEMBER]["voucher"] = token.into();
    }
    tool
}
