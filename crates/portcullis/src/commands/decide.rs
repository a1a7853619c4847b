//! `portcullis decide`: a rules file and a described call in, the explained decision out.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::{
    Decision, Explanation, Grant, Ground, Judgement, Ladder, Lifetime, Policy, Rule, RuleId, Ruleset, Rung,
};
use serde::Serialize;

use super::{print_json, read, read_rules, understand};
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
        true => print_json(&answer.report(), out)?,
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

    fn report(&self) -> Report<'_> {
        let pairs =
            self.judgement.pairs.iter().zip(&self.explanations).map(|(pair, explanation)| PairReport {
                flow: pair.flow,
                input: pair.input,
                output: pair.output,
                decision: pair.ground.decision().name(),
                rules: pair.ground.rules().map(|rule| rule.0).collect(),
                deed: &explanation.deed,
                because: &explanation.because,
                nearest: match &pair.ground {
                    Ground::Uncovered(nearest) => nearest.as_ref().map(|nearest| nearest.rule.0),
                    Ground::Covered(_) | Ground::Caught(_) | Ground::Conflict { .. } => None,
                },
                leaves: &explanation.leaves,
            });
        let ladder = self.ladder.rungs.iter().map(|rung| RungReport {
            covers: &rung.covers,
            beyond: rung.beyond.as_deref(),
            rules: self.granted(rung).iter().map(Rule::to_string).collect(),
        });
        Report {
            decision: self.judgement.decision.name(),
            pairs: pairs.collect(),
            consumed: numbers(&self.judgement.consumed),
            ladder: ladder.collect(),
            blocked_by: numbers(&self.ladder.blocked_by),
        }
    }
}

/// The decision for scripts.
#[derive(Serialize)]
struct Report<'a> {
    decision: &'static str,
    pairs: Vec<PairReport<'a>>,
    consumed: Vec<u64>,
    ladder: Vec<RungReport<'a>>,
    blocked_by: Vec<u64>,
}

#[derive(Serialize)]
struct PairReport<'a> {
    flow: usize,
    input: usize,
    output: usize,
    decision: &'static str,
    rules: Vec<u64>,
    deed: &'a str,
    because: &'a str,
    nearest: Option<u64>,
    leaves: &'a [String],
}

#[derive(Serialize)]
struct RungReport<'a> {
    covers: &'a str,
    beyond: Option<&'a str>,
    rules: Vec<String>,
}

fn rule_list(rules: &[RuleId]) -> String {
    rules.iter().map(|rule| format!("rule {rule}")).collect::<Vec<_>>().join(", ")
}

fn numbers(rules: &[RuleId]) -> Vec<u64> {
    rules.iter().map(|rule| rule.0).collect()
}
