//! Which definition may follow which.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use semver::Version;

use crate::digest::Digest;

/// One version of one tool, as a trusted signer or issuer states it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edition {
    /// Which tool.
    pub tool_id: String,
    /// Which version.
    pub version: Version,
    /// The hash of the definition.
    pub definition: Digest,
    /// The hash of what its provider says of it; nothing if only an issuer vouches for it.
    pub claims: Option<Digest>,
    /// The OAuth scopes that it is bound to.
    pub scopes: BTreeSet<String>,
}

/// How an offered definition follows the approved one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Succession {
    /// The same version with the same content.
    Same,
    /// A later version that asks for no more scopes.
    Newer,
    /// A later version, or the same, that asks for more scopes than were approved.
    Grown {
        /// Those that are new.
        scopes: Vec<String>,
    },
    /// The same version with other content: somebody changed it without saying so.
    Tampered,
    /// An older version than the approved one.
    Downgraded,
    /// Another tool altogether.
    Stranger,
}

/// How an offered definition follows the approved one. What weighs more is told first: another tool, an older version,
/// other content under the same version, more scopes.
///
/// Versions are ordered by their precedence. Two that differ only in build metadata are the same version, so that other
/// content cannot hide behind it. What a provider says is compared where both have it, so that a signature can be added to
/// what was vouched for. Whoever compares again and again compares with what was *approved*, not with what came last.
pub fn succession(approved: &Edition, offered: &Edition) -> Succession {
    if approved.tool_id != offered.tool_id {
        return Succession::Stranger;
    }
    let order = offered.version.cmp_precedence(&approved.version);
    match order {
        Ordering::Less => return Succession::Downgraded,
        Ordering::Equal if approved.is_other_content(offered) => return Succession::Tampered,
        Ordering::Equal | Ordering::Greater => {}
    }
    let scopes: Vec<String> = offered.scopes.difference(&approved.scopes).cloned().collect();
    match (scopes.is_empty(), order) {
        (false, _) => Succession::Grown { scopes },
        (true, Ordering::Greater) => Succession::Newer,
        (true, Ordering::Less | Ordering::Equal) => Succession::Same,
    }
}

impl Edition {
    fn is_other_content(&self, other: &Edition) -> bool {
        let said_otherwise = self.claims.zip(other.claims).is_some_and(|(one, other)| one != other);
        self.definition != other.definition || said_otherwise
    }
}

/// A range of versions by their precedence: from one on, before another. Unlike the requirements of package managers it
/// has the pre-releases in it, so that none escapes a revocation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VersionRange {
    /// The first in it; without it there is no first.
    pub from: Option<Version>,
    /// The first behind it; without it there is no end.
    pub before: Option<Version>,
}

impl VersionRange {
    /// Whether a version is in it.
    pub fn contains(&self, version: &Version) -> bool {
        let from = self.from.as_ref().is_none_or(|from| version.cmp_precedence(from).is_ge());
        let before = self.before.as_ref().is_none_or(|before| version.cmp_precedence(before).is_lt());
        from && before
    }
}
