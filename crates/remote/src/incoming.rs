//! What a server said: messages, and which requests they answer.

use portcullis_wire::json::{Document, Limits};
use portcullis_wire::rpc::{EnvelopeError, Id, Incoming, Message};
use portcullis_wire::splice::Splice;

/// A message of a server.
pub(crate) struct Heard {
    /// The message as it came; only an answer that names no request gets the id of the one that it answers.
    pub(crate) document: Document,
    pub(crate) answers: Option<Answer>,
}

/// That a message is an answer.
pub(crate) struct Answer {
    pub(crate) id: Id,
    /// Whether it worked.
    pub(crate) is_result: bool,
}

/// What is no message.
#[derive(Debug)]
pub(crate) struct Unreadable {
    pub(crate) why: String,
    /// The request that it would answer, if that can be told.
    pub(crate) id: Option<Id>,
}

/// Reads what came: a message, or several in an array, which are taken apart. `sole` is the one request that can be meant by
/// an answer without an id.
pub(crate) fn read(bytes: Vec<u8>, limits: &Limits, sole: Option<&Id>) -> Result<Vec<Heard>, Unreadable> {
    let document =
        Document::parse(bytes, limits).map_err(|error| Unreadable { why: error.to_string(), id: None })?;
    let parts: Option<Vec<Vec<u8>>> = match Message::read(&document)? {
        Incoming::One(_) => None,
        Incoming::Batch(_) => Some(document.root().items().map(|item| item.raw().to_vec()).collect()),
    };
    match parts {
        None => Ok(vec![heard(document, limits, sole)?]),
        // In a batch it could be any.
        Some(parts) => parts
            .into_iter()
            .map(|part| {
                let document = Document::parse(part, limits)
                    .map_err(|error| Unreadable { why: error.to_string(), id: None })?;
                heard(document, limits, None)
            })
            .collect(),
    }
}

fn heard(document: Document, limits: &Limits, sole: Option<&Id>) -> Result<Heard, Unreadable> {
    let answers = match Message::read_one(document.root())? {
        Message::Response { id, .. } => Some(Answer { id, is_result: true }),
        Message::Failure { id, .. } => Some(Answer { id, is_result: false }),
        Message::Request { .. } | Message::Notification { .. } => None,
    };
    match (answers, sole) {
        (Some(answer), Some(id)) if answer.id.is_null() => {
            let mut splice = Splice::new(&document);
            splice.set_member(document.root(), "id", id.json().as_bytes());
            let bytes = splice
                .finish()
                .map_err(|error| Unreadable { why: error.to_string(), id: Some(id.clone()) })?;
            // It may have become a little longer.
            let limits = Limits { bytes: usize::MAX, nodes: limits.nodes.saturating_add(2), ..*limits };
            let document = Document::parse(bytes, &limits)
                .map_err(|error| Unreadable { why: error.to_string(), id: Some(id.clone()) })?;
            Ok(Heard { document, answers: Some(Answer { id: id.clone(), is_result: answer.is_result }) })
        }
        (answers, _) => Ok(Heard { document, answers }),
    }
}

impl From<EnvelopeError> for Unreadable {
    fn from(error: EnvelopeError) -> Unreadable {
        Unreadable { why: error.to_string(), id: error.id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, sole: Option<&Id>) -> Vec<(String, Option<Id>)> {
        let heard = read(text.as_bytes().to_vec(), &Limits::default(), sole).unwrap();
        heard
            .into_iter()
            .map(|heard| (heard.document.text().to_owned(), heard.answers.map(|answer| answer.id)))
            .collect()
    }

    #[test]
    fn a_message_stays_as_it_came() {
        let text = r#"{ "id":7.0, "jsonrpc":"2.0","result":{"a":1.0} }"#;
        assert_eq!(texts(text, Some(&Id::integer(7))), [(text.to_owned(), Some(Id::integer(7)))]);
    }

    #[test]
    fn a_failure_without_id_gets_the_id_of_the_only_request() {
        let id = Id::text("q");
        for text in [
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"},"id":null}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"}}"#,
        ] {
            let expected = r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"m"},"id":"q"}"#;
            assert_eq!(texts(text, Some(&id)), [(expected.to_owned(), Some(id.clone()))]);
            assert_eq!(texts(text, None), [(text.to_owned(), Some(Id::NULL))]);
        }
    }

    #[test]
    fn a_batch_is_taken_apart_or_refused_as_a_whole() {
        let note = r#"{"jsonrpc":"2.0","method":"m"}"#;
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":1e2}"#;
        let expected = [(note.to_owned(), None), (answer.to_owned(), Some(Id::integer(1)))];
        assert_eq!(texts(&format!("[{note} , {answer}]"), None), expected);
        assert!(read(format!("[{note},7]").into_bytes(), &Limits::default(), None).is_err());
    }

    #[test]
    fn what_is_no_message_names_its_request_if_it_can() {
        let broken = br#"{"jsonrpc":"2.0","id":3,"result":1,"error":2}"#.to_vec();
        let unreadable = read(broken, &Limits::default(), None).err().unwrap();
        assert_eq!(unreadable.id, Some(Id::integer(3)));
        assert!(read(b"nothing".to_vec(), &Limits::default(), None).err().unwrap().id.is_none());
    }
}
