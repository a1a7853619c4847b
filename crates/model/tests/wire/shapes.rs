//! Requests as the official libraries send them, answers as the real servers give them.

use portcullis_invariant::propose::{Ask, Prompt};
use portcullis_model::{Key, KeyringError, Secrets};
use serde_json::json;

use crate::server::{Api, Reply, Server};
use crate::{ALL, KEY, client};

fn prompt() -> Prompt {
    Prompt { system: "Answer in JSON.".into(), user: "{\"sentence\": \"“ü”\"}".into() }
}

#[test]
fn a_prompt_is_sent_as_each_api_wants_it_and_its_answer_read() {
    for api in ALL {
        let server = Server::start(api, vec![Reply::Text("{\"rules\": []}".into())]);
        let answer = client(api, &server).ask(&prompt()).unwrap();
        assert_eq!(answer, "{\"rules\": []}");
        let seen = server.seen().remove(0);
        let (user, system) = (prompt().user, prompt().system);
        let both = json!([{"role": "system", "content": system}, {"role": "user", "content": user}]);
        let (path, body) = match api {
            Api::Anthropic => (
                "/v1/messages",
                json!({
                    "model": "model-x", "max_tokens": 8192, "system": system,
                    "messages": [{"role": "user", "content": user}],
                }),
            ),
            Api::OpenAi => ("/v1/chat/completions", json!({"model": "model-x", "messages": both})),
            Api::Ollama => (
                "/api/chat",
                json!({"model": "model-x", "messages": both, "stream": false, "format": "json"}),
            ),
        };
        assert_eq!((seen.method.as_str(), seen.path.as_str()), ("POST", path));
        assert_eq!(seen.body, body);
        let header = |name: &str| seen.headers.get(name).map(String::as_str);
        assert_eq!(header("content-type"), Some("application/json"));
        let bearer = format!("Bearer {KEY}");
        match api {
            Api::Anthropic => {
                assert_eq!(header("x-api-key"), Some(KEY));
                assert_eq!(header("anthropic-version"), Some("2026-10-21"));
                assert_eq!(header("authorization"), None);
            }
            Api::OpenAi | Api::Ollama => assert_eq!(header("authorization"), Some(bearer.as_str())),
        }
    }
}

#[test]
fn an_answer_of_several_blocks_is_its_texts() {
    let content = json!([
        {"type": "thinking", "thinking": "hm", "signature": "x"},
        {"type": "text", "text": "{\"rules\""},
        {"type": "text", "text": ": []}"},
    ]);
    let answer =
        json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"});
    let server = Server::start(Api::Anthropic, vec![Reply::Json(200, answer)]);
    assert_eq!(client(Api::Anthropic, &server).ask(&prompt()).unwrap(), "{\"rules\": []}");
    server.seen();
}

#[test]
fn without_a_key_none_is_sent() {
    let server = Server::start(Api::Ollama, vec![Reply::Text("{}".into())]);
    let settings = portcullis_model::Settings {
        key_env: Some(String::new()),
        ..crate::settings(Api::Ollama, server.url(Api::Ollama))
    };
    let provider = settings.provider(&Nowhere).unwrap();
    portcullis_model::Client::new(provider).unwrap().ask(&prompt()).unwrap();
    assert_eq!(server.seen()[0].headers.get("authorization"), None);
}

/// Nobody may look here.
struct Nowhere;

impl Secrets for Nowhere {
    fn variable(&self, name: &str) -> Option<String> {
        panic!("`{name}` was read")
    }

    fn kept(&self, host: &str) -> Result<Key, KeyringError> {
        panic!("the keyring was asked for the key of `{host}`")
    }
}
