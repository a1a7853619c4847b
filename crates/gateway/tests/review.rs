//! What is told of tools that servers listed is what the gateway itself thinks of them, and it learns of keys while it runs.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "support/ground.rs"]
mod ground;

use ground::Ground;
use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{
    Act, Allowance, Given, Relay, answer, approve, block, kind, review, revoking, trusting,
};
use portcullis_identity::state::Unverified;
use portcullis_seal::{Algorithm, Claims, PrivateKey, TrustRoots, definition};
use portcullis_store::{Change, Commit, EntryFilter, NewSigner, QuestionFilter, Standing};
use serde_json::{Value, json};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const GREETING: &str = r#"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
const CALL: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{}}}"#;

fn relay(ground: &Ground) -> Relay {
    let mut relay = ground.relay("toy");
    relay.from_host(INITIALIZE.into(), ground.now);
    relay.from_server(GREETING.into(), ground.now);
    relay
}

/// The server lists these; says which names the host gets.
fn list(relay: &mut Relay, tools: &[String], now: Timestamp) -> Vec<String> {
    relay.from_host(LIST.into(), now);
    let answer = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{}]}}}}"#, tools.join(","));
    let heard = relay.from_server(answer.into_bytes(), now).into_iter().find_map(|act| match act {
        Act::ToHost(bytes) => Some(serde_json::from_slice::<Value>(&bytes).unwrap()),
        Act::ToServer(_) | Act::Call(..) | Act::Note(_) => None,
    });
    let tools = heard.unwrap()["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn tool(name: &str, description: &str) -> String {
    json!({"name": name, "description": description, "inputSchema": {"type": "object"}}).to_string()
}

fn states(ground: &Ground) -> Vec<(String, String)> {
    let reviewed = review(&*ground.store, &TrustRoots::default(), ground.now).unwrap();
    let tools = reviewed.into_iter().flat_map(|server| server.tools);
    tools.map(|tool| (tool.judged.name, tool.judged.standing.to_string())).collect()
}

fn is(name: &str, state: &str) -> (String, String) {
    (name.to_owned(), state.to_owned())
}

fn key() -> PrivateKey {
    PrivateKey::from_random(Algorithm::Ed25519, &[7; 32]).unwrap()
}

fn signed(raw: &str, version: &str, at: Timestamp) -> String {
    let claims = Claims::new("acme.example", "acme.example/a", version.parse().unwrap(), at);
    String::from_utf8(definition::sign(raw.as_bytes(), &claims, &key()).unwrap()).unwrap()
}

fn say(ground: &Ground, signer: NewSigner) {
    ground.store.commit(Commit::at(ground.now).change(Change::SetSigner(signer))).unwrap();
}

fn trust(ground: &Ground) {
    let all = Allowance { providers: vec!["*".to_owned()], tools: vec!["*".to_owned()] };
    say(ground, trusting(key().public(), "Acme", &all, "user"));
}

#[test]
fn what_claims_a_name_twice_or_changes_is_told_as_the_gateway_has_it() {
    let ground = Ground::with(Unverified::Ask);
    let mut relay = relay(&ground);
    assert!(states(&ground).is_empty());
    list(&mut relay, &[tool("a", "One."), tool("b", "One."), tool("b", "Another.")], ground.now);
    assert_eq!(states(&ground), [is("a", "new"), is("b", "invalid")]);

    let reviewed = review(&*ground.store, &TrustRoots::default(), ground.now).unwrap();
    let of = |name: &str| reviewed[0].tools.iter().find(|tool| tool.judged.name == name).unwrap();
    assert!(approve("toy", &of("b").judged, "user").is_err());
    let pin = approve("toy", &of("a").judged, "user").unwrap();
    // The server changes it between the look and the approval: what was seen is approved, and nothing else.
    list(&mut relay, &[tool("a", "Two.")], ground.now);
    ground.store.commit(Commit::at(ground.now).change(Change::Pin(pin))).unwrap();
    assert_eq!(states(&ground), [is("a", "changed")]);
    list(&mut relay, &[tool("a", "One.")], ground.now);
    assert_eq!(states(&ground), [is("a", "pinned")]);
    list(&mut relay, &[], ground.now);
    let reviewed = review(&*ground.store, &TrustRoots::default(), ground.now).unwrap();
    assert_eq!(reviewed[0].gone.iter().map(|pin| &*pin.key.tool).collect::<Vec<_>>(), ["a"]);
}

#[test]
fn a_running_gateway_learns_of_trusted_and_revoked_keys() {
    let ground = Ground::with(Unverified::Hide);
    let mut relay = relay(&ground);
    let tools = [signed(&tool("a", "One."), "1.0.0", ground.now)];
    assert_eq!(list(&mut relay, &tools, ground.now), Vec::<String>::new());
    assert_eq!(states(&ground), [is("a", "new")]);
    trust(&ground);
    assert_eq!(states(&ground), [is("a", "verified")]);
    assert_eq!(list(&mut relay, &tools, ground.now), ["a"]);
    say(&ground, revoking(key().public().id(), "Acme", None, "user"));
    assert_eq!(states(&ground), [is("a", "revoked")]);
    assert_eq!(list(&mut relay, &tools, ground.now), Vec::<String>::new());
    trust(&ground);
    assert_eq!(list(&mut relay, &tools, ground.now), ["a"]);
}

#[test]
fn who_signs_the_same_again_makes_no_news() {
    let ground = Ground::with(Unverified::Ask);
    trust(&ground);
    let mut relay = relay(&ground);
    let count = |of: &str| {
        let filter = EntryFilter { kind: Some(of.to_owned()), ..EntryFilter::default() };
        ground.store.entries(&filter).unwrap().len()
    };
    let plain = tool("a", "One.");
    for minutes in 0..3 {
        let at = ground.now - SignedDuration::from_mins(minutes);
        list(&mut relay, &[signed(&plain, "1.0.0", at)], ground.now);
        assert_eq!(states(&ground), [is("a", "verified")]);
        let kept = ground.store.sights(None).unwrap();
        assert!(kept[0].definition.contains(&at.to_string()), "the newest signature is kept");
    }
    assert_eq!((count(kind::TOOLS_LISTED), ground.store.pins(Standing::All).unwrap().len()), (1, 1));
    // That the signature is gone is news.
    list(&mut relay, &[plain], ground.now);
    assert_eq!((states(&ground), count(kind::TOOLS_LISTED)), (vec![is("a", "changed")], 2));
}

#[test]
fn a_question_of_before_does_not_lift_a_block() {
    let ground = Ground::with(Unverified::Ask);
    let mut relay = relay(&ground);
    list(&mut relay, &[tool("a", "One.")], ground.now);
    relay.from_host(CALL.into(), ground.now);
    let asked = ground.store.questions(QuestionFilter::Open, ground.now).unwrap();
    let blocked = block(&*ground.store, "toy", "a", "user").unwrap();
    ground.store.commit(Commit::at(ground.now).change(Change::Pin(blocked))).unwrap();

    let refused = answer(&*ground.store, asked[0].id, "approve-tool", Given::AtTerminal, ground.now);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "the tool a was blocked meanwhile; `portcullis tools block --lift` lifts that"
    );
    assert_eq!(states(&ground), [is("a", "revoked")]);
}
