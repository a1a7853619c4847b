//! What can be wrong with what `explain` is given.

use std::path::{Path, PathBuf};

use portcullis_lattice::words::shown;
use portcullis_perceive::FlowsError;
use portcullis_perceive::catalogue::CatalogueError;
use portcullis_perceive::derive::DefinitionError;
use portcullis_perceive::layout::LayoutError;
use portcullis_perceive::secrets::FormatsError;

/// As many names as are told to somebody who has to choose one.
const MOST_NAMES: usize = 12;

/// Why nothing is explained.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExplainError {
    #[error("`{}`: {error}", at(.path))]
    Json { path: PathBuf, error: serde_json::Error },
    #[error(
        "`{}`: neither the definition of a tool, which is an object with a `name`, nor a list of them\n  = `portcullis explain --help` shows a definition",
        at(.path)
    )]
    NoDefinition { path: PathBuf },
    #[error("`{}`: {error}\n  = `portcullis explain --help` shows a definition", at(.path))]
    Definition { path: PathBuf, error: DefinitionError },
    #[error("`{}` lists no tools", at(.path))]
    NoTools { path: PathBuf },
    #[error("`{}` has {} tools; say which one with `--name`: {}", at(.path), .names.len(), some(.names))]
    Which { path: PathBuf, names: Vec<String> },
    #[error("`{}` has no tool `{name}`; {}", at(.path), instead(.near, .names))]
    Unknown { path: PathBuf, name: String, near: Vec<String>, names: Vec<String> },
    #[error("`{}` lists the tool `{name}` twice, and a client may take either; leave one out", at(.path))]
    Twice { path: PathBuf, name: String },
    #[error("`{}`: the arguments of a call are an object, such as {{\"path\": \"a.txt\"}}", at(.path))]
    NoArguments { path: PathBuf },
    #[error("`--tool` and `--args` cannot both be read from standard input; put one into a file")]
    OneInput,
    #[error("`{}`: {error}", at(.path))]
    SessionFile { path: PathBuf, error: Box<toml::de::Error> },
    #[error("the session: {0}")]
    Layout(Box<LayoutError>),
    #[error("the home folder is not known; say it with `--home`")]
    NoHome,
    #[error("the current folder cannot be named: {0}; say the workspace with `--workspace`")]
    NoFolder(String),
    #[error("--page: `{page}` is no address of a page, such as https://acme.com/form")]
    Page { page: String },
    #[error("what the call does cannot be placed: {0}")]
    Flow(#[from] FlowsError),
    #[error("the catalogue: {0}")]
    Catalogue(Box<CatalogueError>),
    #[error("the formats of credentials: {0}")]
    Formats(#[from] FormatsError),
}

impl ExplainError {
    pub(super) fn definition(path: &Path, error: DefinitionError) -> ExplainError {
        ExplainError::Definition { path: path.into(), error }
    }
}

impl From<CatalogueError> for ExplainError {
    fn from(error: CatalogueError) -> ExplainError {
        ExplainError::Catalogue(Box::new(error))
    }
}

impl From<LayoutError> for ExplainError {
    fn from(error: LayoutError) -> ExplainError {
        ExplainError::Layout(Box::new(error))
    }
}

fn at(path: &Path) -> String {
    if path == Path::new("-") { "standard input".into() } else { shown(&path.display().to_string()) }
}

/// Names in a row, the first of many.
fn some(names: &[String]) -> String {
    let told: Vec<String> = names.iter().take(MOST_NAMES).map(|name| shown(name)).collect();
    match names.len() > MOST_NAMES {
        true => format!("{}, …", told.join(", ")),
        false => told.join(", "),
    }
}

fn instead(near: &[String], names: &[String]) -> String {
    match near {
        [] => format!("it has {}", some(names)),
        [one] => format!("do you mean `{}`?", shown(one)),
        several => format!("do you mean one of {}?", some(several)),
    }
}
