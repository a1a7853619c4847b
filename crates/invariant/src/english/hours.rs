//! Hours that are written short, "8-17", as times: "between 8:00 and 17:00".

use super::token::{Shape, Token};

/// The words with short hours written out, where it is clear that hours are meant: at the beginning, and in brackets behind
/// what they are the hours of.
pub(super) fn told(tokens: Vec<Token>) -> Vec<Token> {
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
        matches!(token.low.as_str(), "outside" | "during" | "in" | "at" | "over" | "while" | "within" | "inside")
    };
    let before = tokens.get(..open).unwrap_or_default();
    let start = before.iter().rposition(leads).filter(|start| open - start < 5);
    let (Some(start), Some(hours)) = (start, tokens.get(open + 1)) else { return tokens };
    let Some((from, to)) = range(hours) else { return tokens };
    let is_outside = tokens.get(start).is_some_and(|token| token.low == "outside");
    let time = match is_outside {
        true => vec![word("before", hours), clock(from, hours), word("or", hours), word("after", hours), clock(to, hours)],
        false => between(from, to, hours),
    };
    let behind = tokens.iter().skip(open + 3).cloned();
    tokens.iter().take(start).cloned().chain(time).chain(behind).collect()
}

fn range(token: &Token) -> Option<(u8, u8)> {
    let (from, to) = token.text.split_once(['-', '–'])?;
    let hour = |text: &str| text.parse::<u8>().ok().filter(|hour| *hour <= 24 && text.len() < 3);
    Some((hour(from)?, hour(to)?))
}

fn between(from: u8, to: u8, at: &Token) -> Vec<Token> {
    vec![word("between", at), clock(from, at), word("and", at), clock(to, at)]
}

fn clock(hour: u8, at: &Token) -> Token {
    let text = format!("{hour}:00");
    Token { low: text.clone(), text, shape: Shape::Number, at: at.at }
}

fn word(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: at.at }
}
