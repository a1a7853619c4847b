//! The server's list of tools: every page of it is looked at, whoever asked for it.

use portcullis_lattice::words::shown;
use portcullis_wire::json::{Document, Node};
use portcullis_wire::mcp::{Listing, list_tools};
use portcullis_wire::rpc::{self, Id};
use portcullis_wire::splice::Splice;

use super::held::WaitsFor;
use super::{Act, Relay};

/// A list cannot be passed on.
const UNUSABLE: i64 = -32_603;
/// How many pages of a list are asked for.
const MOST_PAGES: usize = 1000;

/// What is known of the server's tools.
pub(super) enum Listed {
    /// Nothing was listed so far.
    Never,
    /// We have asked for the list, by this id, and got so many pages.
    Asked { id: Id, pages: usize, meta: Option<String> },
    /// The list is complete, as far as anybody asked.
    Done,
    /// The server said that it has changed.
    Changed,
}

impl Relay {
    /// Asks the server for its tools, unless that is under way.
    pub(super) fn ask_for_tools(&mut self, call: &Document, acts: &mut Vec<Act>) {
        if matches!(self.listed, Listed::Asked { .. }) {
            return;
        }
        let meta = call.root().get("params").and_then(|params| params.get("_meta")).and_then(protocol_meta);
        self.ask_for_page(None, 0, meta, acts);
    }

    fn ask_for_page(
        &mut self,
        cursor: Option<&str>,
        pages: usize,
        meta: Option<String>,
        acts: &mut Vec<Act>,
    ) {
        let id = self.own_id();
        let mut members: Vec<String> = Vec::new();
        members.extend(cursor.map(|cursor| format!("\"cursor\":{}", portcullis_wire::json::quote(cursor))));
        members.extend(meta.as_ref().map(|meta| format!("\"_meta\":{meta}")));
        let params = format!("{{{}}}", members.join(","));
        acts.push(Act::ToServer(rpc::request(&id, "tools/list", Some(params.as_bytes()))));
        self.listed = Listed::Asked { id, pages, meta };
    }

    /// Whether a response is to our own request for tools.
    pub(super) fn is_own_list(&self, id: &Id) -> bool {
        matches!(&self.listed, Listed::Asked { id: own, .. } if own == id)
    }

    /// Our own request for tools was answered.
    pub(super) fn take_own_list(&mut self, result: Option<Node<'_>>, acts: &mut Vec<Act>) {
        let Listed::Asked { pages, meta, .. } = std::mem::replace(&mut self.listed, Listed::Done) else {
            return;
        };
        let Some(listing) = result.and_then(|result| list_tools(result).ok()) else {
            acts.push(Act::Note("the server did not list its tools".to_owned()));
            return;
        };
        self.learn(&listing, pages == 0, acts);
        let next = listing.next.as_deref().filter(|_| pages + 1 < MOST_PAGES);
        if let Some(next) = next {
            self.ask_for_page(Some(next), pages + 1, meta, acts);
        }
    }

    /// A page that the host asked for. What has no name, or one that came before, is left out.
    pub(super) fn take_list(
        &mut self,
        document: &Document,
        id: &Id,
        result: Node<'_>,
        is_first: bool,
        acts: &mut Vec<Act>,
    ) -> Vec<u8> {
        let listing = match list_tools(result) {
            Ok(listing) => listing,
            Err(error) => {
                acts.push(Act::Note(format!("the server's list of tools cannot be read: {error}")));
                return document.line().into_owned();
            }
        };
        self.learn(&listing, is_first, acts);
        if !matches!(self.listed, Listed::Asked { .. }) {
            self.listed = Listed::Done;
        }
        if listing.broken.is_empty() {
            return document.line().into_owned();
        }
        let mut splice = Splice::new(document);
        for (node, _) in &listing.broken {
            splice.remove(*node);
        }
        // What was to be left out is not shown instead.
        splice.finish().unwrap_or_else(|_| {
            rpc::failure(id, UNUSABLE, "the server's list of tools cannot be shown", None)
        })
    }

    fn learn(&mut self, listing: &Listing<'_>, is_first: bool, acts: &mut Vec<Act>) {
        if is_first {
            self.tools.clear();
        }
        for (_, error) in &listing.broken {
            acts.push(Act::Note(format!("a tool of the list is left out: {error}")));
        }
        for tool in &listing.items {
            let learned = tool.node.to_value().map_err(|error| error.to_string());
            let learned = learned
                .and_then(|value| self.tools.list(&tool.name, &value).map_err(|error| error.to_string()));
            if let Err(error) = learned {
                acts.push(Act::Note(format!("the tool {} cannot be called: {error}", shown(&tool.name))));
            }
        }
    }

    /// Whether the list of tools that calls wait for is complete.
    pub(super) fn tools_are_known(&self) -> bool {
        matches!(self.listed, Listed::Done)
    }

    /// Whether some call waits for the list.
    pub(super) fn waits_for_tools(&self) -> bool {
        self.held.iter().any(|held| held.waits_for == WaitsFor::Tools)
    }
}

/// What of a request's `_meta` says how the protocol is spoken, for a request of our own.
fn protocol_meta(meta: Node<'_>) -> Option<String> {
    let protocol = meta.members().filter(|(key, _)| key.starts_with("io.modelcontextprotocol/"));
    let members: Vec<String> = protocol
        .map(|(key, value)| format!("{}:{}", portcullis_wire::json::quote(&key), value.raw_text()))
        .collect();
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}
