//! Any bytes as what servers, issuers and browsers say to somebody who logs in: reading ends, and nothing is believed that is not
//! about whoever says it.
#![no_main]

use std::sync::OnceLock;

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use portcullis_oauth::{
    Asked, Attempt, Authority, Chance, Client, Issuer, Login, Near, Protected, Redirect, Refusal, Scopes,
    ServerUrl, Tokens,
};

const METADATA: &[u8] =
    br#"{"issuer":"https://auth.example","authorization_endpoint":"https://auth.example/a",
    "token_endpoint":"https://auth.example/t","code_challenge_methods_supported":["S256"]}"#;
const RESOURCE: &[u8] =
    br#"{"resource":"https://mcp.example/mcp","authorization_servers":["https://auth.example"]}"#;

struct Ground {
    server: ServerUrl,
    issuer: Issuer,
    attempt: Attempt,
    state: String,
}

fn ground() -> &'static Ground {
    static GROUND: OnceLock<Ground> = OnceLock::new();
    GROUND.get_or_init(|| {
        let server = ServerUrl::read("https://mcp.example/mcp").expect("an address");
        let issuer = Issuer::read("https://auth.example", Near::Elsewhere).expect("an issuer");
        let authority = Authority::read(METADATA, &issuer).expect("metadata");
        let protected = Protected::read(RESOURCE, &server, server.url()).expect("a resource");
        let redirect = Redirect { port: 1 };
        let client = Client::registered(br#"{"client_id":"c"}"#, redirect).expect("a client");
        let asked = Asked { client, scopes: Scopes::default(), redirect };
        let attempt =
            Attempt::new(&authority, &protected, asked, &Chance { state: [0; 32], verifier: [0; 32] });
        Ground { server, issuer, attempt, state: "A".repeat(43) }
    })
}

fuzz_target!(|bytes: &[u8]| {
    let ground = ground();
    if let Ok(protected) = Protected::read(bytes, &ground.server, ground.server.url()) {
        let resource = ServerUrl::read(protected.resource().reveal()).expect("a resource is an address");
        assert_eq!(resource.url().origin(), ground.server.url().origin());
        assert!(
            protected
                .issuers()
                .iter()
                .all(|issuer| issuer.metadata_places().iter().all(|p| p.scheme() == "https"))
        );
    }
    if let Ok(authority) = Authority::read(bytes, &ground.issuer) {
        assert_eq!(authority.issuer().as_str(), "https://auth.example");
        assert_eq!(authority.authorization().scheme(), "https");
    }
    let now = Timestamp::UNIX_EPOCH;
    let _ = (Client::registered(bytes, Redirect { port: 1 }), Tokens::read(bytes, now), Refusal::read(bytes));
    if let Ok(login) = Login::read(bytes) {
        let text = login.write();
        let again = Login::read(text.reveal().as_bytes()).expect("what was written is read");
        assert_eq!(again.write().reveal(), text.reveal());
    }
    if let Ok(text) = str::from_utf8(bytes) {
        if ground.attempt.answer(text).is_ok() {
            let decoded: String = text.replace('%', "");
            assert!(text.contains(&ground.state) || decoded.len() < text.len());
        }
        if let Some(place) = ground.server.named_metadata_place(text) {
            assert_eq!(place.origin(), ground.server.url().origin());
        }
        let _ = Scopes::read(text);
    }
});
