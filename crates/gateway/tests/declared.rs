//! What a trusted signer declares of a tool is what it is taken to do, as long as the signature holds and no longer.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "support/ground.rs"]
mod ground;

use ground::Ground;
use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{Allowance, Relay, kind, revoking, trusting};
use portcullis_identity::state::Unverified;
use portcullis_lattice::{Effect, Effects};
use portcullis_seal::{Algorithm, Claims, PrivateKey, Profile, definition};
use portcullis_store::{Change, Commit, EntryFilter, NewSigner};
use serde_json::{Value, json};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const GREETING: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

/// A server with one tool of which no word tells what it does.
fn relay(ground: &Ground, tool: &str) -> Relay {
    let mut relay = ground.relay("toy");
    relay.from_host(INITIALIZE.into(), ground.now);
    relay.from_server(GREETING.into(), ground.now);
    list(&mut relay, tool, ground.now);
    relay
}

fn list(relay: &mut Relay, tool: &str, now: Timestamp) {
    relay.from_host(LIST.into(), now);
    let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tool}]}}}}"#);
    relay.from_server(answer.into_bytes(), now);
}

fn plain() -> String {
    let schema = json!({"type": "object", "properties": {"ticket_id": {"type": "string"}}});
    json!({"name": "zorblax", "inputSchema": schema}).to_string()
}

fn key() -> PrivateKey {
    PrivateKey::from_random(Algorithm::Ed25519, &[7; 32]).unwrap()
}

/// The tool, signed, with the claim that it only looks.
fn signed(at: Timestamp, expires: Option<Timestamp>) -> String {
    let nothing = Vec::new();
    let profile = Profile {
        effects: Effects::only(Effect::Read),
        inputs: Vec::new(),
        outputs: Vec::new(),
        scopes: nothing.clone(),
        entitlements: nothing,
    };
    let claims = Claims::new("acme.example", "acme.example/zorblax", "1.0.0".parse().unwrap(), at);
    let claims = Claims { profile: Some(profile), expires, ..claims };
    String::from_utf8(definition::sign(plain().as_bytes(), &claims, &key()).unwrap()).unwrap()
}

fn say(ground: &Ground, signer: NewSigner) {
    ground.store.commit(Commit::at(ground.now).change(Change::SetSigner(signer))).unwrap();
}

fn trust(ground: &Ground) {
    let all = Allowance { providers: vec!["*".to_owned()], tools: vec!["*".to_owned()] };
    say(ground, trusting(key().public(), "Acme", &all, "user"));
}

/// Calls the tool; says what the log has of the verdict: whose word counted, what was seen, and all reasons.
fn called(ground: &Ground, relay: &mut Relay, id: u64, now: Timestamp) -> (String, String, String) {
    let params = json!({"name": "zorblax", "arguments": {"ticket_id": format!("T-{id}")}});
    let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    relay.from_host(call.to_string().into_bytes(), now);
    let filter = EntryFilter { kind: Some(kind::VERDICT.to_owned()), ..EntryFilter::default() };
    let entries = ground.store.entries(&filter).unwrap();
    let body: Value = serde_json::from_str(&entries.last().unwrap().body).unwrap();
    let flows = &body["flows"][0];
    let seen =
        format!("{} from {} to {}", flows["effects"][0], flows["from"][0]["name"], flows["to"][0]["name"]);
    (body["profile"].as_str().unwrap().to_owned(), seen.replace('"', ""), body["findings"].to_string())
}

fn is_derived((profile, seen, reasons): &(String, String, String), id: u64) {
    assert_eq!((profile.as_str(), seen.as_str()), ("derived", &*format!("exec from ctxt to toy:T-{id}")));
    assert!(!reasons.contains("Acme signed"), "{reasons}");
}

fn is_declared((profile, seen, reasons): &(String, String, String), id: u64) {
    assert_eq!((profile.as_str(), seen.as_str()), ("declared", &*format!("read from toy:T-{id} to ctxt")));
    assert!(reasons.contains("declared in its definition, which Acme signed"), "{reasons}");
}

#[test]
fn a_declared_profile_counts_where_its_signer_is_trusted() {
    let ground = Ground::with(Unverified::Ask);
    trust(&ground);
    let mut relay = relay(&ground, &signed(ground.now, None));
    is_declared(&called(&ground, &mut relay, 7, ground.now), 7);
}

#[test]
fn an_unsigned_or_untrusted_profile_counts_for_nothing() {
    let ground = Ground::with(Unverified::Warn);
    let mut relay = relay(&ground, &plain());
    is_derived(&called(&ground, &mut relay, 2, ground.now), 2);
    // Nobody trusts this key, and the policy lets the tool be called nevertheless.
    let ground = Ground::with(Unverified::Warn);
    let mut relay = self::relay(&ground, &signed(ground.now, None));
    is_derived(&called(&ground, &mut relay, 3, ground.now), 3);
    // Trusted by now: a gateway that runs learns of it.
    trust(&ground);
    list(&mut relay, &signed(ground.now, None), ground.now);
    is_declared(&called(&ground, &mut relay, 4, ground.now), 4);
}

#[test]
fn a_declared_profile_ends_with_its_signature() {
    let ground = Ground::with(Unverified::Ask);
    trust(&ground);
    let end = ground.now + SignedDuration::from_hours(1);
    let mut relay = relay(&ground, &signed(ground.now, Some(end)));
    is_declared(&called(&ground, &mut relay, 2, ground.now), 2);
    // Nothing is listed and nothing changes: only the time is another.
    is_derived(&called(&ground, &mut relay, 3, end), 3);
}

#[test]
fn a_declared_profile_ends_when_its_key_is_revoked() {
    let ground = Ground::with(Unverified::Ask);
    trust(&ground);
    let mut relay = relay(&ground, &signed(ground.now, None));
    is_declared(&called(&ground, &mut relay, 2, ground.now), 2);
    say(&ground, revoking(key().public().id(), "Acme", None, "user"));
    is_derived(&called(&ground, &mut relay, 3, ground.now), 3);
}
