//! The words that scopes and rules are written in.
//!
//! A word ends at white space or a comma. A word that has these in it, or a quote, is written in double quotes,
//! where `\"`, `\\`, `\n`, `\t` and `\u{…}` mean what they mean in Rust. `#` begins a comment where a word could
//! begin. The language is a dozen keywords in fixed order; read by hand, every error can name its character and
//! show what should have stood there.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt::{self, Write};

use crate::error::ParseError;
use crate::visible::hides;

/// One word of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Word<'t> {
    /// What it says, without quotes.
    pub(crate) text: Cow<'t, str>,
    /// Where it begins in the line.
    pub(crate) at: usize,
    /// Whether it stood in quotes, and so is no keyword.
    pub(crate) quoted: bool,
}

impl Word<'_> {
    pub(crate) fn is(&self, keyword: &str) -> bool {
        !self.quoted && self.text == keyword
    }

    /// An error about a part of this word, told as one about the line.
    pub(crate) fn place(&self, line: &str, error: ParseError) -> ParseError {
        // Escapes make offsets inside a quoted word differ from those in the line; then the word itself is
        // shown.
        let borrowed = matches!(self.text, Cow::Borrowed(_));
        let inside = if borrowed { usize::from(self.quoted) + error.at } else { 0 };
        ParseError { at: 0, ..error }.within(line, self.at + inside)
    }
}

/// Reads a line word by word.
#[derive(Clone)]
pub(crate) struct Words<'t> {
    line: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    pub(crate) fn new(line: &'t str) -> Words<'t> {
        Words { line, at: 0 }
    }

    pub(crate) fn line(&self) -> &'t str {
        self.line
    }

    /// Where the next word begins.
    pub(crate) fn position(&mut self) -> usize {
        let rest = self.line.get(self.at..).unwrap_or_default();
        self.at += rest.len() - rest.trim_start().len();
        if self.line.get(self.at..).is_some_and(|rest| rest.starts_with('#')) {
            self.at = self.line.len();
        }
        self.at
    }

    pub(crate) fn error(
        &mut self,
        problem: impl Into<Cow<'static, str>>,
        example: &'static str,
    ) -> ParseError {
        let at = self.position();
        ParseError::new(self.line, at, problem, example)
    }

    /// Takes a comma, if one is next.
    pub(crate) fn comma(&mut self) -> bool {
        let start = self.position();
        let found = self.line.get(start..).is_some_and(|rest| rest.starts_with(','));
        self.at += usize::from(found);
        found
    }

    /// Takes the word `keyword`, if it is next.
    pub(crate) fn keyword(&mut self, keyword: &str) -> bool {
        let before = self.at;
        let found = matches!(self.next(), Ok(Some(word)) if word.is(keyword));
        if !found {
            self.at = before;
        }
        found
    }

    /// The next word, or nothing at the end of the line.
    pub(crate) fn next(&mut self) -> Result<Option<Word<'t>>, ParseError> {
        let at = self.position();
        let rest = self.line.get(at..).unwrap_or_default();
        match rest.chars().next() {
            None => Ok(None),
            Some(',') => Err(self
                .error("a word is missing before the comma", "allow read, write from ctxt to /home/u/p/**")),
            Some('"') => self.quoted(at).map(Some),
            Some(_) => {
                let end =
                    rest.find(|letter: char| letter.is_whitespace() || letter == ',').unwrap_or(rest.len());
                let text = rest.get(..end).unwrap_or(rest);
                self.at += end;
                match text.find('"') {
                    None => Ok(Some(Word { text: Cow::Borrowed(text), at, quoted: false })),
                    Some(offset) => {
                        let problem = "a quote inside a word; put the whole word in quotes";
                        Err(ParseError::new(self.line, at + offset, problem, r#""calendar:Gym 2024""#))
                    }
                }
            }
        }
    }

    fn quoted(&mut self, at: usize) -> Result<Word<'t>, ParseError> {
        let body_start = at + 1;
        let body = self.line.get(body_start..).unwrap_or_default();
        let mut plain = true;
        let mut text = String::new();
        let mut letters = body.char_indices();
        while let Some((offset, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.at = body_start + offset + 1;
                    self.expect_gap()?;
                    let text = match plain {
                        true => Cow::Borrowed(body.get(..offset).unwrap_or_default()),
                        false => Cow::Owned(text),
                    };
                    return Ok(Word { text, at, quoted: true });
                }
                '\\' => {
                    plain = false;
                    text.push(self.escape(&mut letters, body_start + offset)?);
                }
                _ => text.push(letter),
            }
        }
        Err(ParseError::new(
            self.line,
            self.line.len(),
            "the quote is never closed",
            r#""calendar:Gym 2024""#,
        ))
    }

    fn expect_gap(&self) -> Result<(), ParseError> {
        match self.line.get(self.at..).and_then(|rest| rest.chars().next()) {
            Some(letter) if !letter.is_whitespace() && letter != ',' => {
                let problem = "a space or comma is missing after the quote";
                Err(ParseError::new(self.line, self.at, problem, r#"from "calendar:Gym 2024" to ctxt"#))
            }
            _ => Ok(()),
        }
    }

    fn escape(&self, letters: &mut core::str::CharIndices<'_>, at: usize) -> Result<char, ParseError> {
        let wrong = || ParseError::new(self.line, at, "unknown escape in quotes", r#"\" \\ \n \t \u{200b}"#);
        match letters.next().map(|(_, letter)| letter) {
            Some(letter @ ('"' | '\\')) => Ok(letter),
            Some('n') => Ok('\n'),
            Some('t') => Ok('\t'),
            Some('u') => {
                let mut digits = String::new();
                for (position, (_, letter)) in letters.by_ref().enumerate() {
                    match letter {
                        '{' if position == 0 => {}
                        '}' if position > 0 => {
                            return u32::from_str_radix(&digits, 16)
                                .ok()
                                .and_then(char::from_u32)
                                .ok_or_else(wrong);
                        }
                        _ if position > 0 && letter.is_ascii_hexdigit() && digits.len() < 6 => {
                            digits.push(letter)
                        }
                        _ => return Err(wrong()),
                    }
                }
                Err(wrong())
            }
            _ => Err(wrong()),
        }
    }
}

/// When a word is written in quotes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// If it would not be read back otherwise.
    AsNeeded,
    /// In any case: it is a sentence, or could be taken for a keyword.
    Always,
}

/// Writes a word so that [`Words`] reads it back.
pub(crate) fn write_word(f: &mut impl Write, word: &str, quoting: Quoting) -> fmt::Result {
    let plain = quoting == Quoting::AsNeeded
        && !word.is_empty()
        && !word.starts_with('#')
        && !word
            .contains(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '"') || hides(letter));
    if plain {
        return f.write_str(word);
    }
    f.write_char('"')?;
    for letter in word.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            _ if hides(letter) => write!(f, "\\u{{{:x}}}", letter as u32)?,
            _ => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}
