//! A session of user u with a store of its own, and hubs in it.
#![allow(dead_code, reason = "no test needs all of it")]

use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use portcullis_gateway::{Asking, Guard, Hub, Relay, Server, Settings};
use portcullis_monitor::Protected;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_store::{Durability, Key, Options, SessionKey, SqliteStore, Store};

/// A session and its store.
pub(crate) struct Ground {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) now: Timestamp,
    guard: Arc<Mutex<Guard>>,
    _folder: tempfile::TempDir,
}

impl Ground {
    pub(crate) fn new() -> Ground {
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
        Ground { store, now, guard: Arc::new(Mutex::new(guard)), _folder: folder }
    }

    /// A relay to a server of this name.
    pub(crate) fn relay(&self, name: &str) -> Relay {
        Relay::new(Arc::clone(&self.guard), server(name), Asking::HostFirst, 7).unwrap()
    }

    /// A hub of servers with these names.
    pub(crate) fn hub(&self, names: &[String]) -> Result<Hub, String> {
        Hub::new(names.iter().map(|name| self.relay(name)).collect(), 9)
    }
}

/// A server of this name. `files` is the one that the catalogue knows, whatever it is called; the others nobody knows.
pub(crate) fn server(name: &str) -> Server {
    let command: &[&str] = match name {
        "files" => &["npx", "-y", "@modelcontextprotocol/server-filesystem", "."],
        _ => &["toy"],
    };
    let mut command: Vec<String> = command.iter().map(|word| (*word).to_owned()).collect();
    if name != "files" {
        command.push(name.to_owned());
    }
    Server::started(&command, Some(name))
}
