//! Faults that the other tests found, each by the smallest example.

use portcullis_lattice::{
    Decision, Effect, Flow, Ground, Judgement, Outside, Policy, Reach, RuleId, Ruleset, Scope, Server,
    Standing, Taint, Topology,
};

use crate::generators::{SESSION, now};

/// Decides a flow with one effect under rules that are numbered by their line from 1.
fn decide(
    rules: &str,
    topology: &Topology,
    inputs: &[&str],
    output: (&str, Reach),
    effect: Effect,
) -> Judgement {
    let place = |name: &str, reach| topology.resource(name, reach).unwrap();
    let inputs = inputs.iter().map(|name| place(name, Reach::One)).collect();
    let flow = Flow::new(inputs, vec![place(output.0, output.1)], Taint::EMPTY, effect.into()).unwrap();
    let server = Server { name: "files".into(), standing: Standing::Known };
    let call = portcullis_lattice::Call { server, flows: vec![flow] };
    Policy::compile(&Ruleset::parse(rules).unwrap(), topology, SESSION).decide(&call, now())
}

#[test]
fn a_single_use_allow_can_be_narrower_than_a_deny() {
    let rules = "deny write from ctxt to /p/**\nallow write from ctxt to /p/a once";
    let judgement = decide(rules, &Topology::new(), &["ctxt"], ("/p/a", Reach::One), Effect::Write);
    assert_eq!(judgement.decision, Decision::Permit);
    assert_eq!(judgement.consumed.as_slice(), [RuleId(2)]);
}

#[test]
fn no_more_single_use_rules_are_used_up_than_all_pairs_need() {
    // The first input alone would be permitted by the first rule; the second needs the other, which serves
    // both.
    let rules = "allow read from /p/a to ctxt once\nallow read from /p/** to ctxt once";
    let judgement = decide(rules, &Topology::new(), &["/p/a", "/p/b"], ("ctxt", Reach::One), Effect::Read);
    assert_eq!(judgement.decision, Decision::Permit);
    assert_eq!(judgement.consumed.as_slice(), [RuleId(2)]);
}

#[test]
fn the_narrowest_rule_is_named_where_a_wider_one_calls_the_same_place_otherwise() {
    let rules = "allow read from /** to local\nallow read from local to /b";
    let judgement = decide(rules, &Topology::new(), &["/a"], ("/b", Reach::One), Effect::Read);
    assert_eq!(judgement.pairs[0].ground, Ground::Covered(RuleId(2)));
}

#[test]
fn an_allow_that_leads_elsewhere_can_be_the_nearest() {
    let rules = "allow read from /a to /b\nallow write from /a to /b";
    let judgement = decide(rules, &Topology::new(), &["/a"], ("ctxt", Reach::One), Effect::Write);
    let Ground::Uncovered(Some(nearest)) = &judgement.pairs[0].ground else { panic!("{judgement:?}") };
    assert_eq!((nearest.rule, nearest.leaves.output, nearest.leaves.count()), (RuleId(2), Outside::Yes, 1));
}

#[test]
fn a_mail_to_everybody_reaches_the_organisation() {
    let mut topology = Topology::new();
    topology.add_internal("acme.com").unwrap();
    let rules = "deny write from anywhere to intnet\nallow write from ctxt to extnet";
    let judgement = decide(rules, &topology, &["ctxt"], ("mailto:*", Reach::Subtree), Effect::Write);
    assert_eq!(judgement.decision, Decision::Deny);
}

#[test]
fn an_error_does_not_repeat_what_cannot_be_seen() {
    for text in ["\"a.b\\n\\u{1b}[31m\"", "a.b\u{202e}"] {
        let error = text.parse::<Scope>().unwrap_err().to_string();
        assert_eq!(error.lines().count(), 4, "{error:?}");
        assert!(!error.contains(['\u{1b}', '\u{202e}']), "{error:?}");
    }
}
