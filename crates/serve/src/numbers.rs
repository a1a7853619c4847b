//! Many hosts that know nothing of each other speak through one connection in the era without sessions: their requests
//! get numbers of our own on the way in, and their own names again on the way out.

use std::collections::HashMap;

use portcullis_wire::json::{Document, Limits, Node, quote};
use portcullis_wire::mcp::key;
use portcullis_wire::rpc::{Id, Incoming, Message};
use portcullis_wire::splice::Splice;

use crate::outlets::Part;

/// The numbers of one connection.
#[derive(Default)]
pub(crate) struct Numbers {
    begun: u64,
    open: HashMap<Id, Own>,
}

/// How the host names a request, as JSON.
struct Own {
    id: String,
    progress: Option<String>,
}

impl Numbers {
    /// A request with a number of ours. Nothing if it is no request.
    pub(crate) fn inward(&mut self, document: &Document) -> Option<(Vec<u8>, Id)> {
        let root = document.root();
        let id = root.get("id")?;
        self.begun += 1;
        let number = Id::text(&format!("request-{}", self.begun));
        let mut splice = Splice::new(document);
        splice.replace(id, number.json().as_bytes());
        let progress = progress_of(root);
        if let Some(token) = progress {
            splice.replace(token, number.json().as_bytes());
        }
        let own =
            Own { id: id.raw_text().to_owned(), progress: progress.map(|token| token.raw_text().to_owned()) };
        let bytes = splice.finish().ok()?;
        self.open.insert(number.clone(), own);
        Some((bytes, number))
    }

    /// The message as the host knows it, and the request that it belongs to. Nothing if it belongs to none.
    pub(crate) fn outward(&mut self, message: &[u8]) -> Option<(Vec<u8>, Id, Part)> {
        let document = Document::parse(message, &Limits::default()).ok()?;
        let Ok(Incoming::One(read)) = Message::read(&document) else { return None };
        let mut splice = Splice::new(&document);
        let (number, part) = match read {
            Message::Response { id, .. } | Message::Failure { id, .. } => {
                let own = self.open.remove(&id)?;
                splice.replace(document.root().get("id")?, own.id.as_bytes());
                (id, Part::Answer)
            }
            Message::Notification { params, .. } => (self.renamed(params?, &mut splice)?, Part::News),
            // There are no requests of servers in this era.
            Message::Request { .. } => return None,
        };
        Some((splice.finish().ok()?, number, part))
    }

    /// Nobody waits for the answer any more.
    pub(crate) fn forget(&mut self, number: &Id) {
        self.open.remove(number);
    }

    fn renamed(&self, params: Node<'_>, splice: &mut Splice<'_>) -> Option<Id> {
        let subscription = params.get("_meta").and_then(|meta| meta.get(key::SUBSCRIPTION_ID));
        let token = params.get("progressToken");
        let node = subscription.or(token)?;
        let number = Id::of(node)?;
        let own = self.open.get(&number)?;
        let name = if subscription.is_some() { &own.id } else { own.progress.as_ref()? };
        splice.replace(node, name.as_bytes());
        Some(number)
    }
}

/// A message by which a host that has gone away gives up a request.
pub(crate) fn cancelled(number: &Id) -> Vec<u8> {
    let params = format!("{{\"requestId\":{},\"reason\":{}}}", number.json(), quote("whoever asked is gone"));
    portcullis_wire::rpc::notification("notifications/cancelled", Some(params.as_bytes()))
}

/// Where a request names what it wants to hear progress of.
pub(crate) fn progress_of(root: Node<'_>) -> Option<Node<'_>> {
    root.get("params")?.get("_meta")?.get("progressToken")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(text.as_bytes(), &Limits::default()).unwrap()
    }

    #[test]
    fn hosts_that_choose_the_same_names_are_told_apart() {
        let mut numbers = Numbers::default();
        let request = r#"{"jsonrpc":"2.0","id":1.0,"method":"tools/call","params":{"_meta":{"progressToken":"p"},"x":1e2}}"#;
        let (first, one) = numbers.inward(&document(request)).unwrap();
        let (_, two) = numbers.inward(&document(request)).unwrap();
        assert_ne!(one, two);
        let first = String::from_utf8(first).unwrap();
        assert!(first.contains("\"x\":1e2") && !first.contains("\"p\""), "{first}");
        let told = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":{},"progress":1}}}}"#,
            two.json()
        );
        let (told, whose, _) = numbers.outward(told.as_bytes()).unwrap();
        assert_eq!(whose, two);
        assert!(String::from_utf8(told).unwrap().contains(r#""progressToken":"p""#));
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, two.json());
        let (answer, whose, _) = numbers.outward(answer.as_bytes()).unwrap();
        assert_eq!(
            (whose, String::from_utf8(answer).unwrap()),
            (two, r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#.to_owned())
        );
        let twice = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, "\"request-2\"");
        assert!(numbers.outward(twice.as_bytes()).is_none());
    }
}
