//! What servers listed last, judged by what is approved now: the same book and the same judge as where calls are decided.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::state::{Judged, NotOffered};
use portcullis_seal::TrustRoots;
use portcullis_store::{NewPin, Pin, Sight, Standing, Store, StoreError};

use crate::book::{Book, Wanted, identity_of, pin_of, trust_roots};
use crate::settings::ToolPolicy;

/// A server, and what is thought of the tools that it listed last.
pub struct Reviewed {
    /// What the user calls it.
    pub server: String,
    /// Who it was then. Nothing if it never listed anything that is still known.
    pub who: Option<ServerIdentity>,
    /// Its tools, by name.
    pub tools: Vec<ReviewedTool>,
    /// What was approved or blocked and is not listed any more.
    pub gone: Vec<Pin>,
}

/// A tool that a server listed last.
pub struct ReviewedTool {
    /// What is thought of it.
    pub judged: Judged,
    /// What was listed; the first, if several claim the name.
    pub listed: Sight,
    /// What was approved, or that it was blocked, as it stands now.
    pub pin: Option<Pin>,
}

/// What is thought of all tools that servers listed last. Signatures count by the keys of the store, and by those that are
/// stated besides.
///
/// # Errors
/// If the store cannot be read.
pub fn review(store: &dyn Store, stated: &TrustRoots, now: Timestamp) -> Result<Vec<Reviewed>, StoreError> {
    let version = store.policy_version()?;
    let pins = store.pins(Standing::Current)?;
    let sights = store.sights(None)?;
    let roots = trust_roots(store, stated, now)?;
    let book = Book::new(&pins, ToolPolicy::default(), roots, Wanted::default(), version);
    let mut pinned: BTreeMap<(String, String), Pin> = BTreeMap::new();
    for pin in pins {
        pinned.insert((pin.key.server.clone(), pin.key.tool.clone()), pin);
    }
    let mut listed: BTreeMap<String, Vec<Sight>> = BTreeMap::new();
    for sight in sights.into_iter().filter(|sight| sight.is_listed) {
        listed.entry(sight.key.server.clone()).or_default().push(sight);
    }
    let known = pinned.keys().map(|(server, _)| server.clone());
    let servers: BTreeSet<String> = listed.keys().cloned().chain(known).collect();
    let of = |server: String| {
        let sights = listed.remove(&server).unwrap_or_default();
        reviewed(server, sights, &mut pinned, &book, now)
    };
    Ok(servers.into_iter().map(of).collect())
}

fn reviewed(
    server: String,
    sights: Vec<Sight>,
    pinned: &mut BTreeMap<(String, String), Pin>,
    book: &Book,
    now: Timestamp,
) -> Reviewed {
    let who = sights.iter().find_map(identity_of);
    let mut tools = Vec::new();
    if let Some(who) = &who {
        let claim = |sight: &Sight| (sight.key.tool.clone(), sight.definition.clone().into_bytes());
        let claims: Vec<(String, Vec<u8>)> = sights.iter().map(claim).collect();
        for judged in book.judge(&server, who, &claims, now).0.tools {
            let Some(listed) = sights.iter().find(|sight| sight.key.tool == judged.name) else { continue };
            let pin = pinned.remove(&(server.clone(), judged.name.clone()));
            tools.push(ReviewedTool { listed: listed.clone(), pin, judged });
        }
    }
    let rest: Vec<(String, String)> = pinned.keys().filter(|(of, _)| *of == server).cloned().collect();
    let gone = rest.into_iter().filter_map(|key| pinned.remove(&key)).collect();
    Reviewed { server, who, tools, gone }
}

/// The pin that approves exactly what was judged.
///
/// # Errors
/// If there is nothing to approve.
pub fn approve(server: &str, judged: &Judged, approver: &str) -> Result<NewPin, NotOffered> {
    let offer = judged.offer()?;
    Ok(pin_of(server, &judged.name, offer.accepted(), approver))
}
