//! The server of the tests, for the official libraries to speak to: `provider anthropic STATUS…` answers one request with
//! each status and prints what it was asked as JSON, a line each, behind a line with its address. See `tests/end-to-end`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "as in a test"
)]

#[path = "../tests/wire/server.rs"]
#[allow(dead_code, reason = "the tests make it do worse things")]
mod server;

use serde_json::json;
use server::{Api, Reply, Server, error};

/// What a model says.
const TEXT: &str = "{\"rules\": []}";

fn main() {
    let mut words = std::env::args().skip(1);
    let api = match words.next().as_deref() {
        Some("anthropic") => Api::Anthropic,
        Some("openai") => Api::OpenAi,
        Some("ollama") => Api::Ollama,
        _ => panic!("which API: anthropic, openai or ollama?"),
    };
    let reply = |status: String| match status.parse().unwrap() {
        200 => Reply::Text(TEXT.to_owned()),
        status => Reply::Json(status, error(api, status, "no")),
    };
    let server = Server::start(api, words.map(reply).collect());
    println!("{}", server.url(api));
    for seen in server.seen() {
        let headers: Vec<&String> = seen.headers.keys().collect();
        println!("{}", json!({"path": seen.path, "headers": headers, "body": seen.body}));
    }
}
