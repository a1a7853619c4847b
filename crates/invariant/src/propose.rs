//! Rules that a model proposes for sentences which the grammar does not read.
//!
//! One question to the model gives rules, another, independent one gives calls that must and must not break them; the
//! engine tries the rules on the calls, and what fails goes back as feedback, three times at most. What comes of it is
//! a [`Proposal`] for the user to read: it never takes effect by itself. Everything that a model says is data, which
//! is refused unless it has the stated form, and rules are checked as those of anybody else.
//!
//! Nothing is sent from here. Whoever asks the model implements [`Ask`].

mod answer;
mod check;
mod prompt;

use jiff::civil::DateTime;
use portcullis_perceive::layout::Ground;

use crate::meaning::Verdict;
use crate::rulebook::{Rulebook, RulebookError, Stated};
use crate::toolbox::Toolbox;
use crate::trial::{Trial, TrialCall, TrialError};
use answer::Expectation;
pub use prompt::Prompt;
use prompt::{Brief, Feedback};

/// So often rules are asked for.
pub const MOST_ROUNDS: usize = 3;
/// The longest sentence that is put to a model.
pub const LONGEST_SENTENCE: usize = 1_000;

/// Somebody who answers prompts: a model, or a script in tests.
pub trait Ask {
    /// Why there is no answer.
    type Error: std::error::Error + 'static;

    /// Answers a prompt. Prompts do not refer to earlier ones.
    fn ask(&mut self, prompt: &Prompt) -> Result<String, Self::Error>;
}

/// What a rule is wanted for.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// What the user wrote.
    pub sentence: &'t str,
    /// The tools that are connected.
    pub tools: &'t Toolbox,
    /// How the session lies. Nothing of it is told to the model.
    pub ground: &'t Ground,
    /// When calls are tried that do not say it.
    pub now: DateTime,
    /// Makes the names of helping predicates unlike those of other rules.
    pub prefix: &'t str,
}

/// A rule that a model proposes.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// The rule, with the user's sentence for its reason. It is not in force.
    pub stated: Stated,
    /// What it says, in the words of the product: each rule, and below it its conditions.
    pub says: Vec<String>,
    /// The calls that it was tried on.
    pub cases: Vec<TriedCase>,
    /// How often rules were asked for.
    pub rounds: usize,
    /// What was wrong with earlier answers.
    pub failed: Vec<String>,
}

/// A call that a model thought of.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// Calls that are made before it.
    pub before: Vec<TrialCall>,
    /// The call.
    pub call: TrialCall,
    /// When, if it says so.
    pub now: Option<DateTime>,
    /// What must follow; nothing if it must pass.
    pub expected: Option<Verdict>,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct TriedCase {
    /// The call.
    pub case: Case,
    /// What the rule makes of it.
    pub verdict: Option<Verdict>,
    /// Whether that is sure.
    pub certain: bool,
    /// The facts that made it so.
    pub because: Vec<String>,
}

/// Why nothing is proposed.
#[derive(Debug, thiserror::Error)]
pub enum ProposeError<E: std::error::Error + 'static> {
    /// The model did not answer.
    #[error("the model did not answer: {0}")]
    Ask(#[source] E),
    /// Nobody would put it to a model.
    #[error("the sentence is empty, or has more than {LONGEST_SENTENCE} letters")]
    Sentence,
    /// There are too many tools to tell of.
    #[error("the connected tools are too many to describe; name those that the rule is about")]
    Tools,
    /// The model sees no rule in it.
    #[error("the model sees no rule in it")]
    Declined,
    /// No calls to try rules on.
    #[error("the model gave no calls to try rules on: {}", .0.join("; "))]
    NoCases(Vec<String>),
    /// No rule that could be proposed.
    #[error("the model gave no rule that could be proposed: {}", .0.join("; "))]
    NoRule(Vec<String>),
    /// Calls cannot be tried at all.
    #[error(transparent)]
    Trial(#[from] TrialError),
    /// Rules cannot be checked at all.
    #[error(transparent)]
    Rules(#[from] RulebookError),
}

/// Has a model propose a rule for a sentence.
pub fn propose<A: Ask>(task: &Task<'_>, model: &mut A) -> Result<Proposal, ProposeError<A::Error>> {
    if task.sentence.trim().is_empty() || task.sentence.chars().count() > LONGEST_SENTENCE {
        return Err(ProposeError::Sentence);
    }
    let brief = Brief::of(task).ok_or(ProposeError::Tools)?;
    let cases = cases(task, &brief, model)?;
    let mut failed: Vec<String> = Vec::new();
    let mut feedback: Option<Feedback> = None;
    let mut best: Option<Proposal> = None;
    for round in 1..=MOST_ROUNDS {
        let text = model.ask(&brief.rules(feedback.as_ref())).map_err(ProposeError::Ask)?;
        let problems = match candidate(task, &text, &cases)? {
            Outcome::Declined => return Err(ProposeError::Declined),
            Outcome::Refused(problems) => problems,
            Outcome::Tried(proposal) => {
                let wrong: Vec<String> = proposal.wrong().map(TriedCase::problem).collect();
                let is_better = best.as_ref().is_none_or(|best| wrong.len() < best.wrong().count());
                if is_better {
                    best = Some(Proposal { rounds: round, ..*proposal });
                }
                wrong
            }
        };
        if problems.is_empty() {
            break;
        }
        failed.extend(problems.iter().map(|problem| format!("round {round}: {problem}")));
        feedback = Some(Feedback::new(&text, &problems, task));
    }
    match best {
        Some(proposal) => Ok(Proposal { failed, ..proposal }),
        None => Err(ProposeError::NoRule(failed)),
    }
}

/// Asks for calls, again if they cannot be used.
fn cases<A: Ask>(
    task: &Task<'_>,
    brief: &Brief<'_>,
    model: &mut A,
) -> Result<Vec<Case>, ProposeError<A::Error>> {
    let mut failed = Vec::new();
    let mut feedback: Option<Feedback> = None;
    for _ in 0..MOST_ROUNDS {
        let text = model.ask(&brief.cases(feedback.as_ref())).map_err(ProposeError::Ask)?;
        match answer::cases(&text, task) {
            Ok(cases) => return Ok(cases),
            Err(problem) => {
                failed.push(problem.clone());
                feedback = Some(Feedback::new(&text, &[problem], task));
            }
        }
    }
    Err(ProposeError::NoCases(failed))
}

/// What came of an answer with rules.
enum Outcome {
    Declined,
    /// What is wrong with them.
    Refused(Vec<String>),
    Tried(Box<Proposal>),
}

fn candidate(task: &Task<'_>, text: &str, cases: &[Case]) -> Result<Outcome, TrialError> {
    let rules = match answer::rules(text) {
        Ok(rules) if rules.rules.is_empty() => return Ok(Outcome::Declined),
        Ok(rules) => rules,
        Err(problem) => return Ok(Outcome::Refused(vec![problem])),
    };
    let checked = match check::check(&rules, task) {
        Ok(checked) => checked,
        Err(problems) => return Ok(Outcome::Refused(problems)),
    };
    let cases = cases.iter().map(|case| case.tried(task, &checked.book)).collect::<Result<Vec<_>, _>>()?;
    let caught = |case: &TriedCase| case.case.expected.is_some() && case.verdict.is_some();
    if !cases.iter().any(caught) {
        let mut problems = vec!["the rules stop none of the calls that they must stop".to_owned()];
        problems.extend(cases.iter().filter(|case| !case.is_as_expected()).map(TriedCase::problem));
        return Ok(Outcome::Refused(problems));
    }
    if check::stops_everything(&checked.book, task)? {
        return Ok(Outcome::Refused(vec!["the rules stop a plain call of every connected tool".to_owned()]));
    }
    let (stated, says) = (checked.stated, checked.says);
    Ok(Outcome::Tried(Box::new(Proposal { stated, says, cases, rounds: 0, failed: Vec::new() })))
}

impl Proposal {
    /// Whether every call is as it must be.
    pub fn holds(&self) -> bool {
        self.wrong().next().is_none()
    }

    /// The calls that are not as they must be.
    pub fn wrong(&self) -> impl Iterator<Item = &TriedCase> {
        self.cases.iter().filter(|case| !case.is_as_expected())
    }
}

impl Case {
    fn tried(&self, task: &Task<'_>, book: &Rulebook) -> Result<TriedCase, TrialError> {
        let now = Some(self.now.unwrap_or(task.now));
        let mut trial = Trial::new(task.tools, task.ground, book);
        for earlier in &self.before {
            trial.call(earlier, now)?;
        }
        let tried = trial.call(&self.call, now)?;
        let strictest = tried.breaches.iter().min_by_key(|breach| breach.verdict);
        Ok(TriedCase {
            case: self.clone(),
            verdict: strictest.map(|breach| breach.verdict),
            certain: strictest.is_none_or(|breach| breach.certain),
            because: strictest.map(|breach| breach.because.clone()).unwrap_or_default(),
        })
    }
}

impl TriedCase {
    /// Whether the rule does what it must.
    pub fn is_as_expected(&self) -> bool {
        self.verdict == self.case.expected
    }

    /// What is wrong with it, for whoever writes the next rule.
    fn problem(&self) -> String {
        let Case { before, call, now, expected } = &self.case;
        let shown = |call: &TrialCall| format!("{}.{} {}", call.server, call.tool, call.arguments);
        let before: Vec<String> = before.iter().map(shown).collect();
        let after = if before.is_empty() { String::new() } else { format!(" after {}", before.join(", ")) };
        let at = now.map(|now| format!(" at {}", now.strftime("%Y-%m-%dT%H:%M"))).unwrap_or_default();
        let is = Expectation::of(self.verdict).word();
        let facts = if self.because.is_empty() { "" } else { " because of " };
        format!(
            "{}{after}{at} must be {} and is {is}{facts}{}",
            shown(call),
            Expectation::of(*expected).word(),
            self.because.join(", ")
        )
    }
}
