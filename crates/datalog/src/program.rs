//! A program: rules that were checked and made ready.

use std::fmt::{self, Debug, Display, Formatter};

use crate::answer::{Answer, Exhausted, Fuel};
use crate::check;
use crate::compile::Code;
use crate::evaluate::Evaluation;
use crate::facts::Facts;
use crate::problem::{Problem, Problems};
use crate::read;
use crate::schema::{PredicateId, Schema};
use crate::syntax::{Rule, Source};

/// Rules in force. It is printed as it can be read again, one rule a line.
pub struct Program {
    rules: Vec<Rule>,
    warnings: Vec<Problem>,
    code: Code,
}

impl Program {
    /// Reads and compiles one text.
    pub fn parse(text: &str, schema: &Schema) -> Result<Program, Problems> {
        Program::compile(read::read(text, Source::default())?, schema)
    }

    /// Checks rules, of one text or of several, and makes them ready. One bad rule, and none is in force.
    pub fn compile(rules: Vec<Rule>, schema: &Schema) -> Result<Program, Problems> {
        let checked = check::check(&rules, schema)?;
        let code = Code::new(&checked, &rules, schema);
        let warnings = checked.warnings;
        Ok(Program { rules, warnings, code })
    }

    /// What the rules say about a call. The host has to refuse a call for which the fuel ran out.
    pub fn evaluate<'a>(&'a self, facts: &'a Facts<'a>, fuel: Fuel) -> Result<Vec<Answer<'a>>, Exhausted> {
        let mut wanted = self.code.triggers.wanted(facts, self.code.goals.len());
        Evaluation::new(&self.code, facts, fuel).run(&mut wanted)
    }

    /// Whether any rule reads facts of this predicate. The host need not fill those that none does.
    pub fn uses(&self, predicate: PredicateId) -> bool {
        self.code.uses(predicate)
    }

    /// The rules as they were written.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// What is odd about the rules, though they are in force.
    pub fn warnings(&self) -> &[Problem] {
        &self.warnings
    }
}

impl Display for Program {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        self.rules.iter().try_for_each(|rule| writeln!(formatter, "{rule}"))
    }
}

impl Debug for Program {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.rules.iter().map(ToString::to_string)).finish()
    }
}
