//! A channel that was named with its id has it wherever it is named again: "what is said in #hr (C0HR123456) stays in #hr".

use std::collections::BTreeMap;

use super::token::{Shape, Token};

/// The words with the id behind each mention of a channel that has one somewhere.
pub(super) fn told(tokens: Vec<Token>) -> Vec<Token> {
    let id_behind = |at: usize| {
        let [open, id, close] = tokens.get(at + 1..at + 4)? else { return None };
        let is_id = open.shape == Shape::Mark('(')
            && close.shape == Shape::Mark(')')
            && matches!(id.shape, Shape::Identifier | Shape::Word);
        is_id.then(|| [open.clone(), id.clone(), close.clone()])
    };
    let is_channel = |token: &Token| token.shape == Shape::Channel;
    let named: BTreeMap<String, [Token; 3]> = tokens
        .iter()
        .enumerate()
        .filter(|(_, token)| is_channel(token))
        .filter_map(|(at, token)| Some((token.low.clone(), id_behind(at)?)))
        .collect();
    if named.is_empty() {
        return tokens;
    }
    let mut told = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        told.push(token.clone());
        let has_bracket = tokens.get(at + 1).is_some_and(|next| next.shape == Shape::Mark('('));
        if is_channel(token) && !has_bracket {
            told.extend(named.get(&token.low).into_iter().flatten().cloned());
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token::tokens;

    fn words(text: &str) -> String {
        told(tokens(text)).iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_channel_keeps_its_id() {
        assert_eq!(
            words("what is said in #hr (C0HR123456) stays in #hr"),
            "what is said in #hr ( C0HR123456 ) stays in #hr ( C0HR123456 )"
        );
        assert_eq!(words("nothing from #hr goes to #all"), "nothing from #hr goes to #all");
    }
}
