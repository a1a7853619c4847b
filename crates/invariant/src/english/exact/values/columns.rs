//! Columns of tables that no query may name: "leave dob and phone out of what you query".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Form, Place, Presence, Saying, Side, Test, Verdict};

const DENYING: &[&str] = &[
    "never select",
    "never query",
    "never read",
    "never show",
    "don't select",
    "don't query",
    "don't read",
    "do not select",
    "do not query",
    "do not read",
    "leave out",
    "never fetch",
    "don't fetch",
    "do not fetch",
    "never ask for",
    "never touch",
    "keep out",
];
const CLOSED: &[&str] = &[
    "are off limits",
    "is off limits",
    "are private",
    "is private",
    "are taboo",
    "is taboo",
    "are confidential",
    "is confidential",
    "stays out of every result",
    "stay out of every result",
    "stays out of results",
    "stay out of results",
    "stays out of queries",
    "stay out of queries",
    "stays out of every query",
    "must stay out of queries",
    "stays hidden",
    "stay hidden",
    "must not be selected",
    "must not be queried",
    "must not be read",
    "must never be queried",
    "must never be selected",
    "are none of your business",
    "is none of your business",
    "must not be read out",
    "are secret",
    "is secret",
    "are not for you",
    "is not for you",
    "are forbidden",
    "is forbidden",
    "are sensitive",
    "is sensitive",
    "are off-limits",
    "is off-limits",
    "are not to be read",
    "is not to be read",
    "must not show up",
    "must never show up",
    "never show up in results",
    "are never read",
    "is never read",
    "are never selected",
    "is never selected",
    "are never queried",
    "is never queried",
    "must not leave the database",
    "stay in the database",
    "stays in the database",
    "must not be shown",
    "must not be fetched",
    "are none of your concern",
    "may not be read",
    "may not be queried",
    "may not be selected",
    "stay secret",
    "stays secret",
    "stay private",
    "stays private",
    "are not your business",
    "is not your business",
];
const OUT: &[&str] = &[
    "out of everything you query",
    "out of queries",
    "out of your queries",
    "out of what you query",
    "out of selects",
    "out of every query",
    "out of all queries",
    "out of any query",
    "out of it",
    "out of the results",
    "out of results",
];

/// That every table is meant.
const WHEREVER: &[&str] = &[
    "in every query",
    "in any query",
    "in all queries",
    "in your queries",
    "in queries",
    "in any table",
    "in every table",
    "in whatever table",
    ", whichever table it is in",
    ", whichever table they are in",
    ", whatever the table",
    ", whatever table it is in",
    ", in whatever table",
    ", in any table",
    ", in every table",
    "wherever it is",
    ", wherever it is",
    "everywhere",
];

/// Words that are said of tables and their columns only.
const OF_TABLES: &[&str] = &[
    "column", "columns", "field", "fields", "table", "tables", "query", "queries", "queried", "select",
    "selects", "selected",
];

impl Exact<'_> {
    /// A ban on columns.
    pub(in crate::english::exact) fn columns(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        let names = self.ground(&["sql".to_owned()], &[]).or_else(|| {
            self.hand.has_tool_word("query").then(|| self.ground(&["query".to_owned()], &[])).flatten()
        })?;
        // "docs/ must not be read" is about files.
        let is_elsewhere = |token: &Token| {
            matches!(token.shape, Shape::Path | Shape::Channel | Shape::Host | Shape::Url | Shape::Address)
        };
        if tokens.iter().any(is_elsewhere) {
            return None;
        }
        // "Never read any table but stations" allows what it names.
        if tokens.iter().any(|token| matches!(token.low.as_str(), "but" | "except" | "besides")) {
            return None;
        }
        let first = without_star(said_once(tokens)?);
        let first = strip_end(first, WHEREVER).unwrap_or(first);
        let named = strip_end(first, CLOSED)
            .or_else(|| strip(first, DENYING))
            .or_else(|| strip_end(strip(first, &["leave", "keep"])?, OUT))?;
        let (columns, table) = match around(named, &["of the", "in the", "from the", "of", "in", "from"]) {
            Some((columns, _, table)) => {
                (columns, Some(strip_end(bare(table), &["table"]).unwrap_or(bare(table))))
            }
            None => (named, None),
        };
        // "personal data (name, email, phone)": what stands in brackets are the columns.
        let columns = crate::english::exact::words::bracketed(columns).map_or(columns, |(_, inner)| inner);
        let columns =
            strip(bare(columns), &["columns", "column", "fields", "field"]).unwrap_or(bare(columns));
        let columns = strip_end(columns, &["columns", "column", "fields", "field"]).unwrap_or(columns);
        // "Never read files from docs/" is no rule about columns: a word has to say that it is.
        let is_said = tokens.iter().any(|token| OF_TABLES.contains(&token.low.as_str()))
            || (first.len() < tokens.len())
            || (table.is_some() && !self.hand.has_files() && !self.hand.has_web());
        let column = |item: &[Token]| match bare(item) {
            [one]
                if matches!(one.shape, Shape::Word | Shape::Identifier | Shape::Quoted)
                    && !matches!(one.low.as_str(), "them" | "it" | "those" | "these" | "they" | "that") =>
            {
                Some(one.text.clone())
            }
            _ => None,
        };
        let each: Option<Vec<String>> = items(columns).into_iter().map(column).collect();
        let each = each.filter(|each| !each.is_empty() && is_said)?;
        let mut tests = Vec::new();
        if let Some(table) = table {
            let [table] = table else { return None };
            if !matches!(table.shape, Shape::Word | Shape::Identifier | Shape::Quoted) {
                return None;
            }
            let places = vec![Place::Table(table.text.clone())];
            tests.push(Test::Place { side: Side::Object, places, inside: true });
        }
        let check = Check::Forms(each.into_iter().map(Form::Names).collect());
        let every = Saying::Class("list of every column".to_owned());
        tests.push(Test::Any(vec![
            vec![Test::Value { names, check, presence: Presence::One }],
            vec![Test::Says { what: vec![every], parameter: None, is: true }],
        ]));
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }
}

/// "…, so no SELECT * there either": the same once more.
fn without_star(tokens: &[Token]) -> &[Token] {
    const AGAIN: &[&str] = &[
        ", so no select *",
        ", no select *",
        "and no select *",
        ", also no select *",
        ", not even by select *",
        ", not even with select *",
        ", so no select star",
        ", no select star",
        ", so never select *",
        ", so don't select *",
        ", so no *",
        ", not via select *",
        ", so no selecting *",
    ];
    let plain = strip_end(tokens, &["either", "too"]).unwrap_or(tokens);
    let plain = strip_end(
        plain,
        &["there", "here", "on it", "from it", "on that table", "on this table", "from there"],
    )
    .unwrap_or(plain);
    strip_end(plain, AGAIN).unwrap_or(tokens)
}

/// "dob and phone are private, leave these two columns out of …": said twice, so that once is enough.
fn said_once(tokens: &[Token]) -> Option<&[Token]> {
    const THESE: &[&str] = &[
        "them",
        "these",
        "those",
        "these two",
        "those two",
        "these columns",
        "those columns",
        "these two columns",
        "those two columns",
        "it",
        "this column",
        "that column",
        "both",
    ];
    let Some((first, _, more)) = around(tokens, &[", leave", ", keep", ", so leave", ", so keep"]) else {
        return Some(tokens);
    };
    strip(strip_end(more, OUT)?, THESE).is_some_and(<[Token]>::is_empty).then_some(first)
}
