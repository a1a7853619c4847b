//! From text to rules. By hand: the grammar fits on a postcard, and a generator's errors would name tokens.

mod tokens;

use crate::limits::{MOST_ARGUMENTS, MOST_BYTES, MOST_LITERALS, MOST_RULES};
use crate::problem::Problems;
use crate::syntax::{Atom, Comparison, Literal, Position, Rule, Source, Term};
use crate::value::Constant;
use tokens::{Token, Tokens};

/// Reads the rules of a text. After a mistake it goes on behind the next `.`, to tell several at once.
pub fn read(text: &str, source: Source) -> Result<Vec<Rule>, Problems> {
    let mut problems = Problems::new();
    if text.len() > MOST_BYTES {
        let message = format!("a text of rules has at most {MOST_BYTES} bytes");
        problems.error((source, Position { line: 1, column: 1 }), message, || "split it");
        return Err(problems);
    }
    let tokens = Tokens::all(text, source, &mut problems);
    let mut reader = Reader { tokens: &tokens, last: Position { line: 1, column: 1 }, source };
    let mut rules = Vec::new();
    while !reader.tokens.is_empty() && !problems.is_full() {
        match reader.rule() {
            Ok(_) if rules.len() >= MOST_RULES => {
                let message = format!("a program has at most {MOST_RULES} rules");
                problems.error((source, reader.last), message, || "split it");
                break;
            }
            Ok(rule) => rules.push(rule),
            Err(mistake) => {
                if let Mistake::New { at, message, hint } = mistake {
                    problems.error((source, at), message, || hint);
                }
                reader.skip_statement();
            }
        }
    }
    if problems.is_empty() { Ok(rules) } else { Err(problems.into_sorted()) }
}

/// Why a statement could not be read.
enum Mistake {
    /// It has a word that was complained about already.
    Told,
    New {
        at: Position,
        message: String,
        hint: &'static str,
    },
}

struct Reader<'t> {
    tokens: &'t [(Token<'t>, Position)],
    /// Where the last word stood.
    last: Position,
    source: Source,
}

const EXAMPLE: &str = "a rule looks like `deny(\"no sudo\") :- program(\"sudo\").`";

impl<'t> Reader<'t> {
    fn rule(&mut self) -> Result<Rule, Mistake> {
        let head = self.atom()?;
        let mut body = Vec::new();
        if self.next_is(&Token::If) {
            self.advance();
            loop {
                body.push(self.literal()?);
                if body.len() > MOST_LITERALS {
                    let message = format!("a rule has at most {MOST_LITERALS} conditions");
                    return Err(self.mistake(message, "derive a predicate from some of them"));
                }
                if !self.next_is(&Token::Comma) {
                    break;
                }
                self.advance();
            }
        }
        self.expect(&Token::Stop, "`.`", "every rule ends with `.`; conditions are separated by `,`")?;
        Ok(Rule { head, body, source: self.source })
    }

    fn literal(&mut self) -> Result<Literal, Mistake> {
        match self.peek() {
            Some(Token::Not) => {
                self.advance();
                match self.peek() {
                    Some(Token::Name(_)) => Ok(Literal::Fails(self.atom()?)),
                    _ => Err(self.mistake(
                        format!("expected a predicate after `not`, found {}", self.found()),
                        "comparisons are negated by their opposite, such as `!=`",
                    )),
                }
            }
            Some(Token::Name(_)) => Ok(Literal::Holds(self.atom()?)),
            _ => {
                let at = self.place();
                let left = self.term("a condition")?;
                let operator = match self.peek() {
                    Some(Token::Operator(operator)) => *operator,
                    _ => {
                        let message = format!("expected a comparison, found {}", self.found());
                        return Err(self.mistake(message, "the comparisons are = != < <= > >="));
                    }
                };
                self.advance();
                let right = self.term("a value")?;
                Ok(Literal::Compares(Comparison { left, operator, right, at }))
            }
        }
    }

    fn atom(&mut self) -> Result<Atom, Mistake> {
        let at = self.place();
        let Some(Token::Name(predicate)) = self.peek() else {
            return Err(self.mistake(format!("expected a predicate, found {}", self.found()), EXAMPLE));
        };
        let predicate = Box::from(*predicate);
        self.advance();
        let mut arguments = Vec::new();
        if self.next_is(&Token::Open) {
            self.advance();
            loop {
                arguments.push(self.term("an argument")?);
                if arguments.len() > MOST_ARGUMENTS {
                    let message = format!("a predicate has at most {MOST_ARGUMENTS} arguments");
                    return Err(self.mistake(message, "split it"));
                }
                if !self.next_is(&Token::Comma) {
                    break;
                }
                self.advance();
            }
            self.expect(&Token::Close, "`)`", "arguments are separated by `,`")?;
        }
        Ok(Atom { predicate, arguments, at })
    }

    fn term(&mut self, expected: &str) -> Result<Term, Mistake> {
        let term = match self.peek() {
            Some(Token::Variable("_")) => Term::Anonymous,
            Some(Token::Variable(name)) => Term::variable(name),
            Some(Token::Text(text)) => Term::Constant(Constant::Text(text.clone())),
            Some(Token::Number(number)) => Term::number(*number),
            _ => {
                let hint = "values are variables (upper-case), texts in double quotes, and numbers";
                return Err(self.mistake(format!("expected {expected}, found {}", self.found()), hint));
            }
        };
        self.advance();
        Ok(term)
    }

    fn expect(&mut self, token: &Token<'_>, name: &str, hint: &'static str) -> Result<(), Mistake> {
        if !self.next_is(token) {
            return Err(self.mistake(format!("expected {name}, found {}", self.found()), hint));
        }
        self.advance();
        Ok(())
    }

    fn mistake(&self, message: String, hint: &'static str) -> Mistake {
        match self.peek() {
            Some(Token::Bad) => Mistake::Told,
            _ => Mistake::New { at: self.place(), message, hint },
        }
    }

    fn found(&self) -> String {
        match self.peek() {
            None => "the end of the text".to_owned(),
            Some(Token::Name(word) | Token::Variable(word)) => format!("`{word}`"),
            Some(Token::Text(_)) => "a text".to_owned(),
            Some(Token::Number(number)) => format!("`{number}`"),
            Some(Token::Operator(operator)) => format!("`{operator}`"),
            Some(Token::If) => "`:-`".to_owned(),
            Some(Token::Not) => "`not`".to_owned(),
            Some(Token::Open) => "`(`".to_owned(),
            Some(Token::Close) => "`)`".to_owned(),
            Some(Token::Comma) => "`,`".to_owned(),
            Some(Token::Stop) => "`.`".to_owned(),
            Some(Token::Bad) => "something else".to_owned(),
        }
    }

    fn peek(&self) -> Option<&'t Token<'t>> {
        self.tokens.first().map(|(token, _)| token)
    }

    fn next_is(&self, token: &Token<'_>) -> bool {
        self.peek() == Some(token)
    }

    /// Where the next word stands, or the last one at the end.
    fn place(&self) -> Position {
        self.tokens.first().map_or(self.last, |(_, at)| *at)
    }

    fn advance(&mut self) {
        if let Some(((_, at), rest)) = self.tokens.split_first() {
            self.tokens = rest;
            self.last = *at;
        }
    }

    fn skip_statement(&mut self) {
        while let Some(token) = self.peek() {
            let is_end = *token == Token::Stop;
            self.advance();
            if is_end {
                return;
            }
        }
    }
}
