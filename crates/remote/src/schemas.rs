//! The schemas of tools that want arguments in headers, as the server listed them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use portcullis_wire::json::{DEEPEST, Document, Limits};
use portcullis_wire::mcp::{list_tools, mirrored};
use portcullis_wire::rpc::{Incoming, Message};

/// The schemas that matter. Most tools want nothing in headers, and are not kept.
pub(crate) struct Schemas {
    /// So many bytes are kept.
    most: usize,
    kept: Mutex<BTreeMap<String, Arc<Document>>>,
}

impl Schemas {
    pub(crate) fn new(most: usize) -> Schemas {
        Schemas { most, kept: Mutex::default() }
    }

    /// The schema of a tool, if it says anything about headers.
    pub(crate) fn of(&self, tool: &str) -> Option<Arc<Document>> {
        self.kept().get(tool).cloned()
    }

    /// Learns from a server's answer to `tools/list`. What is not understood is passed over: the server will say what it
    /// misses.
    pub(crate) fn remember(&self, answer: &Document) {
        let Ok(Incoming::One(Message::Response { result, .. })) = Message::read(answer) else { return };
        let Ok(listing) = list_tools(result) else { return };
        let mut kept = self.kept();
        for tool in listing.items {
            kept.remove(&*tool.name);
            let Some(schema) = tool.node.get("inputSchema") else { continue };
            // A schema that asks for what cannot be is kept too, so that a call is refused with the reason.
            if mirrored(schema).is_ok_and(|mirrored| mirrored.is_empty()) {
                continue;
            }
            let used: usize = kept.values().map(|schema| schema.bytes().len()).sum();
            let limits = Limits { bytes: self.most.saturating_sub(used), depth: DEEPEST, nodes: usize::MAX };
            if let Ok(document) = Document::parse(schema.raw(), &limits) {
                kept.insert(tool.name.into_owned(), Arc::new(document));
            }
        }
    }

    fn kept(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Document>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(tools: &str) -> Document {
        let text = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{tools}]}}}}"#);
        Document::parse(text.into_bytes(), &Limits::default()).unwrap()
    }

    const WITH: &str =
        r#"{"name":"a","inputSchema":{"properties":{"x":{"type":"string","x-mcp-header":"X"}}}}"#;
    const WITHOUT: &str = r#"{"name":"a","inputSchema":{"properties":{"x":{"type":"string"}}}}"#;

    #[test]
    fn only_what_says_something_about_headers_is_kept_and_the_latest_list_counts() {
        let schemas = Schemas::new(1 << 10);
        schemas.remember(&listed(WITHOUT));
        assert!(schemas.of("a").is_none());
        schemas.remember(&listed(WITH));
        assert!(schemas.of("a").is_some());
        schemas.remember(&listed(WITHOUT));
        assert!(schemas.of("a").is_none());
    }

    #[test]
    fn lists_without_end_take_no_more_room_than_allowed() {
        let schemas = Schemas::new(200);
        for number in 0..100 {
            schemas.remember(&listed(&WITH.replace("\"a\"", &format!("\"{number}\""))));
        }
        let bytes: usize = schemas.kept().values().map(|schema| schema.bytes().len()).sum();
        assert!((1..=200).contains(&bytes), "{bytes}");
    }
}
