//! Tables that are named without saying that they are tables: "never delete rows from loans" as "... from the table loans",
//! "only read the tables a and b" as "... the table a and the table b", "tables whose names start with tmp_" as "the table
//! tmp_*". Calendars are told the same way: "my Room calendar" as "the calendar Room".

use super::lexicon::Lexicon;
use super::token::{Shape, Token};
use crate::hand::Hand;

/// What tables have.
const ROWS: &[&str] = &["rows", "row", "records", "record"];

/// Words between rows and their table.
const OF: &[&str] = &["of", "from", "in", "on", "into", "for"];

/// What is done to tables, with the word that stands behind it.
const DONE: &[(&str, &str)] = &[
    ("select", "from"),
    ("delete", "from"),
    ("insert", "into"),
    ("query", ""),
    ("update", ""),
    ("truncate", ""),
    ("read", ""),
    ("read", "from"),
    ("write", "to"),
    ("write", "into"),
    ("queries", "on"),
    ("query", "on"),
    ("querying", ""),
    ("updating", ""),
    ("aggregates", "from"),
    ("join", ""),
];

/// The words with tables named plainly, where a database is at hand.
pub(super) fn told(tokens: Vec<Token>, hand: &Hand, lexicon: &Lexicon) -> Vec<Token> {
    let tokens = if hand.has_calendar() { calendars(tokens) } else { tokens };
    if !hand.has_parameter("sql") && !hand.has_tool_word("sql") {
        return tokens;
    }
    let tokens = prefixed(of_their_tables(tokens));
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let names = names(&tokens, at);
        let are_tables = match token.low.as_str() {
            "tables" if names.len() > 1 => true,
            _ => {
                leads(&plain)
                    && tokens.get(at).is_some_and(|token| is_unknown(token, hand, lexicon))
                    && ends(&tokens, at + span(&names))
            }
        };
        if !are_tables {
            plain.push(token.clone());
            at += 1;
            continue;
        }
        let is_said = token.low == "tables";
        if is_said && plain.last().is_some_and(|before| before.low == "the") {
            plain.pop();
        }
        for (place, name) in names.iter().enumerate() {
            if place > 0 {
                plain.push(word("and", token));
            }
            plain.extend([word("the", token), word("table", token), name.clone()]);
        }
        at += usize::from(is_said) + span(&names);
    }
    plain
}

/// "members.phone and members.birthday" as "the columns phone and birthday of the table members". Ends that addresses of the web
/// have stay what they are.
fn of_their_tables(tokens: Vec<Token>) -> Vec<Token> {
    const ENDS: &[&str] = &[
        "com", "org", "net", "io", "de", "eu", "uk", "fr", "it", "nl", "at", "ch", "gov", "edu", "info",
        "dev", "app", "co", "us", "ie", "se", "no", "dk", "fi", "pl", "es", "pt", "lan", "local", "example",
        "internal",
    ];
    let parts = |token: &Token| {
        let (table, column) = token.text.split_once('.')?;
        let is_name = |text: &str| {
            !text.is_empty() && text.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_')
        };
        let is_column = matches!(token.shape, Shape::Host | Shape::Identifier | Shape::Word)
            && is_name(table)
            && is_name(column)
            && !ENDS.contains(&column);
        is_column.then(|| (table.to_owned(), column.to_owned()))
    };
    let Some(from) = tokens.iter().position(|token| parts(token).is_some()) else { return tokens };
    let mut columns: Vec<Token> = Vec::new();
    let mut end = from;
    let Some((table, _)) = tokens.get(from).and_then(parts) else { return tokens };
    while let Some((_, column)) = tokens.get(end).and_then(parts).filter(|(own, _)| *own == table) {
        let Some(token) = tokens.get(end) else { break };
        if !columns.is_empty() {
            columns.push(word("and", token));
        }
        columns.push(word(&column, token));
        let joins = |token: &&Token| matches!(token.low.as_str(), "," | "and" | "or" | "nor");
        let joints = tokens.iter().skip(end + 1).take_while(joins).count();
        end += 1 + joints;
        if tokens.get(end).and_then(parts).is_none() || joints == 0 {
            end -= joints;
            break;
        }
    }
    let Some(first) = tokens.get(from) else { return tokens };
    let called = if columns.len() > 1 { "columns" } else { "column" };
    let front = [word("the", first), word(called, first)];
    let behind = [word("of", first), word("the", first), word("table", first), word(&table, first)];
    let (before, rest) = (tokens.get(..from).unwrap_or_default(), tokens.get(end..).unwrap_or_default());
    [before, &front, &columns, &behind, rest].concat()
}

/// "tables whose name starts with tmp_" as "the table tmp_*".
fn prefixed(tokens: Vec<Token>) -> Vec<Token> {
    const STARTING: &[&str] = &[
        "whose name starts with",
        "whose names start with",
        "whose name begins with",
        "whose names begin with",
        "that start with",
        "that begin with",
        "starting with",
        "beginning with",
        "prefixed with",
        "prefixed",
        "with the prefix",
        "that have the prefix",
        "with names that start with",
        "with a name that starts with",
    ];
    let found = (0..tokens.len()).find_map(|at| {
        let first = tokens.get(at).filter(|token| matches!(token.low.as_str(), "tables" | "table"))?;
        let rest = tokens.get(at + 1..)?;
        let length = STARTING.iter().filter_map(|phrase| starts(rest, phrase)).max()?;
        let name = rest.get(length).filter(|name| matches!(name.shape, Shape::Identifier | Shape::Quoted))?;
        Some((at, first, at + 1 + length, name))
    });
    let Some((from, first, at, name)) = found else { return tokens };
    let text = format!("{}*", name.text.trim_end_matches('*'));
    let before = tokens.get(..from).unwrap_or_default();
    let before = match before.split_last() {
        Some((last, rest)) if matches!(last.low.as_str(), "the" | "any" | "new") => rest,
        _ => before,
    };
    let mut plain = before.to_vec();
    let pattern = Token { low: text.to_lowercase(), text, shape: Shape::Identifier, at: name.at };
    plain.extend([word("the", first), word("table", first), pattern]);
    plain.extend(tokens.iter().skip(at + 1).cloned());
    plain
}

/// "the calendars Room and Van" as "the calendar Room or the calendar Van", "my Room calendar" as "the calendar Room".
fn calendars(tokens: Vec<Token>) -> Vec<Token> {
    let is_proper = |at: usize| {
        tokens.get(at).is_some_and(|token| {
            token.shape == Shape::Quoted
                || (token.is_capital() && token.shape == Shape::Word && token.low != "google")
        })
    };
    let mut plain: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = |step: usize| tokens.get(at + step).map_or("", |token| token.low.as_str());
        let leads = matches!(token.low.as_str(), "the" | "my" | "our");
        if leads && is_proper(at + 1) && next(2) == "calendar" && !is_proper(at + 3) {
            plain.extend([word("the", token), word("calendar", token)]);
            plain.extend(tokens.get(at + 1).cloned());
            at += 3;
            continue;
        }
        if token.low == "calendars" && is_proper(at + 1) {
            if plain.last().is_some_and(|last| matches!(last.low.as_str(), "the" | "my" | "our")) {
                plain.pop();
            }
            let names: Vec<Token> = names(&tokens, at + 1);
            for (place, name) in names.iter().enumerate() {
                if place > 0 {
                    plain.push(word("or", token));
                }
                plain.extend([word("the", token), word("calendar", token), name.clone()]);
            }
            at += 1 + span(&names);
            continue;
        }
        plain.push(token.clone());
        at += 1;
    }
    plain
}

/// Names in a row, from here or behind the word "tables".
fn names(tokens: &[Token], at: usize) -> Vec<Token> {
    let mut at = at + usize::from(tokens.get(at).is_some_and(|token| token.low == "tables"));
    let mut names = Vec::new();
    while let Some(name) = tokens.get(at).filter(|token| is_name(token)) {
        names.push(name.clone());
        let is_joint =
            tokens.get(at + 1).is_some_and(|token| matches!(token.low.as_str(), "," | "and" | "or"));
        if !is_joint || !tokens.get(at + 2).is_some_and(is_name) {
            break;
        }
        at += 2;
    }
    names
}

/// How many words names in a row take.
fn span(names: &[Token]) -> usize {
    (names.len() * 2).saturating_sub(1)
}

fn is_name(token: &Token) -> bool {
    const OTHER: &[&str] = &[
        "never", "no", "nothing", "only", "not", "you", "the", "a", "an", "and", "or", "is", "are", "in",
        "with", "that", "may", "must", "can", "don't", "do",
    ];
    matches!(token.shape, Shape::Identifier | Shape::Quoted)
        || (token.shape == Shape::Word && !OTHER.contains(&token.low.as_str()))
}

/// A word in small letters that means nothing else.
fn is_unknown(token: &Token, hand: &Hand, lexicon: &Lexicon) -> bool {
    is_name(token)
        && token.shape != Shape::Quoted
        && !token.is_capital()
        && !lexicon.knows(token)
        && !hand.has_word(&token.low)
        && !hand.has_server(&token.low)
}

/// Whether a table can follow.
fn leads(before: &[Token]) -> bool {
    let low = |back: usize| {
        before.len().checked_sub(back).and_then(|at| before.get(at)).map_or("", |token| token.low.as_str())
    };
    (OF.contains(&low(1)) && ROWS.contains(&low(2)))
        || DONE.iter().any(|(verb, behind)| match behind.is_empty() {
            true => low(1) == *verb,
            false => low(1) == *behind && low(2) == *verb,
        })
}

/// Whether names end here: no noun follows them that they would belong to.
fn ends(tokens: &[Token], at: usize) -> bool {
    const BEHIND: &[&str] = &[
        "to", "in", "into", "with", "without", "by", "for", "on", "and", "or", "but", "unless", "except",
        "after", "before", "between", "at", "where", "must", "filters", "needs", "has", "is", "are", "table",
        "tables", "ever", "anywhere", "anything", "needs", "names", "filter", "that", "only", "older",
        "which", "via", "outside", "during", "directly",
    ];
    tokens.get(at).is_none_or(|token| token.shape != Shape::Word || BEHIND.contains(&token.low.as_str()))
}

fn word(text: &str, near: &Token) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: near.at }
}

/// How many words a phrase takes that stands at the beginning.
fn starts(tokens: &[Token], phrase: &str) -> Option<usize> {
    let words = phrase.split(' ');
    let fits = words.clone().zip(tokens).filter(|(word, token)| token.low == **word).count();
    (fits == words.count()).then_some(fits)
}
