//! Who a server is: what it was started as, not what it says of itself.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use jiff::Timestamp;
use portcullis_identity::server::{Relation, ServerIdentity, TlsHold, TlsIdentity};
use portcullis_perceive::catalogue::{Catalogue, CatalogueError};
use portcullis_perceive::derive::DefinitionError;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::{DefinitionHash, Profiles, ServerIdentity as NamedServer};
use serde_json::{Value, json};

use crate::book::{Book, Declared, Looks};
use crate::who;

static CATALOGUE: LazyLock<Result<Catalogue, CatalogueError>> = LazyLock::new(Catalogue::built_in);

/// The built-in catalogue.
pub fn catalogue() -> Result<&'static Catalogue, String> {
    CATALOGUE.as_ref().map_err(|error| format!("the built-in catalogue cannot be used: {error}"))
}

/// A server, by how it is reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Server {
    /// What it is called in rules and questions.
    pub name: String,
    /// What tells it from others: the command that starts it, or its address.
    pub identity: String,
    /// Who it is: the package or program that is started, or its address.
    pub who: ServerIdentity,
    /// Its name in the catalogue, if it was started as one that stands there.
    pub catalogued: Option<String>,
    /// Its address, if it runs on another machine: whatever arguments hold goes there.
    pub remote: Option<String>,
}

impl Server {
    /// A server that is started by a command. It is called as the user says, else by its package, else by its program.
    pub fn started(command: &[String], name: Option<&str>) -> Server {
        let found = package(command);
        let package = found.as_ref().map(|found| found.name.clone());
        let catalogued =
            catalogue().ok().and_then(|catalogue| catalogue.server_of_package(package.as_deref()?));
        let catalogued = catalogued.map(str::to_owned);
        let name = name.map(str::to_owned).or_else(|| catalogued.clone());
        let name = name
            .or_else(|| package.as_deref().map(short))
            .unwrap_or_else(|| short(command.first().map_or("server", String::as_str)));
        let package =
            found.as_ref().map(|found| (found.registry, found.name.as_str(), found.version.as_deref()));
        let who = who::of_command(command, package);
        Server { name, identity: command.join("\u{1f}"), who, catalogued, remote: None }
    }
}

impl Server {
    /// A server at an address. It is called as the user says, else by its host.
    pub fn at(url: &str, name: Option<&str>) -> Server {
        let without_query = url.split(['?', '#']).next().unwrap_or(url);
        let host = without_query.split_once("://").map_or(without_query, |(_, rest)| rest);
        let host = host.split('/').next().unwrap_or_default();
        let name = name.map_or_else(|| short(host.split(':').next().unwrap_or_default()), str::to_owned);
        let is_here = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|here| host.strip_prefix(here).is_some_and(|port| port.is_empty() || port.starts_with(':')));
        let remote = (!is_here).then(|| without_query.to_owned());
        let (tls, hold) = (None, TlsHold::default());
        let who = ServerIdentity::Remote { url: without_query.to_owned(), tls, hold };
        Server { name, identity: without_query.to_owned(), who, catalogued: None, remote }
    }

    /// The same, of whose certificate this has to stay.
    pub fn holding(mut self, wanted: TlsHold) -> Server {
        if let ServerIdentity::Remote { hold, .. } = &mut self.who {
            *hold = wanted;
        }
        self
    }
}

/// A package that a command runs.
struct Package {
    registry: &'static str,
    /// As its registry has it.
    name: String,
    /// If the command names one.
    version: Option<String>,
}

/// The package that a command runs.
fn package(command: &[String]) -> Option<Package> {
    let program = command.first()?.rsplit(['/', '\\']).next()?;
    let registry = if program.starts_with("uv") || program.starts_with("pipx") { "pypi" } else { "npm" };
    let spelled = package_word(command)?;
    let name = unversioned(&spelled);
    let rest = spelled.get(name.len()..).unwrap_or_default();
    let version = rest.strip_prefix("==").or_else(|| rest.strip_prefix('@'));
    let is_exact = |version: &&str| version.starts_with(|first: char| first.is_ascii_digit());
    Some(Package { registry, version: version.filter(is_exact).map(str::to_owned), name })
}

/// The package that a command runs, as it is written there.
fn package_word(command: &[String]) -> Option<String> {
    let (program, words) = command.split_first()?;
    let program = program.rsplit(['/', '\\']).next()?.trim_end_matches(".cmd").trim_end_matches(".exe");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let words = match (program, words.as_slice()) {
        ("npx" | "bunx" | "uvx" | "pipx", rest) => rest,
        ("npm", ["exec" | "x", rest @ ..]) => rest,
        ("pnpm" | "yarn", ["dlx", rest @ ..]) => rest,
        ("bun", ["x", rest @ ..]) => rest,
        ("uv", ["tool", "run", rest @ ..]) => rest,
        _ => return None,
    };
    let words = if program == "pipx" { words.strip_prefix(&["run"]).unwrap_or(words) } else { words };
    let mut named = None;
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        match *word {
            "-y" | "--yes" | "-q" | "--quiet" | "--" => {}
            // The package is named apart from the program in it.
            "-p" | "--package" | "--from" => named = rest.next().copied(),
            _ if word.starts_with("--package=") => named = word.strip_prefix("--package="),
            _ if word.starts_with("--from=") => named = word.strip_prefix("--from="),
            // An option that is not known may have a value that looks like a package.
            _ if word.starts_with('-') => return named.map(str::to_owned),
            _ => return Some(named.unwrap_or(word).to_owned()),
        }
    }
    named.map(str::to_owned)
}

/// `@scope/name@1.2`, `name==1.2` and `name[extra]` without what follows the name.
fn unversioned(package: &str) -> String {
    let start = usize::from(package.starts_with('@'));
    let end = package.get(start..).and_then(|rest| rest.find(['@', '=', '[', '<', '>', '~']));
    package.get(..end.map_or(package.len(), |end| end + start)).unwrap_or(package).to_owned()
}

/// The last part of a name, without what says only that it is a server.
fn short(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let last = last.trim_start_matches("mcp-server-").trim_start_matches("server-").trim_end_matches("-mcp");
    let last: String =
        last.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    if last.trim_matches('-').is_empty() { "server".to_owned() } else { last }
}

/// A tool as its server lists it now.
#[derive(Clone)]
pub struct Tool {
    /// Which definition.
    pub hash: DefinitionHash,
    /// What it does.
    pub profile: Arc<Profile>,
    /// Whose it is.
    pub origin: Origin,
}

/// Where a tool comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The server lists it, so that it has to be the one that was approved.
    Listed,
    /// It stands for a request of the protocol, such as reading a resource.
    Protocol,
}

/// The tools of one server.
pub struct Tools {
    server: Server,
    profiles: Profiles<'static>,
    listed: BTreeMap<String, Tool>,
    /// What the server lists, by name, as it came; a name may be there more than once.
    claims: Vec<(String, Vec<u8>)>,
    /// What was thought of it last.
    looks: Mutex<Option<Arc<Looks>>>,
    resource: Tool,
    file: Tool,
    prompt: Tool,
    unknown: Tool,
}

impl Tools {
    /// None so far.
    pub fn new(server: Server) -> Result<Tools, String> {
        let mut profiles = Profiles::new(catalogue()?);
        let mut made = |definition: Value| -> Result<Tool, String> {
            let tool = tool(&mut profiles, &server, &definition, Origin::Protocol);
            tool.map_err(|error| format!("the profile of what is no tool cannot be made: {error}"))
        };
        let resource = made(resource_definition("id"))?;
        let file = made(resource_definition("uri"))?;
        let prompt = made(json!({
            "name": "get_prompt", "description": "Get a prompt by its name",
            "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
        }))?;
        // Nothing in it tells what it does, so that it may be anything.
        let unknown = made(json!({"name": "unknown", "inputSchema": {"type": "object"}}))?;
        let (listed, claims, looks) = (BTreeMap::new(), Vec::new(), Mutex::default());
        Ok(Tools { server, profiles, listed, claims, looks, resource, file, prompt, unknown })
    }

    /// The server.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// A tool that the server lists.
    pub fn tool(&self, name: &str) -> Option<&Tool> {
        self.listed.get(name)
    }

    /// The profiles of the server's tools, for tools that call tools.
    pub fn profile(&self, name: &str) -> Option<&Profile> {
        self.listed.get(name).map(|tool| &*tool.profile)
    }

    /// The server lists this. A definition that cannot be read makes its tool unknown: it cannot be called.
    pub fn list(&mut self, name: &str, definition: &Value) -> Result<(), DefinitionError> {
        self.claim(name, definition.to_string().into_bytes());
        self.learn(name, definition)
    }

    /// The server lists something under this name, which came so.
    pub(crate) fn claim(&mut self, name: &str, raw: Vec<u8>) {
        self.claims.push((name.to_owned(), raw));
        *self.looks.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// What something that the server lists does.
    pub(crate) fn learn(&mut self, name: &str, definition: &Value) -> Result<(), DefinitionError> {
        self.listed.remove(name);
        let tool = tool(&mut self.profiles, &self.server, definition, Origin::Listed)?;
        self.listed.insert(name.to_owned(), tool);
        Ok(())
    }

    /// What the server lists, as it came.
    pub(crate) fn claims(&self) -> &[(String, Vec<u8>)] {
        &self.claims
    }

    /// What is thought of the tools by these approvals.
    pub(crate) fn looks(&self, book: &Book, now: Timestamp) -> Arc<Looks> {
        let mut known = self.looks.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(looks) if looks.holds(book, now) => Arc::clone(looks),
            _ => {
                let judged = book.judge(&self.server.name, &self.server.who, &self.claims, now);
                let profile = |name: &str| self.profile(name);
                let declared =
                    Declared::of(book, &self.server.name, &judged.0.tools, &self.claims, profile, now);
                let looks = Arc::new(Looks::new(judged, declared, book));
                *known = Some(Arc::clone(&looks));
                looks
            }
        }
    }

    /// The server has this certificate from now on. Says what it is to the one before.
    pub(crate) fn meet(&mut self, met: TlsIdentity) -> Relation {
        let before = self.server.who.clone();
        let ServerIdentity::Remote { tls, .. } = &mut self.server.who else { return Relation::Same };
        let is_first = tls.replace(met).is_none();
        *self.looks.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        if is_first { Relation::Same } else { before.compare(&self.server.who) }
    }

    /// The server begins to list its tools anew.
    pub fn clear(&mut self) {
        self.listed.clear();
        self.claims.clear();
        *self.looks.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Reading a resource, as if it were a call: what is read, and with which arguments. What has a path or a page for an
    /// address is that; everything else is the server's own.
    pub fn reading(&self, uri: &str) -> (&Tool, Value) {
        let scheme = uri.split(':').next().unwrap_or_default().to_ascii_lowercase();
        match matches!(scheme.as_str(), "file" | "http" | "https") {
            true => (&self.file, json!({"uri": uri})),
            false => (&self.resource, json!({"id": uri})),
        }
    }

    /// Getting a prompt, as if it were a call.
    pub fn prompting(&self, name: &str) -> (&Tool, Value) {
        (&self.prompt, json!({"id": name}))
    }
}

impl Tools {
    /// A request that nobody knows, as if it were a call.
    pub fn unknown_request(&self, params: Value) -> (&Tool, Value) {
        (&self.unknown, json!({"params": params}))
    }
}

fn resource_definition(argument: &str) -> Value {
    json!({
        "name": "read_resource", "description": "Read a resource by its address",
        "inputSchema": {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]}
    })
}

fn tool(
    profiles: &mut Profiles<'static>,
    server: &Server,
    definition: &Value,
    origin: Origin,
) -> Result<Tool, DefinitionError> {
    let who = NamedServer { name: &server.name, catalogued: server.catalogued.as_deref() };
    let hash = DefinitionHash::of(&server.identity, definition);
    Ok(Tool { hash, profile: profiles.profile(who, definition, None)?, origin })
}
