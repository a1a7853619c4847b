//! Rules as users write them, ten kinds with different names in them, and a call that mails a report to three people.

use std::fmt::Write;

use portcullis_datalog::{FactError, Facts, Kind, PredicateId, Program, Schema, SchemaError, Value};

pub(crate) type Failure = Box<dyn std::error::Error>;

/// The outputs of the call, two of them outside.
pub(crate) const OUTPUTS: &[&str] =
    &["mailto:ann@acme.com", "mailto:bob@customer7.com", "mailto:carol@partner.org"];
/// The texts among its arguments.
pub(crate) const TEXTS: &[&str] = &[
    "ann@acme.com, bob@customer7.com, carol@partner.org",
    "Quarterly report",
    "Dear all, please find the figures of the last quarter attached. The totals are in the second sheet.",
    "report-q3.xlsx",
    "high",
    "2026-09-30",
];
pub(crate) const INPUT: &str = "/home/u/reports/report-q3.xlsx";

/// What a rule of each kind says, in both languages, for a number that makes it differ from its like.
pub(crate) fn rule(number: usize) -> (String, String) {
    let name = number / 10;
    let (body, forbid) = match number % 10 {
        0 => (format!("program(\"prog{name}\")"), format!("context.programs.contains(\"prog{name}\")")),
        1 => (
            format!("tool(\"server{name}\", \"delete\")"),
            format!("context.server == \"server{name}\" && context.tool == \"delete\""),
        ),
        2 => (
            format!("output(_, R), realm(R, \"external\"), label(\"label{name}\")"),
            format!("context.external && context.labels.contains(\"label{name}\")"),
        ),
        3 => (
            format!("output(_, R), starts_with(R, \"/srv/project{name}/\")"),
            format!("context.output like \"/srv/project{name}/*\""),
        ),
        4 => (format!("amount(N), N > {}", 1000 + name), format!("context.amount > {}", 1000 + name)),
        5 => (
            format!("effect(F, \"delete\"), input(F, R), glob(R, \"/home/u/keep{name}/*\")"),
            format!("context.effects.contains(\"delete\") && context.input like \"/home/u/keep{name}/*\""),
        ),
        6 => (
            format!("argument(T), contains(T, \"password{name}\")"),
            format!("context.text like \"*password{name}*\""),
        ),
        7 => (
            format!("shared(R), glob(R, \"mailto:*@rival{name}.com\")"),
            format!("context.external && context.output like \"mailto:*@rival{name}.com\""),
        ),
        8 => (
            format!("tool(\"mail\", \"send\"), recipients(N), N > {}", 50 + name),
            format!(
                "context.server == \"mail\" && context.tool == \"send\" && context.recipients > {}",
                50 + name
            ),
        ),
        _ => (
            format!("output(_, R), matches(R, \"^https://[^/]*\\\\.tracker{name}\\\\.com/\")"),
            format!("context.output like \"https://*.tracker{name}.com/*\""),
        ),
    };
    (
        format!("deny(\"rule {number}\") :- {body}."),
        format!("forbid(principal, action, resource) when {{ {forbid} }};"),
    )
}

/// So many rules.
pub(crate) fn program(count: usize, host: &Host) -> Result<Program, Failure> {
    let mut text = String::from("shared(R) :- output(_, R), realm(R, \"external\").\n");
    for number in 0..count {
        writeln!(text, "{}", rule(number).0)?;
    }
    Ok(Program::parse(&text, &host.schema)?)
}

/// The host's predicates.
pub(crate) struct Host {
    pub(crate) schema: Schema,
    program: PredicateId,
    tool: PredicateId,
    output: PredicateId,
    input: PredicateId,
    realm: PredicateId,
    label: PredicateId,
    amount: PredicateId,
    effect: PredicateId,
    argument: PredicateId,
    recipients: PredicateId,
    hour: PredicateId,
}

impl Host {
    pub(crate) fn new() -> Result<Host, SchemaError> {
        use Kind::{Number, Text};
        let mut schema = Schema::new();
        let mut predicate = |name: &str, columns: &[Kind]| schema.predicate(name, columns, "");
        Ok(Host {
            program: predicate("program", &[Text])?,
            tool: predicate("tool", &[Text, Text])?,
            output: predicate("output", &[Text, Text])?,
            input: predicate("input", &[Text, Text])?,
            realm: predicate("realm", &[Text, Text])?,
            label: predicate("label", &[Text])?,
            amount: predicate("amount", &[Number])?,
            effect: predicate("effect", &[Text, Text])?,
            argument: predicate("argument", &[Text])?,
            recipients: predicate("recipients", &[Number])?,
            hour: predicate("hour", &[Number])?,
            schema,
        })
    }

    /// The facts of the call; what no rule reads is left out, as a host does.
    pub(crate) fn fill<'a>(&self, program: &Program, facts: &mut Facts<'a>) -> Result<(), FactError> {
        let mut add = |id: PredicateId, values: &[Value<'a>]| match program.uses(id) {
            true => facts.add(id, values),
            false => Ok(()),
        };
        add(self.tool, &["mail".into(), "send".into()])?;
        add(self.recipients, &[3.into()])?;
        add(self.hour, &[14.into()])?;
        add(self.label, &["internal".into()])?;
        add(self.amount, &[250.into()])?;
        add(self.program, &["sendmail".into()])?;
        for text in TEXTS {
            add(self.argument, &[(*text).into()])?;
        }
        for (flow, output) in ["f1", "f2", "f3"].into_iter().zip(OUTPUTS) {
            let realm = if output.ends_with("@acme.com") { "internal" } else { "external" };
            add(self.output, &[flow.into(), (*output).into()])?;
            add(self.realm, &[(*output).into(), realm.into()])?;
            add(self.input, &[flow.into(), INPUT.into()])?;
            add(self.input, &[flow.into(), "context".into()])?;
            add(self.effect, &[flow.into(), "write".into()])?;
        }
        add(self.realm, &[INPUT.into(), "workspace".into()])?;
        add(self.realm, &["context".into(), "local".into()])
    }
}
