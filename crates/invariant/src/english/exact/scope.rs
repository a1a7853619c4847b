//! What is done or made, as a noun: "every pull request", "web searches", "a mail to somebody outside acme.com".

use super::Exact;
use super::words::{bare, stems, strip_end};
use crate::english::chunk::Piece;
use crate::english::frame::Framer;
use crate::english::interpret::Interpreter;
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Doing, Test};

/// What calls a rule is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// Words that the names of its tools have.
    pub(super) nouns: Vec<String>,
    pub(super) doings: Vec<Doing>,
    pub(super) tests: Vec<Test>,
    /// Whether tools make it, so that one that is new can be told from one that is changed.
    pub(super) is_made: bool,
}

/// What somebody does who makes something: "every issue you open".
pub(super) const MAKING: &[&str] = &[
    "you open",
    "you create",
    "you make",
    "you write",
    "you send",
    "you file",
    "you add",
    "you post",
    "you book",
    "you schedule",
    "you raise",
    "you start",
    "you submit",
    "you run",
    "you do",
    "you fire off",
    "you set up",
    "you enter",
    "you do",
    "you publish",
    "that you open",
    "that you create",
    "that you make",
    "that you write",
    "that you send",
    "that you file",
    "that you add",
    "that you post",
    "that you book",
    "we make",
    "we open",
    "we send",
];

impl Scope {
    /// Calls that make it anew.
    pub(super) fn made(&self) -> (Vec<Doing>, Vec<Test>) {
        let mut tests = self.tests.clone();
        if !self.is_made {
            return (self.doings.clone(), tests);
        }
        let create = "create".to_owned();
        if self.doings.iter().any(|doing| matches!(doing, Doing::Did(_))) {
            tests.push(Test::Did { actions: vec![create], is: true });
            return (self.doings.clone(), tests);
        }
        (vec![Doing::Did(create)], tests)
    }

    /// Calls that make or change it.
    pub(super) fn written(&self) -> (Vec<Doing>, Vec<Test>) {
        let doings =
            if self.doings.is_empty() { vec![Doing::Deed(Deed::Writes)] } else { self.doings.clone() };
        (doings, self.tests.clone())
    }
}

impl Exact<'_> {
    /// What calls a noun means, if every word of it is understood.
    pub(super) fn scope(&self, tokens: &[Token]) -> Option<Scope> {
        let tokens = bare(tokens);
        let tokens = strip_end(tokens, MAKING).unwrap_or(tokens);
        if tokens.is_empty() || tokens.iter().any(|token| token.shape == Shape::Mark('(')) && tokens.len() < 3
        {
            return None;
        }
        self.plain(tokens).or_else(|| self.described(tokens))
    }

    /// "issues", "pull requests", "web searches".
    fn plain(&self, tokens: &[Token]) -> Option<Scope> {
        let nouns = stems(tokens);
        for phrase in self.lexicon.phrases(tokens).into_iter().filter(|phrase| phrase.length == tokens.len())
        {
            match phrase.entry {
                Entry::Act(number) => {
                    let action = self.lexicon.action(number)?;
                    let doing = crate::english::interpret::doing(&action.name, &action.deed)?;
                    let has = self.hand.has_tool_about(&nouns);
                    let is_made = matches!(action.name.as_str(), "schedule" | "comment" | "draft");
                    let nouns = if has { nouns } else { Vec::new() };
                    return Some(Scope { nouns, doings: vec![doing], tests: Vec::new(), is_made });
                }
                Entry::Thing(number) => {
                    let thing = self.lexicon.thing(number)?;
                    if !thing.tool.is_empty() && self.hand.has_tool_word(&thing.tool) {
                        return Some(about(vec![thing.tool.clone()]));
                    }
                }
                _ => {}
            }
        }
        let is_noun =
            nouns.iter().all(|noun| !matches!(noun.as_str(), "name" | "id" | "get" | "list" | "set"));
        (is_noun && self.hand.has_tool_about(&nouns)).then(|| match nouns.as_slice() {
            // "a mute" is what `mute_host` does.
            [one] if !self.hand.is_about(one) && self.hand.is_first_word(one) => {
                let doings = vec![Doing::Did(one.clone())];
                Scope { nouns: nouns.clone(), doings, tests: Vec::new(), is_made: false }
            }
            _ => about(nouns),
        })
    }

    /// With more behind it, read as the looser reader does, if nothing is left over.
    fn described(&self, tokens: &[Token]) -> Option<Scope> {
        let is_between = |token: &&Token| {
            matches!(
                token.low.as_str(),
                "to" | "in" | "on" | "at" | "from" | "outside" | "inside" | "under" | "for" | "into"
            )
        };
        let at = tokens.iter().position(|token| is_between(&token))?;
        // What is made must be known by itself.
        let made = self.plain(bare(tokens.get(..at)?))?;
        let (doings, tests) = self.loosely_named(tokens)?;
        (!doings.is_empty()).then_some(Scope { nouns: made.nouns, doings, tests, is_made: false })
    }

    /// What the looser reader makes of words, if it leaves none of them out.
    pub(super) fn loosely(&self, tokens: &[Token]) -> Option<(Vec<Doing>, Vec<Test>)> {
        let pieces: Vec<Piece> = self.chunker().chunks(tokens);
        self.drafted(&pieces)
    }

    /// The same for a noun with what is said of it.
    fn loosely_named(&self, tokens: &[Token]) -> Option<(Vec<Doing>, Vec<Test>)> {
        let any = Token { text: "any".to_owned(), low: "any".to_owned(), shape: Shape::Word, at: 0 };
        let named: Vec<Token> = std::iter::once(any).chain(tokens.iter().cloned()).collect();
        self.drafted(&self.chunker().chunks(&named))
    }

    fn drafted(&self, pieces: &[Piece]) -> Option<(Vec<Doing>, Vec<Test>)> {
        let framer = Framer { lexicon: self.lexicon, hand: self.hand };
        let frame = framer.frame(pieces);
        if !frame.unknown.is_empty() || frame.excepted.is_some() || frame.needed.is_some() {
            return None;
        }
        let reader = Interpreter::new(self.lexicon, self.hand);
        let draft = reader.draft(&frame).ok()?;
        (!reader.has_left_out() && draft.unless.is_empty()).then_some((draft.doings, draft.tests))
    }
}

fn about(nouns: Vec<String>) -> Scope {
    let last = nouns.last().cloned().unwrap_or_default();
    let tests = vec![Test::About { nouns: vec![last], is: true }];
    Scope { nouns, doings: Vec::new(), tests, is_made: true }
}
