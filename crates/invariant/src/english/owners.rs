//! Repositories by whose they are: "repos of acme", "acme's repositories", "the acme organisation" as "repositories under
//! acme".

use super::lexicon::Lexicon;
use super::token::{Shape, Token};
use crate::hand::Hand;

const REPOSITORIES: &[&str] = &["repos", "repo", "repositories", "repository"];

/// Ways to say whose they are, behind them.
const OF: &[&str] = &[
    "of the",
    "of",
    "owned by",
    "belonging to",
    "that belong to",
    "which belong to",
    "in the",
    "under the",
    "from the",
    "by",
    "from",
    "in",
    "that belongs to",
    "which are owned by",
    "that are owned by",
    "inside",
    "inside the",
    "outside the",
    "outside",
    "outside of",
    "within",
    "within the",
];

const GROUPS: &[&str] =
    &["organisation", "organization", "org", "account", "group", "namespace", "owner", "user"];

/// The words with owners named plainly, where repositories are at hand.
pub(super) fn told(tokens: Vec<Token>, hand: &Hand, lexicon: &Lexicon) -> Vec<Token> {
    if !hand.has_parameter("repo") && !hand.has_parameter("repository") {
        return tokens;
    }
    for at in 0..tokens.len() {
        if let Some(told) = behind(&tokens, at, lexicon).or_else(|| front(&tokens, at, lexicon)) {
            return told;
        }
    }
    tokens
}

fn is_repository(token: &Token) -> bool {
    token.shape == Shape::Word && REPOSITORIES.contains(&token.low.as_str())
}

/// A name that is no word.
fn is_owner(token: &Token, lexicon: &Lexicon) -> bool {
    let is_word = matches!(token.shape, Shape::Word | Shape::Identifier);
    is_word && !lexicon.knows(token) && !GROUPS.contains(&token.low.as_str())
}

fn is_group(token: Option<&Token>) -> bool {
    token.is_some_and(|token| GROUPS.contains(&token.low.as_str()))
}

/// "repos of acme", "repositories outside the acme organisation".
fn behind(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Vec<Token>> {
    tokens.get(at).filter(|token| is_repository(token))?;
    let rest = tokens.get(at + 1..)?;
    let fits = |phrase: &&&str| {
        let words: Vec<&str> = phrase.split(' ').collect();
        words.iter().enumerate().all(|(place, word)| rest.get(place).is_some_and(|token| token.low == *word))
    };
    let phrase = OF.iter().filter(fits).max_by_key(|phrase| phrase.split(' ').count())?;
    let length = phrase.split(' ').count();
    let after = rest.get(length..)?;
    // "of the owner acme" is read as it stands.
    let owner = after.first().filter(|token| is_owner(token, lexicon))?;
    let more = 1 + usize::from(is_group(after.get(1)));
    let between = if phrase.starts_with("outside") { "outside" } else { "under" };
    let named = [word("repositories", owner), word(between, owner), plain(owner)];
    let end = after.get(more..)?;
    Some(tokens.get(..at)?.iter().cloned().chain(named).chain(end.iter().cloned()).collect())
}

/// "acme's repositories", "acme/ repos", "the acme organisation".
fn front(tokens: &[Token], at: usize, lexicon: &Lexicon) -> Option<Vec<Token>> {
    let owner = tokens.get(at)?;
    let name = owner.text.strip_suffix("'s").or_else(|| owner.text.strip_suffix('/'));
    let next = tokens.get(at + 1);
    let is_owned = name.is_some() && next.is_some_and(is_repository);
    let is_named = name.is_none() && is_group(next) && is_owner(owner, lexicon);
    if !is_owned && !is_named {
        return None;
    }
    let name = name.unwrap_or(&owner.text);
    let bare = Token { text: name.to_owned(), low: name.to_lowercase(), shape: Shape::Word, at: owner.at };
    if is_owned && (lexicon.knows(&bare) || name.contains('/')) {
        return None;
    }
    let before = tokens.get(..at)?;
    let before = match before.split_last() {
        Some((last, rest)) if last.low == "the" => rest,
        _ => before,
    };
    let named = [word("repositories", owner), word("under", owner), bare];
    Some(before.iter().cloned().chain(named).chain(tokens.iter().skip(at + 2).cloned()).collect())
}

fn plain(token: &Token) -> Token {
    token.clone()
}

fn word(text: &str, at: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: at.at }
}
