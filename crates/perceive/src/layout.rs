//! How a session lies: one small configuration that everything shares which has to place a name.

use std::collections::BTreeMap;

use portcullis_lattice::{ParseError, Reach, Realm, Realms, Resource, Topology};
use serde::{Deserialize, Serialize};

use crate::deed::Use;
use crate::ids;
use crate::paths::{Base, Case, Family};
use crate::sensitive::{Places, PlacesError};

/// The accounts that are the user's own unless the session says otherwise.
pub const OWN_ACCOUNTS: [&str; 5] = ["calendar", "db", "gmail", "notion", "slack"];

/// Calendars are named by what the user calls them, or by the address of whom they belong to.
const CALENDAR: &str = "calendar:";

/// How a session lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Layout {
    /// The folder that is worked in; relative paths start here. Absolute, or empty where there is none: then they start
    /// at the root, and nothing counts as the workspace.
    pub workspace: String,
    /// The user's home folder, for `~`. Absolute, or empty where it is not known.
    pub home: String,
    /// Paths that the user's request names; absolute, or below the workspace.
    pub targets: Vec<String>,
    /// Domains, hosts and patterns of names that belong to the user's organisation.
    pub internal: Vec<String>,
    /// Exceptions from these, and from the user's own accounts.
    pub external: Vec<String>,
    /// Patterns of names that the user marked sensitive, beyond the well-known places of credentials.
    pub sensitive: Vec<String>,
    /// The heads of names that are the user's own accounts (`slack` for `slack:C04ENG`).
    pub accounts: Vec<String>,
    /// What the user calls things that have ids: `roadmap` for `41c5ea90-…`. Rules may speak of them by these names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// How paths are written on the machine.
    pub paths: PathStyle,
}

/// How paths are written on a machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathStyle {
    /// Slashes; case counts.
    #[default]
    Unix,
    /// Slashes; case does not count.
    Mac,
    /// Drives and backslashes; case does not count.
    Windows,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            workspace: String::new(),
            home: String::new(),
            targets: Vec::new(),
            internal: Vec::new(),
            external: Vec::new(),
            sensitive: Vec::new(),
            accounts: OWN_ACCOUNTS.map(String::from).into(),
            names: BTreeMap::new(),
            paths: PathStyle::default(),
        }
    }
}

/// Why a layout cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// A name or pattern in it is none.
    #[error("{field}: {error}")]
    Name {
        /// Which setting.
        field: &'static str,
        /// What is wrong with it.
        error: ParseError,
    },
    /// The head of an account's names is none.
    #[error("accounts: `{0}` is no head of names, such as slack")]
    Account(String),
    /// A path in it is none.
    #[error("{field}: `{path}`: {error}")]
    Path {
        /// Which setting.
        field: &'static str,
        /// The path.
        path: String,
        /// What is wrong with it.
        error: crate::paths::PathError,
    },
    /// The patterns of sensitive places cannot be used.
    #[error("sensitive: {0}")]
    Sensitive(#[from] PlacesError),
}

/// A layout, checked and ready to place names.
pub struct Ground {
    layout: Layout,
    topology: Topology,
    places: Places,
}

impl Layout {
    /// Checks the layout and makes it ready.
    pub fn ground(self) -> Result<Ground, LayoutError> {
        let topology = self.topology()?;
        let marked: Vec<String> = self.sensitive.iter().map(|entry| canonical_entry(entry)).collect();
        let places = Places::built_in()?.with_marked(&marked)?;
        Ok(Ground { layout: self, topology, places })
    }

    /// What rules are compiled for, where nothing has to be perceived.
    pub fn topology(&self) -> Result<Topology, LayoutError> {
        let mut topology = Topology::new();
        let name = |field| move |error| LayoutError::Name { field, error };
        let base = self.base();
        let path = |field, text: &str| {
            crate::paths::name(text, &base, &crate::paths::NoLinks)
                .map(|named| named.name)
                .map_err(|error| LayoutError::Path { field, path: text.to_owned(), error })
        };
        if !self.workspace.is_empty() {
            topology.set_workspace(&path("workspace", &self.workspace)?).map_err(name("workspace"))?;
        }
        for target in &self.targets {
            topology.add_target(&path("targets", target)?).map_err(name("targets"))?;
        }
        for account in &self.accounts {
            let is_letter = |letter| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'+' | b'-' | b'.');
            if account.is_empty() || !account.bytes().all(is_letter) {
                return Err(LayoutError::Account(account.clone()));
            }
            topology.add_internal(&format!("{account}:**")).map_err(name("accounts"))?;
        }
        for entry in &self.internal {
            topology.add_internal(&canonical_entry(entry)).map_err(name("internal"))?;
        }
        for entry in &self.external {
            topology.add_external(&canonical_entry(entry)).map_err(name("external"))?;
        }
        Ok(topology)
    }

    /// Where relative paths start, and how they are read.
    pub fn base(&self) -> Base<'_> {
        let (family, case) = match self.paths {
            PathStyle::Unix => (Family::Unix, Case::Kept),
            PathStyle::Mac => (Family::Unix, Case::Folded),
            PathStyle::Windows => (Family::Windows, Case::Folded),
        };
        let folder = if self.workspace.is_empty() { "/" } else { &self.workspace };
        Base { folder, home: Some(self.home.as_str()).filter(|home| !home.is_empty()), family, case }
    }
}

impl Ground {
    /// The layout that this was made of.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// What rules are compiled for.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The places that hold credentials by themselves.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// What is used, in the realms where it lies.
    pub fn resource(&self, place: &Use) -> Result<Resource, ParseError> {
        let by_session = self.topology.resource(&place.name, place.reach)?;
        match place.realms.or_else(|| self.realms_of_address(place)) {
            Some(realms) if by_session.realms().is_subset(Realms::NETWORK) => {
                // An exception that the user stated is never taken back.
                let exceptions = by_session.realms().meet(Realms::only(Realm::External));
                let realms = if self.is_account(&place.name) { realms.join(exceptions) } else { realms };
                Ok(by_session.in_realms(realms))
            }
            _ => Ok(by_session),
        }
    }

    /// The account of the user at a service, as the organisation's patterns tell it: `acme` for `github:acme/**`.
    pub fn account(&self, scheme: &str) -> Option<&str> {
        self.layout.internal.iter().find_map(|entry| {
            let owner = entry.strip_prefix(scheme)?.strip_prefix(':')?.split('/').next()?;
            (!owner.is_empty() && !owner.contains('*')).then_some(owner)
        })
    }

    fn is_account(&self, name: &str) -> bool {
        name.split_once(':').is_some_and(|(head, _)| self.layout.accounts.iter().any(|own| own == head))
    }

    /// Somebody's calendar lies where the mail of that person goes.
    fn realms_of_address(&self, place: &Use) -> Option<Realms> {
        let address = place.name.strip_prefix(CALENDAR).filter(|id| id.contains('@'))?;
        let address = address.to_lowercase();
        let mailbox = self.topology.resource(&format!("mailto:{address}"), Reach::One);
        Some(mailbox.map_or(Realms::only(Realm::External), |mailbox| mailbox.realms()))
    }
}

/// A pattern of names as people write it, with everything that has several spellings in the one that counts:
/// repositories and addresses without capitals, pages with dashes, web addresses without what does not say where.
pub fn canonical_entry(text: &str) -> String {
    let (stem, end) = match text.strip_suffix("/**") {
        Some(stem) => (stem, "/**"),
        None => (text, ""),
    };
    if let (true, false, Ok(crate::network::Locator::Place(named))) =
        (stem.contains("://"), stem.contains('*'), crate::network::locate(stem))
    {
        return format!("{}{end}", named.name);
    }
    match text.strip_prefix("mailto:") {
        Some(address) => format!("mailto:{}", address.to_lowercase()),
        None => ids::entry(text),
    }
}

#[cfg(test)]
mod tests {
    use portcullis_lattice::Class;

    use super::*;

    fn class(layout: &Layout, name: &str) -> Class {
        let topology = layout.topology().unwrap();
        topology.class(&topology.resource(name, Reach::One).unwrap())
    }

    #[test]
    fn without_a_workspace_nothing_is_in_it() {
        let layout = Layout::default();
        assert_eq!(class(&layout, "/home/u/p/a.md"), Class::Local);
        assert_eq!(
            class(&Layout { workspace: "/home/u/p".into(), ..layout }, "/home/u/p/a.md"),
            Class::Workspace
        );
    }

    #[test]
    fn targets_are_read_as_paths() {
        let targets = vec!["notes/../a.md".into(), "~/b.md".into()];
        let layout = Layout { workspace: "/w".into(), home: "/home/u".into(), targets, ..Layout::default() };
        assert_eq!(class(&layout, "/w/a.md"), Class::Targets);
        assert_eq!(class(&layout, "/home/u/b.md"), Class::Targets);
    }

    #[test]
    fn what_cannot_be_placed_is_refused() {
        let problem = |layout: Layout| layout.topology().unwrap_err().to_string();
        let unknown_home = Layout { targets: vec!["~/b.md".into()], ..Layout::default() };
        assert!(problem(unknown_home).contains("home folder is not known"));
        let relative = Layout { workspace: "w".into(), ..Layout::default() };
        assert!(problem(relative).contains("is not absolute"));
        for account in ["", "Slack", "slack:", "a/b"] {
            let layout = Layout { accounts: vec![account.into()], ..Layout::default() };
            assert_eq!(problem(layout), format!("accounts: `{account}` is no head of names, such as slack"));
        }
    }
}
