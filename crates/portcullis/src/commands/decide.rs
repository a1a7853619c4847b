//! `portcullis decide`: a rules file and a described call in, the explained decision out.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::{
    Decision, Explanation, Grant, Ground, Judgement, Ladder, Lifetime, Policy, Rule, RuleId, Ruleset, Rung,
};
use serde_json::{Value, json};

use super::{read, read_rules, understand};
use crate::described::Understood;
use crate::failure::Failure;

/// What `decide` needs.
#[derive(Args, Debug)]
pub(crate) struct DecideArgs {
    /// The rules, one a line. Without them every call is asked about.
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// The described call, in JSON; `-` reads it from standard input.
    #[arg(long, value_name = "FILE")]
    pub(crate) call: PathBuf,
    /// Print the decision as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) const HELP: &str = r#"A described call:

  {
    "session": { "workspace": "/home/u/p", "internal": ["acme.com"] },
    "server": { "name": "gmail", "standing": "known" },
    "flows": [
      { "in": "/home/u/p/report.pdf", "out": ["mailto:ann@acme.com"], "effects": ["write"] }
    ]
  }

A side that is left out is the agent's context. Effects are read, write, del, exec and spawn.
A resource is a name, or {"name": "/home/u/p/notes", "reach": "subtree"}, where the reach is one,
names or subtree. Data that comes from a credential says "taint": ["secret"].
How rules are written: portcullis rules check --help"#;

pub(crate) fn run(args: &DecideArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let rules = args.rules.as_deref().map_or_else(|| Ok(Ruleset::new()), read_rules)?;
    let understood = understand(&args.call, None, &read(&args.call)?)?;
    let answer = Answer::new(&rules, &understood, understood.now.unwrap_or_else(Timestamp::now));
    match args.json {
        true => writeln!(out, "{:#}", answer.json())?,
        false => answer.print(out)?,
    }
    Ok(ExitCode::from(match answer.judgement.decision {
        Decision::Permit => 0,
        Decision::Ask => 3,
        Decision::Deny => 4,
    }))
}

/// A decided call with all that is said about it.
struct Answer<'c> {
    understood: &'c Understood,
    judgement: Judgement,
    explanations: Vec<Explanation>,
    ladder: Ladder,
}

impl<'c> Answer<'c> {
    fn new(rules: &Ruleset, understood: &'c Understood, now: Timestamp) -> Answer<'c> {
        let policy = Policy::compile(rules, &understood.topology, &understood.session);
        let judgement = policy.decide(&understood.call, now);
        let explanations = judgement.explain(&policy, &understood.call);
        let ladder = policy.ladder(&understood.call, &judgement, now);
        Answer { understood, judgement, explanations, ladder }
    }

    /// The rules that choosing a rung would become, as a user would write them.
    fn granted(&self, rung: &Rung) -> Vec<Rule> {
        let grant = Grant { lifetime: Lifetime::Always, grantor: "user".into(), reason: "".into() };
        rung.grant(&self.understood.call.server, &grant)
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        writeln!(out, "{}", self.judgement.decision.name())?;
        if self.judgement.pairs.is_empty() {
            writeln!(out, "\n  the call has no flows: what it does is not known")?;
        }
        for (pair, explanation) in self.judgement.pairs.iter().zip(&self.explanations) {
            writeln!(out, "\n  {}", explanation.deed)?;
            writeln!(out, "    {}: {}", pair.ground.decision().name(), explanation.because)?;
            for leaves in &explanation.leaves {
                writeln!(out, "    - {leaves}")?;
            }
        }
        if !self.judgement.consumed.is_empty() {
            writeln!(out, "\n  used up by this call: {}", rule_list(&self.judgement.consumed))?;
        }
        self.print_ladder(out)
    }

    fn print_ladder(&self, out: &mut impl Write) -> std::io::Result<()> {
        if !self.ladder.blocked_by.is_empty() {
            writeln!(out, "\nno rule can allow it while {} stands", rule_list(&self.ladder.blocked_by))?;
        }
        if !self.ladder.rungs.is_empty() {
            writeln!(out, "\nan answer could allow to")?;
        }
        for (rung, number) in self.ladder.rungs.iter().zip(1..) {
            writeln!(out, "  {number}  {}", rung.covers)?;
            if let Some(beyond) = &rung.beyond {
                writeln!(out, "     {beyond}")?;
            }
            for rule in self.granted(rung) {
                writeln!(out, "     > {rule}")?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let pairs = self.judgement.pairs.iter().zip(&self.explanations).map(|(pair, explanation)| {
            let nearest = match &pair.ground {
                Ground::Uncovered(Some(nearest)) => Some(nearest.rule.0),
                Ground::Uncovered(None)
                | Ground::Covered(_)
                | Ground::Caught(_)
                | Ground::Conflict { .. } => None,
            };
            json!({
                "flow": pair.flow, "input": pair.input, "output": pair.output,
                "decision": pair.ground.decision().name(),
                "rules": pair.ground.rules().map(|rule| rule.0).collect::<Vec<_>>(),
                "deed": explanation.deed, "because": explanation.because,
                "nearest": nearest, "leaves": explanation.leaves,
            })
        });
        let rungs = self.ladder.rungs.iter().map(|rung| {
            let rules: Vec<String> = self.granted(rung).iter().map(Rule::to_string).collect();
            json!({ "covers": rung.covers, "beyond": rung.beyond, "rules": rules })
        });
        json!({
            "decision": self.judgement.decision.name(),
            "pairs": pairs.collect::<Vec<_>>(),
            "consumed": numbers(&self.judgement.consumed),
            "ladder": rungs.collect::<Vec<_>>(),
            "blocked_by": numbers(&self.ladder.blocked_by),
        })
    }
}

fn rule_list(rules: &[RuleId]) -> String {
    rules.iter().map(|rule| format!("rule {rule}")).collect::<Vec<_>>().join(", ")
}

fn numbers(rules: &[RuleId]) -> Vec<u64> {
    rules.iter().map(|rule| rule.0).collect()
}
