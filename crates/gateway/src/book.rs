//! Which definitions of tools were approved, and what follows for those that a server lists now.
//!
//! The store keeps pins; [`Book`] is what the judge of the identity crate needs of them. A server's list is judged when it
//! comes, and again whenever approvals have changed.

mod declared;
mod looks;
mod pin;
mod roots;

use jiff::Timestamp;
use portcullis_identity::ContentHash;
use portcullis_identity::definition::Definition;
use portcullis_identity::names::Neighbourhood;
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::state::{Evidence, Evidences, Judgement, Ledger, Listing, Policy, Vouch, judge};
use portcullis_seal::definition::{Refused, Sealed, Standing, verify_bytes};
use portcullis_seal::{Digest as SealDigest, TrustRoots};
use portcullis_store::Pin;

use crate::settings::ToolPolicy;
pub(crate) use declared::Declared;
pub(crate) use looks::{Approvable, Looks};
pub use pin::{ASIDE, BLOCKED, PINNED, PinError, VERIFIED, approval, block, entry_of, lift};
pub(crate) use pin::{essence, identity_of, pin_of, sight_of};
pub use roots::{Allowance, revoking, trust_roots, trusted_key, trusting};

/// What was approved, by whose signatures, under which policy.
pub(crate) struct Book {
    ledger: Ledger,
    around: Neighbourhood,
    policy: Policy,
    roots: TrustRoots,
    /// Grows with every change of what was approved.
    version: u64,
}

impl Book {
    /// What these pins say. One that cannot be read approves nothing.
    pub(crate) fn new(pins: &[Pin], tools: ToolPolicy, roots: TrustRoots, version: u64) -> Book {
        let mut ledger = Ledger::default();
        for pin in pins {
            if let Some(entry) = entry_of(pin) {
                ledger.restore(&pin.key.server, &pin.key.tool, entry);
            }
        }
        let policy = Policy {
            unverified: tools.unverified,
            cosmetic: tools.cosmetic,
            trusted: roots.keys().map(|key| key.name.clone()).collect(),
            aside: ASIDE.iter().map(|&member| member.to_owned()).collect(),
        };
        Book { around: ledger.neighbourhood(), ledger, policy, roots, version }
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    pub(crate) fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Judges what a server lists, which is called so.
    pub(crate) fn judge(
        &self,
        seat: &str,
        who: &ServerIdentity,
        listed: &[(String, Vec<u8>)],
        now: Timestamp,
    ) -> Judgement {
        let mut listing = Listing::default();
        let mut evidence = Evidences::default();
        for (name, raw) in listed {
            listing.add(name.clone(), raw);
            let found = self.evidence(raw, now);
            if found != Evidence::Unsigned {
                evidence.insert(name.clone(), found);
            }
        }
        judge(seat, who, &listing, &self.ledger, &self.around, &evidence, &self.policy)
    }

    fn evidence(&self, raw: &[u8], now: Timestamp) -> Evidence {
        match verify_bytes(raw, &self.roots, now) {
            Ok(Standing::Sealed(sealed)) => vouch(raw, &sealed),
            Ok(_) => Evidence::Unsigned,
            // Nobody can say whether it is right: as good as none.
            Err(refused) if refused.word() == "unknown-key" => Evidence::Unsigned,
            Err(refused) if is_revoked(&refused) => Evidence::Revoked { reason: refused.to_string() },
            Err(refused) => Evidence::Refused { reason: refused.to_string() },
        }
    }
}

fn vouch(raw: &[u8], sealed: &Sealed) -> Evidence {
    let Ok(definition) = Definition::parse(raw, &ASIDE) else {
        return Evidence::Refused { reason: "the definition cannot be read".to_owned() };
    };
    let claims = sealed.claims();
    let edition = sealed.edition();
    let hash = |digest: &SealDigest| ContentHash::new(*digest.bytes());
    Evidence::Verified(Vouch {
        signer: sealed.signer().to_owned(),
        tool_id: claims.tool_id.clone(),
        version: claims.version.clone(),
        scopes: edition.scopes,
        // All that the provider says of it, the profile among it.
        profile: edition.claims.as_ref().map(hash),
        contract: claims.contract.as_ref().map(hash),
        content: definition.content(),
    })
}

fn is_revoked(refused: &Refused) -> bool {
    matches!(refused.word(), "revoked-key" | "revoked-tool")
}
