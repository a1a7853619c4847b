//! From a question to a rule, and to fewer rules: what may change by it and what may not.

use portcullis_lattice::{
    Action, Call, Decision, Entry, Flow, Grant, Judgement, Lifetime, MOST_RUNGS, Policy, Recorded, Region,
    Rule, RuleId, Ruleset, Rung, Scope, Step, Topology, tidy,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generators::{
    Layout, Plan, SESSION, any_scope, config, crossing_plan, crossing_rule, layout, now, plan, rule,
};

fn lasting() -> Grant {
    Grant { lifetime: Lifetime::Always, grantor: "user".into(), reason: "".into() }
}

fn ruleset(rules: Vec<Rule>) -> Ruleset {
    rules.into_iter().zip(1..).map(|(rule, number)| Entry { id: RuleId(number), rule }).collect()
}

/// A few rules, some of which cross, and calls around them.
fn session() -> impl Strategy<Value = (Layout, Vec<Rule>, Vec<Plan>)> {
    let rules = vec(prop_oneof![1 => rule(), 1 => crossing_rule()], 0..6);
    (layout(), rules, vec(prop_oneof![1 => plan(), 1 => crossing_plan()], 8))
}

struct Session {
    topology: Topology,
    rules: Ruleset,
    calls: Vec<Call>,
}

impl Session {
    fn new((layout, rules, plans): (Layout, Vec<Rule>, Vec<Plan>)) -> Session {
        let topology = layout.topology();
        let calls = plans.iter().map(|plan| plan.call(&topology)).collect();
        Session { topology, rules: ruleset(rules), calls }
    }

    fn policy(&self) -> Policy {
        Policy::compile(&self.rules, &self.topology, SESSION)
    }

    fn with(&self, rules: Vec<Rule>) -> Policy {
        let mut all = self.rules.clone();
        for rule in rules {
            all.add(rule);
        }
        Policy::compile(&all, &self.topology, SESSION)
    }

    /// Every call that is asked about, with its judgement and the rungs it is offered.
    fn questions(&self) -> Vec<(&Call, Judgement, Vec<Rung>)> {
        let policy = self.policy();
        let judged = self.calls.iter().map(|call| (call, policy.decide(call, now())));
        let asked = judged.filter(|(_, judgement)| judgement.decision == Decision::Ask);
        asked
            .map(|(call, judgement)| {
                let rungs = policy.ladder(call, &judgement, now()).rungs;
                (call, judgement, rungs)
            })
            .collect()
    }
}

/// One pair of a flow as a flow of its own.
fn pair(flow: &Flow, input: usize, output: usize) -> Flow {
    let (input, output) = (flow.inputs()[input].clone(), flow.outputs()[output].clone());
    Flow::new(vec![input], vec![output], flow.taint(), flow.effects()).unwrap()
}

fn is_strictly_inside(inner: &Rung, outer: &Rung, topology: &Topology) -> bool {
    let holds = |outer: &Rung, inner: &Rung| {
        inner
            .boundaries
            .iter()
            .all(|inner| outer.boundaries.iter().any(|outer| outer.contains(inner, topology)))
    };
    holds(outer, inner) && !holds(inner, outer)
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn grant_covers_its_call(session in session()) {
        let session = Session::new(session);
        for (call, _, rungs) in session.questions() {
            for rung in rungs {
                let policy = session.with(rung.grant(&call.server, &lasting()));
                let decision = policy.decide(call, now()).decision;
                prop_assert_eq!(decision, Decision::Permit, "{:?} by {:?}", call, rung);
            }
        }
    }

    #[test]
    fn a_question_without_a_deny_in_the_way_has_a_ladder(session in session()) {
        let (layout, rules, plans) = session;
        let allows = rules.into_iter().filter(|rule| rule.action == Action::Allow).collect();
        let session = Session::new((layout, allows, plans));
        for (call, _, rungs) in session.questions() {
            prop_assert!(!rungs.is_empty(), "nothing is offered for {:?}", call);
        }
    }

    #[test]
    fn a_ladder_is_short_and_rises(session in session()) {
        let session = Session::new(session);
        for (call, _, rungs) in session.questions() {
            prop_assert!(rungs.len() <= MOST_RUNGS);
            for (number, rung) in rungs.iter().enumerate() {
                let later = &rungs[number + 1..];
                let rises = later.iter().all(|later| !is_strictly_inside(later, rung, &session.topology));
                prop_assert!(rises, "{:?}", rungs);
                for boundary in &rung.boundaries {
                    let alike = |flow: &Flow| flow.effects() == boundary.effects && flow.taint() == boundary.taint;
                    prop_assert!(call.flows.iter().any(alike), "effects and taint are exactly those of a flow");
                }
            }
        }
    }

    #[test]
    fn refine_never_widens_unasked(session in session()) {
        let session = Session::new(session);
        let before = session.policy();
        for (asked, _, rungs) in session.questions() {
            for rung in rungs {
                let after = session.with(rung.grant(&asked.server, &lasting()));
                for call in &session.calls {
                    let (old, new) = (before.decide(call, now()), after.decide(call, now()));
                    for (old, new) in old.pairs.iter().zip(&new.pairs) {
                        if old.ground.decision() != Decision::Permit && new.ground.decision() == Decision::Permit {
                            let pair = pair(&call.flows[new.flow], new.input, new.output);
                            let granted = rung.boundaries.iter().any(|rung| rung.covers(&pair, &session.topology));
                            prop_assert!(granted, "{:?} is let through by {:?}", pair, rung);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_narrowest_rung_allows_nothing_but_the_call(session in session()) {
        let session = Session::new(session);
        for (call, _, rungs) in session.questions() {
            // A rung that says nothing of more than the call covers only resources inside those of the call.
            for rung in rungs.iter().filter(|rung| rung.beyond.is_none()) {
                for other in session.calls.iter().flat_map(|call| &call.flows).map(|flow| pair(flow, 0, 0)) {
                    let used = |side: fn(&Flow) -> &[portcullis_lattice::Resource]| {
                        let resource = &side(&other)[0];
                        call.flows.iter().flat_map(side).any(|asked| asked.extent().contains(resource.extent()))
                    };
                    if rung.boundaries.iter().any(|rung| rung.covers(&other, &session.topology)) {
                        prop_assert!(used(Flow::inputs) && used(Flow::outputs), "{:?} is more than {:?}", other, call);
                    }
                }
            }
        }
    }

    #[test]
    fn never_again_refuses_the_call(session in session()) {
        let session = Session::new(session);
        let policy = session.policy();
        for (call, judgement, _) in session.questions() {
            let denied = session.with(policy.never_again(call, &judgement, &lasting()));
            prop_assert_eq!(denied.decide(call, now()).decision, Decision::Deny, "{:?}", call);
        }
    }

    #[test]
    fn absorbing_changes_no_decision(session in session(), new in prop_oneof![rule(), crossing_rule()]) {
        let session = Session::new(session);
        let mut absorbed = session.rules.clone();
        absorbed.absorb(new.clone());
        let (before, after) = (session.with(vec![new]), Policy::compile(&absorbed, &session.topology, SESSION));
        for call in &session.calls {
            prop_assert_eq!(before.decide(call, now()).decision, after.decide(call, now()).decision, "{:?}: {}", call, absorbed);
        }
    }

    #[test]
    fn absorbing_rule_after_rule_never_loosens(session in session()) {
        let session = Session::new(session);
        let mut absorbed = Ruleset::new();
        for entry in session.rules.entries() {
            absorbed.absorb(entry.rule.clone());
        }
        prop_assert!(absorbed.entries().len() <= session.rules.entries().len());
        let (before, after) = (session.policy(), Policy::compile(&absorbed, &session.topology, SESSION));
        for call in &session.calls {
            prop_assert!(before.decide(call, now()).decision <= after.decide(call, now()).decision, "{:?}: {}", call, absorbed);
        }
    }
}

/// Some calls of a session as its history, and the others.
fn recorded(session: &Session, count: usize) -> (Vec<Recorded>, &[Call]) {
    let record = |call: &Call| Recorded {
        call: call.clone(),
        at: now(),
        session: SESSION.into(),
        topology: session.topology.clone(),
    };
    let (history, rest) = session.calls.split_at(count);
    (history.iter().map(record).collect(), rest)
}

fn is_lasting_allow(rule: &Rule) -> bool {
    rule.action == Action::Allow && rule.lifetime != Lifetime::Once
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn tidy_preserves_every_recorded_decision(session in session(), ceiling in vec(any_scope(), 0..3)) {
        let session = Session::new(session);
        let (history, _) = recorded(&session, 5);
        let proposal = tidy(&session.rules, &history, &ceiling, &session.topology, now());
        let (before, after) = (session.policy(), Policy::compile(&proposal.rules, &session.topology, SESSION));
        for Recorded { call, at, .. } in &history {
            prop_assert_eq!(before.decide(call, *at).decision, after.decide(call, *at).decision, "{:?}", proposal);
        }
        prop_assert!(proposal.rules.entries().len() <= session.rules.entries().len());
    }

    #[test]
    fn a_tidied_set_has_nothing_left_to_drop_or_merge(session in session(), ceiling in vec(any_scope(), 0..3)) {
        let session = Session::new(session);
        let (history, _) = recorded(&session, 5);
        let proposal = tidy(&session.rules, &history, &ceiling, &session.topology, now());
        let again = tidy(&proposal.rules, &history, &ceiling, &session.topology, now());
        prop_assert!(again.steps.is_empty(), "{:?}", again.steps);
        // With the single-use rules and without them, since each of those is good for one call only.
        let decide = |rules: &Ruleset| -> Vec<Decision> {
            let lasting = rules.entries().iter().filter(|entry| entry.rule.lifetime != Lifetime::Once);
            let lasting: Ruleset = lasting.cloned().collect();
            let policies = [rules, &lasting].map(|rules| Policy::compile(rules, &session.topology, SESSION));
            let decide = |policy: &Policy| -> Vec<Decision> {
                history.iter().map(|recorded| policy.decide(&recorded.call, recorded.at).decision).collect()
            };
            policies.iter().flat_map(decide).collect()
        };
        let expected = decide(&proposal.rules);
        for entry in proposal.rules.entries().iter().filter(|entry| is_lasting_allow(&entry.rule)) {
            let mut without = proposal.rules.clone();
            without.revoke(entry.id);
            prop_assert_ne!(&decide(&without), &expected, "{} can be dropped", entry.rule);
        }
    }

    #[test]
    fn no_lift_goes_beyond_the_ceiling(session in session(), ceiling in vec(any_scope(), 0..3)) {
        let session = Session::new(session);
        let (history, _) = recorded(&session, 5);
        let limit = Region::resolve_all(&ceiling, &session.topology);
        for step in tidy(&session.rules, &history, &ceiling, &session.topology, now()).steps {
            if let Step::Lifted { scope, .. } = step {
                prop_assert!(limit.contains(&Region::resolve(&scope, &session.topology)));
            }
        }
    }

    #[test]
    fn tidying_lets_nothing_through_that_a_deny_stops(session in session()) {
        let session = Session::new(session);
        let (history, others) = recorded(&session, 5);
        let proposal = tidy(&session.rules, &history, &[Scope::Anywhere], &session.topology, now());
        let (before, after) = (session.policy(), Policy::compile(&proposal.rules, &session.topology, SESSION));
        for call in others.iter().filter(|call| before.decide(call, now()).decision == Decision::Deny) {
            prop_assert_ne!(after.decide(call, now()).decision, Decision::Permit, "{:?}", proposal);
        }
    }
}
