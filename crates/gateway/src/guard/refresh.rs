//! What other processes changed is known before anything takes effect that rests on it.
//!
//! Nobody looks for changes beforehand: a decision says on which versions it rests, and one that rests on old ones is not
//! written. Then everything is read, and the call is decided anew.

use jiff::Timestamp;
use portcullis_invariant::{Rulebook, Stated, Written};
use portcullis_lattice::{Entry, Lifetime, Rule, RuleId, Ruleset};
use portcullis_monitor::Part;
use portcullis_store::{Owner, Rule as KeptRule, RuleFilter, Standing, Versions};

use super::{Guard, GuardError};
use crate::book::{Book, trust_roots};

/// What of the store the session rests on.
pub(super) struct Seen {
    versions: Versions,
    /// The policy version whose rules are in force, if any are.
    policy: Option<u64>,
    /// When the first of the rules in force ends, or of those whose word counts.
    until: Option<Timestamp>,
}

impl Seen {
    pub(super) fn nothing() -> Seen {
        Seen { versions: Versions::default(), policy: None, until: None }
    }

    pub(super) fn versions(&self) -> Versions {
        self.versions
    }

    /// What was written by this process is known to it, but for rules.
    pub(super) fn wrote(&mut self, versions: Versions) {
        self.versions = versions;
    }
}

impl Guard {
    /// Reads everything where it is known that the rules are not those in force.
    pub(super) fn refresh_if_outdated(&mut self, now: Timestamp) -> Result<(), GuardError> {
        let is_current = self.seen.policy == Some(self.seen.versions.policy)
            && self.seen.until.is_none_or(|end| now < end);
        if is_current { Ok(()) } else { self.refresh(now) }
    }

    /// Reads everything, and puts the session where the store says it is.
    pub(super) fn refresh(&mut self, now: Timestamp) -> Result<(), GuardError> {
        let known_policy = std::mem::replace(&mut self.seen, Seen::nothing()).policy;
        // Before anything else is read: what is read then is as new as these say, or newer.
        let Some(versions) = self.store.versions(self.id)? else {
            return Err(portcullis_store::CommitError::SessionClosed.into());
        };
        let Some(kept) = self.store.session(self.id)?.filter(|session| session.ended.is_none()) else {
            return Err(portcullis_store::CommitError::SessionClosed.into());
        };
        let own = self.store.parts(&Owner::Session(self.id), 0)?;
        let shared = self.store.parts(&Owner::Workspace(self.who.workspace.clone()), 0)?;
        let saved = |part: Part| {
            let parts = if part == Part::Files { &shared } else { &own };
            let written = parts.written.iter().find(|written| written.name == part.name())?;
            // What is no text is refused as a damaged part, not taken for one that was never written.
            let content = written.content.as_ref()?;
            Some(String::from_utf8_lossy(content).into_owned())
        };
        self.session.load(kept.step + 1, &saved)?;
        self.load_rules(now)?;
        let is_new = known_policy != Some(versions.policy);
        if is_new {
            self.load_stated()?;
        }
        if is_new || self.book.until().is_some_and(|until| until <= now) {
            let pins = self.store.pins(Standing::Current)?;
            let roots = trust_roots(&*self.store, &self.settings.trusted, now)?;
            let wanted = self.settings.wanted.clone();
            self.book = Book::new(&pins, self.settings.tools, roots, wanted, versions.policy);
        }
        self.seen.until = self.seen.until.into_iter().chain(self.book.until()).min();
        self.seen.versions = versions;
        self.seen.policy = Some(versions.policy);
        Ok(())
    }

    fn load_rules(&mut self, now: Timestamp) -> Result<(), GuardError> {
        let kept = self.store.rules(RuleFilter::ActiveIn { session: self.id, now })?;
        self.seen.until = kept.iter().filter_map(|rule| rule.expires).min();
        let rules = kept.iter().map(entry).collect::<Result<Vec<Entry>, GuardError>>()?;
        let rules: Ruleset = rules.into_iter().collect();
        if *self.session.rules() != rules {
            self.session.set_rules(rules);
        }
        Ok(())
    }

    fn load_stated(&mut self) -> Result<(), GuardError> {
        let mut stated = self.settings.stated.clone();
        for kept in self.store.invariants(Standing::Current)? {
            let error = |error| GuardError::Stated(format!("“{}”: {error}", kept.sentence));
            let written: Written = serde_json::from_str(&kept.datalog).map_err(error)?;
            stated.push(Stated { sentence: kept.sentence.clone(), written });
        }
        let rulebook = Rulebook::new(stated).map_err(|error| GuardError::Stated(error.to_string()))?;
        self.session.set_invariants(rulebook, self.settings.zone.clone());
        Ok(())
    }
}

/// A rule of the store, under its number there. How long it holds is for the store to say.
fn entry(kept: &KeptRule) -> Result<Entry, GuardError> {
    let unreadable = |error: String| GuardError::Rule { id: kept.id.to_string(), error };
    let rule: Rule =
        kept.text.parse().map_err(|error: portcullis_lattice::ParseError| unreadable(error.to_string()))?;
    let lifetime = match (kept.uses_left, kept.expires) {
        (Some(_), _) => Lifetime::Once,
        (None, Some(end)) => Lifetime::Until(end),
        (None, None) => Lifetime::Always,
    };
    let (grantor, reason) = (kept.grantor.as_str().into(), kept.reason.as_str().into());
    Ok(Entry { id: RuleId(kept.id.number()), rule: Rule { lifetime, grantor, reason, ..rule } })
}
