//! How values and forms of words are written.

use super::vocabulary::Vocabulary;
use crate::english::amount;
use crate::english::lexicon::word_bases;
use crate::english::token::{Shape, Token};
use crate::meaning::Form;

/// How many words only say who does it: "by their owners", "by Mirko".
pub(super) fn agents(tokens: &[Token], at: usize) -> usize {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let is_name = tokens.get(at + 1).is_some_and(|token| token.shape == Shape::Word && token.is_capital());
    match word(at) {
        "by" if matches!(word(at + 1), "the" | "their" | "our" | "my" | "its" | "a") => {
            let rest = tokens.iter().skip(at + 2).take(2).take_while(|token| {
                token.shape == Shape::Word && !matches!(token.low.as_str(), "and" | "or" | "not" | "never")
            });
            2 + rest.count()
        }
        "by" if is_name => 2,
        _ => 0,
    }
}

/// Whether a word with a hyphen is one of the language.
pub(super) fn is_compound(word: &str) -> bool {
    let first = word.split('-').next().unwrap_or_default();
    let last = word.rsplit('-').next().unwrap_or_default();
    Vocabulary::built_in().is("compound", last)
        || matches!(first, "re" | "non" | "pre" | "un" | "co" | "anti" | "self" | "e" | "no" | "off" | "on")
}

/// Whether two words are forms of one: "ignoring" and `ignored`.
pub(super) fn is_form(said: &str, own: &str) -> bool {
    let own = word_bases(own);
    said.len() > 5 && word_bases(said).iter().any(|base| base.len() > 3 && own.contains(base))
}

/// What stands for itself and is no word of the language.
pub(super) fn is_value(token: &Token) -> bool {
    match token.shape {
        Shape::Word => {
            let letters = token.text.chars().filter(|letter| letter.is_alphabetic());
            let is_capitals = token.text.len() > 1
                && letters.clone().count() > 1
                && letters.clone().all(char::is_uppercase);
            // `AdministratorAccess`
            let is_camel = token.text.chars().skip(1).any(char::is_uppercase)
                && token.text.chars().any(char::is_lowercase)
                && token.text.len() > 6;
            // `+47` in front of phone numbers
            let is_code = token.text.starts_with('+')
                && token.text.chars().nth(1).is_some_and(|digit| digit.is_ascii_digit());
            is_capitals
                || is_code
                || is_camel
                || token.text.contains('-') && !is_compound(&token.low)
                || matches!(token.low.as_str(), "production" | "prod" | "staging")
                || amount::read_number(std::slice::from_ref(token)).is_some()
                    && !matches!(token.low.as_str(), "a" | "an" | "one")
        }
        Shape::Mark(_) | Shape::Flag | Shape::Emoji | Shape::Mention => false,
        _ => true,
    }
}

/// A value with what stands before it: "begins with db-".
pub(super) fn begun(tokens: &[Token], at: usize) -> Vec<Form> {
    const BEGINNING: &[&str] =
        &["start", "starts", "starting", "begin", "begins", "beginning", "prefix", "prefixed"];
    let text = tokens.get(at).map(|token| token.text.clone()).unwrap_or_default();
    let before = tokens.get(at.saturating_sub(2)..at).unwrap_or_default();
    let begins = before.iter().any(|token| BEGINNING.contains(&token.low.as_str()));
    if begins || text.starts_with('+') && text.len() < 6 {
        return vec![Form::Starts(text)];
    }
    forms(&text)
}

/// How a value can stand in an argument.
pub(super) fn forms(value: &str) -> Vec<Form> {
    let is_folder = value.contains('/');
    let value = value.trim_end_matches('/');
    let mut forms =
        vec![Form::Is(value.to_owned()), Form::Ends(format!("/{value}")), Form::Ends(format!(":{value}"))];
    if is_folder {
        forms.push(Form::Starts(format!("{value}/")));
    }
    if value.contains('/') {
        forms.push(Form::Has(format!("/{value}/")));
    }
    match value.to_lowercase().as_str() {
        "production" | "prod" => forms.extend(
            ["prod", "production", "live"]
                .map(|word| Form::Is(word.to_owned()))
                .into_iter()
                .chain([Form::Has("/production/".to_owned())]),
        ),
        "staging" => forms.push(Form::Has("/staging/".to_owned())),
        _ => {}
    }
    let is_key = value.len() > 1
        && value.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit())
        && value.chars().any(|letter| letter.is_ascii_uppercase());
    if is_key {
        forms.push(Form::Has(format!("{value}-")));
    }
    forms
}
