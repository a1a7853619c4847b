//! Ids that a plain sentence names, perhaps in brackets behind what people call them.

use super::RULING;
use crate::english::token::{Shape, Token};

/// "Everything outside the page (…)" is not the page.
const NOT_NAMED: &[&str] = &[
    "everything",
    "anything",
    "outside",
    "besides",
    "what",
    "whatever",
    "other",
    "others",
    "else",
    "all",
    "title",
    "columns",
    "rows",
    "comments",
    "anyone",
    "anybody",
    "everyone",
    "everybody",
];

/// "…, use #parser (C04…)" says what to do instead.
const DONE_INSTEAD: &[&str] =
    &["use", "take", "try", "post", "write", "go", "prefer", "choose", "stick", "send", "ask", "tell", "put"];

/// "C0CREW1234", "#crew (C0CREW1234)", "the travel page (6b1f…)", "my sister lena@northpost.example".
pub(super) fn bracketed(tokens: &[Token], is_it: &dyn Fn(&Token) -> bool) -> Vec<(usize, String)> {
    let is_plain = |token: &Token| {
        let low = token.low.as_str();
        matches!(
            token.shape,
            Shape::Word | Shape::Channel | Shape::Quoted | Shape::Identifier | Shape::Number
        ) && !RULING.contains(&low)
            && !NOT_NAMED.contains(&low)
    };
    if tokens.first().is_some_and(|first| DONE_INSTEAD.contains(&first.low.as_str())) {
        return Vec::new();
    }
    let names = tokens.iter().take(6).take_while(|token| !is_it(token) && is_plain(token)).count();
    let Some(token) = tokens.get(names) else { return Vec::new() };
    let in_brackets = |open: usize| {
        let is_open = tokens.get(open)?.shape == Shape::Mark('(');
        // "(page e5c07b3d)", "(id: 2f9)"
        let says_what = |token: &&Token| {
            token.shape == Shape::Mark(':')
                || matches!(
                    token.low.as_str(),
                    "page"
                        | "id"
                        | "database"
                        | "block"
                        | "channel"
                        | "calendar"
                        | "event"
                        | "mail"
                        | "label"
                        | "table"
                )
        };
        let more = tokens.iter().skip(open + 1).take(2).take_while(says_what).count();
        let inner = tokens.get(open + 1 + more).filter(|inner| is_open && is_it(inner))?;
        let closes = tokens.get(open + 2 + more)?.shape == Shape::Mark(')');
        closes.then(|| (open + 3 + more, inner.text.clone()))
    };
    // "the label Tax-2025 (Label_41)": what looks like an id is the name.
    let (is_one, open) = if is_it(token) { (true, names + 1) } else { (false, names) };
    match in_brackets(open) {
        Some(inner) => vec![inner],
        None if is_one => vec![(names + 1, token.text.clone())],
        None => Vec::new(),
    }
}

pub(super) fn is_id(token: &Token) -> bool {
    let has_digit = token.text.chars().any(|letter| letter.is_ascii_digit());
    let is_moment = token.shape == Shape::Number
        && token.text.len() > 12
        && token.text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
    (token.shape == Shape::Identifier && has_digit)
        || is_moment
        || (token.shape == Shape::Number
            && token.text.len() > 4
            && token.text.chars().all(|letter| letter.is_ascii_digit()))
        || (token.text.len() > 7
            && has_digit
            && token.text.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit()))
}
