//! The change that is tried, read from options and files.

use jiff::Zoned;
use portcullis_invariant::Stated;
use portcullis_lattice::words::shown;
use portcullis_lattice::{Entry, Rule, RuleId};

use super::super::super::{read, read_rules};
use super::ReplayArgs;
use super::log::Log;
use super::source::Source;
use super::standing::{Change, Standing};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::opening::hand;

/// Helping predicates of sentences that are tried are numbered from here on, so that they meet no others.
const FIRST_TRIED: usize = 1_000_000;

/// What the options say. What they name has to be there.
pub(super) fn change(args: &ReplayArgs, source: &Source) -> Result<Change, Failure> {
    let log = &source.log;
    let rules = args.rules.as_deref().map(read_rules).transpose()?;
    let rules = rules.map(|rules| rules.entries().to_vec());
    if rules.is_none() {
        source.check_rules()?;
    }
    let highest = log.rules.iter().map(|known| known.id);
    let highest = highest.chain(rules.iter().flatten().map(|entry| entry.id.0)).max().unwrap_or(0);
    let added = args.add.iter().zip(highest + 1..).map(|(text, id)| {
        let rule: Rule = text.parse().map_err(|error| GateError::Said(format!("--add: {error}")))?;
        Ok(Entry { id: RuleId(id), rule })
    });
    for id in &args.without {
        if !log.rules.iter().any(|known| known.id == *id) {
            let told = format!("--without: there is no rule {id}; see `portcullis rules list --all`");
            return Err(GateError::Said(told).into());
        }
    }
    for id in &args.without_invariant {
        if !log.sentences.iter().any(|known| known.id == *id) {
            let told = "rules of files have no number and are tried with `--invariants`";
            let told = format!(
                "--without-invariant: there is no rule {id} of yours; see `portcullis invariant list --all`; {told}"
            );
            return Err(GateError::Said(told).into());
        }
    }
    let sentences = args.invariants.as_deref().map(read).transpose()?;
    Ok(Change {
        rules,
        added: added.collect::<Result<_, Failure>>()?,
        without: args.without.iter().copied().collect(),
        sentences: sentences.map(|text| lines(&text)),
        stated: args.invariant.clone(),
        unstated: args.without_invariant.iter().copied().collect(),
    })
}

/// The sentences of a file; empty lines and lines that begin with `#` are passed over.
fn lines(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// The sentences that are asked although they were not asked then. One that is not understood is an error: nobody could say
/// what it would have done.
pub(super) fn newly(standing: &Standing<'_>) -> Result<Vec<Stated>, Failure> {
    let (texts, mut stated) = standing.newly();
    let set = standing.newly_set();
    let texts: Vec<&str> = texts.into_iter().chain(set.iter().map(String::as_str)).collect();
    let layout = standing.of_session.layouts.values().next_back();
    let Some(layout) = layout.filter(|_| !texts.is_empty()) else { return Ok(stated) };
    let hand = hand(&layout.session)?;
    for (text, number) in texts.into_iter().zip(FIRST_TRIED..) {
        let read = Stated::read(text, &hand, Zoned::now().year(), number);
        stated.push(
            read.map_err(|error| GateError::Said(format!("“{}” is not understood: {error}", shown(text))))?,
        );
    }
    Ok(stated)
}

/// What is tried, in words.
pub(super) fn words(change: &Change, log: &Log) -> Vec<String> {
    let mut words = Vec::new();
    if let Some(rules) = &change.rules {
        words.push(format!("with {} in place of all rules", counted(rules.len(), "rule")));
    }
    words.extend(change.added.iter().map(|entry| format!("with rule {} (`{}`)", entry.id, entry.rule)));
    for known in log.rules.iter().filter(|known| change.without.contains(&known.id)) {
        let said = known.rule.as_ref().map(ToString::to_string).unwrap_or_default();
        words.push(format!("without rule {} (`{said}`)", known.id));
    }
    if let Some(sentences) = &change.sentences {
        words.push(format!("with {} in place of all that were stated", counted(sentences.len(), "sentence")));
    }
    words.extend(change.stated.iter().map(|sentence| format!("with “{sentence}”")));
    for known in log.sentences.iter().filter(|known| change.unstated.contains(&known.id)) {
        words.push(format!("without “{}”", known.sentence));
    }
    words
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}
