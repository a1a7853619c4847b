//! `portcullis serve`: guard many servers, for hosts that speak over HTTP.

mod guarded;
pub(crate) mod standing;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use portcullis_lattice::words;
use portcullis_serve::{Front, Token};

use crate::configuration::{self, Configuration};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::places::Places;
use guarded::Desk;
use standing::{Standing, token};

/// What `serve` needs.
#[derive(Args, Debug)]
pub(crate) struct ServeArgs {
    /// Where to listen; only addresses of this machine itself can be taken. Port 0 is any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4877")]
    listen: SocketAddr,
    /// The file that names the servers [default: your own portcullis.toml].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The folder that is worked in, for hosts that do not say; `portcullis connect` does [default: the current one].
    #[arg(long, value_name = "FOLDER")]
    workspace: Option<PathBuf>,
    /// Let every program of this machine speak to the servers, and not only those that know the token.
    #[arg(long)]
    without_token: bool,
    /// Print the token for the settings of hosts that speak over HTTP, and do nothing else.
    #[arg(long, conflicts_with_all = ["config", "workspace", "without_token"])]
    print_token: bool,
}

pub(crate) const HELP: &str = r#"Name your servers in portcullis.toml:

  [servers.files]
  command = ["npx", "-y", "@modelcontextprotocol/server-filesystem", "."]

  [servers.tracker]
  url = "https://mcp.example/mcp"
  headers = { Authorization = "Bearer ${TRACKER_TOKEN}" }

A server that wants you to log in gets no headers; `portcullis login NAME` does it in your browser.
Then let hosts speak to all of them as one, http://127.0.0.1:4877/mcp, or to one of them as it is,
http://127.0.0.1:4877/servers/files. A host that speaks over HTTP sends the token along:

  {"mcpServers": {"portcullis": {"type": "http", "url": "http://127.0.0.1:4877/mcp",
    "headers": {"Authorization": "Bearer (what `portcullis serve --print-token` prints)"}}}}

A host that only starts programs starts the bridge, which finds address and token by itself:

  {"mcpServers": {"portcullis": {"command": "portcullis", "args": ["connect"]}}}

All servers that a host speaks to share one session, so that what was read through one is known to all."#;

pub(crate) fn run(args: &ServeArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find().map_err(GateError::from)?;
    let secret = token(&places)?;
    if args.print_token {
        writeln!(out, "{secret}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = args.config.clone().unwrap_or_else(|| places.settings_file());
    let servers = named_servers(&file)?;
    let desk = Arc::new(Desk::new(places.clone(), servers, args.workspace.clone(), args.config.as_deref())?);
    let needed = if args.without_token { Token::None } else { Token::Needed(secret) };
    let notes = |note: &str| {
        // Nobody is left to tell if standard error is gone.
        let _ = writeln!(std::io::stderr(), "{}", words::shown(note));
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        // Before anybody can know of it, so that whoever ends it at once ends its servers too.
        let over = told_to_end();
        let listener = Front::listen(args.listen).await.map_err(GateError::from)?;
        let address = listener.local_addr()?;
        let standing = Standing::announce(&places, address)?;
        writeln!(out, "listening on http://{address}")?;
        writeln!(out, "  all servers as one: http://{address}/mcp")?;
        for name in desk.names() {
            writeln!(out, "  {name} as it is: http://{address}/servers/{name}")?;
        }
        out.flush()?;
        let over = async move {
            over.await;
            // Nobody shall find what is being ended.
            standing.withdraw();
        };
        Front::new(desk, needed, Arc::new(notes)).run(listener, over).await;
        Ok(ExitCode::SUCCESS)
    })
}

fn named_servers(file: &std::path::Path) -> Result<guarded::Servers, Failure> {
    let read: Configuration = configuration::read_file(file).map_err(GateError::from)?;
    if read.servers.is_empty() {
        let text = format!(
            "`{}` names no servers; write a `[servers.NAME]` with a `command` or a `url` for each (portcullis serve --help)",
            file.display()
        );
        return Err(GateError::Said(text).into());
    }
    Ok(read.servers)
}

/// Waits until somebody wants the program to end. It is listened for that from now on.
fn told_to_end() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()].map(signal)
    };
    async move {
        #[cfg(unix)]
        if let [Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)] = signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            return;
        }
        // Without a handler the program ends as the system ends it.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
