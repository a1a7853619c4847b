//! `portcullis run`: guard one server over standard input and output.

mod here;
mod signed;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use clap::Args;
use portcullis_gateway::child::{LEAVE, Passed};
use portcullis_gateway::{Relay, Server, Wanted, stdio};
use portcullis_identity::server::TlsHold;
use portcullis_lattice::words;
use portcullis_serve::{Connection, Middle, Notes, Target};
use portcullis_wire::framing::Line;

use super::sign::Signing;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::host_streams;
use crate::logins::{self, Entrance};
use crate::opening::Opening;
use crate::places::Places;
use crate::servers::{self, ServerPart};
use crate::{sources, whose};

/// What `run` needs.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// What the server is called in rules and questions [default: by its package or program].
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The folder that is worked in, where relative paths start and the server runs [default: the current one].
    #[arg(long, value_name = "FOLDER")]
    workspace: Option<PathBuf>,
    /// The session that this belongs to [default: that of the program that started this, in this workspace].
    ///
    /// Servers of one session share what was granted for it, and what was read through one is known to all.
    #[arg(long, value_name = "NAME", env = "PORTCULLIS_SESSION")]
    session: Option<String>,
    /// You trust a server that is not in the catalogue: its own things count as inside the organisation.
    #[arg(long)]
    approved: bool,
    /// Pass this variable of the environment on to the server; may be given several times. Only what programs need to run
    /// at all is passed on otherwise.
    #[arg(long, value_name = "VARIABLE")]
    pass: Vec<String>,
    /// Pass the whole environment on.
    #[arg(long, conflicts_with = "pass")]
    pass_all: bool,
    /// Guard a server at this address instead of starting one.
    #[arg(long, value_name = "URL", conflicts_with_all = ["command", "pass", "pass_all"])]
    url: Option<String>,
    /// Send this along to the address, as `Name: value`; `${VARIABLE}` is put in, so that no secret stands in the command.
    #[arg(long, value_name = "HEADER", requires = "url")]
    header: Vec<String>,
    /// Believe the certificates in this file too.
    #[arg(long, value_name = "FILE", requires = "url")]
    authorities: Option<PathBuf>,
    /// What of the certificate has to stay, so that approvals hold: that it is one of the name, who issued it, or its key
    /// [default: who issued it].
    #[arg(long, value_name = "PART", requires = "url")]
    tls: Option<HoldArg>,
    /// Ask in this terminal too, if the host leaves it to us: for programs of your own that you start in a terminal. What may be
    /// answered is as little as in a host's window.
    #[arg(long)]
    ask_here: bool,
    /// Sign what the server lists with this key of yours, for hosts and gateways behind this. Nothing is decided then.
    #[arg(long, value_name = "KEY", requires_all = ["provider", "tool_version"], conflicts_with_all = ["url", "ask_here", "approved", "name", "session"])]
    sign_with: Option<String>,
    /// Who provides the tools that are signed, such as acme.example.
    #[arg(long, value_name = "PROVIDER", requires = "sign_with")]
    provider: Option<String>,
    /// The version of the tools that are signed, such as 1.4.0.
    #[arg(long, value_name = "VERSION", requires = "sign_with")]
    tool_version: Option<String>,
    /// The command that starts the server.
    #[arg(required_unless_present = "url", last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// What of a certificate has to stay.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum HoldArg {
    /// That it is one of the name, whoever issued it.
    Name,
    /// Who issued it.
    Issuer,
    /// Its key.
    Pinned,
}

impl From<HoldArg> for TlsHold {
    fn from(hold: HoldArg) -> TlsHold {
        match hold {
            HoldArg::Name => TlsHold::Name,
            HoldArg::Issuer => TlsHold::Issuer,
            HoldArg::Pinned => TlsHold::Pinned,
        }
    }
}

pub(crate) const HELP: &str = r#"In the settings of your host, put `portcullis run --` in front of a server's command:

  {"mcpServers": {"files": {
    "command": "portcullis",
    "args": ["run", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "."]}}}

Every call is decided before the server sees it. What no rule covers is asked about: in the host's own window if
it can show questions, else in `portcullis watch`, which you run in another terminal. Your answers become rules
(`portcullis rules list`), and every decision is recorded (`portcullis audit list`).

Variables such as tokens, which you set for the server, have to be named: --pass GITHUB_TOKEN.

A server at an address is guarded in the same way, and its token stays in the environment:
  portcullis run --url https://mcp.example/mcp --header 'Authorization: Bearer ${EXAMPLE_TOKEN}'

One that wants you to log in is told in your browser who you are, once:
  portcullis login https://mcp.example/mcp

A provider whose server cannot sign its tools starts it with a key. Then nothing is decided here:
whoever uses the server guards it.
  portcullis run --sign-with acme --provider acme.example --tool-version 1.4.0 -- node server.js"#;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    if let (Some(key), Some(provider), Some(version)) = (&args.sign_with, &args.provider, &args.tool_version)
    {
        let signing = Signing::new(key, provider, version)?;
        let folder = args.workspace.clone().map_or_else(std::env::current_dir, Ok)?;
        let passed = if args.pass_all { Passed::All } else { Passed::Named(args.pass.clone()) };
        return signed::run(&signing, &servers::launch(&args.command, &folder, passed, Vec::new()));
    }
    let places = Places::find().map_err(GateError::from)?;
    let part = match &args.url {
        Some(url) => {
            let hold = args.tls.map(TlsHold::from);
            Some(ServerPart::at(url, headers(&args.header)?, args.authorities.clone(), hold))
        }
        None => None,
    };
    let name = args.name.as_deref();
    let server = match &part {
        Some(part) => part.server(name),
        None => Server::started(&args.command, name),
    };
    let wanted = Wanted::default();
    let opening = Opening {
        places: &places,
        workspace: args.workspace.as_deref(),
        host: args.session.clone().unwrap_or_else(whose::host),
        approved: args.approved.then_some(&server).into_iter().collect(),
        wanted: wanted.clone(),
    };
    let opened = opening.open()?;
    sources::attend(&places, &wanted, opened.configured.bundles());
    let asking = opened.configured.asking();
    if args.ask_here {
        let (store, session) = {
            let guard = opened.guard.lock().unwrap_or_else(PoisonError::into_inner);
            (Arc::clone(guard.store()), guard.id())
        };
        here::ask_here(store, session)?;
    }
    let relay =
        Relay::new(opened.guard, server.clone(), asking, whose::nonce()).map_err(GateError::BuiltIn)?;
    let name = words::shown(&server.name);
    let notes = move |note: &str| host_streams::note(&name, note);
    if let Some(part) = part {
        let called = words::shown(&server.name);
        let target =
            part.target(&opened.workspace, &entrance(args, &places, &called)).map_err(GateError::from)?;
        return over_http(relay, target, Arc::new(notes));
    }
    let passed = if args.pass_all { Passed::All } else { Passed::Named(args.pass.clone()) };
    let launch = servers::launch(&args.command, &opened.workspace, passed, Vec::new());
    let ended = stdio::run(relay, &launch, std::io::stdin(), std::io::stdout(), Box::new(notes));
    let ended = ended.map_err(GateError::from)?;
    let code = ended.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(if ended.host_left { ExitCode::SUCCESS } else { ExitCode::from(code) })
}

/// How users come in to a server that has an address and no name.
fn entrance<'n>(args: &RunArgs, places: &Places, called: &'n str) -> Entrance<'n> {
    let url = args.url.as_deref().unwrap_or_default();
    // What is behind the path may be secret.
    let shown = match url.split_once('?') {
        Some((place, _)) => format!("{}?…", words::shown(place)),
        None => words::shown(url),
    };
    let authorities = args.authorities.as_ref();
    let authorities =
        authorities.map_or_else(String::new, |file| format!(" --authorities {}", file.display()));
    let command = format!("portcullis login {shown}{authorities}");
    Entrance { logins: Arc::new(logins::kept(places)), called, command }
}

/// Guards a server that is reached over HTTP, until the host leaves.
fn over_http(relay: Relay, target: Target, notes: Notes) -> Result<ExitCode, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let entered = runtime.enter();
    let connection =
        Connection::plain(Middle::One(Box::new(relay)), vec![target], notes, Box::new(host_streams::write));
    host_streams::read(&mut |line| {
        match line {
            Line::Text(bytes) => connection.tell(bytes),
            Line::TooLong { .. } => connection.too_long(),
        }
        true
    })?;
    connection.let_answer(LEAVE);
    connection.close();
    connection.wait();
    drop(entered);
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(ExitCode::SUCCESS)
}

/// Headers as the command line names them: `Name: value`.
fn headers(lines: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let header = |line: &String| {
        let (name, value) = line.split_once(':').ok_or_else(|| {
            GateError::Said(format!("`{}` is no header; write `Name: value`", words::shown(line)))
        })?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    lines.iter().map(header).collect()
}
