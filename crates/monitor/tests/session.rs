//! What a session does with calls: decisions, permits, what calls leave behind.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use jiff::Timestamp;
use portcullis_lattice::{Decision, Ruleset};
use portcullis_monitor::{Outcome, Refusal, Session, Stage, ToolCall, ToolStanding, Verdict};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_taint::{Fingerprints, Key, Limits};
use serde_json::{Value, json};

/// A session with the catalogue's servers in `/home/u/p`.
struct Desk<'d> {
    catalogue: &'d Catalogue,
    session: Session<'d>,
}

fn with_desk(rules: &str, test: impl FnOnce(&mut Desk<'_>)) {
    let catalogue = Catalogue::built_in().unwrap();
    let formats = Formats::built_in().unwrap();
    let layout = Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    };
    let fingerprints = Fingerprints::new(Key::new([7; 16]), Limits::default());
    let mut session = Session::new("s1", layout.ground().unwrap(), &formats, &NoLinks, fingerprints);
    session.set_rules(Ruleset::parse(rules).unwrap());
    test(&mut Desk { catalogue: &catalogue, session });
}

impl Desk<'_> {
    fn decide_at(&self, remote: Option<&str>, tool: &str, arguments: &Value) -> Verdict {
        let (server, tool) = tool.split_once('.').unwrap();
        let profile: &Profile = self.catalogue.profile(server, tool).unwrap();
        let tools = |name: &str| self.catalogue.profile(server, name);
        let call =
            ToolCall { server, remote, profile, tools: &tools, arguments, standing: ToolStanding::APPROVED };
        self.session.decide(&call, Timestamp::UNIX_EPOCH)
    }

    fn decide(&self, tool: &str, arguments: Value) -> Verdict {
        self.decide_at(None, tool, &arguments)
    }

    /// Makes a call that is permitted.
    fn make(&mut self, tool: &str, arguments: Value) -> Verdict {
        let verdict = self.decide(tool, arguments);
        assert_eq!(verdict.decision, Decision::Permit, "{:?}", verdict.reasons());
        let permit = self.session.permit(&verdict).unwrap();
        assert_eq!(permit.step(), verdict.step());
        self.session.completed(&verdict, Outcome::Success);
        verdict
    }
}

const OFFICE: &str = "allow read from @workspace to ctxt carrying secret\n\
                      allow read from @workspace to ctxt\n\
                      allow write from ctxt to @workspace\n\
                      allow write from ctxt to mailto:*@acme.com\n\
                      allow write, del from @workspace to @workspace carrying secret\n";

fn mail(text: &str) -> Value {
    json!({"to": ["ann@acme.com"], "subject": "s", "body": text})
}

#[test]
fn no_rules_means_ask() {
    with_desk("", |desk| {
        let verdict = desk.decide("filesystem.read_text_file", json!({"path": "a.txt"}));
        assert_eq!(verdict.decision, Decision::Ask);
        let consent = verdict.findings.iter().find(|finding| finding.stage == Stage::Consent).unwrap();
        assert_eq!(consent.reasons, ["read /home/u/p/a.txt: no rule in force allows anything"]);
        assert_eq!(desk.session.permit(&verdict).unwrap_err(), Refusal::NotPermitted);
    });
}

#[test]
fn a_verdict_gives_one_permit() {
    with_desk(OFFICE, |desk| {
        let verdict = desk.decide("filesystem.read_text_file", json!({"path": "a.txt"}));
        assert!(desk.session.permit(&verdict).is_ok());
        assert_eq!(desk.session.permit(&verdict).unwrap_err(), Refusal::Outdated);
    });
}

#[test]
fn a_rule_that_changes_outdates_the_verdict() {
    with_desk(OFFICE, |desk| {
        let verdict = desk.decide("filesystem.read_text_file", json!({"path": "a.txt"}));
        let first = desk.session.rules().entries().first().unwrap().id;
        desk.session.revoke_rule(first).unwrap();
        assert_eq!(desk.session.permit(&verdict).unwrap_err(), Refusal::Outdated);
    });
}

#[test]
fn a_single_use_rule_is_used_up() {
    with_desk("allow read from @workspace to ctxt once", |desk| {
        desk.make("filesystem.read_text_file", json!({"path": "a.txt"}));
        let again = desk.decide("filesystem.read_text_file", json!({"path": "a.txt"}));
        assert_eq!(again.decision, Decision::Ask);
    });
}

#[test]
fn deciding_changes_nothing() {
    with_desk(OFFICE, |desk| {
        let first = desk.decide("filesystem.read_text_file", json!({"path": ".env"}));
        let second = desk.decide("filesystem.read_text_file", json!({"path": ".env"}));
        assert_eq!(first.step(), second.step());
        assert!(desk.session.labels().context().is_empty());
    });
}

#[test]
fn what_was_read_from_a_credential_is_not_sent_by_another_server() {
    with_desk(OFFICE, |desk| {
        assert_eq!(desk.decide("gmail.send_email", mail("hello")).decision, Decision::Permit);
        desk.make("filesystem.read_text_file", json!({"path": ".env"}));
        let verdict = desk.decide("gmail.send_email", mail("hello"));
        assert_eq!(verdict.decision, Decision::Ask);
        let origins: Vec<String> =
            verdict.carried.iter().flat_map(|one| one.words(Some("/home/u"))).collect();
        assert!(origins.iter().any(|words| words.contains("~/p/.env")), "{origins:?}");
    });
}

#[test]
fn a_label_is_forgotten_only_after_a_deletion_that_succeeded() {
    with_desk(OFFICE, |desk| {
        desk.make("filesystem.read_text_file", json!({"path": ".env"}));
        let copy = desk.decide("filesystem.write_file", json!({"path": "copy.txt", "content": "x"}));
        desk.session.observe(&copy);
        let label = |desk: &Desk<'_>| {
            let verdict = desk.decide("filesystem.read_text_file", json!({"path": "copy.txt"}));
            !verdict.carried.iter().all(|one| one.taint.is_empty())
        };
        assert!(label(desk));
        let remove =
            desk.decide("filesystem.move_file", json!({"source": "copy.txt", "destination": "moved.txt"}));
        desk.session.observe(&remove);
        desk.session.completed(&remove, Outcome::Uncertain);
        assert!(label(desk), "nobody knows whether it is gone");
        desk.session.completed(&remove, Outcome::Success);
        assert!(!label(desk));
    });
}

#[test]
fn an_argument_that_nobody_knows_is_asked_about_whatever_the_rules_say() {
    with_desk(OFFICE, |desk| {
        let verdict = desk.decide("filesystem.read_text_file", json!({"path": "a.txt", "follow": "yes"}));
        assert_eq!(verdict.decision, Decision::Ask);
        assert_eq!(verdict.judgement.decision, Decision::Permit);
        assert_eq!(verdict.reasons(), ["nothing is known of the argument `follow`"]);
    });
}

#[test]
fn what_carries_a_label_is_not_sent_to_a_server_on_another_machine_unasked() {
    with_desk(OFFICE, |desk| {
        let arguments = json!({"path": "notes.txt", "content": "x"});
        let remote = Some("https://mcp.example.net");
        let before = desk.decide_at(remote, "filesystem.write_file", &arguments);
        assert_eq!(before.perception.acts.len(), 1);
        desk.make("filesystem.read_text_file", json!({"path": ".env"}));
        let after = desk.decide_at(remote, "filesystem.write_file", &arguments);
        let sent: Vec<String> = after.perception.acts.iter().map(ToString::to_string).collect();
        assert!(
            sent.contains(&"write from ctxt to https://mcp.example.net, with text".to_owned()),
            "{sent:?}"
        );
        assert_eq!(after.decision, Decision::Ask);
    });
}

#[test]
fn a_credential_in_a_result_labels_the_context_and_is_found_again_in_arguments() {
    with_desk(OFFICE, |desk| {
        let read = desk.make("filesystem.read_text_file", json!({"path": "notes.txt"}));
        let token = format!("{}{}", "ghp_", "a8Kx02LmQpZr7TbYvN3cWdE5fGhJ1iUoSqXz");
        desk.session.result(&read, &format!("the token is {token}\n"));
        let verdict = desk.decide("gmail.send_email", mail(&format!("see {token}")));
        assert_eq!(verdict.decision, Decision::Ask);
        let origins: Vec<String> = verdict.carried.iter().flat_map(|one| one.words(None)).collect();
        assert!(origins.iter().any(|words| words.contains("/home/u/p/notes.txt")), "{origins:?}");
    });
}
