//! From checked rules to what is run for each call.

mod plan;
mod triggers;

pub(crate) use plan::{Check, Inputs, Output, Plan, Scan, Step};
pub(crate) use triggers::{Triggers, Wanted};

use crate::answer::Goal;
use crate::check::{Checked, Clause, Head, Part, Relation};
use crate::schema::{PredicateId, Schema};
use crate::syntax::{Rule, Source};

/// How many rules are run together, a bit each.
const LARGEST_BUNDLE: usize = 64;
/// How many kinds of beginnings are looked for.
const MOST_BUNDLES: usize = 256;

/// A program made ready to run.
pub(crate) struct Code {
    /// The rules for goals, in their order.
    pub(crate) goals: Vec<GoalPlan>,
    /// Rules for goals that begin alike, by their numbers.
    pub(crate) bundles: Vec<Vec<usize>>,
    /// The rules for derived predicates, those first that others need.
    pub(crate) groups: Vec<Group>,
    /// What rules derive.
    pub(crate) derived: Vec<Derived>,
    /// The names of the host's predicates.
    pub(crate) given: Vec<Box<str>>,
    pub(crate) triggers: Triggers,
    uses: Vec<bool>,
}

/// A derived predicate.
pub(crate) struct Derived {
    pub(crate) name: Box<str>,
    pub(crate) arity: usize,
    pub(crate) is_recursive: bool,
}

/// A rule for a goal.
pub(crate) struct GoalPlan {
    pub(crate) goal: Goal,
    pub(crate) rule: usize,
    pub(crate) source: Source,
    pub(crate) plan: Plan,
    /// The groups that have to be worked out before.
    pub(crate) needs: Box<[usize]>,
    /// The bundle it is in, if there are others in it.
    pub(crate) bundle: Option<usize>,
}

/// Derived predicates that depend on each other.
pub(crate) struct Group {
    pub(crate) members: Vec<usize>,
    /// Other groups that have to be worked out before.
    pub(crate) needs: Vec<usize>,
    /// What is derived from other predicates.
    pub(crate) base: Vec<(usize, Plan)>,
    /// What is derived from the group itself, a plan for each condition on it: that condition is met by a fact that
    /// is new in this round, the others by any.
    pub(crate) rounds: Vec<(usize, Plan)>,
}

impl Code {
    pub(crate) fn new(checked: &Checked<'_>, rules: &[Rule], schema: &Schema) -> Code {
        let groups = groups(checked);
        let mut uses = vec![false; schema.predicates().len()];
        for part in checked.clauses.iter().flat_map(|clause| &clause.parts) {
            if let Part::Facts { relation: Relation::Given(PredicateId(id)), .. } = part
                && let Some(is_used) = uses.get_mut(usize::from(*id))
            {
                *is_used = true;
            }
        }
        let mut goals = Vec::new();
        let mut goal_clauses = Vec::new();
        for clause in &checked.clauses {
            let Head::Goal(goal) = clause.head else { continue };
            let Some(rule) = rules.get(clause.rule) else { continue };
            goals.push(GoalPlan {
                goal,
                rule: clause.rule,
                source: rule.source,
                bundle: None,
                plan: Plan::new(clause, None),
                needs: sorted(mentioned(clause, checked)),
            });
            goal_clauses.push(clause);
        }
        Code {
            derived: derived(checked, &groups),
            given: schema.predicates().iter().map(|predicate| predicate.name.clone()).collect(),
            bundles: bundles(&mut goals),
            triggers: Triggers::new(&goal_clauses, checked, schema),
            goals,
            groups,
            uses,
        }
    }

    pub(crate) fn uses(&self, predicate: PredicateId) -> bool {
        self.uses.get(usize::from(predicate.0)).copied().unwrap_or(false)
    }
}

/// Puts together the rules that begin with the same look at the same facts, so that this is done once.
fn bundles(goals: &mut [GoalPlan]) -> Vec<Vec<usize>> {
    let mut bundles: Vec<Vec<usize>> = Vec::new();
    for number in 0..goals.len() {
        let Some(scan) = goals.get(number).and_then(GoalPlan::first_scan) else { continue };
        let is_like = |bundle: &Vec<usize>| {
            let other = bundle.first().and_then(|first| goals.get(*first)).and_then(GoalPlan::first_scan);
            bundle.len() < LARGEST_BUNDLE && other.is_some_and(|other| other.is_like(scan))
        };
        // Only so many are compared; a program with more kinds of rules than that is well served without.
        let place = bundles.iter().take(MOST_BUNDLES).position(is_like).unwrap_or(bundles.len());
        match bundles.get_mut(place) {
            Some(bundle) => bundle.push(number),
            None => bundles.push(vec![number]),
        }
    }
    for (place, bundle) in bundles.iter().enumerate().filter(|(_, bundle)| bundle.len() > 1) {
        for number in bundle {
            goals.get_mut(*number).into_iter().for_each(|goal| goal.bundle = Some(place));
        }
    }
    bundles
}

impl GoalPlan {
    /// The look at facts with which it begins, if it is one that can be done for several rules: all of them are done
    /// with their first certain way through, and nothing is derived that a fact of the call could make needless.
    pub(crate) fn first_scan(&self) -> Option<&Scan> {
        match self.plan.steps.first()? {
            Step::Scan(scan) => {
                let is_ready = self.needs.is_empty() || matches!(scan.relation, Relation::Derived(_));
                Some(scan).filter(|_| is_ready && self.plan.is_constant)
            }
            Step::Absent(_) | Step::Ask { .. } | Step::Compare { .. } => None,
        }
    }
}

fn derived(checked: &Checked<'_>, groups: &[Group]) -> Vec<Derived> {
    let named = checked.names.derived.iter().zip(&checked.strata.group_of);
    let derived = named.map(|(derived, group)| Derived {
        name: derived.name.into(),
        arity: derived.arity,
        is_recursive: groups.get(*group).is_some_and(|group| !group.rounds.is_empty()),
    });
    derived.collect()
}

/// The groups that a clause asks about.
fn mentioned<'c>(clause: &'c Clause, checked: &'c Checked<'_>) -> impl Iterator<Item = usize> + 'c {
    clause.parts.iter().filter_map(|part| match part {
        Part::Facts { relation: Relation::Derived(id), .. } => checked.strata.group_of.get(*id).copied(),
        Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => None,
    })
}

fn sorted(groups: impl Iterator<Item = usize>) -> Box<[usize]> {
    let mut groups: Vec<usize> = groups.collect();
    groups.sort_unstable();
    groups.dedup();
    groups.into()
}

fn groups(checked: &Checked<'_>) -> Vec<Group> {
    let members = checked.strata.groups.iter();
    let mut groups: Vec<Group> = members
        .map(|members| Group {
            members: members.clone(),
            needs: Vec::new(),
            base: Vec::new(),
            rounds: Vec::new(),
        })
        .collect();
    for clause in &checked.clauses {
        let Head::Derived(id) = clause.head else { continue };
        let own = checked.strata.group_of.get(id);
        let Some(group) = own.and_then(|own| groups.get_mut(*own)) else { continue };
        group.needs.extend(mentioned(clause, checked).filter(|other| Some(other) != own));
        let is_own = |part: &Part| match part {
            Part::Facts { relation: Relation::Derived(other), is_negated: false, .. } => {
                checked.strata.group_of.get(*other) == own
            }
            Part::Facts { .. } | Part::Filter { .. } | Part::Compare { .. } => false,
        };
        let recursive: Vec<usize> = clause
            .parts
            .iter()
            .enumerate()
            .filter(|(_, part)| is_own(part))
            .map(|(place, _)| place)
            .collect();
        if recursive.is_empty() {
            group.base.push((id, Plan::new(clause, None)));
        }
        group.rounds.extend(recursive.into_iter().map(|place| (id, Plan::new(clause, Some(place)))));
    }
    for group in &mut groups {
        group.needs.sort_unstable();
        group.needs.dedup();
    }
    groups
}
