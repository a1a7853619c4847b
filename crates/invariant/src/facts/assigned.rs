//! What SQL sets, as arguments: `UPDATE products SET discount_pct = 40` gives `discount_pct` the value 40.

use std::borrow::Cow;

use super::CallFacts;
use crate::interest::Interest;
use crate::names;

/// Words at the end of a column's name that say in what it is counted, and not what it is.
const UNITS: &[&str] = &[
    "pct",
    "percent",
    "percentage",
    "rate",
    "amount",
    "eur",
    "usd",
    "gbp",
    "chf",
    "cent",
    "cents",
    "value",
    "hour",
    "minute",
    "second",
    "day",
    "kg",
    "km",
    "flag",
    "code",
];

/// So many values of one call are looked at.
const MOST: usize = 512;

/// Adds the columns that statements of a call set, with their values.
pub(super) fn add(facts: &mut CallFacts<'_>, interest: &Interest) {
    if !interest.arguments && !interest.numbers && !interest.same {
        return;
    }
    let texts = facts.arguments.texts().filter(|(name, _)| super::marks::is_sql(name, facts));
    let set: Vec<(String, String)> = texts.flat_map(|(_, text)| assigned(text)).take(MOST).collect();
    for (column, value) in set {
        let path = path(&column);
        if let Ok(number) = value.parse::<f64>() {
            facts.arguments.count(&path, super::arguments::ceiling(number));
        }
        facts.arguments.keep(&path, || Cow::Owned(value));
    }
}

/// The name of a column, and once more without what it is counted in.
fn path(column: &str) -> String {
    let words = names::words(column);
    match words.split_last() {
        Some((last, front)) if !front.is_empty() && UNITS.contains(&last.as_str()) => {
            format!("set.{column}.{}", front.join("_"))
        }
        _ => format!("set.{column}"),
    }
}

/// A piece of SQL: a word, a sign, or a text in quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Word(String),
    Sign(char),
    Quoted(String),
}

impl Piece {
    fn is(&self, word: &str) -> bool {
        matches!(self, Piece::Word(own) if own.eq_ignore_ascii_case(word))
    }

    fn text(&self) -> String {
        match self {
            Piece::Word(text) | Piece::Quoted(text) => text.clone(),
            Piece::Sign(sign) => sign.to_string(),
        }
    }
}

/// The columns that SQL sets, each with its value.
fn assigned(sql: &str) -> Vec<(String, String)> {
    let pieces = pieces(sql);
    let mut found = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        let rest = pieces.get(at + 1..).unwrap_or_default();
        if piece.is("set") {
            found.extend(changed(rest));
        } else if piece.is("into") {
            found.extend(inserted(rest));
        }
    }
    found
}

/// `a = 1, b = 'x' WHERE …`
fn changed(pieces: &[Piece]) -> Vec<(String, String)> {
    let ends = |piece: &Piece| {
        ["where", "from", "returning", "on", "order", "limit"].iter().any(|word| piece.is(word))
            || *piece == Piece::Sign(';')
    };
    let end = pieces.iter().position(ends).unwrap_or(pieces.len());
    let list = pieces.get(..end).unwrap_or_default();
    parted(list)
        .into_iter()
        .filter_map(|part| {
            let at = part.iter().position(|piece| *piece == Piece::Sign('='))?;
            let column = part.get(..at)?.last()?.text();
            Some((column, joined(part.get(at + 1..)?)))
        })
        .collect()
}

/// `t (a, b) VALUES (1, 'x'), (2, 'y')`
fn inserted(pieces: &[Piece]) -> Vec<(String, String)> {
    let Some(open) = pieces.iter().position(|piece| *piece == Piece::Sign('(')).filter(|at| *at < 4) else {
        return Vec::new();
    };
    let Some(columns) = group(pieces.get(open..).unwrap_or_default()) else { return Vec::new() };
    let names: Vec<String> = parted(columns).iter().map(|part| joined(part)).collect();
    let mut rest = pieces.get(open + columns.len() + 2..).unwrap_or_default();
    let mut found = Vec::new();
    match rest.split_first() {
        Some((first, behind)) if first.is("values") => rest = behind,
        _ => return found,
    }
    while let Some(row) = group(rest) {
        let values = parted(row);
        found.extend(names.iter().cloned().zip(values.iter().map(|value| joined(value))));
        rest = rest.get(row.len() + 2..).unwrap_or_default();
        match rest.split_first() {
            Some((Piece::Sign(','), behind)) => rest = behind,
            _ => break,
        }
    }
    found
}

/// What stands in the brackets at the beginning.
fn group(pieces: &[Piece]) -> Option<&[Piece]> {
    if pieces.first() != Some(&Piece::Sign('(')) {
        return None;
    }
    let mut depth = 0usize;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Sign('(') => depth += 1,
            Piece::Sign(')') => depth = depth.saturating_sub(1),
            Piece::Sign(_) | Piece::Word(_) | Piece::Quoted(_) => {}
        }
        if depth == 0 {
            return pieces.get(1..at);
        }
    }
    None
}

/// The parts between commas that stand in no brackets.
fn parted(pieces: &[Piece]) -> Vec<&[Piece]> {
    let mut depth = 0usize;
    let splits = move |piece: &Piece| {
        match piece {
            Piece::Sign('(') => depth += 1,
            Piece::Sign(')') => depth = depth.saturating_sub(1),
            Piece::Sign(_) | Piece::Word(_) | Piece::Quoted(_) => {}
        }
        depth == 0 && *piece == Piece::Sign(',')
    };
    pieces.split(splits).collect()
}

fn joined(pieces: &[Piece]) -> String {
    match pieces {
        [Piece::Sign('-'), Piece::Word(number)] => format!("-{number}"),
        several => several.iter().map(Piece::text).collect::<Vec<_>>().join(" "),
    }
}

fn pieces(sql: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut letters = sql.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' | '`' => {
                let mut text = String::new();
                while let Some(inner) = letters.next() {
                    if inner == letter && letters.next_if_eq(&letter).is_none() {
                        break;
                    }
                    text.push(inner);
                }
                pieces.push(if letter == '\'' { Piece::Quoted(text) } else { Piece::Word(text) });
            }
            '-' if letters.peek() == Some(&'-') => {
                letters.by_ref().find(|letter| *letter == '\n');
            }
            letter if letter.is_alphanumeric() || letter == '_' => {
                let mut word = letter.to_string();
                let goes_on = |next: &char| next.is_alphanumeric() || matches!(next, '_' | '.');
                while let Some(next) = letters.next_if(goes_on) {
                    word.push(next);
                }
                // `t.column` is that column.
                let is_number = word.starts_with(|first: char| first.is_ascii_digit());
                let own = word.rsplit('.').next().filter(|_| !is_number).unwrap_or(&word).to_owned();
                pieces.push(Piece::Word(own));
            }
            letter if letter.is_whitespace() => {}
            sign => pieces.push(Piece::Sign(sign)),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(sql: &str) -> Vec<String> {
        assigned(sql).into_iter().map(|(column, value)| format!("{column}={value}")).collect()
    }

    #[test]
    fn columns_are_found_with_their_values() {
        for (sql, wanted) in [
            (
                "UPDATE p SET discount_pct = 40, note = 'a, b' WHERE x = 3",
                vec!["discount_pct=40", "note=a, b"],
            ),
            ("update p as q set q.stock=-2", vec!["stock=-2"]),
            (
                "INSERT INTO p (id, \"price\") VALUES (1, 9.5), (2, round(3, 1))",
                vec!["id=1", "price=9.5", "id=2", "price=round ( 3 , 1 )"],
            ),
            ("INSERT INTO p VALUES (1)", vec![]),
            ("SELECT a FROM p WHERE discount = 40", vec![]),
            ("UPDATE p SET a = 'it''s' -- , b = 2\n, c = 3", vec!["a=it's", "c=3"]),
        ] {
            assert_eq!(pairs(sql), wanted, "{sql}");
        }
    }

    #[test]
    fn what_a_column_is_counted_in_is_no_part_of_what_it_is() {
        assert_eq!(path("discount_pct"), "set.discount_pct.discount");
        assert_eq!(path("unit_price"), "set.unit_price");
        assert_eq!(path("rate"), "set.rate");
    }
}
