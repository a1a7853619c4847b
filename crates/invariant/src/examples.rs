//! Calls that a rule would refuse or ask about, and near misses that it would not, made for the tools that are connected.
//! A user who reads these knows what a sentence was taken for.

mod candidates;
mod choose;
mod matter;
mod shape;

use jiff::civil::DateTime;
use portcullis_perceive::layout::{Ground, Layout};

use crate::meaning::Meaning;
use crate::names;
use crate::rulebook::Rulebook;
use crate::toolbox::{Tool, Toolbox};
use crate::trial::{Trial, TrialCall, TrialError};
use candidates::{Candidate, candidates};
use matter::Matter;

/// So many are shown of each.
const MOST_SHOWN: usize = 3;
/// So many are tried; with what comes before them and at several times, each counts anew.
const MOST_TRIED: usize = 12_000;
/// So many calls are looked through for one that reads what a rule follows.
const MOST_READERS: usize = 2;

/// A call as an example.
#[derive(Clone, PartialEq, Debug)]
pub struct Example {
    /// Calls that are made before it.
    pub before: Vec<TrialCall>,
    /// The call.
    pub call: TrialCall,
    /// When, where a rule is about time.
    pub now: Option<DateTime>,
}

/// Examples of a rule.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Examples {
    /// Calls that it refuses or asks about.
    pub fires: Vec<Example>,
    /// Calls much like these that it does not concern.
    pub quiet: Vec<Example>,
}

/// An example, tried.
struct Sample {
    example: Example,
    fires: bool,
    /// Whether something about it is only assumed.
    is_doubtful: bool,
    /// How good it is to show; less is better.
    rank: Rank,
}

/// Whether its tool is called otherwise than what the rule is about, whether it has nothing of the rule in it, how many
/// calls come before, and how strange it is.
type Rank = (bool, bool, usize, (usize, usize));

/// Finds examples for the rules of a book, which should be those of one sentence. The same input has the same examples.
pub fn examples(
    meanings: &[Meaning],
    book: &Rulebook,
    tools: &Toolbox,
    ground: &Ground,
) -> Result<Examples, TrialError> {
    let matter = Matter::of(meanings, ground.layout());
    let calls = candidates(tools, &matter);
    let start = Trial::new(tools, ground, book);
    let mut samples = Vec::new();
    let befores = befores(&calls, &matter, &start, book)?;
    for call in &calls {
        for (before, trial) in &befores {
            for now in &matter.moments {
                if samples.len() < MOST_TRIED {
                    samples.push(sample(call, before, trial, *now, &matter)?);
                }
            }
        }
        for count in &matter.repeats {
            let mut trial = start.clone();
            let before = vec![call.call.clone(); *count];
            for one in &before {
                trial.call(one, None)?;
            }
            if samples.len() < MOST_TRIED {
                samples.push(sample(call, &before, &trial, None, &matter)?);
            }
        }
    }
    Ok(choose::choose(samples))
}

/// A plain call of each tool, as far as one can be made up.
pub(crate) fn plain_calls(tools: &Toolbox, layout: &Layout) -> Vec<TrialCall> {
    let matter = Matter::of(&[], layout);
    let plain = |tool: &Tool<'_>| {
        let shape = shape::shapes(tool, tools, &matter).into_iter().next()?;
        let arguments = crate::ordered::ordered(&shape.arguments);
        Some(TrialCall { server: tool.server.to_owned(), tool: tool.name.to_owned(), arguments })
    };
    tools.tools().iter().filter_map(plain).collect()
}

fn sample(
    Candidate { call, strangeness }: &Candidate,
    before: &[TrialCall],
    trial: &Trial<'_>,
    now: Option<DateTime>,
    matter: &Matter,
) -> Result<Sample, TrialError> {
    let tried = trial.clone().call(call, now)?;
    let is_uncertain = !tried.breaches.is_empty() && tried.breaches.iter().all(|breach| !breach.certain);
    let arguments = call.arguments.to_string();
    let has_verb = names::words(&call.tool).iter().any(|word| matter.verbs.contains(word));
    let has_own = matter.own.iter().any(|own| arguments.contains(own.as_str()));
    Ok(Sample {
        example: Example { before: before.to_vec(), call: call.clone(), now },
        fires: !tried.breaches.is_empty(),
        is_doubtful: is_uncertain || tried.is_doubted,
        rank: (!has_verb, !has_own, before.len(), *strangeness),
    })
}

/// What may come before a call: nothing, or one that reads what the rule follows.
fn befores<'t>(
    calls: &[Candidate],
    matter: &Matter,
    start: &Trial<'t>,
    book: &Rulebook,
) -> Result<Vec<(Vec<TrialCall>, Trial<'t>)>, TrialError> {
    let mut befores = vec![(Vec::new(), start.clone())];
    if book.sources().is_empty() {
        return Ok(befores);
    }
    let now = matter.moments.first().copied().flatten();
    // What is read as such comes before what only happens to be seen.
    let reads =
        |call: &&TrialCall| names::words(&call.tool).iter().any(|word| word == "read" || word == "query");
    let calls = calls.iter().map(|candidate| &candidate.call);
    let (readers, others): (Vec<&TrialCall>, Vec<&TrialCall>) = calls.partition(reads);
    for call in readers.into_iter().chain(others) {
        let mut trial = start.clone();
        let tried = trial.call(call, now)?;
        if !tried.is_doubted && tried.breaches.is_empty() && trial.follows_something() {
            befores.push((vec![call.clone()], trial));
        }
        if befores.len() > MOST_READERS {
            break;
        }
    }
    Ok(befores)
}

#[cfg(test)]
mod tests;
