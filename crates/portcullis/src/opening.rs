//! Opens the session that calls are judged in, for every command that guards servers.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use jiff::{Timestamp, Zoned};
use portcullis_gateway::{Guard, Server, Settings, Wanted, catalogue};
use portcullis_invariant::Hand;
use portcullis_monitor::Protected;
use portcullis_perceive::derive;
use portcullis_perceive::layout::Layout;
use portcullis_store::SessionKey;

use crate::commands::explain::session::workspace_layout;
use crate::configuration::{Configured, StatedBundle};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::links::Disk;
use crate::places::Places;
use crate::whose;

/// How a session is to be opened.
pub(crate) struct Opening<'o> {
    /// Where our own files are.
    pub(crate) places: &'o Places,
    /// The folder that is worked in; the current one if nobody says.
    pub(crate) workspace: Option<&'o Path>,
    /// The program for which it is.
    pub(crate) host: String,
    /// Servers whose own things count as inside the organisation.
    pub(crate) approved: Vec<&'o Server>,
    /// Where key sets are asked for that are not known.
    pub(crate) wanted: Wanted,
}

/// A session, and what was set for it.
pub(crate) struct OpenedSession {
    /// What judges.
    pub(crate) guard: Arc<Mutex<Guard>>,
    /// The settings of fleet, user and project.
    pub(crate) configured: Configured,
    /// The folder that is worked in.
    pub(crate) workspace: PathBuf,
}

impl Opening<'_> {
    /// Opens the session.
    pub(crate) fn open(self) -> Result<OpenedSession, Failure> {
        let (configured, settings, workspace) = self.prepare()?;
        let key =
            SessionKey { workspace: settings.layout.workspace.clone(), user: whose::user(), host: self.host };
        let store = self.places.open(configured.durability()).map_err(GateError::from)?;
        let hash_key = self.places.key().map_err(GateError::from)?;
        let guard =
            Guard::open(store, hash_key, settings, key, &Disk, Timestamp::now()).map_err(GateError::from)?;
        Ok(OpenedSession { guard: Arc::new(Mutex::new(guard)), configured, workspace })
    }

    /// Makes sure that a session can be opened, and opens none. Says what is set for it.
    pub(crate) fn check(&self) -> Result<Configured, Failure> {
        let (configured, _, _) = self.prepare()?;
        self.places.open(configured.durability()).map_err(GateError::from)?;
        self.places.key().map_err(GateError::from)?;
        Ok(configured)
    }

    fn prepare(&self) -> Result<(Configured, Settings, PathBuf), Failure> {
        let mut layout = workspace_layout(self.workspace)?;
        let workspace = PathBuf::from(&layout.workspace);
        if !workspace.is_dir() {
            let text = format!("`{}`, which is to be worked in, is no folder", workspace.display());
            return Err(GateError::Said(text).into());
        }
        let configured = Configured::read(self.places, &workspace).map_err(GateError::from)?;
        configured.lay_out(&mut layout);
        layout.accounts.extend(self.approved.iter().map(|server| derive::scheme(&server.name)));
        let settings =
            Settings { wanted: self.wanted.clone(), ..settings(self.places, &configured, layout)? };
        Ok((configured, settings, workspace))
    }
}

fn settings(places: &Places, configured: &Configured, mut layout: Layout) -> Result<Settings, Failure> {
    let (home, workspace) = (PathBuf::from(&layout.home), PathBuf::from(&layout.workspace));
    let of_bundles = configured.bundles().iter().flat_map(StatedBundle::files);
    let protected = places.protected(&home, &workspace, of_bundles);
    let protected = Protected::new(&protected, &["portcullis".to_owned()])
        .map_err(|error| GateError::BuiltIn(format!("what guards the agent cannot be named: {error}")))?;
    // What is read there is not for others.
    for own in [&places.state, &places.settings] {
        layout.sensitive.extend(own.to_str().map(|own| format!("{own}/**")));
    }
    let hand = hand(&layout)?;
    let stated = configured.stated(&hand, Zoned::now().year()).map_err(GateError::from)?;
    Ok(Settings {
        protected,
        stated,
        patience: configured.patience(),
        question_life: configured.question_life(),
        tools: configured.tools(),
        keep_arguments: configured.user.audit.keep_arguments,
        ..Settings::new(layout)
    })
}

/// What is at hand where sentences are read: the folders of the session, and the tools of the catalogue.
pub(crate) fn hand(layout: &Layout) -> Result<Hand, Failure> {
    let mut hand = Hand::new(layout);
    for (server, entry) in catalogue().map_err(GateError::BuiltIn)?.servers() {
        hand.add_catalogued(server, entry);
    }
    Ok(hand)
}
