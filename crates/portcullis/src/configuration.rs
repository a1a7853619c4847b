//! `portcullis.toml`: the user's settings, and those of a project, which may only make it stricter.

use std::path::{Path, PathBuf};

use jiff::SignedDuration;
use portcullis_gateway::Asking;
use portcullis_invariant::{Hand, Stated};
use portcullis_perceive::layout::Layout;
use portcullis_store::Durability;
use serde::Deserialize;

use crate::places::{PROJECT_FOLDER, Places, SETTINGS_FILE};

/// What a user may set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Configuration {
    /// Rules in plain English.
    pub(crate) invariants: Vec<String>,
    /// How sessions lie.
    pub(crate) session: SessionPart,
    /// How the user is asked.
    pub(crate) asking: AskingPart,
    /// What is kept.
    pub(crate) audit: AuditPart,
}

/// How sessions lie, beyond what is known anyway.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct SessionPart {
    internal: Vec<String>,
    external: Vec<String>,
    sensitive: Vec<String>,
    targets: Vec<String>,
}

/// How the user is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AskingPart {
    channel: Channel,
    /// Seconds that a call waits for an answer.
    wait: u32,
    /// Minutes for which a question can be answered.
    open: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Channel {
    Host,
    Terminal,
}

/// What is kept.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AuditPart {
    /// Arguments as they are, and not as keyed hashes.
    pub(crate) keep_arguments: bool,
    survives: Survives,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Survives {
    /// The end of the process, however sudden.
    #[default]
    Crash,
    /// A loss of power too.
    Power,
}

/// What a project may set: only what makes it stricter.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Project {
    invariants: Vec<String>,
    session: ProjectSession,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProjectSession {
    external: Vec<String>,
    sensitive: Vec<String>,
}

impl Default for AskingPart {
    fn default() -> AskingPart {
        // Hosts give up on a call after a minute.
        AskingPart { channel: Channel::Host, wait: 50, open: 30 }
    }
}

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigurationError {
    #[error("cannot read `{}`: {error}", .path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("`{}` cannot be understood:\n{error}", .path.display())]
    Form { path: PathBuf, error: Box<toml::de::Error> },
    #[error(
        "`{}` cannot be understood:\n{error}\na project may only state `invariants`, and `external` and `sensitive` names of its \
         `session`: what widens anything belongs into your own settings",
        .path.display()
    )]
    Project { path: PathBuf, error: Box<toml::de::Error> },
    #[error("`{}` states a rule that is not understood: “{sentence}”\n{error}", .path.display())]
    Sentence { path: PathBuf, sentence: String, error: String },
}

/// Settings of user and project together.
pub(crate) struct Configured {
    /// The user's.
    pub(crate) user: Configuration,
    /// Rules in plain English, each with the file that states it.
    sentences: Vec<(PathBuf, String)>,
    external: Vec<String>,
    sensitive: Vec<String>,
}

impl Configured {
    /// Reads the user's settings and those of the project, where there are any.
    pub(crate) fn read(places: &Places, workspace: &Path) -> Result<Configured, ConfigurationError> {
        let of_user = places.settings_file();
        let of_project = workspace.join(PROJECT_FOLDER).join(SETTINGS_FILE);
        let user: Configuration = match text(&of_user)? {
            Some(text) => toml::from_str(&text).map_err(|error| ConfigurationError::Form {
                path: of_user.clone(),
                error: Box::new(error),
            })?,
            None => Configuration::default(),
        };
        let project: Project = match text(&of_project)? {
            Some(text) => toml::from_str(&text).map_err(|error| ConfigurationError::Project {
                path: of_project.clone(),
                error: Box::new(error),
            })?,
            None => Project::default(),
        };
        let sentences = user.invariants.iter().map(|sentence| (of_user.clone(), sentence.clone()));
        let sentences =
            sentences.chain(project.invariants.into_iter().map(|sentence| (of_project.clone(), sentence)));
        Ok(Configured {
            sentences: sentences.collect(),
            external: project.session.external,
            sensitive: project.session.sensitive,
            user,
        })
    }

    /// Adds what is set about sessions.
    pub(crate) fn lay_out(&self, layout: &mut Layout) {
        layout.internal.extend(self.user.session.internal.iter().cloned());
        layout.targets.extend(self.user.session.targets.iter().cloned());
        layout.external.extend(self.user.session.external.iter().chain(&self.external).cloned());
        layout.sensitive.extend(self.user.session.sensitive.iter().chain(&self.sensitive).cloned());
    }

    /// The stated rules, understood with the tools at hand. One that is not understood is an error: it would not be
    /// enforced.
    pub(crate) fn stated(&self, hand: &Hand, year: i16) -> Result<Vec<Stated>, ConfigurationError> {
        let read = |(number, (path, sentence)): (usize, &(PathBuf, String))| {
            Stated::read(sentence, hand, year, number).map_err(|error| ConfigurationError::Sentence {
                path: path.clone(),
                sentence: sentence.clone(),
                error: error.to_string(),
            })
        };
        self.sentences.iter().enumerate().map(read).collect()
    }

    /// How the user is asked.
    pub(crate) fn asking(&self) -> Asking {
        match self.user.asking.channel {
            Channel::Host => Asking::HostFirst,
            Channel::Terminal => Asking::TerminalOnly,
        }
    }

    /// How long a call waits for an answer.
    pub(crate) fn patience(&self) -> SignedDuration {
        SignedDuration::from_secs(i64::from(self.user.asking.wait))
    }

    /// How long a question can be answered.
    pub(crate) fn question_life(&self) -> SignedDuration {
        SignedDuration::from_mins(i64::from(self.user.asking.open))
    }

    /// What a recorded decision survives.
    pub(crate) fn durability(&self) -> Durability {
        match self.user.audit.survives {
            Survives::Crash => Durability::Process,
            Survives::Power => Durability::Power,
        }
    }
}

fn text(path: &Path) -> Result<Option<String>, ConfigurationError> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigurationError::Read { path: path.into(), error }),
    }
}
