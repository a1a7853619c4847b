//! Two gateways in one session, each with the store open by itself, as two processes have it: what one of them changes
//! counts for the very next call of the other, though neither looks for changes before it decides.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/ground.rs"]
mod ground;

use ground::{Ground, server};
use jiff::{SignedDuration, Timestamp};
use portcullis_gateway::{Admission, Guard, Request, Tools};
use portcullis_monitor::Outcome;
use portcullis_store::{Change, Commit, NewRule};
use serde_json::{Value, json};

/// A gateway to the file server that the catalogue knows.
struct Gateway {
    guard: Guard,
    tools: Tools,
}

impl Gateway {
    fn new(guard: Guard) -> Gateway {
        let mut tools = Tools::new(server("filesystem")).unwrap();
        for name in ["read_text_file", "write_file"] {
            let schema = json!({"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}});
            tools.list(name, &json!({"name": name, "inputSchema": schema})).unwrap();
        }
        Gateway { guard, tools }
    }

    /// Makes a call that ends well, if it may, and says what became of it and why.
    fn call(&mut self, name: &str, arguments: Value, now: Timestamp) -> (&'static str, Vec<String>) {
        let tool = self.tools.tool(name).unwrap();
        let request = Request { tools: &self.tools, tool, name, arguments: &arguments };
        match self.guard.admit(&request, now).unwrap() {
            Admission::Permitted(_, verdict) => {
                self.guard.completed(&verdict, Outcome::Success, &[], now).unwrap();
                ("permitted", Vec::new())
            }
            Admission::Asked(_, asked) => ("asked", [asked.because.clone(), asked.origins.clone()].concat()),
            Admission::Denied(reasons) => ("denied", reasons),
        }
    }

    fn reads(&mut self, path: &str, now: Timestamp) -> (&'static str, Vec<String>) {
        self.call("read_text_file", json!({"path": path}), now)
    }
}

fn rule(text: &str) -> NewRule {
    NewRule {
        text: text.to_owned(),
        session: None,
        expires: None,
        uses: None,
        grantor: "user".to_owned(),
        reason: "a test".to_owned(),
    }
}

fn add(ground: &Ground, added: NewRule) {
    ground.store.commit(Commit::at(ground.now).change(Change::AddRule(added))).unwrap();
}

#[test]
fn a_rule_that_was_added_elsewhere_counts_for_the_next_call() {
    let ground = Ground::new();
    let mut here = Gateway::new(ground.neighbour());
    assert_eq!(here.reads("/home/u/p/a.md", ground.now).0, "asked");
    add(&ground, rule("allow read from @workspace to ctxt"));
    assert_eq!(here.reads("/home/u/p/b.md", ground.now).0, "permitted");
}

#[test]
fn a_rule_that_was_revoked_elsewhere_grants_no_further_call() {
    let ground = Ground::new();
    add(&ground, rule("allow read from @workspace to ctxt"));
    let mut here = Gateway::new(ground.neighbour());
    assert_eq!(here.reads("/home/u/p/a.md", ground.now).0, "permitted");
    let kept = ground.store.rules(portcullis_store::RuleFilter::Active { now: ground.now }).unwrap();
    let revoked = Change::RevokeRule { id: kept[0].id, by: "user".to_owned() };
    ground.store.commit(Commit::at(ground.now).change(revoked)).unwrap();
    assert_eq!(here.reads("/home/u/p/a.md", ground.now).0, "asked");
}

#[test]
fn a_denial_that_was_added_elsewhere_stops_the_next_call() {
    let ground = Ground::new();
    add(&ground, rule("allow read from @workspace to ctxt"));
    let mut here = Gateway::new(ground.neighbour());
    assert_eq!(here.reads("/home/u/p/a.md", ground.now).0, "permitted");
    add(&ground, rule("deny read from /home/u/p/a.md to anywhere"));
    let (outcome, reasons) = here.reads("/home/u/p/a.md", ground.now);
    assert_eq!(outcome, "denied", "{reasons:?}");
}

#[test]
fn what_one_gateway_read_is_known_to_the_other_when_it_writes() {
    let ground = Ground::new();
    for text in ["allow read from local to ctxt carrying secret", "allow write from ctxt to @workspace"] {
        add(&ground, rule(text));
    }
    let (mut here, mut there) = (Gateway::new(ground.neighbour()), Gateway::new(ground.neighbour()));
    let note = |path: &str| json!({"path": path, "content": "notes"});
    assert_eq!(there.call("write_file", note("/home/u/p/one.md"), ground.now).0, "permitted");
    assert_eq!(here.reads("/home/u/.ssh/id_ed25519", ground.now).0, "permitted");
    let (outcome, reasons) = there.call("write_file", note("/home/u/p/two.md"), ground.now);
    assert_eq!(outcome, "asked");
    assert!(reasons.iter().any(|reason| reason.contains("secret")), "{reasons:?}");
}

#[test]
fn a_rule_ends_at_its_time_though_nothing_was_written_since() {
    let ground = Ground::new();
    let later = ground.now + SignedDuration::from_mins(5);
    add(&ground, NewRule { expires: Some(later), ..rule("allow read from @workspace to ctxt") });
    let mut here = Gateway::new(ground.neighbour());
    assert_eq!(here.reads("/home/u/p/a.md", ground.now).0, "permitted");
    assert_eq!(here.reads("/home/u/p/a.md", later).0, "asked");
}
