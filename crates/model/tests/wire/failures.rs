//! Whatever a server does, there is an answer or a clear error in time, and the key is in neither.

use portcullis_invariant::propose::{Ask, Prompt};
use serde_json::json;

use crate::server::{Api, Reply, Server, answer, error};
use crate::{ALL, KEY, client};

/// Asks a server once, and tells the error. Nothing of it has the key, which the server repeats wherever it can.
fn failure(api: Api, reply: Reply) -> String {
    let server = Server::start(api, vec![reply]);
    let mut client = client(api, &server);
    let prompt = Prompt { system: "s".into(), user: "u".into() };
    let error = client.ask(&prompt).unwrap_err();
    let told = format!("{error} {error:?} {error:#?} {:?}", client.provider());
    assert!(!told.contains(KEY), "{told}");
    drop(client);
    server.seen();
    error.to_string()
}

#[test]
fn an_error_of_the_server_is_told_by_its_number() {
    let expected = [
        (400, "`127.0.0.1` answered with 400"),
        (401, "`127.0.0.1` does not accept the key (401)"),
        (403, "`127.0.0.1` does not accept the key (403)"),
        (404, "`127.0.0.1` answered with 404: look at the address and at the name of the model"),
        (429, "`127.0.0.1` is asked too often, or the account is used up (429); try again later"),
        (500, "`127.0.0.1` answered with 500: it fails; try again later"),
        (529, "`127.0.0.1` answered with 529: it fails; try again later"),
    ];
    for (api, (status, told)) in ALL.into_iter().flat_map(|api| expected.map(|one| (api, one))) {
        let message = format!("Incorrect API key provided: {KEY}");
        assert_eq!(failure(api, Reply::Json(status, error(api, status, &message))), told, "{api:?}");
    }
}

#[test]
fn an_answer_that_is_none_is_refused() {
    let form = "the answer has not the form that this kind of provider answers in";
    for api in ALL {
        for body in ["", "null", "[]", "{}", "<html>", "{\"content\": \"", "\u{0}"] {
            let told = failure(api, Reply::Raw(200, body.as_bytes().to_vec()));
            assert!(told.starts_with(form), "{api:?} {body:?}: {told}");
        }
        let told = failure(api, Reply::Raw(200, vec![0xff; 64]));
        assert!(told.starts_with(form), "{told}");
        assert_eq!(failure(api, Reply::Text(String::new())), "the answer is empty");
        let echo = failure(api, Reply::Text(format!("{{\"rules\": [\"{KEY}\"]}}")));
        assert_eq!(echo, "the answer repeats the key of the provider; it is not used");
    }
}

#[test]
fn an_answer_without_an_end_or_with_less_than_it_promises_is_refused() {
    assert_eq!(failure(Api::Anthropic, Reply::Endless), "the answer is longer than 1048576 bytes");
    let told = failure(Api::Anthropic, Reply::CutOff);
    assert!(told.starts_with("`127.0.0.1` cannot be asked: "), "{told}");
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for_longer_than_is_said() {
    assert_eq!(failure(Api::OpenAi, Reply::Silence), "`127.0.0.1` did not answer in 1 seconds");
}

#[test]
fn no_redirection_is_followed() {
    // Somebody else, who would be sent the key.
    let other = Server::start(Api::OpenAi, Vec::new());
    for place in
        [other.url(Api::OpenAi), format!("https://elsewhere.example/{KEY}"), "/v1/chat/completions".into()]
    {
        let told = failure(Api::OpenAi, Reply::Elsewhere(place));
        assert_eq!(told, "`127.0.0.1` sends elsewhere (307), which is not followed; say the address itself");
    }
    assert!(other.seen().is_empty());
}

#[test]
fn nobody_listens() {
    let server = Server::start(Api::Ollama, Vec::new());
    let mut client = client(Api::Ollama, &server);
    server.seen();
    let told = client.ask(&Prompt { system: "s".into(), user: "u".into() }).unwrap_err().to_string();
    assert!(told.starts_with("`127.0.0.1` cannot be asked: "), "{told}");
}

#[test]
fn an_answer_that_was_cut_off_or_refused_is_none() {
    let with = |api: Api, pointer: &str, value: serde_json::Value| {
        let mut answer = answer(api, "{\"rules\": []}");
        *answer.pointer_mut(pointer).unwrap() = value;
        failure(api, Reply::Json(200, answer))
    };
    let cut = "the answer was cut off for its length";
    assert_eq!(with(Api::Anthropic, "/stop_reason", json!("max_tokens")), cut);
    assert_eq!(with(Api::OpenAi, "/choices/0/finish_reason", json!("length")), cut);
    assert_eq!(with(Api::Ollama, "/done_reason", json!("length")), cut);
    assert_eq!(with(Api::Ollama, "/done", json!(false)), cut);
    let refused = "the model refused to answer";
    assert_eq!(with(Api::Anthropic, "/stop_reason", json!("refusal")), refused);
    assert_eq!(with(Api::OpenAi, "/choices/0/message/refusal", json!("I can't")), refused);
    assert_eq!(with(Api::OpenAi, "/choices/0/finish_reason", json!("content_filter")), refused);
    assert_eq!(with(Api::OpenAi, "/choices", json!([])), "the answer is empty");
    assert_eq!(with(Api::OpenAi, "/choices/0/message/content", json!(null)), "the answer is empty");
    assert_eq!(with(Api::Anthropic, "/content", json!([])), "the answer is empty");
}
