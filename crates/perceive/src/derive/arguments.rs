//! What each argument of an unknown tool is for.

mod inner;
mod languages;
mod pairs;
mod tells;

use serde_json::Value;

use super::definition::{Definition, Property};
use super::ids;
use super::manner::{Manner, Told};
use super::vocabulary::{Arguments, Vocabulary, has, has_any};
use super::words::words as name_words;
use crate::profile::{ArgumentPath, Condition, Test};
use crate::sql::Dialect;
use languages::Database;
use tells::{is_code, is_everybody, is_kind, is_mail, is_phone, is_receiver, is_sent, public, says_url};

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
    /// What makes the thing that the ids name a secret: its kind.
    pub(super) secret: Option<Condition>,
    /// Ids of those who get something: people, groups, chats.
    pub(super) receivers: Vec<ArgumentPath>,
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
    /// Those of them that are texts in a language of their own, so that their words are no data.
    pub(super) programs: Vec<ArgumentPath>,
    /// Objects that may hold anything, and texts that are such objects.
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
    /// The argument that says what to do, where nothing tells its values.
    pub(super) free_action: Option<ArgumentPath>,
    /// The argument that says what to do, with its values.
    pub(super) action: Option<(ArgumentPath, Vec<String>)>,
    /// Whether something is brought here, so that a folder it goes to is one of this machine.
    saves: bool,
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
/// Servers that keep files, or what has the paths of files, elsewhere.
const KEEP_FILES: [&str; 18] = [
    "dropbox",
    "nextcloud",
    "owncloud",
    "webdav",
    "ftp",
    "sftp",
    "ssh",
    "s3",
    "minio",
    "gcs",
    "sharepoint",
    "onedrive",
    "gdrive",
    "vault",
    "bitbucket",
    "gitea",
    "consul",
    "etcd",
];
/// Words in a description by which something is written to a path.
const SAVED: [&str; 6] = ["to save", "save to", "saved to", "write to", "written to", "output file"];
const LOCAL: [&str; 6] = ["local", "absolute", "on disk", "on your machine", "this machine", "file system"];

impl Roles {
    pub(super) fn of(definition: &Definition, told: &Told, server: &str, vocabulary: &Vocabulary) -> Roles {
        let about_files = |word: &String| {
            matches!(word.as_str(), "file" | "files" | "directory" | "folder" | "unzip" | "untar" | "unpack")
        };
        let mut roles = Roles { moves_files: told.words.iter().any(about_files), ..Roles::default() };
        let names = &vocabulary.arguments;
        let sql = Database::of(definition, server);
        let paths_are_remote = paths_are_remote(definition, vocabulary, told, server);
        roles.saves = told.manners.contains(&Manner::Download);
        let mut for_ids: Vec<&Property> = Vec::new();
        for property in &definition.properties {
            let placed = roles.receiver(property, told)
                || roles.place(property, names, &sql)
                || roles.path(property, names, paths_are_remote);
            if !placed {
                roles.state(property, names, told);
                roles.destination(property, names, told);
                for_ids.push(property);
            }
        }
        for property in &definition.inner {
            roles.inside_of(property, names, &sql, told, paths_are_remote);
        }
        if told.drafts() {
            // A draft is kept, whoever it is addressed to.
            roles.mails.clear();
            roles.phones.clear();
        }
        if told.keeps_people() {
            roles.mails.retain(|path| has_any(&names.told, &path.last_words()));
            roles.phones.clear();
        }
        roles.pair_files(definition, told);
        roles.destinations.retain(|path| !roles.urls.contains(path));
        let put: Vec<ArgumentPath> = roles.destinations.clone();
        for_ids.retain(|property| !put.contains(&property.path()));
        roles.ids = roles.receivers.clone();
        roles.ids.extend(ids::ranked(&for_ids, told, vocabulary));
        if told.is_public {
            roles.public = Some(Condition::always());
        }
        if let (true, Some(inside)) = (roles.ids.is_empty(), &roles.inside) {
            // Nothing holds it, so it is what the call is about.
            roles.ids.push(inside.clone());
        }
        if told.browses {
            // Its ids are of tabs and of elements on a page.
            roles.ids.clear();
        }
        if !definition.is_shell() {
            roles.command = roles.command.take().filter(|_| false);
        }
        roles
    }

    /// The id of somebody who gets something.
    fn receiver(&mut self, property: &Property, told: &Told) -> bool {
        if told.only_looks() || !is_receiver(property, told) {
            return false;
        }
        match told.telephones() && property.words.len() == 1 {
            true => self.phones.push(property.path()),
            false => self.receivers.push(property.path()),
        }
        true
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
        } else if is_text && sql.reads(property, names) {
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
            "id",
            "ids",
            "uid",
            "gid",
            "uuid",
            "guid",
            "slug",
            "type",
            "key",
            "count",
            "content",
            "contents",
            "sort",
            "order",
            "prefix",
            "pattern",
            "token",
            "description",
            "title",
            "size",
        ];
        let is_something_else = others.iter().any(|word| says(word));
        // A folder by its name alone is one of a service.
        let is_something_else = is_something_else
            || matches!(words.as_slice(), [folder, name] if folder == "folder" && name == "name");
        let is_end = words.len() == 1 && (has_any(&names.path_in, words) || has_any(&names.path_out, words));
        let is_path = has_any(&names.path, words) || self.moves_files && is_end || says("attachments");
        let is_text = (property.is_text() || property.is_plain_list) && property.values.is_empty();
        if !is_path || is_something_else || !is_text || property.is_flag() {
            return false;
        }
        let path = property.path();
        let is_local = property.mentions(&LOCAL)
            || ["save", "output", "input", "local", "download", "attachments"].iter().any(|word| says(word))
            || self.saves && has_any(&names.path_out, words);
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
        self.visible(property, names, told);
        let is_action = match words.as_slice() {
            [word] => has(&names.action, word),
            [.., word] => word != "mode" && has(&names.action, word),
            [] => false,
        };
        let says_action = matches!(property.name.as_str(), "action" | "operation" | "op" | "verb");
        if says_action && property.values.is_empty() && property.is_text() {
            self.free_action = self.free_action.take().or_else(|| Some(path.clone()));
        }
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
        self.speaks(property, names, told);
        if (property.is_open() || property.is_json_text()) && !property.is_flag() {
            self.open.push(path);
        }
    }

    /// Arguments that say who gets to see it, and whether it stays.
    fn visible(&mut self, property: &Property, names: &Arguments, told: &Told) {
        let path = property.path();
        let words = &property.words;
        if has_any(&names.public, words) || property.values.iter().any(is_everybody) {
            self.public = self.public.take().or_else(|| public(property));
        }
        if told.writes_articles() && property.words == ["status"] {
            let test = Test::Is(["publish", "published", "public", "live"].map(Value::from).into());
            self.public = self.public.take().or(Some(Condition { argument: path.clone(), test }));
        }
        if property.is_flag() && has_any(&names.gone, words) && !told.only_looks() && !told.creates() {
            let test = Test::Is(vec![Value::Bool(true)]);
            self.gone.push(Condition { argument: path.clone(), test });
        }
        if is_kind(property) {
            let kinds = ["secret", "secrets", "sealedsecret", "sealedsecrets", "credential", "credentials"];
            let test = Test::Is(kinds.map(Value::from).into());
            self.secret = self.secret.take().or_else(|| Some(Condition { argument: path.clone(), test }));
        }
    }

    /// Queries that may do more than look.
    fn speaks(&mut self, property: &Property, names: &Arguments, told: &Told) {
        let path = property.path();
        let words = &property.words;
        let is_program =
            property.mentions(&["cypher", "gremlin", "graph query", "graphql", "surrealql", "sparql"])
                || property.is_text()
                    && words.last().is_some_and(|word| has(&names.language, word))
                    && told.speaks;
        let speaks = property.is_open() || told.asks_in_words || is_program;
        let is_query = words.last().is_some_and(|word| has(&names.language, word))
            || told.asks_in_words && words.first().is_some_and(|word| word == "query");
        if speaks && is_query && !property.is_flag() {
            self.queries.push(path.clone());
            self.programs.extend(is_program.then(|| path.clone()));
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
fn paths_are_remote(definition: &Definition, vocabulary: &Vocabulary, told: &Told, server: &str) -> bool {
    let uploads = told.manners.iter().any(|manner| matches!(manner, Manner::Upload));
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
    // What a service keeps has paths of its own; what is brought to it has one here.
    if !uploads && name_words(server).iter().any(|word| KEEP_FILES.contains(&word.as_str())) {
        return true;
    }
    let in_holder = ["vault", "remote server", "via sftp", "bucket"];
    in_holder.iter().any(|word| description.contains(word))
        || ids::ranked(&holders, told, vocabulary)
            .iter()
            .any(|path| !matches!(path.root(), Some("sheet" | "name")))
            && !uploads
}
