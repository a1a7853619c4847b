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

    /// Whose a message is, and how that host knows it.
    pub(crate) fn outward(&mut self, message: &[u8]) -> Whose {
        let Ok(document) = Document::parse(message, &Limits::default()) else { return Whose::Nobodys };
        let Ok(Incoming::One(read)) = Message::read(&document) else { return Whose::Nobodys };
        let found = match read {
            Message::Response { id, .. } | Message::Failure { id, .. } => self.renamed_answer(&document, id),
            Message::Notification { params, .. } => match params.and_then(named) {
                Some(name) => self.renamed_news(&document, name),
                None => return Whose::Unnamed,
            },
            // There are no requests of servers in this era.
            Message::Request { .. } => None,
        };
        // What names a request that nobody waits for any more is for nobody else.
        found.unwrap_or(Whose::Nobodys)
    }

    /// Nobody waits for the answer any more.
    pub(crate) fn forget(&mut self, number: &Id) {
        self.open.remove(number);
    }

    fn renamed_answer(&mut self, document: &Document, id: Id) -> Option<Whose> {
        let own = self.open.remove(&id)?;
        let mut splice = Splice::new(document);
        splice.replace(document.root().get("id")?, own.id.as_bytes());
        Some(Whose::Of(splice.finish().ok()?, id, Part::Answer))
    }

    fn renamed_news(&self, document: &Document, named: Named<'_>) -> Option<Whose> {
        let (Named::Subscription(node) | Named::Progress(node)) = named;
        let number = Id::of(node)?;
        let own = self.open.get(&number)?;
        let name = match named {
            Named::Subscription(_) => &own.id,
            Named::Progress(_) => own.progress.as_ref()?,
        };
        let mut splice = Splice::new(document);
        splice.replace(node, name.as_bytes());
        Some(Whose::Of(splice.finish().ok()?, number, Part::News))
    }
}

/// Whose a message is.
pub(crate) enum Whose {
    /// That of this request, in the words of its host.
    Of(Vec<u8>, Id, Part),
    /// It names no request.
    Unnamed,
    /// It names one that nobody waits for.
    Nobodys,
}

/// How a notification names its request.
#[derive(Clone, Copy)]
enum Named<'d> {
    Subscription(Node<'d>),
    Progress(Node<'d>),
}

fn named(params: Node<'_>) -> Option<Named<'_>> {
    let subscription = params.get("_meta").and_then(|meta| meta.get(key::SUBSCRIPTION_ID));
    subscription.map(Named::Subscription).or_else(|| params.get("progressToken").map(Named::Progress))
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
        let Whose::Of(told, whose, Part::News) = numbers.outward(told.as_bytes()) else { panic!() };
        assert_eq!(whose, two);
        assert!(String::from_utf8(told).unwrap().contains(r#""progressToken":"p""#));
        let answer = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, two.json());
        let Whose::Of(answer, whose, Part::Answer) = numbers.outward(answer.as_bytes()) else { panic!() };
        assert_eq!(
            (whose, String::from_utf8(answer).unwrap()),
            (two, r#"{"jsonrpc":"2.0","id":1.0,"result":{}}"#.to_owned())
        );
        let twice = format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, "\"request-2\"");
        assert!(matches!(numbers.outward(twice.as_bytes()), Whose::Nobodys));
        let late = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"request-2","progress":2}}"#;
        assert!(matches!(numbers.outward(late.as_bytes()), Whose::Nobodys));
        let log = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":1}}"#;
        assert!(matches!(numbers.outward(log.as_bytes()), Whose::Unnamed));
    }
}
