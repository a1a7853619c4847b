//! Names of tables as resources.

use portcullis_lattice::Reach;
use sqlparser::ast::{Ident, ObjectName, ObjectNamePart};

use super::{Dialect, catalogue, reading::everything};
use crate::deed::Use;

/// Schemas that describe the database. What they show are names, not what is stored.
const CATALOGUE_SCHEMAS: [&str; 6] =
    ["information_schema", "pg_catalog", "pg_toast", "sys", "performance_schema", "mysql"];
/// Prefixes of unqualified tables that belong to the catalogue.
const CATALOGUE_PREFIXES: [&str; 10] =
    ["pg_", "sqlite_", "all_", "dba_", "user_tab", "user_obj", "user_col", "v$", "svv_", "stv_"];
/// Parts of the catalogue that show contents: samples of columns, running statements, large objects.
const REVEALING: [&str; 9] = [
    "pg_stats",
    "pg_stats_ext",
    "pg_statistic",
    "pg_stat_activity",
    "pg_stat_statements",
    "pg_largeobject",
    "processlist",
    "sqlite_stat4",
    "events_statements_history",
];
/// Parts of the catalogue that hold passwords or their hashes. They are named, so that they can be known.
const CREDENTIALS: [&str; 9] = [
    "pg_authid",
    "pg_shadow",
    "pg_user_mapping",
    "pg_user_mappings",
    "pg_subscription",
    "mysql.user",
    "sys.sql_logins",
    "sys.user$",
    "dba_users",
];

/// Turns names into resources, as one dialect compares them.
#[derive(Clone, Copy)]
pub(super) struct Namer {
    dialect: Dialect,
}

impl Namer {
    pub(super) fn new(dialect: Dialect) -> Namer {
        Namer { dialect }
    }

    /// A table, or the catalogue if the name lies there.
    pub(super) fn table(self, name: &ObjectName) -> Use {
        let parts = self.parts(name);
        place(&parts)
    }

    /// Something that is no table: a procedure, a role. The catalogue has none that are looked at.
    pub(super) fn object(self, name: &ObjectName) -> Use {
        named(&self.parts(name).join("."))
    }

    /// A name of one word, if it is one.
    pub(super) fn word(self, name: &ObjectName) -> Option<String> {
        let mut parts = self.parts(name);
        if parts.len() == 1 { parts.pop() } else { None }
    }

    /// A table named in a string, as `'hr.reviews'` for a sequence.
    pub(super) fn written(self, text: &str) -> Use {
        let parts: Vec<String> = text.split('.').map(|part| escaped(&part.to_lowercase())).collect();
        place(&parts)
    }

    pub(super) fn ident(self, ident: &Ident) -> String {
        let text = &ident.value;
        let keeps_case = match self.dialect {
            _ if ident.quote_style.is_none() => false,
            Dialect::Postgres | Dialect::Redshift | Dialect::Generic | Dialect::BigQuery => true,
            Dialect::ClickHouse | Dialect::Databricks => true,
            // Unquoted names become upper case there, so that this is the same name.
            Dialect::Oracle | Dialect::Snowflake => text.chars().any(char::is_lowercase),
            // These compare names without case, whether quoted or not.
            Dialect::MySql | Dialect::Sqlite | Dialect::MsSql | Dialect::DuckDb => false,
        };
        if keeps_case { escaped(text) } else { escaped(&text.to_lowercase()) }
    }

    /// The parts of a name, each as it is compared.
    pub(super) fn parts(self, name: &ObjectName) -> Vec<String> {
        let parts = name.0.iter().map(|part| match part {
            ObjectNamePart::Identifier(ident) => self.ident(ident),
            // A name that is computed could be any.
            ObjectNamePart::Function(_) => String::new(),
        });
        parts.collect()
    }
}

/// Everything inside a schema.
pub(super) fn schema(name: &str) -> Use {
    Use::new(format!("db:{name}.*"), Reach::Subtree)
}

/// A table or the like by its whole name; a name with nothing in it could be any.
pub(super) fn named(name: &str) -> Use {
    if name.is_empty() || name.split('.').any(str::is_empty) {
        return everything();
    }
    Use::new(format!("db:{name}"), Reach::One)
}

/// A table by the parts of its name, or the catalogue if it lies there.
pub(super) fn place(parts: &[String]) -> Use {
    let whole = parts.join(".");
    let last = parts.last().map_or("", String::as_str).to_lowercase();
    let schema = parts.iter().rev().nth(1).map(|part| part.to_lowercase());
    let lower = whole.to_lowercase();
    let is_in_catalogue = match &schema {
        Some(schema) => CATALOGUE_SCHEMAS.contains(&schema.as_str()) || last.starts_with("sqlite_"),
        None => CATALOGUE_PREFIXES.iter().any(|prefix| last.starts_with(prefix)),
    };
    if !is_in_catalogue {
        return named(&whole);
    }
    match last.as_str() {
        last if REVEALING.contains(&last) => everything(),
        last if CREDENTIALS.iter().any(|one| *one == last || *one == lower) => named(&lower),
        _ => catalogue(),
    }
}

/// What would mean something else inside the name of a resource is written as in a URL, so that different tables
/// never get the same name.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '/' | '%' | '.' | '*' | '\\' => escaped.push_str(&format!("%{:02X}", u32::from(letter))),
            letter if letter.is_control() => escaped.push_str(&format!("%{:02X}", u32::from(letter))),
            letter => escaped.push(letter),
        }
    }
    escaped
}
