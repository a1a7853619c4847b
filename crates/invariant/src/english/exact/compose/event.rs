//! What is done: "HTML mails", "push to main", "searches with more than 10 results", "edit_file calls".

use super::plain;
use crate::english::coverage;
use crate::english::exact::Exact;
use crate::english::exact::scope::Scope;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::lexicon::bases;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Doing, Form, Presence, Saying, Test};

/// What somebody does, in the passive, with what forbids it.
const PASSIVE: &[&str] = &[
    "must not be",
    "must never be",
    "may not be",
    "may never be",
    "should not be",
    "should never be",
    "shall not be",
    "cannot be",
    "can't be",
    "can not be",
    "is never",
    "are never",
    "is not",
    "are not",
    "isn't",
    "aren't",
    "never get",
    "never gets",
    "don't get",
    "doesn't get",
    "is not to be",
    "are not to be",
    "is never to be",
    "are never to be",
    "must not get",
    "may not get",
    "mustn't be",
    "shouldn't be",
    "will not be",
    "won't be",
];

/// Words that say something of what stands before them, or of somebody.
const SPEAKING: &[&str] = &["is", "are", "just", "leave", "ok", "fine", "you", "i", "they", "it", "use"];

impl Exact<'_> {
    /// Several things that are done.
    pub(super) fn events(&self, tokens: &[Token]) -> Option<Vec<Scope>> {
        if let Some(event) = self.event(tokens) {
            return Some(vec![event]);
        }
        let list = items(tokens);
        let speaks = |token: &Token| SPEAKING.contains(&token.low.as_str()) && token.shape == Shape::Word;
        if list.len() < 2 || list.len() > 5 || !is_list(tokens) || tokens.iter().any(speaks) {
            return None;
        }
        let last = list.last()?;
        let each = list.iter().map(|item| {
            let item = strip(item, &["no", "never", "don't", "not"]).unwrap_or(item);
            self.event(item).or_else(|| {
                // "create or delete labels in the shared mailbox": what it is done to stands at the end.
                (1..last.len()).find_map(|at| {
                    let joined: Vec<Token> = item.iter().chain(last.get(at..)?).cloned().collect();
                    self.event(&joined)
                })
            })
        });
        each.collect()
    }

    /// What is done, with all that is said of it.
    pub(super) fn event(&self, tokens: &[Token]) -> Option<Scope> {
        let tokens = plain(tokens);
        if let Some(event) = self.plain_event(tokens) {
            return Some(event);
        }
        if let Some((mut event, tests)) = self.described_event(tokens) {
            event.tests.extend(tests);
            return Some(event);
        }
        (1..tokens.len()).rev().find_map(|at| {
            let mut event = self.plain_event(tokens.get(..at)?)?;
            let tests = self.qualifiers(tokens.get(at..)?, &event)?;
            event.tests.extend(tests);
            Some(event)
        })
    }

    /// What is done, without anything said of it.
    pub(super) fn plain_event(&self, tokens: &[Token]) -> Option<Scope> {
        let tokens = plain(strip_end(tokens, &["anything", "something", "things"]).unwrap_or(tokens));
        if tokens.is_empty() || tokens.len() > 8 {
            return None;
        }
        let said = crate::english::exact::words::text(tokens);
        if let Some(known) = self.events.borrow().get(&said) {
            return known.clone();
        }
        self.fuel.set(self.fuel.get().checked_sub(1)?);
        let found = self.looked_up(tokens);
        self.events.borrow_mut().insert(said, found.clone());
        found
    }

    fn looked_up(&self, tokens: &[Token]) -> Option<Scope> {
        let acts = self.acts_named(tokens);
        if !acts.is_empty() {
            let doings = acts.into_iter().map(Doing::Did).collect();
            return Some(Scope { doings, ..Scope::default() });
        }
        let is_verb = |phrase: &crate::english::lexicon::Phrase| {
            matches!(phrase.entry, crate::english::lexicon::Entry::Verb(_))
        };
        let begins_with_verb = self.lexicon.phrases(tokens).iter().any(is_verb);
        let named = || if begins_with_verb { None } else { self.scope(tokens) };
        self.tool_named(tokens).or_else(named).or_else(|| self.loosely_done(tokens))
    }

    /// "edit_file", "edit_file calls".
    fn tool_named(&self, tokens: &[Token]) -> Option<Scope> {
        let named = strip_end(tokens, &["calls", "call"]).unwrap_or(tokens);
        let [one] = strip(named, &["use", "call", "run", "uses of", "calls of", "calls to"]).unwrap_or(named)
        else {
            return None;
        };
        let tool = self.hand.tool(&one.text)?;
        Some(Scope { tests: vec![Test::Tool { names: vec![tool], is: true }], ..Scope::default() })
    }

    /// What the looser reader makes of it, if every word is in that.
    fn loosely_done(&self, tokens: &[Token]) -> Option<Scope> {
        let (doings, tests) = self.loosely(tokens)?;
        if doings.is_empty() {
            return None;
        }
        let case = Case { doings, tests, ..Case::default() };
        if self.guesses(&case, tokens)
            || coverage::lost(tokens, &case, self.lexicon, self.hand, self.year).is_some()
        {
            return None;
        }
        Some(Scope { doings: case.doings, tests: case.tests, ..Scope::default() })
    }

    /// "draft pull requests", "WIP commits", "public repositories": what is said stands in front.
    pub(super) fn described_event(&self, tokens: &[Token]) -> Option<(Scope, Vec<Test>)> {
        let (first, rest) = plain(tokens).split_first()?;
        let event = self.plain_event(rest).filter(|_| !rest.is_empty())?;
        if let Some((names, value)) = self.flag(std::slice::from_ref(first)) {
            let check = Check::Forms(vec![Form::Is(value)]);
            return Some((event, vec![Test::Value { names, check, presence: Presence::One }]));
        }
        // A word that nobody knows, before something that has a text: what the text says.
        let has_text = event.doings.iter().any(|doing| {
            matches!(doing, Doing::Did(name) if matches!(name.as_str(), "commit" | "mail" | "post" | "comment"))
        });
        let is_text = first.shape == Shape::Quoted
            || (matches!(first.shape, Shape::Word | Shape::Identifier)
                && !bases(first).iter().any(|base| self.hand.has_word(base))
                && !self.lexicon.knows(first));
        (has_text && is_text).then(|| {
            let what = vec![Saying::Words(first.text.clone())];
            (event, vec![Test::Says { what, parameter: None, is: true }])
        })
    }

    /// "Attachments must never be sent to outsiders": what is done stands behind what it is done to.
    pub(super) fn done_to_it(&self, tokens: &[Token]) -> Option<Vec<Scope>> {
        let (object, _, done) = around(tokens, PASSIVE)?;
        let (verb, behind) = done.split_first()?;
        if object.is_empty() || verb.shape != Shape::Word {
            return None;
        }
        bases(verb).into_iter().skip(1).find_map(|base| {
            let verb = Token { text: base.clone(), low: base, ..verb.clone() };
            let active: Vec<Token> = std::iter::once(verb)
                .chain(bare(object).iter().cloned())
                .chain(behind.iter().cloned())
                .collect();
            self.events(&active)
        })
    }
}

/// Whether commas only part the items of one list: "posts, replies or reactions". Behind any other comma something else is
/// said.
pub(super) fn is_list(tokens: &[Token]) -> bool {
    let comma = |token: &Token| token.shape == Shape::Mark(',');
    let joins =
        |token: &Token| matches!(token.low.as_str(), "or" | "and" | "nor") && token.shape == Shape::Word;
    let last_comma = tokens.iter().rposition(comma);
    let last_joint = tokens.iter().rposition(joins);
    match (last_comma, last_joint) {
        (Some(comma), Some(joint)) => comma < joint,
        (Some(_), None) => false,
        (None, _) => true,
    }
}
