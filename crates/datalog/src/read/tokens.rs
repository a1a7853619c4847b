//! The words of a program.

use crate::limits::{LONGEST_NAME, LONGEST_TEXT};
use crate::problem::Problems;
use crate::syntax::{Operator, Position, Source};

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'t> {
    Name(&'t str),
    Variable(&'t str),
    Text(Box<str>),
    Number(i64),
    Operator(Operator),
    If,
    Not,
    Open,
    Close,
    Comma,
    Stop,
    /// Something that was complained about already, in whose place anything might have stood.
    Bad,
}

/// Cuts a text into words.
pub(super) struct Tokens<'t, 'p> {
    rest: &'t str,
    at: Position,
    source: Source,
    problems: &'p mut Problems,
}

impl<'t, 'p> Tokens<'t, 'p> {
    pub(super) fn all(
        text: &'t str,
        source: Source,
        problems: &'p mut Problems,
    ) -> Vec<(Token<'t>, Position)> {
        let mut tokens = Tokens { rest: text, at: Position { line: 1, column: 1 }, source, problems };
        let mut found = Vec::new();
        loop {
            tokens.skip_space();
            let at = tokens.at;
            match tokens.token() {
                Some(token) => found.push((token, at)),
                None => return found,
            }
        }
    }

    fn skip_space(&mut self) {
        loop {
            self.take_while(char::is_whitespace);
            if !self.rest.starts_with(['%', '#']) {
                return;
            }
            self.take_while(|letter| letter != '\n');
        }
    }

    fn token(&mut self) -> Option<Token<'t>> {
        let first = self.rest.chars().next()?;
        if first == '"' {
            return Some(self.text());
        }
        if first.is_ascii_alphabetic() || first == '_' {
            return Some(self.word());
        }
        let is_negative = first == '-' && self.rest.chars().nth(1).is_some_and(|next| next.is_ascii_digit());
        if first.is_ascii_digit() || is_negative {
            return Some(self.number());
        }
        Some(self.symbol(first))
    }

    fn symbol(&mut self, first: char) -> Token<'t> {
        const SYMBOLS: &[(&str, Token<'static>)] = &[
            (":-", Token::If),
            ("!=", Token::Operator(Operator::NotEqual)),
            ("<=", Token::Operator(Operator::LessOrEqual)),
            (">=", Token::Operator(Operator::GreaterOrEqual)),
            ("<", Token::Operator(Operator::Less)),
            (">", Token::Operator(Operator::Greater)),
            ("=", Token::Operator(Operator::Equal)),
            ("(", Token::Open),
            (")", Token::Close),
            (",", Token::Comma),
            (".", Token::Stop),
        ];
        if let Some((symbol, token)) = SYMBOLS.iter().find(|(symbol, _)| self.rest.starts_with(symbol)) {
            self.take(symbol.len());
            return token.clone();
        }
        let at = self.at;
        self.take(first.len_utf8());
        let shown = first.escape_debug();
        self.complain(
            at,
            format!("`{shown}` has no meaning here"),
            "conditions are separated by `,`, and a text stands in double quotes",
        );
        Token::Bad
    }

    fn word(&mut self) -> Token<'t> {
        let at = self.at;
        let word = self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if word.len() > LONGEST_NAME {
            self.complain(at, format!("a name has at most {LONGEST_NAME} letters"), "choose a shorter name");
            return Token::Bad;
        }
        match word {
            "not" => Token::Not,
            _ if word.starts_with(|first: char| first.is_ascii_lowercase()) => Token::Name(word),
            _ => Token::Variable(word),
        }
    }

    fn number(&mut self) -> Token<'t> {
        let at = self.at;
        let sign = usize::from(self.rest.starts_with('-'));
        let digits = self.rest.get(sign..).unwrap_or_default();
        let length = sign + digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        match self.take(length).parse() {
            Ok(number) => Token::Number(number),
            Err(_) => {
                let message = "this number is too large".to_owned();
                self.complain(
                    at,
                    message,
                    "numbers lie between -9223372036854775808 and 9223372036854775807",
                );
                Token::Bad
            }
        }
    }

    fn text(&mut self) -> Token<'t> {
        let at = self.at;
        self.take(1);
        let mut text = String::new();
        loop {
            text.push_str(self.take_while(|letter| !matches!(letter, '"' | '\\' | '\n')));
            if text.len() > LONGEST_TEXT {
                self.complain(at, format!("a text has at most {LONGEST_TEXT} bytes"), "match a part of it");
                return Token::Bad;
            }
            match self.rest.chars().next() {
                Some('"') => {
                    self.take(1);
                    return Token::Text(text.into());
                }
                Some('\\') => match self.escape() {
                    Some(letter) => text.push(letter),
                    None => {
                        let hint = "the escapes are \\\" \\\\ \\n \\r \\t and \\u{e9}";
                        self.complain(self.at, "this escape has no meaning".to_owned(), hint);
                        self.take(1);
                    }
                },
                _ => {
                    let hint = "write `\"` at its end; a line break inside is `\\n`";
                    self.complain(at, "this text has no end".to_owned(), hint);
                    return Token::Bad;
                }
            }
        }
    }

    /// The letter that an escape stands for; where it stands for none, nothing is taken.
    fn escape(&mut self) -> Option<char> {
        let mut letters = self.rest.chars().skip(1);
        let simple = match letters.next()? {
            '"' => '"',
            '\\' => '\\',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let (digits, _) = self.rest.get(2..)?.strip_prefix('{')?.split_once('}')?;
                let is_number = digits.len() <= 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit());
                let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
                let letter = char::from_u32(number)?;
                self.take(digits.len() + 4);
                return Some(letter);
            }
            _ => return None,
        };
        self.take(2);
        Some(simple)
    }

    fn complain(&mut self, at: Position, message: String, hint: &str) {
        self.problems.error((self.source, at), message, || hint);
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        self.take(self.rest.find(|letter| !belongs(letter)).unwrap_or(self.rest.len()))
    }

    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        for letter in taken.chars() {
            match letter {
                '\n' => self.at = Position { line: self.at.line.saturating_add(1), column: 1 },
                _ => self.at.column = self.at.column.saturating_add(1),
            }
        }
        taken
    }
}
