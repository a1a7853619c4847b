//! Types in plain SQL: `a::int`, `CAST(a AS numeric(12, 2))`, `DATE '2026-01-01'`.

use super::Reader;
use super::words::Token;

/// Types of one word that all grammars know, and that take no brackets here.
const PLAIN: &[&str] = &[
    "INT",
    "INTEGER",
    "BIGINT",
    "SMALLINT",
    "TEXT",
    "DATE",
    "BOOLEAN",
    "BOOL",
    "REAL",
    "FLOAT4",
    "FLOAT8",
    "UUID",
    "JSON",
    "JSONB",
    "TIMESTAMP",
    "TIMESTAMPTZ",
];
/// Types that may say in brackets how long or how precise they are.
const SIZED: &[&str] = &["NUMERIC", "DECIMAL", "VARCHAR"];

impl Reader<'_> {
    /// Any number of `::type` behind a value.
    pub(super) fn casts(&mut self) -> Option<()> {
        while self.takes_sign("::") {
            self.data_type()?;
        }
        Some(())
    }

    /// What follows `CAST`.
    pub(super) fn cast(&mut self, depth: usize) -> Option<()> {
        self.sign("(")?;
        self.expression(0, depth + 1)?;
        self.word("AS")?;
        self.data_type()?;
        self.sign(")")
    }

    /// A text, as it stands behind the name of a type.
    pub(super) fn text(&mut self) -> Option<()> {
        (self.next()? == Token::Text).then_some(())
    }

    /// A type. Words that may follow one (`varying`, `with time zone`, `unsigned`) are keywords, which nothing here takes
    /// for anything else.
    fn data_type(&mut self) -> Option<()> {
        match self.next()? {
            Token::Keyword(keyword, _) if PLAIN.contains(&keyword) => (!self.is_sign("(")).then_some(()),
            Token::Keyword(keyword, _) if SIZED.contains(&keyword) => {
                if self.takes_sign("(") {
                    self.number()?;
                    if keyword != "VARCHAR" && self.takes_sign(",") {
                        self.number()?;
                    }
                    self.sign(")")?;
                }
                Some(())
            }
            _ => None,
        }
    }
}
