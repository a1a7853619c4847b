//! Plain statements: what every likely database reads alike, read without any of their grammars.
//!
//! Most of what agents ask of a database is a `SELECT` of plain words, or a change of rows in one table. A grammar takes
//! a tenth of a millisecond for a kilobyte of it, and where the database is unknown four grammars read it. A statement
//! made only of names that are no keyword to anybody, numbers, texts without escapes, common signs and a few dozen forms
//! has one meaning, and it is only needed which tables stand in it. Whatever is not surely such a statement is left to
//! the grammars. Tests and a fuzzer compare the two: a comment in front of a text sends it to the grammars, and must
//! change nothing.

mod changes;
mod outline;
mod query;
mod types;
mod words;

use portcullis_lattice::Effect;

use super::functions::{self, Kind};
use super::outline::{Statement, StatementKind};
use super::reading::deed;
use super::{Dialect, Reading, context};
use crate::deed::Use;
use changes::Change;
use outline::Outline;
use words::{Token, part};

/// So deep may expressions and queries lie in each other; the grammars go deeper.
const DEEPEST: usize = 12;
/// What a query counts for.
const QUERY: usize = 3;
/// Keywords that are columns wherever a column can stand.
const COLUMNS: &[&str] = &["ID", "NAME", "STATUS", "REGION", "CATEGORY", "MESSAGE"];
/// Keywords that are functions of the usual form where a bracket follows.
const FUNCTIONS: &[&str] = &[
    "COUNT",
    "SUM",
    "AVG",
    "MIN",
    "MAX",
    "COALESCE",
    "NULLIF",
    "LOWER",
    "UPPER",
    "ABS",
    "LEAST",
    "ROW_NUMBER",
    "RANK",
    "DENSE_RANK",
    "LAG",
    "LEAD",
    "FIRST_VALUE",
    "LAST_VALUE",
];

/// How tightly an operator binds: what is to its right reaches as far as tighter ones follow.
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;

/// Reads a text, if it is one plain statement; else the grammars have to.
pub(super) fn read(text: &str, dialect: Option<Dialect>) -> Option<Reading> {
    let reader = Reader { dialect, ..Reader::default() };
    reader.read(text).map(|(reading, _)| reading)
}

/// The same, with the statement. More is left to the grammars then.
pub(super) fn read_with_statement(text: &str, dialect: Option<Dialect>) -> Option<(Reading, Statement)> {
    Reader { dialect, tells: true, ..Reader::default() }.read(text)
}

/// What names stand in, where that can be said. Without a dialect it is a name for one database and a text for another.
fn quote_of(dialect: Option<Dialect>) -> Option<u8> {
    match dialect? {
        Dialect::MySql => Some(b'`'),
        _ => Some(b'"'),
    }
}

/// Goes through the words once. Every step is `None` where the text stops being plain.
#[derive(Default)]
struct Reader<'t> {
    tokens: Vec<Token<'t>>,
    dialect: Option<Dialect>,
    at: usize,
    /// Names that the query defines for itself.
    defined: Vec<String>,
    tables: Vec<Use>,
    /// Whether somebody asks for the statement.
    tells: bool,
}

impl<'t> Reader<'t> {
    /// Reads a text, and tells its statement if somebody asks for it.
    fn read(mut self, text: &'t str) -> Option<(Reading, Statement)> {
        let is_usual = match self.dialect {
            None => true,
            Some(dialect) => Dialect::LIKELY.contains(&dialect),
        };
        self.tokens = is_usual.then(|| part(text, quote_of(self.dialect))).flatten()?;
        let (change, outline) = self.whole()?;
        let (kind, changed) = match &change {
            None => (StatementKind::Select, None),
            Some(Change::Inserted(table)) => (StatementKind::Insert, Some(table)),
            Some(Change::Updated(table)) => (StatementKind::Update, Some(table)),
            Some(Change::Deleted(table)) => (StatementKind::Delete, Some(table)),
        };
        let statement = match self.tells {
            true => outline.statement(kind, changed.into_iter().chain(&self.tables)),
            false => Statement::default(),
        };
        let mut reading = Reading::default();
        reading.add(match change {
            // Without a table it is about the database itself, which the grammars tell.
            None if self.tables.is_empty() => return None,
            None => deed(self.tables, [context()], Effect::Read),
            Some(Change::Inserted(table) | Change::Updated(table)) => {
                deed(self.tables, [table], Effect::Write)
            }
            // What else is read is told beside the deletion, in an order that the grammars know.
            Some(Change::Deleted(_)) if !self.tables.is_empty() => return None,
            Some(Change::Deleted(table)) => deed([table.clone()], [table], Effect::Del),
        });
        Some((reading, statement))
    }

    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    fn is_sign(&self, sign: &str) -> bool {
        self.peek() == Some(Token::Sign(sign))
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let is_next = self.is_sign(sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Keyword(keyword, _)) if keyword == word)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = self.is_word(word);
        self.at += usize::from(is_next);
        is_next
    }

    fn sign(&mut self, sign: &str) -> Option<()> {
        self.takes_sign(sign).then_some(())
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.takes_word(word).then_some(())
    }

    /// A name as it is compared: case counts only between quotes, and there only to some.
    fn name(&mut self) -> Option<String> {
        match (self.next()?, self.dialect) {
            (Token::Quoted(name), Some(Dialect::Postgres | Dialect::Generic)) => Some(name.to_owned()),
            (Token::Name(name) | Token::Quoted(name), _) => Some(name.to_ascii_lowercase()),
            _ => None,
        }
    }

    /// A name of one to three parts.
    fn whole_name(&mut self) -> Option<Vec<String>> {
        let mut parts = vec![self.name()?];
        while self.takes_sign(".") {
            parts.push(self.name()?);
        }
        (parts.len() <= 3).then_some(parts)
    }

    fn list(&mut self, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        one(self)?;
        while self.takes_sign(",") {
            one(self)?;
        }
        Some(())
    }

    /// One statement, and what it changes.
    fn whole(&mut self) -> Option<(Option<Change>, Outline<'t>)> {
        let (change, outline) = if self.takes_word("INSERT") {
            self.insert().map(|(change, outline)| (Some(change), outline))?
        } else if self.takes_word("UPDATE") {
            self.update().map(|(change, outline)| (Some(change), outline))?
        } else if self.takes_word("DELETE") {
            self.delete().map(|(change, outline)| (Some(change), outline))?
        } else {
            if self.takes_word("WITH") {
                self.list(Self::definition)?;
            }
            (None, self.query(QUERY)?)
        };
        self.takes_sign(";");
        self.peek().is_none().then_some((change, outline))
    }

    /// An expression, as far as operators bind tighter than `least`.
    fn expression(&mut self, least: u8, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        self.operand(least, depth)?;
        self.casts()?;
        let mut compares = false;
        loop {
            let binds = match self.peek() {
                Some(Token::Keyword("OR", _)) => OR,
                Some(Token::Keyword("AND", _)) => AND,
                Some(Token::Keyword("IS" | "IN" | "LIKE" | "BETWEEN" | "NOT", _)) => COMPARISON,
                Some(Token::Sign("=" | "<>" | "!=" | "<" | ">" | "<=" | ">=")) => COMPARISON,
                Some(Token::Sign("+" | "-")) => SUM,
                Some(Token::Sign("*" | "/")) => PRODUCT,
                _ => return Some(()),
            };
            if binds <= least {
                return Some(());
            }
            // `a = b = c` means one thing here and another there.
            if binds == COMPARISON && std::mem::replace(&mut compares, true) {
                return None;
            }
            if binds < COMPARISON {
                compares = false;
            }
            self.right_side(binds, depth + 1)?;
        }
    }

    /// An operator and what is to its right.
    fn right_side(&mut self, binds: u8, depth: usize) -> Option<()> {
        let operator = self.next()?;
        if operator == Token::Sign("=") || binds != COMPARISON {
            return self.expression(binds, depth);
        }
        let operator = match operator {
            Token::Keyword("NOT", _) => match self.next()? {
                Token::Keyword(word @ ("IN" | "LIKE" | "BETWEEN"), _) => word,
                _ => return None,
            },
            Token::Keyword(word, _) => word,
            _ => return self.expression(binds, depth),
        };
        match operator {
            "IS" => {
                self.takes_word("NOT");
                self.word("NULL")
            }
            "IN" => {
                self.sign("(")?;
                if self.is_word("SELECT") {
                    self.query(depth + QUERY)?;
                } else {
                    self.list(|reader| reader.expression(0, depth + 1))?;
                }
                self.sign(")")
            }
            "BETWEEN" => {
                self.expression(COMPARISON, depth)?;
                self.word("AND")?;
                self.expression(COMPARISON, depth)
            }
            _ => self.expression(COMPARISON, depth),
        }
    }

    fn operand(&mut self, least: u8, depth: usize) -> Option<()> {
        match self.next()? {
            Token::Number(_) | Token::Text => Some(()),
            Token::Sign("-") => self.number().map(drop),
            Token::Sign("(") => {
                match self.is_word("SELECT") {
                    true => self.query(depth + QUERY).map(drop)?,
                    false => self.expression(0, depth + 1)?,
                }
                self.sign(")")
            }
            Token::Keyword("NULL" | "TRUE" | "FALSE", _) => Some(()),
            Token::Keyword("CASE", _) => self.case(depth),
            Token::Keyword("CAST", _) => self.cast(depth),
            Token::Keyword("DATE" | "TIMESTAMP", _) => self.text(),
            // Others want a unit behind the text.
            Token::Keyword("INTERVAL", _) if self.dialect == Some(Dialect::Postgres) => self.text(),
            Token::Keyword("EXISTS", _) => {
                self.sign("(")?;
                self.query(depth + QUERY)?;
                self.sign(")")
            }
            Token::Keyword("NOT", _) if least < NOT && !self.is_word("NOT") => {
                self.expression(NOT, depth + 1)
            }
            Token::Keyword(keyword, name) if FUNCTIONS.contains(&keyword) => {
                self.sign("(")?;
                self.call(name, depth)?;
                self.window(depth)
            }
            Token::Name(name) if self.is_sign("(") => {
                self.at += 1;
                self.call(name, depth)?;
                self.window(depth)
            }
            // The name of a function may be quoted, but hardly is.
            Token::Quoted(_) if self.is_sign("(") => None,
            Token::Name(_) | Token::Quoted(_) => self.column_behind(),
            Token::Keyword(keyword, _) if COLUMNS.contains(&keyword) => {
                (!self.is_sign("(") && !self.is_sign(".")).then_some(())
            }
            _ => None,
        }
    }

    /// What follows the first name of a column: `.name`, perhaps twice.
    fn column_behind(&mut self) -> Option<()> {
        for _ in 0..2 {
            if !self.takes_sign(".") {
                return Some(());
            }
            match self.next()? {
                Token::Name(_) | Token::Quoted(_) => {}
                Token::Keyword(keyword, _) if COLUMNS.contains(&keyword) => {}
                _ => return None,
            }
        }
        (!self.is_sign(".") && !self.is_sign("(")).then_some(())
    }

    fn call(&mut self, name: &str, depth: usize) -> Option<()> {
        if functions::kind(&[name.to_owned()]) != Kind::Harmless {
            return None;
        }
        if self.takes_sign(")") {
            return Some(());
        }
        if name.eq_ignore_ascii_case("count") && self.takes_sign("*") {
            return self.sign(")");
        }
        self.takes_word("DISTINCT");
        self.list(|reader| reader.expression(0, depth + 1))?;
        self.sign(")")
    }

    /// `OVER (PARTITION BY … ORDER BY …)`, if it is there.
    fn window(&mut self, depth: usize) -> Option<()> {
        if !self.takes_word("OVER") {
            return Some(());
        }
        self.sign("(")?;
        if self.takes_word("PARTITION") {
            self.word("BY")?;
            self.list(|reader| reader.expression(0, depth + 1))?;
        }
        self.order(depth)?;
        self.sign(")")
    }

    fn case(&mut self, depth: usize) -> Option<()> {
        if !self.is_word("WHEN") {
            self.expression(0, depth + 1)?;
        }
        self.word("WHEN")?;
        loop {
            self.expression(0, depth + 1)?;
            self.word("THEN")?;
            self.expression(0, depth + 1)?;
            if !self.takes_word("WHEN") {
                break;
            }
        }
        if self.takes_word("ELSE") {
            self.expression(0, depth + 1)?;
        }
        self.word("END")
    }
}
