//! Keys of servers against those under which their tools were approved.

use jiff::Timestamp;
use portcullis_identity::server::{ServerIdentity, TlsHold, TlsIdentity};
use portcullis_lattice::Decision;

use super::Guard;
use crate::server::Tools;

impl Guard {
    /// Whether the key of a server is to be pinned, and tools of it were approved, but none under the key that it has now.
    pub(crate) fn is_strange(&self, seat: &str, who: &ServerIdentity) -> bool {
        let ServerIdentity::Remote { url, tls: Some(now), hold: TlsHold::Pinned } = who else { return false };
        let accepted = self.book.ledger().tools(seat).filter_map(|(_, entry)| entry.accepted.as_ref());
        let certificates = accepted.filter_map(|accepted| match &accepted.server {
            ServerIdentity::Remote { url: known, tls, .. } if known == url => Some(tls.as_ref()),
            ServerIdentity::Remote { .. }
            | ServerIdentity::Package { .. }
            | ServerIdentity::Program { .. } => None,
        });
        let certificates: Vec<Option<&TlsIdentity>> = certificates.collect();
        !certificates.is_empty() && !certificates.iter().flatten().any(|known| known.key == now.key)
    }

    /// Whether a tool is called without anybody being asked about the tool.
    pub(crate) fn is_callable(&self, tools: &Tools, name: &str, now: Timestamp) -> bool {
        tools.looks(&self.book, now).standing(name).decision == Decision::Permit
    }
}
