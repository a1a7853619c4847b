//! What is guarded, and for whom.

use std::net::SocketAddr;

use crate::connection::Notes;
use crate::link::Target;
use crate::middle::Middle;

/// What is served at an address.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Endpoint {
    /// All servers, as one.
    All,
    /// One server, as it is.
    One(String),
}

/// Whose session a request belongs to, as the bridge tells; nothing of it if there is no bridge.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Who {
    /// The folder that is worked in.
    pub workspace: Option<String>,
    /// The program that started the bridge.
    pub host: Option<String>,
}

/// A host that was let in.
pub struct Opened {
    /// What decides.
    pub middle: Middle,
    /// Its servers.
    pub targets: Vec<Target>,
    /// Where notes go.
    pub notes: Notes,
}

/// Who knows the servers and lets hosts speak to them.
pub trait Guarded: Send + Sync {
    /// Whether there is something at this address.
    fn has(&self, endpoint: &Endpoint) -> bool;

    /// The program at the other end of a connection, if that can be found out.
    fn host_at(&self, peer: SocketAddr, own: SocketAddr) -> Option<String>;

    /// Lets a host speak to servers.
    ///
    /// # Errors
    /// If it cannot; the host is told why.
    fn open(&self, endpoint: &Endpoint, who: &Who) -> Result<Opened, String>;
}
