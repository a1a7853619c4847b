//! What the engine promises, one property each.

use portcullis_lattice::{
    Action, Binding, Boundary, Call, Decision, Effects, Entry, Flow, Ground, Judgement, Lifetime, Network,
    Pattern, Policy, Reach, Region, Resource, Rule, Ruleset, Scope, Server, Standing, Taint, Topology,
    catches,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::generators::{
    SESSION, Use, allow, config, crossing_plan, crossing_rule, effects, flags, layout, now, plan, rule,
};

fn ruleset(rules: impl IntoIterator<Item = Rule>) -> Ruleset {
    let mut set = Ruleset::new();
    for rule in rules {
        set.add(rule);
    }
    set
}

fn decide(rules: &Ruleset, topology: &Topology, call: &Call) -> Judgement {
    Policy::compile(rules, topology, SESSION).decide(call, now())
}

/// The grounds of a judgement by their kind. Which of several rules is named may depend on what else there
/// is.
fn kinds(judgement: &Judgement) -> Vec<(Decision, usize)> {
    judgement.pairs.iter().map(|pair| (pair.ground.decision(), pair.ground.rules().count())).collect()
}

/// Every pair of a call.
fn pairs(call: &Call) -> impl Iterator<Item = (&Flow, &Resource, &Resource)> {
    call.flows.iter().flat_map(|flow| {
        let outputs = move |input| flow.outputs().iter().map(move |output| (flow, input, output));
        flow.inputs().iter().flat_map(outputs)
    })
}

/// Sessions in which much is decided: rules and calls of all kinds, or such as cross each other.
fn sessions() -> impl Strategy<Value = (Vec<Rule>, Vec<crate::generators::Plan>)> {
    prop_oneof![(vec(rule(), 0..12), vec(plan(), 6)), (vec(crossing_rule(), 0..8), vec(crossing_plan(), 6)),]
}

fn literal(name: &str) -> Scope {
    Scope::Named(Pattern::literal(name).unwrap())
}

/// The regions of a rule, one pair for each combination of its scopes.
fn regions<'r>(rule: &'r Rule, topology: &'r Topology) -> impl Iterator<Item = (Region, Region)> + 'r {
    scopes(rule).map(|(input, output)| (Region::resolve(input, topology), Region::resolve(output, topology)))
}

fn scopes(rule: &Rule) -> impl Iterator<Item = (&Scope, &Scope)> {
    let outputs = |input| rule.boundary.outputs.iter().map(move |output| (input, output));
    rule.boundary.inputs.iter().flat_map(outputs)
}

/// Whether an allow covers a pair at some of its places, and at which.
fn covering(
    rule: &Rule,
    call: &Call,
    pair: (&Flow, &Resource, &Resource),
    topology: &Topology,
) -> Vec<(Region, Region)> {
    let (flow, input, output) = pair;
    let speaks = rule.action == Action::Allow
        && !rule.is_over(now())
        && rule.is_for(SESSION)
        && rule.binding.admits(&call.server)
        && flow.effects().is_subset(rule.boundary.effects)
        && flow.taint().is_subset(rule.boundary.taint);
    let covers = |(from, to): &(Region, Region)| speaks && from.covers(input) && to.covers(output);
    regions(rule, topology).filter(covers).collect()
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn no_rules_means_ask(layout in layout(), plan in plan()) {
        let topology = layout.topology();
        let judgement = decide(&Ruleset::new(), &topology, &plan.call(&topology));
        prop_assert_eq!(judgement.decision, Decision::Ask);
        prop_assert!(judgement.pairs.iter().all(|pair| pair.ground == Ground::Uncovered(None)));
    }

    #[test]
    fn a_call_without_flows_is_asked_about(
        layout in layout(),
        rules in vec(rule(), 0..6),
        mut plan in plan(),
    ) {
        plan.flows.clear();
        let topology = layout.topology();
        let judgement = decide(&ruleset(rules), &topology, &plan.call(&topology));
        prop_assert_eq!(judgement.decision, Decision::Ask);
        prop_assert!(judgement.pairs.is_empty() && judgement.consumed.is_empty());
    }

    #[test]
    fn a_deny_yields_only_to_a_strictly_narrower_allow(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        let set = ruleset(rules.clone());
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let judgement = decide(&set, &topology, &call);
            for (pair, judged) in pairs(&call).zip(&judgement.pairs) {
                if judged.ground.decision() != Decision::Permit {
                    continue;
                }
                let (flow, input, output) = pair;
                let denies = rules.iter().filter(|rule| {
                    rule.action == Action::Deny
                        && !rule.is_over(now()) && rule.is_for(SESSION)
                        && rule.boundary.effects.overlaps(flow.effects())
                        && (rule.boundary.taint.is_empty() || rule.boundary.taint.overlaps(flow.taint()))
                });
                let caught = denies.flat_map(scopes).filter(|(from, to)| {
                    catches(from, input, &topology) && catches(to, output, &topology)
                });
                for (from, to) in caught {
                    let (from, to) = (Region::resolve(from, &topology), Region::resolve(to, &topology));
                    let narrower = rules.iter().flat_map(|rule| covering(rule, &call, pair, &topology)).any(
                        |(inner_from, inner_to)| {
                            from.contains(&inner_from)
                                && to.contains(&inner_to)
                                && !(inner_from.contains(&from) && inner_to.contains(&to))
                        },
                    );
                    prop_assert!(narrower, "{} to {} under\n{}", input, output, set);
                }
            }
        }
    }

    #[test]
    fn no_silent_escalation(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        let set = ruleset(rules);
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let judgement = decide(&set, &topology, &call);
            for (pair, judged) in pairs(&call).zip(&judgement.pairs) {
                if let Ground::Covered(rule) = judged.ground {
                    let rule = set.rule(rule).unwrap();
                    let covers = !covering(rule, &call, pair, &topology).is_empty();
                    prop_assert!(covers, "{rule} does not cover {pair:?}");
                }
            }
            let all = judgement.pairs.iter().all(|pair| matches!(pair.ground, Ground::Covered(_)));
            prop_assert_eq!(judgement.decision == Decision::Permit, all);
        }
    }

    #[test]
    fn one_caught_pair_catches_the_call(
        layout in layout(),
        mut rules in vec(allow(), 0..10),
        mut plan in plan(),
        names in (select(vec!["/a/b", "/a/ab", "/x", "ctxt"]), select(vec!["/a/b", "/ab/b", "/a", "ctxt"])),
        effect in effects(),
        place in any::<Index>(),
    ) {
        // Nothing is strictly inside a single name on both sides.
        let topology = layout.topology();
        let caught = |name: &str| Use { name: name.into(), reach: Reach::One, realms: None };
        let flow = place.index(plan.flows.len());
        plan.flows[flow].0.push(caught(names.0));
        plan.flows[flow].1.push(caught(names.1));
        plan.flows[flow].3 = plan.flows[flow].3.join(effect);
        let (inputs, outputs) = (vec![literal(names.0)], vec![literal(names.1)]);
        rules.push(Rule::deny(Boundary { inputs, outputs, taint: Taint::EMPTY, effects: effect }));
        prop_assert_eq!(decide(&ruleset(rules), &topology, &plan.call(&topology)).decision, Decision::Deny);
    }

    #[test]
    fn naming_the_parent_does_not_evade_a_deny(
        layout in layout(),
        mut rules in vec(allow(), 0..10),
        mut plan in plan(),
        denied in select(vec!["/a/b/x", "/a/ab", "github:a/b", "https://acme.com/a/b", "slack:x"]),
        depth in 0_usize..4,
        side in select(vec!["input", "output"]),
        anywhere in select(vec![
            vec![Scope::Anywhere],
            vec![Scope::context(), Scope::Local, Scope::Net(Network::External)],
        ]),
    ) {
        let topology = layout.topology();
        let ancestor = Use { name: ancestor(denied, depth), reach: Reach::Subtree, realms: None };
        let name = vec![literal(denied)];
        let (inputs, outputs) = match side {
            "input" => {
                plan.flows[0].0.push(ancestor);
                (name, anywhere)
            }
            _ => {
                plan.flows[0].1.push(ancestor);
                (anywhere, name)
            }
        };
        rules.push(Rule::deny(Boundary { inputs, outputs, taint: Taint::EMPTY, effects: plan.flows[0].3 }));
        prop_assert_ne!(decide(&ruleset(rules), &topology, &plan.call(&topology)).decision, Decision::Permit);
    }

    #[test]
    fn a_narrower_call_is_never_asked_after_a_broader_grant(
        layout in layout(),
        rules in prop_oneof![vec(allow(), 1..10), vec(crossing_rule(), 1..8)],
        plans in prop_oneof![vec(plan(), 6), vec(crossing_plan(), 6)],
        below in select(vec!["", "/x", "/a/b", "/ab"]),
        fewer in 1_usize..32,
    ) {
        let topology = layout.topology();
        let set = ruleset(rules.into_iter().filter(|rule| rule.action == Action::Allow));
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let flows = call.flows.iter().map(|flow| narrower(flow, below, fewer)).collect();
            let inner = Call { server: call.server.clone(), flows };
            if decide(&set, &topology, &call).decision == Decision::Permit {
                let narrow = decide(&set, &topology, &inner).decision;
                prop_assert_eq!(narrow, Decision::Permit, "{:?} in {:?}", inner, call);
            }
        }
    }

    #[test]
    fn revoked_means_asked_again(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let mut set = ruleset(rules.clone());
            let mut judgement = decide(&set, &topology, &call);
            while judgement.decision == Decision::Permit {
                let named = judgement.pairs.iter().flat_map(|pair| pair.ground.rules()).next().unwrap();
                prop_assert!(set.revoke(named).is_some(), "{} was revoked before", named);
                judgement = decide(&set, &topology, &call);
                let mut rules = judgement.pairs.iter().flat_map(|pair| pair.ground.rules());
                prop_assert!(!rules.any(|rule| rule == named), "{} was revoked", named);
            }
        }
    }

    #[test]
    fn an_expired_rule_is_no_rule(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        let all = ruleset(rules);
        let mut left = all.clone();
        left.expire(now());
        let is_over = |entry: &Entry| matches!(entry.rule.lifetime, Lifetime::Until(end) if end <= now());
        let is_elsewhere =
            |entry: &Entry| matches!(&entry.rule.lifetime, Lifetime::Session(name) if &**name != SESSION);
        prop_assert!(!left.entries().iter().any(is_over));
        let left: Ruleset = left.entries().iter().filter(|entry| !is_elsewhere(entry)).cloned().collect();
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let (with, without) = (decide(&all, &topology, &call), decide(&left, &topology, &call));
            prop_assert_eq!(kinds(&with), kinds(&without));
            prop_assert_eq!(with.consumed.is_empty(), without.consumed.is_empty());
        }
    }

    #[test]
    fn rules_elsewhere_do_not_matter(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        let policy = Policy::compile(&ruleset(rules), &topology, SESSION);
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let all = policy.decide(&call, now());
            let few = decide(&policy.about(&call, now()), &topology, &call);
            prop_assert_eq!(kinds(&all), kinds(&few));
            prop_assert_eq!(all.consumed.is_empty(), few.consumed.is_empty());
        }
    }

    #[test]
    fn a_union_decides_as_its_parts(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        let part = |rule: &Rule, (input, output): (&Scope, &Scope)| {
            let (inputs, outputs) = (vec![input.clone()], vec![output.clone()]);
            Rule { boundary: Boundary { inputs, outputs, ..rule.boundary.clone() }, ..rule.clone() }
        };
        let parts = rules.iter().flat_map(|rule| scopes(rule).map(move |scopes| part(rule, scopes)));
        let (whole, parts) = (ruleset(rules.clone()), ruleset(parts));
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            let (one, many) = (decide(&whole, &topology, &call), decide(&parts, &topology, &call));
            prop_assert_eq!(kinds(&one), kinds(&many));
        }
    }

    #[test]
    fn the_order_of_rules_does_not_matter(
        layout in layout(),
        ((rules, plans), shuffled) in sessions().prop_flat_map(|(rules, plans)| {
            let shuffled = Just(rules.clone()).prop_shuffle();
            ((Just(rules), Just(plans)), shuffled)
        }),
    ) {
        let topology = layout.topology();
        let (one, other) = (ruleset(rules), ruleset(shuffled));
        for call in plans.iter().map(|plan| plan.call(&topology)) {
            prop_assert_eq!(kinds(&decide(&one, &topology, &call)), kinds(&decide(&other, &topology, &call)));
        }
    }

    #[test]
    fn a_derived_server_inherits_nothing(layout in layout(), (rules, plans) in sessions()) {
        let topology = layout.topology();
        let is_bound = |rule: &Rule| rule.action == Action::Deny || rule.binding != Binding::Unbound;
        let set = ruleset(rules.into_iter().filter(is_bound));
        for plan in plans {
            let call = Call {
                server: Server { name: "newcomer".into(), standing: Standing::Derived },
                ..plan.call(&topology)
            };
            prop_assert_ne!(decide(&set, &topology, &call).decision, Decision::Permit);
        }
    }

    #[test]
    fn what_was_granted_covers_its_call(layout in layout(), mut plan in plan()) {
        let topology = layout.topology();
        plan.flows.truncate(1);
        let (inputs, outputs, ..) = &mut plan.flows[0];
        for side in [&mut *inputs, &mut *outputs] {
            side.retain(|each| each.reach == Reach::One && each.realms.is_none());
            side.push(Use { name: "ctxt".into(), reach: Reach::One, realms: None });
        }
        let named = |uses: &[Use]| uses.iter().map(|each| literal(&each.name)).collect();
        let (inputs, outputs) = (named(inputs), named(outputs));
        let call = plan.call(&topology);
        let boundary =
            Boundary { inputs, outputs, taint: call.flows[0].taint(), effects: call.flows[0].effects() };
        let rule = Rule { binding: Binding::granted_through(&call.server), ..Rule::allow(boundary) };
        prop_assert_eq!(decide(&ruleset([rule]), &topology, &call).decision, Decision::Permit);
    }
}

/// The first `depth` segments of a name; at least the host or account that it begins with.
fn ancestor(name: &str, depth: usize) -> String {
    let head = match (name.find("://"), name.find(':')) {
        (Some(at), _) => at + 3,
        (None, Some(at)) => at + 1,
        (None, None) => 1,
    };
    let (head, rest) = name.split_at(head);
    let least = usize::from(head != "/");
    let segments: Vec<&str> = rest.split('/').take(depth.max(least)).collect();
    format!("{head}{}", segments.join("/"))
}

/// A flow inside another: of a subtree something below, some of the effects, no labels, one output fewer.
fn narrower(flow: &Flow, below: &str, fewer: usize) -> Flow {
    let inside = |resource: &Resource| {
        let (name, is_root) = (resource.name(), resource.name() == "/");
        let can_go_below =
            resource.reach() == Reach::Subtree && !name.starts_with("mailto:") && !name.contains('*');
        let name = match (can_go_below, is_root, below) {
            (true, true, "/x" | "/a/b" | "/ab") => below.to_string(),
            (true, false, _) => format!("{name}{below}"),
            _ => return resource.clone(),
        };
        Resource::new(&name, Reach::One, resource.realms()).unwrap()
    };
    let some: Effects = flags(fewer, portcullis_lattice::Effect::ALL);
    let effects = if flow.effects().overlaps(some) { flow.effects().meet(some) } else { flow.effects() };
    let outputs = flow.outputs().iter().take(flow.outputs().len().max(2) - 1).map(inside).collect();
    Flow::new(flow.inputs().iter().map(inside).collect(), outputs, Taint::EMPTY, effects).unwrap()
}
