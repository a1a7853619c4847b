//! Messages of our own. What is given as JSON has to be JSON; each message is one line if that is.

use super::Id;
use crate::json::quote_into;

/// Codes of failures that JSON-RPC and MCP define.
pub mod code {
    /// What came is no JSON.
    pub const PARSE_ERROR: i64 = -32700;
    /// What came is no message.
    pub const INVALID_REQUEST: i64 = -32600;
    /// Nobody knows this method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters are not what the method takes.
    pub const INVALID_PARAMS: i64 = -32602;
    /// Something failed that is not the caller's fault.
    pub const INTERNAL_ERROR: i64 = -32603;
    /// There is no such resource (until 2025-11-25; then `INVALID_PARAMS`).
    pub const RESOURCE_NOT_FOUND: i64 = -32002;
    /// The headers of a request are not what its body says.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The client did not declare what the request needs.
    pub const MISSING_CLIENT_CAPABILITY: i64 = -32021;
    /// The server does not speak this revision.
    pub const UNSUPPORTED_PROTOCOL_VERSION: i64 = -32022;
    /// A page has to be visited first (2025-11-25 only).
    pub const URL_ELICITATION_REQUIRED: i64 = -32042;
}

/// An answer that it worked.
pub fn response(id: &Id, result: &[u8]) -> Vec<u8> {
    let head = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":", id.json());
    [head.as_bytes(), result, b"}"].concat()
}

/// An answer that it did not, and why.
pub fn failure(id: &Id, code: i64, message: &str, data: Option<&[u8]>) -> Vec<u8> {
    let mut head =
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"error\":{{\"code\":{code},\"message\":", id.json());
    quote_into(message, &mut head);
    match data {
        Some(data) => [head.as_bytes(), b",\"data\":", data, b"}}"].concat(),
        None => [head.as_bytes(), b"}}"].concat(),
    }
}

/// A request.
pub fn request(id: &Id, method: &str, params: Option<&[u8]>) -> Vec<u8> {
    call(format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":", id.json()), method, params)
}

/// A notification.
pub fn notification(method: &str, params: Option<&[u8]>) -> Vec<u8> {
    call("{\"jsonrpc\":\"2.0\",\"method\":".to_owned(), method, params)
}

fn call(mut head: String, method: &str, params: Option<&[u8]>) -> Vec<u8> {
    quote_into(method, &mut head);
    match params {
        Some(params) => [head.as_bytes(), b",\"params\":", params, b"}"].concat(),
        None => [head.as_bytes(), b"}"].concat(),
    }
}
