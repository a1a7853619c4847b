//! One call: rules that may fire are run, and what they need is worked out when the first of them gets that far.

mod search;
mod table;

use crate::answer::{Answer, Exhausted, Fuel};
use crate::compile::{Code, GoalPlan, Group, Wanted};
use crate::facts::Facts;
use crate::limits::{MOST_LITERALS, MOST_VARIABLES};
use crate::value::Value;
use search::{Bundle, Purpose, Search};
use table::Table;

/// The state of one evaluation.
pub(crate) struct Evaluation<'a> {
    code: &'a Code,
    facts: &'a Facts<'a>,
    fuel: Fuel,
    /// The values of the variables of the rule that is run.
    slots: [Value<'a>; MOST_VARIABLES],
    /// For each of its steps, the fact that is being looked at, or [`NO_FACT`].
    rows: [u32; MOST_LITERALS],
    /// What is derived; nothing at all until the first rule needs something.
    tables: Vec<Table<'a>>,
    answers: Vec<Answer<'a>>,
}

/// What is looked at where the predicate is unknown.
const NO_FACT: u32 = u32::MAX;

impl<'a> Evaluation<'a> {
    pub(crate) fn new(code: &'a Code, facts: &'a Facts<'a>, fuel: Fuel) -> Evaluation<'a> {
        Evaluation {
            code,
            facts,
            fuel,
            slots: [Value::Unknown; MOST_VARIABLES],
            rows: [NO_FACT; MOST_LITERALS],
            tables: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// Runs the rules for goals that are worth it.
    ///
    /// By reference, since the state is large enough for moving it to show.
    pub(crate) fn run(&mut self, wanted: &mut Wanted) -> Result<Vec<Answer<'a>>, Exhausted> {
        let code = self.code;
        while let Some(number) = wanted.next() {
            let Some(goal) = code.goals.get(number).filter(|goal| self.can_fire(goal)) else { continue };
            let Some(bundle) = goal.bundle.and_then(|bundle| code.bundles.get(bundle)) else {
                self.run_goal(goal)?;
                continue;
            };
            // Those before it were taken already, or are not wanted.
            let mut active = 0;
            for (place, other) in bundle.iter().enumerate() {
                let is_wanted = *other == number || wanted.take(*other);
                let other = code.goals.get(*other).filter(|_| is_wanted);
                active |= u64::from(other.is_some_and(|goal| self.can_fire(goal))) << place;
            }
            self.run_bundle(Bundle { rules: bundle, active })?;
        }
        // Rules of a bundle were run before others that stand between them.
        self.answers.sort_by_key(|answer| answer.rule);
        Ok(std::mem::take(&mut self.answers))
    }

    fn can_fire(&self, goal: &GoalPlan) -> bool {
        goal.plan.required & !self.facts.present() == 0
    }

    fn run_goal(&mut self, goal: &'a GoalPlan) -> Result<(), Exhausted> {
        let plan = &goal.plan;
        if !goal.needs.is_empty() {
            // Where the conditions on the call's own facts fail, nothing has to be derived.
            let probe = Search { plan, end: plan.prefix, purpose: Purpose::Probe };
            if plan.prefix > 0 && self.search(&probe, 0, true)?.is_continue() {
                return Ok(());
            }
            self.derive(&goal.needs)?;
        }
        // Whether it was left early or not, this rule is done.
        let _ =
            self.search(&Search { plan, end: plan.steps.len(), purpose: Purpose::Answer(goal) }, 0, true)?;
        Ok(())
    }

    /// Works groups out, those they need first. As deep as predicates may stand on each other, which is not very.
    fn derive(&mut self, groups: &'a [usize]) -> Result<(), Exhausted> {
        if self.tables.is_empty() {
            let derived = self.code.derived.iter();
            self.tables = derived.map(|derived| Table::new(derived.arity, derived.is_recursive)).collect();
        }
        let code = self.code;
        for group in groups.iter().filter_map(|number| code.groups.get(*number)) {
            // The first member stands for all.
            let table = group.members.first().and_then(|first| self.tables.get_mut(*first));
            if let Some(table) = table.filter(|table| !table.is_done) {
                table.is_done = true;
                self.derive(&group.needs)?;
                self.derive_group(group)?;
            }
        }
        Ok(())
    }

    /// What follows from other predicates, then round by round what follows from what was new in the last one.
    fn derive_group(&mut self, group: &'a Group) -> Result<(), Exhausted> {
        self.derive_all(&group.base)?;
        while !group.rounds.is_empty() && self.next_round(group) {
            self.derive_all(&group.rounds)?;
        }
        Ok(())
    }

    fn derive_all(&mut self, plans: &'a [(usize, crate::compile::Plan)]) -> Result<(), Exhausted> {
        for (target, plan) in plans {
            // A look at a rule is a step too: a ring of thousands of predicates takes as many rounds.
            self.fuel.step(1)?;
            if plan.required & !self.facts.present() == 0 {
                let end = plan.steps.len();
                let _ = self.search(&Search { plan, end, purpose: Purpose::Derive(*target) }, 0, true)?;
            }
        }
        Ok(())
    }

    /// Whether there is anything new.
    fn next_round(&mut self, group: &Group) -> bool {
        let mut is_new = false;
        for member in &group.members {
            if let Some(table) = self.tables.get_mut(*member) {
                table.delta = std::mem::take(&mut table.fresh);
                is_new |= !table.delta.is_empty();
            }
        }
        is_new
    }
}
