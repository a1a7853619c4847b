//! Approvals as the store keeps them.

use portcullis_identity::ContentHash;
use portcullis_identity::definition::{Definition, DefinitionError};
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::state::{self as identity, Accepted, Acceptor, Entry, Seal};
use portcullis_seal::definition::MEMBER;
use portcullis_store::{Change, Digest, NewPin, NewSight, Pin, Sight, Store, StoreError, ToolKey};
use serde::{Deserialize, Serialize};

/// The members of `_meta` that are evidence for a definition and no part of it.
pub const ASIDE: [&str; 1] = [MEMBER];
/// How a pin stands that the user made.
pub const PINNED: &str = "pinned";
/// How a pin stands that a trusted signature made.
pub const VERIFIED: &str = "verified";
/// How a pin stands that only says which server came first with what a trust bundle lists. It approves nothing.
pub const LISTED: &str = "listed";
/// How a pin stands that keeps a tool from being called.
pub const BLOCKED: &str = "blocked";

/// What an approval rests on beside the definition.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Particulars {
    by: Acceptor,
    raw: ContentHash,
    seal: Seal,
    server: ServerIdentity,
}

/// Why a definition that was seen cannot be approved.
#[derive(Debug, thiserror::Error)]
pub enum PinError {
    /// It cannot be read.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// What was kept with it cannot be read.
    #[error("what is kept of the tool `{0}` cannot be read; start its server again")]
    Particulars(String),
}

/// What a pin says. One that cannot be read says nothing.
pub fn entry_of(pin: &Pin) -> Option<Entry> {
    let is_blocked = pin.state == BLOCKED;
    let particulars: Option<Particulars> = serde_json::from_str(&pin.particulars).ok();
    let accepted = particulars.map(|kept| Accepted {
        by: kept.by,
        raw: kept.raw,
        content: hash_of(pin.hash),
        canonical: pin.definition.clone(),
        seal: kept.seal,
        server: kept.server,
    });
    (is_blocked || accepted.is_some()).then_some(Entry { accepted, is_blocked, seen: None })
}

/// The pin that approves a definition that was seen, and no other.
///
/// # Errors
/// If what was kept of it cannot be read.
pub fn approval(sight: &Sight, approver: &str) -> Result<NewPin, PinError> {
    let definition = Definition::parse(sight.definition.as_bytes(), &ASIDE)?;
    let unreadable = || PinError::Particulars(sight.key.tool.clone());
    let kept: Particulars = serde_json::from_str(&sight.particulars).map_err(|_| unreadable())?;
    if digest_of(definition.content()) != sight.hash {
        return Err(unreadable());
    }
    let accepted = Accepted {
        by: Acceptor::User,
        raw: kept.raw,
        content: definition.content(),
        canonical: definition.canonical().to_owned(),
        seal: kept.seal,
        server: kept.server,
    };
    Ok(pin_of(&sight.key.server, &sight.key.tool, &accepted, approver))
}

/// The pin that keeps a tool from being called, whatever it is and becomes.
///
/// # Errors
/// If the store cannot be read.
pub fn block(store: &dyn Store, seat: &str, tool: &str, by: &str) -> Result<NewPin, StoreError> {
    let key = ToolKey { server: seat.to_owned(), tool: tool.to_owned() };
    let approved = store.pins_of(&key)?.into_iter().rev().find(|pin| pin.replaced.is_none());
    let (hash, definition, particulars) = match approved {
        Some(pin) => (pin.hash, pin.definition, pin.particulars),
        None => (Digest::new([0; 32]), "{}".to_owned(), "{}".to_owned()),
    };
    Ok(NewPin { key, hash, definition, state: BLOCKED.to_owned(), particulars, approver: by.to_owned() })
}

/// What has to be changed so that a tool is no longer blocked: what was approved before counts again. Nothing if it is not
/// blocked.
///
/// # Errors
/// If the store cannot be read.
pub fn lift(store: &dyn Store, seat: &str, tool: &str, by: &str) -> Result<Option<Change>, StoreError> {
    let key = ToolKey { server: seat.to_owned(), tool: tool.to_owned() };
    let pins = store.pins_of(&key)?;
    let Some(blocked) = pins.iter().find(|pin| pin.replaced.is_none() && pin.state == BLOCKED) else {
        return Ok(None);
    };
    let accepted = entry_of(blocked).and_then(|entry| entry.accepted);
    Ok(Some(match accepted {
        Some(accepted) => Change::Pin(pin_of(seat, tool, &accepted, by)),
        None => Change::Unpin { key, by: by.to_owned() },
    }))
}

/// An approval, to be kept.
pub(crate) fn pin_of(seat: &str, tool: &str, accepted: &Accepted, approver: &str) -> NewPin {
    let state = match accepted.by {
        Acceptor::User => PINNED,
        Acceptor::Signer => VERIFIED,
        Acceptor::Bundle => LISTED,
    };
    NewPin {
        key: ToolKey { server: seat.to_owned(), tool: tool.to_owned() },
        hash: digest_of(accepted.content),
        definition: accepted.canonical.clone(),
        state: state.to_owned(),
        particulars: particulars(accepted),
        approver: approver.to_owned(),
    }
}

/// Something that a server lists, to be kept: what it says, how it is signed, and who the server is.
pub(crate) fn sight_of(
    tool: &str,
    raw: &[u8],
    seen: identity::Sight,
    seal: Seal,
    server: &ServerIdentity,
) -> NewSight {
    let kept = Particulars { by: Acceptor::User, raw: seen.raw, seal, server: server.clone() };
    NewSight {
        tool: tool.to_owned(),
        hash: digest_of(seen.content),
        definition: String::from_utf8_lossy(raw).into_owned(),
        particulars: serde_json::to_string(&kept).unwrap_or_default(),
    }
}

/// How something came, but for its very bytes.
pub(crate) fn essence(particulars: &str) -> String {
    match serde_json::from_str::<Particulars>(particulars) {
        Ok(kept) => serde_json::to_string(&(kept.seal, kept.server)).unwrap_or_default(),
        Err(_) => particulars.to_owned(),
    }
}

/// Which server listed something, if that can be read.
pub(crate) fn identity_of(sight: &Sight) -> Option<ServerIdentity> {
    let kept: Particulars = serde_json::from_str(&sight.particulars).ok()?;
    Some(kept.server)
}

fn particulars(accepted: &Accepted) -> String {
    let Accepted { by, raw, seal, server, .. } = accepted.clone();
    serde_json::to_string(&Particulars { by, raw, seal, server }).unwrap_or_default()
}

fn digest_of(hash: ContentHash) -> Digest {
    Digest::new(*hash.bytes())
}

fn hash_of(digest: Digest) -> ContentHash {
    ContentHash::new(*digest.bytes())
}
