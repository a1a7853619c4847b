//! Tables of a database by their names: "payroll and payroll_history are none of your business", "bookings is SELECT
//! only", "hr and finance are never joined", "DELETE on ledger: never".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const READ: &[&str] = &[
    "is select only",
    "are select only",
    "is select-only",
    "are select-only",
    "is read-only",
    "are read-only",
    "is read only",
    "are read only",
    "is for reading only",
    "are for reading only",
    "is look-only",
    "are look-only",
    "may only be read",
    "can only be read",
    "must only be read",
    "is frozen",
    "are frozen",
    ": select only",
    ": read only",
    ": read-only",
    ": selects only",
    ": only select",
    ": only selects",
    ": look but don't touch",
    "stays as it is",
    "stay as they are",
    "is sacred",
    "is only for reading",
    "are only for reading",
];

const CLOSED: &[&str] = &[
    "is none of your business",
    "are none of your business",
    "is off limits",
    "are off limits",
    "is off-limits",
    "are off-limits",
    "is out of bounds",
    "are out of bounds",
    "is taboo",
    "are taboo",
    "is private",
    "are private",
    "is a no-go",
    "are a no-go",
    "is not for you",
    "are not for you",
    "is nothing for you",
    "are nothing for you",
    "is forbidden",
    "are forbidden",
];

const APART: &[&str] = &[
    "are never joined with each other",
    "are never joined",
    "are never joined together",
    "must not be joined",
    "must never be joined",
    "are not to be joined",
    "may not be joined",
    "must not be joined with each other",
    "must never be joined with each other",
    "are not joined",
    "are not joined with each other",
    "should never be joined",
    "may never be joined",
];

/// Statements by their words in SQL, with the action that shows each.
const STATEMENTS: &[(&str, &str)] = &[
    ("SELECT", "sql select"),
    ("INSERT", "sql insert"),
    ("UPDATE", "sql update"),
    ("DELETE", "sql delete"),
    ("DROP", "sql drop"),
    ("TRUNCATE", "sql truncate"),
    ("ALTER", "sql alter"),
];

impl Exact<'_> {
    /// A rule about tables.
    pub(in crate::english::exact) fn tables(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_parameter("sql")
            && !self.hand.has_tool_word("query")
            && !self.hand.has_tool_word("sql")
        {
            return None;
        }
        if let Some(names) = strip_end(tokens, READ).and_then(|front| self.table_names(front)) {
            return Some(about(vec![Doing::Deed(Deed::Changes)], names));
        }
        if let Some(names) = strip_end(tokens, CLOSED).and_then(|front| self.table_names(front)) {
            return Some(about(vec![Doing::Deed(Deed::Involves)], names));
        }
        if tokens.iter().any(|token| matches!(token.low.as_str(), "but" | "except" | "besides")) {
            return None;
        }
        let says_tables = tokens.iter().any(|token| matches!(token.low.as_str(), "table" | "tables"));
        for (phrases, deed) in [(UNCHANGED, Deed::Changes), (AVOIDED, Deed::Involves)] {
            if let Some(names) =
                strip(tokens, phrases).filter(|_| says_tables).and_then(|rest| self.table_names(rest))
            {
                return Some(about(vec![Doing::Deed(deed)], names));
            }
        }
        let apart = strip_end(tokens, APART).or_else(|| {
            strip(tokens, &["never join", "don't join", "do not join", "no joins between", "no join between"])
        });
        if let Some(names) = apart.and_then(|front| self.joined_names(front)) {
            let named = |name: String| Test::Value {
                names: vec!["sql".to_owned(), "query".to_owned()],
                check: Check::Forms(vec![Form::Names(name)]),
                presence: Presence::One,
            };
            let tests = names.into_iter().map(named).collect();
            let doings = vec![Doing::Did("sql join".to_owned())];
            return Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })]);
        }
        self.stated_on(tokens)
    }

    /// "no DELETE on ledger", "DELETE on ledger: never", "every UPDATE on ledger: ask me first".
    fn stated_on(&self, tokens: &[Token]) -> Option<Rules> {
        const NEVER: &[&str] =
            &[": never", ": no", "is forbidden", "are forbidden", "is not allowed", "are not allowed"];
        const ASKED: &[&str] = &[": ask me first", ": ask first", ": ask me", "needs my ok", "need my ok"];
        let denied =
            strip(tokens, &["no", "never", "never run", "don't run"]).or_else(|| strip_end(tokens, NEVER));
        let asked = strip_end(tokens, ASKED).or_else(|| {
            strip(
                tokens,
                &[
                    "ask me before any",
                    "ask before any",
                    "ask me before every",
                    "ask me before an",
                    "ask me before a",
                ],
            )
        });
        let (said, verdict) = match (denied, asked) {
            (Some(said), _) => (said, Verdict::Deny),
            (None, Some(said)) => (said, Verdict::Ask),
            (None, None) => return None,
        };
        let (statements, _, table) = around(bare(said), &["on", "in", "from", "into", "against"])?;
        let doings: Option<Vec<Doing>> = items(statements)
            .into_iter()
            .map(|item| {
                let [one] = bare(item) else { return None };
                let word = one.text.trim_end_matches('s');
                let (_, action) = STATEMENTS.iter().find(|(own, _)| *own == word)?;
                Some(Doing::Did((*action).to_owned()))
            })
            .collect();
        let names = self.named_plainly(table)?;
        let mut rules = about(doings?, names);
        rules.iter_mut().for_each(|rule| rule.0 = verdict);
        Some(rules)
    }

    /// The tables that words name: with "table" beside them, or one of them as no word is written.
    fn table_names(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let says_table = tokens.iter().any(|token| matches!(token.low.as_str(), "table" | "tables"));
        let is_identifier = |token: &Token| token.shape == Shape::Identifier;
        let names = self.named_plainly(tokens)?;
        (says_table || tokens.iter().any(is_identifier)).then_some(names)
    }

    fn joined_names(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let parted: Vec<Token> = tokens
            .iter()
            .map(|token| match token.low.as_str() {
                "with" | "to" => Token { text: "and".to_owned(), low: "and".to_owned(), ..token.clone() },
                _ => token.clone(),
            })
            .collect();
        self.named_plainly(&parted).filter(|names| names.len() == 2)
    }

    fn named_plainly(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let names: Option<Vec<String>> = items(tokens)
            .into_iter()
            .map(|item| {
                let item = strip(bare(item), &["table", "tables"]).unwrap_or(bare(item));
                let item = strip_end(item, &["table", "tables", "schema", "data"]).unwrap_or(item);
                match item {
                    [one] if matches!(one.shape, Shape::Word | Shape::Identifier | Shape::Quoted) => {
                        Some(one.text.clone())
                    }
                    [one] if matches!(one.shape, Shape::Host) => Some(one.text.clone()),
                    _ => None,
                }
            })
            .collect();
        names.filter(|names| !names.is_empty())
    }
}

fn about(doings: Vec<Doing>, names: Vec<String>) -> Rules {
    let places = names.into_iter().map(Place::Table).collect();
    let tests = vec![Test::Place { side: Side::Object, places, inside: true }];
    vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })]
}

const UNCHANGED: &[&str] = &[
    "never touch",
    "don't touch",
    "do not touch",
    "never change",
    "don't change",
    "do not change",
    "never modify",
    "don't modify",
    "do not modify",
    "never write to",
    "never write into",
    "don't write to",
    "do not write to",
    "never edit",
    "no changes to",
    "no writes to",
];

const AVOIDED: &[&str] = &[
    "hands off",
    "stay away from",
    "keep out of",
    "stay out of",
    "never query",
    "don't query",
    "do not query",
    "never read",
    "don't read",
    "do not read",
    "never access",
    "don't access",
    "do not access",
    "never use",
    "don't use",
    "do not use",
    "never look at",
];
