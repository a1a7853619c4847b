//! Addresses in results, shown so that the host's use of them leads back to the server that said them.

use portcullis_wire::json::{Document, Node, quote};
use portcullis_wire::mcp::Method;
use portcullis_wire::splice::Splice;

use super::host::one_line;
use super::{Hub, uri};

/// So many addresses of a result are looked at; what is more stays as it is.
const MOST: usize = 200;

impl Hub {
    /// An answer with its addresses as the host shall see them, and all else as it came.
    pub(super) fn with_shown_links(
        &self,
        server: usize,
        method: Method,
        document: &Document,
        result: Option<Node<'_>>,
    ) -> Vec<u8> {
        let as_it_came = || document.line().into_owned();
        let Some(result) = result else { return as_it_came() };
        let is_read = method == Method::ReadResource;
        let mut splice = Splice::new(document);
        for node in links(method, result).into_iter().take(MOST) {
            let Some(address) = node.as_str() else { continue };
            // A page that a text links to is fetched by the host itself.
            if !is_read && uri::is_page(&address) {
                continue;
            }
            let shown = self.shown_uri(server, &address);
            if shown != address {
                splice.replace(node, quote(&shown).as_bytes());
            }
        }
        if splice.is_empty() { as_it_came() } else { splice.finish().map_or_else(|_| as_it_came(), one_line) }
    }
}

/// Where addresses of resources stand in a result.
fn links(method: Method, result: Node<'_>) -> Vec<Node<'_>> {
    let items = |member: &str| result.get(member).into_iter().flat_map(Node::items);
    if method == Method::ReadResource {
        items("contents").filter_map(|item| item.get("uri")).collect()
    } else if method == Method::GetPrompt {
        items("messages").filter_map(|message| message.get("content")).flat_map(content).collect()
    } else if [Method::CallTool, Method::TaskResult].contains(&method) {
        result.get("content").map(content).unwrap_or_default()
    } else {
        Vec::new()
    }
}

/// The addresses in a piece of content, or in a list of such.
fn content(node: Node<'_>) -> Vec<Node<'_>> {
    match node.is_array() {
        true => node.items().filter_map(address).collect(),
        false => address(node).into_iter().collect(),
    }
}

fn address(piece: Node<'_>) -> Option<Node<'_>> {
    match piece.get("type").and_then(Node::as_str).as_deref() {
        Some("resource_link") => piece.get("uri"),
        Some("resource") => piece.get("resource").and_then(|resource| resource.get("uri")),
        _ => None,
    }
}
