//! A listing against the ledger.

mod content;
mod signed;

use std::cell::OnceCell;

use serde::{Deserialize, Serialize};

use super::Standing;
use super::evidence::{Evidence, Evidences, Seal};
use super::ground::Ground;
use super::ledger::{Accepted, Acceptor, Ledger, Sight};
use super::listing::Listing;
use super::policy::Policy;
use super::renamed::Gone;
use crate::definition::Definition;
use crate::difference::{Difference, compare_with};
use crate::names::{Neighbour, Neighbourhood, oddity};
use crate::server::{Holding, ServerIdentity};
use crate::suspicion::{Around, Finding, Weight, of_definition};

use content::Content;

/// What is thought of all tools of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What the user calls the server.
    pub seat: String,
    /// Who the server is.
    pub server: ServerIdentity,
    /// The tools, by name.
    pub tools: Vec<Judged>,
    /// Tools that were approved and are not listed any more.
    pub gone: Vec<String>,
}

/// What is thought of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Its name.
    pub name: String,
    /// Its state.
    pub standing: Standing,
    /// Why it is in that state; the deciding reason first.
    pub grounds: Vec<Ground>,
    /// How it differs from what was approved, if it does.
    pub difference: Option<Difference>,
    /// What is suspicious in it. Looked for only if it is not as approved.
    pub findings: Vec<Finding>,
    /// Tools of other servers with a name like its own. Looked for only if nothing of its name was approved.
    pub neighbours: Vec<Neighbour>,
    /// The definition, if it had to be read.
    pub definition: Option<Definition>,
    /// What its bytes mean, to be kept.
    pub sight: Option<Sight>,
    /// What its signature says.
    pub evidence: Evidence,
    offer: Result<Offer, NotOffered>,
}

/// Exactly what the user would approve. Only judging makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub(super) seat: String,
    pub(super) name: String,
    pub(super) accepted: Accepted,
}

/// Why there is nothing to approve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum NotOffered {
    /// It is approved as it is.
    #[error("it is approved already")]
    Already,
    /// It is no single definition.
    #[error("there is no definition that could be approved")]
    NoDefinition,
    /// It is blocked or revoked.
    #[error("it is blocked or revoked; that has to be lifted first")]
    Revoked,
}

impl Judged {
    /// What can be approved of this tool.
    ///
    /// # Errors
    /// If there is nothing.
    pub fn offer(&self) -> Result<Offer, NotOffered> {
        self.offer.clone()
    }
}

impl Offer {
    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All that would be kept of it.
    pub fn accepted(&self) -> &Accepted {
        &self.accepted
    }

    /// The content that would be approved.
    pub fn content(&self) -> crate::hash::ContentHash {
        self.accepted.content
    }
}

/// Judges a complete listing of one server. The order of tools and pages does not matter, and nothing is changed.
pub fn judge(
    seat: &str,
    server: &ServerIdentity,
    listing: &Listing<'_>,
    ledger: &Ledger,
    around: &Neighbourhood,
    evidence: &Evidences,
    policy: &Policy,
) -> Judgement {
    let gone = Gone::new(ledger, seat, listing);
    let spoken_of = OnceCell::new();
    let judging =
        Judging { seat, server, listing, ledger, around, policy, gone: &gone, spoken_of: &spoken_of };
    let nothing = Evidence::Unsigned;
    let of = |name: &str| evidence.get(name).unwrap_or(&nothing);
    let tools = listing.tools.keys().map(|name| judging.tool(name, of(name))).collect();
    Judgement { seat: seat.to_owned(), server: server.clone(), tools, gone: gone.names }
}

struct Judging<'a> {
    seat: &'a str,
    server: &'a ServerIdentity,
    listing: &'a Listing<'a>,
    ledger: &'a Ledger,
    around: &'a Neighbourhood,
    policy: &'a Policy,
    gone: &'a Gone,
    /// The names that texts may speak of; gathered only if a text has to be looked at.
    spoken_of: &'a OnceCell<Around>,
}

/// A state with its reasons.
type Found = (Standing, Vec<Ground>);

impl Judging<'_> {
    fn tool(&self, name: &str, evidence: &Evidence) -> Judged {
        let entry = self.ledger.entry(self.seat, name);
        let claims = self.listing.tools.get(name).map(Vec::as_slice).unwrap_or_default();
        let aside: Vec<&str> = self.policy.aside.iter().map(String::as_str).collect();
        let mut content = Content::of(claims, name, entry, &aside);
        let is_blocked = entry.is_some_and(|entry| entry.is_blocked);
        let accepted = entry.and_then(|entry| entry.accepted.as_ref());
        let accepted = accepted.filter(|accepted| accepted.counts(evidence));
        let found = match is_blocked {
            true => (Standing::Revoked, vec![Ground::Blocked]),
            false => self.standing(name, accepted, &content, evidence),
        };
        if !self.is_noted(accepted, &content, evidence, found.0) {
            content.read(&aside);
        }
        self.explain(name, accepted, content, evidence, found)
    }

    /// Whether the ledger has all that there is to know of a tool that may be called.
    fn is_noted(
        &self,
        accepted: Option<&Accepted>,
        content: &Content<'_>,
        evidence: &Evidence,
        found: Standing,
    ) -> bool {
        let is_it = |known: &Accepted| content.hash() == Some(known.content) && known.server == *self.server;
        match (found, evidence, accepted) {
            (Standing::Pinned, Evidence::Listed { .. }, None) => false,
            (Standing::Pinned, Evidence::Listed { .. }, Some(known)) => {
                known.by != Acceptor::Bundle || is_it(known)
            }
            (Standing::Pinned, ..) => true,
            (Standing::Verified, Evidence::Verified(vouch), Some(known)) => {
                matches!(&known.seal, Seal::Trusted(sealed) if **sealed == *vouch) && is_it(known)
            }
            _ => false,
        }
    }

    /// The state: what rules out everything else comes first.
    fn standing(
        &self,
        name: &str,
        accepted: Option<&Accepted>,
        content: &Content<'_>,
        evidence: &Evidence,
    ) -> Found {
        if let Evidence::Revoked { reason } = evidence {
            return (Standing::Revoked, vec![Ground::Revoked { reason: reason.clone() }]);
        }
        let hash = match content {
            Content::Ambiguous => return (Standing::Invalid, vec![Ground::Ambiguous]),
            Content::Unreadable(reason) => {
                return (Standing::Invalid, vec![Ground::Unreadable { reason: reason.clone() }]);
            }
            Content::Known { sight, .. } => sight.content,
        };
        if evidence.content().is_some_and(|content| content != hash) {
            return (Standing::Invalid, vec![Ground::SignatureOfAnother]);
        }
        let relation = accepted.map(|accepted| accepted.server.compare(self.server));
        let moved = match relation {
            Some(relation) if relation.holding() == Holding::Broken => {
                return (Standing::Changed, vec![Ground::OtherServer { relation }]);
            }
            Some(relation) if relation.holding() == Holding::HoldsRecorded => {
                Some(Ground::ServerMoved { relation })
            }
            _ => None,
        };
        let (standing, mut grounds) = self.by_evidence(name, accepted, hash, evidence);
        grounds.extend(moved);
        (standing, grounds)
    }

    fn by_evidence(
        &self,
        name: &str,
        accepted: Option<&Accepted>,
        content: crate::hash::ContentHash,
        evidence: &Evidence,
    ) -> Found {
        match (evidence, accepted) {
            (Evidence::Verified(vouch), _) if self.policy.trusted.contains(&vouch.signer) => match accepted {
                None => signed::first(self.seat, self.server, self.ledger, vouch),
                Some(accepted) => signed::again(accepted, content, vouch),
            },
            (Evidence::Listed { by, .. }, _) => self.listed(name, accepted, content, by),
            (Evidence::Refused { .. }, Some(accepted))
                if accepted.seal == Seal::Refused && accepted.content == content =>
            {
                (Standing::Pinned, vec![Ground::Approved])
            }
            (Evidence::Refused { reason }, _) => {
                (Standing::Invalid, vec![Ground::SignatureRefused { reason: reason.clone() }])
            }
            (_, Some(accepted)) => unsigned(accepted, content, evidence),
            (_, None) => self.unknown(name, evidence),
        }
    }

    /// A tool that a list of approved definitions has. Anybody can serve a copy of it: a server that nothing was approved of must
    /// not pass for another.
    fn listed(
        &self,
        name: &str,
        accepted: Option<&Accepted>,
        content: crate::hash::ContentHash,
        by: &str,
    ) -> Found {
        let found = (Standing::Pinned, vec![Ground::Listed { by: by.to_owned() }]);
        match accepted {
            // Which server comes with it was compared already.
            Some(Accepted { by: Acceptor::Bundle, .. }) => found,
            Some(accepted) => {
                let own = unsigned(accepted, content, &Evidence::Unsigned);
                // What was signed when it was approved has to stay so: nobody's list is a signature.
                let was_signed = matches!(accepted.seal, Seal::Trusted(_));
                if own.0 == Standing::Pinned || was_signed { own } else { found }
            }
            None => {
                let copied =
                    signed::elsewhere(self.seat, self.server, self.ledger, |other| other.content == content);
                if let Some(seat) = copied {
                    return (Standing::Squatting, vec![Ground::ServedElsewhere { seat }]);
                }
                let unknown = self.unknown(name, &Evidence::Unsigned);
                if unknown.0 == Standing::Squatting { unknown } else { found }
            }
        }
    }

    /// A tool of which nothing was approved, and for which nobody vouches who is trusted.
    fn unknown(&self, name: &str, evidence: &Evidence) -> Found {
        let odd = oddity(name).filter(|oddity| oddity.weight() == Weight::Dangerous);
        let like = self.around.like(self.seat, self.server, name);
        let mut alike: Vec<Ground> = odd.map(Ground::OddName).into_iter().collect();
        let telling = like.into_iter().filter(|neighbour| neighbour.weight == Weight::Dangerous);
        alike.extend(telling.map(Ground::LooksLike));
        alike.extend(not_trusted(evidence));
        match alike.first() {
            Some(Ground::OddName(_) | Ground::LooksLike(_)) => (Standing::Squatting, alike),
            _ => {
                alike.insert(0, Ground::NeverApproved);
                (Standing::New, alike)
            }
        }
    }

    /// Adds what a person needs to know to decide.
    fn explain(
        &self,
        name: &str,
        accepted: Option<&Accepted>,
        content: Content<'_>,
        evidence: &Evidence,
        (standing, mut grounds): Found,
    ) -> Judged {
        let is_as_approved = matches!(standing, Standing::Pinned | Standing::Verified);
        let sight = content.sight();
        let definition = content.into_definition();
        let (mut difference, mut findings, mut neighbours) = (None, Vec::new(), Vec::new());
        if let Some(definition) = definition.as_ref().filter(|_| !is_as_approved) {
            let around = self.spoken_of.get_or_init(|| {
                let others = self.around.others(self.seat, self.server);
                Around::new(self.listing.names(), others.iter().map(String::as_str))
            });
            findings = of_definition(definition, around);
            match accepted.map(|accepted| Definition::parse(accepted.canonical.as_bytes(), &[])) {
                Some(Ok(approved)) => {
                    difference = Some(compare_with(&approved, definition, around, findings.clone()))
                }
                // What was kept is always a definition; if it is not, there is nothing to compare with.
                Some(Err(_)) | None => neighbours = self.around.like(self.seat, self.server, name),
            }
            let from = self.gone.name_of(definition).filter(|_| accepted.is_none());
            grounds.extend(from.map(|from| Ground::Renamed { from: from.to_owned() }));
        }
        let offer = self.offer(name, standing, definition.as_ref(), evidence);
        let (name, evidence) = (name.to_owned(), evidence.clone());
        Judged {
            name,
            standing,
            grounds,
            difference,
            findings,
            neighbours,
            definition,
            sight,
            evidence,
            offer,
        }
    }

    fn offer(
        &self,
        name: &str,
        standing: Standing,
        definition: Option<&Definition>,
        evidence: &Evidence,
    ) -> Result<Offer, NotOffered> {
        match standing {
            Standing::Revoked => return Err(NotOffered::Revoked),
            Standing::Pinned | Standing::Verified => return Err(NotOffered::Already),
            Standing::New
            | Standing::Changed
            | Standing::Downgraded
            | Standing::Invalid
            | Standing::Squatting => {}
        }
        let definition = definition.ok_or(NotOffered::NoDefinition)?;
        let seal = match evidence {
            // A signature of something else can vouch for nothing here.
            evidence if evidence.content().is_some_and(|content| content != definition.content()) => {
                return Err(NotOffered::NoDefinition);
            }
            Evidence::Unsigned | Evidence::Unproven { .. } | Evidence::Listed { .. } => Seal::Absent,
            Evidence::Verified(vouch) if self.policy.trusted.contains(&vouch.signer) => {
                Seal::Trusted(Box::new(vouch.clone()))
            }
            Evidence::Verified(vouch) => Seal::Untrusted { signer: vouch.signer.clone() },
            Evidence::Refused { .. } => Seal::Refused,
            Evidence::Revoked { .. } => return Err(NotOffered::Revoked),
        };
        let accepted = Accepted {
            by: Acceptor::User,
            raw: definition.raw(),
            content: definition.content(),
            canonical: definition.canonical().to_owned(),
            seal,
            server: self.server.clone(),
        };
        Ok(Offer { seat: self.seat.to_owned(), name: name.to_owned(), accepted })
    }
}

/// A tool that was approved, without a signature that counts.
fn unsigned(accepted: &Accepted, content: crate::hash::ContentHash, evidence: &Evidence) -> Found {
    let (standing, ground) = match &accepted.seal {
        Seal::Trusted(vouch) => (Standing::Changed, Ground::SignatureGone { signer: vouch.signer.clone() }),
        Seal::Absent | Seal::Untrusted { .. } | Seal::Refused if accepted.content == content => {
            (Standing::Pinned, Ground::Approved)
        }
        Seal::Absent | Seal::Untrusted { .. } | Seal::Refused => {
            (Standing::Changed, Ground::DefinitionChanged)
        }
    };
    (standing, [ground].into_iter().chain(not_trusted(evidence)).collect())
}

fn not_trusted(evidence: &Evidence) -> Option<Ground> {
    match evidence {
        Evidence::Verified(vouch) => Some(Ground::SignerNotTrusted { signer: vouch.signer.clone() }),
        Evidence::Unproven { reason } => Some(Ground::Unproven { reason: reason.clone() }),
        Evidence::Unsigned
        | Evidence::Listed { .. }
        | Evidence::Refused { .. }
        | Evidence::Revoked { .. } => None,
    }
}
