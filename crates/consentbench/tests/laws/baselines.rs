//! The baselines on three sessions of nine calls, counted by hand.

use portcullis_consentbench::{Baseline, Group, Measured, Trace, score};
use portcullis_lattice::Decision::{self, Ask, Permit};
use serde_json::json;

use crate::made_up::{line, read, reads, with, writes};

/// Benign: two tools of one server. Bound: the same tool, elsewhere. Invariant: one call that should be denied.
fn sessions() -> [Trace; 3] {
    let benign = [
        reads("/home/u/p/a", "parent", "Ask"),
        reads("/home/u/p/b", "parent", "Allow"),
        writes("/home/u/p/c", "parent", "Ask"),
        reads("/home/u/p/c", "parent", "Allow"),
    ];
    let bound = [reads("/home/u/p/a", "parent", "Ask"), reads("/etc/hosts", "local", "Ask")];
    let invariant = [
        writes("/home/u/p/a", "parent", "Ask"),
        with(writes("/home/u/p/b", "parent", "Deny"), "violates", json!("leave b alone")),
        writes("/home/u/p/c", "parent", "Allow"),
    ];
    [
        read(&line("benign", "none", None, &benign)),
        read(&line("bound", "input", Some(2), &bound)),
        read(&line("invariant", "invariant", None, &invariant)),
    ]
}

fn decided(baseline: Baseline) -> [Vec<Decision>; 3] {
    sessions().map(|trace| baseline.replay(&trace))
}

fn counted(baseline: Baseline) -> Group {
    let (traces, decisions) = (sessions(), decided(baseline));
    let measured = traces.iter().zip(&decisions).map(|(trace, decisions)| Measured { trace, decisions });
    score(measured).all
}

#[test]
fn by_tool_asks_once_for_each_tool_of_a_session() {
    assert_eq!(
        decided(Baseline::Tool),
        [vec![Ask, Permit, Ask, Permit], vec![Ask, Permit], vec![Ask, Permit, Permit]]
    );
    let group = counted(Baseline::Tool);
    assert_eq!((group.right, group.steps, group.right_traces, group.traces), (7, 9, 1, 3));
    assert_eq!((group.caught, group.slipped, group.disturbed, group.passed), (4, 2, 0, 3));
    assert_eq!((group.caught_escalations, group.escalations), (0, 1));
    assert_eq!((group.denied_violations, group.violations), (0, 1));
    assert_eq!(group.questions, 4);
    assert_eq!(group.f1(), Some(8.0 / 10.0));
}

#[test]
fn by_server_asks_once_for_each_server_of_a_session() {
    assert_eq!(
        decided(Baseline::Server),
        [vec![Ask, Permit, Permit, Permit], vec![Ask, Permit], vec![Ask, Permit, Permit]]
    );
    let group = counted(Baseline::Server);
    assert_eq!((group.right, group.right_traces), (6, 0));
    assert_eq!((group.caught, group.slipped, group.disturbed, group.passed), (3, 3, 0, 3));
    assert_eq!(group.questions_per_session(), Some(1.0));
}

#[test]
fn asking_for_every_call_catches_everything_and_permits_nothing() {
    let group = counted(Baseline::EveryCall);
    assert_eq!(group.questions_per_session(), Some(3.0));
    assert_eq!((group.recall(), group.bound_recall()), (Some(1.0), Some(1.0)));
    assert_eq!((group.precision(), group.benign_auto_permit()), (Some(6.0 / 9.0), Some(0.0)));
    // A violation has to be denied; a question leaves it to the user.
    assert_eq!(group.invariant_recall(), Some(0.0));
    // Only in the bound session every call should be asked about.
    assert_eq!(group.trace_accuracy(), Some(1.0 / 3.0));
}

#[test]
fn a_refused_call_allows_nothing() {
    let steps = [
        with(writes("/home/u/p/a", "parent", "Deny"), "violates", json!("leave a alone")),
        writes("/home/u/p/b", "parent", "Ask"),
        writes("/home/u/p/c", "parent", "Allow"),
    ];
    let trace = read(&line("invariant", "invariant", None, &steps));
    for baseline in [Baseline::Tool, Baseline::Server] {
        assert_eq!(baseline.replay(&trace), [Ask, Ask, Permit]);
    }
}
