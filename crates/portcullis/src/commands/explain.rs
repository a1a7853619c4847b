//! `portcullis explain`: what is thought of a tool, and what a call to it does.

mod arguments;
mod call;
pub(super) mod definitions;
mod failure;
mod print;
mod profile;
pub(crate) mod session;
mod summary;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::{Profiles, ServerIdentity};
use serde::Serialize;
use serde_json::Value;

use super::print_json;
use crate::failure::Failure;
use call::CallReport;
use definitions::{Chosen, Tools};
pub(crate) use failure::ExplainError;
use profile::ProfileReport;
use session::SessionArgs;

/// What a server is called where nobody says it.
const UNNAMED: &str = "unknown";

/// What `explain` needs.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The tool's definition as its server lists it, in JSON, or a whole answer to `tools/list`; `-` reads
    /// it from standard input.
    #[arg(long, value_name = "FILE")]
    tool: PathBuf,
    /// Which tool of the list.
    #[arg(long, value_name = "TOOL")]
    name: Option<String>,
    /// The arguments of a call, a JSON object; `-` reads them from standard input. Without them only the
    /// profile is shown.
    #[arg(long, value_name = "FILE")]
    args: Option<PathBuf>,
    /// What the server is called where it is configured. A server of the catalogue by that name is taken
    /// for it, unless --package says otherwise.
    #[arg(long, value_name = "NAME")]
    server: Option<String>,
    /// The package that the server is started from; this is what the catalogue knows servers by.
    #[arg(long, value_name = "PACKAGE")]
    package: Option<String>,
    /// Leave the catalogue aside: what would be thought of the tool if nobody knew its server?
    #[arg(long)]
    derived: bool,
    /// The page that the browser shows before the call.
    #[arg(long, value_name = "URL")]
    page: Option<String>,
    /// Print the explanation as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    session: SessionArgs,
}

pub(crate) const HELP: &str = r#"A definition and the arguments of a call:

  {
    "name": "send_note",
    "description": "Sends a note to people by mail.",
    "inputSchema": {
      "type": "object",
      "properties": { "note_path": { "type": "string" }, "recipients": { "type": "array" } }
    }
  }

  { "note_path": "plan.md", "recipients": ["ann@acme.com"] }

  portcullis explain --server notes --tool send_note.json --args call.json --internal acme.com

What a list of tools is thought to do, a line each:

  portcullis explain --server notes --tool tools-list.json

A session, for --session:

  workspace = "/home/ann/report"
  home = "/home/ann"
  targets = ["week46.pdf"]
  internal = ["acme.com", "github:acme/**"]
  external = ["slack:C0CUSTOMER"]
  sensitive = ["db:hr.*"]"#;

pub(crate) fn run(args: &ExplainArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let input = Path::new("-");
    if args.tool == input && args.args.as_deref() == Some(input) {
        return Err(ExplainError::OneInput.into());
    }
    let tools = Tools::read(&args.tool)?;
    let catalogue = Catalogue::built_in().map_err(ExplainError::from)?;
    let server = Server::new(args, &catalogue);
    match tools.choose(args.name.as_deref(), args.args.is_some())? {
        Chosen::One(definition) => one(args, &server, &catalogue, &tools, definition, out),
        Chosen::All(definitions) => {
            let summary = summary::summary(&server, &catalogue, &tools, definitions)?;
            match args.json {
                true => print_json(&summary, out)?,
                false => print::summary(&summary, out)?,
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn one(
    args: &ExplainArgs,
    server: &Server,
    catalogue: &Catalogue,
    tools: &Tools,
    definition: &Value,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let mut profiles = Profiles::new(catalogue);
    let wrong = |error| ExplainError::definition(&args.tool, error);
    let profile = profiles.profile(server.identity(), definition, None).map_err(wrong)?;
    let call = match &args.args {
        None => None,
        Some(path) => {
            let arguments = arguments::read_from(path)?;
            let setting = call::Setting::new(args, server, profile.source)?;
            let others = tools.profiles(server.identity(), &mut profiles);
            Some(CallReport::new(&setting, &profile, &others, &arguments)?)
        }
    };
    let explained = Explained {
        tool: &profile.tool,
        server: &server.name,
        catalogued: server.catalogued.as_deref(),
        source: profile.source.name(),
        profile: ProfileReport::new(&profile, definition),
        call,
    };
    match args.json {
        true => print_json(&explained, out)?,
        false => print::explained(&explained, server, profile.source, out)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is said about one tool, and about one call to it.
#[derive(Serialize)]
struct Explained<'a> {
    tool: &'a str,
    server: &'a str,
    catalogued: Option<&'a str>,
    source: &'static str,
    profile: ProfileReport,
    call: Option<CallReport>,
}

/// Who the server is taken for.
struct Server {
    /// What it is called.
    name: String,
    /// Which server of the catalogue it is.
    catalogued: Option<String>,
    /// The package that the catalogue does not have.
    unknown_package: Option<String>,
}

impl Server {
    fn new(args: &ExplainArgs, catalogue: &Catalogue) -> Server {
        let catalogued = match (&args.package, &args.server) {
            (Some(package), _) => catalogue.server_of_package(package),
            (None, Some(name)) => catalogue.server(name).map(|_| name.as_str()),
            (None, None) => None,
        };
        let name = args.server.as_deref().or(catalogued).unwrap_or(UNNAMED).to_owned();
        let unknown_package = args.package.clone().filter(|_| catalogued.is_none());
        let catalogued = catalogued.filter(|_| !args.derived).map(str::to_owned);
        Server { name, catalogued, unknown_package }
    }

    fn identity(&self) -> ServerIdentity<'_> {
        ServerIdentity { name: &self.name, catalogued: self.catalogued.as_deref() }
    }
}
