//! Sentences read: from plain English to what a rule means.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "at each place of a sentence only a few kinds of words matter, and any other, old or new, is none of them"
)]

mod amount;
mod ask;
mod called;
mod channels;
mod chunk;
mod clause;
mod clocks;
mod coverage;
mod exact;
mod excepted;
mod frame;
mod grounds;
mod hours;
mod interpret;
mod lexicon;
mod noun;
mod order;
mod owners;
mod plain;
mod plainer;
mod rephrase;
mod repositories;
mod tables;
mod throughout;
mod token;
mod when;

pub use called::{named_among, named_in, plain_name};
pub(crate) use token::is_file_end;

use crate::hand::Hand;
use crate::meaning::{Case, Meaning, Verdict};
use chunk::Chunker;
use clause::Clause;
use exact::Rules;
use lexicon::Lexicon;

/// A sentence that was understood.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// What it means: one entry for each verdict.
    pub meanings: Vec<Meaning>,
    /// Parts of the sentence that change nothing, such as reasons.
    pub unused: Vec<String>,
    /// Words beside others that were understood, which nobody knows and which are left out.
    pub left_out: Vec<String>,
    /// What else it may mean: the same rules, otherwise understood. The first reading counts.
    pub others: Vec<Vec<Meaning>>,
}

/// Why a sentence was not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Trouble {
    /// The words that come with the program cannot be read.
    #[error("the words of rules cannot be read: {0}")]
    Lexicon(String),
    /// Nothing in it forbids, limits or asks.
    #[error("this states no rule; say what must never happen, what only may happen, or what to ask about")]
    NoRule,
    /// Words that mean nothing here.
    #[error("not understood: {}", .0.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "))]
    Words(Vec<String>),
    /// It does not say what is not to be done.
    #[error("it is not clear what this is about: {0}")]
    Vague(String),
    /// It would concern nearly every call, which is hardly what is meant.
    #[error("this would concern every call that {0}; say which ones are meant")]
    Broad(&'static str),
    /// No tool has such an argument, so that the rule would never be broken.
    #[error("no connected tool has an argument called `{name}`{}", .nearest.as_ref().map(|near| format!("; there is `{near}`")).unwrap_or_default())]
    NoArgument {
        /// What the rule calls it.
        name: String,
        /// One that is called like it.
        nearest: Option<String>,
    },
    /// A channel by a name that no call shows.
    #[error(
        "calls show the id of a channel, not the name `{0}`; write the id behind it, such as `#{0} (C012AB3CD)`"
    )]
    ChannelName(String),
    /// It is a question.
    #[error("this is a question, not a rule")]
    Question,
    /// It is longer than a rule should be.
    #[error("this is too long for one rule; state several")]
    TooLong,
}

/// The longest text that is read, in bytes.
const LONGEST: usize = 1000;

/// Reads a sentence. Dates without a year belong to the year that is given.
pub fn read(text: &str, hand: &Hand, year: i16) -> Result<Reading, Trouble> {
    if text.len() > LONGEST {
        return Err(Trouble::TooLong);
    }
    if text.trim_end().ends_with('?') {
        return Err(Trouble::Question);
    }
    let lexicon = Lexicon::built_in().map_err(Trouble::Lexicon)?;
    let chunker = Chunker { lexicon, hand, year };
    let (told, remark) = excepted::told(called::told(token::tokens(text), &hand.layout.names));
    let (written, advice) = plainer::plainer(hours::told(clocks::told(channels::told(told)), year));
    let tokens = tables::told(owners::told(plain::put(&written), hand, lexicon), hand, lexicon);
    let exact = exact::Exact::new(lexicon, hand, year);
    let interpreted = |tokens: &[token::Token]| interpreted(tokens, &exact, &chunker, 1);
    let mut reading = match interpreted(&tokens) {
        // "Merge requests go into develop" says how it must be.
        Err(Trouble::NoRule) => rephrase::declared(&tokens, lexicon)
            .and_then(|tokens| interpreted(&tokens).ok())
            .ok_or(Trouble::NoRule),
        reading => reading,
    }?;
    exact.let_pass(&tokens, &mut reading.meanings);
    throughout::hold(&mut reading.meanings, &tokens, year);
    grounds::kept_as_files(&mut reading.meanings, hand);
    grounds::notes_as_files(&mut reading.meanings, hand);
    grounds::programs_as_called(&mut reading.meanings, hand);
    grounds::in_any_case(&mut reading.meanings);
    grounds::with_endings(&mut reading.meanings, &tokens);
    grounds::directly_too(&mut reading.meanings);
    grounds::mail_deleted(&mut reading.meanings, &tokens, hand);
    repositories::put(&mut reading.meanings, hand);
    for meaning in &mut reading.meanings {
        meaning.cases.iter_mut().for_each(|case| interpret::loosen::loosen(case, hand));
    }
    if let Some(thing) = exact::guard::unmeant(&tokens, &reading) {
        return Err(Trouble::Words(vec![thing]));
    }
    let mut all = reading.meanings.iter().flat_map(|meaning| &meaning.cases);
    if all.clone().all(exact::guard::excludes_itself) {
        return Err(Trouble::Vague("what may be done and what may not".to_owned()));
    }
    if let Some(word) = exact::guard::turned_round(&tokens, &mut all) {
        return Err(Trouble::Words(vec![word]));
    }
    if let Some(literal) = exact::guard::uncovered(&tokens, &reading, &exact) {
        return Err(Trouble::Words(vec![literal]));
    }
    let mut cases = reading.meanings.iter().flat_map(|meaning| &meaning.cases);
    if let Some(word) = cases.find_map(|case| exact.guessed_only(case, &tokens)) {
        return Err(Trouble::Words(vec![word]));
    }
    if let Some(trouble) = grounds::missing(&reading.meanings, hand) {
        return Err(trouble);
    }
    reading.unused.extend(remark.into_iter().chain(advice));
    reading.others.extend(grounds::other_time(&reading.meanings));
    Ok(reading)
}

/// What sentence after sentence states.
fn interpreted(
    tokens: &[token::Token],
    exact: &exact::Exact<'_>,
    chunker: &Chunker<'_>,
    depth: usize,
) -> Result<Reading, Trouble> {
    let (lexicon, hand) = (chunker.lexicon, chunker.hand);
    let mut reader = interpret::Interpreter::new(lexicon, hand);
    let read = |said: &[token::Token]| {
        let reading = interpreted(said, exact, chunker, depth.checked_sub(1)?);
        exact.half();
        reading.ok().filter(|reading| reading.left_out.is_empty()).map(Reading::rules)
    };
    let one_by_one = || {
        let both = || exact.listed_first(tokens, &read).or_else(|| exact.spliced_first(tokens, &read));
        (depth > 0).then(both).flatten()
    };
    let holds = |rules: &Rules| !exact::guard::is_turned(tokens, rules);
    let plainly = exact.stated_plainly(tokens).filter(holds).or_else(|| one_by_one().filter(holds));
    let known = |parts: &Vec<exact::Part>| parts.iter().all(|part| part.rules().is_none_or(holds));
    let ruled = |rules: Rules| vec![exact::Part::Rules(rules)];
    let beside = |(rules, other): (Rules, String)| vec![exact::Part::Rules(rules), exact::Part::Aside(other)];
    let parts = plainly
        .map(ruled)
        .or_else(|| exact.reworded(tokens).filter(holds).map(ruled))
        .or_else(|| exact.flows(tokens).filter(known))
        .or_else(|| exact.halves(tokens, &read).filter(|(rules, _)| holds(rules)).map(beside))
        .or_else(|| exact.gist(tokens).filter(known))
        .or_else(|| exact.as_one(tokens).filter(known));
    if let Some(parts) = parts {
        reader.exact(parts, tokens, chunker);
        return reader.finish();
    }
    let mut told: Option<&[token::Token]> = None;
    for sentence in clause::sentences(tokens) {
        let before = told.replace(sentence);
        match built(sentence, before, reader.has_rules(), exact) {
            Some(parts) => reader.exact(parts, sentence, chunker),
            None => loosely(sentence, &mut reader, exact, chunker),
        }
    }
    reader.finish()
}

/// A sentence of a known build, or one that tells a worry.
fn built(
    sentence: &[token::Token],
    before: Option<&[token::Token]>,
    has_rules: bool,
    exact: &exact::Exact<'_>,
) -> Option<Vec<exact::Part>> {
    exact
        .worried(sentence, false)
        // "legacy/ still runs. Do not touch it."
        .or_else(|| exact.after(before?, sentence))
        .or_else(|| exact.sentence(sentence, has_rules))
}

/// A sentence of no known build: by its worry, without its reasons, put together, or as the looser reader takes it.
fn loosely(
    sentence: &[token::Token],
    reader: &mut interpret::Interpreter<'_>,
    exact: &exact::Exact<'_>,
    chunker: &Chunker<'_>,
) {
    let half = exact.half();
    if let Some(rules) = exact.stated_late(sentence) {
        return reader.exact(vec![exact::Part::Rules(rules)], sentence, chunker);
    }
    if let Some(parts) = exact.worried(sentence, true) {
        return reader.exact(parts, sentence, chunker);
    }
    if let Some(subject) = half {
        return reader.trouble(Trouble::Vague(format!("what is said of `{subject}`")));
    }
    let (rule, reasons) = exact.without_reasons(sentence);
    reasons.into_iter().for_each(|reason| reader.aside(reason));
    if !rule.is_empty() && rule.len() < sentence.len() {
        if let Some(parts) = exact.sentence(rule, reader.has_rules()) {
            return reader.exact(parts, rule, chunker);
        }
        exact.half();
    }
    if let Some(words) = exact::guard::slighted(rule) {
        return reader.trouble(Trouble::Words(vec![words]));
    }
    let plain = rephrase::rephrased(rule.to_vec(), chunker.lexicon);
    if let Some(rules) = exact.nearly(sentence) {
        return reader.exact(vec![exact::Part::Rules(rules)], sentence, chunker);
    }
    if !covered(&plain, exact, chunker) {
        let composed = exact.composed(rule).map(|rules| vec![exact::Part::Rules(rules)]);
        if let Some(parts) = composed.or_else(|| exact.sketched_late(sentence)) {
            return reader.exact(parts, rule, chunker);
        }
        let has_rules = reader.has_rules();
        let simpler = exact.simpler(sentence, has_rules);
        if let Some(parts) = simpler.or_else(|| exact.simplest(sentence, has_rules)) {
            return reader.exact(parts, sentence, chunker);
        }
    }
    for clause in &clause::clauses(&plain, chunker) {
        reader.clause(clause);
    }
}

/// Whether the looser reader takes every word of a sentence into what it makes of it.
fn covered(plain: &[token::Token], exact: &exact::Exact<'_>, chunker: &Chunker<'_>) -> bool {
    let mut alone = interpret::Interpreter::new(chunker.lexicon, chunker.hand);
    for clause in &clause::clauses(plain, chunker) {
        alone.clause(clause);
    }
    let Ok(reading) = alone.finish() else { return false };
    let mut cases = reading.meanings.iter().flat_map(|meaning| &meaning.cases);
    if cases.clone().any(|case| exact.guesses(case, plain)) {
        return false;
    }
    let whole = coverage::together(&mut cases);
    if exact::guard::turned_round(plain, std::iter::once(&whole)).is_some() {
        return false;
    }
    coverage::lost(plain, &whole, chunker.lexicon, chunker.hand, chunker.year).is_none()
}

impl Trouble {
    /// Whether the part only gives advice: next to a rule that was understood, it changes nothing.
    fn is_mere_advice(&self) -> bool {
        matches!(self, Trouble::NoRule | Trouble::Broad(_))
            || matches!(self, Trouble::Vague(what) if what.contains("only"))
    }
}

impl Reading {
    /// Its rules, one for each case.
    fn rules(self) -> Vec<(Verdict, Case)> {
        let each = |meaning: Meaning| meaning.cases.into_iter().map(move |case| (meaning.verdict, case));
        self.meanings.into_iter().flat_map(each).collect()
    }

    /// What it means under a verdict.
    pub fn meaning(&self, verdict: Verdict) -> Option<&Meaning> {
        self.meanings.iter().find(|meaning| meaning.verdict == verdict)
    }
}

/// How a sentence is cut, for those who want to see it.
pub fn shown(text: &str, hand: &Hand, year: i16) -> Vec<String> {
    let Ok(lexicon) = Lexicon::built_in() else { return Vec::new() };
    let chunker = Chunker { lexicon, hand, year };
    let clauses = clause::clauses(&token::tokens(text), &chunker);
    clauses.iter().map(|clause: &Clause| format!("{:?} {}", clause.part, clause.shown(lexicon))).collect()
}
