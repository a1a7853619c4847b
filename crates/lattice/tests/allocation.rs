//! What deciding takes from the heap. Alone in its binary, since the counter replaces the allocator.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use allocation_counter::measure;
use jiff::Timestamp;
use portcullis_lattice::{
    Call, Decision, Effect, Effects, Flow, Policy, Reach, Resource, Ruleset, Server, Standing, Taint,
    Topology,
};

/// A hundred projects with ten rules each.
fn policy() -> Policy {
    let rules: String = (0..100)
        .map(|project| {
            let folder = format!("/home/ann/projects/atlas{project}");
            [
                format!("allow read from {folder}/** to ctxt"),
                format!("allow write from {folder}/reports/** to mailto:*@customer{project}.com"),
                format!("deny write from {folder}/** to extnet"),
                format!("deny read, write from {folder}/.env to anywhere"),
                format!("allow write from ctxt to {folder}/src/**, {folder}/tests/**"),
                format!("allow del from ctxt to {folder}/target/**"),
                format!("allow write from ctxt to slack:C{project:05} once"),
                format!("allow read from {folder}/docs/*.pdf to ctxt carrying untrusted"),
                format!(
                    "allow write from {folder}/out/*.csv to mailto:*@partner{project}.com via known mail"
                ),
                format!("allow read from github:acme/atlas{project}/** to ctxt carrying untrusted"),
            ]
            .join("\n")
                + "\n"
        })
        .collect();
    let policy = Policy::compile(&Ruleset::parse(&rules).unwrap(), &topology(), "monday");
    assert_eq!(policy.entries().len(), 1_000);
    policy
}

fn topology() -> Topology {
    let mut topology = Topology::new();
    topology.set_workspace("/home/ann/projects/atlas7").unwrap();
    topology.add_internal("acme.com").unwrap();
    topology
}

fn resource(name: &str, reach: Reach) -> Resource {
    if name == "ctxt" { Resource::context() } else { topology().resource(name, reach).unwrap() }
}

fn flow(input: (&str, Reach), outputs: &[&str], effect: Effect) -> Flow {
    let outputs = outputs.iter().map(|name| resource(name, input.1)).collect();
    Flow::new(vec![resource(input.0, input.1)], outputs, Taint::EMPTY, Effects::only(effect)).unwrap()
}

/// How often a permitted call allocates while it is decided.
fn allocations(policy: &Policy, flows: Vec<Flow>) -> u64 {
    let call = Call { server: Server { name: "mail".into(), standing: Standing::Known }, flows };
    let mut judgement = None;
    let counted = measure(|| judgement = Some(policy.decide(&call, Timestamp::UNIX_EPOCH)));
    assert_eq!(judgement.unwrap().decision, Decision::Permit, "{call:?}");
    counted.count_total
}

const REPORT: (&str, Reach) = ("/home/ann/projects/atlas7/reports/q3/summary.pdf", Reach::One);

/// By lasting rules, that is. A single-use rule is an answer that a person has just given; finding out which
/// of them are needed may take its time.
#[test]
fn a_permit_allocates_nothing() {
    let policy = policy();
    let mail = flow(REPORT, &["mailto:bob@customer7.com"], Effect::Write);
    let read = flow(REPORT, &["ctxt"], Effect::Read);
    assert_eq!(allocations(&policy, vec![mail, read]), 0, "a mail past a wider deny, and a read");

    let listing = flow(("/home/ann/projects/atlas7/docs/*.pdf", Reach::Names), &["ctxt"], Effect::Read);
    assert_eq!(allocations(&policy, vec![listing]), 0, "a listing");

    let removal = flow(("ctxt", Reach::Subtree), &["/home/ann/projects/atlas7/target/debug"], Effect::Del);
    assert_eq!(allocations(&policy, vec![removal]), 0, "`rm -r`");
}

/// Beyond two pairs there is the list of them in the judgement, and beyond two outputs the list of these.
#[test]
fn many_recipients_take_two_allocations() {
    let recipients: Vec<String> = (0..50).map(|number| format!("mailto:p{number}@customer7.com")).collect();
    let recipients: Vec<&str> = recipients.iter().map(String::as_str).collect();
    let mail = flow(REPORT, &recipients, Effect::Write);
    assert_eq!(allocations(&policy(), vec![mail]), 2);
}
