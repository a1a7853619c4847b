//! A server has listed its tools: they are compared with what was approved, and what is new is recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use portcullis_identity::ContentHash;
use portcullis_identity::server::Relation;
use portcullis_identity::state::{
    Accepted, Acceptor, Evidence, Ground, Judged, Seal, Sight, Standing as ToolState, Unverified,
};
use portcullis_lattice::words::shown;
use portcullis_store::{Change, Commit, CommitError, Digest, Expected, MOST_TOOLS, NewEntry, NewSight};
use serde_json::json;

use super::record::kind;
use super::{Guard, GuardError, MOST_TRIES, Request, is_outdated};
use crate::book::{Looks, essence, pin_of, sight_of};
use crate::server::{Origin, Tools};

/// So many bytes of definitions of one server are kept.
const MOST_KEPT: usize = 16 << 20;
/// So many definitions that claim one name are kept: two are enough to tell that it is not one.
const MOST_CLAIMS: usize = 2;
/// Who approves where the policy says that new tools may be called.
const POLICY: &str = "policy (first seen)";

/// Who binds an approval to a certificate where it was made before any was known.
const CERTIFIED: &str = "policy (first certificate)";

/// All that is kept of a definition that is listed.
type Known<'k> = (&'k str, Digest, &'k str, &'k str);

impl Guard {
    /// What is thought of the tools of a request, if it is for a tool of the server.
    pub(super) fn looks(&self, request: &Request<'_>, now: Timestamp) -> Option<Arc<Looks>> {
        match request.tool.origin {
            Origin::Listed => Some(request.tools.looks(&self.book, now)),
            Origin::Protocol => None,
        }
    }

    /// A signer or an issuer may have come to be trusted since the server listed its tools. What they vouch for is recorded before
    /// it is called, as it is when it is listed: later ones are compared with it.
    pub(super) fn note_approvals(&mut self, request: &Request<'_>, now: Timestamp) -> Result<(), GuardError> {
        let Some(looks) = self.looks(request, now) else { return Ok(()) };
        let seat = &request.tools.server().name;
        if self.noted.get(seat) == Some(&looks.basis()) {
            return Ok(());
        }
        let approvals = self.approvals(seat, &looks);
        if !approvals.is_empty() {
            let policy = Some(self.seen.versions().policy);
            let expected = Expected { policy, ..Expected::default() };
            let commit = Commit::at(now).in_session(self.id).expecting(expected);
            let mut commit = commit.entry(listing(seat, &looks)?);
            commit.changes.extend(approvals);
            self.store.commit(commit)?;
            self.refresh(now)?;
        }
        let basis = request.tools.looks(&self.book, now).basis();
        self.noted.insert(seat.clone(), basis);
        Ok(())
    }

    /// A server has listed its tools. What nobody has seen yet is recorded, and so is what a trusted signature or the policy
    /// approves. Says what is thought of them.
    pub(crate) fn see(&mut self, tools: &Tools, now: Timestamp) -> Result<Arc<Looks>, GuardError> {
        for _ in 0..MOST_TRIES {
            match self.try_to_see(tools, now) {
                Err(GuardError::Commit(CommitError::SessionClosed)) => self.rejoin(now)?,
                // A tool may have been blocked meanwhile, which no policy and no signature lifts.
                Err(GuardError::Commit(error)) if is_outdated(&error) => self.refresh(now)?,
                seen => return seen,
            }
        }
        Err(GuardError::Busy)
    }

    fn try_to_see(&mut self, tools: &Tools, now: Timestamp) -> Result<Arc<Looks>, GuardError> {
        // What was approved elsewhere meanwhile counts for what the host is shown.
        if self.store.policy_version()? != self.seen.versions().policy {
            self.refresh(now)?;
        }
        self.refresh_if_outdated(now)?;
        let looks = tools.looks(&self.book, now);
        let seat = tools.server().name.clone();
        let sights = self.sights(tools, &looks);
        let kept = self.store.sights(Some(&seat))?;
        let listed: BTreeSet<Known<'_>> = kept
            .iter()
            .filter(|sight| sight.is_listed)
            .map(|sight| (&*sight.key.tool, sight.hash, &*sight.definition, &*sight.particulars))
            .collect();
        let current: BTreeSet<Known<'_>> = sights
            .iter()
            .map(|sight| (&*sight.tool, sight.hash, &*sight.definition, &*sight.particulars))
            .collect();
        let approvals = self.approvals(&seat, &looks);
        if listed == current && approvals.is_empty() {
            return Ok(looks);
        }
        // Who signs the same again, as some do at every start, tells nothing new.
        let is_news = !approvals.is_empty() || essences(&listed) != essences(&current);
        let policy = Some(self.seen.versions().policy);
        let expected = Expected { policy, ..Expected::default() };
        let mut commit = Commit::at(now).in_session(self.id).expecting(expected);
        if is_news {
            commit = commit.entry(listing(&seat, &looks)?);
        }
        commit = commit.change(Change::See { server: seat, sights });
        commit.changes.extend(approvals);
        self.store.commit(commit)?;
        // What was approved by a signature or the policy counts at once.
        self.refresh(now)?;
        Ok(tools.looks(&self.book, now))
    }

    /// What is kept of a list, as far as there is room. Of what nobody can read, and of two that claim one name, all is kept
    /// as it came, so that it is judged the same when it is looked at again.
    fn sights(&self, tools: &Tools, looks: &Looks) -> Vec<NewSight> {
        let mut claims: BTreeMap<&str, BTreeSet<&[u8]>> = BTreeMap::new();
        for (name, raw) in tools.claims() {
            claims.entry(name).or_default().insert(raw);
        }
        let server = &looks.judgement.server;
        let mut room = MOST_KEPT;
        let mut sights = Vec::new();
        for judged in &looks.judgement.tools {
            for raw in claims.get(judged.name.as_str()).into_iter().flatten().take(MOST_CLAIMS) {
                let Some(rest) = room.checked_sub(raw.len()).filter(|_| sights.len() < MOST_TOOLS) else {
                    return sights;
                };
                room = rest;
                let seen = judged.sight.unwrap_or_else(|| {
                    let whole = ContentHash::of(raw);
                    Sight { raw: whole, content: whole }
                });
                let seal = self.seal(&looks.judgement.seat, judged);
                sights.push(sight_of(&judged.name, raw, seen, seal, server));
                if judged.sight.is_some() {
                    break;
                }
            }
        }
        sights
    }

    /// How a definition that is listed would be approved, or was.
    fn seal(&self, seat: &str, judged: &Judged) -> Seal {
        if let Ok(offer) = judged.offer() {
            return offer.accepted().seal.clone();
        }
        if let Evidence::Verified(vouch) = &judged.evidence
            && judged.standing == ToolState::Verified
        {
            return Seal::Trusted(Box::new(vouch.clone()));
        }
        let known = self.book.ledger().entry(seat, &judged.name);
        known.and_then(|entry| entry.accepted.as_ref()).map_or(Seal::Absent, |known| known.seal.clone())
    }

    /// What counts as approved from now on without anybody being asked.
    fn approvals(&self, seat: &str, looks: &Looks) -> Vec<Change> {
        // What counted without a question would make a key known that nobody approved.
        if self.is_strange(seat, &looks.judgement.server) {
            return Vec::new();
        }
        let mut noted = self.book.ledger().clone();
        noted.note(&looks.judgement);
        let mut changes = Vec::new();
        for judged in &looks.judgement.tools {
            let before =
                self.book.ledger().entry(seat, &judged.name).and_then(|entry| entry.accepted.as_ref());
            let after = noted.entry(seat, &judged.name).and_then(|entry| entry.accepted.as_ref());
            let Some(accepted) = after else { continue };
            let approver = match (&judged.evidence, accepted.by) {
                (Evidence::Verified(vouch), Acceptor::Signer) => format!("signer {}", vouch.signer),
                (Evidence::Listed { by, .. }, Acceptor::Bundle) => format!("bundle {by}"),
                _ => continue,
            };
            if !before.is_some_and(|before| is_same_but_for_bytes(before, accepted)) {
                changes.push(Change::Pin(pin_of(seat, &judged.name, accepted, &approver)));
            }
        }
        for judged in looks.judgement.tools.iter().filter(|judged| is_first_certified(judged)) {
            let known =
                self.book.ledger().entry(seat, &judged.name).and_then(|entry| entry.accepted.as_ref());
            if let Some(known) = known.filter(|known| known.by == Acceptor::User) {
                let certified = Accepted { server: looks.judgement.server.clone(), ..known.clone() };
                changes.push(Change::Pin(pin_of(seat, &judged.name, &certified, CERTIFIED)));
            }
        }
        if self.book.policy().unverified == Unverified::Warn {
            for judged in looks.new_if_warned() {
                if let Ok(offer) = judged.offer() {
                    changes.push(Change::Pin(pin_of(seat, &judged.name, offer.accepted(), POLICY)));
                }
            }
        }
        changes
    }
}

/// Whether a tool is as it was approved, and its server's certificate was not known then.
fn is_first_certified(judged: &Judged) -> bool {
    let moved = Ground::ServerMoved { relation: Relation::FirstCertificate };
    judged.standing == ToolState::Pinned && judged.grounds.contains(&moved)
}

/// Whether all that counts is the same: bytes may differ by how they are signed and spelt.
fn is_same_but_for_bytes(one: &Accepted, other: &Accepted) -> bool {
    (one.by, one.content, &one.seal, &one.server) == (other.by, other.content, &other.seal, &other.server)
}

/// What counts of definitions that are listed.
fn essences<'k>(listed: &BTreeSet<Known<'k>>) -> BTreeSet<(&'k str, Digest, String)> {
    listed.iter().map(|(tool, hash, _, particulars)| (*tool, *hash, essence(particulars))).collect()
}

/// What the log tells of a list that is not the one before.
fn listing(seat: &str, looks: &Looks) -> Result<NewEntry, CommitError> {
    let states = looks.judgement.tools.iter().map(|judged| {
        let reasons: Vec<String> = judged.grounds.iter().map(|ground| shown(&ground.to_string())).collect();
        let hash = judged.sight.map(|sight| sight.content.to_string());
        let is_plain = matches!(judged.standing, ToolState::Pinned | ToolState::Verified);
        let reasons = if is_plain { Vec::new() } else { reasons };
        json!({"tool": judged.name, "standing": judged.standing.to_string(), "hash": hash, "reasons": reasons})
    });
    let body = json!({
        "server": seat, "tools": states.collect::<Vec<_>>(), "gone": looks.judgement.gone,
    });
    Ok(NewEntry::of(kind::TOOLS_LISTED, &body)?)
}
