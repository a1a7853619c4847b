//! Sessions that a gateway records in a store of its own.

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{
    Admission, Given, Guard, Request, Server, Settings, ToolPolicy, Tools, answer, kind,
};
use portcullis_identity::state::Unverified;
use portcullis_invariant::Stated;
use portcullis_lattice::{Lifetime, Rule};
use portcullis_monitor::Outcome;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_store::{
    Change, Commit, Durability, InvariantId, Key, NewEntry, NewInvariant, NewRule, Options, RuleFilter,
    RuleId, SessionId, SessionKey, SqliteStore, Standing, Store,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::opening::hand;

/// Something that happens in a session or after it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Step {
    /// A call: server and tool.
    pub(super) tool: Option<String>,
    pub(super) arguments: Option<toml::Table>,
    /// What is answered if it is asked about.
    pub(super) answer: Option<String>,
    /// What is decided, then what is decided once it was answered.
    pub(super) gets: Vec<String>,
    /// A rule that a command adds.
    pub(super) add: Option<String>,
    /// A rule that a command revokes.
    pub(super) revoke: Option<u64>,
    /// A sentence that a command states.
    pub(super) state: Option<String>,
    /// A sentence that a command removes.
    pub(super) remove: Option<u64>,
    /// The gateway is started anew, with settings that state this.
    pub(super) settings: Option<Vec<String>>,
    /// So many seconds pass.
    pub(super) wait: i64,
}

pub(super) struct Recording {
    pub(super) store: Arc<dyn Store>,
    guard: Guard,
    servers: Vec<Tools>,
    now: Timestamp,
    sentences: usize,
    _folder: tempfile::TempDir,
}

/// The servers of a session, with the tools that are called.
const SERVERS: &[(&str, &str, &[&str])] = &[
    (
        "files",
        "@modelcontextprotocol/server-filesystem",
        &["read_file", "write_file", "list_directory", "move_file"],
    ),
    ("gmail", "@gongrzhe/server-gmail-autoauth-mcp", &["send_email", "delete_email", "search_emails"]),
];

impl Recording {
    pub(super) fn new() -> Recording {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { durability: Durability::Process, ..Options::default() };
        let store: Arc<dyn Store> =
            Arc::new(SqliteStore::open(&folder.path().join("s.db"), options).unwrap());
        let now: Timestamp = "2026-11-15T10:00:00Z".parse().unwrap();
        let guard = guard(&store, Vec::new(), now);
        let servers = SERVERS.iter().map(|(name, package, tools)| {
            let command = ["npx", "-y", package].map(str::to_owned);
            let mut listed = Tools::new(Server::started(&command, Some(name))).unwrap();
            for tool in *tools {
                let definition = json!({"name": tool, "inputSchema": {"type": "object"}});
                listed.list(tool, &definition).unwrap();
            }
            listed
        });
        let servers = servers.collect();
        Recording { store, guard, servers, now, sentences: 0, _folder: folder }
    }

    pub(super) fn session(&self) -> SessionId {
        self.guard.id()
    }

    pub(super) fn play(&mut self, steps: &[Step]) {
        for step in steps {
            self.now = self.now.checked_add(SignedDuration::from_secs(step.wait)).unwrap();
            let decided = self.step(step);
            if !step.gets.is_empty() {
                assert_eq!(decided, step.gets, "{step:?}");
            }
        }
    }

    fn step(&mut self, step: &Step) -> Vec<&'static str> {
        if let Some(tool) = &step.tool {
            let arguments = serde_json::to_value(step.arguments.clone().unwrap_or_default()).unwrap();
            return self.call(tool, &arguments, step.answer.as_deref());
        }
        if let Some(text) = &step.add {
            self.add_rule(&text.parse().unwrap());
        }
        let rules = self.store.rules(RuleFilter::All).unwrap();
        let stands = |id: &u64| rules.iter().any(|rule| rule.id.number() == *id && rule.revoked.is_none());
        if let Some(id) = step.revoke.filter(stands) {
            let change = Change::RevokeRule { id: RuleId::new(id), by: "u".to_owned() };
            self.command(kind::RULE_REVOKED, &json!({"id": id.to_string(), "rule": ""}), change);
        }
        if let Some(sentence) = &step.state {
            self.state(sentence);
        }
        let sentences = self.store.invariants(Standing::Current).unwrap();
        if let Some(id) = step.remove.filter(|id| sentences.iter().any(|one| one.id.number() == *id)) {
            let change = Change::RemoveInvariant { id: InvariantId::new(id), by: "u".to_owned() };
            self.command(kind::INVARIANT_REMOVED, &json!({"id": id.to_string(), "sentence": ""}), change);
        }
        if let Some(sentences) = &step.settings {
            self.guard = guard(&self.store, sentences.clone(), self.now);
        }
        Vec::new()
    }

    /// A call, as a relay makes it: held while it is asked about, and made again once that is allowed.
    fn call(&mut self, tool: &str, arguments: &Value, given: Option<&str>) -> Vec<&'static str> {
        let (server, name) = tool.split_once('.').unwrap();
        let number = SERVERS.iter().position(|(known, _, _)| *known == server).unwrap();
        let tools = &self.servers[number];
        let request = Request { tools, tool: tools.tool(name).unwrap(), name, arguments };
        let mut decided = Vec::new();
        loop {
            match self.guard.admit(&request, self.now).unwrap() {
                Admission::Permitted(_, verdict) => {
                    self.guard.completed(&verdict, Outcome::Success, &[], self.now).unwrap();
                    decided.push("permit");
                    return decided;
                }
                Admission::Denied(_) => {
                    decided.push("deny");
                    return decided;
                }
                Admission::Asked(id, asked) => {
                    decided.push("ask");
                    // An answer that is not offered is none.
                    let chosen = asked.choices.iter().find(|choice| Some(choice.id.as_str()) == given);
                    let Some(chosen) = chosen.filter(|_| decided.len() < 2) else { return decided };
                    answer(&*self.store, id, &chosen.id, Given::AtTerminal, self.now).unwrap();
                    if !chosen.allows {
                        return decided;
                    }
                }
            }
        }
    }

    /// As `rules add` does it.
    fn add_rule(&self, rule: &Rule) {
        let plain = Rule { lifetime: Lifetime::Always, ..rule.clone() };
        let new = NewRule {
            text: plain.to_string(),
            session: None,
            expires: if let Lifetime::Until(end) = rule.lifetime { Some(end) } else { None },
            uses: (rule.lifetime == Lifetime::Once).then_some(1),
            grantor: "user".to_owned(),
            reason: String::new(),
        };
        let body = json!({"rule": rule.to_string(), "by": "u", "channel": "terminal"});
        self.command(kind::RULE_ADDED, &body, Change::AddRule(new));
    }

    fn state(&mut self, sentence: &str) {
        self.sentences += 1;
        let stated = stated(sentence, self.sentences);
        let new = NewInvariant {
            sentence: sentence.to_owned(),
            datalog: serde_json::to_string(&stated.written).unwrap(),
            author: "u".to_owned(),
        };
        let body = json!({"sentence": sentence, "datalog": stated.written.text, "by": "u"});
        self.command(kind::INVARIANT_ADDED, &body, Change::AddInvariant(new));
    }

    fn command(&self, kind: &str, body: &Value, change: Change) {
        let entry = NewEntry::new(kind, &body.to_string()).unwrap();
        self.store.commit(Commit::at(self.now).entry(entry).change(change)).unwrap();
    }

    /// An entry of the kind `verdict` that says this.
    pub(super) fn note(&self, body: &str) {
        let entry = NewEntry::new(kind::VERDICT, body).unwrap();
        self.store.commit(Commit::at(self.now).in_session(self.session()).entry(entry)).unwrap();
    }
}

fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    }
}

fn stated(sentence: &str, number: usize) -> Stated {
    Stated::read(sentence, &hand(&layout()).unwrap(), 2026, number).unwrap()
}

fn guard(store: &Arc<dyn Store>, sentences: Vec<String>, now: Timestamp) -> Guard {
    let stated = (500..).zip(&sentences).map(|(number, sentence)| stated(sentence, number)).collect();
    // What is replayed is about rules, so the tools may be called as they are.
    let tools = ToolPolicy { unverified: Unverified::Warn, ..ToolPolicy::default() };
    let settings = Settings { stated, tools, ..Settings::new(layout()) };
    let who = SessionKey { workspace: "/home/u/p".into(), user: "u".into(), host: "h".into() };
    Guard::open(Arc::clone(store), Key::new([7; 32]), settings, who, &NoLinks, now).unwrap()
}
