//! Everything that is looked at before a program is in force. All checks run, so that several problems are told at
//! once; each passes over what another one complains about.

mod clause;
mod kinds;
mod liveness;
mod names;
mod safety;
mod strata;

pub(crate) use clause::{Clause, Head, Operand, Part, Relation};
pub(crate) use names::Names;
pub(crate) use strata::Strata;

use crate::limits::MOST_RULES;
use crate::problem::{Problem, Problems};
use crate::schema::Schema;
use crate::syntax::Rule;

/// A program without errors.
pub(crate) struct Checked<'a> {
    pub(crate) names: Names<'a>,
    pub(crate) strata: Strata,
    /// The rules that can fire and matter to a goal.
    pub(crate) clauses: Vec<Clause>,
    pub(crate) warnings: Vec<Problem>,
}

/// Checks rules, wherever they came from.
pub(crate) fn check<'a>(rules: &'a [Rule], schema: &'a Schema) -> Result<Checked<'a>, Problems> {
    let mut problems = Problems::new();
    if let Some(rule) = rules.get(MOST_RULES) {
        let message = format!("a program has at most {MOST_RULES} rules");
        problems.error((rule.source, rule.head.at), message, || "split it");
        return Err(problems);
    }
    let names = Names::collect(rules, schema);
    names.check(rules, &mut problems);
    kinds::check(rules, &names, &mut problems);
    safety::check(rules, &names, &mut problems);
    let strata = Strata::new(rules, &names);
    strata.check(rules, &names, &mut problems);
    // Filters are made ready here, which is when a bad pattern shows.
    let clauses = clause::build(rules, &names, &mut problems);
    if !problems.is_empty() {
        return Err(problems.into_sorted());
    }
    let mut warnings = Problems::new();
    let clauses = liveness::live(clauses, rules, &names, &mut warnings);
    Ok(Checked { names, strata, clauses, warnings: warnings.into_sorted().into_inner() })
}
