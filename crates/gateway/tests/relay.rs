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

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex};

use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{Act, Asking, Given, Guard, Relay, Server, Settings, answer};
use portcullis_monitor::Protected;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_store::{
    Change, Commit, Durability, Key, NewInvariant, NewRule, Options, QuestionFilter, SessionKey, SqliteStore,
    Store,
};
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
    /// So many seconds pass.
    Wait(i64),
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
    store: Arc<dyn Store>,
    relay: Relay,
    now: Timestamp,
    to_host: VecDeque<Vec<u8>>,
    to_server: VecDeque<Vec<u8>>,
    notes: Vec<String>,
    last: Vec<u8>,
    bound: BTreeMap<String, Value>,
    _folder: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { durability: Durability::Process, ..Options::default() };
        let store: Arc<dyn Store> =
            Arc::new(SqliteStore::open(&folder.path().join("s.db"), options).unwrap());
        let now: Timestamp = "2026-11-15T10:00:00Z".parse().unwrap();
        let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
        let protected = Protected::new(&["/home/u/p/.mcp.json"], &["portcullis"]).unwrap();
        let settings = Settings { protected, ..Settings::new(layout) };
        let who = SessionKey { workspace: "/home/u/p".into(), user: "u".into(), host: "h".into() };
        let guard = Guard::open(Arc::clone(&store), Key::new([7; 32]), settings, who, &NoLinks, now).unwrap();
        let command = ["npx", "-y", "@modelcontextprotocol/server-filesystem", "."].map(str::to_owned);
        let server = Server::started(&command, None);
        let relay = Relay::new(Arc::new(Mutex::new(guard)), server, Asking::HostFirst, 7).unwrap();
        let (to_host, to_server, notes) = (VecDeque::new(), VecDeque::new(), Vec::new());
        Desk {
            store,
            relay,
            now,
            to_host,
            to_server,
            notes,
            last: Vec::new(),
            bound: BTreeMap::new(),
            _folder: folder,
        }
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
                let message = self.filled(message);
                self.host_says(message.to_string().into_bytes());
            }
            Step::HostText(text) => self.host_says(text.into_bytes()),
            Step::Server(message) => {
                let message = self.filled(message);
                self.server_says(message.to_string().into_bytes());
            }
            Step::ServerText(text) => self.server_says(text.into_bytes()),
            Step::ToHost(expected) => {
                let next = self
                    .to_host
                    .pop_front()
                    .unwrap_or_else(|| panic!("the host hears nothing: {:?}", self.notes));
                self.expect(&expected, &next);
            }
            Step::ToServer(expected) => {
                let next = self.to_server.pop_front();
                let next = next.unwrap_or_else(|| {
                    panic!("the server hears nothing: {:?} {:?}", self.notes, self.heard())
                });
                self.expect(&expected, &next);
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
            Step::Watch(choice) => {
                let open = self.store.questions(QuestionFilter::Open, self.now).unwrap();
                assert_eq!(open.len(), 1, "open questions");
                answer(&*self.store, open.first().unwrap().id, &choice, Given::AtTerminal, self.now).unwrap();
            }
            Step::Wait(seconds) => {
                self.now = self.now.checked_add(SignedDuration::from_secs(seconds)).unwrap();
                let acts = self.relay.tick(self.now);
                self.act(acts);
            }
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
        self.store.commit(Commit::at(self.now).change(change)).unwrap();
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
        let entries = self.store.entries(&portcullis_store::EntryFilter::default()).unwrap();
        // That a session was opened is told before anything happens in it.
        let told = entries.into_iter().filter(|entry| entry.kind != "opened").map(|entry| {
            let body: Value = serde_json::from_str(&entry.body).unwrap();
            let word = ["decision", "outcome", "choice"].iter().find_map(|name| body.get(name)?.as_str());
            format!("{} {}", entry.kind, word.unwrap_or_default())
        });
        told.collect()
    }

    fn expect(&mut self, expected: &Value, bytes: &[u8]) {
        let found: Value = serde_json::from_slice(bytes).unwrap();
        if let Err(why) = self.is_part(expected, &found) {
            panic!("{why}\nexpected {expected}\nfound    {found}");
        }
    }

    fn is_part(&mut self, expected: &Value, found: &Value) -> Result<(), String> {
        match (expected, found) {
            (Value::Object(parts), Value::Object(whole)) => {
                parts.iter().try_for_each(|(key, part)| match (part, whole.get(key)) {
                    (Value::String(word), None) if word == "absent" => Ok(()),
                    (part, Some(value)) => self.is_part(part, value).map_err(|why| format!("{key}: {why}")),
                    (_, None) => Err(format!("{key} is missing")),
                })
            }
            (Value::Array(parts), Value::Array(whole)) if parts.len() == whole.len() => {
                parts.iter().zip(whole).try_for_each(|(part, value)| self.is_part(part, value))
            }
            (Value::String(text), _) if text.starts_with('$') => match self.bound.get(text) {
                Some(bound) if bound != found => Err(format!("{text} is {bound}")),
                Some(_) => Ok(()),
                None => {
                    self.bound.insert(text.clone(), found.clone());
                    Ok(())
                }
            },
            (Value::String(text), Value::String(whole)) if text.starts_with('…') => {
                let part = text.trim_matches('…');
                if whole.contains(part) { Ok(()) } else { Err(format!("`{part}` is not in `{whole}`")) }
            }
            (expected, found) if expected == found => Ok(()),
            (expected, found) => Err(format!("{expected} is not {found}")),
        }
    }

    /// A message with what was bound before put in.
    fn filled(&self, message: Value) -> Value {
        match message {
            Value::String(text) => match self.bound.get(&text) {
                Some(bound) => bound.clone(),
                None => Value::String(text),
            },
            Value::Array(items) => Value::Array(items.into_iter().map(|item| self.filled(item)).collect()),
            Value::Object(members) => {
                Value::Object(members.into_iter().map(|(key, value)| (key, self.filled(value))).collect())
            }
            other @ (Value::Null | Value::Bool(_) | Value::Number(_)) => other,
        }
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
    let mut desk = Desk::new();
    desk.bound.insert("$tools".to_owned(), tools());
    let text = std::fs::read_to_string(path)?;
    let mut steps = 0;
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let step = if line.trim() == "nothing" || matches!(line.trim(), "ended" | "awaited" | "restarted") {
            serde_json::from_value(Value::String(line.trim().to_owned()))
        } else {
            serde_json::from_str(line)
        };
        let step: Step = step.map_err(|error| format!("line {}: {error}", number + 1))?;
        let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| desk.step(step)));
        if let Err(cause) = told {
            eprintln!("{}, line {}: {line}", path.display(), number + 1);
            std::panic::resume_unwind(cause);
        }
        steps += 1;
    }
    assert!(steps > 1, "a scenario without steps");
    let verified = desk.store.verify(None, &mut |_| {}).unwrap();
    assert!(matches!(verified, portcullis_store::Verification::Whole { .. }), "{verified:?}");
    Ok(())
}

datatest_stable::harness! {
    { test = scenario, root = "tests/relay", pattern = r"\.jsonl$" },
}
