//! Plain changes: rows put into one table, changed in it or deleted from it.

use super::outline::Outline;
use super::words::Token;
use super::{COLUMNS, QUERY, Reader};
use crate::deed::Use;
use crate::sql::names::place;

/// What a plain statement changes.
pub(super) enum Change {
    /// Rows of this table are made, from whatever is read.
    Inserted(Use),
    /// Rows of this table are changed, from whatever is read.
    Updated(Use),
    /// Rows of this table are gone.
    Deleted(Use),
}

impl<'t> Reader<'t> {
    /// What follows `INSERT`: `INTO t (a, b) VALUES (1, 2), (3, 4)`, or a query instead of the values.
    pub(super) fn insert(&mut self) -> Option<(Change, Outline<'t>)> {
        self.word("INTO")?;
        let table = place(&self.whole_name()?);
        if self.takes_sign("(") {
            self.list(Self::changed_column)?;
            self.sign(")")?;
        }
        let mut outline = Outline::default();
        if self.takes_word("VALUES") {
            self.list(|reader| {
                reader.sign("(")?;
                reader.list(|reader| reader.expression(0, 2 * QUERY))?;
                reader.sign(")")
            })?;
        } else {
            outline = self.query(2 * QUERY)?;
        }
        Some((Change::Inserted(table), outline))
    }

    /// What follows `UPDATE`: `t SET a = 1, b = 2 WHERE c = 3`.
    pub(super) fn update(&mut self) -> Option<(Change, Outline<'t>)> {
        let table = place(&self.whole_name()?);
        self.alias()?;
        self.word("SET")?;
        self.list(|reader| {
            reader.changed_column()?;
            reader.sign("=")?;
            reader.expression(0, QUERY)
        })?;
        let outline = self.condition()?;
        Some((Change::Updated(table), outline))
    }

    /// What follows `DELETE`: `FROM t WHERE a = 1`.
    pub(super) fn delete(&mut self) -> Option<(Change, Outline<'t>)> {
        self.word("FROM")?;
        let table = place(&self.whole_name()?);
        self.alias()?;
        let outline = self.condition()?;
        Some((Change::Deleted(table), outline))
    }

    fn condition(&mut self) -> Option<Outline<'t>> {
        let has_where = self.takes_word("WHERE");
        if has_where {
            if self.tells && !self.surely_restricts() {
                return None;
            }
            self.expression(0, QUERY)?;
        }
        Some(Outline { has_where, ..Outline::default() })
    }

    /// A column that is changed, by its name alone.
    fn changed_column(&mut self) -> Option<()> {
        match self.next()? {
            Token::Name(_) | Token::Quoted(_) => Some(()),
            Token::Keyword(keyword, _) if COLUMNS.contains(&keyword) => Some(()),
            _ => None,
        }
    }
}
