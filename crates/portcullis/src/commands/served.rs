//! Definitions of tools, from a file or from a server that is run for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use portcullis_gateway::child::Passed;
use portcullis_lattice::words::shown;
use portcullis_wire::json::{Document, Limits, Node};
use portcullis_wire::mcp::list_tools;

use super::read;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::lister::{self, Served};
use crate::servers;

/// Where definitions come from.
#[derive(Args, Debug)]
pub(crate) struct SourceArgs {
    /// A file with the definitions: a list of tools, an object with `tools`, an answer to `tools/list`, or one tool. `-` is
    /// standard input.
    #[arg(value_name = "FILE", required_unless_present = "command", conflicts_with = "command")]
    file: Option<PathBuf>,
    /// Pass this variable of the environment on to the server; may be given several times.
    #[arg(long, value_name = "VARIABLE", requires = "command")]
    pass: Vec<String>,
    /// Seconds that the server has to list its tools.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// The command that starts a server whose tools are meant.
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

impl SourceArgs {
    /// The definitions, each with its name, as they came. Two of one name are refused: nobody could say which is meant.
    pub(super) fn definitions(&self) -> Result<Vec<Served>, Failure> {
        let served = match &self.file {
            Some(path) => of_file(path)?,
            None => self.of_server()?,
        };
        let mut names = BTreeSet::new();
        if let Some((twice, _)) = served.iter().find(|(name, _)| !names.insert(name)) {
            return Err(GateError::Said(format!("the tool `{}` is there twice", shown(twice))).into());
        }
        Ok(served)
    }

    fn of_server(&self) -> Result<Vec<Served>, Failure> {
        let folder = std::env::current_dir().map_err(|error| Failure::Read { path: ".".into(), error })?;
        let launch = servers::launch(&self.command, &folder, Passed::Named(self.pass.clone()), Vec::new());
        Ok(lister::tools_of(&launch, Duration::from_secs(self.timeout)).map_err(GateError::from)?)
    }
}

fn of_file(path: &Path) -> Result<Vec<Served>, Failure> {
    let unusable = |error: &dyn std::fmt::Display| {
        let told = shown(&error.to_string());
        Failure::Tools { path: path.into(), error: told.into() }
    };
    let document = Document::parse(read(path)?, &Limits::default()).map_err(|error| unusable(&error))?;
    let root = document.root();
    let listed = root.get("result").filter(|result| result.get("tools").is_some()).unwrap_or(root);
    if listed.get("tools").is_some() {
        let page = list_tools(listed).map_err(|error| unusable(&error))?;
        if let Some((_, error)) = page.broken.first() {
            return Err(unusable(error));
        }
        return Ok(page
            .items
            .iter()
            .map(|tool| (tool.name.clone().into_owned(), tool.node.raw().to_vec()))
            .collect());
    }
    let tools: Vec<Node<'_>> = if root.is_array() { root.items().collect() } else { vec![root] };
    let named = |tool: Node<'_>| Some((tool.get("name")?.as_str()?.into_owned(), tool.raw().to_vec()));
    let problem =
        "a tool is an object with a `name`; expected a list of tools, an object with `tools`, or one tool";
    tools.into_iter().map(|tool| named(tool).ok_or_else(|| unusable(&problem))).collect()
}
