//! The server's list of tools: every page of it is looked at, whoever asked for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use portcullis_identity::state::Shown;
use portcullis_lattice::words::shown;
use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::{Listing, list_tools};
use portcullis_wire::rpc::{self, Id};
use portcullis_wire::splice::Splice;

use super::held::WaitsFor;
use super::{Act, Relay};
use crate::book::Looks;

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

    /// The server is another one: what it listed is to be asked for again.
    pub(super) fn list_anew(&mut self, acts: &mut Vec<Act>) {
        match &mut self.listed {
            // Pages of two servers make no list.
            Listed::Asked { pages, meta, .. } if *pages > 0 => {
                let meta = meta.take();
                self.ask_for_page(None, 0, meta, acts);
            }
            Listed::Done => self.listed = Listed::Changed,
            Listed::Never | Listed::Asked { .. } | Listed::Changed => {}
        }
    }

    /// Whether a response is to our own request for tools.
    pub(super) fn is_own_list(&self, id: &Id) -> bool {
        matches!(&self.listed, Listed::Asked { id: own, .. } if own == id)
    }

    /// Our own request for tools was answered.
    pub(super) fn take_own_list(&mut self, result: Option<Node<'_>>, now: Timestamp, acts: &mut Vec<Act>) {
        let Listed::Asked { pages, meta, .. } = std::mem::replace(&mut self.listed, Listed::Done) else {
            return;
        };
        let Some(listing) = result.and_then(|result| list_tools(result).ok()) else {
            acts.push(Act::Note("the server did not list its tools".to_owned()));
            return;
        };
        self.learn(&listing, pages == 0, now, acts);
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
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) -> Vec<u8> {
        let listing = match list_tools(result) {
            Ok(listing) => listing,
            Err(error) => {
                acts.push(Act::Note(format!("the server's list of tools cannot be read: {error}")));
                // Texts that nobody has compared are not for a model.
                return rpc::failure(id, UNUSABLE, "the server's list of tools cannot be read", None);
            }
        };
        let looks = self.learn(&listing, is_first, now, acts);
        // A later page of a list that is not the server's any more makes it no newer.
        let is_old = matches!(self.listed, Listed::Changed) && !is_first;
        if !matches!(self.listed, Listed::Asked { .. }) && !is_old {
            self.listed = Listed::Done;
        }
        let mut splice = Splice::new(document);
        for (node, _) in &listing.broken {
            splice.remove(*node);
        }
        for tool in &listing.items {
            match looks.as_ref().and_then(|looks| looks.tool(&tool.name)).map(|look| look.shown) {
                Some(Shown::AsServed) => {}
                Some(Shown::Withheld) => {
                    splice.replace(tool.node, withheld(&tool.name).as_bytes());
                }
                Some(Shown::Hidden) | None => {
                    splice.remove(tool.node);
                }
            }
        }
        if splice.is_empty() {
            return document.line().into_owned();
        }
        // What was to be left out is not shown instead.
        splice.finish().unwrap_or_else(|_| {
            rpc::failure(id, UNUSABLE, "the server's list of tools cannot be shown", None)
        })
    }

    /// Takes note of a page, compares all pages so far with what was approved, and says what is thought of them.
    fn learn(
        &mut self,
        listing: &Listing<'_>,
        is_first: bool,
        now: Timestamp,
        acts: &mut Vec<Act>,
    ) -> Option<Arc<Looks>> {
        if is_first {
            self.tools.clear();
        }
        for (node, error) in &listing.broken {
            // What nobody can read still claims its name, so that two of one name are seen as such.
            if let Some(name) = node.get("name").and_then(Node::as_str) {
                self.tools.claim(&name, node.raw().to_vec());
            }
            acts.push(Act::Note(format!("a tool of the list is left out: {error}")));
        }
        for tool in &listing.items {
            let learned = tool.node.to_value().map_err(|error| error.to_string());
            self.tools.claim(&tool.name, tool.node.raw().to_vec());
            let learned = learned
                .and_then(|value| self.tools.learn(&tool.name, &value).map_err(|error| error.to_string()));
            if let Err(error) = learned {
                acts.push(Act::Note(format!("the tool {} cannot be called: {error}", shown(&tool.name))));
            }
        }
        let seen = self.guard().see(&self.tools, now);
        match seen {
            Ok(looks) => {
                acts.extend(unapproved(&looks, &self.tools.server().name).map(Act::Note));
                Some(looks)
            }
            Err(error) => {
                acts.push(Act::Note(format!("the list of tools cannot be compared: {error}")));
                None
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

/// What is listed in place of a tool that changed: its text is not for a model before somebody has seen it.
fn withheld(name: &str) -> String {
    let text =
        "Portcullis holds this tool back: it is not as the user approved it. Calling it asks the user.";
    let schema = r#"{"type":"object"}"#;
    format!("{{\"name\":{},\"description\":{},\"inputSchema\":{schema}}}", quote(name), quote(text))
}

/// What whoever runs the gateway should know of tools that are not as they were approved.
fn unapproved(looks: &Looks, server: &str) -> Option<String> {
    let mut by_state: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, standing) in looks.unapproved() {
        by_state.entry(standing.to_string()).or_default().push(shown(name));
    }
    let told: Vec<String> =
        by_state.into_iter().map(|(state, names)| format!("{state}: {}", names.join(", "))).collect();
    let server = shown(server);
    (!told.is_empty()).then(|| {
        format!(
            "tools of {server} that are not approved ({}); see `portcullis tools list {server}`",
            told.join("; ")
        )
    })
}

/// What of a request's `_meta` says how the protocol is spoken, for a request of our own.
fn protocol_meta(meta: Node<'_>) -> Option<String> {
    let protocol = meta.members().filter(|(key, _)| key.starts_with("io.modelcontextprotocol/"));
    let members: Vec<String> = protocol
        .map(|(key, value)| format!("{}:{}", portcullis_wire::json::quote(&key), value.raw_text()))
        .collect();
    (!members.is_empty()).then(|| format!("{{{}}}", members.join(",")))
}
