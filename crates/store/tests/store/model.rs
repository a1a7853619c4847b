//! A store as one would write it down without thinking of files: vectors, and a copy that is thrown away when a commit
//! is refused. What is slow or lost on the way here does not matter.

use std::collections::BTreeMap;

use jiff::Timestamp;
use portcullis_store::{
    Answer, Approval, ApprovalId, Arrival, Change, Commit, CommitError, Committed, Digest, End, EndReason,
    Invariant, InvariantId, Keep, Made, NewPin, NewQuestion, NewSight, NewSigner, Owner, Part, Parts, Pin,
    PinId, Place, Question, QuestionFilter, QuestionId, QuestionStatus, Removal, Rule, RuleFilter, RuleId,
    Session, SessionFilter, SessionId, SessionKey, Sight, Signer, SignerId, Standing, Store, ToolKey,
    Versions,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

type Refusal = Result<Made, CommitError>;

#[derive(Clone, Default)]
pub(crate) struct Model {
    policy: u64,
    sessions: Vec<Session>,
    workspaces: BTreeMap<String, u64>,
    parts: BTreeMap<(Owner, String), Part>,
    rules: Vec<Rule>,
    invariants: Vec<Invariant>,
    pins: Vec<Pin>,
    signers: Vec<Signer>,
    sights: BTreeMap<(ToolKey, Timestamp, usize), Sight>,
    questions: Vec<(Question, Keep)>,
    approvals: Vec<Approval>,
}

impl Model {
    pub(crate) fn session_id(&self, number: usize) -> Option<SessionId> {
        self.sessions.get(number).map(|session| session.id)
    }

    pub(crate) fn versions(&self, id: Option<SessionId>) -> Versions {
        let session = self.sessions.iter().find(|session| Some(session.id) == id);
        let workspace = session.and_then(|session| self.workspaces.get(&session.key.workspace));
        Versions {
            session: session.map_or(0, |session| session.version),
            workspace: workspace.copied().unwrap_or(0),
            policy: self.policy,
        }
    }

    /// Does the same as the store did, and compares what came of it. Only names of sessions are taken over.
    pub(crate) fn commit_beside(
        &mut self,
        commit: &Commit,
        outcome: &Result<Committed, CommitError>,
    ) -> Result<(), TestCaseError> {
        let made = outcome.iter().flat_map(|committed| &committed.made);
        let mut names = made.filter_map(|made| match made {
            Made::Session(session, Arrival::First) => Some(session.id),
            _ => None,
        });
        // If the store refuses and the model does not, any name will do to find that out.
        let mut copy = self.clone();
        let ours = copy.commit(commit, &mut || names.next().unwrap_or(SessionId::new([9; 8])));
        let theirs = outcome.clone().map(|committed| (committed.versions, committed.step, committed.made));
        prop_assert_eq!(&ours, &theirs, "{:?}", commit);
        if ours.is_ok() {
            *self = copy;
        }
        Ok(())
    }

    fn commit(
        &mut self,
        commit: &Commit,
        name: &mut dyn FnMut() -> SessionId,
    ) -> Result<(Versions, u64, Vec<Made>), CommitError> {
        self.close_overdue(commit.now);
        let session = commit.session.map(|id| self.session(id).cloned().ok_or(CommitError::SessionClosed));
        let session = session.transpose()?;
        let expected = &commit.expected;
        let needs_session = expected.session.is_some()
            || expected.workspace.is_some()
            || commit.changes.iter().any(Change::concerns_session);
        match &session {
            None if needs_session => return Err(CommitError::NoSession),
            Some(session) if needs_session && session.ended.is_some() => {
                return Err(CommitError::SessionClosed);
            }
            _ => {}
        }
        let before = self.versions(commit.session);
        if !expected.holds(&before) {
            return Err(CommitError::Outdated(before));
        }
        let mut made = Vec::new();
        for change in &commit.changes {
            made.push(self.change(commit, &before, change, name)?);
        }
        let step = commit.session.and_then(|id| self.session(id)).map_or(0, |session| session.step);
        Ok((self.versions(commit.session), step, made))
    }

    fn change(
        &mut self,
        commit: &Commit,
        before: &Versions,
        change: &Change,
        name: &mut dyn FnMut() -> SessionId,
    ) -> Refusal {
        let now = commit.now;
        if change.concerns_session() {
            let id = commit.session.ok_or(CommitError::NoSession)?;
            self.require_open(id)?;
        }
        match change {
            Change::NextStep | Change::SetPart { .. } | Change::Touch | Change::End => {
                self.change_session(commit, before, change);
                Ok(Made::Nothing)
            }
            Change::Join { key, idle } => Ok(self.join(key, now, now - *idle, name)),
            Change::Expire { idle } => {
                let Some(idle) = idle else { return Ok(Made::Nothing) };
                let is_left =
                    |session: &&Session| session.ended.is_none() && session.last_seen <= now - *idle;
                let left: Vec<_> = self.sessions.iter().filter(is_left).map(|session| session.id).collect();
                left.into_iter().for_each(|id| self.end(id, now, EndReason::Idle));
                Ok(Made::Nothing)
            }
            Change::See { server, sights } => {
                self.see(server, sights, now);
                Ok(Made::Nothing)
            }
            Change::Ask(question) => self.ask(question, now),
            Change::Answer { .. } | Change::Withdraw(_) => self.close(change, now),
            Change::Approve(new) => {
                self.require_open(new.session)?;
                let id = ApprovalId::new(self.approvals.len() as u64 + 1);
                self.approvals.push(Approval {
                    id,
                    session: new.session,
                    binding: new.binding,
                    granted: now,
                    expires: new.expires,
                    grantor: new.grantor.clone(),
                    used: None,
                });
                Ok(Made::Approval(id))
            }
            Change::UseApproval { id, binding } => {
                let usable = self.approvals.iter_mut().find(|approval| {
                    approval.id == *id
                        && approval.binding == *binding
                        && Some(approval.session) == commit.session
                        && approval.used.is_none()
                        && now < approval.expires
                });
                usable.ok_or(CommitError::ApprovalGone(*id))?.used = Some(now);
                Ok(Made::Nothing)
            }
            _ => self.change_policy(commit, before, change),
        }
    }

    fn change_session(&mut self, commit: &Commit, before: &Versions, change: &Change) {
        let now = commit.now;
        let session = self.sessions.iter_mut().find(|session| Some(session.id) == commit.session).unwrap();
        match change {
            Change::NextStep => {
                session.step += 1;
                session.version = before.session + 1;
                session.last_seen = session.last_seen.max(now);
            }
            Change::Touch => session.last_seen = session.last_seen.max(now),
            Change::SetPart { place, name, content } => {
                session.last_seen = session.last_seen.max(now);
                let (owner, version) = match place {
                    Place::Session => {
                        session.version = before.session + 1;
                        (Owner::Session(session.id), session.version)
                    }
                    Place::Workspace => {
                        let workspace = session.key.workspace.clone();
                        self.workspaces.insert(workspace.clone(), before.workspace + 1);
                        (Owner::Workspace(workspace), before.workspace + 1)
                    }
                };
                let part = Part { name: name.clone(), version, content: content.clone() };
                self.parts.insert((owner, name.clone()), part);
            }
            _ => {
                let id = session.id;
                self.end(id, now, EndReason::Command);
            }
        }
    }

    fn change_policy(&mut self, commit: &Commit, before: &Versions, change: &Change) -> Refusal {
        let now = commit.now;
        let removal = |by: &str| Some(Removal { at: now, by: by.to_owned() });
        let mut made = Made::Nothing;
        match change {
            Change::AddRule(new) => {
                new.session.map_or(Ok(()), |id| self.require_open(id))?;
                let id = RuleId::new(self.rules.len() as u64 + 1);
                self.rules.push(Rule {
                    id,
                    text: new.text.clone(),
                    session: new.session,
                    expires: new.expires,
                    uses_left: new.uses,
                    grantor: new.grantor.clone(),
                    reason: new.reason.clone(),
                    created: now,
                    last_used: None,
                    revoked: None,
                });
                made = Made::Rule(id);
            }
            Change::UseRule(id) => {
                let open = commit.session.filter(|id| self.require_open(*id).is_ok());
                let rule = self.rules.iter_mut().find(|rule| rule.id == *id && is_in_force(rule, now));
                let rule = rule.filter(|rule| rule.session.is_none() || rule.session == open);
                let rule = rule.ok_or(CommitError::RuleGone(*id))?;
                let Some(left) = rule.uses_left else { return Ok(made) };
                (rule.uses_left, rule.last_used) = (Some(left - 1), Some(now));
            }
            Change::RevokeRule { id, by } => {
                let rule = self.rules.iter_mut().find(|rule| rule.id == *id && rule.revoked.is_none());
                rule.ok_or(CommitError::RuleGone(*id))?.revoked = removal(by);
            }
            Change::AddInvariant(new) => {
                let id = InvariantId::new(self.invariants.len() as u64 + 1);
                self.invariants.push(Invariant {
                    id,
                    sentence: new.sentence.clone(),
                    datalog: new.datalog.clone(),
                    author: new.author.clone(),
                    created: now,
                    removed: None,
                });
                made = Made::Invariant(id);
            }
            Change::RemoveInvariant { id, by } => {
                let standing = self.invariants.iter_mut().find(|one| one.id == *id && one.removed.is_none());
                standing.ok_or(CommitError::InvariantGone(*id))?.removed = removal(by);
            }
            Change::Pin(new) => made = self.pin(new, now),
            Change::Unpin { key, by } => {
                self.current_pin(key).ok_or(CommitError::NotPinned)?.replaced = removal(by);
            }
            Change::SetSigner(new) => self.set_signer(new, now),
            other => panic!("{other:?} is no change of policy"),
        }
        self.policy = before.policy + 1;
        Ok(made)
    }

    fn pin(&mut self, new: &NewPin, now: Timestamp) -> Made {
        let by = new.approver.clone();
        if let Some(current) = self.current_pin(&new.key) {
            current.replaced = Some(Removal { at: now, by });
        }
        let id = PinId::new(self.pins.len() as u64 + 1);
        self.pins.push(Pin {
            id,
            key: new.key.clone(),
            hash: new.hash,
            definition: new.definition.clone(),
            state: new.state.clone(),
            particulars: new.particulars.clone(),
            approved: now,
            approver: new.approver.clone(),
            replaced: None,
        });
        Made::Pin(id)
    }

    fn set_signer(&mut self, new: &NewSigner, now: Timestamp) {
        let current =
            self.signers.iter_mut().find(|signer| signer.key == new.key && signer.replaced.is_none());
        if let Some(current) = current {
            current.replaced = Some(Removal { at: now, by: new.by.clone() });
        }
        self.signers.push(Signer {
            id: SignerId::new(self.signers.len() as u64 + 1),
            key: new.key.clone(),
            public: new.public.clone(),
            name: new.name.clone(),
            allowance: new.allowance.clone(),
            trust: new.trust,
            since: now,
            by: new.by.clone(),
            replaced: None,
        });
    }

    fn see(&mut self, server: &str, sights: &[NewSight], now: Timestamp) {
        self.sights
            .values_mut()
            .filter(|seen| seen.key.server == server)
            .for_each(|seen| seen.is_listed = false);
        for new in sights {
            let key = ToolKey { server: server.to_owned(), tool: new.tool.clone() };
            let known = self.sights.values_mut().find(|seen| seen.key == key && seen.hash == new.hash);
            if let Some(known) = known {
                (known.is_listed, known.last_seen) = (true, known.last_seen.max(now));
                continue;
            }
            let place = (key.clone(), now, self.sights.len());
            let seen = Sight {
                key,
                hash: new.hash,
                definition: new.definition.clone(),
                particulars: new.particulars.clone(),
                first_seen: now,
                last_seen: now,
                is_listed: true,
            };
            self.sights.insert(place, seen);
        }
    }

    fn current_pin(&mut self, key: &ToolKey) -> Option<&mut Pin> {
        self.pins.iter_mut().find(|pin| pin.key == *key && pin.replaced.is_none())
    }

    fn join(
        &mut self,
        key: &SessionKey,
        now: Timestamp,
        idle_since: Timestamp,
        name: &mut dyn FnMut() -> SessionId,
    ) -> Made {
        let open = self.sessions.iter_mut().find(|session| session.key == *key && session.ended.is_none());
        if let Some(session) = open {
            if session.last_seen > idle_since {
                session.last_seen = session.last_seen.max(now);
                return Made::Session(Box::new(session.clone()), Arrival::Joined);
            }
            let left = session.id;
            self.end(left, now, EndReason::Idle);
        }
        let session = Session {
            id: name(),
            key: key.clone(),
            started: now,
            last_seen: now,
            version: 0,
            step: 0,
            ended: None,
        };
        self.sessions.push(session.clone());
        Made::Session(Box::new(session), Arrival::First)
    }

    fn end(&mut self, id: SessionId, now: Timestamp, why: EndReason) {
        self.close_overdue(now);
        let session = self.sessions.iter_mut().find(|session| session.id == id).unwrap();
        session.ended = Some(End { at: now, why });
        session.version += 1;
        self.parts.retain(|(owner, _), _| *owner != Owner::Session(id));
        for (question, keep) in &mut self.questions {
            if question.session == id && question.status == QuestionStatus::Open {
                finish(question, *keep, QuestionStatus::Withdrawn);
            }
        }
    }

    fn ask(&mut self, new: &NewQuestion, now: Timestamp) -> Refusal {
        self.require_open(new.session)?;
        let open = self.questions.iter_mut().map(|(question, _)| question).find(|question| {
            question.session == new.session
                && question.key == new.key
                && question.status == QuestionStatus::Open
        });
        if let Some(question) = open.filter(|question| now < question.expires) {
            question.waiting += 1;
            question.expires = question.expires.max(new.expires);
            return Ok(Made::Question(question.id, Arrival::Joined));
        }
        self.close_overdue(now);
        let id = QuestionId::new(self.questions.len() as u64 + 1);
        let question = Question {
            id,
            session: new.session,
            key: new.key,
            body: Some(new.body.clone()),
            created: now,
            expires: new.expires,
            waiting: 1,
            status: QuestionStatus::Open,
        };
        self.questions.push((question, new.keep));
        Ok(Made::Question(id, Arrival::First))
    }

    /// An answer, or one who waits less.
    fn close(&mut self, change: &Change, now: Timestamp) -> Refusal {
        let (Change::Answer { id, .. } | Change::Withdraw(id)) = change else { panic!("it closes nothing") };
        let open = self.questions.iter_mut().find(|(question, _)| {
            question.id == *id && question.status == QuestionStatus::Open && now < question.expires
        });
        let (question, keep) = open.ok_or(CommitError::QuestionClosed(*id))?;
        match change {
            Change::Answer { body, channel, .. } => {
                let answer = Answer { body: body.clone(), channel: channel.clone(), at: now };
                finish(question, *keep, QuestionStatus::Answered(answer));
            }
            _ => {
                question.waiting -= 1;
                if question.waiting == 0 {
                    finish(question, *keep, QuestionStatus::Withdrawn);
                }
            }
        }
        Ok(Made::Nothing)
    }

    fn close_overdue(&mut self, now: Timestamp) {
        for (question, keep) in &mut self.questions {
            if question.status == QuestionStatus::Open && question.expires <= now {
                finish(question, *keep, QuestionStatus::Expired);
            }
        }
    }

    fn session(&self, id: SessionId) -> Option<&Session> {
        self.sessions.iter().find(|session| session.id == id)
    }

    fn require_open(&self, id: SessionId) -> Result<(), CommitError> {
        let is_open = self.session(id).is_some_and(|session| session.ended.is_none());
        if is_open { Ok(()) } else { Err(CommitError::SessionClosed) }
    }

    /// Compares everything that can be read.
    pub(crate) fn compare(&mut self, store: &impl Store, now: Timestamp) -> Result<(), TestCaseError> {
        self.close_overdue(now);
        prop_assert_eq!(store.sessions(SessionFilter::All).unwrap(), &*self.sessions);
        prop_assert_eq!(store.rules(RuleFilter::All).unwrap(), &*self.rules);
        prop_assert_eq!(store.rules(RuleFilter::Active { now }).unwrap(), self.active(None, now));
        prop_assert_eq!(store.invariants(Standing::All).unwrap(), &*self.invariants);
        prop_assert_eq!(store.pins(Standing::All).unwrap(), &*self.pins);
        prop_assert_eq!(store.signers(Standing::All).unwrap(), &*self.signers);
        prop_assert_eq!(store.sights(None).unwrap(), self.sights.values().cloned().collect::<Vec<_>>());
        let questions: Vec<_> = self.questions.iter().map(|(question, _)| question.clone()).collect();
        prop_assert_eq!(store.questions(QuestionFilter::All, now).unwrap(), &*questions);
        let open: Vec<_> =
            questions.into_iter().filter(|question| question.status == QuestionStatus::Open).collect();
        prop_assert_eq!(store.questions(QuestionFilter::Open, now).unwrap(), open);
        for session in &self.sessions {
            prop_assert_eq!(store.versions(session.id).unwrap(), Some(self.versions(Some(session.id))));
            let filter = RuleFilter::ActiveIn { session: session.id, now };
            prop_assert_eq!(store.rules(filter).unwrap(), self.active(Some(session.id), now));
            for letter in 0..3 {
                let binding = Digest::new([letter; 32]);
                let found = store.approval(session.id, binding, now).unwrap();
                prop_assert_eq!(found, self.approval(session, binding, now));
            }
            self.compare_parts(store, &Owner::Session(session.id), session.version)?;
        }
        for (name, version) in &self.workspaces {
            self.compare_parts(store, &Owner::Workspace(name.clone()), *version)?;
        }
        Ok(())
    }

    fn compare_parts(&self, store: &impl Store, owner: &Owner, version: u64) -> Result<(), TestCaseError> {
        for since in [0, version.saturating_sub(1), version] {
            let newer = self.parts.iter().filter(|((whose, _), part)| whose == owner && part.version > since);
            let written = newer.map(|(_, part)| part.clone()).collect();
            prop_assert_eq!(store.parts(owner, since).unwrap(), Parts { version, written });
        }
        Ok(())
    }

    fn active(&self, session: Option<SessionId>, now: Timestamp) -> Vec<Rule> {
        let counts = |rule: &&Rule| match rule.session {
            None => true,
            Some(own) => session.is_none_or(|session| session == own) && self.require_open(own).is_ok(),
        };
        self.rules.iter().filter(|rule| is_in_force(rule, now)).filter(counts).cloned().collect()
    }

    fn approval(&self, session: &Session, binding: Digest, now: Timestamp) -> Option<Approval> {
        let usable = self.approvals.iter().filter(|approval| {
            approval.session == session.id
                && session.ended.is_none()
                && approval.binding == binding
                && approval.used.is_none()
                && now < approval.expires
        });
        usable.min_by_key(|approval| (approval.expires, approval.id)).cloned()
    }
}

fn is_in_force(rule: &Rule, now: Timestamp) -> bool {
    rule.revoked.is_none() && rule.expires.is_none_or(|expires| now < expires) && rule.uses_left != Some(0)
}

fn finish(question: &mut Question, keep: Keep, status: QuestionStatus) {
    question.status = status;
    if keep == Keep::UntilClosed {
        question.body = None;
    }
}
