//! Tools for which a trusted signer vouches.

use std::cmp::Ordering;

use super::super::Standing;
use super::super::evidence::{Seal, Vouch};
use super::super::ground::Ground;
use super::super::ledger::{Accepted, Ledger};
use super::Found;
use crate::hash::ContentHash;
use crate::server::ServerIdentity;

/// One of which nothing was approved. A signature is about a definition, and anybody can serve a copy of it.
pub(super) fn first(seat: &str, server: &ServerIdentity, ledger: &Ledger, vouch: &Vouch) -> Found {
    let is_it = |other: &Accepted| match &other.seal {
        Seal::Trusted(known) => (&known.signer, &known.tool_id) == (&vouch.signer, &vouch.tool_id),
        Seal::Absent | Seal::Untrusted { .. } | Seal::Refused => false,
    };
    match elsewhere(seat, server, ledger, is_it) {
        Some(seat) => (Standing::Squatting, vec![Ground::ServedElsewhere { seat }]),
        None => verified(vouch),
    }
}

/// Where another program serves something like this that was approved.
pub(super) fn elsewhere(
    seat: &str,
    server: &ServerIdentity,
    ledger: &Ledger,
    is_it: impl Fn(&Accepted) -> bool,
) -> Option<String> {
    let others = ledger.seats().filter(|other| *other != seat);
    let mut all = others.flat_map(|other| ledger.tools(other).map(move |(_, entry)| (other, entry)));
    let found = all.find(|(_, entry)| {
        let accepted = entry.accepted.as_ref();
        accepted.is_some_and(|other| is_it(other) && other.server.compare(server).is_another())
    });
    found.map(|(seat, _)| seat.to_owned())
}

/// One that was approved before.
pub(super) fn again(accepted: &Accepted, content: ContentHash, vouch: &Vouch) -> Found {
    let Seal::Trusted(known) = &accepted.seal else { return verified(vouch) };
    if known.signer != vouch.signer {
        let (old, new) = (known.signer.clone(), vouch.signer.clone());
        return (Standing::Changed, vec![Ground::SignerChanged { old, new }]);
    }
    if known.tool_id != vouch.tool_id {
        let (old, new) = (known.tool_id.clone(), vouch.tool_id.clone());
        return (Standing::Changed, vec![Ground::ToolIdChanged { old, new }]);
    }
    if let Some(issuer) = known.issuer.as_ref().filter(|issuer| vouch.issuer.as_ref() != Some(issuer)) {
        return (Standing::Changed, vec![Ground::VoucherGone { issuer: issuer.clone() }]);
    }
    // What is built differently is not another version: `1.0.0+a` and `1.0.0+b` are the same.
    match vouch.version.cmp_precedence(&known.version) {
        Ordering::Less => {
            let (approved, now) = (known.version.clone(), vouch.version.clone());
            return (Standing::Downgraded, vec![Ground::OlderVersion { approved, now }]);
        }
        Ordering::Equal if is_other(accepted, known, content, vouch) => {
            let version = vouch.version.clone();
            return (Standing::Invalid, vec![Ground::SameVersionOtherContent { version }]);
        }
        Ordering::Equal | Ordering::Greater => {}
    }
    let scopes: Vec<String> = vouch.scopes.difference(&known.scopes).cloned().collect();
    match scopes.is_empty() {
        true => verified(vouch),
        false => (Standing::Changed, vec![Ground::ScopesGrew { scopes }]),
    }
}

/// A version stands for a definition, its declared profile and its contract.
fn is_other(accepted: &Accepted, known: &Vouch, content: ContentHash, vouch: &Vouch) -> bool {
    accepted.content != content || known.profile != vouch.profile || known.contract != vouch.contract
}

fn verified(vouch: &Vouch) -> Found {
    let (signer, version) = (vouch.signer.clone(), vouch.version.clone());
    (Standing::Verified, vec![Ground::Signed { signer, version }])
}
