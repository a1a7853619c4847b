//! Where Portcullis keeps its state and finds its settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::own_keys::OwnKeys;
use portcullis_store::{Durability, Key, KeyError, OpenError, Options, SqliteStore, Store};

/// The folders of Portcullis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Places {
    /// The store and the key.
    pub(crate) state: PathBuf,
    /// The user's settings.
    pub(crate) settings: PathBuf,
    /// The settings of whoever runs this machine for others. No variable leads elsewhere: a user cannot leave them.
    pub(crate) fleet: PathBuf,
}

/// What belongs to a project: only what makes it stricter.
pub(crate) const PROJECT_FOLDER: &str = ".portcullis";
/// Settings, in the user's folder and in a project's.
pub(crate) const SETTINGS_FILE: &str = "portcullis.toml";

/// Where whoever runs the machine puts settings for all of its users.
const FLEET: &str = if cfg!(windows) { r"C:\ProgramData\portcullis" } else { "/etc/portcullis" };

/// Why there is no state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlacesError {
    #[error("your home folder is not known; set PORTCULLIS_HOME to a folder of your own")]
    NoHome,
    #[error(
        "there is no store at `{}`: nothing was guarded yet. Put `portcullis run --` in front of a server's command, or set \
         PORTCULLIS_HOME if the store is elsewhere", .0.display()
    )]
    Nothing(PathBuf),
    #[error(transparent)]
    Store(#[from] OpenError),
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl Places {
    /// The folders that the environment names, else the usual ones.
    pub(crate) fn find() -> Result<Places, PlacesError> {
        let fleet = PathBuf::from(FLEET);
        let named = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        if let Some(own) = named("PORTCULLIS_HOME") {
            return Ok(Places { state: own.clone(), settings: own, fleet });
        }
        let home = std::env::home_dir().filter(|home| home.is_absolute());
        let below = |usual: &str| home.as_ref().map(|home| home.join(usual));
        let state = named("XDG_STATE_HOME").or_else(|| below(".local/state")).ok_or(PlacesError::NoHome)?;
        let settings = named("XDG_CONFIG_HOME").or_else(|| below(".config")).ok_or(PlacesError::NoHome)?;
        Ok(Places { state: state.join("portcullis"), settings: settings.join("portcullis"), fleet })
    }

    /// Opens the store, which is made if there is none.
    pub(crate) fn open(&self, durability: Durability) -> Result<Arc<dyn Store>, PlacesError> {
        let options = Options { durability, ..Options::default() };
        Ok(Arc::new(SqliteStore::open(&self.store_file(), options)?))
    }

    /// Opens the store for a person's own acts, which are to survive a loss of power.
    pub(crate) fn open_for_person(&self) -> Result<Arc<dyn Store>, PlacesError> {
        self.open(Durability::Power)
    }

    /// The store, if there is one: who only looks makes none.
    pub(crate) fn look(&self) -> Result<Arc<dyn Store>, PlacesError> {
        let file = self.store_file();
        match file.try_exists() {
            Ok(false) => Err(PlacesError::Nothing(file)),
            Ok(true) | Err(_) => self.open_for_person(),
        }
    }

    /// The key of hashes, which is made if there is none.
    pub(crate) fn key(&self) -> Result<Key, PlacesError> {
        Ok(Key::open_or_create(&self.state.join("key"))?)
    }

    /// The user's own keys to sign with.
    pub(crate) fn own_keys(&self) -> OwnKeys {
        OwnKeys::at(self.state.join("keys"))
    }

    /// The file of the store.
    pub(crate) fn store_file(&self) -> PathBuf {
        self.state.join("portcullis.db")
    }

    /// The settings of whoever runs the machine.
    pub(crate) fn fleet_file(&self) -> PathBuf {
        self.fleet.join(SETTINGS_FILE)
    }

    /// The user's settings.
    pub(crate) fn settings_file(&self) -> PathBuf {
        self.settings.join(SETTINGS_FILE)
    }
}

/// The files of hosts in which they say which servers and hooks they start, below the home folder.
const OF_HOSTS_AT_HOME: &[&str] = &[
    ".claude.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codeium/windsurf/mcp_config.json",
    ".config/Claude/claude_desktop_config.json",
    ".config/Code/User/mcp.json",
    ".config/goose/config.yaml",
    ".config/zed/settings.json",
    ".copilot/**",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
];
/// The same, in a project.
const OF_HOSTS_IN_PROJECTS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".cursor/hooks.json",
    ".cursor/mcp.json",
    ".gemini/settings.json",
    ".github/hooks/**",
    ".mcp.json",
    ".vscode/mcp.json",
];

impl Places {
    /// What no call may change: our own files, and those in which hosts say what they start. As rules write places.
    /// `more` are files that settings name.
    pub(crate) fn protected(
        &self,
        home: &Path,
        workspace: &Path,
        more: impl Iterator<Item = PathBuf>,
    ) -> Vec<String> {
        let own =
            [self.state.clone(), self.settings.clone(), self.fleet.clone(), workspace.join(PROJECT_FOLDER)]
                .map(|folder| folder.join("**"));
        let program = std::env::current_exe().ok();
        let hosts = OF_HOSTS_AT_HOME.iter().map(|file| home.join(file));
        let in_project = OF_HOSTS_IN_PROJECTS.iter().map(|file| workspace.join(file));
        let places = own.into_iter().chain(program).chain(hosts).chain(in_project).chain(more);
        places.filter_map(|place| place.to_str().map(quoted)).collect()
    }
}

/// A path as rules write it.
fn quoted(path: &str) -> String {
    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
}
