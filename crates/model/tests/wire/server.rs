//! A server on this machine that takes the requests of three APIs as the real ones do, refuses what these would refuse,
//! and answers in their forms. It answers as often as it is told to, and ends.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long it waits for a request, and for each part of one. Long, for it is only reached where nobody asks.
const LONGEST: Duration = Duration::from_secs(60);

/// Whose API it speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Api {
    Anthropic,
    OpenAi,
    Ollama,
}

/// What it answers to a request of the right form.
#[derive(Clone, Debug)]
pub(crate) enum Reply {
    /// A model's answer.
    Text(String),
    /// An answer in the API's own form, as it is.
    Json(u16, Value),
    /// These bytes behind the head.
    Raw(u16, Vec<u8>),
    /// A head that promises more than comes.
    CutOff,
    /// No end.
    Endless,
    /// Nothing, until the client has had enough.
    Silence,
    /// Go there instead.
    Elsewhere(String),
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

/// The server.
pub(crate) struct Server {
    address: SocketAddr,
    thread: JoinHandle<Vec<Seen>>,
}

impl Server {
    /// Answers one request with each reply.
    pub(crate) fn start(api: Api, replies: Vec<Reply>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let serve = move || {
            let answer = |reply| {
                let mut stream = accepted(&listener);
                let seen = read(&stream);
                match fault(api, &seen) {
                    Some(fault) => send(&mut stream, 400, error(api, 400, &fault).to_string().as_bytes()),
                    None => reply_with(api, reply, &mut stream),
                }
                seen
            };
            replies.into_iter().map(answer).collect()
        };
        Server { address, thread: std::thread::spawn(serve) }
    }

    /// Where it is, as users configure it.
    pub(crate) fn url(&self, api: Api) -> String {
        let path = if api == Api::OpenAi { "/v1" } else { "" };
        format!("http://{}{path}", self.address)
    }

    /// All requests, once all replies are used.
    pub(crate) fn seen(self) -> Vec<Seen> {
        self.thread.join().unwrap()
    }
}

/// The next client. A test whose program asks nobody fails, and does not wait for ever.
fn accepted(listener: &TcpListener) -> TcpStream {
    listener.set_nonblocking(true).unwrap();
    let began = Instant::now();
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).unwrap();
                stream.set_read_timeout(Some(LONGEST)).unwrap();
                stream.set_write_timeout(Some(LONGEST)).unwrap();
                return stream;
            }
            Err(error) if error.kind() != std::io::ErrorKind::WouldBlock => panic!("{error}"),
            Err(_) => assert!(began.elapsed() < LONGEST, "nobody asked"),
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn read(stream: &TcpStream) -> Seen {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    let mut words = line.split_whitespace().map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    Seen { method, path, headers, body: serde_json::from_slice(&body).unwrap_or(Value::Null) }
}

/// What is wrong with a request, by the manuals of the APIs.
fn fault(api: Api, seen: &Seen) -> Option<String> {
    let header = |name: &str| seen.headers.get(name).map(String::as_str).unwrap_or_default();
    let (path, keys): (&str, &[&str]) = match api {
        Api::Anthropic => ("/v1/messages", ANTHROPIC),
        Api::OpenAi => ("/v1/chat/completions", OPENAI),
        Api::Ollama => ("/api/chat", OLLAMA),
    };
    let has_bearer = header("authorization").starts_with("Bearer ");
    let body = seen.body.as_object();
    let unknown = body.and_then(|body| body.keys().find(|key| !keys.contains(&key.as_str())));
    let messages = seen.body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tokens = seen.body["max_tokens"].as_u64().unwrap_or(0);
    let faults = [
        (seen.method != "POST" || seen.path != path, "there is nothing at this place"),
        (
            !header("content-type").starts_with("application/json"),
            "content-type: application/json is required",
        ),
        (body.is_none(), "the body is no JSON object"),
        (unknown.is_some(), "extra inputs are not permitted"),
        (!seen.body["model"].is_string(), "model: field required"),
        (messages.is_empty() || !messages.iter().all(|one| is_message(api, one)), "messages: wrong form"),
        (api == Api::Anthropic && tokens == 0, "max_tokens: field required"),
        (
            api == Api::Anthropic && header("anthropic-version") != "2026-10-21",
            "anthropic-version: header is required",
        ),
        // Its manual has the one, its libraries send the other.
        (
            api == Api::Anthropic && header("x-api-key").is_empty() && !has_bearer,
            "x-api-key header is required",
        ),
        (api == Api::OpenAi && !has_bearer, "you didn't provide an API key"),
        (api == Api::Ollama && seen.body["stream"] != json!(false), "a stream was asked for"),
    ];
    faults.iter().find(|(is_wrong, _)| *is_wrong).map(|(_, fault)| (*fault).to_owned())
}

const ANTHROPIC: &[&str] = &[
    "model",
    "max_tokens",
    "messages",
    "system",
    "metadata",
    "stop_sequences",
    "stream",
    "thinking",
    "tool_choice",
    "tools",
    "service_tier",
    "cache_control",
    "container",
    "diagnostics",
    "inference_geo",
    "output_config",
    "speed",
    "user_profile_id",
    "workspace_id",
];
const OPENAI: &[&str] = &[
    "model",
    "messages",
    "temperature",
    "top_p",
    "n",
    "stop",
    "stream",
    "max_tokens",
    "max_completion_tokens",
    "response_format",
    "seed",
    "user",
    "tools",
    "tool_choice",
    "presence_penalty",
    "frequency_penalty",
];
const OLLAMA: &[&str] = &["model", "messages", "stream", "format", "options", "keep_alive", "tools", "think"];

fn is_message(api: Api, message: &Value) -> bool {
    let roles: &[&str] = match api {
        Api::Anthropic => &["user", "assistant"],
        Api::OpenAi => &["system", "developer", "user", "assistant"],
        Api::Ollama => &["system", "user", "assistant", "tool"],
    };
    let is_text = |block: &Value| block["type"] == "text" && block["text"].is_string();
    let blocks = message["content"].as_array();
    let has_content =
        message["content"].is_string() || blocks.is_some_and(|blocks| blocks.iter().all(is_text));
    message["role"].as_str().is_some_and(|role| roles.contains(&role)) && has_content
}

fn reply_with(api: Api, reply: Reply, stream: &mut TcpStream) {
    match reply {
        Reply::Text(text) => send(stream, 200, answer(api, &text).to_string().as_bytes()),
        Reply::Json(status, body) => send(stream, status, body.to_string().as_bytes()),
        Reply::Raw(status, body) => send(stream, status, &body),
        Reply::CutOff => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4000\r\n\r\n{\"content\"";
            stream.write_all(head.as_bytes()).unwrap();
        }
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
            let piece = format!("1000\r\n{}\r\n", " ".repeat(0x1000));
            // Ends when the client hangs up.
            while stream.write_all(piece.as_bytes()).is_ok() {}
        }
        Reply::Silence => {
            let _ = stream.read(&mut [0; 1]);
        }
        Reply::Elsewhere(place) => {
            let head =
                format!("HTTP/1.1 307 Temporary Redirect\r\nlocation: {place}\r\ncontent-length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
        }
    }
}

fn send(stream: &mut TcpStream, status: u16, body: &[u8]) {
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    // A client that has left already has seen enough.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

/// A model's answer in the form of an API.
pub(crate) fn answer(api: Api, text: &str) -> Value {
    match api {
        Api::Anthropic => json!({
            "id": "msg_013Zva2CMHLNnXjNJJKqJ2EF", "type": "message", "role": "assistant", "model": "claude-x",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "stop_sequence": null,
            "usage": {"input_tokens": 2095, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 503},
        }),
        Api::OpenAi => json!({
            "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT", "object": "chat.completion", "created": 1741569952,
            "model": "gpt-x", "service_tier": "default", "system_fingerprint": null,
            "choices": [{
                "index": 0, "logprobs": null, "finish_reason": "stop",
                "message": {"role": "assistant", "content": text, "refusal": null, "annotations": []},
            }],
            "usage": {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29},
        }),
        Api::Ollama => json!({
            "model": "llama-x", "created_at": "2026-03-06T18:40:00.123Z", "done": true, "done_reason": "stop",
            "message": {"role": "assistant", "content": text},
            "total_duration": 5191566416_i64, "load_duration": 2154458, "prompt_eval_count": 26, "eval_count": 298,
        }),
    }
}

/// An error in the form of an API.
pub(crate) fn error(api: Api, status: u16, message: &str) -> Value {
    let kind = match status {
        401 => "authentication_error",
        429 => "rate_limit_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    };
    match api {
        Api::Anthropic => json!({
            "type": "error", "error": {"type": kind, "message": message}, "request_id": "req_011CSHoEeqs5C35K2UUqR7Fy",
        }),
        Api::OpenAi => json!({"error": {"message": message, "type": kind, "param": null, "code": null}}),
        Api::Ollama => json!({"error": message}),
    }
}
