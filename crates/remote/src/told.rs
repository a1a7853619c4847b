//! What is told of failures: addresses without secrets, and words of a server that cannot do harm.

use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::address::Address;
use crate::authorization::Token;
use crate::error::RemoteError;
use crate::http::innermost;

/// So much of what a server says is shown.
const LONGEST: usize = 200;
/// Shorter secrets are not looked for: they would be found in any text.
const SHORTEST_SECRET: usize = 4;
/// So many of the tokens that a server was shown are looked for, the latest.
const TOKENS: usize = 4;
const HIDDEN: &str = "[hidden]";

/// What may be told, and what not.
pub(crate) struct Told {
    place: String,
    /// The longest first, so that nothing of one is left over from another.
    secrets: Vec<String>,
    /// Tokens that change, the latest last.
    tokens: Mutex<VecDeque<Token>>,
}

impl Told {
    pub(crate) fn new(address: &Address) -> Told {
        let mut secrets: Vec<String> = Vec::new();
        for (_, value) in &address.headers {
            secrets.push(value.clone());
            secrets.extend(value.split(' ').map(str::to_owned));
        }
        if let Some(query) = address.url().query() {
            secrets.push(query.to_owned());
            secrets.extend(address.url().query_pairs().map(|(_, value)| value.into_owned()));
        }
        secrets.retain(|secret| secret.len() >= SHORTEST_SECRET && !secret.eq_ignore_ascii_case("bearer"));
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        Told { place: address.shown(), secrets, tokens: Mutex::default() }
    }

    /// The address, as it may be shown.
    pub(crate) fn place(&self) -> String {
        self.place.clone()
    }

    /// A token that the server is shown from now on.
    pub(crate) fn hide(&self, token: &Token) {
        let mut tokens = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if token.reveal().is_empty() || tokens.contains(token) {
            return;
        }
        if tokens.len() >= TOKENS {
            tokens.pop_front();
        }
        tokens.push_back(token.clone());
    }

    /// The beginning of what a server says, without what it was given and without anything that moves or hides text.
    pub(crate) fn said(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for token in &*self.tokens.lock().unwrap_or_else(PoisonError::into_inner) {
            text = text.replace(token.reveal(), HIDDEN);
        }
        for secret in &self.secrets {
            text = text.replace(secret.as_str(), HIDDEN);
        }
        let mut shown = String::new();
        let words = text.split_whitespace().flat_map(|word| [" ", word]).skip(1);
        for letter in words.flat_map(str::chars).take(LONGEST) {
            match letter.is_control() || is_unseen(letter) {
                // Writing to a string cannot fail.
                true => drop(write!(shown, "\\u{{{:x}}}", u32::from(letter))),
                false => shown.push(letter),
            }
        }
        shown
    }

    /// Why something failed, in the words of the system.
    pub(crate) fn cause(&self, error: &reqwest::Error) -> String {
        self.said(&innermost(error))
    }

    pub(crate) fn unreachable(&self, error: &reqwest::Error) -> RemoteError {
        RemoteError::Unreachable { place: self.place(), why: self.cause(error) }
    }

    pub(crate) fn broken(&self, error: &reqwest::Error) -> RemoteError {
        RemoteError::Broken { place: self.place(), why: self.cause(error) }
    }

    pub(crate) fn silent(&self, time: Duration) -> RemoteError {
        RemoteError::Silent { place: self.place(), seconds: time.as_secs() }
    }

    pub(crate) fn too_large(&self, limit: usize) -> RemoteError {
        RemoteError::TooLarge { place: self.place(), limit }
    }

    pub(crate) fn unreadable(&self, why: &str) -> RemoteError {
        RemoteError::Unreadable { place: self.place(), why: self.said(why) }
    }

    pub(crate) fn no_answer(&self) -> RemoteError {
        RemoteError::NoAnswer { place: self.place() }
    }
}

/// Marks of direction and blanks that are none.
fn is_unseen(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told() -> Told {
        let mut address = Address::new("https://mcp.example/a?key=q-secret").unwrap();
        address.headers = vec![("Authorization".to_owned(), "Bearer t-0k3n-very-secret".to_owned())];
        Told::new(&address)
    }

    #[test]
    fn what_a_server_was_given_is_hidden_when_it_says_it_back() {
        let said = told()
            .said("no `t-0k3n-very-secret`, no Bearer t-0k3n-very-secret, no key=q-secret, no q-secret");
        assert_eq!(said, "no `[hidden]`, no [hidden], no [hidden], no [hidden]");
        assert_eq!(told().place(), "https://mcp.example/a");
    }

    #[test]
    fn the_latest_tokens_are_hidden_too() {
        let told = told();
        for number in 0..6 {
            told.hide(&Token::new(&format!("token-number-{number}")));
        }
        assert_eq!(told.said("I got token-number-5 and token-number-2"), "I got [hidden] and [hidden]");
    }

    #[test]
    fn what_a_server_says_is_short_and_cannot_move_text() {
        assert_eq!(told().said("a\n\n\tb \u{1b}[2J\u{202e}c"), "a b \\u{1b}[2J\\u{202e}c");
        assert_eq!(told().said(&"x".repeat(1000)).len(), LONGEST);
    }
}
