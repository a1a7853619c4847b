//! Ways of writing that are made plain before anything is read: a number of one's own without brackets, "the last 200
//! lines", which are 200, names without their titles, and endings of files in a row.

use super::token::{Shape, Token};

/// The words, made plain, and what is passed over: advice.
pub(super) fn plainer(tokens: Vec<Token>) -> (Vec<Token>, Option<String>) {
    let mut tokens = without_purpose(without_stress(tokens));
    let advice = advice(&tokens).map(|at| tokens.split_off(at));
    let plain = without_cost(endings(untitled(spelled_hours(counted(bracketed(and_so_on(tokens)))))));
    (plain, advice.and_then(|advice| super::excepted::passed_over(&advice)))
}

/// Where it is only told what to do instead, which rules nothing: "Don't edit it. If something is wrong there, leave a comment."
fn advice(tokens: &[Token]) -> Option<usize> {
    const RULING: &[&str] = &[
        "never", "no", "not", "don't", "dont", "only", "must", "nothing", "nobody", "none", "unless",
        "except", "ask", "check", "without", "first", "before", "cannot", "can't", "may", "can", "keep",
        "always",
    ];
    let rules = |token: &Token| token.shape == Shape::Word && RULING.contains(&token.low.as_str());
    let is_end = |token: &Token| matches!(token.shape, Shape::Mark('.' | ';' | '!'));
    let begins = |at: &usize| {
        tokens.get(*at).is_some_and(is_end)
            && tokens.get(at + 1).is_some_and(|next| next.low == "if" && next.shape == Shape::Word)
    };
    let at = (2..tokens.len()).find(begins)?;
    let (rule, advice) = tokens.split_at(at);
    let names = |token: &Token| !matches!(token.shape, Shape::Word | Shape::Mark(_));
    // "If I'm away, leave the calendar alone" is a rule.
    const ADVISED: &[&str] = &[
        "write", "add", "tell", "send", "use", "report", "note", "say", "call", "comment", "post", "open",
        "file",
    ];
    let told =
        advice.iter().position(|token| token.shape == Shape::Mark(',')).and_then(|at| advice.get(at + 1..));
    let advises = |told: &[Token]| match told {
        [leave, article, ..] if leave.low == "leave" => matches!(article.low.as_str(), "a" | "me"),
        [first, ..] => ADVISED.contains(&first.low.as_str()),
        [] => false,
    };
    let ends_a_rule =
        |token: &Token| matches!(token.low.as_str(), "alone" | "off" | "out" | "hands" | "stay");
    let is_advice = told.is_some_and(advises)
        && !advice.iter().any(ends_a_rule)
        && !advice.iter().any(|token| rules(token) || names(token));
    (rule.iter().any(rules) && is_advice).then_some(at)
}

/// "Never mail it, not even to colleagues" without what only says how much it is meant.
fn without_stress(mut tokens: Vec<Token>) -> Vec<Token> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let denies = |token: &Token| {
        matches!(
            token.low.as_str(),
            "never" | "no" | "not" | "don't" | "nothing" | "nobody" | "none" | "dont" | "isn't" | "aren't"
        )
    };
    let begins = |at: &usize| low(*at) == "," && low(at + 1) == "not" && low(at + 2) == "even";
    let Some(at) = (2..tokens.len()).find(begins) else { return tokens };
    let ends = |token: &Token| matches!(token.shape, Shape::Mark(',' | ';' | '.' | ':' | '!'));
    let end = tokens.iter().skip(at + 1).position(ends).map_or(tokens.len(), |length| at + 1 + length);
    if tokens.iter().take(at).any(denies) {
        tokens.drain(at..end);
    }
    tokens
}

/// "mv only with -n, so that nothing gets overwritten" without what it is good for, which would read as a rule of its own.
fn without_purpose(mut tokens: Vec<Token>) -> Vec<Token> {
    let low = |at: usize| tokens.get(at).map_or("", |token| token.low.as_str());
    let begins = |at: &usize| low(*at) == "," && low(at + 1) == "so" && low(at + 2) == "that";
    let Some(at) = (2..tokens.len()).find(begins) else { return tokens };
    let ends = |token: &Token| matches!(token.shape, Shape::Mark(',' | ';' | '.' | ':' | '!'));
    let end = tokens.iter().skip(at + 1).position(ends).map_or(tokens.len(), |length| at + 1 + length);
    let names = |token: &Token| !matches!(token.shape, Shape::Word | Shape::Mark(_) | Shape::Number);
    if !tokens.get(at..end).is_some_and(|purpose| purpose.iter().any(names)) {
        tokens.drain(at..end);
    }
    tokens
}

/// "release/..." as "release/*".
fn and_so_on(mut tokens: Vec<Token>) -> Vec<Token> {
    for token in tokens.iter_mut().filter(|token| token.shape == Shape::Path) {
        let stem = token.text.strip_suffix("/...").or_else(|| token.text.strip_suffix("/…"));
        if let Some(stem) = stem.filter(|stem| !stem.starts_with('/') && !stem.is_empty()) {
            token.text = format!("{stem}/*");
            token.low = token.text.to_lowercase();
        }
    }
    tokens
}

/// "basic only, advanced is too dear" as "basic only": what it costs is why.
fn without_cost(mut tokens: Vec<Token>) -> Vec<Token> {
    const DEAR: &[&str] =
        &["dear", "expensive", "costly", "pricey", "slow", "heavy", "noisy", "risky", "dangerous", "big"];
    let is_end = |token: &Token| matches!(token.shape, Shape::Mark('.' | '!'));
    let end = tokens.len() - usize::from(tokens.last().is_some_and(is_end));
    let Some(comma) = tokens.iter().rposition(|token| token.shape == Shape::Mark(',')) else { return tokens };
    let is_cost = match tokens.get(comma + 1..end) {
        Some([front @ .., is, too, dear]) => {
            (1..4).contains(&front.len())
                && front.iter().all(|token| token.shape == Shape::Word)
                && matches!(is.low.as_str(), "is" | "are")
                && matches!(too.low.as_str(), "too" | "so" | "very")
                && DEAR.contains(&dear.low.as_str())
        }
        _ => false,
    };
    if is_cost && comma > 1 {
        tokens.truncate(comma);
    }
    tokens
}

/// "Dr. Weiss" as "Weiss": no call shows titles, and their dots end no sentence.
fn untitled(tokens: Vec<Token>) -> Vec<Token> {
    const TITLES: &[&str] =
        &["Dr", "Mr", "Mrs", "Ms", "Prof", "Professor", "Doctor", "Sir", "Madame", "Herr", "Frau"];
    let is_name = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            token.is_capital() && token.shape == Shape::Word && !TITLES.contains(&token.text.as_str())
        })
    };
    let is_title = |at: usize| tokens.get(at).is_some_and(|token| TITLES.contains(&token.text.as_str()));
    let is_dot = |at: usize| tokens.get(at).is_some_and(|token| token.shape == Shape::Mark('.'));
    let mut plain = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let mut end = at;
        while is_title(end) {
            end += if is_dot(end + 1) { 2 } else { 1 };
        }
        if end > at && is_name(end) {
            at = end;
            continue;
        }
        plain.push(token.clone());
        at += 1;
    }
    plain
}

/// ".exe, .bat or .ps1 attachments" as ".exe attachments or .bat attachments or .ps1 attachments".
fn endings(tokens: Vec<Token>) -> Vec<Token> {
    let is_ending = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            token.shape == Shape::Path
                && token.text.strip_prefix('.').is_some_and(|end| {
                    (1..6).contains(&end.len()) && end.chars().all(|letter| letter.is_ascii_alphanumeric())
                })
        })
    };
    let is_joint =
        |at: usize| tokens.get(at).is_some_and(|token| matches!(token.low.as_str(), "," | "or" | "and"));
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let (mut end, mut row) = (at, Vec::new());
        while is_ending(end) {
            row.extend(tokens.get(end).cloned());
            end += 1;
            let joints = (end..).take_while(|at| is_joint(*at)).count();
            if !is_ending(end + joints) {
                break;
            }
            end += joints;
        }
        let thing = tokens.get(end).filter(|token| {
            matches!(
                token.low.as_str(),
                "files" | "file" | "attachments" | "attachment" | "documents" | "archives"
            )
        });
        let (Some(thing), true) = (thing, row.len() > 1) else {
            plain.push(token.clone());
            at += 1;
            continue;
        };
        let or = Token { text: "or".to_owned(), low: "or".to_owned(), shape: Shape::Word, at: thing.at };
        for (place, ending) in row.into_iter().enumerate() {
            if place > 0 {
                plain.push(or.clone());
            }
            plain.extend([ending, thing.clone()]);
        }
        at = end + 1;
    }
    plain
}

/// "ten in the evening" as "22:00".
fn spelled_hours(tokens: Vec<Token>) -> Vec<Token> {
    const HOURS: &[&str] =
        &["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    const PARTS: &[(&[&str], usize)] = &[
        (&["in", "the", "evening"], 12),
        (&["in", "the", "afternoon"], 12),
        (&["at", "night"], 12),
        (&["in", "the", "morning"], 0),
    ];
    let mut plain = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let hour = HOURS.iter().position(|word| *word == token.low).map(|place| place + 1);
        let part = hour.and_then(|hour| {
            let behind = tokens.get(at + 1..)?;
            let (words, more) = PARTS.iter().find(|(words, _)| {
                words
                    .iter()
                    .enumerate()
                    .all(|(place, word)| behind.get(place).is_some_and(|token| token.low == *word))
            })?;
            // Before six the night is over.
            let is_small = words.first() == Some(&"at") && hour < 6;
            let more = if hour == 12 || is_small { 0 } else { *more };
            let hour = if hour == 12 && words.first() == Some(&"at") { 24 } else { hour + more };
            Some((hour % 24, words.len()))
        });
        match part {
            Some((hour, length)) => {
                let text = format!("{hour}:00");
                plain.push(Token { low: text.clone(), text, shape: Shape::Number, at: token.at });
                at += 1 + length;
            }
            None => {
                plain.push(token.clone());
                at += 1;
            }
        }
    }
    plain
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::english::token::tokens;

    #[test]
    fn advice_is_no_rule_and_rules_are_no_advice() {
        let words = |text: &str| {
            let tokens = tokens(text);
            let rule = tokens.get(..advice(&tokens).unwrap_or(tokens.len())).unwrap();
            rule.iter().map(|token| token.text.clone()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words("Don't edit it. If something is wrong, leave a comment"), "Don't edit it");
        let told = plainer(tokens("Don't edit it. If something is wrong, leave a comment")).1;
        assert_eq!(told.as_deref(), Some("If something is wrong leave a comment"));
        for kept in [
            "No mails . If in doubt , ask me",
            "No mails . If it rains , never post",
            "If so , mail ann@a.com",
            "No mails . If I'm away , leave the calendar alone",
        ] {
            assert_eq!(words(kept), kept);
        }
    }
}
