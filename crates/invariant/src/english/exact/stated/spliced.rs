//! Clauses that are put otherwise before tables state them: lists whose members are several words, "every mail you send",
//! and what is told of a thing first, even if that alone is a rule.

use super::recast::{is_denied, is_word};
use super::{Rules, form};
use crate::english::exact::told::turned::word;
use crate::english::exact::{Exact, words};
use crate::english::token::{Shape, Token};

/// Most words of a member, and most of all that belongs to it, such as an id in brackets.
const MOST_WORDS: usize = 4;
const MOST_TOKENS: usize = 8;

/// Words that a second member says once more: "no phone numbers and no addresses", "off a and off b".
const AGAIN: &[&str] = &[
    "no", "not", "never", "nor", "off", "to", "from", "in", "into", "on", "with", "about", "for", "at", "of",
    "any",
];

/// Words that say of something that it stays as it is.
const KEPT: &[&str] = &[
    "read-only",
    "readonly",
    "reading",
    "look-only",
    "looking",
    "untouched",
    "unchanged",
    "as",
    "frozen",
    "closed",
    "look",
    "read",
];

/// Words with which no member ends.
const LIGHT: &[&str] = &[
    "the", "a", "an", "any", "my", "our", "your", "to", "in", "on", "at", "for", "with", "by", "of", "from",
    "no", "not", "into", "about", "anything",
];

/// Verbs that only help others.
const AUXILIARIES: &[&str] = &[
    "may", "can", "must", "should", "will", "would", "do", "are", "have", "want", "need", "could", "might",
    "were", "had", "did", "don't",
];

impl Exact<'_> {
    /// "No phone numbers and no e-mail addresses in the files you write": each member with what stands around both.
    pub(super) fn spliced(&self, tokens: &[Token], late: bool) -> Option<Rules> {
        let read = |tokens: &[Token]| self.stated_whole(words::core(tokens), late);
        spliced(tokens, 1..=tokens.len(), &read)
    }

    /// The same right behind what forbids, each of them read in whatever way.
    pub(in crate::english) fn spliced_first(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        let tokens = words::core(tokens);
        let head = form::head(tokens)?;
        let is_again =
            tokens.windows(2).any(|pair| words::strip(pair, &["and no", "or no", "nor"]).is_some());
        let is_of_command = tokens.iter().any(|token| is_word(token, &["command", "commands"]));
        if !is_again || is_of_command {
            return None;
        }
        spliced(tokens, head..=head, read)
    }

    /// "Ask me before every mail you send": before you send a mail.
    pub(super) fn turned_round(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        let head = form::head(tokens)?;
        let (asking, rest) = tokens.split_at(head);
        let named = words::strip(rest, &["every single", "every", "each", "any", "all", "a", "an", "the"])
            .unwrap_or(rest);
        let at = named.iter().position(|token| is_word(token, &["you"])).filter(|at| (1..=4).contains(at))?;
        let noun = words::strip_end(named.get(..at)?, &["that", "which"]).unwrap_or(named.get(..at)?);
        let (verb, tail) = named.get(at + 1..)?.split_first()?;
        let is_plain = noun.iter().all(|token| !matches!(token.shape, Shape::Mark(_))) && !noun.is_empty();
        let is_verb = verb.shape == Shape::Word && !AUXILIARIES.contains(&verb.low.as_str());
        if !is_plain || !is_verb {
            return None;
        }
        let said: Vec<Token> = asking
            .iter()
            .chain([verb])
            .cloned()
            .chain([word("a")])
            .chain(noun.iter().chain(tail).cloned())
            .collect();
        read(&said)
    }

    /// "The Family calendar stays as it is: nothing deleted, nothing moved": what follows only says what that means.
    pub(super) fn spelled_out(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        let is_colon = |token: &Token| matches!(token.shape, Shape::Mark(':' | '–' | '—'));
        let at = tokens.iter().position(is_colon)?;
        let (front, behind) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let denies = |token: &Token| is_word(token, &["no", "nothing", "not", "never", "neither", "none"]);
        let is_item = |item: &[Token]| {
            let item = words::strip(words::core(item), &["and", "or", "also"]).unwrap_or(item);
            item.first().is_some_and(denies)
                && item.len() <= 4
                && item.iter().all(|token| token.shape == Shape::Word)
        };
        let mut items = behind.split(|token| token.shape == Shape::Mark(','));
        let is_kept = front.iter().any(|token| is_word(token, KEPT));
        (is_kept && front.len() > 2 && items.all(is_item)).then(|| read(front)).flatten()
    }

    /// "masters/ is off limits, don't read it and don't put anything in there": what is told is a rule by itself, and what
    /// follows says which.
    pub(super) fn said_closer(
        &self,
        tokens: &[Token],
        read: &dyn Fn(&[Token]) -> Option<Rules>,
    ) -> Option<Rules> {
        let at = tokens.iter().position(|token| matches!(token.shape, Shape::Mark(',' | ':' | ';' | '.')))?;
        let (told, rule) = (tokens.get(..at)?, tokens.get(at + 1..)?);
        let is = told.iter().position(|token| is_word(token, &["is", "are", "belongs", "belong", "stays"]));
        // "The Family calendar: add to it, but don't move anything there."
        let is_heading = || tokens.get(at).is_some_and(|token| token.shape == Shape::Mark(':'));
        let end = is.or_else(|| is_heading().then_some(told.len()))?;
        let subject = words::bare(told.get(..end)?);
        let opens = |token: &Token| is_word(token, &["it", "there", "that", "this", "what", "everything"]);
        if subject.is_empty() || subject.len() > 5 || subject.iter().any(opens) {
            return None;
        }
        let rule = words::strip(rule, &["so", "and", "please"]).unwrap_or(rule);
        form::head(rule).or_else(|| is.is_none().then_some(0))?;
        let plain = crate::english::exact::told::refer::replaced(rule, subject)?;
        let mut rules = read(words::core(&plain))?;
        // "…, don't even list it" goes beyond what was told, and what is off limits is closed to more than what is named behind it.
        let is_closed = told.iter().any(|token| is_word(token, &["limits", "taboo", "forbidden"]));
        if is_closed || rule.iter().any(|token| is_word(token, &["even", "either"])) {
            let more = read(told)?;
            rules.extend(more.into_iter().filter(|new| !rules.contains(new)).collect::<Rules>());
        }
        Some(rules)
    }
}

/// "No issues, no comments and no pull requests in other people's repositories": where is said once for all of them.
pub(super) fn shared(tokens: &[Token]) -> Option<Vec<Token>> {
    const WHERE: &[&str] = &["to", "in", "on", "for", "with", "from", "at", "into", "about"];
    let parts = |token: &Token| token.shape == Shape::Mark(',') || is_word(token, &["and", "or", "nor"]);
    let members: Vec<&[Token]> = tokens.split(parts).filter(|member| !member.is_empty()).collect();
    let (last, front) = members.split_last()?;
    let is_joined = tokens.iter().any(|token| is_word(token, &["and", "or", "nor"])) || members.len() > 2;
    let is_short = |member: &&[Token]| {
        (2..=4).contains(&member.len())
            && member.first().is_some_and(|first| is_word(first, &["no"]))
            && member.iter().all(|token| token.shape == Shape::Word && !is_word(token, WHERE))
    };
    let at = last.iter().position(|token| is_word(token, WHERE)).filter(|at| *at >= 2)?;
    let begins = last.first().is_some_and(|first| is_word(first, &["no"]));
    if front.is_empty() || !is_joined || !begins || !front.iter().all(is_short) || at > 4 {
        return None;
    }
    let comma = Token { shape: Shape::Mark(','), ..word(",") };
    let tail = last.get(at..)?;
    let mut all: Vec<Token> =
        front.iter().flat_map(|member| [member, tail, std::slice::from_ref(&comma)].concat()).collect();
    all.extend(last.iter().cloned());
    Some(all)
}

/// Each member of the one list in a clause, which begins at one of these words, with what stands around both.
fn spliced(
    tokens: &[Token],
    begins: std::ops::RangeInclusive<usize>,
    read: &dyn Fn(&[Token]) -> Option<Rules>,
) -> Option<Rules> {
    let joins = |at: &usize| tokens.get(*at).is_some_and(|token| is_word(token, &["or", "and", "nor"]));
    let joints: Vec<usize> = (1..tokens.len().saturating_sub(1)).filter(joins).collect();
    let [joint] = *joints.as_slice() else { return None };
    let is_neither = tokens.iter().any(|token| is_word(token, &["neither", "both", "either"]));
    if is_neither || !is_denied(tokens, joint) {
        return None;
    }
    let behind = tokens.get(joint + 1..)?;
    let again = words::strip(behind, AGAIN).filter(|rest| !rest.is_empty());
    let first = joint.saturating_sub(MOST_TOKENS).max(*begins.start());
    for from in first..joint.min(begins.end().saturating_add(1)) {
        let (front, member) = (tokens.get(..from)?, tokens.get(from..joint)?);
        // "No builds and no tests" has no "no no tests" in it.
        let denies =
            |token: Option<&Token>| token.is_some_and(|token| is_word(token, &["no", "not", "never"]));
        let is_twice = denies(front.last()) && denies(behind.first());
        let seconds = [Some(behind).filter(|_| !is_twice), again];
        for second in seconds.into_iter().flatten().filter(|_| is_member(member)) {
            let lengths = 1..=second.len().min(MOST_TOKENS);
            let found = lengths.rev().map(|length| second.split_at(length)).find_map(|(other, rest)| {
                let is_list = is_member(other) && (member.len() > 1 || other.len() > 1);
                is_list.then(|| both(front, member, other, rest, read)).flatten()
            });
            if found.is_some() {
                return found;
            }
        }
    }
    None
}

/// Whether words may be a member of a list: nothing parts them.
fn is_member(tokens: &[Token]) -> bool {
    let parts = |token: &Token| {
        matches!(token.shape, Shape::Mark(mark) if !matches!(mark, '(' | ')' | '#'))
            || is_word(token, &["or", "and", "nor", "but", "never", "don't", "you", "i", "is", "are", "me"])
    };
    let opens = tokens.iter().filter(|token| token.shape == Shape::Mark('(')).count();
    let closes = tokens.iter().filter(|token| token.shape == Shape::Mark(')')).count();
    let words = tokens.iter().filter(|token| !matches!(token.shape, Shape::Mark(_))).count();
    let words = words - opens.min(words);
    let ends = |token: &Token| is_word(token, LIGHT);
    opens == closes && !tokens.last().is_some_and(ends) && words <= MOST_WORDS && !tokens.iter().any(parts)
}

fn both(
    front: &[Token],
    member: &[Token],
    other: &[Token],
    rest: &[Token],
    read: &dyn Fn(&[Token]) -> Option<Rules>,
) -> Option<Rules> {
    let with = |member: &[Token]| read(&[front, member, rest].concat());
    // The second is the rarer one to fit.
    let more = with(other)?;
    let mut rules = with(member)?;
    rules.extend(more.into_iter().filter(|rule| !rules.contains(rule)).collect::<Rules>());
    Some(rules)
}
