//! `portcullis connect`: a bridge to `portcullis serve` for hosts that only start programs.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Args;
use portcullis_gateway::Backoff;
use portcullis_gateway::child::LEAVE;
use portcullis_remote::{Address, Event, Remote};
use portcullis_wire::framing::Line;
use portcullis_wire::json::{Document, Limits};
use portcullis_wire::mcp::encode;
use portcullis_wire::rpc::{self, Id, Incoming, Message};
use tokio::sync::mpsc::{Receiver, UnboundedReceiver, unbounded_channel};

use super::serve::standing::{Standing, token};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::host_streams::{self, write};
use crate::places::Places;
use crate::servers::ServerError;
use crate::whose;

/// What `connect` needs.
#[derive(Args, Debug)]
pub(crate) struct ConnectArgs {
    /// Speak to this server alone, as it is [default: all servers, as one].
    server: Option<String>,
    /// Where `serve` listens [default: where the one that runs says].
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The folder that is worked in [default: the current one].
    #[arg(long, value_name = "FOLDER")]
    workspace: Option<PathBuf>,
    /// The session that this belongs to [default: that of the program that started this, in this workspace].
    #[arg(long, value_name = "NAME", env = "PORTCULLIS_SESSION")]
    session: Option<String>,
}

/// A request got no answer.
const NO_ANSWER: i64 = -32_603;
/// The id of a greeting of our own.
const OWN_GREETING: &str = "portcullis-connect-greeting";

pub(crate) fn run(args: &ConnectArgs) -> Result<ExitCode, Failure> {
    let places = Places::find().map_err(GateError::from)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (lines, queue) = unbounded_channel();
    std::thread::spawn(move || read_host(&|line| lines.send(line).is_ok()));
    // What is wrong is said before the host waits for anything.
    address(args, &places)?;
    let address = || address(args, &places);
    runtime.block_on(
        Bridge { address: &address, greeting: None, is_greeted: false, open: Open::default() }.run(queue),
    );
    Ok(ExitCode::SUCCESS)
}

fn address(args: &ConnectArgs, places: &Places) -> Result<Address, Failure> {
    let base = match &args.url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None => format!("http://{}", Standing::find(places)?.address),
    };
    let url = match &args.server {
        Some(server) => format!("{base}/servers/{server}"),
        None => format!("{base}/mcp"),
    };
    let mut address = Address::new(&url).map_err(ServerError::from).map_err(GateError::from)?;
    if !address.is_loopback() {
        let text = "`serve` is on this machine, so that its address is 127.0.0.1, [::1] or localhost; the token is not \
                    sent elsewhere";
        return Err(GateError::Said(text.to_owned()).into());
    }
    let workspace = std::path::absolute(args.workspace.as_deref().unwrap_or(std::path::Path::new(".")))?;
    let workspace = workspace
        .to_str()
        .ok_or_else(|| GateError::Said("the name of the folder that is worked in is no text".to_owned()))?;
    let host = args.session.clone().unwrap_or_else(whose::host);
    address.headers = vec![
        ("Authorization".to_owned(), format!("Bearer {}", token(places)?)),
        ("Portcullis-Workspace".to_owned(), encode(workspace).into_owned()),
        ("Portcullis-Host".to_owned(), encode(&host).into_owned()),
    ];
    Ok(address)
}

/// Reads what the host says until it leaves or nobody takes it.
fn read_host(take: &dyn Fn(Vec<u8>) -> bool) {
    // A host that cannot be read has left.
    let _ = host_streams::read(&mut |line| match line {
        Line::Text(bytes) => take(bytes),
        Line::TooLong { .. } => {
            write(rpc::failure(&Id::NULL, NO_ANSWER, "the message is too long to be read", None));
            true
        }
    });
}

/// A bridge to a `serve`, which may be started again meanwhile: it is greeted again then as the host greeted it.
struct Bridge<'b> {
    /// Where `serve` is now.
    address: &'b dyn Fn() -> Result<Address, Failure>,
    greeting: Option<Vec<u8>>,
    is_greeted: bool,
    open: Open,
}

/// Requests of the host that are not answered.
#[derive(Clone, Default)]
struct Open {
    ids: Arc<Mutex<HashSet<Id>>>,
}

/// How long what comes is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Until everything is answered.
    Answered,
    /// Until the session is gone.
    Gone,
}

impl Bridge<'_> {
    async fn run(mut self, mut lines: UnboundedReceiver<Vec<u8>>) {
        let mut backoff = Backoff::default();
        loop {
            let began = std::time::Instant::now();
            let connected = (self.address)().map_err(|error| error.to_string());
            let connected =
                connected.and_then(|address| Remote::connect(&address).map_err(|error| error.to_string()));
            let (remote, mut events) = match connected {
                Ok(connected) => connected,
                Err(error) => {
                    note(&error);
                    let Some(pause) = backoff.after(began.elapsed()) else { return };
                    tokio::time::sleep(pause).await;
                    continue;
                }
            };
            self.greet_again(&remote).await;
            let open = self.open.clone();
            let why = tokio::select! {
                () = self.send_all(&remote, &mut lines) => {
                    // What the host asked before it closed its end is still answered, if that does not take long.
                    let answered = open.take_all(&mut events, Until::Answered);
                    let _ = tokio::time::timeout(LEAVE, answered).await;
                    return remote.close().await;
                }
                why = open.take_all(&mut events, Until::Gone) => why,
            };
            self.open.fail_all(&why);
            note(&why);
            let Some(pause) = backoff.after(began.elapsed()) else { return };
            tokio::time::sleep(pause.max(Duration::from_millis(500))).await;
        }
    }

    async fn greet_again(&self, remote: &Remote) {
        let Some(params) = &self.greeting else { return };
        remote.send(rpc::request(&Id::text(OWN_GREETING), "initialize", Some(params))).await;
        if self.is_greeted {
            remote.send(rpc::notification("notifications/initialized", None)).await;
        }
    }

    /// Sends what the host says, until it leaves.
    async fn send_all(&mut self, remote: &Remote, lines: &mut UnboundedReceiver<Vec<u8>>) {
        while let Some(line) = lines.recv().await {
            self.remember(&line);
            remote.send(line).await;
        }
    }

    fn remember(&mut self, line: &[u8]) {
        let Ok(document) = Document::parse(line, &Limits::default()) else { return };
        match Message::read(&document) {
            Ok(Incoming::One(Message::Request { id, method, params })) => {
                if method == "initialize" {
                    self.greeting = params.map(|params| params.raw().to_vec());
                }
                self.open.ids().insert(id);
            }
            Ok(Incoming::One(Message::Notification { method, .. })) => {
                self.is_greeted |= method == "notifications/initialized";
            }
            _ => {}
        }
    }
}

impl Open {
    fn ids(&self) -> MutexGuard<'_, HashSet<Id>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers what will not be answered any more.
    fn fail_all(&self, why: &str) {
        let open = std::mem::take(&mut *self.ids());
        open.iter().for_each(|id| write(rpc::failure(id, NO_ANSWER, why, None)));
    }

    /// Gives the host what comes, and says why it ended.
    async fn take_all(&self, events: &mut Receiver<Event>, until: Until) -> String {
        while until == Until::Gone || !self.ids().is_empty() {
            let Some(event) = events.recv().await else { break };
            match event {
                Event::Said(said) if said.about == Some(Id::text(OWN_GREETING)) => {}
                Event::Said(said) => {
                    if let Some(id) = answered(&said.message) {
                        self.ids().remove(&id);
                    }
                    write(said.message);
                }
                Event::Failed { id, .. } if id == Id::text(OWN_GREETING) => {}
                Event::Failed { id, why } => {
                    self.ids().remove(&id);
                    write(rpc::failure(&id, NO_ANSWER, &why.to_string(), None));
                }
                Event::Note(told) => note(&told),
                // It is `serve` on this machine, which is spoken to without TLS.
                Event::Met(_) => {}
                Event::Ended(why) => return why.to_string(),
            }
        }
        "`portcullis serve` is gone".to_owned()
    }
}

/// The request that a message answers.
fn answered(message: &[u8]) -> Option<Id> {
    let document = Document::parse(message, &Limits::default()).ok()?;
    match Message::read(&document) {
        Ok(Incoming::One(Message::Response { id, .. } | Message::Failure { id, .. })) => Some(id),
        _ => None,
    }
}

fn note(told: &str) {
    host_streams::note("connect", told);
}
