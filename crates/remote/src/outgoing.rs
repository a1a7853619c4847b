//! A message on its way to the server: what it asks for, and which headers it needs.

use portcullis_wire::json::{Document, Limits, Node};
use portcullis_wire::mcp::{Header, HeaderError, Method, headers, key};
use portcullis_wire::rpc::{Id, Incoming, Message};

use crate::schemas::Schemas;

/// A message to be sent.
pub(crate) struct Outgoing {
    /// The message, byte for byte as it came.
    pub(crate) body: Vec<u8>,
    /// The requests in it; more than one only in a batch of 2025-03-26.
    pub(crate) requests: Vec<Request>,
    pub(crate) role: Role,
    pub(crate) manner: Manner,
}

/// A request in a message.
pub(crate) struct Request {
    pub(crate) id: Id,
    /// Whether the answer is a list of tools.
    pub(crate) lists_tools: bool,
}

/// What a message means to the connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// A session begins.
    Initialize,
    /// The session has begun.
    Initialized,
    /// A request is no longer wanted.
    Cancel(Id),
    /// Nothing in particular.
    Plain,
}

/// How a message is sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Manner {
    /// In the session, if there is one.
    Session,
    /// By itself, with headers that say what is in it.
    Stateless(Vec<Header>),
}

/// Why a message is not sent.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutgoingError {
    #[error("a message was not sent, for it is none: {0}")]
    NoMessage(String),
    /// A request that can be answered.
    #[error("{error}")]
    Headers { id: Id, error: HeaderError },
}

impl Outgoing {
    /// Reads a message. Headers are made from what it says, and from the schemas of tools.
    pub(crate) fn read(body: Vec<u8>, limits: &Limits, schemas: &Schemas) -> Result<Outgoing, OutgoingError> {
        let document =
            Document::parse(body, limits).map_err(|error| OutgoingError::NoMessage(error.to_string()))?;
        let incoming =
            Message::read(&document).map_err(|error| OutgoingError::NoMessage(error.to_string()))?;
        let (requests, role, manner) = match &incoming {
            Incoming::One(message) => {
                (request(message).into_iter().collect(), role(message), manner(message, schemas)?)
            }
            Incoming::Batch(messages) => {
                (messages.iter().filter_map(request).collect(), Role::Plain, Manner::Session)
            }
        };
        Ok(Outgoing { requests, role, manner, body: document.into_bytes() })
    }
}

fn request(message: &Message<'_>) -> Option<Request> {
    match message {
        Message::Request { id, method, .. } => {
            Some(Request { id: id.clone(), lists_tools: Method::of(method) == Method::ListTools })
        }
        Message::Notification { .. } | Message::Response { .. } | Message::Failure { .. } => None,
    }
}

fn role(message: &Message<'_>) -> Role {
    match message {
        Message::Request { method, .. } if Method::of(method) == Method::Initialize => Role::Initialize,
        Message::Notification { method, .. } if Method::of(method) == Method::Initialized => {
            Role::Initialized
        }
        Message::Notification { method, params } if Method::of(method) == Method::Cancelled => {
            let id = params.and_then(|params| params.get("requestId")).and_then(Id::of);
            id.map_or(Role::Plain, Role::Cancel)
        }
        Message::Notification { .. } => Role::Plain,
        Message::Request { .. } | Message::Response { .. } | Message::Failure { .. } => Role::Plain,
    }
}

/// What a message says of the revision it is written in decides how it is sent.
fn manner(message: &Message<'_>, schemas: &Schemas) -> Result<Manner, OutgoingError> {
    let (method, params) = match message {
        Message::Request { method, params, .. } | Message::Notification { method, params } => {
            (method, *params)
        }
        Message::Response { .. } | Message::Failure { .. } => return Ok(Manner::Session),
    };
    let version = params.and_then(|params| params.get("_meta")?.get(key::PROTOCOL_VERSION));
    let (Some(version), false) = (version, Method::of(method) == Method::Initialize) else {
        return Ok(Manner::Session);
    };
    let Message::Request { id, .. } = message else {
        // No revision says which headers a notification has; these are what it would say.
        return Ok(Manner::Stateless(plain_headers(method, version)));
    };
    let tool = params.filter(|_| Method::of(method) == Method::CallTool);
    let tool = tool.and_then(|params| params.get("name")?.as_str());
    let schema = tool.and_then(|tool| schemas.of(&tool));
    headers(message, schema.as_deref().map(Document::root))
        .map(Manner::Stateless)
        .map_err(|error| OutgoingError::Headers { id: id.clone(), error })
}

fn plain_headers(method: &str, version: Node<'_>) -> Vec<Header> {
    let version = version.as_str().unwrap_or_default();
    [(Header::PROTOCOL_VERSION, &*version), (Header::METHOD, method)]
        .into_iter()
        .filter(|(_, value)| !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic()))
        .map(|(name, value)| Header { name: name.to_owned(), value: value.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Outgoing, OutgoingError> {
        Outgoing::read(text.as_bytes().to_vec(), &Limits::default(), &Schemas::new(1 << 20))
    }

    #[test]
    fn what_a_message_means_is_read_from_its_body() {
        let cases = [
            (r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#, Role::Initialize, 1),
            (r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, Role::Initialized, 0),
            (
                r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}"#,
                Role::Cancel(Id::text("a")),
                0,
            ),
            (r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}"#, Role::Plain, 0),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, Role::Plain, 1),
            (r#"{"jsonrpc":"2.0","id":1,"result":{}}"#, Role::Plain, 0),
            (
                r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#,
                Role::Plain,
                2,
            ),
        ];
        for (text, role, requests) in cases {
            let outgoing = read(text).unwrap();
            assert_eq!((&outgoing.role, outgoing.requests.len()), (&role, requests), "{text}");
            assert_eq!(outgoing.manner, Manner::Session, "{text}");
            assert_eq!(outgoing.body, text.as_bytes());
        }
        assert!(read(r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}"#).is_err());
    }

    #[test]
    fn a_request_without_session_has_headers_that_say_what_is_in_it() {
        let schemas = Schemas::new(1 << 20);
        let listed = r#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"q","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}}"#;
        schemas.remember(&Document::parse(listed.as_bytes(), &Limits::default()).unwrap());
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"q","arguments":{"region":"eu"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}"#;
        let outgoing = Outgoing::read(body.as_bytes().to_vec(), &Limits::default(), &schemas).unwrap();
        let Manner::Stateless(headers) = outgoing.manner else { panic!() };
        let headers: Vec<_> =
            headers.iter().map(|header| (header.name.as_str(), header.value.as_str())).collect();
        let expected = [
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/call"),
            ("Mcp-Name", "q"),
            ("Mcp-Param-Region", "eu"),
        ];
        assert_eq!(headers, expected);
    }

    #[test]
    fn a_revision_that_cannot_be_a_header_is_refused() {
        let body = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026\\r\\nX: y\"}}}";
        let Err(OutgoingError::Headers { id, .. }) = read(body) else { panic!() };
        assert_eq!(id, Id::integer(7));
    }
}
