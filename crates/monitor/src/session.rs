//! The state of one agent session, and the way of a call through the stages.

mod consent;
mod invariants;
mod perceive;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use portcullis_invariant::Rulebook;
use portcullis_lattice::{Decision, Policy, Rule, RuleId, Ruleset};
use portcullis_perceive::layout::Ground;
use portcullis_perceive::paths::Resolver;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Act, Memory};
use portcullis_taint::{Fingerprints, Labels};

use crate::call::ToolCall;
use crate::permit::{Permit, Refusal};
use crate::verdict::Verdict;

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
    resolver: &'s dyn Resolver,
    rules: Ruleset,
    policy: Policy,
    version: u64,
    labels: Labels,
    fingerprints: Fingerprints,
    memory: Memory,
    invariants: invariants::Invariants,
    step: u64,
}

impl<'s> Session<'s> {
    /// A session in which nothing was granted or called yet.
    pub fn new(
        name: &str,
        ground: Ground,
        formats: &'s Formats,
        resolver: &'s dyn Resolver,
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
            step: 1,
        }
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
        self.invariants.forget_approvals();
        self.version += 1;
    }

    fn compile(&mut self) {
        self.policy = Policy::compile(&self.rules, self.ground.topology(), &self.name);
        self.invariants.forget_approvals();
        self.version += 1;
    }

    /// Decides a call. Nothing changes by this.
    pub fn decide(&self, call: &ToolCall<'_>, now: Timestamp) -> Verdict {
        let seen = perceive::stage(self, call);
        let checked = invariants::stage(self, call, &seen.perception, &seen.carried, now);
        let judged = consent::stage(self, &seen.call, now);
        let findings = vec![seen.finding, checked.finding, judged.finding];
        let decision = findings.iter().map(|finding| finding.decision).max().unwrap_or(Decision::Ask);
        Verdict {
            decision,
            findings,
            perception: seen.perception,
            carried: seen.carried,
            call: seen.call,
            judgement: judged.judgement,
            breaches: checked.breaches,
            identity: checked.identity,
            databases: checked.databases,
            counted: checked.counted,
            step: self.step,
            version: self.version,
        }
    }

    /// The user approves this very call once, although a rule wants a question each time. Nothing else that stands against
    /// the call is lifted by that, and nothing is remembered: the next equal call is asked about again.
    pub fn approve(&mut self, verdict: &Verdict) -> Result<(), Refusal> {
        if verdict.must_ask().is_empty() || verdict.decision == Decision::Deny {
            return Err(Refusal::NotPermitted);
        }
        if (verdict.step, verdict.version) != (self.step, self.version) {
            return Err(Refusal::Outdated);
        }
        self.invariants.approve(&verdict.identity);
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
        self.invariants.use_approval(&verdict.identity);
        let step = verdict.step;
        self.observe(verdict);
        Ok(Permit { step })
    }

    /// Takes note of a call that is made, whoever permitted it: its labels travel, its page is shown, it is counted.
    pub fn observe(&mut self, verdict: &Verdict) {
        for (act, carried) in verdict.perception.acts.iter().zip(&verdict.carried) {
            self.labels.permit(verdict.step, act, carried);
        }
        self.invariants.observe(verdict.step, &verdict.perception, &verdict.counted, &verdict.databases);
        self.memory = std::mem::take(&mut self.memory).after(&verdict.perception);
        self.step += 1;
    }

    /// Takes note of how a call ended: what was surely deleted carries nothing any more.
    pub fn completed(&mut self, verdict: &Verdict, outcome: Outcome) {
        if outcome == Outcome::Success {
            for act in &verdict.perception.acts {
                self.labels.deleted(act, self.ground.places());
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
            }
            let taint = if formats.is_empty() { carried.taint } else { portcullis_lattice::Taint::ALL };
            if !taint.is_empty() {
                self.fingerprints.remember(verdict.step, source(act), taint, text, &found);
            }
        }
    }
}

/// What an act's result is a result of.
fn source(act: &Act) -> &str {
    act.deed.inputs.first().map_or("ctxt", |input| &input.name)
}
