//! Where the log comes from: the store, or an export of another.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use portcullis_gateway::kind;
use portcullis_lattice::words::shown;
use portcullis_store::{
    EntryFilter, Order, ReadExportError, RuleFilter, SessionId, Standing, Store, read_export,
};

use super::super::super::sessions;
use super::super::progress::Progress;
use super::log::{Log, SessionLog};
use super::report::Policy;
use crate::configuration::Configured;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;

/// So many entries are read at once.
const PIECE: u32 = 1_000;

/// A log, and what else is known beside it.
pub(super) struct Source {
    pub(super) log: Log,
    /// Where settings of today are; nowhere for an export, which may be of another machine.
    places: Option<Places>,
    /// So many rules and sentences the store has; an export tells all that there are.
    kept: Option<(usize, usize)>,
    /// Behind which entry an export begins.
    after: u64,
}

/// Which sessions are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted<'w> {
    /// Every one.
    All,
    /// The one whose name begins so.
    Named(&'w str),
    /// The one that made the last call.
    Last,
}

impl Source {
    /// Reads the log, with the calls of a session, of the last one, or of all.
    pub(super) fn open(log: Option<&Path>, wanted: Wanted<'_>) -> Result<Source, Failure> {
        let mut source = match log {
            Some(path) => Source::of_export(path)?,
            None => {
                let places = Places::find()?;
                let store = places.look()?;
                let only = match wanted {
                    Wanted::Named(text) => Some(sessions::named(&*store, text)?),
                    Wanted::All => None,
                    Wanted::Last => last_of_store(&*store)?,
                };
                Source::of_store(&*store, Some(places), only)?
            }
        };
        source.choose(wanted)?;
        Ok(source)
    }

    /// The log of a store, with the calls of a session or of all.
    pub(super) fn of_store(
        store: &dyn Store,
        places: Option<Places>,
        only: Option<SessionId>,
    ) -> Result<Source, Failure> {
        let mut log = Log::of(only);
        let newest = store.head()?.sequence;
        let mut progress = Progress::new(usize::try_from(newest).unwrap_or(usize::MAX), "entries");
        let mut filter =
            EntryFilter { before: newest.checked_add(1), limit: PIECE, ..EntryFilter::default() };
        loop {
            let entries = store.entries(&filter)?;
            let Some(last) = entries.last() else { break };
            filter.after = Some(last.sequence);
            for entry in &entries {
                log.take(entry);
                progress.advance();
            }
        }
        progress.clear();
        let kept = (store.rules(RuleFilter::All)?.len(), store.invariants(Standing::All)?.len());
        Ok(Source { log, places, kept: Some(kept), after: 0 })
    }

    /// A log, with nothing beside it.
    pub(super) fn of_log(log: Log) -> Source {
        Source { log, places: None, kept: None, after: 0 }
    }

    fn of_export(path: &Path) -> Result<Source, Failure> {
        let unreadable = |error| Failure::Read { path: path.into(), error };
        let mut log = Log::of(None);
        let mut take = |entry: &portcullis_store::Entry| log.take(entry);
        let verified = if path == Path::new("-") {
            read_export(&mut std::io::stdin().lock(), None, &mut take)
        } else {
            let file = File::open(path).map_err(unreadable)?;
            read_export(&mut BufReader::new(file), None, &mut take)
        };
        match verified {
            Ok(verified) => Ok(Source { after: verified.after.sequence, ..Source::of_log(log) }),
            Err(ReadExportError::Input(error)) => Err(unreadable(error)),
            Err(error) => {
                let told = format!("`{}`: {error}; nothing of it was replayed", shown_path(path));
                Err(GateError::Said(told).into())
            }
        }
    }

    /// Leaves the sessions that are meant.
    fn choose(&mut self, wanted: Wanted<'_>) -> Result<(), Failure> {
        let sessions = &mut self.log.sessions;
        sessions.retain(|_, session| !session.is_empty());
        match wanted {
            Wanted::Named(text) => {
                sessions.retain(|id, _| id.to_string().starts_with(text));
                let told = shown(text);
                match sessions.len() {
                    1 => {}
                    0 => return said(format!("no call of a session `{told}` was recorded")),
                    _ => {
                        return said(format!("several sessions begin with `{told}`; write more of its name"));
                    }
                }
            }
            Wanted::All => {}
            Wanted::Last => {
                let last = sessions.iter().max_by_key(|(_, session)| session.last()).map(|(id, _)| *id);
                sessions.retain(|id, _| Some(*id) == last);
            }
        }
        if sessions.is_empty() { said("no call was recorded".to_owned()) } else { Ok(()) }
    }

    /// Which policy there is.
    pub(super) fn policy(&self) -> Policy {
        if self.kept.is_some() { Policy::Today } else { Policy::Log }
    }

    /// Whether the log tells of all rules, and can be read.
    pub(super) fn check_rules(&self) -> Result<(), Failure> {
        if self.after > 0 {
            return said(format!(
                "the export begins behind entry {}, and what was granted before is not in it: export the whole log, or say \
                 all rules with --rules",
                self.after
            ));
        }
        if let Some(known) = self.log.rules.iter().find(|known| known.rule.is_none()) {
            return said(format!("rule {} of the log cannot be read; say all rules with --rules", known.id));
        }
        let told = (self.log.rules.len(), self.log.sentences.len());
        match self.kept {
            Some(kept) if kept != told => said(
                "the audit log does not tell of all rules of the store: see `portcullis audit verify`, or say all rules \
                 with --rules"
                    .to_owned(),
            ),
            Some(_) | None => Ok(()),
        }
    }

    /// What settings state today where the session worked; nothing where only the log counts.
    pub(super) fn settings(&self, session: &SessionLog) -> Result<Option<Vec<String>>, Failure> {
        let Some(places) = &self.places else { return Ok(None) };
        let workspace =
            session.layouts.values().next().map(|layout| PathBuf::from(&layout.session.workspace));
        let configured = Configured::read(places, &workspace.unwrap_or_default())?;
        Ok(Some(configured.sentences.into_iter().map(|sentence| sentence.text).collect()))
    }
}

fn said<T>(told: String) -> Result<T, Failure> {
    Err(GateError::Said(told).into())
}

fn shown_path(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { shown(&path.display().to_string()) }
}

/// The session that made the last call.
fn last_of_store(store: &dyn Store) -> Result<Option<SessionId>, Failure> {
    let filter = EntryFilter {
        kind: Some(kind::VERDICT.to_owned()),
        order: Order::NewestFirst,
        limit: 1,
        ..EntryFilter::default()
    };
    Ok(store.entries(&filter)?.first().and_then(|entry| entry.session))
}
