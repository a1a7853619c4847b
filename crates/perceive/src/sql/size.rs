//! How much is read at all, decided before the parser starts.
//!
//! The parser limits its own recursion, but a chain of operators (`1 + 1 + 1 …`) becomes a tree as deep as the chain is
//! long, without any recursion of the parser; walking or dropping such a tree would exhaust the stack. So the height
//! that a tree can have at most is estimated from the tokens.

use sqlparser::tokenizer::Token;

/// Bytes. A data load belongs in a file; nobody consents to what nobody can read.
pub(super) const LONGEST_TEXT: usize = 256 * 1024;
/// The highest tree that is walked.
const HIGHEST_TREE: usize = 300;
/// Brackets in brackets. The parser tries some of them in two ways, so each level doubles its work.
const DEEPEST_BRACKETS: usize = 10;

/// What is open at one level of brackets.
#[derive(Default)]
struct Level {
    /// Operators and words since the last comma.
    run: usize,
    /// The highest tree inside that run.
    inside: usize,
    /// The highest of the runs before.
    highest: usize,
}

impl Level {
    fn height(&self) -> usize {
        self.highest.max(self.run + self.inside)
    }
}

/// Whether a tree of these tokens could be too high to walk.
pub(super) fn is_too_deep<'a>(tokens: impl Iterator<Item = &'a Token>) -> bool {
    let mut levels = vec![Level::default()];
    for token in tokens {
        match token {
            Token::LParen | Token::LBracket | Token::LBrace => levels.push(Level::default()),
            Token::RParen | Token::RBracket | Token::RBrace if levels.len() > 1 => {
                let height = levels.pop().map_or(0, |level| level.height());
                if let Some(outer) = levels.last_mut() {
                    outer.run += 1;
                    outer.inside = outer.inside.max(height);
                }
            }
            Token::Comma | Token::SemiColon => {
                if let Some(level) = levels.last_mut() {
                    *level = Level { highest: level.height(), ..Level::default() };
                }
            }
            token => {
                if let Some(level) = levels.last_mut() {
                    level.run += usize::from(adds_height(token));
                }
            }
        }
        let height: usize = levels.iter().map(Level::height).sum();
        if levels.len() > DEEPEST_BRACKETS || height > HIGHEST_TREE {
            return true;
        }
    }
    false
}

/// Names, values and white space are leaves. Words that are no keywords are names.
fn adds_height(token: &Token) -> bool {
    use sqlparser::keywords::Keyword;
    match token {
        Token::Word(word) => word.keyword != Keyword::NoKeyword && word.quote_style.is_none(),
        Token::Whitespace(_)
        | Token::Number(..)
        | Token::SingleQuotedString(_)
        | Token::DoubleQuotedString(_)
        | Token::DollarQuotedString(_)
        | Token::Placeholder(_)
        | Token::EOF => false,
        _ => true,
    }
}
