//! One file is one test: what a host and several servers say to the hub between them, and what each gets to hear.
//!
//! A file holds steps, one JSON object a line. `servers` comes first and names them; a server is meant by its place.
//! `met` does a whole handshake, with the capabilities that each server declares. `host` and `server` send a message (or
//! raw text); `to_host` and `to_server` name the next message that the other side must get; `nothing` says that nobody
//! gets anything more. What is expected is compared as a part: members that are not named may be there (`"absent"` says
//! that one must not), a text that begins and ends with `…` has to be contained, `"$name"` binds what stands there and has
//! to be the same afterwards. `exact_host` and `exact_server` compare bytes. Lines that begin with `#` say what is shown.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    reason = "a test fails by panicking, and says where"
)]
#![allow(clippy::disallowed_methods, reason = "it reads its cases")]

#[path = "support/matching.rs"]
mod matching;
#[path = "support/ground.rs"]
mod support;

use std::collections::VecDeque;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use matching::Bound;
use portcullis_gateway::{Given, Hub, HubAct, answer};
use portcullis_store::{Change, Commit, NewRule, QuestionFilter};
use serde::Deserialize;
use serde_json::{Value, json};

use support::{Ground, server};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Step {
    /// The servers, by their names; `files` is the one that the catalogue knows.
    Servers(Vec<String>),
    /// A hub of these servers cannot be, and this is a part of why.
    NoHub(Vec<String>, String),
    /// A rule of the user.
    Rule(String),
    /// The capabilities of each server: a handshake.
    Met(Vec<Value>),
    Host(Value),
    HostText(String),
    Server(usize, Value),
    ServerText(usize, String),
    ToHost(Value),
    ToServer(usize, Value),
    ExactHost(String),
    ExactServer(usize, String),
    /// So many pages, each with one tool of its number, of which the server never says that it is the last.
    Pages(usize, usize),
    /// Nobody gets anything more.
    Nothing,
    /// Somebody answers the open question at a terminal.
    Watch(String),
    /// So many seconds pass.
    Wait(i64),
    /// A server ends.
    Ended(usize),
    /// It is started again.
    Restarted(usize),
    /// A server says something that begins so and cannot be read.
    Unreadable(usize, String),
    /// Whether time has to be told to the hub.
    Waiting(bool),
    /// The kinds of entries in the audit log, the decision behind those of verdicts.
    Log(Vec<String>),
    /// A part of a note for whoever runs the gateway.
    Note(String),
}

struct Desk {
    ground: Ground,
    hub: Option<Hub>,
    now: Timestamp,
    to_host: VecDeque<Vec<u8>>,
    to_server: Vec<VecDeque<Vec<u8>>>,
    notes: Vec<String>,
    bound: Bound,
}

impl Desk {
    fn new() -> Desk {
        let ground = Ground::new();
        let now = ground.now;
        let bound = Bound([("$tools".to_owned(), tools())].into());
        let (to_host, to_server, notes) = (VecDeque::new(), Vec::new(), Vec::new());
        Desk { ground, hub: None, now, to_host, to_server, notes, bound }
    }

    fn act(&mut self, acts: Vec<HubAct>) {
        for act in acts {
            match act {
                HubAct::ToHost(bytes) => self.to_host.push_back(bytes),
                HubAct::ToServer(server, bytes) => self.to_server[server].push_back(bytes),
                HubAct::Call(server, permit, bytes) => {
                    drop(permit);
                    self.to_server[server].push_back(bytes);
                }
                HubAct::Note(note) => self.notes.push(note),
            }
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Servers(names) => {
                self.to_server = vec![VecDeque::new(); names.len()];
                self.hub = Some(self.ground.hub(&names).unwrap());
            }
            Step::NoHub(names, why) => {
                let told = self.ground.hub(&names).err().unwrap_or_default();
                assert!(told.contains(&why), "{told}");
            }
            Step::Rule(text) => self.add_rule(&text),
            Step::Met(capabilities) => self.meet(&capabilities),
            Step::Host(message) => {
                let message = self.bound.filled(message);
                self.host_says(message.to_string().into_bytes());
            }
            Step::HostText(text) => self.host_says(text.into_bytes()),
            Step::Server(server, message) => {
                let message = self.bound.filled(message);
                self.server_says(server, message.to_string().into_bytes());
            }
            Step::ServerText(server, text) => self.server_says(server, text.into_bytes()),
            Step::ToHost(expected) => {
                let next = self.next_to_host();
                self.bound.expect(&expected, &next, &self.notes);
            }
            Step::ToServer(server, expected) => {
                let next = self.next_to_server(server);
                self.bound.expect(&expected, &next, &self.notes);
            }
            Step::ExactHost(text) => assert_eq!(String::from_utf8_lossy(&self.next_to_host()), text),
            Step::ExactServer(server, text) => {
                assert_eq!(String::from_utf8_lossy(&self.next_to_server(server)), text);
            }
            Step::Pages(server, count) => self.pages(server, count),
            Step::Nothing => self.nothing(),
            Step::Watch(choice) => {
                let open = self.ground.store.questions(QuestionFilter::Open, self.now).unwrap();
                assert_eq!(open.len(), 1, "open questions");
                answer(&*self.ground.store, open[0].id, &choice, Given::AtTerminal, self.now).unwrap();
            }
            Step::Wait(seconds) => {
                self.now = self.now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
                self.then(|hub, now| hub.tick(now));
            }
            Step::Ended(server) => self.then(|hub, now| hub.server_ended(server, now)),
            Step::Restarted(server) => self.then(|hub, now| hub.server_restarted(server, now)),
            Step::Unreadable(server, head) => {
                self.then(|hub, now| hub.unreadable(server, head.as_bytes(), "it is too long", now));
            }
            Step::Waiting(expected) => {
                let hub = self.hub.as_ref().unwrap();
                // How a call ended is written soon, for which time has to be told once.
                assert!(hub.flush(self.now).is_empty());
                assert_eq!(hub.is_waiting(), expected);
            }
            Step::Log(expected) => assert_eq!(self.log(), expected),
            Step::Note(part) => {
                assert!(self.notes.iter().any(|note| note.contains(&part)), "{:#?}", self.notes)
            }
        }
    }

    fn meet(&mut self, capabilities: &[Value]) {
        let hello = json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
            "clientInfo": {"name": "t", "version": "1"}}});
        self.host_says(hello.to_string().into_bytes());
        for (server, capabilities) in capabilities.iter().enumerate() {
            let asked: Value = serde_json::from_slice(&self.next_to_server(server)).unwrap();
            assert_eq!(asked["method"], "initialize");
            let answer = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {
                "protocolVersion": "2025-11-25", "capabilities": capabilities,
                "serverInfo": {"name": "s", "version": "1"}}});
            self.server_says(server, answer.to_string().into_bytes());
        }
        let next = self.next_to_host();
        self.bound.expect(
            &json!({"id": "hello", "result": {"serverInfo": {"name": "portcullis"}}}),
            &next,
            &self.notes,
        );
        self.host_says(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#.to_vec());
        for server in 0..capabilities.len() {
            let next = self.next_to_server(server);
            self.bound.expect(&json!({"method": "notifications/initialized"}), &next, &self.notes);
        }
        self.nothing();
    }

    fn pages(&mut self, server: usize, count: usize) {
        for page in 0..count {
            let asked: Value = serde_json::from_slice(&self.next_to_server(server)).unwrap();
            let tool = json!({"name": format!("t{page}"), "inputSchema": {"type": "object"}});
            let answer = json!({"jsonrpc": "2.0", "id": asked["id"],
                "result": {"tools": [tool], "nextCursor": format!("after {page}")}});
            self.server_says(server, answer.to_string().into_bytes());
        }
    }

    fn nothing(&self) {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(self.to_host.front().map(text), None, "to the host");
        for (server, queue) in self.to_server.iter().enumerate() {
            assert_eq!(queue.front().map(text), None, "to server {server}");
        }
    }

    fn next_to_host(&mut self) -> Vec<u8> {
        let next = self.to_host.pop_front();
        next.unwrap_or_else(|| panic!("the host hears nothing: {:#?}", self.notes))
    }

    fn next_to_server(&mut self, server: usize) -> Vec<u8> {
        let next = self.to_server[server].pop_front();
        let heard = self.to_host.front().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        next.unwrap_or_else(|| panic!("server {server} hears nothing: {:#?} {heard:?}", self.notes))
    }

    fn add_rule(&mut self, text: &str) {
        let rule = NewRule {
            text: text.to_owned(),
            session: None,
            expires: None,
            uses: None,
            grantor: "user".to_owned(),
            reason: String::new(),
        };
        self.ground.store.commit(Commit::at(self.now).change(Change::AddRule(rule))).unwrap();
    }

    fn host_says(&mut self, bytes: Vec<u8>) {
        self.then(|hub, now| hub.from_host(bytes, now));
    }

    fn server_says(&mut self, server: usize, bytes: Vec<u8>) {
        self.then(|hub, now| hub.from_server(server, bytes, now));
    }

    fn then(&mut self, step: impl FnOnce(&mut Hub, Timestamp) -> Vec<HubAct>) {
        let hub = self.hub.as_mut().unwrap_or_else(|| panic!("a file begins with its servers"));
        let acts = step(hub, self.now);
        self.act(acts);
    }

    fn log(&self) -> Vec<String> {
        assert!(self.hub.as_ref().unwrap().flush(self.now).is_empty());
        matching::log(&*self.ground.store)
    }
}

/// The tools of the server of files, as it would list them.
fn tools() -> Value {
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    json!([
        {"name": "read_text_file", "description": "Read a file", "inputSchema": path},
        {"name": "list_directory", "description": "List a directory", "inputSchema": path},
    ])
}

fn scenario(path: &Path) -> datatest_stable::Result<()> {
    assert_eq!(server("files").catalogued.as_deref(), Some("filesystem"));
    let mut desk = Desk::new();
    matching::play(path, |step| desk.step(step))?;
    matching::verify(&*desk.ground.store);
    Ok(())
}

datatest_stable::harness! {
    { test = scenario, root = "tests/hub", pattern = r"\.jsonl$" },
}
