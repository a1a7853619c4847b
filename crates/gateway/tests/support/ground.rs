//! A session of user u with a store of its own, and hubs in it.
#![allow(dead_code, reason = "no test needs all of it")]

use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use portcullis_gateway::{Asking, Guard, Hub, Relay, Server, Settings, ToolPolicy, approval};
use portcullis_identity::state::Unverified;
use portcullis_monitor::Protected;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_store::{Change, Commit, Durability, Key, Options, SessionKey, SqliteStore, Store};

/// A session and its store.
pub(crate) struct Ground {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) now: Timestamp,
    guard: Arc<Mutex<Guard>>,
    folder: tempfile::TempDir,
}

impl Ground {
    /// One in which new tools are approved as soon as they are seen.
    pub(crate) fn new() -> Ground {
        Ground::with(Unverified::Warn)
    }

    pub(crate) fn with(unverified: Unverified) -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let store = open(folder.path());
        let now: Timestamp = "2026-11-15T10:00:00Z".parse().unwrap();
        let guard = guard(&store, now, unverified);
        Ground { store, now, guard: Arc::new(Mutex::new(guard)), folder }
    }

    /// The user approves every tool that any server lists, as it is.
    pub(crate) fn approve_all(&self) {
        let mut commit = Commit::at(self.now);
        for sight in self.store.sights(None).unwrap() {
            commit = commit.change(Change::Pin(approval(&sight, "user").unwrap()));
        }
        self.store.commit(commit).unwrap();
    }

    /// Another gateway of the same session, which has the store open by itself, as another process would.
    pub(crate) fn neighbour(&self) -> Guard {
        guard(&open(self.folder.path()), self.now, Unverified::Warn)
    }

    /// A relay to a server of this name.
    pub(crate) fn relay(&self, name: &str) -> Relay {
        self.relay_to(server(name))
    }

    pub(crate) fn relay_to(&self, server: Server) -> Relay {
        Relay::new(Arc::clone(&self.guard), server, Asking::HostFirst, 7).unwrap()
    }

    /// A hub of servers with these names.
    pub(crate) fn hub(&self, names: &[String]) -> Result<Hub, String> {
        Hub::new(names.iter().map(|name| self.relay(name)).collect(), 9)
    }
}

fn open(folder: &std::path::Path) -> Arc<dyn Store> {
    let options = Options { durability: Durability::Process, ..Options::default() };
    Arc::new(SqliteStore::open(&folder.join("s.db"), options).unwrap())
}

fn guard(store: &Arc<dyn Store>, now: Timestamp, unverified: Unverified) -> Guard {
    let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
    let protected = Protected::new(&["/home/u/p/.mcp.json"], &["portcullis"]).unwrap();
    let tools = ToolPolicy { unverified, ..ToolPolicy::default() };
    let settings = Settings { protected, tools, ..Settings::new(layout) };
    let who = SessionKey { workspace: "/home/u/p".into(), user: "u".into(), host: "h".into() };
    Guard::open(Arc::clone(store), Key::new([7; 32]), settings, who, &NoLinks, now).unwrap()
}

/// A server of this name. `files` and `filesystem` are the one that the catalogue knows; the others nobody knows.
pub(crate) fn server(name: &str) -> Server {
    let command: &[&str] = match name {
        "files" | "filesystem" => &["npx", "-y", "@modelcontextprotocol/server-filesystem", "."],
        _ => &["toy", name],
    };
    let command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    Server::started(&command, Some(name))
}
