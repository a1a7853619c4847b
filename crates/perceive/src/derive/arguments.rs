//! What each argument of an unknown tool is for.

use serde_json::Value;

use super::definition::{Definition, Property};
use super::ids;
use super::manner::{Manner, Told};
use super::vocabulary::{Arguments, Vocabulary, has, has_any};
use crate::profile::{ArgumentPath, Condition, Test};
use crate::sql::Dialect;

/// The arguments by what they are for.
#[derive(Default)]
pub(super) struct Roles {
    pub(super) urls: Vec<ArgumentPath>,
    pub(super) hooks: Vec<ArgumentPath>,
    pub(super) mails: Vec<ArgumentPath>,
    pub(super) phones: Vec<ArgumentPath>,
    /// Files of this machine that are read.
    pub(super) sources: Vec<ArgumentPath>,
    /// Files of this machine that are written.
    pub(super) targets: Vec<ArgumentPath>,
    /// The name of the file, beside the folder that it is put into.
    pub(super) file_name: Option<ArgumentPath>,
    /// Files of this machine of which the name does not tell.
    pub(super) files: Vec<ArgumentPath>,
    /// The file inside what the ids name.
    pub(super) inside: Option<ArgumentPath>,
    /// What the call is about, the innermost first.
    pub(super) ids: Vec<ArgumentPath>,
    /// Where something is put: the second id of a move or a copy.
    pub(super) destinations: Vec<ArgumentPath>,
    /// Arguments that say that something goes there, without saying what kind of place it is: `copy_to`, `mirror`.
    pub(super) sent: Vec<ArgumentPath>,
    /// What is sent as the body of a request, and the method of it.
    pub(super) bodies: Vec<ArgumentPath>,
    pub(super) method: Option<ArgumentPath>,
    /// Flags that ask for more than a look, with what they ask for.
    pub(super) flags: Vec<(ArgumentPath, Manner)>,
    /// Queries that may do more than look.
    pub(super) queries: Vec<ArgumentPath>,
    /// Objects that may hold anything.
    pub(super) open: Vec<ArgumentPath>,
    pub(super) text: Vec<ArgumentPath>,
    pub(super) command: Option<ArgumentPath>,
    pub(super) folder: Option<ArgumentPath>,
    pub(super) code: Vec<ArgumentPath>,
    pub(super) sql: Option<(ArgumentPath, Option<Dialect>)>,
    /// What makes the result open to everybody.
    pub(super) public: Option<Condition>,
    /// What makes a change a deletion.
    pub(super) gone: Vec<Condition>,
    /// The argument that says what to do, with its values.
    pub(super) action: Option<(ArgumentPath, Vec<String>)>,
    /// Whether the tool is about files, so that a source and a destination are some.
    moves_files: bool,
}

/// Words in a description by which a path is none of this machine.
const REMOTE: [&str; 17] = [
    "vault",
    "in the repository",
    "in the repo",
    "within the repo",
    "inside the repo",
    "repository root",
    "relative to the repo",
    "bucket",
    "remote",
    "sftp",
    "endpoint",
    "api path",
    "rest api",
    "url path",
    "in the project",
    "object key",
    "json path",
];
/// Words in a description by which something is written to a path.
const SAVED: [&str; 6] = ["to save", "save to", "saved to", "write to", "written to", "output file"];
const LOCAL: [&str; 6] = ["local", "absolute", "on disk", "on your machine", "this machine", "file system"];

impl Roles {
    pub(super) fn of(definition: &Definition, told: &Told, server: &str, vocabulary: &Vocabulary) -> Roles {
        let about_files = |word: &String| matches!(word.as_str(), "file" | "files" | "directory" | "folder");
        let mut roles = Roles { moves_files: told.words.iter().any(about_files), ..Roles::default() };
        let names = &vocabulary.arguments;
        let sql = Database::of(definition, server);
        let paths_are_remote = paths_are_remote(definition, vocabulary, told);
        let mut for_ids: Vec<&Property> = Vec::new();
        for property in &definition.properties {
            let placed = roles.place(property, names, &sql) || roles.path(property, names, paths_are_remote);
            if !placed {
                roles.state(property, names, told);
                roles.destination(property, names, told);
                for_ids.push(property);
            }
        }
        if told.drafts() {
            // A draft is kept, whoever it is addressed to.
            roles.mails.clear();
            roles.phones.clear();
        }
        // A file's name beside a folder is in that folder.
        if let (Some(name), false) = (roles.inside.clone(), roles.targets.is_empty()) {
            roles.files.push(name);
            roles.inside = None;
        }
        if roles.targets.len() > 1 || !roles.targets.is_empty() && !roles.files.is_empty() {
            let is_name =
                |path: &ArgumentPath| matches!(path.root(), Some("filename" | "file_name" | "fileName"));
            let named = roles.targets.iter().chain(&roles.files).find(|path| is_name(path)).cloned();
            roles.targets.retain(|path| !is_name(path));
            roles.files.retain(|path| !is_name(path));
            roles.file_name = named;
        }
        roles.destinations.retain(|path| !roles.urls.contains(path));
        let put: Vec<ArgumentPath> = roles.destinations.clone();
        for_ids.retain(|property| !put.contains(&property.path()));
        roles.ids = ids::ranked(&for_ids, told, vocabulary);
        if roles.ids.is_empty()
            && let Some(inside) = roles.inside.take()
        {
            // Nothing holds it, so it is what the call is about.
            roles.ids.push(inside);
        }
        if !definition.is_shell() {
            roles.command = roles.command.take().filter(|_| false);
        }
        roles
    }

    /// Arguments that can only be one thing.
    fn place(&mut self, property: &Property, names: &Arguments, sql: &Database) -> bool {
        let words = &property.words;
        let path = property.path();
        let is_text = property.is_text() || property.is_plain_list;
        let format = property.format.as_deref().unwrap_or_default();
        if is_text && has_any(&names.hook, words) {
            self.hooks.push(path);
        } else if is_text
            && (has_any(&names.url, words) && !words.iter().any(|word| word == "path")
                || matches!(format, "uri" | "url")
                || says_url(property))
        {
            self.urls.push(path);
        } else if is_mail(property, names) {
            self.mails.push(path);
        } else if is_text && is_phone(property, names) {
            self.phones.push(path);
        } else if is_text && is_sent(property) {
            self.sent.push(path);
        } else if is_text && has_any(&names.command, words) && property.values.is_empty() {
            self.command = Some(path);
        } else if property.is_text() && sql.reads(property, names) {
            self.sql = Some((path, sql.dialect));
        } else if is_code(property, names) {
            self.code.push(path);
        } else {
            return false;
        }
        true
    }

    /// Files and folders, of this machine or inside what an id names.
    fn path(&mut self, property: &Property, names: &Arguments, remote: bool) -> bool {
        let words = &property.words;
        let says = |word: &str| words.iter().any(|one| one == word);
        let others = [
            "id", "ids", "type", "key", "count", "content", "contents", "sort", "order", "prefix", "pattern",
        ];
        let is_something_else = others.iter().any(|word| says(word));
        let is_end = words.len() == 1 && (has_any(&names.path_in, words) || has_any(&names.path_out, words));
        let is_path = has_any(&names.path, words) || self.moves_files && is_end || says("attachments");
        let is_text = (property.is_text() || property.is_plain_list) && property.values.is_empty();
        if !is_path || is_something_else || !is_text || property.is_flag() {
            return false;
        }
        let path = property.path();
        let is_local = property.mentions(&LOCAL)
            || ["save", "output", "local", "download", "attachments"].iter().any(|word| says(word));
        if says("cwd") || says("workdir") || says("directory") && words.len() == 1 && self.command.is_some() {
            self.folder = Some(path);
        } else if !is_local && (remote || property.mentions(&REMOTE)) {
            self.inside = Some(path);
        } else if has_any(&names.path_out, words) || property.mentions(&SAVED) {
            self.targets.push(path);
        } else if has_any(&names.path_in, words) {
            self.sources.push(path);
        } else {
            self.files.push(path);
        }
        true
    }

    /// Arguments that say how: open to everybody, to be archived, what to do; and those that may hold anything.
    fn state(&mut self, property: &Property, names: &Arguments, told: &Told) {
        let path = property.path();
        let words = &property.words;
        if has_any(&names.public, words) || property.values.iter().any(is_everybody) {
            self.public = self.public.take().or_else(|| public(property));
        }
        if property.is_flag() && has_any(&names.gone, words) && !told.only_looks() {
            let test = Test::Is(vec![Value::Bool(true)]);
            self.gone.push(Condition { argument: path.clone(), test });
        }
        let is_action = match words.as_slice() {
            [word] => has(&names.action, word),
            [.., word] => word != "mode" && has(&names.action, word),
            [] => false,
        };
        if is_action && property.values.len() > 1 {
            let values = property.values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
            self.action = self.action.take().or(Some((path.clone(), values)));
        }
        let is_about_text = words.last().is_some_and(|word| {
            matches!(
                word.as_str(),
                "id" | "ids" | "iid" | "gid" | "type" | "format" | "key" | "number" | "count" | "name"
            )
        });
        if has_any(&names.text, words) && !is_about_text {
            self.text.push(path.clone());
        }
        match words.last().map(String::as_str) {
            Some("body" | "payload" | "json" | "form" | "data") => self.bodies.push(path.clone()),
            Some("method") if property.values.is_empty() => self.method = Some(path.clone()),
            _ => {}
        }
        let asked = Vocabulary::get().and_then(|vocabulary| {
            let word = words.first().filter(|word| has(&vocabulary.arguments.asking, word))?;
            vocabulary.manner(word).filter(|manner| !manner.only_looks())
        });
        if let (true, Some(manner)) = (property.is_flag(), asked) {
            self.flags.push((path.clone(), manner));
        }
        let speaks = property.is_open() || property.mentions(&["cypher", "gremlin", "graph query"]);
        if speaks && words.last().is_some_and(|word| has(&names.language, word)) && !property.is_flag() {
            self.queries.push(path.clone());
        }
        if property.is_open() && !property.is_flag() {
            self.open.push(path);
        }
    }

    /// The second thing of a move or a copy.
    fn destination(&mut self, property: &Property, names: &Arguments, told: &Told) {
        let puts = told.manners.iter().any(|manner| matches!(manner, Manner::Move | Manner::Copy));
        let to =
            |word: &String| has(&names.path_out, word) || matches!(word.as_str(), "new" | "parent" | "into");
        if puts && property.is_plain() && property.words.iter().any(to) {
            self.destinations.push(property.path());
        }
    }
}

/// Whether paths belong to what the other arguments name: a file of a project, not of this machine.
fn paths_are_remote(definition: &Definition, vocabulary: &Vocabulary, told: &Told) -> bool {
    let description = definition.description.to_lowercase();
    if LOCAL.iter().any(|word| description.contains(word)) {
        return false;
    }
    let holders: Vec<&Property> = definition
        .properties
        .iter()
        .filter(|property| !has_any(&vocabulary.arguments.path, &property.words))
        .filter(|property| {
            property.words.len() > 1 || property.words.first().is_none_or(|word| word != "name")
        })
        .filter(|property| property.required)
        .collect();
    let in_holder = ["vault", "remote server", "via sftp", "bucket"];
    in_holder.iter().any(|word| description.contains(word))
        || ids::ranked(&holders, told, vocabulary)
            .iter()
            .any(|path| !matches!(path.root(), Some("sheet" | "name")))
            && !told.manners.iter().any(|manner| matches!(manner, Manner::Upload))
}

/// Whether an argument is code that is run, or a list of things to do. A language's code is none.
fn is_code(property: &Property, names: &Arguments) -> bool {
    let words = &property.words;
    let of = [
        "language", "country", "currency", "status", "error", "postal", "zip", "color", "id", "name", "type",
        "area", "dial",
    ];
    let is_named = has_any(&names.code, words)
        && words.len() < 3
        && !words.iter().any(|word| of.contains(&word.as_str()));
    is_named && property.is_text() && property.values.is_empty()
        || words.as_slice() == ["actions".to_owned()] && property.is_open()
}

/// Whether a description says that the whole argument is an address on the web.
fn says_url(property: &Property) -> bool {
    let text = property.description.trim_start();
    let starts = [
        "url ",
        "the url",
        "a url",
        "full url",
        "public url",
        "website",
        "page url",
        "single page url",
        "https://",
    ];
    property.is_text() && property.values.is_empty() && starts.iter().any(|start| text.starts_with(start))
}

fn is_mail(property: &Property, names: &Arguments) -> bool {
    let words = &property.words;
    let holds_addresses = property.is_text() || property.is_plain_list || property.is_open();
    if !holds_addresses
        || property.is_flag()
        || has_any(&names.own, words)
            && !words.iter().any(|word| matches!(word.as_str(), "recipients" | "to"))
    {
        return false;
    }
    let says_mail = property.mentions(&["email", "e-mail", "recipient", "mail address"]);
    property.format.as_deref() == Some("email")
        || has_any(&names.mail, words)
            && !words
                .iter()
                .any(|word| matches!(word.as_str(), "id" | "ids" | "template" | "type" | "subject" | "body"))
        || words.len() == 1 && has_any(&names.mail_maybe, words) && says_mail
}

/// Whether the name says that something goes there.
fn is_sent(property: &Property) -> bool {
    let words = &property.words;
    let has_word = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    // `date_to` ends a range, `assigned_to` is somebody in the service.
    let is_other = has_word(&[
        "date", "time", "price", "year", "range", "page", "row", "cell", "index", "size", "amount",
        "assigned", "reply", "in", "belongs", "related", "up",
    ]);
    let ends_so = words.len() > 1 && words.last().is_some_and(|word| word == "to");
    (ends_so || has_word(&["mirror", "relay", "sink"])) && property.values.is_empty() && !is_other
}

/// Whether somebody is called or written at this number.
fn is_phone(property: &Property, names: &Arguments) -> bool {
    let words = &property.words;
    let is_other =
        words.iter().any(|word| matches!(word.as_str(), "id" | "ids" | "type" | "from" | "caller" | "code"));
    let is_number =
        words.iter().any(|word| word == "number") && words.first().is_some_and(|word| word == "to");
    !is_other && property.values.is_empty() && (has_any(&names.phone, words) || is_number)
}

/// What makes a thing open to everybody.
fn public(property: &Property) -> Option<Condition> {
    let everybody: Vec<Value> = property.values.iter().filter(|value| is_everybody(value)).cloned().collect();
    let test = if !everybody.is_empty() {
        Test::Is(everybody)
    } else if property.is_flag() && property.words.iter().any(|word| word == "private") {
        Test::Is(vec![Value::Bool(false)])
    } else if property.is_flag() && !property.words.iter().any(|word| word == "access") {
        Test::Is(vec![Value::Bool(true)])
    } else if property.is_text()
        && property.values.is_empty()
        && !property.words.iter().any(|word| word == "access")
    {
        Test::Is(["public", "anyone", "everyone", "anonymous"].map(Value::from).into())
    } else {
        return None;
    };
    Some(Condition { argument: property.path(), test })
}

fn is_everybody(value: &Value) -> bool {
    let text = value.as_str().unwrap_or_default().to_lowercase();
    matches!(
        text.as_str(),
        "public" | "anyone" | "anonymous" | "everyone" | "world" | "anyonewithlink" | "anyone_with_link"
    )
}

/// Whether a tool takes SQL.
struct Database {
    dialect: Option<Dialect>,
    speaks_sql: bool,
}

impl Database {
    fn of(definition: &Definition, server: &str) -> Database {
        let dialect = Dialect::from_hint(server);
        let text = format!("{} {}", definition.name, definition.description).to_lowercase();
        let mut words = text.split(|letter: char| !letter.is_alphanumeric());
        let mentions = text.contains("sql") && words.any(|word| word == "sql");
        Database { dialect, speaks_sql: mentions || dialect.is_some() }
    }

    fn reads(&self, property: &Property, names: &Arguments) -> bool {
        has_any(&names.sql, &property.words) && property.words.len() < 3
            || property.words.len() == 1
                && has_any(&names.sql_maybe, &property.words)
                && (self.speaks_sql || property.mentions(&["sql"]))
    }
}

impl Definition {
    /// Whether the commands that the tool takes are run by a shell of this machine.
    fn is_shell(&self) -> bool {
        let text = format!("{} {}", self.name, self.description).to_lowercase();
        let says =
            ["shell", "bash", "terminal", "this linux machine", "command line", "run_command", "runcommand"];
        let elsewhere = ["remote", "ssh", "pod", "container", "kubectl", "cluster", "device", "browser"];
        says.iter().any(|word| text.contains(word)) && !elsewhere.iter().any(|word| text.contains(word))
    }
}
