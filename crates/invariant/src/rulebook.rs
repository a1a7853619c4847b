//! Rules in force: compiled once, asked on every call.

use portcullis_datalog::{
    Answer, Constant, Exhausted, Fuel, Goal, Literal, Problem, Problems, Program, Rule, Source, Term, read,
};

use crate::alone::each_alone;
use crate::english;
use crate::facts::{CallFacts, Circumstances, MILESTONE};
use crate::hand::Hand;
use crate::interest::Interest;
use crate::meaning::{Place, Verdict};
use crate::schema::Vocabulary;
use crate::write::{WriteError, Written, write};

/// A rule as somebody stated it, and what it was understood to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stated {
    /// What the user wrote.
    pub sentence: String,
    /// As Datalog.
    pub written: Written,
}

/// Rules in force.
pub struct Rulebook {
    vocabulary: &'static Vocabulary,
    program: Program,
    stated: Vec<Stated>,
    sources: Vec<(String, Place)>,
    interest: Interest,
    /// What later calls may be asked about.
    milestones: Option<Program>,
}

/// Why rules cannot be in force.
#[derive(Debug, thiserror::Error)]
pub enum RulebookError {
    /// The vocabulary of this crate cannot be used.
    #[error("the vocabulary of rules cannot be used: {0}")]
    Vocabulary(String),
    /// Datalog that is none.
    #[error("{0}")]
    Datalog(#[from] Problems),
}

/// A rule that a call breaks, or that wants the user to be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breach {
    /// What follows.
    pub verdict: Verdict,
    /// Which rule, by its place among those in force; none if the rules could not be evaluated.
    pub rule: Option<usize>,
    /// Why, for people.
    pub reason: String,
    /// The facts that made it so.
    pub because: Vec<String>,
    /// Whether it is certain, or only cannot be ruled out.
    pub certain: bool,
}

/// Why a sentence is no rule that can be enforced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// It was not understood.
    #[error(transparent)]
    English(#[from] english::Trouble),
    /// It cannot be written down.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Stated {
    /// A rule in plain English. The number tells it from others of the same rulebook.
    pub fn read(sentence: &str, hand: &Hand, year: i16, number: usize) -> Result<Stated, StateError> {
        let reading = english::read(sentence, hand, year)?;
        let written = write(&reading.meanings, sentence, &format!("rule_{number}"))?;
        Ok(Stated { sentence: sentence.to_owned(), written })
    }
}

impl Rulebook {
    /// No rules.
    pub fn empty() -> Result<Rulebook, RulebookError> {
        Rulebook::new(Vec::new())
    }

    /// Puts rules into force.
    pub fn new(stated: Vec<Stated>) -> Result<Rulebook, RulebookError> {
        let vocabulary = Vocabulary::built_in().map_err(RulebookError::Vocabulary)?;
        let mut rules: Vec<Rule> = Vec::new();
        let mut sources: Vec<(String, Place)> = Vec::new();
        for (number, one) in (0u32..).zip(&stated) {
            rules.extend(read(&one.written.text, Source(number))?);
            for source in &one.written.sources {
                if !sources.contains(source) {
                    sources.push(source.clone());
                }
            }
        }
        let milestones = milestones(&rules, vocabulary)?;
        let program = Program::compile(rules, vocabulary.schema())?;
        let interest = Interest::of(&program, vocabulary);
        Ok(Rulebook { vocabulary, program, stated, sources, interest, milestones })
    }

    /// Everything that the history of the session counts of a call, milestones of the rules among it. What is not certain
    /// has not been reached.
    pub fn counted(&self, facts: &CallFacts<'_>) -> Vec<String> {
        let mut counted = facts.counted();
        let Some(milestones) = &self.milestones else { return counted };
        let filled = facts.fill_used(self.vocabulary, &|predicate| milestones.uses(predicate));
        let answers = milestones.evaluate(&filled, Fuel::default()).unwrap_or_default();
        for name in answers.iter().filter(|answer| answer.certain).filter_map(|answer| answer.reason.text()) {
            let key = format!("{MILESTONE}{name}");
            if !counted.contains(&key) {
                counted.push(key);
            }
        }
        counted
    }

    /// Arguments that rules name and no connected tool has: a rule written by hand that asks for one is never broken.
    pub fn missing_arguments(&self, hand: &Hand) -> Vec<english::Trouble> {
        const NAMING: &[&str] = &["given", "choice", "text", "number", "argument"];
        let mut missing = Vec::new();
        for literal in self.program.rules().iter().flat_map(|rule| &rule.body) {
            let (Literal::Holds(atom) | Literal::Fails(atom)) = literal else { continue };
            let Some(Term::Constant(Constant::Text(name))) = atom.arguments.first() else { continue };
            let trouble = NAMING.contains(&&*atom.predicate).then(|| hand.missing(name)).flatten();
            missing.extend(trouble.filter(|trouble| !missing.contains(trouble)));
        }
        missing
    }

    /// The rules in force.
    pub fn stated(&self) -> &[Stated] {
        &self.stated
    }

    /// All rules as Datalog; the number of its source is the place of the sentence that a rule comes from.
    pub(crate) fn rules(&self) -> &[Rule] {
        self.program.rules()
    }

    /// What is odd about the rules.
    pub(crate) fn warnings(&self) -> &[Problem] {
        self.program.warnings()
    }

    /// The places whose data is to be followed.
    pub fn sources(&self) -> &[(String, Place)] {
        &self.sources
    }

    /// What the rules ask about.
    pub fn interest(&self) -> &Interest {
        &self.interest
    }

    /// Whether there is no rule at all.
    pub fn is_empty(&self) -> bool {
        self.stated.is_empty()
    }

    /// What the rules say of a call. Rules that take too long to evaluate refuse it.
    pub fn judge(&self, facts: &CallFacts<'_>) -> Vec<Breach> {
        let filled = facts.fill_used(self.vocabulary, &|predicate| self.program.uses(predicate));
        match self.program.evaluate(&filled, Fuel::default()) {
            Ok(answers) => {
                let mut breaches: Vec<Breach> = Vec::new();
                for answer in answers {
                    let mut breach = self.breach(&answer);
                    if !breach.certain && facts.forgot() && self.asks_for_history(breach.rule) {
                        breach.because.push(FULL.to_owned());
                    }
                    let known = breaches
                        .iter_mut()
                        .find(|known| known.rule == breach.rule && known.verdict == breach.verdict);
                    match known {
                        Some(known) if known.certain || !breach.certain => {}
                        Some(known) => *known = breach,
                        None => breaches.push(breach),
                    }
                }
                breaches
            }
            Err(exhausted) => vec![exhausted_breach(exhausted)],
        }
    }

    /// The same of a call with these facts, and of each thing by itself where it makes several at once.
    pub fn judge_all(&self, call: &Circumstances<'_>, facts: &CallFacts<'_>) -> Vec<Breach> {
        let mut breaches = self.judge(facts);
        for arguments in &each_alone(call.arguments) {
            let alone = self.judge(&CallFacts::of(&Circumstances { arguments, ..*call }));
            let is_known = |breach: &Breach| breaches.iter().any(|known| known.rule == breach.rule);
            let more: Vec<Breach> = alone.into_iter().filter(|breach| !is_known(breach)).collect();
            breaches.extend(more);
        }
        breaches
    }

    /// Whether a rule asks how often or whether something was done before.
    fn asks_for_history(&self, number: Option<usize>) -> bool {
        const HISTORY: &[&str] = &["calls", "calls_to", "earlier_to", "earlier_same"];
        let own = |rule: &&Rule| usize::try_from(rule.source.0).ok() == number;
        let conditions = self.program.rules().iter().filter(own).flat_map(|rule| &rule.body);
        conditions.into_iter().any(|literal| match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => HISTORY.contains(&&*atom.predicate),
            Literal::Compares(_) => false,
        })
    }

    fn breach(&self, answer: &Answer<'_>) -> Breach {
        let number = usize::try_from(answer.source.0).ok();
        let sentence =
            number.and_then(|number| self.stated.get(number)).map(|stated| stated.sentence.as_str());
        let reason = answer.reason.text().or(sentence).unwrap_or("a rule of the user").to_owned();
        Breach {
            verdict: match answer.goal {
                Goal::Deny => Verdict::Deny,
                Goal::MustAsk => Verdict::Ask,
            },
            rule: number,
            reason,
            because: answer.because.iter().map(ToString::to_string).collect(),
            certain: answer.certain,
        }
    }
}

/// Told where a rule asks for something that a session with too long a history does not remember.
const FULL: &str = "the session has done more different things than are remembered";

/// What helps to decide about milestones, with the milestones as what is asked for.
fn milestones(rules: &[Rule], vocabulary: &Vocabulary) -> Result<Option<Program>, RulebookError> {
    let is_goal = |rule: &&Rule| Goal::ALL.iter().any(|goal| *rule.head.predicate == *goal.name());
    if !rules.iter().any(|rule| &*rule.head.predicate == "milestone") {
        return Ok(None);
    }
    let mut own: Vec<Rule> = rules.iter().filter(|rule| !is_goal(rule)).cloned().collect();
    own.extend(read("deny(M) :- milestone(M).", Source(u32::MAX))?);
    Ok(Some(Program::compile(own, vocabulary.schema())?))
}

fn exhausted_breach(exhausted: Exhausted) -> Breach {
    Breach {
        verdict: Verdict::Deny,
        rule: None,
        reason: exhausted.to_string(),
        because: Vec::new(),
        certain: false,
    }
}
