//! The way through the conditions of one rule: nested loops over facts, with tests between them.

use std::ops::ControlFlow;

use smallvec::SmallVec;

use super::table::{Inserted, Table};
use super::{Evaluation, NO_FACT};
use crate::answer::{Answer, Because, Exhausted};
use crate::check::Relation;
use crate::compile::{Check, Code, GoalPlan, Inputs, Output, Plan, Scan, Step};
use crate::facts::Facts;
use crate::schema::{PredicateId, Prepared};
use crate::value::{Truth, Value};

/// A rule that is run.
pub(super) struct Search<'a> {
    pub(super) plan: &'a Plan,
    /// The step before which it was reached.
    pub(super) end: usize,
    pub(super) purpose: Purpose<'a>,
}

/// What to do with each way through.
#[derive(Clone, Copy)]
pub(super) enum Purpose<'a> {
    /// Tell it.
    Answer(&'a GoalPlan),
    /// Keep what is derived.
    Derive(usize),
    /// Nothing, and look for no second one.
    Probe,
}

/// Rules that begin with the same look at the same facts.
pub(super) struct Bundle<'a> {
    pub(super) rules: &'a [usize],
    /// Those that are wanted and not done, a bit each.
    pub(super) active: u64,
}

/// Whether to look for more ways.
type Outcome = Result<ControlFlow<()>, Exhausted>;

/// How many bytes of text a filter looks at for one step.
const BYTES_A_STEP: usize = 64;
/// How many answers are looked through for one step.
const ANSWERS_A_STEP: usize = 16;

impl<'a> Evaluation<'a> {
    /// Goes on from the step `at`; `certain` is whether all so far holds whatever the unknown facts are.
    ///
    /// Inlined into the loops over facts, so that a fact which fails a test costs no call.
    #[inline(always)]
    pub(super) fn search(&mut self, search: &Search<'a>, at: usize, certain: bool) -> Outcome {
        let (mut at, mut certain) = (at, certain);
        while let Some(step) = search.plan.steps.get(at).filter(|_| at < search.end) {
            let truth = match step {
                Step::Scan(scan) => return self.scan(search, scan, at, certain),
                Step::Ask { test, inputs, is_negated } => {
                    let truth = self.ask(test, inputs)?;
                    if *is_negated { truth.negated() } else { truth }
                }
                Step::Compare { left, operator, right } => {
                    self.fuel.step(1)?;
                    operator.compare(self.value(left), self.value(right))
                }
                Step::Absent(scan) => self.absent(scan)?,
            };
            match truth {
                Truth::No => return Ok(ControlFlow::Continue(())),
                Truth::Unknown => certain = false,
                Truth::Yes => {}
            }
            at += 1;
        }
        self.reached(search, certain)
    }

    /// Looks at the facts once with which all rules of a bundle begin.
    pub(super) fn run_bundle(&mut self, mut bundle: Bundle<'a>) -> Result<(), Exhausted> {
        let first = bundle.rules.first().and_then(|first| self.code.goals.get(*first));
        let Some(scan) = first.and_then(GoalPlan::first_scan) else { return Ok(()) };
        let id = match scan.relation {
            Relation::Given(id) => id,
            Relation::Derived(id) => return self.run_derived_bundle(bundle, scan, id),
        };
        let facts = self.facts;
        let mut next = facts.first(id);
        while let Some((row, following)) = facts.row(next, scan.arity) {
            self.start(&mut bundle, scan, row, (next, true))?;
            next = following;
        }
        if facts.is_unknown(id) {
            self.bind_unknown(scan);
            self.fuel.step(1)?;
            self.note(0, NO_FACT);
            self.go_on(&mut bundle, false)?;
        }
        Ok(())
    }

    #[inline(never)]
    fn run_derived_bundle(
        &mut self,
        mut bundle: Bundle<'a>,
        scan: &'a Scan,
        id: usize,
    ) -> Result<(), Exhausted> {
        let code = self.code;
        for goal in bundle.rules.iter().filter_map(|rule| code.goals.get(*rule)) {
            self.derive(&goal.needs)?;
        }
        let count = self.tables.get(id).map_or(0, Table::len);
        for place in 0..count {
            let Some((row, is_certain)) = self.tables.get(id).and_then(|table| table.row(place)) else {
                break;
            };
            let row: SmallVec<[Value<'a>; 4]> = SmallVec::from_slice(row);
            let place = u32::try_from(place).unwrap_or(NO_FACT);
            self.start(&mut bundle, scan, &row, (place, is_certain))?;
        }
        Ok(())
    }

    /// Goes on with all rules of a bundle from one fact, if it fits.
    #[inline(always)]
    fn start(
        &mut self,
        bundle: &mut Bundle<'a>,
        scan: &'a Scan,
        row: &[Value<'a>],
        (place, certain): (u32, bool),
    ) -> Result<(), Exhausted> {
        self.fuel.step(1)?;
        // Whatever it refines is bound anew by the next fact, as this is the first condition.
        let truth = self.fit(scan, row, &mut 0);
        if truth != Truth::No {
            self.note(0, place);
            self.go_on(bundle, certain && truth == Truth::Yes)?;
        }
        Ok(())
    }

    /// Goes on with all rules of a bundle, and drops those that are done.
    fn go_on(&mut self, bundle: &mut Bundle<'a>, certain: bool) -> Result<(), Exhausted> {
        let code = self.code;
        let mut left = bundle.active;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            left &= left - 1;
            let Some(goal) = bundle.rules.get(place).and_then(|rule| code.goals.get(*rule)) else { continue };
            let plan = &goal.plan;
            let search = Search { plan, end: plan.steps.len(), purpose: Purpose::Answer(goal) };
            if self.search(&search, 1, certain)?.is_break() {
                bundle.active &= !(1 << place);
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn scan(&mut self, search: &Search<'a>, scan: &'a Scan, at: usize, certain: bool) -> Outcome {
        let id = match scan.relation {
            Relation::Given(id) => id,
            Relation::Derived(id) => return self.scan_derived(search, scan, id, (at, certain)),
        };
        let facts = self.facts;
        let mut next = facts.first(id);
        while let Some((row, following)) = facts.row(next, scan.arity) {
            if self.visit(search, scan, row, (at, certain), next)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            next = following;
        }
        if facts.is_unknown(id) {
            self.visit_unknown(search, scan, at)
        } else {
            Ok(ControlFlow::Continue(()))
        }
    }

    /// Goes on with whatever facts there may be of an unknown predicate.
    #[inline(never)]
    fn visit_unknown(&mut self, search: &Search<'a>, scan: &'a Scan, at: usize) -> Outcome {
        self.bind_unknown(scan);
        self.fuel.step(1)?;
        self.note(at, NO_FACT);
        self.search(search, at + 1, false)
    }

    fn bind_unknown(&mut self, scan: &Scan) {
        for (_, check) in &scan.checks {
            if let Check::Bind(slot) = check {
                self.set(*slot, Value::Unknown);
            }
        }
    }

    #[inline(never)]
    fn scan_derived(
        &mut self,
        search: &Search<'a>,
        scan: &'a Scan,
        id: usize,
        (at, certain): (usize, bool),
    ) -> Outcome {
        // What is derived on the way is looked at in the next round.
        let count = |table: &Table<'a>| if scan.is_delta { table.delta.len() } else { table.len() };
        let count = self.tables.get(id).map_or(0, count);
        for place in 0..count {
            let Some(table) = self.tables.get(id) else { break };
            let place = if scan.is_delta { table.delta.get(place).copied() } else { Some(place) };
            let Some((place, (row, is_certain))) = place.and_then(|place| Some((place, table.row(place)?)))
            else {
                continue;
            };
            // Copied, for the table may grow meanwhile.
            let row: SmallVec<[Value<'a>; 4]> = SmallVec::from_slice(row);
            let state = (at, certain && is_certain);
            // There are fewer rows than fuel for facts, and an explanation needs no more than these.
            let place = u32::try_from(place).unwrap_or(NO_FACT);
            if self.visit(search, scan, &row, state, place)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Goes on with one fact, if it fits.
    #[inline(always)]
    fn visit(
        &mut self,
        search: &Search<'a>,
        scan: &'a Scan,
        row: &[Value<'a>],
        (at, certain): (usize, bool),
        place: u32,
    ) -> Outcome {
        self.fuel.step(1)?;
        let mut refined = 0;
        let outcome = match self.fit(scan, row, &mut refined) {
            Truth::No => Ok(ControlFlow::Continue(())),
            truth @ (Truth::Yes | Truth::Unknown) => {
                self.note(at, place);
                self.search(search, at + 1, certain && truth == Truth::Yes)
            }
        };
        // What was unknown before this fact is so again for the next.
        while refined != 0 {
            self.set(refined.trailing_zeros() as usize, Value::Unknown);
            refined &= refined - 1;
        }
        outcome
    }

    /// Whether a fact fits, after which its variables have values. An unknown value that would have to be the one in
    /// the fact is that one from here on; the slots are noted, to be unknown again later.
    #[inline(always)]
    fn fit(&mut self, scan: &Scan, row: &[Value<'a>], refined: &mut u64) -> Truth {
        let mut truth = Truth::Yes;
        for (column, check) in &scan.checks {
            let Some(value) = row.get(*column).copied() else { return Truth::No };
            let same = match check {
                Check::Constant(constant) => constant.value().meets(value),
                Check::Same(slot) => {
                    let had = self.slot(*slot);
                    if had == Value::Unknown && value != Value::Unknown {
                        *refined |= 1 << slot;
                        self.set(*slot, value);
                    }
                    had.meets(value)
                }
                Check::Bind(slot) => {
                    self.set(*slot, value);
                    Truth::Yes
                }
            };
            match same {
                Truth::No => return Truth::No,
                Truth::Unknown => truth = Truth::Unknown,
                Truth::Yes => {}
            }
        }
        truth
    }

    #[inline(never)]
    fn absent(&mut self, scan: &'a Scan) -> Result<Truth, Exhausted> {
        match scan.relation {
            Relation::Given(id) => self.absent_given(scan, id),
            Relation::Derived(id) => self.absent_derived(scan, id),
        }
    }

    /// Whether there is no such fact. Nothing can be said of an unknown predicate.
    fn absent_given(&mut self, scan: &'a Scan, id: PredicateId) -> Result<Truth, Exhausted> {
        let facts = self.facts;
        if facts.is_unknown(id) {
            return Ok(Truth::Unknown);
        }
        let mut absent = Truth::Yes;
        let mut next = facts.first(id);
        while let Some((row, following)) = facts.row(next, scan.arity) {
            self.fuel.step(1)?;
            match self.holds(scan, row) {
                Truth::Yes => return Ok(Truth::No),
                Truth::Unknown => absent = Truth::Unknown,
                Truth::No => {}
            }
            next = following;
        }
        Ok(absent)
    }

    fn absent_derived(&mut self, scan: &'a Scan, id: usize) -> Result<Truth, Exhausted> {
        let Some(table) = self.tables.get(id) else { return Ok(Truth::Yes) };
        let mut absent = Truth::Yes;
        for place in 0..table.len() {
            self.fuel.step(1)?;
            let Some((row, is_certain)) = table.row(place) else { break };
            match self.holds(scan, row) {
                Truth::Yes if is_certain => return Ok(Truth::No),
                Truth::Yes | Truth::Unknown => absent = Truth::Unknown,
                Truth::No => {}
            }
        }
        Ok(absent)
    }

    /// Whether a row is the one that the checks describe, all variables having values.
    fn holds(&self, scan: &Scan, row: &[Value<'a>]) -> Truth {
        let mut truth = Truth::Yes;
        for (column, check) in &scan.checks {
            let Some(value) = row.get(*column).copied() else { return Truth::No };
            let same = match check {
                Check::Constant(constant) => constant.value().meets(value),
                Check::Same(slot) | Check::Bind(slot) => self.slot(*slot).meets(value),
            };
            match same {
                Truth::No => return Truth::No,
                Truth::Unknown => truth = Truth::Unknown,
                Truth::Yes => {}
            }
        }
        truth
    }

    #[inline(always)]
    fn ask(&mut self, test: &'a Prepared, inputs: &'a Inputs) -> Result<Truth, Exhausted> {
        let slot = match inputs {
            Inputs::One(slot) => *slot,
            Inputs::Several(inputs) => return self.ask_about_several(test, inputs),
        };
        let value = self.slot(slot);
        self.fuel.step(1 + (value.text().map_or(0, str::len) / BYTES_A_STEP) as u64)?;
        Ok(match self.slots.get(slot) {
            None | Some(Value::Unknown) => Truth::Unknown,
            Some(value) => test(std::slice::from_ref(value)),
        })
    }

    #[inline(never)]
    fn ask_about_several(&mut self, test: &'a Prepared, inputs: &'a [Output]) -> Result<Truth, Exhausted> {
        let values: SmallVec<[Value<'a>; 4]> = inputs.iter().map(|input| self.value(input)).collect();
        let bytes: usize = values.iter().filter_map(|value| value.text()).map(str::len).sum();
        self.fuel.step(1 + (bytes / BYTES_A_STEP) as u64)?;
        Ok(if values.contains(&Value::Unknown) { Truth::Unknown } else { test(&values) })
    }

    /// All steps went well.
    #[inline(never)]
    fn reached(&mut self, search: &Search<'a>, certain: bool) -> Outcome {
        let plan = search.plan;
        match search.purpose {
            Purpose::Probe => return Ok(ControlFlow::Break(())),
            Purpose::Derive(target) => {
                let values: SmallVec<[Value<'a>; 4]> =
                    plan.outputs.iter().map(|output| self.value(output)).collect();
                let table = self.tables.get_mut(target);
                if table.is_some_and(|table| table.insert(&values, certain) == Inserted::New) {
                    self.fuel.fact()?;
                }
            }
            Purpose::Answer(goal) => self.answer(goal, certain)?,
        }
        // The same again, no more certain, would be of no use.
        let is_enough = plan.is_constant && certain;
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Each reason of a rule is told once, with its first derivation, or the first certain one.
    fn answer(&mut self, goal: &'a GoalPlan, certain: bool) -> Result<(), Exhausted> {
        let reason = goal.plan.outputs.first().map_or(Value::Unknown, |output| self.value(output));
        // Looking through what was told is work, too.
        self.fuel.step((self.answers.len() / ANSWERS_A_STEP) as u64)?;
        // Rules with several reasons are run one after the other, and their answers come last.
        let is_constant = goal.plan.is_constant;
        let mut own =
            self.answers.iter_mut().rev().take_while(|answer| is_constant || answer.rule == goal.rule);
        let told = own.find(|answer| answer.rule == goal.rule && answer.reason == reason);
        match told {
            Some(answer) if answer.certain || !certain => {}
            Some(answer) => {
                answer.certain = true;
                answer.because = because(self.code, self.facts, &self.tables, &self.rows, &goal.plan);
            }
            None => {
                self.fuel.fact()?;
                let because = because(self.code, self.facts, &self.tables, &self.rows, &goal.plan);
                let GoalPlan { goal, rule, source, .. } = *goal;
                self.answers.push(Answer { goal, reason, rule, source, certain, because });
            }
        }
        Ok(())
    }

    fn value(&self, output: &'a Output) -> Value<'a> {
        match output {
            Output::Constant(constant) => constant.value(),
            Output::Slot(slot) => self.slot(*slot),
        }
    }

    fn slot(&self, slot: usize) -> Value<'a> {
        self.slots.get(slot).copied().unwrap_or(Value::Unknown)
    }

    fn set(&mut self, slot: usize, value: Value<'a>) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = value;
        }
    }

    fn note(&mut self, at: usize, place: u32) {
        if let Some(noted) = self.rows.get_mut(at) {
            *noted = place;
        }
    }
}

/// The facts that the steps are looking at, in the order in which the rule is written.
fn because<'a>(
    code: &'a Code,
    facts: &'a Facts<'a>,
    tables: &[Table<'a>],
    rows: &[u32],
    plan: &'a Plan,
) -> Vec<Because<'a>> {
    let mut because = Vec::new();
    for (step, place) in plan.steps.iter().zip(rows) {
        let Step::Scan(scan) = step else { continue };
        let predicate = match scan.relation {
            Relation::Given(PredicateId(id)) => code.given.get(usize::from(id)).map(|name| &**name),
            Relation::Derived(id) => code.derived.get(id).map(|derived| &*derived.name),
        };
        let values = match scan.relation {
            Relation::Given(_) => facts.row(*place, scan.arity).map(|(values, _)| values.to_vec()),
            Relation::Derived(id) => {
                let row = tables.get(id).and_then(|table| table.row(*place as usize));
                row.map(|(values, _)| values.to_vec())
            }
        };
        // There is no such row where the predicate is unknown.
        let values = values.unwrap_or_else(|| vec![Value::Unknown; scan.arity]);
        because.extend(predicate.map(|predicate| (scan.order, Because { predicate, values })));
    }
    because.sort_by_key(|(order, _)| *order);
    because.into_iter().map(|(_, because)| because).collect()
}
