//! One call: rules that may fire are run, and what they need is worked out when the first of them gets that far.

mod search;
mod table;

use crate::answer::{Answer, Exhausted, Fuel};
use crate::compile::{Code, Group, Wanted};
use crate::facts::Facts;
use crate::limits::{MOST_LITERALS, MOST_VARIABLES};
use crate::value::Value;
use search::{Purpose, Search};
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
    pub(crate) fn run(mut self, wanted: &Wanted) -> Result<Vec<Answer<'a>>, Exhausted> {
        let present = self.facts.present();
        for number in wanted.iter() {
            let Some(goal) = self.code.goals.get(number) else { continue };
            let plan = &goal.plan;
            if plan.required & !present != 0 {
                continue;
            }
            if !goal.needs.is_empty() {
                // Where the conditions on the call's own facts fail, nothing has to be derived.
                let probe = Search { plan, end: plan.prefix, purpose: Purpose::Probe };
                if plan.prefix > 0 && self.search(&probe, 0, true)?.is_continue() {
                    continue;
                }
                self.derive(&goal.needs)?;
            }
            let search = Search { plan, end: plan.steps.len(), purpose: Purpose::Answer(goal) };
            // Either way, this rule is done.
            let _ = self.search(&search, 0, true)?;
        }
        Ok(self.answers)
    }

    fn derive(&mut self, groups: &[usize]) -> Result<(), Exhausted> {
        if self.tables.is_empty() {
            let derived = self.code.derived.iter();
            self.tables = derived.map(|derived| Table::new(derived.arity, derived.is_recursive)).collect();
        }
        for group in groups.iter().filter_map(|number| self.code.groups.get(*number)) {
            // The first member stands for all.
            let table = group.members.first().and_then(|first| self.tables.get_mut(*first));
            if let Some(table) = table.filter(|table| !table.is_done) {
                table.is_done = true;
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
