//! The state of one agent session, and the way of a call through the stages.

pub(crate) mod consent;
mod control;
pub(crate) mod invariants;
mod perceive;
mod saved;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::Rulebook;
use portcullis_lattice::{Call, Decision, Policy, Resource, Rule, RuleId, Ruleset, words};
use portcullis_perceive::layout::Ground;
use portcullis_perceive::paths::Resolver;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Act, Memory};
use portcullis_taint::{Fingerprints, Labels};

use crate::call::ToolCall;
use crate::permit::{Permit, Refusal};
use crate::stage::{Finding, Stage};
use crate::verdict::Verdict;
pub use control::Protected;
use saved::Unsaved;
pub use saved::{LoadError, Part};

/// How a call that was made ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The server said that it did what was asked.
    Success,
    /// It failed, timed out, or nothing was heard: perhaps it was done, perhaps not.
    Uncertain,
}

/// One agent session: how it lies, what was granted, what the calls so far have left behind.
pub struct Session<'s> {
    name: String,
    ground: Ground,
    formats: &'s Formats,
    resolver: &'s (dyn Resolver + Sync),
    rules: Ruleset,
    policy: Policy,
    version: u64,
    labels: Labels,
    fingerprints: Fingerprints,
    memory: Memory,
    invariants: invariants::Invariants,
    protected: Protected,
    /// Calls that the user approved for once.
    approved: Vec<String>,
    unsaved: Unsaved,
    step: u64,
}

impl<'s> Session<'s> {
    /// A session in which nothing was granted or called yet.
    pub fn new(
        name: &str,
        ground: Ground,
        formats: &'s Formats,
        resolver: &'s (dyn Resolver + Sync),
        fingerprints: Fingerprints,
    ) -> Session<'s> {
        let rules = Ruleset::new();
        let policy = Policy::compile(&rules, ground.topology(), name);
        Session {
            name: name.to_owned(),
            ground,
            formats,
            resolver,
            rules,
            policy,
            version: 0,
            labels: Labels::new(),
            fingerprints,
            memory: Memory::default(),
            invariants: invariants::Invariants::none(),
            protected: Protected::default(),
            approved: Vec::new(),
            unsaved: Unsaved::default(),
            step: 1,
        }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How the session lies.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The rules in force.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The rules, compiled for this session.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// What is known to carry labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Adds a rule. It counts from the next call on.
    pub fn add_rule(&mut self, rule: Rule) -> RuleId {
        let id = self.rules.add(rule);
        self.compile();
        id
    }

    /// Takes a rule away. That counts from the next call on.
    pub fn revoke_rule(&mut self, id: RuleId) -> Option<Rule> {
        let rule = self.rules.revoke(id)?;
        self.compile();
        Some(rule)
    }

    /// Replaces all rules.
    pub fn set_rules(&mut self, rules: Ruleset) {
        self.rules = rules;
        self.compile();
    }

    /// Puts rules that the user stated into force; times of day are meant in this zone. They count from the next call on,
    /// and nothing that is granted lifts them.
    pub fn set_invariants(&mut self, rulebook: Rulebook, zone: TimeZone) {
        self.invariants.set(rulebook, zone);
        self.outdate();
    }

    /// Puts what guards the agent out of its reach.
    pub fn protect(&mut self, protected: Protected) {
        self.protected = protected;
        self.outdate();
    }

    fn compile(&mut self) {
        self.policy = Policy::compile(&self.rules, self.ground.topology(), &self.name);
        self.outdate();
    }

    /// What was decided counts no more, and approvals are for the rules that were in force when they were given.
    fn outdate(&mut self) {
        self.approved.clear();
        self.version += 1;
    }

    /// Decides a call. Nothing changes by this.
    pub fn decide(&self, call: &ToolCall<'_>, now: Timestamp) -> Verdict {
        let known = Finding {
            stage: Stage::Identity,
            decision: call.standing.decision,
            reasons: call.standing.reasons.clone(),
        };
        let seen = perceive::stage(self, call);
        let control = control::stage(self, &seen.perception, &seen.call);
        let checked = invariants::stage(self, call, &seen.perception, &seen.carried, now);
        let judged = consent::stage(&self.policy, &seen.call, now);
        let mut findings = vec![known, control, seen.finding, checked.finding, judged.finding];
        let strictest = |findings: &[Finding]| findings.iter().map(|finding| finding.decision).max();
        let mut decision = strictest(&findings).unwrap_or(Decision::Ask);
        let identity = match decision {
            Decision::Ask => identity(call, &seen.call),
            Decision::Permit | Decision::Deny => String::new(),
        };
        if decision == Decision::Ask && self.approved.contains(&identity) {
            findings.iter_mut().for_each(Finding::approve);
            decision = strictest(&findings).unwrap_or(Decision::Ask);
        }
        Verdict {
            decision,
            findings,
            perception: seen.perception,
            carried: seen.carried,
            call: seen.call,
            judgement: judged.judgement,
            breaches: checked.breaches,
            identity,
            databases: checked.databases,
            counted: checked.counted,
            step: self.step,
            version: self.version,
        }
    }

    /// The user approves this very call once, whatever it was asked about for. A denial is not lifted by that, and nothing
    /// is remembered: the next equal call is asked about again, and so is this one if it would do something else by then.
    pub fn approve(&mut self, verdict: &Verdict) -> Result<(), Refusal> {
        if verdict.decision != Decision::Ask {
            return Err(Refusal::NotPermitted);
        }
        if (verdict.step, verdict.version) != (self.step, self.version) {
            return Err(Refusal::Outdated);
        }
        if !self.approved.contains(&verdict.identity) {
            self.approved.push(verdict.identity.clone());
        }
        Ok(())
    }

    /// Gives the permit for a call that was decided so, and takes note of the call: labels travel now, not when the
    /// result arrives, and single-use rules are used up.
    pub fn permit(&mut self, verdict: &Verdict) -> Result<Permit, Refusal> {
        if verdict.decision != Decision::Permit {
            return Err(Refusal::NotPermitted);
        }
        if (verdict.step, verdict.version) != (self.step, self.version) {
            return Err(Refusal::Outdated);
        }
        let used = &verdict.judgement.consumed;
        used.iter().for_each(|id| drop(self.rules.revoke(*id)));
        if !used.is_empty() {
            self.compile();
        }
        self.approved.retain(|known| *known != verdict.identity);
        let step = verdict.step;
        self.observe(verdict);
        Ok(Permit { step })
    }

    /// Takes note of a call that is made, whoever permitted it: its labels travel, its page is shown, it is counted.
    pub fn observe(&mut self, verdict: &Verdict) {
        for (act, carried) in verdict.perception.acts.iter().zip(&verdict.carried) {
            if self.labels.permit(verdict.step, act, carried) {
                self.unsaved.add_labels();
            }
        }
        let memory = self.memory.clone();
        self.memory = std::mem::take(&mut self.memory).after(&verdict.perception);
        let perception = &verdict.perception;
        let counts = self.invariants.observe(verdict.step, perception, &verdict.counted, &verdict.databases);
        if counts || self.memory != memory {
            self.unsaved.add(Part::Calls);
        }
        self.step += 1;
    }

    /// Takes note of how a call ended: what was surely deleted carries nothing any more.
    pub fn completed(&mut self, verdict: &Verdict, outcome: Outcome) {
        if outcome == Outcome::Success {
            for act in &verdict.perception.acts {
                if self.labels.deleted(act, self.ground.places()) {
                    self.unsaved.add_labels();
                }
            }
        }
    }

    /// Takes note of what a call brought: credentials in its result label where it went, and text that carries a label is
    /// recognised in later arguments.
    pub fn result(&mut self, verdict: &Verdict, text: &str) {
        let found = self.formats.find(text);
        let formats: Vec<&str> = found.iter().map(|finding| finding.format.as_str()).collect();
        for (act, carried) in verdict.perception.acts.iter().zip(&verdict.carried) {
            if !formats.is_empty() {
                self.labels.found_in_result(verdict.step, act, &formats);
                self.unsaved.add_labels();
            }
            let taint = if formats.is_empty() { carried.taint } else { portcullis_lattice::Taint::ALL };
            if !taint.is_empty() {
                self.fingerprints.remember(verdict.step, source(act), taint, text, &found);
                self.unsaved.add(Part::Texts);
            }
        }
    }
}

/// What tells this very call from others: an approval is for one, and for what it does now.
fn identity(call: &ToolCall<'_>, seen: &Call) -> String {
    let mut identity = format!("{}\n{}\n{}\n", call.server, call.profile.tool, call.arguments);
    for flow in &seen.flows {
        let side = |uses: &[Resource]| uses.iter().map(Resource::to_string).collect::<Vec<_>>().join(", ");
        let (inputs, outputs) = (side(flow.inputs()), side(flow.outputs()));
        let (effects, taint) = (words::effects(flow.effects()), words::taint(flow.taint()));
        identity.push_str(&format!("{effects} from {inputs} to {outputs} carrying {taint}\n"));
    }
    identity
}

/// What an act's result is a result of.
fn source(act: &Act) -> &str {
    act.deed.inputs.first().map_or("ctxt", |input| &input.name)
}
