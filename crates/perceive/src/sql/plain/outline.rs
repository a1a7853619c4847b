//! What a plain statement shows from outside, for those who ask for statements one by one.

use super::words::Token;
use super::{COLUMNS, Reader};
use crate::deed::Use;
use crate::sql::outline::{Limit, Statement, StatementKind};
use crate::sql::reading::table_names;

/// What shows of a query from outside.
#[derive(Clone, Copy, Default)]
pub(super) struct Outline<'t> {
    pub(super) has_star: bool,
    pub(super) has_where: bool,
    pub(super) limit: Option<&'t str>,
}

impl Outline<'_> {
    /// The statement that this is the outline of, with the tables that it changes and those that it reads.
    pub(super) fn statement<'u>(
        self,
        kind: StatementKind,
        tables: impl Iterator<Item = &'u Use>,
    ) -> Statement {
        let is_chosen = matches!(kind, StatementKind::Select | StatementKind::Update | StatementKind::Delete);
        Statement {
            kind,
            tables: table_names(tables),
            has_where: is_chosen.then_some(self.has_where),
            limit: self.limit.map_or(Limit::Absent, Limit::of_number),
            has_star: self.has_star,
        }
    }
}

impl Reader<'_> {
    /// Whether the condition that follows surely chooses rows: it begins by comparing a column with something that is no
    /// column, and offers no alternative to that. What others do is for the grammars to say, if anybody asks.
    pub(super) fn surely_restricts(&self) -> bool {
        let rest = self.tokens.get(self.at..).unwrap_or_default();
        self.is_without_alternative(rest) && column_behind(rest).is_some_and(is_plain_comparison)
    }

    fn is_without_alternative(&self, tokens: &[Token<'_>]) -> bool {
        let mut depth = 0_usize;
        for token in tokens {
            match token {
                Token::Sign("(") => depth += 1,
                Token::Sign(")") => match depth.checked_sub(1) {
                    Some(less) => depth = less,
                    None => return true,
                },
                Token::Keyword("OR", _) if depth == 0 => return false,
                _ => {}
            }
        }
        true
    }
}

/// What stands behind the column that the tokens begin with.
fn column_behind<'r, 't>(tokens: &'r [Token<'t>]) -> Option<&'r [Token<'t>]> {
    let is_name = |token: &Token<'_>| match token {
        Token::Name(_) | Token::Quoted(_) => true,
        Token::Keyword(keyword, _) => COLUMNS.contains(keyword),
        _ => false,
    };
    match tokens {
        [name, Token::Sign("."), rest @ ..] if is_name(name) => column_behind(rest),
        [name, rest @ ..] if is_name(name) => Some(rest),
        _ => None,
    }
}

/// Whether a column is compared with something that cannot be the same column.
fn is_plain_comparison(tokens: &[Token<'_>]) -> bool {
    match tokens {
        [Token::Sign("=" | "<>" | "!=" | "<" | ">" | "<=" | ">="), Token::Number(_) | Token::Text, ..] => {
            true
        }
        [Token::Keyword("IS" | "BETWEEN", _), ..] => true,
        [Token::Keyword("NOT", _), Token::Keyword("IN" | "LIKE" | "BETWEEN", _), ..] => true,
        [Token::Keyword("IN", _), Token::Sign("("), Token::Keyword("SELECT", _), ..] => true,
        [Token::Keyword("IN", _), Token::Sign("("), list @ ..] => {
            let is_value =
                |token: &Token<'_>| matches!(token, Token::Number(_) | Token::Text | Token::Sign(","));
            let end = list.iter().position(|token| !is_value(token));
            end.and_then(|end| list.get(end)) == Some(&Token::Sign(")"))
        }
        _ => false,
    }
}
