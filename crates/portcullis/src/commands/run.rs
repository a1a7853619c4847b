//! `portcullis run`: guard one server over standard input and output.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::Args;
use jiff::{Timestamp, Zoned};
use portcullis_gateway::child::{Launch, Passed};
use portcullis_gateway::{Guard, Relay, Server, Settings, catalogue, stdio};
use portcullis_invariant::Hand;
use portcullis_lattice::words;
use portcullis_monitor::Protected;
use portcullis_perceive::derive;
use portcullis_perceive::layout::Layout;
use portcullis_store::SessionKey;

use super::explain::session::workspace_layout;
use crate::configuration::Configured;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::links::Disk;
use crate::places::Places;
use crate::whose;

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
    /// The command that starts the server.
    #[arg(required = true, last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

pub(crate) const HELP: &str = r#"In the settings of your host, put `portcullis run --` in front of a server's command:

  {"mcpServers": {"files": {
    "command": "portcullis",
    "args": ["run", "--", "npx", "-y", "@modelcontextprotocol/server-filesystem", "."]}}}

Every call is decided before the server sees it. What no rule covers is asked about: in the host's own window if
it can show questions, else in `portcullis watch`, which you run in another terminal. Your answers become rules
(`portcullis rules list`), and every decision is recorded (`portcullis audit list`).

Variables such as tokens, which you set for the server, have to be named: --pass GITHUB_TOKEN."#;

pub(crate) fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    let places = Places::find().map_err(GateError::from)?;
    let server = Server::started(&args.command, args.name.as_deref());
    let mut layout = workspace_layout(args.workspace.as_deref())?;
    let workspace = PathBuf::from(&layout.workspace);
    let configured = Configured::read(&places, &workspace).map_err(GateError::from)?;
    configured.lay_out(&mut layout);
    layout.accounts.extend(args.approved.then(|| derive::scheme(&server.name)));
    let settings = settings(&places, &configured, layout)?;
    let key = SessionKey {
        workspace: settings.layout.workspace.clone(),
        user: whose::user(),
        host: args.session.clone().unwrap_or_else(whose::host),
    };
    let store = places.open(configured.durability()).map_err(GateError::from)?;
    let hash_key = places.key().map_err(GateError::from)?;
    let guard =
        Guard::open(store, hash_key, settings, key, &Disk, Timestamp::now()).map_err(GateError::from)?;
    let guard = Arc::new(Mutex::new(guard));
    let relay =
        Relay::new(guard, server.clone(), configured.asking(), whose::nonce()).map_err(GateError::BuiltIn)?;
    let launch = Launch {
        command: args.command.clone(),
        folder: Some(workspace),
        passed: if args.pass_all { Passed::All } else { Passed::Named(args.pass.clone()) },
        // What a server starts is told apart by it, even if nobody knows any more who started it.
        set: vec![("PORTCULLIS_GUARDED".to_owned(), "1".to_owned())],
    };
    let name = words::shown(&server.name);
    let notes = move |note: &str| {
        // Nobody is left to tell if standard error is gone.
        let _ = writeln!(std::io::stderr(), "[{name}] {}", words::shown(note));
    };
    let ended = stdio::run(relay, &launch, std::io::stdin(), std::io::stdout(), Box::new(notes));
    let ended = ended.map_err(GateError::from)?;
    let code = ended.status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(if ended.host_left { ExitCode::SUCCESS } else { ExitCode::from(code) })
}

fn settings(places: &Places, configured: &Configured, mut layout: Layout) -> Result<Settings, Failure> {
    let (home, workspace) = (PathBuf::from(&layout.home), PathBuf::from(&layout.workspace));
    let protected = places.protected(&home, &workspace);
    let protected = Protected::new(&protected, &["portcullis".to_owned()])
        .map_err(|error| GateError::BuiltIn(format!("what guards the agent cannot be named: {error}")))?;
    // What is read there is not for others.
    for own in [&places.state, &places.settings] {
        layout.sensitive.extend(own.to_str().map(|own| format!("{own}/**")));
    }
    let mut hand = Hand::new(&layout);
    for (server, entry) in catalogue().map_err(GateError::BuiltIn)?.servers() {
        hand.add_catalogued(server, entry);
    }
    let stated = configured.stated(&hand, Zoned::now().year()).map_err(GateError::from)?;
    Ok(Settings {
        protected,
        stated,
        patience: configured.patience(),
        question_life: configured.question_life(),
        keep_arguments: configured.user.audit.keep_arguments,
        ..Settings::new(layout)
    })
}
