//! Exceptions that are said in a sentence or a half of their own: "Don't restart any service. nginx is the exception", "the
//! sauna excepted". They are put behind the rule that they are taken from: "… except nginx".

use super::token::{Shape, Token};

/// The longest exception, in words.
const LONGEST: usize = 10;

/// The words, with exceptions where they belong, and what is passed over: a remark on an exception.
pub(super) fn told(tokens: Vec<Token>) -> (Vec<Token>, Option<String>) {
    let ends = |token: &Token| matches!(token.shape, Shape::Mark('.' | ',' | ';' | ':' | '!'));
    let found = (2..tokens.len()).find_map(|at| {
        tokens.get(at - 1).filter(|mark| ends(mark))?;
        // What is put after the rule closes it; reasons and leave behind the exception say no more.
        let rule = tokens.get(..at - 1)?;
        // "Only in a/. b/ is fine too" has one place more.
        let is_only =
            rule.iter().any(|token| matches!(token.low.as_str(), "only" | "else" | "but" | "other"));
        let part = tokens.get(at..)?;
        let (excepted, rest) = excepted(part).or_else(|| allowed(part).filter(|_| !is_only))?;
        // Only a remark on the exception is passed over; the next sentence stays.
        let end = rest.iter().position(|token| matches!(token.shape, Shape::Mark('.' | ';' | '!')));
        let (remark, behind) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        (rule.len() > 1 && rule.iter().any(is_ruling) && rules_nothing(remark))
            .then(|| ([rule, &[except(excepted)], excepted, behind].concat(), passed_over(remark)))
    });
    found.unwrap_or((tokens, None))
}

/// What is passed over, as it is written.
pub(super) fn passed_over(remark: &[Token]) -> Option<String> {
    let is_word = |token: &&Token| !matches!(token.shape, Shape::Mark(_));
    let words: Vec<&str> = remark.iter().filter(is_word).map(|token| token.text.as_str()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Words up to the next mark, and what stands behind them.
fn up_to_mark(part: &[Token]) -> (&[Token], &[Token]) {
    let ends = |token: &Token| matches!(token.shape, Shape::Mark('.' | ',' | ';' | '!'));
    part.split_at(part.iter().position(ends).unwrap_or(part.len()))
}

/// Whether a remark names nothing and rules nothing: "they are awake", "keep that one up to date".
fn rules_nothing(remark: &[Token]) -> bool {
    const MORE: &[&str] =
        &["ask", "always", "unless", "off", "alone", "if", "also", "before", "after", "check"];
    let names = |token: &Token| !matches!(token.shape, Shape::Word | Shape::Mark(_));
    // What is said of the exception itself.
    let is_of_it = remark.iter().any(|token| matches!(token.low.as_str(), "that" | "it" | "them" | "this"));
    let urges = |token: &Token| is_of_it && matches!(token.low.as_str(), "keep" | "leave" | "stay" | "stays");
    let rules = |token: &Token| (is_ruling(token) && !urges(token)) || MORE.contains(&token.low.as_str());
    !remark.iter().any(|token| names(token) || (token.shape == Shape::Word && rules(token)))
}

/// The exception that is said here, and what stands behind it.
fn excepted(part: &[Token]) -> Option<(&[Token], &[Token])> {
    let (said, rest) = up_to_mark(part);
    let words: Vec<&str> = said.iter().map(|token| token.low.as_str()).collect();
    let light =
        |word: &&&str| matches!(**word, "the" | "an" | "a" | "my" | "our" | "only" | "one" | "single");
    // "the only exception is X"
    let front = words.iter().take_while(light).count();
    if let [exception, link, ..] = words.get(front..)?
        && matches!(*exception, "exception" | "exceptions")
        && matches!(*link, "is" | "are" | ":")
    {
        let named = said.get(front + 2..)?;
        return is_named(named).then_some((named, rest));
    }
    // "X is the only exception"
    let back = words.len().checked_sub(1)?;
    let is_exception = words.last().is_some_and(|last| matches!(*last, "exception" | "exceptions"));
    let light = words.iter().take(back).rev().take_while(light).count();
    let link = back.checked_sub(light + 1).filter(|_| is_exception);
    if let Some(link) = link.filter(|link| words.get(*link).is_some_and(|word| matches!(*word, "is" | "are")))
    {
        let named = said.get(..link)?;
        return is_named(named).then_some((named, rest));
    }
    // "the sauna excepted"
    let is_excepted = words.last().is_some_and(|last| matches!(*last, "excepted" | "excluded" | "aside"));
    let named = said.get(..back).filter(|_| is_excepted)?;
    is_named(named).then_some((named, rest))
}

/// What is let pass by a name: "docs.python.org is fine", "in drafts/ you may do what you like", "okafor@clinic.org may be invited".
fn allowed(part: &[Token]) -> Option<(&[Token], &[Token])> {
    let (said, rest) = up_to_mark(part);
    let link = said.iter().position(|token| {
        token.shape == Shape::Word && matches!(token.low.as_str(), "is" | "are" | "may" | "can" | "you")
    })?;
    let (named, told) = said.split_at_checked(link)?;
    let stands = |token: &Token| {
        matches!(token.shape, Shape::Path | Shape::Host | Shape::Url | Shape::Address | Shape::Identifier)
    };
    // "Mailing it to ida@acme.com is fine" lets something be done, which is more than somebody.
    let does = |token: &Token| token.shape == Shape::Word && token.low.ends_with("ing");
    let named = named.iter().any(stands).then_some(named).filter(|named| is_named(named))?;
    if named.iter().any(does) {
        return None;
    }
    let told: Vec<&str> = told.iter().map(|token| token.low.as_str()).collect();
    let is_leave = match told.as_slice() {
        ["is" | "are", "fine" | "ok" | "okay" | "allowed" | "exempt" | "welcome" | "free", more @ ..] => {
            more.iter().all(|word| matches!(*word, "too" | "though" | "as" | "well" | "of" | "course"))
        }
        [
            "may" | "can",
            "be",
            "invited" | "mailed" | "written" | "used" | "edited" | "changed" | "opened",
            more @ ..,
        ] => more.iter().all(|word| matches!(*word, "too" | "though" | "to" | "as" | "well")),
        [
            "you",
            "may" | "can",
            "do",
            "what" | "whatever" | "as",
            "you",
            "like" | "want" | "please" | "need",
        ]
        | ["you", "may" | "can", "do", "anything" | "everything"] => true,
        _ => false,
    };
    is_leave.then_some((named, rest))
}

fn is_named(tokens: &[Token]) -> bool {
    let refers = |token: &Token| matches!(token.low.as_str(), "that" | "this" | "it" | "there" | "these");
    (1..=LONGEST).contains(&tokens.len())
        && tokens.iter().any(|token| !matches!(token.shape, Shape::Mark(_)))
        && !tokens.first().is_some_and(refers)
        && !tokens.iter().any(|token| token.shape == Shape::Word && is_ruling(token))
}

/// Words that make a rule.
fn is_ruling(token: &Token) -> bool {
    matches!(
        token.low.as_str(),
        "never"
            | "no"
            | "not"
            | "don't"
            | "dont"
            | "nothing"
            | "nobody"
            | "none"
            | "only"
            | "must"
            | "leave"
            | "keep"
            | "stay"
            | "stays"
            | "most"
            | "hands"
            | "cannot"
            | "can't"
            | "mustn't"
            | "without"
    )
}

fn except(before: &[Token]) -> Token {
    let at = before.first().map_or(0, |token| token.at);
    Token { text: "except".to_owned(), low: "except".to_owned(), shape: Shape::Word, at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token::tokens;

    fn words(text: &str) -> String {
        told(tokens(text)).0.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_is_passed_over_is_told() {
        let passed = |text: &str| told(tokens(text)).1;
        let said = "Don't restart any service. nginx is the exception, restart that as often as you like";
        assert_eq!(passed(said).as_deref(), Some("restart that as often as you like"));
        assert_eq!(passed("Don't restart any service. nginx is the exception."), None);
    }

    #[test]
    fn an_exception_stands_behind_its_rule() {
        for (said, put) in [
            (
                "Don't restart any service. nginx is the exception, restart that as often as you like",
                "Don't restart any service except nginx",
            ),
            (
                "Leave lib/ as it is. The only exception is lib/VERSIONS, keep that up to date",
                "Leave lib/ as it is except lib/VERSIONS",
            ),
            ("Stay off the web. docs.python.org is fine.", "Stay off the web except docs.python.org ."),
            (
                "Files stay as they are. In drafts/ you may do what you like.",
                "Files stay as they are except In drafts/ .",
            ),
            (
                "Invite nobody from outside. Dr. Ao (ao@clinic.org) may be invited, she helps",
                "Invite nobody from outside except Dr Ao ( ao@clinic.org )",
            ),
            ("Only write in a/. b/ is fine too.", "Only write in a/ . b/ is fine too ."),
            ("21 degrees at most, the sauna excepted.", "21 degrees at most except the sauna ."),
        ] {
            assert_eq!(words(said), put);
        }
    }

    #[test]
    fn the_next_sentence_stays() {
        assert_eq!(
            words("Don't restart any service. nginx is the exception, we watch it. Ask me before deploying."),
            "Don't restart any service except nginx . Ask me before deploying ."
        );
    }

    #[test]
    fn what_rules_behind_an_exception_is_not_lost() {
        for said in [
            "Leave lib/ as it is . The exception is lib/a , never delete that",
            "That is the exception , no",
            "Don't restart any service . nginx is the exception , leave postgres alone",
            "No mails . No exceptions",
        ] {
            assert_eq!(words(said), said);
        }
    }
}
