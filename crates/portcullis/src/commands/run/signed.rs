//! Puts signatures into what a server lists. Everything else passes byte for byte, and nothing is decided here.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use portcullis_gateway::child::{Launch, Streams, read_all};
use portcullis_lattice::words::shown;
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::json::{Document, Limits, Node};
use portcullis_wire::mcp::list_tools;
use portcullis_wire::rpc::{Id, Message};
use portcullis_wire::splice::Splice;

use super::super::sign::Signing;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::host_streams;

/// The requests for tools that are open.
#[derive(Clone)]
struct Asked {
    open: Arc<Mutex<BTreeSet<String>>>,
    /// What is listed twice is signed alike.
    begun: Timestamp,
}

/// Runs a server whose tools are signed, until it ends.
pub(super) fn run(signing: &Signing, launch: &Launch) -> Result<ExitCode, Failure> {
    let (mut running, Streams { input, output, errors }) = launch.start().map_err(GateError::from)?;
    let asked = Asked { open: Arc::default(), begun: Timestamp::now() };
    let of_host = asked.clone();
    // The host's input cannot be interrupted, so nobody waits for these.
    std::thread::spawn(move || pass_on(std::io::stdin(), input, &of_host));
    std::thread::spawn(move || read_all(errors, &mut |bytes| std::io::stderr().write_all(bytes).is_ok()));
    let mut host = std::io::stdout();
    let mut lines = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let signed = asked.sign(&line, signing);
        host.write_all(signed.as_deref().unwrap_or(&line)).and_then(|()| host.flush())?;
    }
    let status = running.finish()?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

/// Passes on what the host says, and notes what it asks for.
fn pass_on(host: impl Read, mut server: ChildStdin, asked: &Asked) {
    let mut lines = Lines::new(Limits::default().bytes);
    let _ = read_all(host, &mut |bytes| {
        lines.push(bytes);
        while let Some(line) = lines.next_line() {
            if let Line::Text(text) = line {
                asked.note(text);
            }
        }
        server.write_all(bytes).and_then(|()| server.flush()).is_ok()
    });
}

impl Asked {
    /// The host said this, before the server gets it.
    fn note(&self, line: Vec<u8>) {
        let Ok(document) = Document::parse(line, &Limits::default()) else { return };
        for node in messages(document.root()) {
            if let Ok(Message::Request { id, method, .. }) = Message::read_one(node)
                && method == "tools/list"
            {
                self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(id.json());
            }
        }
    }

    fn is_answered(&self, id: &Id) -> bool {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.json())
    }

    /// A line of the server with its tools signed, if it lists some. A tool that cannot be signed stays as it is.
    fn sign(&self, line: &[u8], signing: &Signing) -> Option<Vec<u8>> {
        let end = line.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
        let (text, ending) = line.split_at_checked(end)?;
        let document = Document::parse(text, &Limits::default()).ok()?;
        let mut splice = Splice::new(&document);
        for node in messages(document.root()) {
            let Ok(Message::Response { id, result }) = Message::read_one(node) else { continue };
            let Some(listing) = self.is_answered(&id).then(|| list_tools(result).ok()).flatten() else {
                continue;
            };
            for tool in listing.items {
                match signing.sign(&tool.name, tool.node.raw(), self.begun) {
                    Ok(signed) => drop(splice.replace(tool.node, &signed)),
                    Err(error) => {
                        host_streams::note(&shown(&tool.name), &format!("is not signed: {error}"));
                    }
                }
            }
        }
        if splice.is_empty() {
            return None;
        }
        let mut signed = splice.finish().ok()?;
        signed.extend_from_slice(ending);
        Some(signed)
    }
}

/// A message, or those of a batch.
fn messages(root: Node<'_>) -> Vec<Node<'_>> {
    if root.is_array() { root.items().collect() } else { vec![root] }
}
