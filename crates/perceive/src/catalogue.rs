//! The built-in catalogue: what the tools of well-known servers do, one file for each server.
//!
//! The files are data that people read and review. Each tool carries examples, and a file whose examples do not hold is
//! refused ([`Catalogue::check`]).

use std::collections::BTreeMap;

use portcullis_lattice::Taint;
use serde::Deserialize;

use crate::call::{Memory, PageAfter, Perceiver};
use crate::json;
use crate::layout::{Ground, Layout, LayoutError};
use crate::paths::NoLinks;
use crate::profile::{ExampleForm, Profile, ProfileError, ProfileForm, Source};
use crate::secrets::{Formats, FormatsError};

/// The files of the catalogue, by the short names of the servers.
const FILES: &[(&str, &str)] = &[
    ("brave-search", include_str!("../data/catalogue/brave-search.toml")),
    ("desktop-commander", include_str!("../data/catalogue/desktop-commander.toml")),
    ("fetch", include_str!("../data/catalogue/fetch.toml")),
    ("filesystem", include_str!("../data/catalogue/filesystem.toml")),
    ("git", include_str!("../data/catalogue/git.toml")),
    ("github", include_str!("../data/catalogue/github.toml")),
    ("gmail", include_str!("../data/catalogue/gmail.toml")),
    ("google-calendar", include_str!("../data/catalogue/google-calendar.toml")),
    ("notion", include_str!("../data/catalogue/notion.toml")),
    ("playwright", include_str!("../data/catalogue/playwright.toml")),
    ("postgres", include_str!("../data/catalogue/postgres.toml")),
    ("slack", include_str!("../data/catalogue/slack.toml")),
    ("tavily", include_str!("../data/catalogue/tavily.toml")),
];

/// What the tools of well-known servers do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Catalogue {
    servers: BTreeMap<String, ServerEntry>,
}

/// A server of the catalogue.
#[derive(Clone, PartialEq, Debug)]
pub struct ServerEntry {
    /// What it is for.
    pub about: String,
    /// The packages that it is published as.
    pub packages: Vec<String>,
    tools: BTreeMap<String, Profile>,
    examples: Vec<Example>,
    values: Values,
}

/// The values that arguments choose among: by tool, then by argument.
type Values = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// What a tool does with certain arguments, in a session that is always the same.
#[derive(Clone, PartialEq, Debug)]
struct Example {
    tool: String,
    form: ExampleForm,
}

/// Why a file of the catalogue is refused.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// It is no TOML of the expected form.
    #[error("{server}: {problem}")]
    Unreadable {
        /// Which file.
        server: String,
        /// What is wrong.
        problem: String,
    },
    /// A tool's profile is none.
    #[error("{server}: {tool}: {error}")]
    Profile {
        /// Which file.
        server: String,
        /// Which tool.
        tool: String,
        /// What is wrong.
        error: ProfileError,
    },
    /// A tool stands there twice.
    #[error("{server}: {tool} stands there twice")]
    Twice {
        /// Which file.
        server: String,
        /// Which tool.
        tool: String,
    },
    /// An example is not perceived as it says.
    #[error("{server}: {tool}: {arguments} does\n  {found}\nand not\n  {expected}")]
    Example {
        /// Which file.
        server: String,
        /// Which tool.
        tool: String,
        /// The arguments of the example.
        arguments: String,
        /// What is perceived.
        found: String,
        /// What the example says.
        expected: String,
    },
    /// The session of the examples cannot be laid out.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// The formats of credentials cannot be read.
    #[error(transparent)]
    Formats(#[from] FormatsError),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileForm {
    server: String,
    about: String,
    packages: Vec<String>,
    tool: Vec<ProfileForm>,
    #[serde(default)]
    values: Values,
}

impl Catalogue {
    /// The catalogue of this program.
    pub fn built_in() -> Result<Catalogue, CatalogueError> {
        let mut catalogue = Catalogue::default();
        for (server, text) in FILES {
            catalogue.add(server, text)?;
        }
        Ok(catalogue)
    }

    /// Adds a server from the text of its file.
    pub fn add(&mut self, server: &str, text: &str) -> Result<(), CatalogueError> {
        let unreadable = |problem: String| CatalogueError::Unreadable { server: server.to_owned(), problem };
        let file: FileForm = toml::from_str(text).map_err(|error| unreadable(error.to_string()))?;
        if file.server != server {
            return Err(unreadable(format!("the file is about `{}`", file.server)));
        }
        let mut entry = ServerEntry {
            about: file.about,
            packages: file.packages,
            tools: BTreeMap::new(),
            examples: Vec::new(),
            values: file.values,
        };
        for mut profile in file.tool {
            let tool = profile.name.clone();
            let examples = std::mem::take(&mut profile.example);
            let wrong =
                |error| CatalogueError::Profile { server: server.to_owned(), tool: tool.clone(), error };
            let profile = profile.profile(Source::Catalogue).map_err(wrong)?;
            entry.examples.extend(examples.into_iter().map(|form| Example { tool: tool.clone(), form }));
            if entry.tools.insert(tool.clone(), profile).is_some() {
                return Err(CatalogueError::Twice { server: server.to_owned(), tool });
            }
        }
        if let Some(tool) = entry.values.keys().find(|tool| !entry.tools.contains_key(*tool)) {
            return Err(unreadable(format!("values of `{tool}`, which is no tool")));
        }
        self.servers.insert(server.to_owned(), entry);
        Ok(())
    }

    /// A server by its short name.
    pub fn server(&self, name: &str) -> Option<&ServerEntry> {
        self.servers.get(name)
    }

    /// The short name of the server that a package is.
    pub fn server_of_package(&self, package: &str) -> Option<&str> {
        let has = |entry: &ServerEntry| entry.packages.iter().any(|one| one == package);
        self.servers.iter().find(|(_, entry)| has(entry)).map(|(name, _)| name.as_str())
    }

    /// The servers with their short names.
    pub fn servers(&self) -> impl Iterator<Item = (&str, &ServerEntry)> {
        self.servers.iter().map(|(name, entry)| (name.as_str(), entry))
    }

    /// The profile of a tool.
    pub fn profile(&self, server: &str, tool: &str) -> Option<&Profile> {
        self.servers.get(server)?.tools.get(tool)
    }

    /// Whether every example of every tool holds.
    pub fn check(&self) -> Result<(), CatalogueError> {
        let ground = example_layout().ground()?;
        let formats = Formats::built_in()?;
        for (server, entry) in &self.servers {
            for example in &entry.examples {
                entry.check(server, example, &ground, &formats)?;
            }
        }
        Ok(())
    }
}

impl ServerEntry {
    /// Its tools by name.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Profile)> {
        self.tools.iter().map(|(name, profile)| (name.as_str(), profile))
    }

    /// The values that arguments of a tool choose among, by the arguments' names at whatever depth.
    pub fn values(&self, tool: &str) -> impl Iterator<Item = (&str, &[String])> {
        let arguments = self.values.get(tool).into_iter().flatten();
        arguments.map(|(argument, values)| (argument.as_str(), values.as_slice()))
    }

    /// The arguments of a tool's examples, as JSON: shapes that calls to it have.
    pub fn example_arguments(&self, tool: &str) -> impl Iterator<Item = &str> {
        let own = self.examples.iter().filter(move |example| example.tool == tool);
        own.map(|example| example.form.arguments.as_str())
    }

    /// Whether a tool has an example.
    pub fn has_example(&self, tool: &str) -> bool {
        self.examples.iter().any(|example| example.tool == tool)
    }

    fn check(
        &self,
        server: &str,
        Example { tool, form }: &Example,
        ground: &Ground,
        formats: &Formats,
    ) -> Result<(), CatalogueError> {
        let Some(profile) = self.tools.get(tool) else { return Ok(()) };
        let arguments = json::strict(&form.arguments).map_err(|error| CatalogueError::Unreadable {
            server: server.to_owned(),
            problem: format!("{tool}: {}: {error}", form.arguments),
        })?;
        let tools = |name: &str| self.tools.get(name);
        let perceiver = Perceiver { ground, formats, resolver: &NoLinks, tools: &tools };
        let memory = Memory { page: form.page.clone(), ..Memory::default() };
        let seen = perceiver.call(profile, &arguments, &memory);
        for act in &seen.acts {
            ground.flow(act, Taint::EMPTY).map_err(|error| CatalogueError::Unreadable {
                server: server.to_owned(),
                problem: format!("{tool}: {act}: {error}"),
            })?;
        }
        let mut found: Vec<String> = seen.acts.iter().map(ToString::to_string).collect();
        found.extend(seen.doubts.iter().map(|doubt| format!("doubt: {doubt}")));
        found.extend(match seen.page {
            PageAfter::Same => None,
            PageAfter::Known(page) => Some(format!("opens {page}")),
            PageAfter::Unknown => Some("opens unknown".to_owned()),
        });
        let mut expected = form.does.clone();
        expected.extend(form.doubts.iter().map(|doubt| format!("doubt: {doubt}")));
        expected.extend(form.opens.iter().map(|page| format!("opens {page}")));
        if found == expected {
            return Ok(());
        }
        Err(CatalogueError::Example {
            server: server.to_owned(),
            tool: tool.clone(),
            arguments: form.arguments.clone(),
            found: found.join("\n  "),
            expected: expected.join("\n  "),
        })
    }
}

/// The session in which the examples are read.
fn example_layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into(), "github:acme/**".into()],
        ..Layout::default()
    }
}
