//! One file is one test: what a host and a server say to the relay between them, and what each gets to hear.
//!
//! A file holds steps, one JSON object a line. `host` and `server` send a message (or raw `text`); `to_host` and
//! `to_server` name the next message that the other side must get; `nothing` says that neither gets anything more. What is
//! expected is compared as a part: members that are not named may be there, a text that begins and ends with `…` has to be
//! contained, `"$name"` binds what stands there and has to be the same afterwards. `exact` compares the bytes of what is
//! passed on with those that came. Lines that begin with `#` say what is shown.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by panicking, and says where"
)]
#![allow(clippy::disallowed_methods, reason = "it reads its cases")]

#[path = "support/ground.rs"]
mod ground;
#[path = "support/matching.rs"]
mod matching;
#[path = "support/trust.rs"]
mod trust;

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;

use ground::Ground;
use jiff::{SignedDuration, Timestamp};
use matching::Bound;
use portcullis_gateway::{Act, Given, Relay, Server, answer};
use portcullis_identity::ContentHash;
use portcullis_identity::server::TlsHold;
use portcullis_identity::state::Unverified;
use portcullis_perceive::layout::Layout;
use portcullis_store::{Change, Commit, NewInvariant, NewRule, QuestionFilter, ToolKey};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Step {
    /// A rule of the user.
    Rule(String),
    /// A server that is not in the catalogue.
    Server(Value),
    Host(Value),
    HostText(String),
    ServerText(String),
    ToHost(Value),
    ToServer(Value),
    /// The bytes that came last go on as they are, to the server or to the host.
    Exact(String),
    /// Neither gets anything more.
    Nothing,
    /// Somebody answers the open question at a terminal.
    Watch(String),
    /// Something is said about whose word counts.
    Trust(Value),
    /// Somebody signs a tool or vouches for it.
    Made(trust::Made),
    /// So many seconds pass.
    Wait(i64),
    /// A gateway begins anew, with a server at an address; what of its certificate has to stay.
    Remote(TlsHold),
    /// The server has a certificate with this key, of this issuer.
    Met(String, String),
    /// Who approved each tool, the latest last.
    Approved(BTreeMap<String, Vec<String>>),
    /// The server ends.
    Ended,
    /// It will be started again.
    Awaited,
    /// It was started again.
    Restarted,
    /// The kinds of entries in the audit log, from the first on, the decision behind those of verdicts.
    Log(Vec<String>),
    /// The same, without what waits to be written.
    Written(Vec<String>),
    /// A part of a note for whoever runs the gateway.
    Note(String),
}

struct Desk {
    ground: Ground,
    relay: Relay,
    now: Timestamp,
    to_host: VecDeque<Vec<u8>>,
    to_server: VecDeque<Vec<u8>>,
    notes: Vec<String>,
    last: Vec<u8>,
    bound: Bound,
}

impl Desk {
    fn new(unverified: Unverified) -> Desk {
        let ground = Ground::with(unverified);
        let (relay, now) = (ground.relay("filesystem"), ground.now);
        let (to_host, to_server, notes) = (VecDeque::new(), VecDeque::new(), Vec::new());
        let bound = Bound([("$tools".to_owned(), tools())].into());
        Desk { ground, relay, now, to_host, to_server, notes, last: Vec::new(), bound }
    }

    fn act(&mut self, acts: Vec<Act>) {
        for act in acts {
            match act {
                Act::ToHost(bytes) => self.to_host.push_back(bytes),
                Act::ToServer(bytes) => self.to_server.push_back(bytes),
                Act::Call(permit, bytes) => {
                    drop(permit);
                    self.to_server.push_back(bytes);
                }
                Act::Note(note) => self.notes.push(note),
            }
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Rule(text) => self.add_rule(&text),
            Step::Host(message) => {
                let message = self.bound.filled(message);
                self.host_says(message.to_string().into_bytes());
            }
            Step::HostText(text) => self.host_says(text.into_bytes()),
            Step::Server(message) => {
                let message = self.bound.filled(message);
                self.server_says(message.to_string().into_bytes());
            }
            Step::ServerText(text) => self.server_says(text.into_bytes()),
            Step::ToHost(expected) => {
                let next = self.to_host.pop_front();
                let next = next.unwrap_or_else(|| panic!("the host hears nothing: {:?}", self.notes));
                self.bound.expect(&expected, &next, &self.notes);
            }
            Step::ToServer(expected) => {
                let next = self.to_server.pop_front();
                let next = next.unwrap_or_else(|| {
                    panic!("the server hears nothing: {:?} {:?}", self.notes, self.heard())
                });
                self.bound.expect(&expected, &next, &self.notes);
            }
            Step::Exact(side) => {
                let queue = if side == "host" { &mut self.to_host } else { &mut self.to_server };
                let next = queue.pop_front().unwrap();
                assert_eq!(String::from_utf8_lossy(&next), String::from_utf8_lossy(&self.last));
            }
            Step::Nothing => {
                assert!(self.to_host.is_empty(), "{}", self.heard());
                let server = self.to_server.front().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                assert_eq!(server, None);
            }
            Step::Watch(choice) => self.watch(&choice),
            Step::Trust(said) => trust::say(self.bound.filled(said), &*self.ground.store, self.now),
            Step::Made(made) => {
                self.bound.0.insert(made.called.clone(), trust::made(&made, self.now));
            }
            Step::Wait(seconds) => {
                self.now = self.now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
                let acts = self.relay.tick(self.now);
                self.act(acts);
            }
            Step::Remote(hold) => self.begin_at_an_address(hold),
            Step::Met(key, issuer) => self.meet(&key, &issuer),
            Step::Approved(expected) => self.expect_approved(expected),
            Step::Ended => self.then(|relay, now| relay.server_ended(now)),
            Step::Awaited => self.relay.server_awaited(),
            Step::Restarted => self.then(|relay, now| relay.server_restarted(now)),
            Step::Log(expected) => assert_eq!(self.whole_log(), expected),
            Step::Written(expected) => assert_eq!(self.log(), expected),
            Step::Note(part) => {
                assert!(self.notes.iter().any(|note| note.contains(&part)), "{:?}", self.notes)
            }
        }
    }

    fn watch(&self, choice: &str) {
        let open = self.ground.store.questions(QuestionFilter::Open, self.now).unwrap();
        assert_eq!(open.len(), 1, "open questions");
        answer(&*self.ground.store, open.first().unwrap().id, choice, Given::AtTerminal, self.now).unwrap();
    }

    fn begin_at_an_address(&mut self, hold: TlsHold) {
        let server = Server::at("https://desk.example/mcp", Some("desk")).holding(hold);
        self.relay = self.ground.relay_to(server);
    }

    fn meet(&mut self, key: &str, issuer: &str) {
        let key = *ContentHash::of(key.as_bytes()).bytes();
        self.then(|relay, now| relay.server_met(key, issuer, now));
    }

    fn expect_approved(&self, expected: BTreeMap<String, Vec<String>>) {
        for (tool, approvers) in expected {
            let key = ToolKey { server: self.relay.server().name.clone(), tool };
            let pins = self.ground.store.pins_of(&key).unwrap();
            let found: Vec<String> = pins.into_iter().map(|pin| pin.approver).collect();
            assert_eq!(found, approvers, "{key:?}");
        }
    }

    fn then(&mut self, step: impl FnOnce(&mut Relay, Timestamp) -> Vec<Act>) {
        let acts = step(&mut self.relay, self.now);
        self.act(acts);
    }

    fn add_rule(&mut self, text: &str) {
        let change = match text.strip_prefix("invariant: ") {
            Some(sentence) => Change::AddInvariant(invariant(sentence)),
            None => Change::AddRule(NewRule {
                text: text.to_owned(),
                session: None,
                expires: None,
                uses: None,
                grantor: "user".to_owned(),
                reason: String::new(),
            }),
        };
        self.ground.store.commit(Commit::at(self.now).change(change)).unwrap();
    }

    fn host_says(&mut self, bytes: Vec<u8>) {
        self.last.clone_from(&bytes);
        let acts = self.relay.from_host(bytes, self.now);
        self.act(acts);
    }

    fn server_says(&mut self, bytes: Vec<u8>) {
        self.last.clone_from(&bytes);
        let acts = self.relay.from_server(bytes, self.now);
        self.act(acts);
    }

    fn heard(&self) -> String {
        self.to_host
            .iter()
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// The log with what waits to be written.
    fn whole_log(&self) -> Vec<String> {
        assert!(self.relay.flush(self.now).is_empty());
        self.log()
    }

    fn log(&self) -> Vec<String> {
        matching::log(&*self.ground.store)
    }
}

fn invariant(sentence: &str) -> NewInvariant {
    let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
    let mut hand = portcullis_invariant::Hand::new(&layout);
    for (server, entry) in portcullis_gateway::catalogue().unwrap().servers() {
        hand.add_catalogued(server, entry);
    }
    let stated = portcullis_invariant::Stated::read(sentence, &hand, 2026, 0).unwrap();
    let datalog = serde_json::to_string(&stated.written).unwrap();
    NewInvariant { sentence: sentence.to_owned(), datalog, author: "user".to_owned() }
}

/// The tools of the server, as it would list them.
fn tools() -> Value {
    let path = json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]});
    let write = json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
        "required": ["path", "content"],
    });
    json!([
        {"name": "read_text_file", "description": "Read a file", "inputSchema": path},
        {"name": "write_file", "description": "Write a file", "inputSchema": write},
        {"name": "list_directory", "description": "List a directory", "inputSchema": path},
    ])
}

fn scenario(path: &Path) -> datatest_stable::Result<()> {
    // Those about tools begin without any that is approved; in the others the first list is.
    let is_of_tools = path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with("tools_"));
    let mut desk = Desk::new(if is_of_tools { Unverified::Ask } else { Unverified::Warn });
    matching::play(path, |step| desk.step(step))?;
    matching::verify(&*desk.ground.store);
    Ok(())
}

datatest_stable::harness! {
    { test = scenario, root = "tests/relay", pattern = r"\.jsonl$" },
}
