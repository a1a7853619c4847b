//! The headers that a request of 2026-07-28 has over HTTP: what its body says, once more for those in between.
//!
//! They never decide. They are checked against the body when they come, and made from the body when it goes on.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::lifecycle::key;
use super::method::Method;
use super::mirror::{MirrorError, Mirrored, mirrored};
use super::shape::{Shape, ShapeError};
use crate::json::{Kind, Node};
use crate::rpc::Message;

/// The largest integer that every reader of JSON has exactly.
const LARGEST_INTEGER: f64 = 9_007_199_254_740_991.0;
const SENTINEL: (&str, &str) = ("=?base64?", "?=");

/// The requests that are about something with a name, and the parameter that is the name.
const NAMED: [(Method, &str); 6] = [
    (Method::CallTool, "name"),
    (Method::GetPrompt, "name"),
    (Method::ReadResource, "uri"),
    (Method::GetTask, "taskId"),
    (Method::UpdateTask, "taskId"),
    (Method::CancelTask, "taskId"),
];

/// A header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its value, in characters that a header may have.
    pub value: String,
}

impl Header {
    /// The revision that a request is written in.
    pub const PROTOCOL_VERSION: &'static str = "MCP-Protocol-Version";
    /// The method.
    pub const METHOD: &'static str = "Mcp-Method";
    /// What the request is about: a tool, a prompt, a resource or a task.
    pub const NAME: &'static str = "Mcp-Name";
    /// Arguments that the tool wants to have in headers: this, and a name.
    pub const PARAM: &'static str = "Mcp-Param-";
}

/// A body for which there are no headers.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// It does not have the form that it must have.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The schema of the tool wants something that cannot be.
    #[error(transparent)]
    Mirror(#[from] MirrorError),
    /// The revision or the method, which are never encoded, would not be one plain header.
    #[error(
        "`{name}` cannot be a header: what the body says has characters in it that a header must not have"
    )]
    Characters {
        /// The header.
        name: &'static str,
    },
    /// An argument that is to be in a header, and does not fit into one.
    #[error("the argument for `Mcp-Param-{header}` is no string, boolean or exact integer")]
    Argument {
        /// What stands behind `Mcp-Param-`.
        header: String,
    },
}

/// Headers that are not what the body says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// A header is missing.
    #[error("the header `{name}` is missing")]
    Missing {
        /// Its name.
        name: String,
    },
    /// A header came more than once.
    #[error("the header `{name}` came more than once")]
    Twice {
        /// Its name.
        name: String,
    },
    /// A header says something else than the body.
    #[error("the header `{name}` is not what the body says")]
    Differs {
        /// Its name.
        name: String,
    },
    /// A header about which the body says nothing.
    #[error("the header `{name}` is there, but nothing in the body that it repeats")]
    Unexpected {
        /// Its name.
        name: String,
    },
    /// A header with characters that it must not have, or that cannot be decoded.
    #[error("the header `{name}` has characters in it that it must not have")]
    Characters {
        /// Its name.
        name: String,
    },
    /// The body itself.
    #[error(transparent)]
    Body(#[from] HeaderError),
}

/// What the body says, for one header.
struct Claim {
    name: String,
    value: Option<Said>,
}

/// A value in a body.
enum Said {
    Text(String),
    /// As it is written in the body.
    Integer(i64),
}

/// The headers that a message needs.
///
/// For a call the `inputSchema` of the tool is needed, for it says which arguments go into headers; without it none do.
///
/// # Errors
/// If the body does not have the form that it must have.
pub fn headers(message: &Message<'_>, schema: Option<Node<'_>>) -> Result<Vec<Header>, HeaderError> {
    let header = |claim: Claim| {
        let value = match claim.value? {
            Said::Text(text) if claim.name.starts_with(Header::PARAM) || claim.name == Header::NAME => {
                encode(&text).into_owned()
            }
            Said::Text(text) => text,
            Said::Integer(integer) => integer.to_string(),
        };
        Some(Header { name: claim.name, value })
    };
    Ok(claims(message, schema)?.into_iter().filter_map(header).collect())
}

/// Whether the headers that came with a message of 2026-07-28 are what its body says.
///
/// # Errors
/// If they are not: one is missing, more than once there, different, or could be read in two ways. Headers that repeat
/// nothing that is known here are left alone.
pub fn check<'h>(
    headers: impl IntoIterator<Item = (&'h str, &'h [u8])>,
    message: &Message<'_>,
    schema: Option<Node<'_>>,
) -> Result<(), Mismatch> {
    let headers: Vec<_> = headers.into_iter().collect();
    for Claim { name, value } in claims(message, schema)? {
        let mut values = headers.iter().filter(|(other, _)| other.eq_ignore_ascii_case(&name));
        match (values.next(), values.next(), value) {
            (_, Some(_), _) => return Err(Mismatch::Twice { name }),
            (None, None, None) => {}
            (None, None, Some(_)) => return Err(Mismatch::Missing { name }),
            (Some(_), None, None) => return Err(Mismatch::Unexpected { name }),
            (Some((_, value)), None, Some(said)) => compare(name, value, &said)?,
        }
    }
    Ok(())
}

fn compare(name: String, value: &[u8], said: &Said) -> Result<(), Mismatch> {
    let is_coded = name.starts_with(Header::PARAM) || name == Header::NAME;
    let text = str::from_utf8(value).ok().filter(|text| text.chars().all(is_allowed));
    let text = match (text, is_coded) {
        (Some(text), true) => decode(text),
        (text, _) => text.map(Cow::Borrowed),
    };
    let Some(text) = text else { return Err(Mismatch::Characters { name }) };
    let is_same = match said {
        Said::Text(said) => *said == *text,
        Said::Integer(said) => integer(&text) == Some(*said),
    };
    if is_same { Ok(()) } else { Err(Mismatch::Differs { name }) }
}

/// A text as the value of a header: as it is, or in base64 if it could not be told from something else.
pub fn encode(text: &str) -> Cow<'_, str> {
    let looks_encoded = text.starts_with(SENTINEL.0) && text.ends_with(SENTINEL.1);
    match is_plain(text) && !looks_encoded {
        true => Cow::Borrowed(text),
        false => Cow::Owned(format!("{}{}{}", SENTINEL.0, STANDARD.encode(text), SENTINEL.1)),
    }
}

/// The text that the value of a header stands for, unless it is said to be base64 and is not.
pub fn decode(value: &str) -> Option<Cow<'_, str>> {
    match value.strip_prefix(SENTINEL.0).and_then(|rest| rest.strip_suffix(SENTINEL.1)) {
        None => Some(Cow::Borrowed(value)),
        Some(coded) => String::from_utf8(STANDARD.decode(coded).ok()?).ok().map(Cow::Owned),
    }
}

/// What a request is about, as far as it has a header: a tool, a prompt, a resource or a task.
///
/// # Errors
/// If it must say, and does not.
pub fn name<'d>(method: Method, params: Option<Node<'d>>) -> Result<Option<Cow<'d, str>>, ShapeError> {
    match NAMED.iter().find(|(named, _)| *named == method) {
        Some((_, member)) => {
            Shape::params("what a request is about", params, &[member])?.text(member).map(Some)
        }
        None => Ok(None),
    }
}

/// What a body says for each header that could repeat it.
fn claims(message: &Message<'_>, schema: Option<Node<'_>>) -> Result<Vec<Claim>, HeaderError> {
    let Message::Request { method: called, params, .. } = message else {
        return Ok(Vec::new());
    };
    let text =
        |name: &str, value: &str| Claim { name: name.to_owned(), value: Some(Said::Text(value.to_owned())) };
    let plain = |name: &'static str, value: &str| match is_plain(value) {
        true => Ok(text(name, value)),
        false => Err(HeaderError::Characters { name }),
    };
    let method = Method::of(called);
    let meta = Shape::params("request", *params, &["_meta"])?.object("_meta")?;
    let version = Shape::new("_meta", meta, &[key::PROTOCOL_VERSION])?.text(key::PROTOCOL_VERSION)?;
    let mut claims = vec![plain(Header::PROTOCOL_VERSION, &version)?, plain(Header::METHOD, called)?];
    match name(method, *params)? {
        Some(name) => claims.push(text(Header::NAME, &name)),
        // An extension may say what the name of its methods is.
        None if method == Method::Unknown => {}
        None => claims.push(Claim { name: Header::NAME.to_owned(), value: None }),
    }
    if let (Method::CallTool, Some(schema)) = (method, schema) {
        let arguments = params.and_then(|params| params.get("arguments"));
        for mirrored in mirrored(schema)? {
            claims.push(argument(arguments, mirrored)?);
        }
    }
    Ok(claims)
}

fn argument(arguments: Option<Node<'_>>, mirrored: Mirrored) -> Result<Claim, HeaderError> {
    let Mirrored { path, header } = mirrored;
    let node = path.iter().try_fold(arguments, |node, key| node.map(|node| node.get(key))).flatten();
    let unfit = |header: String| HeaderError::Argument { header };
    let value = match node.map(|node| (node, node.kind())) {
        None | Some((_, Kind::Null)) => None,
        Some((node, Kind::String)) => node.as_str().map(|text| Said::Text(text.into_owned())),
        Some((node, Kind::Bool)) => Some(Said::Text(node.raw_text().to_owned())),
        Some((node, Kind::Number)) => match integer(node.raw_text()) {
            Some(integer) => Some(Said::Integer(integer)),
            None => return Err(unfit(header)),
        },
        Some((_, Kind::Array | Kind::Object)) => return Err(unfit(header)),
    };
    Ok(Claim { name: format!("{}{header}", Header::PARAM), value })
}

/// An integer that every reader has exactly, in any way that JSON writes it.
fn integer(text: &str) -> Option<i64> {
    let is_number = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
    let number: f64 = if is_number { text.parse().ok()? } else { return None };
    (number.fract() == 0.0 && number.abs() <= LARGEST_INTEGER).then_some(number as i64)
}

/// Whether a text is the value of a header as it is: others would drop an empty one, and blanks around it.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.trim_matches([' ', '\t']) == text && text.chars().all(is_allowed)
}

/// Whether a header may have this character as it is.
fn is_allowed(letter: char) -> bool {
    matches!(letter, ' '..='~' | '\t')
}
