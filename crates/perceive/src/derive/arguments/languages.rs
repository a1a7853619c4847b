//! Languages that arguments are written in: SQL, and command lines.

use super::super::definition::{Definition, Property};
use super::super::vocabulary::{Arguments, has_any};
use crate::sql::Dialect;

/// Languages of questions that are none of SQL.
const OTHER_LANGUAGES: [&str; 8] =
    ["promql", "logql", "traceql", "cypher", "graphql", "sparql", "jql", "jsonlogic"];

/// Whether a tool takes SQL.
pub(super) struct Database {
    pub(super) dialect: Option<Dialect>,
    pub(super) speaks_sql: bool,
}

impl Database {
    pub(super) fn of(definition: &Definition, server: &str) -> Database {
        let dialect = Dialect::from_hint(server);
        let text = format!("{} {}", definition.name, definition.description).to_lowercase();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        let mentions = text.contains("sql") && words.any(|word| word == "sql");
        let speaks_other =
            OTHER_LANGUAGES.iter().any(|language| definition.name.to_lowercase().contains(language));
        Database { dialect, speaks_sql: (mentions || dialect.is_some()) && !speaks_other }
    }

    pub(super) fn reads(&self, property: &Property, names: &Arguments) -> bool {
        let says_other = OTHER_LANGUAGES.iter().any(|language| property.mentions(&[language]));
        has_any(&names.sql, &property.words) && property.words.len() < 3
            || property.words.len() == 1
                && has_any(&names.sql_maybe, &property.words)
                && !says_other
                && (self.speaks_sql || says_sql(&property.description))
    }
}

/// Whether the word stands there, and not only the end of another (`PromQL`, `GraphQL`, `NoSQL`).
fn says_sql(text: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "sql")
}

impl Definition {
    /// Whether the commands that the tool takes are run by a shell of this machine.
    pub(super) fn is_shell(&self) -> bool {
        let text = format!("{} {}", self.name, self.description).to_lowercase();
        let says =
            ["shell", "bash", "terminal", "this linux machine", "command line", "run_command", "runcommand"];
        let elsewhere = ["remote", "ssh", "pod", "container", "kubectl", "cluster", "device", "browser"];
        says.iter().any(|word| text.contains(word)) && !elsewhere.iter().any(|word| text.contains(word))
    }
}
