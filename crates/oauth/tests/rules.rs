//! The rules of logging in: cases as data, and what holds for all of them.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test fails by panicking, and reads its cases"
)]

use jiff::{SignedDuration, Timestamp};
use portcullis_oauth::{
    Asked, Attempt, Authority, Chance, Client, Configured, Issuer, Login, Mismatch, Near, Protected,
    Redirect, Refusal, Scopes, ServerUrl, Standing, Tokens, Way, way,
};
use proptest::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases<C> {
    case: Vec<C>,
}

fn cases<C: DeserializeOwned>(name: &str) -> Vec<C> {
    let path = format!("{}/tests/cases/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    toml::from_str::<Cases<C>>(&std::fs::read_to_string(path).unwrap()).unwrap().case
}

/// Compares what came with what a case expects of it: an outcome to the letter, or a part of the reason.
fn compare(name: &str, came: Result<String, String>, good: Option<&String>, bad: Option<&String>) {
    match (came, good, bad) {
        (Ok(came), Some(good), None) => assert_eq!(&came, good, "{name}"),
        (Err(came), None, Some(bad)) => assert!(came.contains(bad), "{name}: {came}"),
        (came, _, _) => panic!("{name}: {came:?}"),
    }
}

fn now() -> Timestamp {
    "2026-11-16T00:00:00Z".parse().unwrap()
}

fn chance() -> Chance {
    Chance { state: [7; 32], verifier: [8; 32] }
}

fn protected(resource: &str, issuer: &str) -> Protected {
    let text = format!("{{\"resource\":\"{resource}\",\"authorization_servers\":[\"{issuer}\"]}}");
    let server = ServerUrl::read(resource).unwrap();
    Protected::read(text.as_bytes(), &server, server.url()).unwrap()
}

fn authority(issuer: &str, names_itself: bool) -> Authority {
    let text = format!(
        "{{\"issuer\":\"{issuer}\",\"authorization_endpoint\":\"{issuer}/auth\",\"token_endpoint\":\"{issuer}/token\",\
         \"revocation_endpoint\":\"{issuer}/revoke\",\"registration_endpoint\":\"{issuer}/reg\",\
         \"authorization_response_iss_parameter_supported\":{names_itself},\
         \"code_challenge_methods_supported\":[\"S256\"]}}"
    );
    Authority::read(text.as_bytes(), &Issuer::read(issuer, Near::Elsewhere).unwrap()).unwrap()
}

fn client() -> Client {
    Client::registered(b"{\"client_id\":\"c-1\",\"client_secret\":\"s-client\"}", Redirect { port: 9 })
        .unwrap()
}

fn attempt(names_itself: bool, chance: &Chance) -> Attempt {
    let authority = authority("https://auth.example", names_itself);
    let protected = protected("https://mcp.example/mcp", "https://auth.example");
    let asked =
        Asked { client: client(), scopes: Scopes::read("b a").unwrap(), redirect: Redirect { port: 9 } };
    Attempt::new(&authority, &protected, asked, chance)
}

fn login(server: &str, issuer: &str, body: &str) -> Login {
    let tokens = Tokens::read(body.as_bytes(), now()).unwrap();
    let asked = (client(), Scopes::read("asked").unwrap());
    let issuer_read = Issuer::read(issuer, Near::Elsewhere).unwrap();
    let server_read = ServerUrl::read(server).unwrap();
    Login::new(&server_read, &protected(server, issuer), &issuer_read, asked, tokens, now())
}

const BOTH: &str =
    r#"{"access_token":"t-access","token_type":"Bearer","expires_in":3600,"refresh_token":"t-refresh"}"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProtectedCase {
    name: String,
    server: String,
    /// Where they were found, if not at the server's own well-known place.
    place: Option<String>,
    metadata: String,
    believed: Option<String>,
    refused: Option<String>,
}

#[test]
fn a_server_is_believed_about_itself_alone() {
    for case in cases::<ProtectedCase>("protected") {
        let server = ServerUrl::read(&case.server).unwrap();
        let place =
            case.place.map_or_else(|| server.metadata_places()[0].clone(), |place| place.parse().unwrap());
        let came = Protected::read(case.metadata.as_bytes(), &server, &place);
        let came =
            came.map(|read| format!("{} at {} for {}", read.resource(), read.issuers()[0], read.scopes()));
        let came = came.map_err(|error| error.to_string());
        assert!(!format!("{came:?}").contains("secret"), "{came:?}");
        compare(&case.name, came, case.believed.as_ref(), case.refused.as_ref());
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AuthorityCase {
    name: String,
    issuer: String,
    metadata: String,
    known: Option<[String; 2]>,
    document: Option<String>,
    believed: Option<String>,
    refused: Option<String>,
}

#[test]
fn an_issuer_is_asked_as_it_says_of_itself() {
    for case in cases::<AuthorityCase>("authority") {
        let issuer = Issuer::read(&case.issuer, Near::Elsewhere).unwrap();
        let known = case.known.map(|[id, issuer]| (id, Issuer::read(&issuer, Near::Elsewhere).unwrap()));
        let configured = Configured { known, secret: None, document: case.document };
        let came = Authority::read(case.metadata.as_bytes(), &issuer).map_err(|error| error.to_string());
        let came = came.and_then(|read| {
            let found = match way(&read, &configured).map_err(|error| error.to_string())? {
                Way::Client(client) => format!("as {}", client.id()),
                Way::Register(place) => format!("register at {place}"),
            };
            Ok(format!("{}; {found}", read.authorization()))
        });
        compare(&case.name, came, case.believed.as_ref(), case.refused.as_ref());
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerCase {
    name: String,
    #[serde(default)]
    names_itself: bool,
    query: String,
    code: Option<String>,
    refused: Option<String>,
    never: Option<String>,
}

#[test]
fn an_answer_is_taken_if_it_is_to_this_question_by_this_issuer() {
    for case in cases::<AnswerCase>("answer") {
        let attempt = attempt(case.names_itself, &chance());
        let url = attempt.url();
        let state = url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        let came = attempt.answer(&case.query.replace("STATE", &state));
        let came = came.map(|answer| {
            let form = attempt.token_request(&answer);
            let body = form.body().reveal().to_owned();
            let code = url::form_urlencoded::parse(body.as_bytes()).find(|(name, _)| name == "code");
            code.unwrap().1.into_owned()
        });
        let came = came.map_err(|error| error.to_string());
        assert!(case.never.is_none_or(|never| !format!("{came:?}").contains(&never)), "{}", case.name);
        compare(&case.name, came, case.code.as_ref(), case.refused.as_ref());
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TokensCase {
    name: String,
    body: String,
    taken: Option<String>,
    refused: Option<String>,
}

#[test]
fn tokens_are_taken_as_the_issuer_says() {
    for case in cases::<TokensCase>("tokens") {
        let came = Tokens::read(case.body.as_bytes(), now()).map(|_| {
            let login = login("https://mcp.example/mcp", "https://auth.example", &case.body);
            let until = login.expires().map_or("good".to_owned(), |end| format!("until {end}"));
            let lasts = if login.lasts() { ", lasts" } else { "" };
            format!("{until}{lasts}, for {}", login.scopes())
        });
        let came = came.map_err(|error| error.to_string());
        compare(&case.name, came, case.taken.as_ref(), case.refused.as_ref());
    }
}

#[test]
fn the_challenge_is_that_of_rfc_7636() {
    let verifier = [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105,
        214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ];
    let attempt = attempt(false, &Chance { state: [0; 32], verifier });
    let url = attempt.url();
    let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
    let expected = [
        ("response_type", "code"),
        ("client_id", "c-1"),
        ("redirect_uri", "http://127.0.0.1:9/callback"),
        ("state", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ("code_challenge_method", "S256"),
        ("resource", "https://mcp.example/mcp"),
        ("scope", "a b"),
    ];
    assert_eq!(pairs, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let answer = attempt.answer("code=c&state=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA").unwrap();
    let form = attempt.token_request(&answer);
    assert_eq!(form.place().as_str(), "https://auth.example/token");
    assert!(form.body().reveal().contains("code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
    // `c-1:s-client`
    assert_eq!(form.authorization().unwrap().reveal(), "Basic Yy0xOnMtY2xpZW50");
}

#[test]
fn nothing_secret_is_printed() {
    let attempt = attempt(false, &chance());
    let state = attempt.url().query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let answer = attempt.answer(&format!("code=t-code&state={state}")).unwrap();
    let login = login("https://mcp.example/mcp", "https://auth.example", BOTH);
    let authority = authority("https://auth.example", false);
    let renewal = login.renewal(&protected("https://mcp.example/mcp", "https://auth.example"), &authority);
    let printed = format!(
        "{attempt:?} {answer:?} {:?} {login:?} {:?} {:?} {:?} {:?}",
        attempt.token_request(&answer),
        login.write(),
        login.revocations(&authority),
        login.standing(login.server().url(), now()),
        renewal.unwrap(),
    );
    for secret in ["t-code", "t-access", "t-refresh", "s-client", state.as_str(), "CAgICAgI"] {
        assert!(!printed.contains(secret), "{secret}: {printed}");
    }
}

#[test]
fn the_query_of_a_server_is_sent_and_not_shown() {
    let (one, other) = ("https://mcp.example/mcp?key=s-query", "https://mcp.example/mcp?key=s-other");
    let issuer = "https://auth.example";
    let (login, authority) = (login(one, issuer, BOTH), authority(issuer, false));
    let form = login.renewal(&protected(one, issuer), &authority).unwrap();
    assert!(form.body().reveal().contains("s-query"));
    let mismatch = login.check(&protected(other, issuer)).unwrap_err();
    assert!(matches!(mismatch, Mismatch::Resource { .. }));
    let shown =
        format!("{login:?} {} {:?} {mismatch} {mismatch:?}", login.resource(), protected(one, issuer));
    assert!(!shown.contains("s-query") && !shown.contains("s-other"), "{shown}");
    assert!(shown.contains("https://mcp.example/mcp"), "{shown}");
}

#[test]
fn a_token_is_renewed_before_it_ends_and_a_short_lived_one_is_used_first() {
    let at = |seconds: i64| now().checked_add(SignedDuration::from_secs(seconds)).unwrap();
    for (life, good, old) in [(3600, 3569, 3570), (40, 29, 30), (4, 2, 3)] {
        let body = BOTH.replace("3600", &life.to_string());
        let login = login("https://mcp.example/mcp", "https://auth.example", &body);
        let place = login.server().url();
        assert!(matches!(login.standing(place, at(good)), Standing::Good(_)), "{life}");
        assert!(matches!(login.standing(place, at(old)), Standing::Old), "{life}");
        assert!(login.until_its_end(place, at(life - 1)).is_some(), "{life}");
        assert!(login.until_its_end(place, at(life)).is_none(), "{life}");
        // What cannot be renewed is used to its end.
        let alone = login_without_refresh(life);
        assert!(matches!(alone.standing(place, at(life - 1)), Standing::Good(_)), "{life}");
        assert!(matches!(alone.standing(place, at(life)), Standing::Over), "{life}");
    }
}

fn login_without_refresh(life: i64) -> Login {
    let body = format!("{{\"access_token\":\"t-access\",\"token_type\":\"Bearer\",\"expires_in\":{life}}}");
    login("https://mcp.example/mcp", "https://auth.example", &body)
}

#[test]
fn an_issuer_that_rotates_takes_the_place_of_the_token_and_one_that_does_not_leaves_it() {
    let login = login("https://mcp.example/mcp", "https://auth.example", BOTH);
    let spent = |login: &Login| {
        let form = login.renewal(
            &protected("https://mcp.example/mcp", "https://auth.example"),
            &authority("https://auth.example", false),
        );
        form.unwrap().body().reveal().to_owned()
    };
    assert!(spent(&login).contains("refresh_token=t-refresh&resource=https%3A%2F%2Fmcp.example%2Fmcp"));
    let rotated = r#"{"access_token":"t-2","token_type":"Bearer","refresh_token":"t-next"}"#;
    let kept = r#"{"access_token":"t-2","token_type":"Bearer"}"#;
    for (body, expected) in [(rotated, "refresh_token=t-next"), (kept, "refresh_token=t-refresh")] {
        let renewed = login.renewed(Tokens::read(body.as_bytes(), now()).unwrap(), now());
        assert!(spent(&renewed).contains(expected));
        assert_eq!(renewed.scopes(), login.scopes());
        assert!(login.may_renew(now()) && !renewed.may_renew(now()));
    }
    let over = login.over();
    assert!(over.is_over() && matches!(over.standing(over.server().url(), now()), Standing::Over));
}

#[test]
fn a_refusal_is_final_where_only_a_person_can_help() {
    for (body, error, is_final) in [
        ("{\"error\":\"invalid_grant\",\"error_description\":\"x\"}", "invalid_grant", true),
        ("{\"error\":\"invalid_client\"}", "invalid_client", true),
        ("{\"error\":\"temporarily_unavailable\"}", "temporarily_unavailable", false),
        ("{\"error\":\"\\u001b[2J\"}", "?[2J", false),
        ("<html>", "", false),
    ] {
        let refusal = Refusal::read(body.as_bytes());
        assert_eq!((refusal.error.as_str(), refusal.is_final()), (error, is_final));
    }
}

fn host() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a.example", "b.example", "a.example:8443", "a.example/x", "a.example/x/y"])
        .prop_map(|host| format!("https://{host}"))
}

proptest! {
    #[test]
    fn a_refresh_token_is_shown_to_its_own_issuer_for_its_own_resource_alone(
        own in host(), named in host(), asked in host(), server in host(), resource in host(),
    ) {
        let login = login(&server, &own, BOTH);
        let came = login.renewal(&protected(&resource, &named), &authority(&asked, false));
        match came {
            Ok(form) => {
                prop_assert!(own == named && own == asked && server == resource);
                prop_assert_eq!(form.place().as_str(), format!("{own}/token"));
            }
            Err(Mismatch::Issuer { .. }) => prop_assert_ne!(own, named),
            Err(Mismatch::Resource { .. }) => prop_assert_ne!(server, resource),
            Err(Mismatch::NotItsOwn) => prop_assert_ne!(own, asked),
            Err(Mismatch::NoRefresh) => prop_assert!(false),
        }
    }

    #[test]
    fn what_is_revoked_is_shown_to_its_own_issuer_alone(own in host(), other in host()) {
        let forms = login("https://mcp.example/mcp", &own, BOTH).revocations(&authority(&other, false));
        prop_assert_eq!(forms.len(), if own == other { 2 } else { 0 });
    }

    #[test]
    fn a_token_is_for_its_own_server_alone(own in host(), other in host(), seconds in -1_000_000_i64..1_000_000) {
        let login = login(&own, "https://auth.example", BOTH);
        let at = now().checked_add(SignedDuration::from_secs(seconds)).unwrap();
        let place = ServerUrl::read(&other).unwrap();
        let is_given = matches!(login.standing(place.url(), at), Standing::Good(_));
        prop_assert!(!is_given || own == other);
    }

    #[test]
    fn what_is_kept_is_read_back(
        access in "[!-~]{1,40}", refresh in prop::option::of("[!-~]{1,40}"), life in prop::option::of(0_u64..100_000),
        server in host(), issuer in host(), roots in prop::option::of("[0-9a-f]{64}"),
    ) {
        let mut body = serde_json::json!({"access_token": access, "token_type": "Bearer"});
        if let Some(refresh) = &refresh {
            body["refresh_token"] = refresh.as_str().into();
        }
        if let Some(life) = life {
            body["expires_in"] = life.into();
        }
        let login = login(&server, &issuer, &body.to_string()).under(roots.as_deref());
        let text = login.write();
        let read = Login::read(text.reveal().as_bytes()).unwrap();
        let again = read.write();
        prop_assert_eq!(again.reveal(), text.reveal());
        prop_assert_eq!(read.access().unwrap().reveal(), access);
        prop_assert_eq!((read.lasts(), read.expires()), (refresh.is_some(), login.expires()));
        prop_assert_eq!(read.server(), login.server());
        prop_assert!(read.is_under(roots.as_deref()) && !read.is_under(Some("other")));
        prop_assert_eq!(read.is_under(None), roots.is_none());
    }

    #[test]
    fn no_answer_without_the_state_is_taken(query in "[a-z=&%0-9]{0,40}", state in "[A-Za-z0-9_-]{0,43}") {
        let attempt = attempt(false, &chance());
        prop_assert!(attempt.answer(&query).is_err());
        // The state of the attempt is 43 letters of its own.
        let came = attempt.answer(&format!("code=a&state={state}"));
        prop_assert_eq!(came.is_ok(), state == "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc");
    }

    #[test]
    fn reading_ends_on_any_text(text in ".{0,200}") {
        let server = ServerUrl::read("https://mcp.example/mcp").unwrap();
        let _ = Protected::read(text.as_bytes(), &server, server.url());
        let _ = Authority::read(text.as_bytes(), &Issuer::read("https://auth.example", Near::Elsewhere).unwrap());
        let _ = Client::registered(text.as_bytes(), Redirect { port: 1 });
        let _ = Tokens::read(text.as_bytes(), now());
        let _ = Login::read(text.as_bytes());
        let _ = ServerUrl::read(&text);
    }
}
