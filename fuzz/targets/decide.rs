//! The indexed decision on a call, against a plain reading of each rule.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_fuzz::{SESSION, Scene, now};
use portcullis_lattice::{
    Action, Call, Decision, Entry, Flow, Ground, Judgement, Lifetime, PairJudgement, RuleId, catches,
};

fuzz_target!(|bytes: &[u8]| {
    let scene = Scene::read(bytes);
    let call = scene.call();
    let policy = scene.policy(&scene.rules);
    let judgement = policy.decide(&call, now());
    Check { scene: &scene, call: &call }.judgement(&judgement);

    let about = scene.policy(&policy.about(&call, now())).decide(&call, now());
    assert_eq!(about.decision, judgement.decision, "a rule that is not about the call had a say");

    let shown = judgement.explain(&policy, &call);
    assert_eq!(shown.len(), judgement.pairs.len(), "every pair is explained");
});

/// Holds a judgement against the rules, one by one and without an index.
struct Check<'c> {
    scene: &'c Scene,
    call: &'c Call,
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
            && !rule.is_over(now())
            && rule.is_for(SESSION)
            && rule.binding.admits(&self.call.server)
            && rule.boundary.covers(pair, &self.scene.topology)
    }

    fn catches(&self, entry: &Entry, pair: &Flow) -> bool {
        let rule = &entry.rule;
        let touches = |scopes: &[_], resource| {
            scopes.iter().any(|scope| catches(scope, resource, &self.scene.topology))
        };
        rule.action == Action::Deny
            && !rule.is_over(now())
            && rule.is_for(SESSION)
            && (rule.boundary.taint.is_empty() || rule.boundary.taint.overlaps(pair.taint()))
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
