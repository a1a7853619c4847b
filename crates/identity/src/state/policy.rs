//! What may be done with a tool in its state.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Standing;
use super::ground::Ground;
use super::judge::Judged;
use crate::suspicion::Weight;

/// What the user or the organisation has settled about tools.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// What happens to tools that are neither verified nor pinned.
    pub unverified: Unverified,
    /// What happens to tools of which only the spelling changed.
    pub cosmetic: Cosmetic,
    /// Whose signatures count.
    pub trusted: BTreeSet<String>,
    /// Members of `_meta` that are no part of a definition, since their content is evidence.
    pub aside: BTreeSet<String>,
}

/// What happens to tools that are neither verified nor pinned.
///
/// The strictest comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unverified {
    /// New ones in which nothing dangerous was found can be called, each time with a record; the others as with `ask`.
    Warn,
    /// Before they can be called, the user is asked.
    #[default]
    Ask,
    /// They cannot be called.
    Block,
    /// They are not listed and cannot be called.
    Hide,
}

/// What happens to tools of which only the spelling changed.
///
/// The stricter comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cosmetic {
    /// They can be called, each time with a record. What was approved stays what it was.
    Pass,
    /// As to all that changed.
    #[default]
    Ask,
}

/// Why something may or may not be done with a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// The state of the tool.
    pub standing: Standing,
    /// Why it is in that state.
    pub grounds: Vec<Ground>,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grounds: Vec<String> = self.grounds.iter().map(Ground::to_string).collect();
        write!(formatter, "the tool is {}: {}", self.standing, grounds.join("; "))
    }
}

/// Whether a tool may be called. The strictest comes last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callable {
    /// It may.
    Allowed(Reason),
    /// It may, and that has to be recorded.
    Recorded(Reason),
    /// Only if the user approves the tool first.
    Ask(Reason),
    /// It may not.
    Refused(Reason),
}

/// Whether a tool may be called.
pub fn callable(judged: &Judged, policy: &Policy) -> Callable {
    let reason = Reason { standing: judged.standing, grounds: judged.grounds.clone() };
    let otherwise = match policy.unverified {
        Unverified::Hide | Unverified::Block => Callable::Refused,
        Unverified::Warn | Unverified::Ask => Callable::Ask,
    };
    match judged.standing {
        Standing::Verified | Standing::Pinned => {
            let has_moved = judged.grounds.iter().any(|ground| matches!(ground, Ground::ServerMoved { .. }));
            if has_moved { Callable::Recorded(reason) } else { Callable::Allowed(reason) }
        }
        Standing::New if policy.unverified == Unverified::Warn && !is_dangerous(judged) => {
            Callable::Recorded(reason)
        }
        Standing::Changed if policy.cosmetic == Cosmetic::Pass && is_cosmetic(judged) => {
            Callable::Recorded(reason)
        }
        Standing::New | Standing::Changed | Standing::Downgraded | Standing::Squatting => otherwise(reason),
        Standing::Invalid | Standing::Revoked => Callable::Refused(reason),
    }
}

fn is_dangerous(judged: &Judged) -> bool {
    judged.findings.iter().any(|finding| finding.weight() == Weight::Dangerous)
}

/// Whether nothing changed but spelling: not the server, not the signature.
fn is_cosmetic(judged: &Judged) -> bool {
    let is_harmless = |ground: &Ground| {
        matches!(
            ground,
            Ground::DefinitionChanged
                | Ground::SignerNotTrusted { .. }
                | Ground::Unproven { .. }
                | Ground::ServerMoved { .. }
        )
    };
    let weight = judged.difference.as_ref().and_then(|difference| difference.weight());
    weight == Some(Weight::Cosmetic) && judged.grounds.iter().all(is_harmless)
}

/// How a tool is listed to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// As the server served it.
    AsServed,
    /// By name alone, with a text of ours: what changed is not for the model before somebody has seen it.
    Withheld,
    /// Not at all.
    Hidden,
}

/// How a tool is listed to the host. A text acts on a model as soon as it is listed, not only when the tool is called.
pub fn shown(judged: &Judged, policy: &Policy) -> Shown {
    match (callable(judged, policy), judged.standing) {
        (Callable::Allowed(_) | Callable::Recorded(_), _) => Shown::AsServed,
        // Two definitions under one name cannot be listed as one, and what is revoked is gone.
        (_, Standing::Invalid | Standing::Revoked) => Shown::Hidden,
        _ if policy.unverified == Unverified::Hide => Shown::Hidden,
        (_, Standing::New) if !is_dangerous(judged) => Shown::AsServed,
        _ => Shown::Withheld,
    }
}
