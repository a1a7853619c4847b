//! What was approved, what was blocked and what was seen. Plain data, which a store keeps.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Standing;
use super::evidence::{Evidence, Seal};
use super::judge::{Judged, Judgement, Offer};
use crate::hash::ContentHash;
use crate::names::Neighbourhood;
use crate::server::ServerIdentity;

/// How many tools of one server are remembered that nobody has approved or blocked: a server may list new names forever.
const MOST_SEEN: usize = 4096;

/// What was approved, by server and tool.
///
/// A server stands under what the user calls it, or what stands for that; never under what it calls itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ledger {
    seats: BTreeMap<String, Seat>,
}

/// The tools of one server.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    tools: BTreeMap<String, Entry>,
}

/// What is known of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What was approved last.
    pub accepted: Option<Accepted>,
    /// Whether the user blocked it.
    pub is_blocked: bool,
    /// What was seen last. It decides nothing; it saves reading the same bytes again.
    pub seen: Option<Sight>,
}

/// A definition that may be called as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    /// By whom.
    pub by: Acceptor,
    /// The hash of its bytes.
    pub raw: ContentHash,
    /// The hash of its canonical form.
    pub content: ContentHash,
    /// The canonical form, to tell later what changed.
    pub canonical: String,
    /// How it was signed.
    pub seal: Seal,
    /// Which server it was approved for.
    pub server: ServerIdentity,
}

/// Who accepted a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Acceptor {
    /// The user, who saw it.
    User,
    /// A signer whom the user trusts.
    Signer,
    /// A trust bundle, for as long as it lists the definition. What is kept says which server came with it first, and approves
    /// nothing by itself.
    Bundle,
}

impl Accepted {
    /// Whether it counts for a definition of which this is known.
    pub(super) fn counts(&self, evidence: &Evidence) -> bool {
        self.by != Acceptor::Bundle || matches!(evidence, Evidence::Listed { .. })
    }
}

/// What bytes mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sight {
    /// The hash of the bytes.
    pub raw: ContentHash,
    /// The hash of their canonical form.
    pub content: ContentHash,
}

/// Why something was not approved.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The tool is blocked.
    #[error("`{name}` is blocked; lift that first")]
    Blocked {
        /// Which.
        name: String,
    },
}

impl Ledger {
    /// What is known of a tool.
    pub fn entry(&self, seat: &str, name: &str) -> Option<&Entry> {
        self.seats.get(seat)?.tools.get(name)
    }

    /// The tools of a server that are known, in order.
    pub fn tools(&self, seat: &str) -> impl Iterator<Item = (&str, &Entry)> {
        let tools = self.seats.get(seat).into_iter().flat_map(|seat| &seat.tools);
        tools.map(|(name, entry)| (name.as_str(), entry))
    }

    /// The servers that are known, in order.
    pub fn seats(&self) -> impl Iterator<Item = &str> {
        self.seats.keys().map(String::as_str)
    }

    /// All tools that were approved, as neighbours of others.
    pub fn neighbourhood(&self) -> Neighbourhood {
        let mut around = Neighbourhood::default();
        for (seat, tools) in &self.seats {
            for (name, entry) in &tools.tools {
                if let Some(accepted) = &entry.accepted {
                    around.add(seat, &accepted.server, name);
                }
            }
        }
        around
    }

    /// Puts back what a store has kept of a tool.
    pub fn restore(&mut self, seat: &str, name: &str, entry: Entry) {
        *self.entry_mut(seat, name) = entry;
    }

    /// Approves what was offered, and nothing else: if the server lists something else by now, that is not approved.
    ///
    /// # Errors
    /// If the tool is blocked.
    pub fn approve(&mut self, offer: Offer) -> Result<(), LedgerError> {
        let entry = self.entry_mut(&offer.seat, &offer.name);
        if entry.is_blocked {
            return Err(LedgerError::Blocked { name: offer.name });
        }
        entry.accepted = Some(offer.accepted);
        Ok(())
    }

    /// Blocks a tool, whatever it is and becomes.
    pub fn block(&mut self, seat: &str, name: &str) {
        self.entry_mut(seat, name).is_blocked = true;
    }

    /// Lifts a block. What was approved before counts again.
    pub fn unblock(&mut self, seat: &str, name: &str) {
        self.entry_mut(seat, name).is_blocked = false;
    }

    /// Takes an approval back: the tool is new again.
    pub fn forget(&mut self, seat: &str, name: &str) {
        self.entry_mut(seat, name).accepted = None;
    }

    /// Keeps what was seen. Nothing is approved by it, save what a trusted signer vouches for. Which server came first with what
    /// a trust bundle lists is kept too.
    pub fn note(&mut self, judgement: &Judgement) {
        for judged in &judgement.tools {
            let vouched = accepted_by_others(judged, &judgement.server);
            let seat = self.seats.entry(judgement.seat.clone()).or_default();
            if vouched.is_none() && !seat.tools.contains_key(&judged.name) && seat.tools.len() >= MOST_SEEN {
                continue;
            }
            let entry = seat.tools.entry(judged.name.clone()).or_default();
            entry.seen = judged.sight.or(entry.seen);
            let is_only_listed = vouched.as_ref().is_some_and(|vouched| vouched.by == Acceptor::Bundle);
            let is_approved = entry.accepted.as_ref().is_some_and(|known| known.by != Acceptor::Bundle);
            if vouched.is_some() && !(is_only_listed && is_approved) {
                entry.accepted = vouched;
            }
        }
    }

    fn entry_mut(&mut self, seat: &str, name: &str) -> &mut Entry {
        self.seats.entry(seat.to_owned()).or_default().tools.entry(name.to_owned()).or_default()
    }
}

/// What is kept of a definition that a trusted signer vouches for, or that a trust bundle lists.
fn accepted_by_others(judged: &Judged, server: &ServerIdentity) -> Option<Accepted> {
    let (by, seal) = match (judged.standing, &judged.evidence) {
        (Standing::Verified, Evidence::Verified(vouch)) => {
            (Acceptor::Signer, Seal::Trusted(Box::new(vouch.clone())))
        }
        (Standing::Pinned, Evidence::Listed { .. }) => (Acceptor::Bundle, Seal::Absent),
        _ => return None,
    };
    let definition = judged.definition.as_ref()?;
    Some(Accepted {
        by,
        raw: definition.raw(),
        content: definition.content(),
        canonical: definition.canonical().to_owned(),
        seal,
        server: server.clone(),
    })
}
