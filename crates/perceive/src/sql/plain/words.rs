//! The words and signs of plain SQL: those that every likely database parts alike.

use std::sync::LazyLock;

use sqlparser::keywords::ALL_KEYWORDS;

/// Longer texts are left to the grammars.
const LONGEST_TEXT: usize = 16 * 1024;
/// So many brackets may stand in each other.
const DEEPEST_BRACKETS: usize = 8;
/// So many words and signs may be more than leaves of a tree; the grammars walk higher trees than these can make.
const MOST_BRANCHES: usize = 280;
/// Signs that databases join to operators of their own.
const JOINING: &[u8] = b"<>=!+-*/:";

/// A word or sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// A word that no grammar treats in a way of its own.
    Name(&'t str),
    /// A name between quotes, of letters, digits and underscores.
    Quoted(&'t str),
    /// A word that some grammar knows, in upper case, and as it is written.
    Keyword(&'static str, &'t str),
    Number(&'t str),
    Text,
    /// A sign or a comparison.
    Sign(&'t str),
}

/// Parts a text, if it is plain throughout. The quote is what names may stand in, if they may.
pub(super) fn part(text: &str, quote: Option<u8>) -> Option<Vec<Token<'_>>> {
    if text.len() > LONGEST_TEXT {
        return None;
    }
    let bytes = text.as_bytes();
    let mut tokens = Vec::with_capacity(text.len() / 4);
    let (mut at, mut brackets, mut branches) = (0_usize, 0_usize, 0_usize);
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..)?;
        let length = match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {
                at += 1;
                continue;
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => word_length(rest),
            b'0'..=b'9' => number_length(rest)?,
            b'\'' => text_length(rest)?,
            b'"' | b'`' if Some(byte) == quote => quoted_length(rest, byte)?,
            b'(' | b')' | b',' | b'.' | b';' | b'=' | b'<' | b'>' | b'!' | b'+' | b'-' | b'*' | b'/'
            | b':' => sign_length(rest)?,
            _ => return None,
        };
        let part = text.get(at..at + length)?;
        at += length;
        let token = match byte {
            b'0'..=b'9' => Token::Number(part),
            b'\'' => Token::Text,
            b'"' | b'`' => Token::Quoted(part.get(1..length - 1)?),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                // A letter before a quote says how the text is to be read.
                if matches!(bytes.get(at), Some(b'\'' | b'"' | b'`')) {
                    return None;
                }
                keyword(part).map_or(Token::Name(part), |keyword| Token::Keyword(keyword, part))
            }
            _ => Token::Sign(part),
        };
        match token {
            Token::Sign("(") => brackets += 1,
            Token::Sign(")") => brackets = brackets.checked_sub(1)?,
            _ => {}
        }
        branches += usize::from(matches!(token, Token::Keyword(..) | Token::Sign(_)) && part != ",");
        if brackets > DEEPEST_BRACKETS || branches > MOST_BRANCHES {
            return None;
        }
        tokens.push(token);
    }
    Some(tokens)
}

fn word_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
}

/// `12` or `12.5`, with nothing behind it that could belong to it.
fn number_length(bytes: &[u8]) -> Option<usize> {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut length = digits(bytes);
    if bytes.get(length) == Some(&b'.') {
        match digits(bytes.get(length + 1..)?) {
            0 => return None,
            more => length += 1 + more,
        }
    }
    let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_.'\"`".contains(byte);
    bytes.get(length).is_none_or(ends).then_some(length)
}

/// A text between quotes, in which two quotes stand for one. A backslash means something to some databases.
fn text_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'\'', Some(b'\'')) => at += 2,
            (b'\'', next) => {
                let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_\"`".contains(byte);
                return next.is_none_or(ends).then_some(at + 1);
            }
            (b'\\', _) => return None,
            _ => at += 1,
        }
    }
}

/// A name between quotes, with nothing in it or behind it that could be read in another way.
fn quoted_length(bytes: &[u8], quote: u8) -> Option<usize> {
    let inside = word_length(bytes.get(1..)?);
    let begins_well = bytes.get(1).is_some_and(|byte| !byte.is_ascii_digit());
    let ends = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_'\"`".contains(byte);
    let is_closed = bytes.get(inside + 1) == Some(&quote) && bytes.get(inside + 2).is_none_or(ends);
    (inside > 0 && begins_well && is_closed).then_some(inside + 2)
}

fn sign_length(bytes: &[u8]) -> Option<usize> {
    let length = match bytes {
        [b'<', b'=' | b'>', ..] | [b'>', b'=', ..] | [b'!', b'=', ..] => 2,
        [b'!', ..] => return None,
        [b':', b':', b'a'..=b'z' | b'A'..=b'Z', ..] => return Some(2),
        [b':', ..] => return None,
        [b'(' | b')' | b',' | b'.' | b';', ..] => return Some(1),
        _ => 1,
    };
    bytes.get(length).is_none_or(|next| !JOINING.contains(next)).then_some(length)
}

/// The keywords by length and first letter.
static KEYWORDS: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
    let mut shelves = vec![Vec::new(); LONGEST_KEYWORD * LETTERS];
    for keyword in ALL_KEYWORDS {
        if let Some(shelf) = shelf_of(keyword).and_then(|shelf| shelves.get_mut(shelf)) {
            shelf.push(*keyword);
        }
    }
    shelves
});
const LONGEST_KEYWORD: usize = 64;
const LETTERS: usize = 32;

fn shelf_of(word: &str) -> Option<usize> {
    let first = word.bytes().next()?;
    (word.len() < LONGEST_KEYWORD).then(|| word.len() * LETTERS + usize::from(first) % LETTERS)
}

/// The keyword that a word is to any grammar. A word that is longer than all of them is none.
fn keyword(word: &str) -> Option<&'static str> {
    let shelf = KEYWORDS.get(shelf_of(word)?)?;
    shelf.iter().find(|keyword| keyword.eq_ignore_ascii_case(word)).copied()
}
