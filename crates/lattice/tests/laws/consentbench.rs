//! The recorded sessions of ConsentBench, replayed on their facts; and generated ones, against its oracle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use portcullis_lattice::{
    Binding, Boundary, Call, Class, Decision, Effect, Effects, Flow, Label, Network, Pattern, Policy, Reach,
    Realm, Resource, Rule, Ruleset, Scope, Server, Standing, Taint, Topology,
};
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::Value;

use crate::generators::{Layout, SESSION, config, now, report};
use crate::oracle::{Expected, Grant, Granted, Oracle, Side, Step};

/// Accounts of the user's own that any session may use.
const OWN_ACCOUNTS: [&str; 5] = ["gmail", "calendar", "slack", "notion", "db"];
/// Servers of which the owner named in a resource says whose it is.
const FORGES: [&str; 2] = ["github", "gitlab"];

struct Trace {
    id: String,
    topology: Topology,
    steps: Vec<(Step, Value)>,
}

fn traces() -> Vec<Trace> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benchmarks/consentbench");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    texts.flat_map(|text| text.lines().map(trace).collect::<Vec<_>>()).collect()
}

fn trace(line: &str) -> Trace {
    let value: Value = serde_json::from_str(line).unwrap();
    let steps = value["steps"].as_array().unwrap();
    Trace {
        id: value["id"].as_str().unwrap().into(),
        topology: topology(&value),
        steps: steps.iter().map(|value| (step(value), value.clone())).collect(),
    }
}

fn topology(trace: &Value) -> Topology {
    let mut topology = Topology::new();
    let session = &trace["session"];
    topology.set_workspace(session["workdir"].as_str().unwrap()).unwrap();
    for target in strings(&session["targets"]) {
        topology.add_target(&target).unwrap();
    }
    let servers = strings(&trace["servers"]).into_iter().filter(|server| !FORGES.contains(&server.as_str()));
    for account in OWN_ACCOUNTS.iter().map(ToString::to_string).chain(servers) {
        topology.add_internal(&format!("{account}:**")).unwrap();
    }
    for entry in strings(&session["internal"]) {
        topology.add_internal(&entry).unwrap();
    }
    for entry in strings(&session["external"]) {
        topology.add_external(&entry).unwrap();
    }
    topology
}

/// A name as the engine takes it. Empty segments are legal inside a URL, and which of `a//b` and `a/b` is
/// meant is for whoever names resources to settle; the facts do not distinguish them.
fn canonical(name: &str) -> String {
    if name.starts_with("mailto:") {
        // Mail is delivered alike whatever the case, so names of addresses have none.
        return name.to_lowercase();
    }
    let path = name.find("://").map_or(0, |at| at + "://".len());
    let (head, rest) = name.split_at(path);
    // Hosts with other letters have an ASCII form; any that is not that of the host it imitates will do here.
    let rest = rest.replace(|letter: char| path > 0 && !letter.is_ascii(), "xn--");
    let segments: Vec<&str> = rest.split('/').filter(|segment| !segment.is_empty()).collect();
    if path == 0 { name.into() } else { format!("{head}{}", segments.join("/")) }
}

/// A string, or a list of them, or nothing.
fn strings(value: &Value) -> Vec<String> {
    let list = || value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().into()).collect();
    match value.as_str() {
        Some(text) => vec![text.into()],
        None if value.is_null() => Vec::new(),
        None => list(),
    }
}

fn step(value: &Value) -> Step {
    let side = |name: &str| Side {
        class: value[name]["class"].as_str().unwrap().into(),
        resources: strings(&value[name]["resource"]),
    };
    let is_true = |name: &str| value[name].as_bool().unwrap_or(false);
    let grant = &value["grant"];
    let refined = |name: &str| if grant["mode"] == "refined" { strings(&grant[name]) } else { Vec::new() };
    Step {
        server: value["tool"].as_str().unwrap().split('.').next().unwrap().into(),
        input: side("in"),
        output: side("out"),
        effects: strings(&value["effects"]).into_iter().collect(),
        sensitive: is_true("sensitive"),
        payload: is_true("payload"),
        violates: !value["violates"].is_null(),
        must_ask: is_true("must_ask"),
        grant: Grant {
            input: grant["in"].as_str().map(Into::into),
            output: grant["out"].as_str().map(Into::into),
            effects: grant["effects"].is_array().then(|| strings(&grant["effects"]).into_iter().collect()),
            tainted: grant["tainted"].as_bool(),
            input_patterns: refined("in_pattern"),
            output_patterns: refined("out_pattern"),
        },
    }
}

/// The step as the engine sees it: every resource with the realm of its side's class.
fn call(step: &Step, tainted: bool) -> Call {
    let effects = effects(&step.effects);
    let reads = effects == Effects::only(Effect::Read);
    let side = |side: &Side, is_read: bool| match side.class.as_str() {
        "ctxt" => vec![Resource::context()],
        class => side.resources.iter().map(|name| resource(name, class, reach(name, is_read))).collect(),
    };
    let flow =
        Flow::new(side(&step.input, reads), side(&step.output, false), taint(tainted), effects).unwrap();
    Call {
        server: Server { name: step.server.as_str().into(), standing: Standing::Known },
        flows: vec![flow],
    }
}

fn resource(name: &str, class: &str, reach: Reach) -> Resource {
    let realm = if class == "extnet" { Realm::External } else { Realm::Internal };
    Resource::new(&canonical(name), reach, realm.into()).unwrap()
}

/// A `*` in what is read stands for what a listing would put there; elsewhere the facts take it literally, but for
/// whole accounts.
fn reach(name: &str, is_read: bool) -> Reach {
    match name.contains('*') {
        true if is_read => Reach::Names,
        true if name.ends_with('*') && !name.starts_with('/') => Reach::Subtree,
        _ => Reach::One,
    }
}

fn taint(tainted: bool) -> Taint {
    if tainted { Label::Secret.into() } else { Taint::EMPTY }
}

fn effects(names: &BTreeSet<String>) -> Effects {
    names.iter().map(|name| Effect::from_name(name).unwrap()).collect()
}

/// What the simulated user granted, as a rule: classes as they are, patterns as far out as their class.
fn rule(granted: &Granted, server: &Server) -> Rule {
    let boundary = Boundary {
        inputs: scopes(&granted.input, &granted.input_patterns),
        outputs: scopes(&granted.output, &granted.output_patterns),
        taint: taint(granted.tainted),
        effects: effects(&granted.effects),
    };
    Rule { binding: Binding::granted_through(server), ..Rule::allow(boundary) }
}

fn scopes(class: &str, patterns: &[String]) -> Vec<Scope> {
    let network = if class == "extnet" { Network::External } else { Network::Internal };
    let scope = |text: &String| {
        let pattern = Pattern::parse(&canonical(text)).unwrap();
        Scope::within(pattern.clone(), network).unwrap_or(Scope::Named(pattern))
    };
    match (class, patterns) {
        ("exact", []) => vec![Scope::Targets],
        ("parent", []) => vec![Scope::Workspace],
        (_, []) => vec![class.parse().unwrap()],
        _ => patterns.iter().map(scope).collect(),
    }
}

/// Replays steps on engine and oracle; says where they part.
fn replay(topology: &Topology, steps: &[Step]) -> Vec<(usize, String)> {
    let (mut oracle, mut rules, mut found) = (Oracle::default(), Ruleset::new(), Vec::new());
    for (number, step) in steps.iter().enumerate() {
        let ruling = oracle.rule(step);
        let call = call(step, ruling.tainted);
        // Invariants are no rules of the frontier, so what they refuse or ask about is not for this engine to
        // say.
        if !step.violates && !step.must_ask {
            let expected = if ruling.expected == Expected::Allow { Decision::Permit } else { Decision::Ask };
            let judgement = Policy::compile(&rules, topology, SESSION).decide(&call, now());
            if judgement.decision != expected {
                found.push((
                    number + 1,
                    format!("{expected:?} expected, {judgement:?} under\n{rules}for {step:?}"),
                ));
            }
        }
        if let Some(granted) = ruling.granted {
            rules.add(rule(&granted, &call.server));
        }
    }
    found
}

#[test]
fn the_oracle_agrees_with_the_labels_of_the_traces() {
    let traces = traces();
    assert!(traces.len() > 400, "only {} traces", traces.len());
    for trace in traces {
        let mut oracle = Oracle::default();
        for (number, (step, value)) in trace.steps.iter().enumerate() {
            let ruling = oracle.rule(step);
            assert_eq!(value["expect"], format!("{:?}", ruling.expected), "{} step {}", trace.id, number + 1);
            assert_eq!(value["taint"] == "tainted", ruling.tainted, "{} step {}", trace.id, number + 1);
        }
    }
}

#[test]
fn every_step_is_decided_as_expected() {
    let mut wrong = Vec::new();
    for trace in traces() {
        let steps: Vec<Step> = trace.steps.iter().map(|(step, _)| step.clone()).collect();
        let found = replay(&trace.topology, &steps);
        wrong.extend(found.into_iter().map(|(step, what)| format!("{} step {step}: {what}", trace.id)));
    }
    assert!(wrong.is_empty(), "{} steps disagree:\n{}", wrong.len(), wrong.join("\n"));
}

/// The topology finds the class of every single local path, and of nearly every name beyond this machine.
#[test]
fn the_topology_finds_the_classes() {
    let (mut names, mut agreed) = (0, 0);
    let mut differing: BTreeMap<String, String> = BTreeMap::new();
    for trace in traces() {
        let sides = trace.steps.iter().flat_map(|(step, _)| [&step.input, &step.output]);
        for side in sides.filter(|side| side.resources.len() == 1) {
            let name = &side.resources[0];
            let class =
                trace.topology.class(&trace.topology.resource(&canonical(name), reach(name, true)).unwrap());
            if name.starts_with('/') {
                assert_eq!(class_name(class), side.class, "{name} in {}", trace.id);
                continue;
            }
            names += 1;
            if class_name(class) == side.class {
                agreed += 1;
            } else {
                differing.insert(format!("{name} in {}", trace.id), format!("{class:?}, not {}", side.class));
            }
        }
    }
    let found = format!("{agreed} of {names} names beyond this machine\n{differing:#?}");
    report(&found);
    assert!(agreed * 100 >= names * 97, "{found}");
}

fn class_name(class: Class) -> &'static str {
    match class {
        Class::Targets => "exact",
        Class::Workspace => "parent",
        Class::Local => "local",
        Class::Context => "ctxt",
        Class::Internal => "intnet",
        Class::External => "extnet",
    }
}

/// A class with names that lie in it and patterns inside it, in the session below.
type ClassOf = (&'static str, &'static [&'static str], &'static [&'static str]);
const CLASSES: [ClassOf; 6] = [
    ("ctxt", &[], &[]),
    ("exact", &["/w/t.md", "/h/t.md"], &["/w/t.md", "/h/t.md"]),
    ("parent", &["/w/a", "/w/b/c", "/w/b/d.md"], &["/w/**", "/w/b/*", "/w/b/**", "/w/a", "/w/*/*.md"]),
    ("local", &["/h/x", "/h/y/z"], &["/h/**", "/h/*", "/h/y/**"]),
    (
        "intnet",
        &["slack:c1", "mailto:x@acme.com", "github:acme/web"],
        &["slack:c*", "mailto:*@acme.com", "github:acme/**"],
    ),
    (
        "extnet",
        &["mailto:z@vendor.net", "https://e.com/p/q", "github:evil/web"],
        &["https://e.com/**", "mailto:*@*", "github:*/web", "https://*.com/**"],
    ),
];

/// A side, the patterns that a refined grant may bind it to, and a class to widen it to.
fn side() -> impl Strategy<Value = (Side, Vec<String>, Option<String>)> {
    let owned = |names: Vec<&str>| -> Vec<String> { names.into_iter().map(String::from).collect() };
    select(&CLASSES[..]).prop_flat_map(move |(class, names, patterns)| {
        let wider = match class {
            "exact" | "parent" => option::of(select(vec!["parent", "local"])).boxed(),
            "intnet" => option::of(Just("extnet")).boxed(),
            _ => Just(None).boxed(),
        };
        // One resource a side: the engine lets each pair be covered by a rule of its own, the oracle wants
        // one rule for all. A pattern narrows the class that was asked about, so a widened grant has none.
        (subsequence(names, names.len().min(1)), subsequence(patterns, 0..=patterns.len().min(2)), wider)
            .prop_map(move |(names, patterns, wider)| {
                let patterns = if wider.is_some() { Vec::new() } else { owned(patterns) };
                (Side { class: class.into(), resources: owned(names) }, patterns, wider.map(Into::into))
            })
    })
}

fn generated_step() -> impl Strategy<Value = Step> {
    let names =
        || btree_set(select(vec!["read", "write", "del", "exec", "spawn"]).prop_map(String::from), 1..3);
    let marks =
        (prop::bool::weighted(0.2), any::<bool>(), prop::bool::weighted(0.1), prop::bool::weighted(0.1));
    let widened = (option::weighted(0.2, names()), option::weighted(0.2, any::<bool>()));
    (side(), side(), names(), marks, widened).prop_map(|(input, output, effects, marks, widened)| Step {
        server: "files".into(),
        input: input.0,
        output: output.0,
        effects,
        sensitive: marks.0,
        payload: marks.1,
        violates: marks.2,
        must_ask: marks.3,
        grant: Grant {
            input: input.2,
            output: output.2,
            effects: widened.0,
            tainted: widened.1,
            input_patterns: input.1,
            output_patterns: output.1,
        },
    })
}

proptest! {
    #![proptest_config(config(1_500))]

    #[test]
    fn generated_sessions_are_decided_as_the_oracle_says(steps in vec(generated_step(), 2..20)) {
        let layout = Layout {
            workspace: Some("/w"),
            targets: vec!["/w/t.md", "/h/t.md"],
            internal: vec!["acme.com", "slack:**", "github:acme/**"],
            external: Vec::new(),
        };
        let found = replay(&layout.topology(), &steps);
        prop_assert!(found.is_empty(), "{}", found[0].1);
    }
}
