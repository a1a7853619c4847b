//! Every sentence of the corpora whose rule fits, on all of its calls.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use portcullis_invariant::cedar::{self, Misfit};
use portcullis_invariant::trial::{Judged, run_shown};

use crate::evaluator::{Evaluator, engine};

/// The year of dates that say none.
const YEAR: i16 = 2026;

/// Of a hundred rules so many can be said in Cedar at least; most of the others are exceptions over all
/// arguments of a call. The more sentences are read by forms of tables, the more have such exceptions.
const FLOOR: f64 = 88.5;

/// The same for the rules of a corpus that are read by forms with more such exceptions.
const FEWER: f64 = 84.8;

#[test]
fn cedar_judges_every_call_of_the_first_corpus_as_the_engine_does() {
    Found::of("first").hold(FLOOR);
}

#[test]
fn cedar_judges_every_call_of_the_second_corpus_as_the_engine_does() {
    Found::of("second").hold(FLOOR);
}

#[test]
fn cedar_judges_every_call_of_the_third_corpus_as_the_engine_does() {
    Found::of("third").hold(FLOOR);
}

#[test]
fn cedar_judges_every_call_of_the_fourth_corpus_as_the_engine_does() {
    Found::of("fourth").hold(FEWER);
}

/// What came of a corpus.
#[derive(Default)]
struct Found {
    /// By the text of their policies, for the same sentence may mean another rule beside other tools.
    evaluators: BTreeMap<String, Evaluator>,
    misfits: BTreeMap<String, Misfit>,
    /// Calls judged by both.
    calls: usize,
    broken: usize,
    /// Those that break a rule as far as anybody can tell.
    uncertain: usize,
    differences: Vec<String>,
}

impl Found {
    fn of(corpus: &str) -> Found {
        let mut found = Found::default();
        for path in files(corpus) {
            let text = std::fs::read_to_string(&path).unwrap();
            run_shown(&text, YEAR, &mut |judged| found.compare(judged)).unwrap();
        }
        found
    }

    fn compare(&mut self, judged: &Judged<'_>) {
        // A sentence that is not understood is no rule.
        let Some(exported) = cedar::export(judged.book).pop() else { return };
        let policies = match exported.policies {
            Ok(policies) => policies,
            Err(misfit) => {
                self.misfits.insert(exported.sentence, misfit);
                return;
            }
        };
        let text: Vec<String> = policies.iter().map(ToString::to_string).collect();
        let evaluator = self.evaluators.entry(text.join("\n")).or_insert_with(|| Evaluator::new(&policies));
        let engine = engine(judged);
        let cedar = evaluator.verdicts(judged);
        self.calls += 1;
        self.broken += usize::from(!engine.is_empty());
        self.uncertain += usize::from(judged.breaches.iter().any(|breach| !breach.certain));
        if engine != cedar {
            let because: Vec<_> = judged.breaches.iter().map(|breach| &breach.because).collect();
            let text = text.join("\n");
            self.differences.push(format!("engine {engine:?}, Cedar {cedar:?}, because {because:?}\n{text}"));
        }
    }

    fn hold(&self, floor: f64) {
        let fit = self.evaluators.len();
        let all = fit + self.misfits.len();
        let share = 100.0 * fit as f64 / all as f64;
        println!(
            "{share:.1} % of {all} rules fit; {} calls, {} break their rule, {} of them perhaps",
            self.calls, self.broken, self.uncertain
        );
        self.misfits.iter().for_each(|(sentence, misfit)| println!("  {misfit}: {sentence}"));
        assert!(self.differences.is_empty(), "{}", self.differences.join("\n\n"));
        assert!(share >= floor, "{share:.1} % of the rules fit, less than {floor} %");
        assert!(self.broken > 100 && self.calls - self.broken > 100, "both answers are compared");
    }
}

fn files(corpus: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/invariant/tests/cases/sentences");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root.join(corpus)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
