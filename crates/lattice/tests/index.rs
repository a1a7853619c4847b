//! What the index must not get wrong, whatever rules it is made of.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use jiff::Timestamp;
use portcullis_lattice::{
    Call, Decision, Effect, Flow, Policy, Reach, Realms, Resource, Rule, Ruleset, Server, Standing, Taint,
    Topology,
};

fn decision(rules: &Ruleset, file: &str) -> Decision {
    let file = Resource::new(file, Reach::One, Realms::EMPTY).unwrap();
    let flow = Flow::new(vec![file], vec![Resource::context()], Taint::EMPTY, Effect::Read.into()).unwrap();
    let call = Call { server: Server { name: "fs".into(), standing: Standing::Known }, flows: vec![flow] };
    Policy::compile(rules, &Topology::new(), "s").decide(&call, Timestamp::UNIX_EPOCH).decision
}

/// No file of rules says this, but a rule can be put together so; it must not lend its place to another.
#[test]
fn a_rule_without_outputs_is_about_nothing() {
    let rule = |text: &str| text.parse::<Rule>().unwrap();
    let mut hollow = rule("allow read from /home/u/p/deeper/than/others to ctxt");
    hollow.boundary.outputs.clear();
    let mut last = rule("allow read from /z to ctxt");
    last.boundary.outputs.clear();
    let mut rules = Ruleset::new();
    for rule in
        [hollow, rule("allow read from /home/u/p to ctxt"), rule("deny read from /home/u/q to ctxt"), last]
    {
        rules.add(rule);
    }
    assert_eq!(decision(&rules, "/home/u/p/deeper/than/others"), Decision::Ask);
    assert_eq!(decision(&rules, "/home/u/p"), Decision::Permit);
    assert_eq!(decision(&rules, "/home/u/q"), Decision::Deny);
    assert_eq!(decision(&rules, "/z"), Decision::Ask);
}
