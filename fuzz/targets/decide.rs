//! A session, rules and a call, written as lines of text: the indexed decision against a plain reading of each rule.
//!
//! ```text
//! workspace /home/u/p
//! internal acme.com
//! allow read from @workspace to ctxt
//! server known filesystem
//! flow read carrying secret
//! in one /home/u/p/a.py
//! out one ctxt
//! ```
//!
//! Text, so that the corpus can be read and written by people; a line that makes no sense is passed over, so that a
//! mutation spoils one line and not the whole.
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use portcullis_lattice::{
    Action, Call, Decision, Effect, Effects, Entry, Flow, Ground, Judgement, Label, Lifetime, PairJudgement,
    Policy, Reach, Resource, RuleId, Ruleset, Server, Standing, Taint, Topology, catches,
};

const SESSION: &str = "s1";
/// 2026-06-01T00:00:00Z
const NOW: i64 = 1_780_272_000;

fuzz_target!(|bytes: &[u8]| {
    let scene = Scene::read(&String::from_utf8_lossy(bytes));
    let call = scene.call();
    let now = Timestamp::from_second(NOW).expect("a time of this century");
    let policy = Policy::compile(&scene.rules, &scene.topology, SESSION);
    let judgement = policy.decide(&call, now);
    Check { scene: &scene, call: &call, now }.judgement(&judgement);

    let about = Policy::compile(&policy.about(&call, now), &scene.topology, SESSION).decide(&call, now);
    assert_eq!(about.decision, judgement.decision, "a rule that is not about the call had a say");
});

/// What the lines say.
struct Scene {
    topology: Topology,
    rules: Ruleset,
    server: Server,
    drafts: Vec<Draft>,
}

/// A flow whose resources are still being collected.
struct Draft {
    effects: Effects,
    taint: Taint,
    inputs: Vec<Resource>,
    outputs: Vec<Resource>,
}

impl Scene {
    fn read(text: &str) -> Scene {
        let server = Server { name: "filesystem".into(), standing: Standing::Known };
        let mut scene =
            Scene { topology: Topology::new(), rules: Ruleset::new(), server, drafts: Vec::new() };
        // Resources get their realm from the whole session, wherever in the text it is described.
        for (keyword, rest) in lines(text) {
            // A refused entry leaves the session as it was.
            let _ = match keyword {
                "workspace" => scene.topology.set_workspace(rest),
                "target" => scene.topology.add_target(rest),
                "internal" => scene.topology.add_internal(rest),
                "external" => scene.topology.add_external(rest),
                _ => Ok(()),
            };
        }
        for (keyword, rest) in lines(text) {
            scene.take(keyword, rest);
        }
        scene
    }

    fn take(&mut self, keyword: &str, rest: &str) {
        match keyword {
            "allow" | "deny" => {
                if let Ok(rule) = format!("{keyword} {rest}").parse() {
                    self.rules.add(rule);
                }
            }
            "server" => {
                let (standing, name) = match rest.strip_prefix("known ") {
                    Some(name) => (Standing::Known, name),
                    None => (Standing::Derived, rest),
                };
                self.server = Server { name: name.into(), standing };
            }
            "flow" => {
                let words = || rest.split([' ', ',']);
                let effects = words().filter_map(Effect::from_name).collect();
                let taint = words().filter_map(Label::from_name).collect();
                self.drafts.push(Draft { effects, taint, inputs: Vec::new(), outputs: Vec::new() });
            }
            "in" | "out" => {
                let Some(draft) = self.drafts.last_mut() else { return };
                let Some((reach, name)) = rest.split_once(' ') else { return };
                let Some(reach) = Reach::from_name(reach) else { return };
                let Ok(resource) = self.topology.resource(name, reach) else { return };
                let side = if keyword == "in" { &mut draft.inputs } else { &mut draft.outputs };
                side.push(resource);
            }
            _ => {}
        }
    }

    fn call(&self) -> Call {
        let flow = |draft: &Draft| {
            Flow::new(draft.inputs.clone(), draft.outputs.clone(), draft.taint, draft.effects).ok()
        };
        Call { server: self.server.clone(), flows: self.drafts.iter().filter_map(flow).collect() }
    }
}

fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.split_once(' '))
}

/// Holds a judgement against the rules, one by one and without an index.
struct Check<'c> {
    scene: &'c Scene,
    call: &'c Call,
    now: Timestamp,
}

impl Check<'_> {
    fn judgement(&self, judgement: &Judgement) {
        let pairs: usize =
            self.call.flows.iter().map(|flow| flow.inputs().len() * flow.outputs().len()).sum();
        assert_eq!(judgement.pairs.len(), pairs, "every pair is judged, once");
        let strictest = judgement.pairs.iter().map(|pair| pair.ground.decision()).max();
        assert_eq!(judgement.decision, strictest.unwrap_or(Decision::Ask), "the strictest pair decides");
        for pair in &judgement.pairs {
            self.pair(pair, judgement);
        }
        for consumed in &judgement.consumed {
            assert_eq!(judgement.decision, Decision::Permit, "only a call that goes ahead uses rules up");
            let entry = self.entry(*consumed);
            assert_eq!((entry.rule.action, &entry.rule.lifetime), (Action::Allow, &Lifetime::Once));
        }
    }

    fn pair(&self, pair: &PairJudgement, judgement: &Judgement) {
        let flow = &self.call.flows[pair.flow];
        let (input, output) = (&flow.inputs()[pair.input], &flow.outputs()[pair.output]);
        let alone = Flow::new(vec![input.clone()], vec![output.clone()], flow.taint(), flow.effects())
            .expect("nothing of a pair is empty");
        let covering = self.ids(|entry| self.covers(entry, &alone));
        let catching = self.ids(|entry| self.catches(entry, &alone));
        let lasting = |id: &RuleId| self.entry(*id).rule.lifetime != Lifetime::Once;
        let told =
            || format!("{input:?} to {output:?}: {:?}; {covering:?} cover, {catching:?} catch", pair.ground);
        match &pair.ground {
            Ground::Covered(allow) => {
                assert!(covering.contains(allow), "permitted by a rule that does not cover it: {}", told());
                let used = covering.iter().any(|id| lasting(id) || judgement.consumed.contains(id));
                assert!(used || judgement.decision != Decision::Permit, "permitted for free: {}", told());
            }
            Ground::Caught(deny) => {
                assert!(catching.contains(deny), "refused by a rule that does not catch it: {}", told());
            }
            Ground::Conflict { allow, deny } => {
                assert!(covering.contains(allow) && catching.contains(deny), "{}", told());
            }
            Ground::Uncovered(nearest) => {
                assert!(covering.is_empty() == catching.is_empty(), "a rule was overlooked: {}", told());
                if let Some(nearest) = nearest {
                    assert_eq!(self.entry(nearest.rule).rule.action, Action::Allow, "{}", told());
                }
            }
        }
        // Where all rules about a pair agree, there is nothing to weigh.
        match (covering.is_empty(), catching.is_empty()) {
            (true, false) => assert_eq!(pair.ground.decision(), Decision::Deny, "{}", told()),
            (false, true) => assert_eq!(pair.ground.decision(), Decision::Permit, "{}", told()),
            (true, true) => assert_eq!(pair.ground.decision(), Decision::Ask, "{}", told()),
            (false, false) => {}
        }
    }

    fn covers(&self, entry: &Entry, pair: &Flow) -> bool {
        let rule = &entry.rule;
        rule.action == Action::Allow
            && rule.holds(self.now, SESSION)
            && rule.binding.admits(&self.call.server)
            && rule.boundary.covers(pair, &self.scene.topology)
    }

    fn catches(&self, entry: &Entry, pair: &Flow) -> bool {
        let rule = &entry.rule;
        let touches = |scopes: &[_], resource| {
            scopes.iter().any(|scope| catches(scope, resource, &self.scene.topology))
        };
        rule.action == Action::Deny
            && rule.holds(self.now, SESSION)
            && rule.catches_taint(pair.taint())
            && rule.boundary.effects.overlaps(pair.effects())
            && pair.inputs().iter().all(|input| touches(&rule.boundary.inputs, input))
            && pair.outputs().iter().all(|output| touches(&rule.boundary.outputs, output))
    }

    fn ids(&self, keep: impl Fn(&Entry) -> bool) -> Vec<RuleId> {
        self.scene.rules.entries().iter().filter(|entry| keep(entry)).map(|entry| entry.id).collect()
    }

    fn entry(&self, id: RuleId) -> &Entry {
        let entries = self.scene.rules.entries();
        entries.iter().find(|entry| entry.id == id).expect("the decision names rules of the set")
    }
}
