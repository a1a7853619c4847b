//! The signs of a list of recipients.

use std::str::Chars;

use super::MailError;

/// One sign of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A character outside quotes, comments and brackets.
    Letter(char),
    /// What stands in double quotes.
    Quoted(String),
    /// What stands in parentheses.
    Comment(String),
    /// What stands in angle brackets.
    Bracketed(String),
    Comma,
    Semicolon,
    Colon,
}

/// Reads a text sign by sign.
pub(super) struct Tokens<'t>(Chars<'t>);

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str) -> Tokens<'t> {
        Tokens(text.chars())
    }

    fn letter(&mut self) -> Option<Result<char, MailError>> {
        let letter = self.0.next()?;
        Some(match letter.is_control() && letter != '\t' {
            true => Err(MailError::Control),
            false => Ok(letter),
        })
    }

    fn quoted(&mut self) -> Result<String, MailError> {
        let mut content = String::new();
        while let Some(letter) = self.letter() {
            match letter? {
                '"' => return Ok(content),
                '\\' => {
                    // It stays in the content, where a reader without escapes would see it.
                    content.push('\\');
                    content.push(self.letter().ok_or(MailError::Unclosed)??);
                }
                letter => content.push(letter),
            }
        }
        Err(MailError::Unclosed)
    }

    fn comment(&mut self) -> Result<String, MailError> {
        let mut content = String::new();
        let mut depth = 1;
        while let Some(letter) = self.letter() {
            match letter? {
                ')' if depth == 1 => return Ok(content),
                '\\' => {
                    content.push('\\');
                    content.push(self.letter().ok_or(MailError::Unclosed)??);
                    continue;
                }
                letter => {
                    depth = match letter {
                        '(' => depth + 1,
                        ')' => depth - 1,
                        _ => depth,
                    };
                    content.push(letter);
                }
            }
        }
        Err(MailError::Unclosed)
    }

    fn bracketed(&mut self) -> Result<String, MailError> {
        let mut content = String::new();
        while let Some(letter) = self.letter() {
            match letter? {
                '>' => return Ok(content),
                '"' => return Err(MailError::Quoted),
                '<' | '(' | ')' | '\\' | ',' | ';' => return Err(MailError::Ambiguous),
                ':' => return Err(MailError::Routed),
                letter => content.push(letter),
            }
        }
        Err(MailError::Unclosed)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Result<Token, MailError>;

    fn next(&mut self) -> Option<Result<Token, MailError>> {
        let letter = match self.letter()? {
            Ok(letter) => letter,
            Err(error) => return Some(Err(error)),
        };
        Some(match letter {
            '"' => self.quoted().map(Token::Quoted),
            '(' => self.comment().map(Token::Comment),
            '<' => self.bracketed().map(Token::Bracketed),
            ')' | '>' => Err(MailError::Unclosed),
            '\\' => Err(MailError::Ambiguous),
            ',' => Ok(Token::Comma),
            ';' => Ok(Token::Semicolon),
            ':' => Ok(Token::Colon),
            letter => Ok(Token::Letter(letter)),
        })
    }
}
