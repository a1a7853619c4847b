//! Hours that are written short, "8-17", as times: "between 8:00 and 17:00"; and dots that end no sentence.

use super::token::{Shape, Token};

/// The words with short hours written out, where it is clear that hours are meant: at the beginning, and in brackets behind
/// what they are the hours of.
pub(super) fn told(mut tokens: Vec<Token>) -> Vec<Token> {
    let is_short = |token: &Token| matches!(token.low.as_str(), "e.g" | "eg" | "approx");
    let dots: Vec<bool> = (0..tokens.len())
        .map(|at| {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let is_dot = tokens.get(at).is_some_and(|token| token.shape == Shape::Mark('.'));
            is_dot && before.is_some_and(is_short)
        })
        .collect();
    let mut at = 0;
    tokens.retain(|_| {
        at += 1;
        !dots.get(at - 1).copied().unwrap_or(false)
    });
    if let Some(first) = tokens.first()
        && let Some((from, to)) = range(first)
    {
        let between = between(from, to, first);
        return between.into_iter().chain(tokens.iter().skip(1).cloned()).collect();
    }
    let bracket = tokens.windows(3).position(|window| match window {
        [open, hours, close] => {
            open.shape == Shape::Mark('(') && close.shape == Shape::Mark(')') && range(hours).is_some()
        }
        _ => false,
    });
    let Some(open) = bracket else { return tokens };
    let leads = |token: &Token| {
        matches!(
            token.low.as_str(),
            "outside" | "during" | "in" | "at" | "over" | "while" | "within" | "inside"
        )
    };
    let before = tokens.get(..open).unwrap_or_default();
    let start = before.iter().rposition(leads).filter(|start| open - start < 5);
    let (Some(start), Some(hours)) = (start, tokens.get(open + 1)) else { return tokens };
    let Some((from, to)) = range(hours) else { return tokens };
    let is_outside = tokens.get(start).is_some_and(|token| token.low == "outside");
    let time = match is_outside {
        true => vec![
            word("before", hours),
            clock(from, hours),
            word("or", hours),
            word("after", hours),
            clock(to, hours),
        ],
        false => between(from, to, hours),
    };
    let behind = tokens.iter().skip(open + 3).cloned();
    tokens.iter().take(start).cloned().chain(time).chain(behind).collect()
}

fn range(token: &Token) -> Option<(String, String)> {
    let (from, to) = token.text.split_once(['-', '–'])?;
    let hour = |text: &str| -> Option<String> {
        let (hours, minutes) = text.split_once(':').unwrap_or((text, "00"));
        let in_day =
            |text: &str, most: u8| text.len() < 3 && text.parse::<u8>().is_ok_and(|number| number <= most);
        (in_day(hours, 24) && in_day(minutes, 59)).then(|| format!("{hours}:{minutes}"))
    };
    Some((hour(from)?, hour(to)?))
}

fn between(from: String, to: String, at: &Token) -> Vec<Token> {
    vec![word("between", at), clock(from, at), word("and", at), clock(to, at)]
}

fn clock(text: String, at: &Token) -> Token {
    Token { low: text.clone(), text, shape: Shape::Number, at: at.at }
}

fn word(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: at.at }
}
