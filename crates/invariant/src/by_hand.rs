//! Rules that a user writes in Datalog.
//!
//! They are checked as those of anybody else, and besides for names that no call can have: a rule about an argument that
//! no connected tool has would never be broken, and nobody would notice. What is wrong is told with its place in the text.

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use portcullis_datalog::{Goal, Position, Problem, Program, Rule, Severity, Source, read};
use portcullis_perceive::layout::Ground;

use crate::adopt::{Adopted, Adopter};
use crate::aloud;
use crate::examples::plain_calls;
use crate::facts::MILESTONES;
use crate::known::{Known, Unknown};
use crate::meaning::Place;
use crate::rulebook::{Rulebook, RulebookError, Stated};
use crate::schema::Vocabulary;
use crate::stand_in::Places;
use crate::toolbox::Toolbox;
use crate::trial::{Trial, TrialCall, TrialError};
use crate::write::Written;

/// Kinds of places that data is followed from.
const KINDS: &str = "path, folder, named, word, domain, address or table";

/// What a user wrote, and for which session.
#[derive(Clone, Copy)]
pub struct ByHand<'h> {
    /// What the user calls the rules.
    pub sentence: &'h str,
    /// The rules.
    pub text: &'h str,
    /// Places that data is followed from, each as `NAME=KIND:VALUE`.
    pub follow: &'h [String],
    /// The tools that are connected.
    pub tools: &'h Toolbox,
    /// How the session lies.
    pub ground: &'h Ground,
    /// When calls are tried.
    pub now: DateTime,
    /// Makes the names of helping predicates unlike those of other rules.
    pub prefix: &'h str,
}

/// Rules that can be put into force.
pub struct Handwritten {
    /// The rules.
    pub stated: Stated,
    /// The same, compiled.
    pub book: Rulebook,
    /// What they say, in the words of the product: each rule, and below it its conditions.
    pub says: Vec<String>,
    /// What is odd about them.
    pub odd: Vec<Problem>,
    /// Plain calls of the connected tools that they stop.
    pub stopped: Vec<TrialCall>,
    /// Others that they do not.
    pub passed: Vec<TrialCall>,
}

/// Why rules cannot be put into force.
#[derive(Debug, thiserror::Error)]
pub enum ByHandError {
    /// All that is wrong with them.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Problems(Vec<Problem>),
    /// A place to follow data from that is none.
    #[error(
        "`{0}` says no place that data is followed from; write NAME=KIND:VALUE, with {KINDS} for the kind"
    )]
    Follow(String),
    /// They cannot be put into force for another reason.
    #[error(transparent)]
    Rules(#[from] RulebookError),
    /// They cannot be tried.
    #[error(transparent)]
    Trial(#[from] TrialError),
}

/// Checks rules.
pub fn by_hand(given: &ByHand<'_>) -> Result<Handwritten, ByHandError> {
    let vocabulary = Vocabulary::built_in().map_err(RulebookError::Vocabulary)?;
    let refused = |found: &portcullis_datalog::Problems| ByHandError::Problems(found.as_slice().to_vec());
    let rules = read(given.text, Source::default()).map_err(|found| refused(&found))?;
    let program = Program::compile(rules.clone(), vocabulary.schema()).map_err(|found| refused(&found))?;
    let own: BTreeSet<String> = rules.iter().map(|rule| rule.head.predicate.to_string()).collect();
    let places = Places::of(given.ground.layout());
    let sources = sources(given.follow, &places)?;
    let mut problems = goals(&rules);
    let adopter = Adopter { places: &places, own: &own, prefix: given.prefix, reason: None };
    let Adopted { rules, problems: unplaced } = adopter.adopt(rules);
    let unplaced = unplaced.into_iter().map(|(at, message)| (at, message, NO_PLACE.to_owned()));
    problems.extend(unplaced.map(|(at, message, hint)| error(at, message, hint)));
    problems.extend(Known::of(given.tools).problems(&rules, &sources).into_iter().map(unknown));
    if !problems.is_empty() {
        return Err(ByHandError::Problems(problems));
    }
    let says = aloud::say(&rules, &sources);
    let text = rules.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let stated = Stated { sentence: given.sentence.to_owned(), written: Written { text, sources } };
    let book = Rulebook::new(vec![stated.clone()])?;
    let (stopped, passed) = tried(&book, given)?;
    // That nothing uses a milestone is no fault: the history does.
    let odd = program.warnings().iter().filter(|odd| !odd.message.contains(MILESTONES)).cloned().collect();
    Ok(Handwritten { stated, book, says, odd, stopped, passed })
}

const NO_PLACE: &str = "write the name itself";

/// Rules of which none refuses or asks.
fn goals(rules: &[Rule]) -> Vec<Problem> {
    let is_goal = |rule: &Rule| Goal::ALL.iter().any(|goal| goal.name() == &*rule.head.predicate);
    let at = rules.first().map(|rule| rule.head.at).unwrap_or(Position { line: 1, column: 1 });
    let hint = "write `deny(\"why\") :- conditions.` or `must_ask(\"why\") :- conditions.`";
    match rules.iter().any(is_goal) {
        true => Vec::new(),
        false => vec![error(at, "no rule refuses a call or asks about one".to_owned(), hint.to_owned())],
    }
}

fn unknown(Unknown { at, message, near }: Unknown) -> Problem {
    let hint = match near {
        Some(near) => format!("there is `{near}`"),
        None if message.contains("`follow`") => {
            "`--follow NAME=KIND:VALUE` says where the data comes from".to_owned()
        }
        None => {
            "such a rule would never be broken; `--server` and `--tool` say which tools are meant".to_owned()
        }
    };
    error(at, message, hint)
}

fn error(at: Position, message: String, hint: String) -> Problem {
    Problem { severity: Severity::Error, source: Source::default(), at, message, hint }
}

/// The places to follow, each under its name.
fn sources(follow: &[String], places: &Places) -> Result<Vec<(String, Place)>, ByHandError> {
    let source = |text: &String| {
        let (name, place) = text.split_once('=')?;
        let (kind, value) = place.split_once(':')?;
        let value = places.text(value.trim()).ok().filter(|value| !value.is_empty())?;
        let place = match kind.trim() {
            "path" => Place::Path(value),
            "folder" => Place::Folder(value),
            "named" => Place::Named(value),
            "word" => Place::Word(value),
            "domain" => Place::Domain(value),
            "address" => Place::Address(value),
            "table" => Place::Table(value),
            _ => return None,
        };
        Some((name.trim().to_owned(), place)).filter(|(name, _)| !name.is_empty())
    };
    let of = |text: &String| source(text).ok_or_else(|| ByHandError::Follow(text.clone()));
    follow.iter().map(of).collect()
}

/// Plain calls of the connected tools: those that the rules stop, and those that they do not.
fn tried(book: &Rulebook, given: &ByHand<'_>) -> Result<(Vec<TrialCall>, Vec<TrialCall>), TrialError> {
    let (mut stopped, mut passed) = (Vec::new(), Vec::new());
    for call in plain_calls(given.tools, given.ground.layout()) {
        let tried = Trial::new(given.tools, given.ground, book).call(&call, Some(given.now))?;
        if tried.breaches.is_empty() { passed.push(call) } else { stopped.push(call) }
    }
    Ok((stopped, passed))
}
