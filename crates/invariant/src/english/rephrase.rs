//! Ways of putting something that are other ways of putting something plainer: "doesn't belong on" is "must never be
//! sent to". What is left is read as if it had been written so.

use super::lexicon::Lexicon;
use super::token::{Shape, Token};

/// Verbs that say what each of something has: "every commit message carries a ticket".
const CARRYING: &[&str] = &[
    "carries", "carry", "contains", "contain", "includes", "include", "has", "have", "bears", "names",
    "mentions", "states", "uses", "gets",
];

/// A text with plainer words in the places of others.
pub(crate) fn rephrased(tokens: Vec<Token>, lexicon: &Lexicon) -> Vec<Token> {
    let tokens = in_order(tokens);
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    let mut each = false;
    while let Some(rest) = tokens.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(token) = rest.first() else { break };
        let starts = plain.last().is_none_or(|before| matches!(before.shape, Shape::Mark('.' | '!' | ';')));
        each = (each && !starts) || (starts && matches!(token.low.as_str(), "every" | "each" | "all"));
        let names = plain.last().is_some_and(|before| before.shape == Shape::Mark(',')) && is_namely(rest);
        if names {
            plain.push(word("namely", token));
            at += 2;
            continue;
        }
        let is_wish = rest.get(1).is_some_and(|next| matches!(next.low.as_str(), "to" | "been"));
        if each && !starts && !is_wish && CARRYING.contains(&token.low.as_str()) {
            plain.extend([word("must", token), word("have", token)]);
            each = false;
            at += 1;
            continue;
        }
        match lexicon.rephrase(rest) {
            Some((words, length)) => {
                plain.extend(words.iter().map(|text| word(text, token)));
                at += length.max(1);
            }
            None => {
                plain.push(token.clone());
                at += 1;
            }
        }
    }
    plain
}

/// "…, that is @press.example and …": what follows says which.
fn is_namely(rest: &[Token]) -> bool {
    let low = |at: usize| rest.get(at).map_or("", |token: &Token| token.low.as_str());
    let is_literal =
        rest.get(2).is_some_and(|token| !matches!(token.shape, Shape::Word | Shape::Number | Shape::Mark(_)));
    matches!((low(0), low(1)), ("that" | "this", "is") | ("that", "means")) && is_literal
}

fn word(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: at.at }
}

/// A statement of how things are as a wish that they be so: "merge requests go into develop". None where nothing is stated.
pub(crate) fn declared(tokens: &[Token], lexicon: &Lexicon) -> Option<Vec<Token>> {
    const STATING: &[&str] =
        &["are", "is", "stay", "stays", "remain", "remains", "go", "goes", "get", "gets"];
    // Nobody states a rule about himself.
    let first = tokens.first()?;
    if matches!(
        first.low.as_str(),
        "i" | "we"
            | "you"
            | "it"
            | "this"
            | "that"
            | "they"
            | "he"
            | "she"
            | "there"
            | "today"
            | "if"
            | "when"
            | "whenever"
            | "once"
            | "after"
            | "before"
            | "while"
    ) {
        return None;
    }
    // "Run everything by me that goes …" begins with what is to be done.
    if lexicon.is_wish(tokens) {
        return None;
    }
    let at = tokens.iter().position(|token| STATING.contains(&token.low.as_str())).filter(|at| *at > 0)?;
    let stated = tokens.get(at)?;
    let mut wished: Vec<Token> = tokens.get(..at)?.to_vec();
    wished.extend([word("must", stated), word("be", stated)]);
    wished.extend(tokens.get(at + 1..)?.iter().cloned());
    Some(wished)
}

/// "Before you push, run the tests" and "first run the tests, then push" as "run the tests before you push".
fn in_order(mut tokens: Vec<Token>) -> Vec<Token> {
    let low =
        |tokens: &[Token], at: usize| tokens.get(at).map_or(String::new(), |token: &Token| token.low.clone());
    let end = tokens
        .iter()
        .position(|token| matches!(token.shape, Shape::Mark('.' | '!' | ';')))
        .unwrap_or(tokens.len());
    let comma = tokens.iter().take(end).position(|token| token.shape == Shape::Mark(','));
    let next = low(&tokens, 1);
    if matches!(low(&tokens, 0).as_str(), "tests" | "test" | "testing") && next == "before" {
        let at = tokens.remove(0);
        tokens.splice(0..0, ["run", "the", "tests"].map(|text| word(text, &at)));
        return tokens;
    }
    let is_doing = matches!(next.as_str(), "you" | "any" | "every" | "each") || next.ends_with("ing");
    if low(&tokens, 0) == "before"
        && is_doing
        && let Some(comma) = comma
    {
        let rest: Vec<Token> = tokens.drain(end..).collect();
        let mut turned: Vec<Token> = tokens.drain(comma + 1..).collect();
        tokens.pop();
        turned.append(&mut tokens);
        turned.extend(rest);
        return turned;
    }
    let then = tokens.iter().take(end).position(|token| token.low == "then").filter(|at| *at > 1);
    let first = tokens.iter().take(end).position(|token| token.low == "first");
    if let (Some(first), Some(then)) = (first, then)
        && first < then
        && !tokens.iter().take(end).any(|token| matches!(token.low.as_str(), "ask" | "never" | "no" | "me"))
    {
        let at = tokens.get(then).cloned();
        let comma =
            then.checked_sub(1).filter(|before| matches!(low(&tokens, *before).as_str(), "," | "and"));
        let begins = comma.unwrap_or(then);
        if let Some(at) = at {
            tokens.splice(begins..=then, [word("before", &at), word("you", &at)]);
        }
        tokens.remove(first);
    }
    tokens
}
