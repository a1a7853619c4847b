//! Any bytes as the answers of a model, one after another between lines of dashes: asking ends after a few questions, and
//! what is proposed can be put into force, is broken by a call, and tells the user's sentence for its reason.
#![no_main]

use std::convert::Infallible;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_invariant::propose::{Ask, Prompt, Task, propose};
use portcullis_invariant::{Rulebook, Toolbox};
use portcullis_perceive::layout::{Ground, Layout};

const SENTENCE: &str = "outsiders have no business in our mail";

static TOOLS: LazyLock<Toolbox> = LazyLock::new(|| {
    let mut tools = Toolbox::new().expect("the catalogue is good");
    ["gmail", "filesystem"].iter().for_each(|server| tools.connect(server).expect("it is there"));
    tools
});

static GROUND: LazyLock<Ground> = LazyLock::new(|| {
    let layout = Layout {
        workspace: "/home/u/kept-quiet".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    };
    layout.ground().expect("it is laid out well")
});

/// Answers from the input; the last one again and again.
struct Script<'s> {
    answers: std::str::Split<'s, &'static str>,
    last: &'s str,
    asked: usize,
}

impl Ask for Script<'_> {
    type Error = Infallible;

    fn ask(&mut self, prompt: &Prompt) -> Result<String, Infallible> {
        assert!(!prompt.user.contains("/home/u/kept-quiet"), "the workspace is told");
        self.asked += 1;
        self.last = self.answers.next().unwrap_or(self.last);
        Ok(self.last.to_owned())
    }
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let mut script = Script { answers: text.split("\n---\n"), last: "", asked: 0 };
    let now = jiff::civil::date(2026, 3, 3).at(10, 0, 0, 0);
    let task = Task { sentence: SENTENCE, tools: &TOOLS, ground: &GROUND, now, prefix: "rule_0" };
    let outcome = propose(&task, &mut script);
    assert!(script.asked <= 6, "{} questions", script.asked);
    let Ok(proposal) = outcome else { return };
    let text = proposal.stated.written.text.clone();
    let book = Rulebook::new(vec![proposal.stated.clone()]).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(!book.is_empty() && !proposal.says.is_empty());
    assert!(proposal.cases.iter().any(|case| case.verdict.is_some()), "nothing breaks {text}");
    for line in text.lines().filter(|line| line.starts_with("deny(") || line.starts_with("must_ask(")) {
        assert!(line.contains(SENTENCE), "{line}");
    }
});
