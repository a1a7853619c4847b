//! Places and deeds as Datalog.

use super::quoted;
use crate::meaning::{Deed, Form, Place};

impl Place {
    /// The place as a condition on a variable. Asked whether something touches it, or whether it lies inside as a whole.
    pub(crate) fn literal(&self, variable: &str, touches: bool) -> String {
        let about = if touches { "touches" } else { "inside" };
        let filter = |name: &str, text: &str| format!("{name}({variable}, {})", quoted(text));
        match self {
            Place::Path(path) => filter(about, path),
            Place::Page(page) => filter(about, page),
            Place::Named(name) => filter("named", name),
            Place::Within(path) => filter("has_path", path),
            Place::Ending(end) => filter("named", &format!("*.{end}")),
            Place::Folder(folder) => filter("in_folder", folder),
            Place::Word(word) => filter("has_word", word),
            Place::Domain(domain) => filter("at_host", domain),
            Place::HostLike(like) => filter("host_like", like),
            Place::Address(address) => filter("is_address", address),
            Place::Mailbox(mailbox) => filter("glob", &format!("mailto:{mailbox}@*")),
            Place::Id(id) | Place::Channel(id) => filter("has_id", id),
            Place::Table(table) => filter("is_table", table),
            Place::Database(database) => format!("database({})", quoted(&database.to_lowercase())),
            Place::Kind(kind) => match kind.as_str() {
                "network" => format!("on_network({variable})"),
                "person" => format!("is_person({variable})"),
                kind => format!("kind({variable}, {})", quoted(kind)),
            },
            Place::Network => format!("on_network({variable})"),
            Place::Local => format!("kind({variable}, \"file\")"),
            Place::Internal => format!("realm({variable}, \"internal\")"),
            Place::External => format!("realm({variable}, \"external\")"),
            Place::Public => format!("public({variable})"),
            Place::TopLevel => format!("top_level({variable})"),
            Place::PlainHttp => filter("starts_with", "http://"),
            Place::Hidden => filter("named", ".*"),
            Place::Formed(form @ (Form::Year(_) | Form::YearUntil(_))) => filter("matches", &form.pattern()),
            Place::Formed(form) => filter("last_matches", &form.pattern()),
        }
    }

    /// A short name of the place, for facts about data that comes from it.
    pub(crate) fn name(&self) -> String {
        match self {
            Place::Path(text)
            | Place::Page(text)
            | Place::Named(text)
            | Place::Domain(text)
            | Place::HostLike(text)
            | Place::Address(text) => text.clone(),
            Place::Ending(end) => format!("*.{end}"),
            Place::Within(path) => format!("path {path}"),
            Place::Folder(folder) => format!("folder {folder}"),
            Place::Word(word) => format!("word {word}"),
            Place::Mailbox(mailbox) => format!("{mailbox}@"),
            Place::Id(id) => id.clone(),
            Place::Channel(name) => format!("#{name}"),
            Place::Table(table) => format!("table {table}"),
            Place::Database(database) => format!("database {database}"),
            Place::Kind(kind) => format!("any {kind}"),
            Place::Network => "the network".to_owned(),
            Place::Local => "this machine".to_owned(),
            Place::Internal => "the organisation".to_owned(),
            Place::External => "outside".to_owned(),
            Place::Public => "the public".to_owned(),
            Place::TopLevel => "the top level".to_owned(),
            Place::PlainHttp => "plain http".to_owned(),
            Place::Hidden => "hidden files".to_owned(),
            Place::Formed(form) => format!("form {}", form.pattern()),
        }
    }
}

impl Deed {
    /// The predicate that says it.
    pub const fn name(self) -> &'static str {
        match self {
            Deed::Reads => "reads",
            Deed::Writes => "writes",
            Deed::Changes => "changes",
            Deed::Deletes => "deletes",
            Deed::Moves => "moves",
            Deed::Copies => "copies",
            Deed::Runs => "runs",
            Deed::Sends => "sends",
            Deed::Involves => "involves",
        }
    }

    /// The deed of this name.
    pub fn named(name: &str) -> Option<Deed> {
        Some(match name {
            "reads" => Deed::Reads,
            "writes" => Deed::Writes,
            "changes" => Deed::Changes,
            "deletes" => Deed::Deletes,
            "moves" => Deed::Moves,
            "copies" => Deed::Copies,
            "runs" => Deed::Runs,
            "sends" => Deed::Sends,
            "involves" => Deed::Involves,
            _ => return None,
        })
    }
}
