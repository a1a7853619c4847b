//! `portcullis invariant explain`: whether a call breaks a rule, and why.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use portcullis_invariant::meaning::Verdict;
use portcullis_invariant::say;
use portcullis_invariant::trial::{Trial, Tried};
use portcullis_lattice::words::shown;
use serde::Serialize;

use super::super::print_json;
use super::call::CallForm;
use super::check::ProblemReport;
use super::setting::{Setting, SettingArgs, Understood};
use super::{InvariantError, cedar, print};
use crate::failure::Failure;

/// What `invariant explain` needs.
#[derive(Args, Debug)]
pub(crate) struct ExplainArgs {
    /// The rule.
    #[arg(value_name = "SENTENCE")]
    sentence: String,
    /// The call, in JSON.
    #[arg(long, value_name = "JSON")]
    call: String,
    /// A call that was made before it; may be given several times.
    #[arg(long, value_name = "JSON")]
    before: Vec<String>,
    /// Print the explanation as JSON.
    #[arg(long)]
    json: bool,
    /// Print the requests instead by which policies of Cedar are asked about the call, as JSON.
    #[arg(long, conflicts_with = "json")]
    cedar: bool,
    #[command(flatten)]
    setting: SettingArgs,
}

pub(super) const HELP: &str = r#"Examples:

  portcullis invariant explain "Never send mail to people outside acme.com" \
    --call '{"server": "gmail", "tool": "send_email", "arguments": {"to": ["bob@vendor.net"]}}'

  portcullis invariant explain "Don't deploy on Fridays after 16:00" --now 2026-03-06T18:40 \
    --call '{"server": "desktop-commander", "tool": "start_process", "arguments": {"command": "make deploy"}}'

Data that was read before: --before '{"server": "filesystem", "tool": "read_file", "arguments": {…}}'"#;

pub(super) fn run(args: &ExplainArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let setting = args.setting.setting()?;
    let call = CallForm::parse("--call", &args.call)?;
    let before = args.before.iter().map(|text| CallForm::parse("--before", text));
    let before = before.collect::<Result<Vec<_>, InvariantError>>()?;
    let understood = match setting.understand(&args.sentence)? {
        Ok(understood) => understood,
        Err(why) => {
            let problem = ProblemReport::new(&args.sentence, why);
            match args.json {
                true => print_json(&problem, out)?,
                false => {
                    writeln!(out, "“{}”", shown(&args.sentence))?;
                    print::problem(&problem, out)?;
                }
            }
            return Ok(ExitCode::from(1));
        }
    };
    if args.cedar {
        return cedar::requests_for(&setting, &understood, &before, &call, out);
    }
    let tried = tried(&setting, &understood, &before, &call)?;
    let report = CallReport::new(&args.sentence, &understood, &call, &tried);
    match args.json {
        true => print_json(&report, out)?,
        false => report.print(out)?,
    }
    Ok(ExitCode::from(match report.verdict {
        "refused" => 4,
        "asked" => 3,
        _ => 0,
    }))
}

fn tried(
    setting: &Setting,
    understood: &Understood,
    before: &[CallForm],
    call: &CallForm,
) -> Result<Tried, InvariantError> {
    Ok(after(setting, understood, before)?.call(&call.call(), Some(setting.now))?)
}

/// A session in which these calls were made.
pub(super) fn after<'s>(
    setting: &'s Setting,
    understood: &'s Understood,
    before: &[CallForm],
) -> Result<Trial<'s>, InvariantError> {
    let mut trial = Trial::new(&setting.tools, &setting.ground, &understood.book);
    for earlier in before {
        trial.call(&earlier.call(), Some(setting.now))?;
    }
    Ok(trial)
}

/// What a rule says of a call.
#[derive(Serialize)]
struct CallReport {
    sentence: String,
    says: Vec<String>,
    call: CallForm,
    /// `refused`, `asked` or `passes`.
    verdict: &'static str,
    /// Whether that is sure, or only cannot be ruled out.
    certain: bool,
    /// The facts of the call that made it so.
    because: Vec<String>,
    /// What the call does.
    does: Vec<String>,
    /// What its words show: of the tool, of commands, of arguments.
    shows: Vec<String>,
}

impl CallReport {
    fn new(sentence: &str, understood: &Understood, call: &CallForm, tried: &Tried) -> CallReport {
        let strictest = tried.breaches.iter().min_by_key(|breach| breach.verdict);
        CallReport {
            sentence: sentence.to_owned(),
            says: say(&understood.reading.meanings),
            call: call.clone(),
            verdict: match strictest.map(|breach| breach.verdict) {
                Some(Verdict::Deny) => "refused",
                Some(Verdict::Ask) => "asked",
                None => "passes",
            },
            certain: strictest.is_none_or(|breach| breach.certain),
            because: strictest.map(|breach| breach.because.clone()).unwrap_or_default(),
            does: tried.acts.clone(),
            shows: tried.did.clone(),
        }
    }

    fn print(&self, out: &mut impl Write) -> std::io::Result<()> {
        let answer = match (self.verdict, self.certain) {
            ("refused", true) => "refused: the call breaks the rule",
            ("refused", false) => "refused: it cannot be ruled out that the call breaks the rule",
            ("asked", true) => "asked about: the rule wants a question each time",
            ("asked", false) => "asked about: it cannot be ruled out that the rule wants a question",
            _ => "passes: the rule does not concern the call",
        };
        writeln!(out, "{answer}")?;
        writeln!(out, "\n  the rule")?;
        self.says.iter().try_for_each(|line| writeln!(out, "    {}", shown(line)))?;
        writeln!(out, "\n  the call\n    {}", self.call.line())?;
        if !self.because.is_empty() {
            writeln!(out, "\n  because of these facts")?;
            self.because.iter().try_for_each(|fact| writeln!(out, "    {}", shown(fact)))?;
        }
        if self.because.is_empty() {
            writeln!(out, "\n  what the call does")?;
            self.does.iter().try_for_each(|act| writeln!(out, "    {}", shown(act)))?;
        }
        Ok(())
    }
}
