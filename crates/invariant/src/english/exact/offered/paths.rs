//! Tools that pass any request on, such as `jira_post`: what a rule names stands in the path of the request.

use super::finds::Finds;
use super::forms::forms;
use super::pieces::{Piece, Stance};
use super::{Care, Reader, Rules};
use crate::english::exact::told::bag::is_word_of;
use crate::english::token::{Shape, Token};
use crate::hand::{Offer, Sort};
use crate::meaning::{Case, Check, Form, Presence, Test, Verdict};
use crate::names;

const METHODS: &[&str] = &["get", "post", "put", "patch", "delete"];

/// What is done, by the methods that do it.
const DONE: &[(&str, &[&str])] =
    &[("delete", &["delete"]), ("create", &["post"]), ("update", &["put", "patch"])];

impl Reader<'_> {
    /// The tools that pass requests on, with their methods.
    fn passing(&self) -> Vec<(&Offer, &str)> {
        let passes = |offer: &&Offer| {
            offer.words.len() < 4 && offer.argument("path").is_some_and(|path| path.sort == Sort::Text)
        };
        let own = self.finder.hand.offers().filter(passes);
        own.filter_map(|offer| {
            let method = offer.words.iter().find(|word| METHODS.contains(&word.as_str()))?;
            Some((offer, method.as_str()))
        })
        .collect()
    }

    pub(super) fn passes_requests(&self) -> bool {
        self.passing().len() > 1
    }

    /// Rules about what requests are about.
    pub(super) fn requested(&self) -> Option<Rules> {
        let mut rules = Rules::new();
        for (piece, finds) in &self.found {
            match piece.stance {
                Stance::Deny => rules.extend(self.request_denied(piece, finds)?),
                Stance::Only | Stance::Always => rules.extend(self.request_placed(piece, finds)?),
                Stance::Allow | Stance::Told if self.care == Care::Whole && !finds.values.is_empty() => {
                    return None;
                }
                Stance::Allow | Stance::Told => {}
            }
        }
        (!rules.is_empty()).then_some(rules)
    }

    fn request_denied(&self, piece: &Piece<'_>, finds: &Finds) -> Option<Rules> {
        let said: Vec<&str> = self.said_acts(piece);
        let methods: Vec<&str> = DONE
            .iter()
            .filter(|(act, _)| said.contains(act))
            .flat_map(|(_, methods)| methods.iter().copied())
            .collect();
        let fits = |method: &str| {
            if methods.is_empty() || finds.is_broad { method != "get" } else { methods.contains(&method) }
        };
        let tools: Vec<String> = self
            .passing()
            .iter()
            .filter(|(_, method)| fits(method))
            .map(|(offer, _)| offer.tool.clone())
            .collect();
        let keys = keys(piece.tokens);
        let mut tests = vec![Test::Tool { names: tools.clone(), is: true }];
        let mut nouns = self.nouns(piece.tokens);
        if !keys.is_empty() {
            nouns.retain(|noun| {
                !self.finder.words.is_same(noun, "issue") && noun != "project" && noun != "board"
            });
            tests.push(in_path(keys));
        }
        if nouns.len() > 2 || tools.is_empty() || tests.len() + nouns.len() < 2 {
            return None;
        }
        for noun in nouns {
            let has = self.finder.words.alike(&noun).into_iter().map(Form::Has).collect();
            tests.push(in_path(has));
        }
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "new issues only in project OPS"
    fn request_placed(&self, piece: &Piece<'_>, finds: &Finds) -> Option<Rules> {
        let said = self.said_acts(piece);
        let keys: Vec<Form> = keys(piece.tokens);
        let thing = self.nouns(piece.tokens).into_iter().find(|noun| noun != "project" && noun != "board")?;
        if keys.is_empty() || !(said.contains(&"create") || finds.acts.contains("create")) {
            return None;
        }
        let tools = self
            .passing()
            .iter()
            .filter(|(_, method)| *method == "post")
            .map(|(offer, _)| offer.tool.clone())
            .collect();
        let ends = self
            .finder
            .words
            .alike(&thing)
            .into_iter()
            .flat_map(|word| [Form::Ends(format!("/{word}")), Form::Ends(format!("/{word}s"))]);
        let tests = vec![
            Test::Tool { names: tools, is: true },
            in_path(ends.collect()),
            Test::Value {
                names: vec!["project".to_owned()],
                check: Check::Forms(keys),
                presence: Presence::Other,
            },
        ];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    fn said_acts(&self, piece: &Piece<'_>) -> Vec<&'static str> {
        piece
            .tokens
            .iter()
            .filter(|token| token.shape == Shape::Word)
            .flat_map(|token| self.finder.words.acts_said(&token.low))
            .collect()
    }

    /// What a piece is about, besides what is done.
    fn nouns(&self, tokens: &[Token]) -> Vec<String> {
        let done = |token: &Token| {
            self.finder.words.acts_said(&token.low).iter().any(|act| DONE.iter().any(|(own, _)| own == act))
        };
        let is_noun = |token: &&Token| {
            token.shape == Shape::Word
                && token.low.len() > 3
                && !is_word_of("anything", &token.low)
                && !["light", "broad", "denying", "reserved", "allowing", "only", "always", "common"]
                    .iter()
                    .any(|kind| self.finder.words.is(kind, &token.low))
                && !done(token)
                && !token.text.chars().all(char::is_uppercase)
                && self.finder.hand.server_like(&token.low).is_none()
        };
        let mut nouns: Vec<String> = Vec::new();
        for token in tokens.iter().filter(is_noun) {
            let base = crate::english::lexicon::word_bases(&token.low)
                .into_iter()
                .min_by_key(String::len)
                .unwrap_or_default();
            let stem = if token.low.ends_with("ed") || token.low.ends_with("ing") {
                base
            } else {
                names::stem(&token.low)
            };
            if !nouns.contains(&stem) {
                nouns.push(stem);
            }
        }
        nouns
    }
}

/// Keys of projects: `OPS`, and what is in them.
fn keys(tokens: &[Token]) -> Vec<Form> {
    let is_key = |token: &&Token| {
        matches!(token.shape, Shape::Word | Shape::Identifier)
            && token.text.len() > 1
            && token
                .text
                .chars()
                .all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '-')
            && token.text.chars().any(|letter| letter.is_ascii_uppercase())
            && token.text != "I"
    };
    tokens.iter().filter(is_key).flat_map(|token| forms(&token.text)).collect()
}

fn in_path(forms: Vec<Form>) -> Test {
    Test::Value { names: vec!["path".to_owned()], check: Check::Forms(forms), presence: Presence::One }
}
