//! Lets hosts speak to the servers that settings name, each in its session.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use portcullis_gateway::{Asking, Guard, Hub, Relay, Server, Wanted};
use portcullis_lattice::words;
use portcullis_login::Logins;
use portcullis_serve::{Endpoint, Guarded, Middle, Notes, Opened, Who};

use crate::failure::Failure;
use crate::gate::GateError;
use crate::host_streams;
use crate::logins::{self, Entrance};
use crate::opening::Opening;
use crate::places::Places;
use crate::servers::{ServerPart, check_name};
use crate::{sources, whose};

/// So many sessions are kept open for those who come back.
const MOST_SESSIONS: usize = 64;

/// Servers by name.
pub(crate) type Servers = BTreeMap<String, ServerPart>;

/// Who lets hosts in.
pub(crate) struct Desk {
    places: Places,
    servers: Servers,
    workspace: Option<PathBuf>,
    /// What is said behind `portcullis login NAME`, so that it finds the same settings.
    where_named: String,
    /// Where logins are kept.
    logins: Arc<Logins>,
    /// Sessions that hosts are in.
    sessions: Mutex<HashMap<Who, Session>>,
    /// Key sets that sessions ask for.
    wanted: Wanted,
}

/// A session that hosts are in.
#[derive(Clone)]
struct Session {
    guard: Arc<Mutex<Guard>>,
    asking: Asking,
    workspace: PathBuf,
}

impl Desk {
    /// Lets hosts speak to these servers.
    pub(crate) fn new(
        places: Places,
        servers: Servers,
        workspace: Option<PathBuf>,
        file: Option<&Path>,
    ) -> Result<Desk, Failure> {
        let where_named = file.map_or_else(String::new, |file| format!(" --config {}", file.display()));
        let logins = Arc::new(logins::kept(&places));
        let desk = Desk {
            places,
            servers,
            workspace,
            where_named,
            logins,
            sessions: Mutex::default(),
            wanted: Wanted::default(),
        };
        let here = desk.workspace.as_deref().unwrap_or(Path::new("."));
        for (name, part) in &desk.servers {
            let checked = check_name(name).and_then(|()| part.target(here, &desk.entrance(name)));
            checked
                .map_err(|error| GateError::Said(format!("the server `{}`: {error}", words::shown(name))))?;
        }
        // What is wrong with settings or store is said now, and not to the first host.
        let configured = desk.opening(&Who::default(), None, &[]).check()?;
        sources::attend(&desk.places, &desk.wanted, configured.bundles());
        Ok(desk)
    }

    /// How users come in to a server.
    fn entrance<'n>(&self, name: &'n str) -> Entrance<'n> {
        let command = format!("portcullis login {name}{}", self.where_named);
        Entrance { logins: Arc::clone(&self.logins), called: name, command }
    }

    /// The names of the servers.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.servers.keys().map(String::as_str)
    }

    /// The session of a host.
    fn session(&self, who: &Who) -> Result<Session, Failure> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = sessions.get(who) {
            return Ok(session.clone());
        }
        let approved: Vec<Server> = self
            .servers
            .iter()
            .filter(|(_, part)| part.approved)
            .map(|(name, part)| part.server(Some(name)))
            .collect();
        let told = who.workspace.as_ref().map(PathBuf::from);
        let opened = self.opening(who, told.as_deref(), &approved).open()?;
        let asking = opened.configured.asking();
        let session = Session { guard: opened.guard, asking, workspace: opened.workspace };
        // Those that nobody is in any more are opened again when somebody comes back; their state is in the store.
        if sessions.len() >= MOST_SESSIONS {
            sessions.retain(|_, session| Arc::strong_count(&session.guard) > 1);
        }
        sessions.insert(who.clone(), session.clone());
        Ok(session)
    }

    fn opening<'o>(&'o self, who: &Who, told: Option<&'o Path>, approved: &'o [Server]) -> Opening<'o> {
        Opening {
            places: &self.places,
            workspace: told.or(self.workspace.as_deref()),
            host: who.host.clone().unwrap_or_else(whose::own),
            approved: approved.iter().collect(),
            wanted: self.wanted.clone(),
        }
    }

    fn relay(&self, name: &str, part: &ServerPart, session: &Session) -> Result<Relay, String> {
        Relay::new(Arc::clone(&session.guard), part.server(Some(name)), session.asking, whose::nonce())
    }
}

impl Guarded for Desk {
    fn has(&self, endpoint: &Endpoint) -> bool {
        match endpoint {
            Endpoint::All => true,
            Endpoint::One(name) => self.servers.contains_key(name),
        }
    }

    fn host_at(&self, peer: SocketAddr, own: SocketAddr) -> Option<String> {
        whose::peer(peer, own)
    }

    fn open(&self, endpoint: &Endpoint, who: &Who) -> Result<Opened, String> {
        let session = self.session(who).map_err(|error| error.to_string())?;
        let servers = self.servers.iter().filter(|(name, _)| match endpoint {
            Endpoint::All => true,
            Endpoint::One(one) => one == *name,
        });
        let (mut relays, mut targets, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (name, part) in servers {
            relays.push(self.relay(name, part, &session)?);
            let target = part.target(&session.workspace, &self.entrance(name));
            targets.push(target.map_err(|error| error.to_string())?);
            names.push(name.as_str());
        }
        let notes = notes(names.join(","));
        let middle = match (endpoint, relays.pop()) {
            (Endpoint::One(_), Some(relay)) => Middle::One(Box::new(relay)),
            (Endpoint::All, Some(last)) => {
                relays.push(last);
                Middle::Many(Box::new(Hub::new(relays, whose::nonce())?))
            }
            (_, None) => return Err("there is no such server".to_owned()),
        };
        Ok(Opened { middle, targets, notes })
    }
}

fn notes(name: String) -> Notes {
    Arc::new(move |note| host_streams::note(&name, note))
}
