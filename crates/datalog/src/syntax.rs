//! Rules as they are written, by a person or by a compiler in front, and how they are printed.

use std::fmt::{self, Display, Formatter};

use crate::value::Constant;

/// Which of several texts a rule came from; what the number means is the caller's business.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Source(pub u32);

/// Where something was written, counted from 1; zeros where it was made by a program.
///
/// All positions are equal to each other, since where a rule stands is no part of what it says.
#[derive(Clone, Copy, Debug, Default)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in it.
    pub column: u32,
}

/// `head :- body.`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From what; nothing in a fact.
    pub body: Vec<Literal>,
    /// The text it came from.
    pub source: Source,
}

/// A predicate and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// A lower-case letter, then letters, digits and `_`.
    pub predicate: Box<str>,
    /// In the order of the columns.
    pub arguments: Vec<Term>,
    /// Where its name stands.
    pub at: Position,
}

/// One condition of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// There is such a fact, or the filter holds.
    Holds(Atom),
    /// There is no such fact, or the filter does not hold.
    Fails(Atom),
    /// Two values lie so.
    Compares(Comparison),
}

/// Two values beside each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The first.
    pub left: Term,
    /// How they lie.
    pub operator: Operator,
    /// The second.
    pub right: Term,
    /// Where the first stands.
    pub at: Position,
}

/// How two values lie. Only `=` and `!=` are for texts too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Term {
    /// The same value wherever the name occurs in the rule.
    Variable(Box<str>),
    /// `_`: any value, a different one at each place.
    Anonymous,
    /// This value.
    Constant(Constant),
}

impl Rule {
    /// A rule that was not read from a text.
    pub fn new(head: Atom, body: Vec<Literal>, source: Source) -> Rule {
        Rule { head, body, source }
    }
}

impl Atom {
    /// An atom that was not read from a text.
    pub fn new(predicate: &str, arguments: Vec<Term>) -> Atom {
        Atom { predicate: predicate.into(), arguments, at: Position::default() }
    }
}

impl Literal {
    /// Where it stands.
    pub fn at(&self) -> Position {
        match self {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.at,
            Literal::Compares(comparison) => comparison.at,
        }
    }
}

impl Term {
    /// A variable.
    pub fn variable(name: &str) -> Term {
        Term::Variable(name.into())
    }

    /// A text.
    pub fn text(text: &str) -> Term {
        Term::Constant(Constant::Text(text.into()))
    }

    /// A number.
    pub fn number(number: i64) -> Term {
        Term::Constant(Constant::Number(number))
    }

    /// Its name, if it is a variable.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Term::Variable(name) => Some(name),
            Term::Anonymous | Term::Constant(_) => None,
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, _: &Position) -> bool {
        true
    }
}

impl Eq for Position {}

/// Whether it can be read as the name of a predicate.
pub(crate) fn is_predicate_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase()) && is_word(name) && name != "not"
}

/// Whether it can be read as the name of a variable.
pub(crate) fn is_variable_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_') && is_word(name) && name != "_"
}

fn is_word(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// A text in quotes, with escapes for whatever would not show or would end it.
pub(crate) fn write_text(formatter: &mut Formatter<'_>, text: &str) -> fmt::Result {
    formatter.write_str("\"")?;
    for letter in text.chars() {
        match letter {
            '"' => formatter.write_str("\\\"")?,
            '\\' => formatter.write_str("\\\\")?,
            '\n' => formatter.write_str("\\n")?,
            '\r' => formatter.write_str("\\r")?,
            '\t' => formatter.write_str("\\t")?,
            _ if is_hidden(letter) => write!(formatter, "\\u{{{:x}}}", u32::from(letter))?,
            _ => write!(formatter, "{letter}")?,
        }
    }
    formatter.write_str("\"")
}

/// Letters that do not show, or that turn the direction of what follows: a rule must not look like another.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e0fff}')
}

impl Display for Rule {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.head)?;
        for (place, literal) in self.body.iter().enumerate() {
            formatter.write_str(if place == 0 { " :- " } else { ", " })?;
            write!(formatter, "{literal}")?;
        }
        formatter.write_str(".")
    }
}

impl Display for Atom {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.predicate)?;
        for (place, argument) in self.arguments.iter().enumerate() {
            formatter.write_str(if place == 0 { "(" } else { ", " })?;
            write!(formatter, "{argument}")?;
        }
        formatter.write_str(if self.arguments.is_empty() { "" } else { ")" })
    }
}

impl Display for Literal {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Holds(atom) => write!(formatter, "{atom}"),
            Literal::Fails(atom) => write!(formatter, "not {atom}"),
            Literal::Compares(Comparison { left, operator, right, .. }) => {
                write!(formatter, "{left} {operator} {right}")
            }
        }
    }
}

impl Operator {
    /// As it is written.
    pub(crate) fn symbol(self) -> &'static str {
        match self {
            Operator::Equal => "=",
            Operator::NotEqual => "!=",
            Operator::Less => "<",
            Operator::LessOrEqual => "<=",
            Operator::Greater => ">",
            Operator::GreaterOrEqual => ">=",
        }
    }
}

impl Display for Operator {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.symbol())
    }
}

impl Display for Term {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Term::Variable(name) => formatter.write_str(name),
            Term::Anonymous => formatter.write_str("_"),
            Term::Constant(constant) => write!(formatter, "{constant}"),
        }
    }
}
