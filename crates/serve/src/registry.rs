//! The connections that are open, and which of them a request belongs to.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::connection::Connection;
use crate::guarded::{Endpoint, Guarded, Who};

/// So many sessions are open at most.
const MOST_SESSIONS: usize = 1024;
/// A session that nobody used for so long is over.
const SESSION_IDLE: Duration = Duration::from_mins(30);
/// A connection without sessions that nobody used for so long is over; the next request opens another one.
const STATELESS_IDLE: Duration = Duration::from_mins(10);

/// The connections that are open.
#[derive(Default)]
pub(crate) struct Registry {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    sessions: HashMap<String, (Endpoint, Arc<Connection>)>,
    stateless: HashMap<(Endpoint, Who), Arc<Connection>>,
    /// Nothing is opened any more.
    is_over: bool,
}

/// Why no connection was opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("there are too many sessions; end some of them")]
    Full,
    #[error("this is being ended")]
    Over,
    #[error("no name for a session can be made: {0}")]
    Random(getrandom::Error),
    #[error("{0}")]
    Guard(String),
}

impl Registry {
    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session of this name.
    pub(crate) fn session(&self, name: &str, endpoint: &Endpoint) -> Option<Arc<Connection>> {
        let open = self.open();
        let (of, connection) = open.sessions.get(name)?;
        (of == endpoint).then(|| Arc::clone(connection))
    }

    /// Begins a session, and says how it is called.
    pub(crate) fn begin(
        &self,
        guarded: &dyn Guarded,
        endpoint: &Endpoint,
        who: &Who,
    ) -> Result<(String, Arc<Connection>), OpenError> {
        let name = random_name().map_err(OpenError::Random)?;
        if self.open().sessions.len() >= MOST_SESSIONS {
            return Err(OpenError::Full);
        }
        let opened = guarded.open(endpoint, who).map_err(OpenError::Guard)?;
        let mut open = self.open();
        if open.is_over {
            return Err(OpenError::Over);
        }
        // Within the lock: servers that run are always known to whoever ends everything.
        let connection = Connection::session(opened.middle, opened.targets, opened.notes);
        open.sessions.insert(name.clone(), (endpoint.clone(), Arc::clone(&connection)));
        Ok((name, connection))
    }

    /// The connection of whoever speaks without sessions.
    pub(crate) fn stateless(
        &self,
        guarded: &dyn Guarded,
        endpoint: &Endpoint,
        who: &Who,
    ) -> Result<Arc<Connection>, OpenError> {
        let key = (endpoint.clone(), who.clone());
        if let Some(connection) = self.open().stateless.get(&key) {
            return Ok(Arc::clone(connection));
        }
        // Outside of the lock, for it takes its time. Who comes second uses what the first has opened.
        let opened = guarded.open(endpoint, who).map_err(OpenError::Guard)?;
        let mut open = self.open();
        if open.is_over {
            return Err(OpenError::Over);
        }
        if let Some(connection) = open.stateless.get(&key) {
            return Ok(Arc::clone(connection));
        }
        if open.stateless.len() >= MOST_SESSIONS {
            return Err(OpenError::Full);
        }
        let connection = Connection::stateless(opened.middle, opened.targets, opened.notes);
        open.stateless.insert(key, Arc::clone(&connection));
        Ok(connection)
    }

    /// Ends a session, and says whether there was one.
    pub(crate) fn end(&self, name: &str, endpoint: &Endpoint) -> bool {
        let mut open = self.open();
        let is_here = open.sessions.get(name).is_some_and(|(of, _)| of == endpoint);
        let ended = is_here.then(|| open.sessions.remove(name)).flatten();
        drop(open);
        ended.inspect(|(_, connection)| connection.close()).is_some()
    }

    /// Ends what nobody uses any more.
    pub(crate) fn tidy(&self) {
        let is_left =
            |connection: &Connection, most: Duration| connection.idle().is_some_and(|idle| idle > most);
        let (sessions, stateless): (Vec<_>, Vec<_>) = {
            let open = self.open();
            let sessions = open.sessions.iter().map(|(name, (_, it))| (name.clone(), Arc::clone(it)));
            let stateless = open.stateless.iter().map(|(key, it)| (key.clone(), Arc::clone(it)));
            (sessions.collect(), stateless.collect())
        };
        // Outside of the lock: one that does not answer keeps nobody else.
        for (name, connection) in sessions {
            if is_left(&connection, SESSION_IDLE) {
                self.open().sessions.remove(&name);
                connection.close();
            }
        }
        for (key, connection) in stateless {
            if is_left(&connection, STATELESS_IDLE) {
                self.open().stateless.remove(&key);
                connection.close();
            }
        }
    }

    /// Ends everything, and waits for it.
    pub(crate) fn close(&self) {
        let open = std::mem::replace(&mut *self.open(), Open { is_over: true, ..Open::default() });
        let sessions = open.sessions.into_values().map(|(_, connection)| connection);
        let all: Vec<_> = sessions.chain(open.stateless.into_values()).collect();
        all.iter().for_each(|connection| connection.close());
        all.iter().for_each(|connection| connection.wait());
    }
}

/// A name that nobody can guess.
fn random_name() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    let mut name = String::with_capacity(32);
    for byte in bytes {
        // Writing to a string does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    Ok(name)
}
