//! Members of JSON objects that others wrote. Those that nobody knows are passed over, as the RFCs want.

use std::borrow::Cow;

use portcullis_wire::json::{Document, Limits, Node};

/// No metadata and no answer is longer.
pub(crate) const LIMITS: Limits = Limits { bytes: 1 << 20, depth: 32, nodes: 1 << 16 };
/// The longest text that is taken; tokens may be long.
const LONGEST_TEXT: usize = 16 << 10;
/// The longest list.
const LONGEST_LIST: usize = 256;

/// What is wrong with what was read, told without its values.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MemberError {
    /// No JSON, or one that could be read in two ways.
    #[error("is no JSON object that can be read in one way")]
    NoObject,
    /// A member that has to be there.
    #[error("has no `{0}`")]
    Missing(&'static str),
    /// A member of another kind.
    #[error("has something else as `{0}` than it has to be")]
    Wrong(&'static str),
}

/// Reads a JSON object.
pub(crate) fn object(bytes: &[u8]) -> Result<Document, MemberError> {
    let document = Document::parse(bytes, &LIMITS).map_err(|_| MemberError::NoObject)?;
    if document.root().is_object() { Ok(document) } else { Err(MemberError::NoObject) }
}

/// A text that may be there. `null` is nothing.
pub(crate) fn text<'d>(node: Node<'d>, name: &'static str) -> Result<Option<Cow<'d, str>>, MemberError> {
    match node.get(name).filter(|member| !member.is_null()) {
        None => Ok(None),
        Some(member) => match member.as_str().filter(|text| text.len() <= LONGEST_TEXT) {
            Some(text) => Ok(Some(text)),
            None => Err(MemberError::Wrong(name)),
        },
    }
}

/// A text that has to be there.
pub(crate) fn needed_text<'d>(node: Node<'d>, name: &'static str) -> Result<Cow<'d, str>, MemberError> {
    text(node, name)?.ok_or(MemberError::Missing(name))
}

/// A list of texts that may be there.
pub(crate) fn texts(node: Node<'_>, name: &'static str) -> Result<Option<Vec<String>>, MemberError> {
    let Some(member) = node.get(name).filter(|member| !member.is_null()) else { return Ok(None) };
    let one = |item: Node<'_>| item.as_str().filter(|text| text.len() <= LONGEST_TEXT).map(Cow::into_owned);
    let list: Option<Vec<String>> = member.items().map(one).collect();
    match list.filter(|list| member.is_array() && list.len() <= LONGEST_LIST) {
        Some(list) => Ok(Some(list)),
        None => Err(MemberError::Wrong(name)),
    }
}

/// Whether something is said to be so. What is not said is not so.
pub(crate) fn holds(node: Node<'_>, name: &'static str) -> Result<bool, MemberError> {
    match node.get(name).filter(|member| !member.is_null()) {
        None => Ok(false),
        Some(member) => member.as_bool().ok_or(MemberError::Wrong(name)),
    }
}
