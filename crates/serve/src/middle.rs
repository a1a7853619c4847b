//! What decides between a host and its servers: a relay for one of them, a hub for several.

use jiff::Timestamp;
use portcullis_gateway::{Act, Hub, HubAct, Relay};
use portcullis_remote::Peer;

/// What stands between a host and its servers.
pub enum Middle {
    /// One server, shown as it is.
    One(Box<Relay>),
    /// Several servers, shown as one.
    Many(Box<Hub>),
}

impl Middle {
    pub(crate) fn host_says(&mut self, bytes: Vec<u8>, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.from_host(bytes, now)),
            Middle::Many(hub) => hub.from_host(bytes, now),
        }
    }

    pub(crate) fn server_says(&mut self, server: usize, bytes: Vec<u8>, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.from_server(bytes, now)),
            Middle::Many(hub) => hub.from_server(server, bytes, now),
        }
    }

    pub(crate) fn server_met(&mut self, server: usize, peer: &Peer, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.server_met(peer.key, &peer.issuer, now)),
            Middle::Many(hub) => hub.server_met(server, peer.key, &peer.issuer, now),
        }
    }

    pub(crate) fn server_ended(&mut self, server: usize, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.server_ended(now)),
            Middle::Many(hub) => hub.server_ended(server, now),
        }
    }

    pub(crate) fn server_awaited(&mut self, server: usize) {
        match self {
            Middle::One(relay) => relay.server_awaited(),
            Middle::Many(hub) => hub.server_awaited(server),
        }
    }

    pub(crate) fn server_restarted(&mut self, server: usize, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.server_restarted(now)),
            Middle::Many(hub) => hub.server_restarted(server, now),
        }
    }

    pub(crate) fn unreadable(
        &mut self,
        server: usize,
        head: &[u8],
        why: &str,
        now: Timestamp,
    ) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.unreadable(head, why, now)),
            Middle::Many(hub) => hub.unreadable(server, head, why, now),
        }
    }

    /// Writes what waits to be written.
    pub(crate) fn flush(&self, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.flush(now)),
            Middle::Many(hub) => hub.flush(now),
        }
    }

    pub(crate) fn tick(&mut self, now: Timestamp) -> Vec<HubAct> {
        match self {
            Middle::One(relay) => alone(relay.tick(now)),
            Middle::Many(hub) => hub.tick(now),
        }
    }

    /// Whether no request of the host is open.
    pub(crate) fn is_idle(&self) -> bool {
        match self {
            Middle::One(relay) => relay.is_idle(),
            Middle::Many(hub) => hub.is_idle(),
        }
    }

    pub(crate) fn is_waiting(&self) -> bool {
        match self {
            Middle::One(relay) => relay.is_waiting(),
            Middle::Many(hub) => hub.is_waiting(),
        }
    }
}

/// The acts of a relay whose server is the only one.
fn alone(acts: Vec<Act>) -> Vec<HubAct> {
    let act = |act| match act {
        Act::ToHost(bytes) => HubAct::ToHost(bytes),
        Act::ToServer(bytes) => HubAct::ToServer(0, bytes),
        Act::Call(permit, bytes) => HubAct::Call(0, permit, bytes),
        Act::Note(note) => HubAct::Note(note),
    };
    acts.into_iter().map(act).collect()
}
