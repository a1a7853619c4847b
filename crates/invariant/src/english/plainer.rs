//! Ways of writing that are made plain before anything is read: a number of one's own without brackets, and "the last 200
//! lines", which are 200.

use super::token::{Shape, Token};

/// The words, made plain.
pub(super) fn plainer(tokens: Vec<Token>) -> Vec<Token> {
    counted(bracketed(tokens))
}

/// "my phone number 912 33 480" as "my phone number (912 33 480)".
fn bracketed(tokens: Vec<Token>) -> Vec<Token> {
    const NUMBERS: &[&str] = &["number", "iban", "pin", "account", "code"];
    let is_own =
        tokens.iter().any(|token| matches!(token.low.as_str(), "my" | "our" | "her" | "his" | "their"));
    let Some(at) = tokens.iter().position(|token| NUMBERS.contains(&token.low.as_str())).filter(|_| is_own)
    else {
        return tokens;
    };
    let digits = |token: &&Token| {
        matches!(token.shape, Shape::Number | Shape::Identifier)
            && token.text.chars().all(|letter| letter.is_ascii_digit() || "+-/ ".contains(letter))
    };
    let length = tokens.iter().skip(at + 1).take_while(digits).count();
    let total: usize = tokens.iter().skip(at + 1).take(length).map(|token| token.text.len()).sum();
    if length == 0 || total < 5 {
        return tokens;
    }
    let mark = |sign: char, near: &Token| Token {
        text: sign.to_string(),
        low: sign.to_string(),
        shape: Shape::Mark(sign),
        at: near.at,
    };
    let mut plain = Vec::with_capacity(tokens.len() + 2);
    for (place, token) in tokens.into_iter().enumerate() {
        if place == at + 1 {
            plain.push(mark('(', &token));
        }
        let close = (place == at + length).then(|| mark(')', &token));
        plain.push(token);
        plain.extend(close);
    }
    plain
}

/// "more than the last 200 lines" as "more than 200 lines".
fn counted(tokens: Vec<Token>) -> Vec<Token> {
    let is_which =
        |token: &Token| matches!(token.low.as_str(), "last" | "first" | "newest" | "latest" | "top");
    let is_number = |token: Option<&Token>| token.is_some_and(|token| token.shape == Shape::Number);
    let is_unit = |token: Option<&Token>| {
        token.is_some_and(|token| {
            matches!(
                token.low.as_str(),
                "lines"
                    | "commits"
                    | "messages"
                    | "entries"
                    | "rows"
                    | "results"
                    | "mails"
                    | "posts"
                    | "records"
                    | "pages"
            )
        })
    };
    let drops = |at: usize| {
        let here = tokens.get(at);
        let leads = |at: usize| {
            tokens.get(at).is_some_and(is_which)
                && is_number(tokens.get(at + 1))
                && is_unit(tokens.get(at + 2))
        };
        leads(at) || (here.is_some_and(|token| token.low == "the") && leads(at + 1))
    };
    let kept: Vec<bool> = (0..tokens.len()).map(|at| !drops(at)).collect();
    tokens.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(token, _)| token).collect()
}
