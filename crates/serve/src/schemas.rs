//! Which arguments of which tools a host repeats in headers. Headers decide nothing here; those that say something else
//! than the body are refused all the same, since whoever stands before us may have decided by them.

use std::collections::HashMap;

use portcullis_wire::json::{Document, Limits};
use portcullis_wire::mcp::{Mismatch, check, list_tools};
use portcullis_wire::rpc::{Incoming, Message};

/// The member of a schema that names a header.
const MARK: &str = "x-mcp-header";
/// So many tools with such arguments are known.
const MOST: usize = 4096;

/// Schemas that name headers, by tool.
#[derive(Default)]
pub(crate) struct Schemas {
    of_tool: HashMap<String, Document>,
}

impl Schemas {
    /// The host gets this, which may list tools.
    pub(crate) fn learn(&mut self, message: &[u8]) {
        // Most lists name none, and are not looked at twice.
        if !message.windows(MARK.len()).any(|window| window == MARK.as_bytes()) {
            return;
        }
        let Ok(document) = Document::parse(message, &Limits::default()) else { return };
        let Ok(Incoming::One(Message::Response { result, .. })) = Message::read(&document) else { return };
        let Ok(listing) = list_tools(result) else { return };
        for tool in listing.items {
            let schema = tool.node.get("inputSchema").map(|schema| schema.raw().to_vec());
            let schema = schema.and_then(|schema| Document::parse(schema, &Limits::default()).ok());
            if let Some(schema) = schema
                && self.of_tool.len() < MOST
            {
                self.of_tool.insert(tool.name.into_owned(), schema);
            }
        }
    }

    /// Whether headers are what the body says.
    pub(crate) fn check<'h>(
        &self,
        headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
        message: &Message<'_>,
    ) -> Result<(), Mismatch> {
        let tool = match message {
            Message::Request { method, params, .. } if method == "tools/call" => {
                params.and_then(|params| params.get("name")).and_then(|name| name.as_str())
            }
            Message::Request { .. }
            | Message::Notification { .. }
            | Message::Response { .. }
            | Message::Failure { .. } => None,
        };
        let schema = tool.and_then(|tool| self.of_tool.get(&*tool)).map(Document::root);
        check(headers, message, schema)
    }
}
