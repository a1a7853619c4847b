//! A server with tools of a few contents, a ledger, and a user.

use std::collections::BTreeSet;

use portcullis_identity::ContentHash;
use portcullis_identity::definition::Definition;
use portcullis_identity::server::ServerIdentity;
use portcullis_identity::state::{
    Callable, Evidence, Evidences, Judged, Judgement, Ledger, Listing, Offer, Policy, Vouch, callable, judge,
};
use portcullis_wire::json::{Document, Limits};
use serde_json::json;

/// A tool as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) content: u8,
    pub(crate) seal: Sealed,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sealed {
    No,
    By {
        signer: String,
        version: String,
        scopes: BTreeSet<String>,
        issuer: Option<String>,
    },
    /// By somebody whom nobody knows.
    Unproven,
    /// Not, but on a list of approved definitions.
    Listed,
    Wrong,
    Revoked,
}

pub(crate) fn text(name: &str, content: u8) -> String {
    // One sentence each, so that none is a change of spelling only; save the last, which is that of the second.
    let says = [
        "Counts words.",
        "Adds two numbers.",
        "Tells the time of a city.",
        "Draws a circle in a window.",
        "Adds two  numbers.",
    ];
    json!({"name": name, "description": says[usize::from(content) % says.len()], "inputSchema": {"type": "object"}})
        .to_string()
}

pub(crate) fn server(which: &str) -> ServerIdentity {
    let package = |name: &str, version: &str| ServerIdentity::Package {
        registry: "npm".to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        arguments: Vec::new(),
    };
    match which {
        "same" => package("@acme/tools", "1.0.0"),
        "upgraded" => package("@acme/tools", "1.1.0"),
        "another" => package("@acne/tools", "1.0.0"),
        _ => panic!("no server {which}"),
    }
}

pub(crate) struct World {
    pub(crate) ledger: Ledger,
    pub(crate) server: ServerIdentity,
    pub(crate) policy: Policy,
    pub(crate) last: Option<Judgement>,
}

impl World {
    pub(crate) fn new() -> World {
        let policy = Policy { trusted: ["good", "fine"].map(str::to_owned).into(), ..Policy::default() };
        World { ledger: Ledger::default(), server: server("same"), policy, last: None }
    }

    /// Judges a listing of these pages, without keeping anything.
    pub(crate) fn look(&self, pages: &[Vec<Listed>]) -> Judgement {
        self.look_at("desk", &self.server, pages)
    }

    /// The same, of a server that is called so.
    pub(crate) fn look_at(&self, seat: &str, server: &ServerIdentity, pages: &[Vec<Listed>]) -> Judgement {
        let documents: Vec<Document> = pages.iter().map(|page| document(page)).collect();
        let listing = Listing::of_pages(documents.iter().map(Document::root)).unwrap();
        let evidence = evidence(pages);
        let around = self.ledger.neighbourhood();
        judge(seat, server, &listing, &self.ledger, &around, &evidence, &self.policy)
    }

    /// Judges, and keeps what was seen.
    pub(crate) fn list(&mut self, pages: &[Vec<Listed>]) {
        let judgement = self.look(pages);
        self.ledger.note(&judgement);
        self.last = Some(judgement);
    }

    pub(crate) fn judged(&self, name: &str) -> Option<&Judged> {
        self.last.as_ref()?.tools.iter().find(|judged| judged.name == name)
    }

    pub(crate) fn offer(&self, name: &str) -> Option<Offer> {
        self.judged(name)?.offer().ok()
    }

    pub(crate) fn may_be_called(&self, judged: &Judged) -> bool {
        matches!(callable(judged, &self.policy), Callable::Allowed(_) | Callable::Recorded(_))
    }
}

fn document(page: &[Listed]) -> Document {
    let tools: Vec<String> = page.iter().map(|listed| text(&listed.name, listed.content)).collect();
    let result = format!("{{\"tools\":[{}]}}", tools.join(","));
    Document::parse(result, &Limits::default()).unwrap()
}

/// The evidence for a name that comes twice is that of the last; it cannot matter unless all of them are the same.
fn evidence(pages: &[Vec<Listed>]) -> Evidences {
    let mut evidences = Evidences::new();
    for listed in pages.iter().flatten() {
        let evidence = match &listed.seal {
            Sealed::No => Evidence::Unsigned,
            Sealed::Wrong => Evidence::Refused { reason: "broken".to_owned() },
            Sealed::Revoked => Evidence::Revoked { reason: "the key was lost".to_owned() },
            Sealed::Unproven => Evidence::Unproven { reason: "nobody knows the key".to_owned() },
            Sealed::Listed => {
                Evidence::Listed { by: "team".to_owned(), content: content(&listed.name, listed.content) }
            }
            Sealed::By { signer, version, scopes, issuer } => Evidence::Verified(Vouch {
                signer: signer.clone(),
                tool_id: format!("test.acme/{}", listed.name),
                version: version.parse().unwrap(),
                scopes: scopes.clone(),
                profile: None,
                contract: None,
                issuer: issuer.clone(),
                content: content(&listed.name, listed.content),
            }),
        };
        evidences.insert(listed.name.clone(), evidence);
    }
    evidences
}

pub(crate) fn content(name: &str, content: u8) -> ContentHash {
    Definition::parse(text(name, content).as_bytes(), &[]).unwrap().content()
}
