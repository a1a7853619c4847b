//! Clauses that say in one breath what tables state one by one: several things that are forbidden together, what is allowed and
//! "nothing else", and a rule about "it" behind what is told of something.

use super::{Rules, form};
use crate::english::exact::told::turned::word;
use crate::english::exact::{Exact, words};
use crate::english::token::{Shape, Token};
use crate::meaning::Test;

/// Words under which a list says what is allowed or when, so that its members do not count one by one.
const TOGETHER: &[&str] = &[
    "only",
    "just",
    "may",
    "can",
    "except",
    "unless",
    "without",
    "both",
    "between",
    "but",
    "until",
    "besides",
    "than",
    "exclusively",
    "solely",
    "always",
    "must",
    "first",
    "either",
    "same",
    "all",
    "from",
    "if",
    "when",
    "after",
    "before",
    "stay",
    "stays",
    "keep",
    "needs",
    "need",
    "every",
];

/// Words that forbid.
const DENYING: &[&str] = &[
    "never",
    "no",
    "not",
    "don't",
    "nothing",
    "nobody",
    "mustn't",
    "cannot",
    "can't",
    "isn't",
    "aren't",
    "off",
    "banned",
    "forbidden",
    "taboo",
    "prohibited",
];

/// Words that are no members of a list by themselves.
const NO_MEMBERS: &[&str] = &[
    "the",
    "a",
    "an",
    "any",
    "my",
    "our",
    "your",
    "it",
    "them",
    "him",
    "her",
    "me",
    "us",
    "you",
    "i",
    "we",
    "they",
    "never",
    "no",
    "not",
    "nothing",
    "is",
    "are",
    "be",
    "to",
    "in",
    "on",
    "at",
    "for",
    "with",
    "by",
    "so",
    "then",
    "more",
    "less",
    "fewer",
    "later",
    "earlier",
    "before",
    "after",
    "above",
    "below",
    "under",
    "over",
    "anything",
    "something",
    "else",
    "other",
    "others",
    "one",
    "two",
    "ever",
    "neither",
    "that",
    "this",
    "there",
    "here",
    "up",
    "down",
    "out",
    "off",
];

/// Most members of a list that is taken apart.
const MOST_MEMBERS: usize = 6;

impl Exact<'_> {
    /// Several things that are forbidden or asked about right at the beginning, each of them read in whatever way.
    pub(in crate::english) fn listed_first(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        let tokens = words::core(tokens);
        let head = form::head(tokens)?;
        let at = tokens.iter().rposition(|token| is_word(token, &["or", "and", "nor"]))?;
        let (members, from, _) = members(tokens, at)?;
        let are_words = members.iter().all(|member| member.shape == Shape::Word);
        (from == head && are_words).then(|| self.listed(tokens, read)).flatten()
    }

    /// "Never delete or overwrite anything in legal/": each member with what stands around the list is stated by itself.
    pub(super) fn listed(&self, tokens: &[Token], read: &dyn Fn(&[Token]) -> Option<Rules>) -> Option<Rules> {
        let tokens = words::core(tokens);
        let at = tokens.iter().rposition(|token| is_word(token, &["or", "and", "nor"]))?;
        let (members, from, behind) = members(tokens, at)?;
        let (front, rest) = (tokens.get(..from)?, tokens.get(behind..)?);
        // "…, private or public" tells of what stands before it.
        let goes_before = |token: &Token| matches!(token.shape, Shape::Mark(_)) || token.low == "neither";
        if front.last().is_some_and(goes_before) {
            return None;
        }
        if from == 0 && members.iter().all(|member| member.shape == Shape::Word) && rest.is_empty() {
            return None;
        }
        if !is_denied(tokens, from) {
            return None;
        }
        let each = |with_rest: bool| {
            let mut all = Rules::new();
            for (number, member) in members.iter().enumerate() {
                let is_last = number + 1 == members.len();
                let behind = if with_rest || is_last { rest } else { Default::default() };
                let said: Vec<Token> =
                    front.iter().chain(std::iter::once(*member)).chain(behind).cloned().collect();
                let rules = read(&said)?;
                all.extend(rules.into_iter().filter(|rule| !all.contains(rule)).collect::<Rules>());
            }
            Some(all)
        };
        each(true).or_else(|| if rest.is_empty() { None } else { each(false) })
    }

    /// "You may look at nginx/ and nowhere else", "only to acme.com, no other address": what is said once more is left out.
    pub(super) fn and_nothing_else(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        let cuts = (2..tokens.len()).filter(|at| {
            tokens.get(*at).is_some_and(|token| {
                matches!(token.shape, Shape::Mark(',' | ';' | '.' | ':' | '–' | '—' | '-'))
                    || is_word(token, &["and", "but", "-", "–", "—"])
            })
        });
        let cuts: Vec<usize> = cuts.collect();
        cuts.into_iter().find_map(|at| {
            let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            let behind = words::strip(behind, &["and", "but", "so"]).unwrap_or(behind);
            let is_only =
                |token: &Token| is_word(token, &["only", "just", "nothing", "solely", "exclusively"]);
            if !is_nothing_else(behind) || words::core(front).len() < 2 {
                return None;
            }
            if front.iter().any(is_only) {
                return read(front);
            }
            let at = front.iter().position(|token| is_word(token, &["may", "can", "get", "gets"]));
            if let Some(at) = at {
                let (first, last) = front.split_at(at + 1);
                let only: Vec<Token> =
                    first.iter().cloned().chain([word("only")]).chain(last.iter().cloned()).collect();
                return read(&only);
            }
            let limits = |test: &Test| {
                matches!(
                    test,
                    Test::Place { inside: false, .. }
                        | Test::Program { is: false, .. }
                        | Test::Did { is: false, .. }
                )
            };
            read(front).filter(|rules| rules.iter().all(|(_, case)| case.tests.iter().any(limits)))
        })
    }

    /// "dumps/ holds customer exports, nothing from there may be sent away": with what was told of in the place of "there".
    pub(super) fn of_what_was_told(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        (1..tokens.len().saturating_sub(2)).find_map(|at| {
            let parts = matches!(tokens.get(at)?.shape, Shape::Mark(',' | ';' | ':' | '.' | '–' | '—'));
            let (told, rule) = (tokens.get(..at)?, tokens.get(at + 1..)?);
            let rule = parts.then(|| self.referred(told, rule)).flatten()?;
            read(words::core(&rule))
        })
    }
}

/// Whether a list that begins there is one of things that are forbidden or asked about one by one. "Only on Monday or Tuesday",
/// "is Low or High": together they say what may be.
pub(super) fn is_denied(tokens: &[Token], from: usize) -> bool {
    let (front, rest) = tokens.split_at(from.min(tokens.len()));
    let head = form::head(tokens).filter(|head| *head <= from);
    let is_denied = head.is_some()
        || front.iter().any(|token| is_word(token, DENYING))
        || (from == 0 && rest.iter().any(|token| is_word(token, DENYING)));
    let inner = tokens.get(head.unwrap_or(0)..).unwrap_or_default();
    is_denied && !inner.iter().any(|token| is_word(token, TOGETHER))
}

pub(super) fn is_word(token: &Token, any: &[&str]) -> bool {
    token.shape == Shape::Word && any.contains(&token.low.as_str())
}

/// The members of the list around a joint, where it begins, and where it ends.
fn members(tokens: &[Token], joint: usize) -> Option<(Vec<&Token>, usize, usize)> {
    let is_member = |token: &&Token| {
        let is_light = token.shape == Shape::Word && NO_MEMBERS.contains(&token.low.as_str());
        !matches!(token.shape, Shape::Mark(_) | Shape::Number) && !is_light
    };
    let last = tokens.get(joint + 1).filter(is_member)?;
    let mut from = joint.checked_sub(1)?;
    // "a, b, or c"
    if tokens.get(from).is_some_and(|token| token.shape == Shape::Mark(',')) {
        from = from.checked_sub(1)?;
    }
    let mut members = vec![last, tokens.get(from).filter(is_member)?];
    while members.len() < MOST_MEMBERS
        && let Some(before) = from.checked_sub(2)
        && tokens.get(before + 1).is_some_and(|token| token.shape == Shape::Mark(','))
        && let Some(member) = tokens.get(before).filter(is_member)
    {
        members.push(member);
        from = before;
    }
    let alike = members.iter().all(|member| (member.shape == Shape::Word) == (last.shape == Shape::Word));
    members.reverse();
    alike.then_some((members, from, joint + 2))
}

/// What begins a clause that says that there is nothing besides.
const NONE: &[&str] = &[
    "nowhere",
    "nothing",
    "nobody",
    "no",
    "none",
    "not",
    "never",
    "in no",
    "to no",
    "to nobody",
    "with nobody",
    "from nobody",
    "for nobody",
    "to nothing",
    "with nothing",
    "on no",
    "from no",
    "at no",
    "into no",
    "with no",
    "the other",
    "the others",
    "other",
    "others",
    "all other",
    "all others",
    "any other",
    "the rest",
    "everything",
    "everyone",
    "everybody",
    "anything",
    "anyone",
    "anybody",
    "anywhere",
    "pages from anywhere",
    "everywhere",
    "keep out of",
    "don't",
    "do not",
    "stay out of",
    "leave",
];

/// Whether words only say that there is nothing besides.
fn is_nothing_else(tokens: &[Token]) -> bool {
    let tokens = words::core(tokens);
    let rest = words::strip(tokens, NONE).is_some();
    let is_other = |token: &Token| {
        is_word(
            token,
            &[
                "else",
                "else's",
                "other",
                "others",
                "elsewhere",
                "rest",
                "more",
                "further",
                "anybody's",
                "anyone's",
            ],
        )
    };
    let allows = |token: &Token| {
        is_word(
            token,
            &[
                "fine", "ok", "okay", "allowed", "free", "yours", "unless", "except", "only", "ask", "if",
                "than",
            ],
        )
    };
    rest && tokens.len() <= 10
        && tokens.iter().any(is_other)
        && tokens.iter().all(|token| matches!(token.shape, Shape::Word | Shape::Mark('\'' | ',')))
        && !tokens.iter().any(allows)
}
