//! How the session of an explained call lies.

use std::path::{Path, PathBuf};

use clap::Args;
use portcullis_invariant::english::plain_name;
use portcullis_perceive::layout::{Layout, PathStyle};
use portcullis_perceive::paths;

use super::super::read;
use super::ExplainError;
use crate::failure::Failure;
use crate::links::Disk;

/// What is said of the session on the command line.
#[derive(Args, Debug)]
#[command(next_help_heading = "The session")]
pub(in crate::commands) struct SessionArgs {
    /// The session, in TOML; what the options below say comes on top.
    #[arg(long, value_name = "FILE")]
    session: Option<PathBuf>,
    /// The folder that is worked in, where relative paths start; the current one if nobody says.
    #[arg(long, value_name = "FOLDER")]
    workspace: Option<PathBuf>,
    /// The user's home folder, for `~`; that of whoever runs this if nobody says.
    #[arg(long, value_name = "FOLDER")]
    home: Option<PathBuf>,
    /// A path that the user's request names; may be given several times, like those that follow.
    #[arg(long, value_name = "PATH")]
    target: Vec<String>,
    /// A domain or pattern of names of the organisation, such as acme.com or github:acme/**.
    #[arg(long, value_name = "NAMES")]
    internal: Vec<String>,
    /// An exception from these, such as slack:C0CUSTOMER.
    #[arg(long, value_name = "NAMES")]
    external: Vec<String>,
    /// A pattern of names that count as secret, such as db:hr.* or /home/ann/private/**.
    #[arg(long, value_name = "NAMES")]
    sensitive: Vec<String>,
    /// What rules call something that has an id, such as roadmap=41c5ea90-7d2f.
    #[arg(long, value_name = "NAME=ID", value_parser = named)]
    called: Vec<(String, String)>,
    /// The user approved the server: the things of a server that is not in the catalogue count as inside
    /// the organisation, and not as outside.
    #[arg(long)]
    pub(in crate::commands) approved: bool,
}

impl SessionArgs {
    /// The layout that file and options give together.
    pub(in crate::commands) fn layout(&self) -> Result<Layout, Failure> {
        let mut layout = match &self.session {
            Some(path) => toml::from_str(&read(path)?)
                .map_err(|error| ExplainError::SessionFile { path: path.into(), error: Box::new(error) })?,
            None => Layout { paths: native(), ..Layout::default() },
        };
        if let Some(folder) = &self.workspace {
            layout.workspace = absolute(folder)?;
        } else if layout.workspace.is_empty() {
            layout.workspace = absolute(Path::new("."))?;
        }
        if let Some(folder) = &self.home {
            layout.home = absolute(folder)?;
        } else if layout.home.is_empty() {
            layout.home =
                std::env::home_dir().ok_or(ExplainError::NoHome).and_then(|home| absolute(&home))?;
        }
        layout.targets.extend(self.target.iter().cloned());
        layout.internal.extend(self.internal.iter().cloned());
        layout.external.extend(self.external.iter().cloned());
        layout.sensitive.extend(self.sensitive.iter().cloned());
        layout.names.extend(self.called.iter().cloned());
        Ok(along_links(layout))
    }
}

/// The layout of a session in a folder, the current one if nobody says, on this machine.
pub(crate) fn workspace_layout(folder: Option<&Path>) -> Result<Layout, Failure> {
    let home = std::env::home_dir().ok_or(ExplainError::NoHome)?;
    let layout = Layout {
        paths: native(),
        workspace: absolute(folder.unwrap_or(Path::new(".")))?,
        home: absolute(&home)?,
        ..Layout::default()
    };
    Ok(along_links(layout))
}

/// A name and the id that it stands for.
fn named(text: &str) -> Result<(String, String), String> {
    let (name, id) = text.split_once('=').ok_or("a name and an id are needed, such as roadmap=41c5ea90")?;
    let name = plain_name(name).ok_or_else(|| format!("`{name}` names nothing"))?;
    match id.trim() {
        "" => Err(format!("what has the name `{name}` needs an id")),
        id => Ok((name, id.to_owned())),
    }
}

/// How paths are written on the machine that this runs on.
fn native() -> PathStyle {
    match () {
        () if cfg!(windows) => PathStyle::Windows,
        () if cfg!(target_os = "macos") => PathStyle::Mac,
        () => PathStyle::Unix,
    }
}

fn absolute(folder: &Path) -> Result<String, ExplainError> {
    let folder = std::path::absolute(folder).map_err(|error| ExplainError::NoFolder(error.to_string()))?;
    let text = folder.to_str().ok_or_else(|| ExplainError::NoFolder("its name is no text".into()))?;
    Ok(text.to_owned())
}

/// The workspace and the targets where links lead to, for there the paths of calls are found. What cannot be named is
/// left for the check of the layout to complain about.
fn along_links(mut layout: Layout) -> Layout {
    if layout.paths == PathStyle::Windows {
        return layout;
    }
    let workspace = paths::name(&layout.workspace, &layout.base(), &Disk).ok();
    let target =
        |text: &String| paths::name(text, &layout.base(), &Disk).map_or(text.clone(), |named| named.name);
    let targets = layout.targets.iter().map(target).collect();
    layout.targets = targets;
    if let Some(workspace) = workspace {
        layout.workspace = workspace.name;
    }
    layout
}
