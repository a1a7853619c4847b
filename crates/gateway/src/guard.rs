//! A session of the monitor with the store behind it: what is decided is recorded before it takes effect, and it rests on
//! what other processes changed until then.

mod answer;
mod asked;
mod keys;
mod record;
mod refresh;
mod see;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use portcullis_lattice::Decision;
use portcullis_monitor::{
    LoadError, Outcome, Part, Permit, Refusal, Session, ToolCall, ToolStanding, Verdict,
};
use portcullis_perceive::layout::LayoutError;
use portcullis_perceive::paths::Resolver;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_store::{
    Change, Commit, CommitError, Committed, Digest, Key, Made, NewEntry, Place, QuestionId, SessionId,
    SessionKey, Store, StoreError, Versions,
};
use portcullis_taint::{Fingerprints, Limits};
use serde_json::Value;

use crate::book::{Basis, Book, Looks, Roots};
use crate::server::{Server, Tool, Tools};
use crate::settings::Settings;
pub use answer::{AnswerError, Given, answer};
pub use asked::{Asked, AskedChoice};
pub use record::kind;

/// How often a decision is made anew because others were faster.
const MOST_TRIES: usize = 16;
/// So many outcomes wait at most to be written.
const MOST_UNWRITTEN: usize = 64;

/// A session with the store behind it.
pub struct Guard {
    store: Arc<dyn Store>,
    key: Key,
    settings: Settings,
    id: SessionId,
    who: SessionKey,
    resolver: &'static (dyn Resolver + Sync),
    /// What verdicts call the layout of the session.
    layout: String,
    session: Session<'static>,
    seen: refresh::Seen,
    /// Which definitions of tools were approved.
    book: Book,
    /// On what the approvals rest that are recorded, by server.
    noted: BTreeMap<String, Basis>,
    /// How calls ended that changed nothing: written with the next decision, or soon.
    unwritten: Vec<NewEntry>,
}

/// A call that is to be judged.
pub struct Request<'r> {
    /// The tools of its server.
    pub tools: &'r Tools,
    /// Which of them is called.
    pub tool: &'r Tool,
    /// The name that is shown and recorded.
    pub name: &'r str,
    /// With what.
    pub arguments: &'r Value,
}

/// What became of a call.
pub enum Admission {
    /// It may be made; that is recorded.
    Permitted(Permit, Box<Verdict>),
    /// The user is asked.
    Asked(QuestionId, Box<Asked>),
    /// It is refused, and this is why.
    Denied(Vec<String>),
}

/// Why there is no decision. Whoever gets this refuses the call.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    /// The state cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It cannot be written.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// It was written by another version, or damaged.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A kept rule cannot be read.
    #[error("rule {id} of the store cannot be read: {error}; revoke it and state it again")]
    Rule {
        /// Which.
        id: String,
        /// What is wrong with it.
        error: String,
    },
    /// Rules that the user stated cannot be put into force.
    #[error("the stated rules cannot be put into force: {0}")]
    Stated(String),
    /// The settings say something impossible about the session.
    #[error("the session's settings cannot be used: {0}")]
    Layout(#[from] LayoutError),
    /// Data of the program itself.
    #[error("{0}")]
    BuiltIn(String),
    /// The monitor would not permit what it had permitted.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Others were faster each time.
    #[error("the session changed {MOST_TRIES} times while the call was decided; try again")]
    Busy,
}

impl Guard {
    /// Joins the session of a key, or begins it.
    pub fn open(
        store: Arc<dyn Store>,
        key: Key,
        settings: Settings,
        who: SessionKey,
        resolver: &'static (dyn Resolver + Sync),
        now: Timestamp,
    ) -> Result<Guard, GuardError> {
        let (id, session) = joined(&*store, &key, &settings, &who, resolver, now)?;
        let seen = refresh::Seen::nothing();
        let layout = record::layout_name(&settings);
        let (noted, unwritten) = (BTreeMap::new(), Vec::new());
        let book = Book::new(&[], settings.tools, Roots::default(), settings.wanted.clone(), 0);
        let mut guard =
            Guard { store, key, settings, resolver, id, who, layout, session, seen, book, noted, unwritten };
        guard.refresh(now)?;
        Ok(guard)
    }

    /// The session was ended: what comes now belongs to a new one, in which nothing of the old is granted or known but
    /// what belongs to the workspace.
    fn rejoin(&mut self, now: Timestamp) -> Result<(), GuardError> {
        let begun = joined(&*self.store, &self.key, &self.settings, &self.who, self.resolver, now)?;
        (self.id, self.session) = begun;
        // They tell of steps of the old one, which counts as uncertain where nothing is told.
        self.unwritten.clear();
        self.seen = refresh::Seen::nothing();
        self.refresh(now)
    }

    /// The session in the store.
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// What the gateway was told.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The store.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Decides a call and records what was decided. A call that is permitted has been counted and has left its labels when
    /// this returns, so that it is made or lost, but never made unseen.
    pub fn admit(&mut self, request: &Request<'_>, now: Timestamp) -> Result<Admission, GuardError> {
        for _ in 0..MOST_TRIES {
            let noted = self.refresh_if_outdated(now).and_then(|()| self.note_approvals(request, now));
            let admission = noted.and_then(|()| self.try_to_admit(request, now));
            match admission {
                Err(GuardError::Commit(CommitError::SessionClosed)) => self.rejoin(now)?,
                Err(GuardError::Commit(error)) if is_outdated(&error) => self.refresh(now)?,
                Err(error) => {
                    // What was not recorded has not happened.
                    self.refresh(now)?;
                    return Err(error);
                }
                admission => return admission,
            }
        }
        Err(GuardError::Busy)
    }

    fn try_to_admit(&mut self, request: &Request<'_>, now: Timestamp) -> Result<Admission, GuardError> {
        let verdict = self.decide(request, now);
        match verdict.decision {
            Decision::Permit => self.permit(request, verdict, None, now),
            Decision::Deny => {
                let reasons = verdict.reasons().into_iter().map(str::to_owned).collect();
                let entry = self.recorded(request, &verdict, now)?;
                self.write(Commit::at(now).entry(entry))?;
                Ok(Admission::Denied(reasons))
            }
            Decision::Ask => {
                let binding = self.binding(request, &verdict);
                match self.store.approval(self.id, binding, now)? {
                    Some(approval) => {
                        self.session.approve(&verdict)?;
                        let approved = self.decide(request, now);
                        let used = Change::UseApproval { id: approval.id, binding };
                        self.permit(request, approved, Some(used), now)
                    }
                    None => self.ask(request, &verdict, binding, now),
                }
            }
        }
    }

    fn decide(&self, request: &Request<'_>, now: Timestamp) -> Verdict {
        let server = request.tools.server();
        let tools = |name: &str| request.tools.profile(name);
        let look = self.looks(request, now);
        let profile = profile_of(request, look.as_deref(), now);
        let call = ToolCall {
            server: &server.name,
            remote: server.remote.as_deref(),
            profile,
            tools: &tools,
            arguments: request.arguments,
            standing: look.as_ref().map_or(ToolStanding::APPROVED, |look| look.standing(request.name)),
        };
        self.session.decide(&call, now)
    }

    fn permit(
        &mut self,
        request: &Request<'_>,
        verdict: Verdict,
        used: Option<Change>,
        now: Timestamp,
    ) -> Result<Admission, GuardError> {
        let entry = self.recorded(request, &verdict, now)?;
        let consumed = verdict.judgement.consumed.clone();
        let permit = self.session.permit(&verdict)?;
        let mut commit = Commit::at(now).entry(entry).change(Change::NextStep);
        for rule in consumed {
            commit = commit.change(Change::UseRule(portcullis_store::RuleId::new(rule.0)));
        }
        commit.changes.extend(used);
        self.write(commit)?;
        Ok(Admission::Permitted(permit, Box::new(verdict)))
    }

    fn ask(
        &mut self,
        request: &Request<'_>,
        verdict: &Verdict,
        binding: Digest,
        now: Timestamp,
    ) -> Result<Admission, GuardError> {
        let Some(question) = self.session.question(verdict, now) else {
            return Err(GuardError::Refused(Refusal::NotPermitted));
        };
        let call = record::call_name(&self.key, verdict);
        let mut asked = Asked::new(request, &self.session, verdict, question, binding, call);
        if let Some(looks) = self.looks(request, now) {
            asked.offer_tools(request, &looks);
        }
        let expires = now.checked_add(self.settings.question_life).unwrap_or(now);
        let entry = self.recorded(request, verdict, now)?;
        let question = asked.to_store(self.id, expires);
        let committed = self.write(Commit::at(now).entry(entry).change(Change::Ask(question)))?;
        match committed.made.into_iter().next() {
            Some(Made::Question(id, _)) => Ok(Admission::Asked(id, Box::new(asked))),
            _ => Err(StoreError::Failed("a question was not kept".to_owned()).into()),
        }
    }

    /// Takes note of how a call ended and of what it brought, before anybody else sees it.
    pub fn completed(
        &mut self,
        verdict: &Verdict,
        outcome: Outcome,
        texts: &[&str],
        now: Timestamp,
    ) -> Result<(), GuardError> {
        for _ in 0..MOST_TRIES {
            match self.try_to_complete(verdict, outcome, texts, now) {
                Err(GuardError::Commit(CommitError::SessionClosed)) => self.rejoin(now)?,
                Err(GuardError::Commit(error)) if is_outdated(&error) => self.refresh(now)?,
                Err(error) => {
                    self.refresh(now)?;
                    return Err(error);
                }
                Ok(()) => return Ok(()),
            }
        }
        Err(GuardError::Busy)
    }

    fn try_to_complete(
        &mut self,
        verdict: &Verdict,
        outcome: Outcome,
        texts: &[&str],
        now: Timestamp,
    ) -> Result<(), GuardError> {
        self.refresh_if_outdated(now)?;
        self.session.completed(verdict, outcome);
        texts.iter().for_each(|text| self.session.result(verdict, text));
        let entry = record::outcome(verdict.step(), outcome).map_err(CommitError::from)?;
        let is_plain = outcome == Outcome::Success && !self.session.has_unsaved();
        if is_plain && self.unwritten.len() < MOST_UNWRITTEN {
            // Nothing that decides has changed: the host need not wait until it is written.
            self.unwritten.push(entry);
            return Ok(());
        }
        self.write(Commit::at(now).entry(entry)).map(|_| ())
    }

    /// Whether something waits to be written with the next decision.
    pub fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty()
    }

    /// Writes what waits to be written.
    pub fn flush(&mut self, now: Timestamp) -> Result<(), GuardError> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        for _ in 0..MOST_TRIES {
            match self.refresh_if_outdated(now).and_then(|()| self.write(Commit::at(now))) {
                Err(GuardError::Commit(CommitError::SessionClosed)) => return self.rejoin(now),
                Err(GuardError::Commit(error)) if is_outdated(&error) => self.refresh(now)?,
                Err(error) => {
                    // It is told once. What is not written counts as uncertain.
                    self.unwritten.clear();
                    return Err(error);
                }
                Ok(_) => return Ok(()),
            }
        }
        self.unwritten.clear();
        Err(GuardError::Busy)
    }

    /// Writes a commit with whatever of the session is not saved yet, on condition that nothing changed meanwhile.
    fn write(&mut self, commit: Commit) -> Result<Committed, GuardError> {
        let mut commit = commit.after(self.unwritten.clone());
        commit = commit.in_session(self.id).expecting(self.seen.versions().into());
        for (part, content) in self.session.take_unsaved() {
            commit = commit.change(Change::SetPart {
                place: if part == Part::Files { Place::Workspace } else { Place::Session },
                name: part.name().to_owned(),
                content: Some(content.into_bytes()),
            });
        }
        let committed = self.store.commit(commit)?;
        self.unwritten.clear();
        self.seen.wrote(committed.versions);
        Ok(committed)
    }

    /// What an approval is for: this session, this server, this definition, these arguments, what they mean now, and the
    /// rules of now.
    fn binding(&self, request: &Request<'_>, verdict: &Verdict) -> Digest {
        let Versions { policy, .. } = self.seen.versions();
        Digest::of_fields(
            "portcullis approval",
            &[
                self.id.to_string().as_bytes(),
                server_of(request).identity.as_bytes(),
                request.tool.hash.as_bytes(),
                verdict.identity().as_bytes(),
                &policy.to_be_bytes(),
            ],
        )
    }

    /// The entry that tells of a verdict.
    fn recorded(
        &self,
        request: &Request<'_>,
        verdict: &Verdict,
        now: Timestamp,
    ) -> Result<NewEntry, CommitError> {
        let looks = self.looks(request, now);
        let profile = profile_of(request, looks.as_deref(), now);
        let place = record::Place { layout: &self.layout, key: &self.key, profile };
        let arguments = match self.settings.keep_arguments {
            true => record::Arguments::Plain(request.arguments),
            false => record::Arguments::Hashed(&self.key, request.arguments),
        };
        Ok(record::verdict(request, verdict, &place, arguments)?)
    }
}

/// The session of a key, as the monitor has it before anything is loaded.
fn joined(
    store: &dyn Store,
    key: &Key,
    settings: &Settings,
    who: &SessionKey,
    resolver: &'static (dyn Resolver + Sync),
    now: Timestamp,
) -> Result<(SessionId, Session<'static>), GuardError> {
    let (joined, _) = store.join(who.clone(), settings.idle, now)?;
    let opened = record::opened(settings).map_err(CommitError::from)?;
    store.commit(Commit::at(now).in_session(joined.id).entry(opened))?;
    let ground = settings.layout.clone().ground()?;
    let fingerprints = Fingerprints::new(record::fingerprint_key(key), Limits::default());
    let mut session = Session::new(&joined.id.to_string(), ground, formats()?, resolver, fingerprints);
    session.protect(settings.protected.clone());
    Ok((joined.id, session))
}

/// Whether somebody else was faster, so that the call has to be decided anew.
fn is_outdated(error: &CommitError) -> bool {
    matches!(error, CommitError::Outdated(_) | CommitError::RuleGone(_) | CommitError::ApprovalGone(_))
}

/// What the called tool does: with what a trusted signer declares of it, as long as that holds.
fn profile_of<'p>(request: &'p Request<'_>, looks: Option<&'p Looks>, now: Timestamp) -> &'p Profile {
    let declared = looks.and_then(|looks| looks.declared.profile(request.name, now));
    declared.unwrap_or(&request.tool.profile)
}

fn server_of<'r>(request: &Request<'r>) -> &'r Server {
    request.tools.server()
}

fn formats() -> Result<&'static Formats, GuardError> {
    use std::sync::LazyLock;
    static FORMATS: LazyLock<Result<Formats, String>> =
        LazyLock::new(|| Formats::built_in().map_err(|error| error.to_string()));
    FORMATS.as_ref().map_err(|error| GuardError::BuiltIn(format!("the formats of credentials: {error}")))
}
