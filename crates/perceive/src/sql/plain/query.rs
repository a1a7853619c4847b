//! Plain queries: their clauses and the tables that they name.

use super::outline::Outline;
use super::words::Token;
use super::{DEEPEST, QUERY, Reader};
use crate::sql::names::place;

impl<'t> Reader<'t> {
    pub(super) fn definition(&mut self) -> Option<()> {
        let name = self.name()?;
        self.word("AS")?;
        self.sign("(")?;
        self.query(2 * QUERY)?;
        self.sign(")")?;
        self.defined.push(name);
        Some(())
    }

    pub(super) fn query(&mut self, depth: usize) -> Option<Outline<'t>> {
        let mut outline = self.select(depth)?;
        while self.takes_word("UNION") {
            self.takes_word("ALL");
            let other = self.select(depth)?;
            outline.has_star |= other.has_star;
            outline.has_where &= other.has_where;
        }
        self.order(depth)?;
        if self.takes_word("LIMIT") {
            outline.limit = Some(self.number()?);
            if self.takes_word("OFFSET") {
                self.number()?;
            }
        }
        Some(outline)
    }

    /// `ORDER BY`, if it is there.
    pub(super) fn order(&mut self, depth: usize) -> Option<()> {
        if !self.takes_word("ORDER") {
            return Some(());
        }
        self.word("BY")?;
        self.list(|reader| {
            reader.expression(0, depth + 1)?;
            let _ = reader.takes_word("ASC") || reader.takes_word("DESC");
            Some(())
        })
    }

    pub(super) fn number(&mut self) -> Option<&'t str> {
        match self.next()? {
            Token::Number(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn select(&mut self, depth: usize) -> Option<Outline<'t>> {
        if depth > DEEPEST {
            return None;
        }
        self.word("SELECT")?;
        self.takes_word("DISTINCT");
        let mut has_star = false;
        self.list(|reader| reader.column(depth).map(|is_star| has_star |= is_star))?;
        self.word("FROM")?;
        self.list(|reader| reader.tables_joined(depth))?;
        let has_where = self.takes_word("WHERE");
        if has_where {
            if self.tells && depth == QUERY && !self.surely_restricts() {
                return None;
            }
            self.expression(0, depth + 1)?;
        }
        if self.takes_word("GROUP") {
            self.word("BY")?;
            self.list(|reader| reader.expression(0, depth + 1))?;
        }
        if self.takes_word("HAVING") {
            self.expression(0, depth + 1)?;
        }
        Some(Outline { has_star, has_where, limit: None })
    }

    /// A column, and whether it stands for all.
    pub(super) fn column(&mut self, depth: usize) -> Option<bool> {
        if self.takes_sign("*") {
            return Some(true);
        }
        if let [Token::Name(_) | Token::Quoted(_), Token::Sign("."), Token::Sign("*"), ..] =
            self.tokens.get(self.at..)?
        {
            self.at += 3;
            return Some(true);
        }
        self.expression(0, depth + 1)?;
        self.alias().map(|()| false)
    }

    /// Another name for what stands before it, if there is one.
    pub(super) fn alias(&mut self) -> Option<()> {
        let must = self.takes_word("AS");
        match self.peek() {
            Some(Token::Name(_) | Token::Quoted(_)) => self.at += 1,
            _ if must => return None,
            _ => {}
        }
        Some(())
    }

    pub(super) fn tables_joined(&mut self, depth: usize) -> Option<()> {
        self.table(depth)?;
        loop {
            let is_cross = self.takes_word("CROSS");
            let side = !is_cross && ["LEFT", "RIGHT", "FULL"].iter().any(|side| self.takes_word(side));
            let inner = !is_cross && !side && self.takes_word("INNER");
            if side {
                self.takes_word("OUTER");
            }
            if !self.takes_word("JOIN") {
                return (!is_cross && !side && !inner).then_some(());
            }
            self.table(depth)?;
            if is_cross {
                continue;
            }
            self.word("ON")?;
            self.expression(0, depth + 1)?;
        }
    }

    pub(super) fn table(&mut self, depth: usize) -> Option<()> {
        if self.takes_sign("(") {
            self.query(depth + QUERY)?;
            self.sign(")")?;
            self.takes_word("AS");
            return self.name().map(drop);
        }
        let parts = self.whole_name()?;
        if self.is_sign("(") {
            return None;
        }
        let is_defined = matches!(parts.as_slice(), [one] if self.defined.contains(one));
        if !is_defined {
            self.tables.push(place(&parts));
        }
        self.alias()
    }
}
