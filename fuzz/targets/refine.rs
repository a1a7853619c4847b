//! Answers to a question become rules: the call they were given for passes, and what is left out as said
//! already, or tidied away, changes no decision.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_fuzz::{SESSION, Scene, now};
use portcullis_lattice::{
    Boundary, Call, Decision, Grant, Lifetime, MOST_RUNGS, Network, Recorded, Rule, Ruleset, Rung, Scope,
    Topology, tidy,
};

fuzz_target!(|bytes: &[u8]| {
    let scene = Scene::read(bytes);
    let call = scene.call();
    let policy = scene.policy(&scene.rules);
    let judgement = policy.decide(&call, now());
    let decide = |rules: &Ruleset| scene.policy(rules).decide(&call, now()).decision;

    let grant =
        Grant { lifetime: Lifetime::Session(SESSION.into()), grantor: "ann".into(), reason: "".into() };
    let ladder = policy.ladder(&call, &judgement, now());
    assert!(ladder.rungs.len() <= MOST_RUNGS);
    assert!(ladder.rungs.is_empty() || judgement.decision == Decision::Ask, "options without a question");
    narrower_come_first(&ladder.rungs, &scene.topology);
    for rung in &ladder.rungs {
        let rules = rung.grant(&call.server, &grant);
        assert_eq!(
            decide(&with(&scene.rules, &rules)),
            Decision::Permit,
            "a rung that does not help: {rung:?}"
        );
        for rule in &rules {
            assert_eq!(rule.to_string().parse().as_ref(), Ok(rule), "a rule that cannot be kept as text");
        }
        absorbs(&scene, &rules, &call);
    }
    let never = policy.never_again(&call, &judgement, &grant);
    if judgement.decision == Decision::Ask && !never.is_empty() {
        assert_eq!(decide(&with(&scene.rules, &never)), Decision::Deny, "never again, and yet: {never:?}");
    }

    if let Some(entry) = scene.rules.superfluous().next() {
        let mut fewer = scene.rules.clone();
        fewer.revoke(entry.id);
        assert_eq!(decide(&fewer), judgement.decision, "not superfluous: {}", entry.headline());
    }
    tidies(&scene, call, judgement.decision);
});

fn with(rules: &Ruleset, more: &[Rule]) -> Ruleset {
    let mut rules = rules.clone();
    for rule in more {
        rules.add(rule.clone());
    }
    rules
}

fn narrower_come_first(rungs: &[Rung], topology: &Topology) {
    let inside = |inner: &Rung, outer: &Rung| {
        let held = |inner: &Boundary| outer.boundaries.iter().any(|outer| outer.contains(inner, topology));
        inner.boundaries.iter().all(held)
    };
    for (position, later) in rungs.iter().enumerate() {
        for earlier in &rungs[..position] {
            let narrower = inside(later, earlier) && !inside(earlier, later);
            assert!(!narrower, "{later:?} is narrower than {earlier:?}");
        }
    }
}

/// Leaving out what is said already decides as keeping everything does.
fn absorbs(scene: &Scene, rules: &[Rule], call: &Call) {
    let mut absorbed = scene.rules.clone();
    for rule in rules {
        absorbed.absorb(rule.clone());
    }
    let decision = scene.policy(&absorbed).decide(call, now()).decision;
    assert_eq!(decision, Decision::Permit, "absorbed {rules:?} into\n{}", scene.rules);
}

fn tidies(scene: &Scene, call: Call, decision: Decision) {
    let history = [Recorded { call, at: now(), session: SESSION.into(), topology: scene.topology.clone() }];
    let ceiling = [Scope::Workspace, Scope::Local, Scope::Net(Network::Internal)];
    let proposal = tidy(&scene.rules, &history, &ceiling, &scene.topology, now());
    let tidied = scene.policy(&proposal.rules).decide(&history[0].call, now()).decision;
    assert_eq!(tidied, decision, "tidied into\n{}", proposal.rules);
    assert!(proposal.rules.entries().len() <= scene.rules.entries().len(), "tidied into more rules");
}
