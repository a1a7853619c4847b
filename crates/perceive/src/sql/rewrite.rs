//! Forms that the grammar does not know, put so that it does; what is done stays the same.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// The tokens without PostgreSQL's `LIKE orders INCLUDING ALL` among the columns of a new table: it copies the form
/// of a table, not its rows. Where `LIKE` follows a bracket or a comma it can be nothing else.
pub(super) fn without_like_clauses(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let is_clause = |window: &[&TokenWithSpan]| match window {
        [before, like] => {
            matches!(before.token, Token::LParen | Token::Comma) && is_keyword(&like.token, Keyword::LIKE)
        }
        _ => false,
    };
    let plain: Vec<&TokenWithSpan> = tokens.iter().filter(|token| !is_space(&token.token)).collect();
    if !plain.windows(2).any(is_clause) {
        return tokens;
    }
    let mut kept: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().filter(|token| !is_space(&token.token)).peekable();
    while let Some(token) = rest.next() {
        let follows = kept.last().is_some_and(|before| matches!(before.token, Token::LParen | Token::Comma));
        if !(follows && is_keyword(&token.token, Keyword::LIKE)) {
            kept.push(token);
            continue;
        }
        while rest.next_if(|token| matches!(token.token, Token::Word(_) | Token::Period)).is_some() {}
        // One comma too many is left, before or after.
        if kept.last().is_some_and(|before| before.token == Token::Comma) {
            kept.pop();
        } else {
            rest.next_if(|token| token.token == Token::Comma);
        }
    }
    kept
}

/// The tokens without PostgreSQL's `ONLY` before a table, which the grammar would take for the table itself. The word
/// is reserved there, so that unquoted it is never a name.
pub(super) fn without_only(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut precedes_table = false;
    let mut keeps = |token: &TokenWithSpan| {
        if is_space(&token.token) {
            return true;
        }
        let is_only = precedes_table && is_keyword(&token.token, Keyword::ONLY);
        let heads =
            [Keyword::FROM, Keyword::JOIN, Keyword::UPDATE, Keyword::USING, Keyword::INTO, Keyword::TABLE];
        precedes_table =
            token.token == Token::Comma || heads.iter().any(|keyword| is_keyword(&token.token, *keyword));
        !is_only
    };
    tokens.into_iter().filter(|token| keeps(token)).collect()
}

/// The tokens with `PRAGMA table_info(orders)` written as `PRAGMA table_info('orders')`, which is the same.
pub(super) fn with_quoted_pragma(mut tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let mut is_in_pragma = false;
    let mut follows_bracket = false;
    for token in &mut tokens {
        match &token.token {
            Token::SemiColon => is_in_pragma = false,
            Token::Word(word) if is_in_pragma && follows_bracket => {
                token.token = Token::SingleQuotedString(word.value.clone());
            }
            word => is_in_pragma |= is_keyword(word, Keyword::PRAGMA),
        }
        follows_bracket = token.token == Token::LParen;
    }
    tokens
}

fn is_space(token: &Token) -> bool {
    matches!(token, Token::Whitespace(_))
}

fn is_keyword(token: &Token, keyword: Keyword) -> bool {
    matches!(token, Token::Word(word) if word.keyword == keyword && word.quote_style.is_none())
}
