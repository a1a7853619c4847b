//! How servers are reached: as child processes, or over HTTP.

mod child;
mod remote;

use std::sync::Weak;

use portcullis_gateway::child::Launch;
use portcullis_monitor::Permit;
use portcullis_remote::Address;

use crate::connection::Connection;

/// How a server is reached.
#[derive(Clone)]
pub enum Target {
    /// It is started.
    Command(Launch),
    /// It runs already.
    Address(Box<Address>),
}

/// A server that is reached, and started again if it ends. Whatever it says goes to its connection.
pub(crate) trait Link: Send + Sync {
    /// Sends what does nothing by itself. Waits for nobody.
    fn send(&self, message: Vec<u8>);

    /// Sends what was permitted; the permit is used up.
    fn call(&self, permit: Permit, message: Vec<u8>) {
        drop(permit);
        self.send(message);
    }

    /// Ends it. Waits for nobody.
    fn close(&self);

    /// Waits until it has ended.
    fn wait(&self);
}

impl Target {
    /// Reaches the server, as this one of its connection.
    pub(crate) fn link(self, server: usize, connection: Weak<Connection>) -> Box<dyn Link> {
        match self {
            Target::Command(launch) => Box::new(child::ChildLink::start(launch, server, connection)),
            Target::Address(address) => Box::new(remote::RemoteLink::start(*address, server, connection)),
        }
    }
}
