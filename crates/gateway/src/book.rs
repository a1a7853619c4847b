//! Which definitions of tools were approved, and what follows for those that a server lists now.
//!
//! The store keeps pins; [`Book`] is what the judge of the identity crate needs of them. A server's list is judged when it
//! comes, and again whenever approvals have changed.

mod declared;
mod looks;
mod pin;
mod roots;
mod wanted;

use jiff::Timestamp;
use portcullis_identity::ContentHash;
use portcullis_identity::definition::Definition;
use portcullis_identity::names::Neighbourhood;
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::state::{
    Evidence, Evidences, Judgement, Ledger, Listing, Policy, Seal, Vouch, judge,
};
use portcullis_seal::definition::{Sealed, Standing, hash, verify_bytes};
use portcullis_seal::{Digest as SealDigest, Issuer, Voucher};
use portcullis_store::Pin;
use portcullis_wire::json::{Document, Limits};

use crate::settings::ToolPolicy;
pub(crate) use declared::Declared;
pub(crate) use looks::{Approvable, Basis, Looks};
pub use pin::{ASIDE, BLOCKED, LISTED, PINNED, PinError, VERIFIED, approval, block, entry_of, lift};
pub(crate) use pin::{essence, identity_of, pin_of, sight_of};
pub use roots::{
    Allowance, IssuerAllowance, KEYS_COUNT, KeysOf, Roots, kept_bundle, revoking, revoking_issuer,
    trust_roots, trusted_issuer, trusted_key, trusting, trusting_issuer,
};
pub use wanted::Wanted;

/// What was approved, by whose signatures, under which policy.
pub(crate) struct Book {
    ledger: Ledger,
    around: Neighbourhood,
    policy: Policy,
    roots: Roots,
    /// Where to ask for key sets that would tell more.
    wanted: Wanted,
    /// Grows with every change of what was approved.
    version: u64,
}

impl Book {
    /// What these pins say. One that cannot be read approves nothing.
    pub(crate) fn new(pins: &[Pin], tools: ToolPolicy, roots: Roots, wanted: Wanted, version: u64) -> Book {
        let mut ledger = Ledger::default();
        for pin in pins {
            if let Some(entry) = entry_of(pin) {
                ledger.restore(&pin.key.server, &pin.key.tool, entry);
            }
        }
        let policy = Policy {
            unverified: tools.unverified,
            cosmetic: tools.cosmetic,
            trusted: {
                let keys = roots.trusted.keys().map(|key| key.name.clone());
                keys.chain(roots.trusted.issuers().map(Issuer::signer)).collect()
            },
            aside: ASIDE.iter().map(|&member| member.to_owned()).collect(),
        };
        Book { around: ledger.neighbourhood(), ledger, policy, roots, wanted, version }
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

    /// When a trust bundle or a key set is over, so that it has to be made anew.
    pub(crate) fn until(&self) -> Option<Timestamp> {
        self.roots.until
    }

    /// Judges what a server lists, which is called so, and says until when that holds.
    pub(crate) fn judge(
        &self,
        seat: &str,
        who: &ServerIdentity,
        listed: &[(String, Vec<u8>)],
        now: Timestamp,
    ) -> (Judgement, Option<Timestamp>) {
        let mut until = self.until();
        let mut listing = Listing::default();
        let mut evidence = Evidences::default();
        for (name, raw) in listed {
            listing.add(name.clone(), raw);
            let (found, ends) = self.evidence(raw, now);
            let found = if self.is_revoked_as_signed(seat, name, raw) {
                Evidence::Revoked { reason: "the version that it was signed as was revoked".to_owned() }
            } else {
                found
            };
            until = until.into_iter().chain(ends).min();
            if found != Evidence::Unsigned {
                evidence.insert(name.clone(), found);
            }
        }
        let judgement = judge(seat, who, &listing, &self.ledger, &self.around, &evidence, &self.policy);
        (judgement, until)
    }

    /// What speaks for a definition, and until when.
    fn evidence(&self, raw: &[u8], now: Timestamp) -> (Evidence, Option<Timestamp>) {
        let standing = match verify_bytes(raw, &self.roots.trusted, now) {
            Ok(standing) => standing,
            Err(refused) => {
                let (until, reason) = (refused.until(), refused.to_string());
                return if refused.is_revocation() {
                    (Evidence::Revoked { reason }, until)
                } else if refused.is_unknown() {
                    self.wanted.ask(refused.addresses());
                    let listed = definition_hash(raw).and_then(|definition| self.listed(raw, &definition));
                    (listed.unwrap_or(Evidence::Unproven { reason }), until)
                } else {
                    (Evidence::Refused { reason }, until)
                };
            }
        };
        let evidence = match &standing {
            Standing::Unsigned { definition } => self.listed(raw, definition).unwrap_or_default(),
            Standing::Sealed(sealed) => signed(raw, sealed),
            Standing::Vouched(voucher) => vouched(raw, voucher),
        };
        (evidence, standing.until())
    }

    /// Whether it is a definition whose version was known from a signature, and was revoked since. Who leaves the signature away
    /// brings it not back.
    fn is_revoked_as_signed(&self, seat: &str, name: &str, raw: &[u8]) -> bool {
        let accepted = self.ledger.entry(seat, name).and_then(|entry| entry.accepted.as_ref());
        let Some((accepted, Seal::Trusted(vouch))) = accepted.map(|accepted| (accepted, &accepted.seal))
        else {
            return false;
        };
        let tool = Some((vouch.tool_id.as_str(), &vouch.version));
        let is_revoked = definition_hash(raw)
            .is_some_and(|definition| self.roots.trusted.is_tool_revoked(&definition, tool));
        is_revoked && Definition::parse(raw, &ASIDE).is_ok_and(|now| now.content() == accepted.content)
    }

    /// A definition that a trust bundle approves.
    fn listed(&self, raw: &[u8], definition: &SealDigest) -> Option<Evidence> {
        let by = self.roots.bundle(self.roots.trusted.pinner(definition)?).to_owned();
        let content = Definition::parse(raw, &ASIDE).ok()?.content();
        Some(Evidence::Listed { by, content })
    }
}

fn definition_hash(raw: &[u8]) -> Option<SealDigest> {
    hash(Document::parse(raw, &Limits::default()).ok()?.root()).ok()
}

fn unreadable() -> Evidence {
    Evidence::Refused { reason: "the definition cannot be read".to_owned() }
}

/// A token alone: its issuer is the signer, and says nothing of what the tool does.
fn vouched(raw: &[u8], voucher: &Voucher) -> Evidence {
    let Ok(definition) = Definition::parse(raw, &ASIDE) else { return unreadable() };
    Evidence::Verified(Vouch {
        signer: voucher.signer().to_owned(),
        tool_id: voucher.tool_id().to_owned(),
        version: voucher.version().clone(),
        scopes: voucher.scopes().clone(),
        profile: None,
        contract: None,
        issuer: None,
        content: definition.content(),
    })
}

fn signed(raw: &[u8], sealed: &Sealed) -> Evidence {
    let Ok(definition) = Definition::parse(raw, &ASIDE) else { return unreadable() };
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
        issuer: sealed.voucher().map(|voucher| voucher.signer().to_owned()),
        content: definition.content(),
    })
}
