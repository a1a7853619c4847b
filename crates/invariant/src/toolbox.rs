//! The tools that are connected, as far as rules have to know them.

mod described;

use std::collections::{BTreeMap, BTreeSet};

use portcullis_perceive::catalogue::{Catalogue, CatalogueError};
use portcullis_perceive::derive::{Definition, DefinitionError, derive};
use portcullis_perceive::layout::Layout;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::{Formats, FormatsError};
use serde_json::Value;

use crate::hand::Hand;
use crate::ordered::ordered;
pub use described::Described;

/// The tools that are connected: of servers of the catalogue, and by their definitions.
pub struct Toolbox {
    catalogue: Catalogue,
    formats: Formats,
    servers: BTreeSet<String>,
    own: BTreeMap<(String, String), Own>,
}

/// A tool by its definition.
struct Own {
    profile: Profile,
    definition: Value,
}

/// A tool that is connected.
#[derive(Clone, Copy)]
pub(crate) struct Tool<'t> {
    pub(crate) server: &'t str,
    pub(crate) name: &'t str,
    pub(crate) profile: &'t Profile,
    pub(crate) definition: Option<&'t Value>,
}

/// Why a tool cannot be connected.
#[derive(Debug, thiserror::Error)]
pub enum ToolboxError {
    /// The catalogue cannot be used.
    #[error("the catalogue: {0}")]
    Catalogue(Box<CatalogueError>),
    /// The formats of credentials cannot be used.
    #[error("the formats of credentials: {0}")]
    Formats(#[from] FormatsError),
    /// The catalogue has no such server.
    #[error("the catalogue has no server `{name}`; it has {}", .known.join(", "))]
    NoServer {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// A definition is none.
    #[error("a tool of `{server}`: {error}")]
    Definition {
        /// Of which server.
        server: String,
        /// What is wrong.
        error: DefinitionError,
    },
}

impl From<CatalogueError> for ToolboxError {
    fn from(error: CatalogueError) -> ToolboxError {
        ToolboxError::Catalogue(Box::new(error))
    }
}

impl Toolbox {
    /// Nothing connected yet.
    pub fn new() -> Result<Toolbox, ToolboxError> {
        Ok(Toolbox {
            catalogue: Catalogue::built_in()?,
            formats: Formats::built_in()?,
            servers: BTreeSet::new(),
            own: BTreeMap::new(),
        })
    }

    /// Connects a server of the catalogue.
    pub fn connect(&mut self, server: &str) -> Result<(), ToolboxError> {
        if self.catalogue.server(server).is_none() {
            let known = self.catalogue.servers().map(|(name, _)| name.to_owned()).collect();
            return Err(ToolboxError::NoServer { name: server.to_owned(), known });
        }
        self.servers.insert(server.to_owned());
        Ok(())
    }

    /// Connects every server of the catalogue.
    pub fn connect_all(&mut self) {
        self.servers = self.catalogue.servers().map(|(name, _)| name.to_owned()).collect();
    }

    /// Connects a tool by its definition, which counts before what the catalogue says.
    pub fn define(&mut self, server: &str, definition: &Value) -> Result<(), ToolboxError> {
        let read = Definition::read(definition)
            .map_err(|error| ToolboxError::Definition { server: server.to_owned(), error })?;
        let profile = derive(server, &read);
        let key = (server.to_owned(), read.name);
        self.own.insert(key, Own { profile, definition: ordered(definition) });
        Ok(())
    }

    /// What is at hand when sentences are read in a session with these tools.
    pub fn hand(&self, layout: &Layout) -> Hand {
        self.hand_of(layout, |_| true)
    }

    /// The same with the tools of some servers only.
    pub(crate) fn hand_of(&self, layout: &Layout, is_there: impl Fn(&str) -> bool) -> Hand {
        let mut hand = Hand::new(layout);
        for server in self.servers.iter().filter(|server| is_there(server)) {
            if let Some(entry) = self.catalogue.server(server) {
                hand.add_catalogued(server, entry);
            }
        }
        for ((server, _), own) in self.own.iter().filter(|((server, _), _)| is_there(server)) {
            hand.add(server, &own.definition);
        }
        hand
    }

    pub(crate) fn formats(&self) -> &Formats {
        &self.formats
    }

    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    pub(crate) fn profile(&self, server: &str, tool: &str) -> Option<&Profile> {
        let own = self.own.get(&(server.to_owned(), tool.to_owned())).map(|own| &own.profile);
        own.or_else(|| self.catalogue.profile(server, tool).filter(|_| self.servers.contains(server)))
    }

    /// Every tool, in the order of their names.
    pub(crate) fn tools(&self) -> Vec<Tool<'_>> {
        let own = self.own.iter().map(|((server, name), own)| Tool {
            server,
            name,
            profile: &own.profile,
            definition: Some(&own.definition),
        });
        let mut tools: Vec<Tool<'_>> = own.collect();
        for server in &self.servers {
            let entries = self.catalogue.server(server).into_iter().flat_map(|entry| entry.tools());
            let entries =
                entries.filter(|(name, _)| !self.own.contains_key(&(server.clone(), (*name).to_owned())));
            tools.extend(entries.map(|(name, profile)| Tool { server, name, profile, definition: None }));
        }
        tools.sort_by_key(|tool| (tool.server, tool.name));
        tools
    }
}
