//! Resources as a call uses them: a name, how far the use reaches, and the realms it may touch.

use alloc::boxed::Box;
use alloc::string::ToString;
use core::fmt;

use crate::error::ParseError;
use crate::flags::{Realm, Realms};
use crate::pattern::{Depth, Pattern};

/// How far the use of a resource goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reach {
    /// The named thing alone.
    One,
    /// A listing or search that shows the names of what lies in it, not the content.
    Names,
    /// It and everything below: recursion, a glob, a whole account (`slack:*`).
    Subtree,
}

impl Reach {
    /// Every reach, the shortest first.
    pub const ALL: [Reach; 3] = [Reach::One, Reach::Names, Reach::Subtree];

    /// The word users read and write.
    pub const fn name(self) -> &'static str {
        match self {
            Reach::One => "one",
            Reach::Names => "names",
            Reach::Subtree => "subtree",
        }
    }

    /// The reach with this name.
    pub fn from_name(name: &str) -> Option<Reach> {
        Reach::ALL.into_iter().find(|reach| reach.name() == name)
    }
}

/// A concrete thing as one call uses it.
///
/// In a name of reach [`One`](Reach::One) a `*` is a character like any other. With the other two it stands
/// for any run of characters inside its segment, as in a shell.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Resource {
    name: Box<str>,
    extent: Pattern,
    reach: Reach,
    realms: Realms,
}

impl Resource {
    /// A resource by its canonical name. `realms` are those that the use may touch: one for a single thing,
    /// perhaps several for a subtree. Names of this machine and the context have their realm by nature, so
    /// `realms` counts for other names only; if it is empty there, the worst is assumed.
    pub fn new(name: &str, reach: Reach, realms: Realms) -> Result<Resource, ParseError> {
        let extent = match reach {
            Reach::One => Resource::single(name)?,
            Reach::Names => Resource::wild(name)?,
            Reach::Subtree => Resource::wild(name)?.and_below().without_idle_star(),
        };
        Ok(Resource { name: name.into(), extent, reach, realms }.in_realms(realms))
    }

    /// The same in other realms, which count as they do in [`Resource::new`].
    #[must_use]
    pub fn in_realms(self, realms: Realms) -> Resource {
        let realms = match natural_realm(&self.extent) {
            Some(realm) => Realms::only(realm),
            None if realms.meet(Realms::NETWORK).is_empty() => Realms::NETWORK,
            None => realms.meet(Realms::NETWORK),
        };
        Resource { realms, ..self }
    }

    /// The agent's context.
    pub fn context() -> Resource {
        Resource {
            name: Pattern::context().to_string().into(),
            extent: Pattern::context(),
            reach: Reach::One,
            realms: Realms::only(Realm::Context),
        }
    }

    /// `slack:*` is how a whole account is named, so it is never one thing.
    fn single(name: &str) -> Result<Pattern, ParseError> {
        let pattern = Pattern::literal(name)?;
        match pattern.segments().last() {
            Some(last) if last.text() == "*" && pattern.head().is_account() => {
                let problem = "`*` is not one thing; its reach is names or subtree";
                Err(ParseError::new(name, name.len() - 1, problem, "slack:C04ENG"))
            }
            _ => Ok(pattern),
        }
    }

    fn wild(name: &str) -> Result<Pattern, ParseError> {
        // A name that is a pattern as a whole (`mailto:*`) is fine, but what a final `**` means is said by
        // the reach, and a leading `=` is no part of a name.
        match Pattern::literal(name) {
            Ok(pattern) => Ok(pattern.with_wild_stars()),
            Err(error) => match Pattern::parse(name) {
                Ok(pattern) if pattern.depth() == Depth::Here && !name.starts_with('=') => Ok(pattern),
                _ => Err(error),
            },
        }
    }

    /// The canonical name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All that the use reaches, as a pattern.
    pub fn extent(&self) -> &Pattern {
        &self.extent
    }

    /// How far the use goes.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The realms that the use may touch; never empty.
    pub fn realms(&self) -> Realms {
        self.realms
    }

    /// The highest realm touched, which is the one that counts for a person.
    pub fn highest_realm(&self) -> Realm {
        self.realms.iter().last().unwrap_or(Realm::External)
    }
}

/// The realm that a name has whatever the session looks like.
pub(crate) fn natural_realm(pattern: &Pattern) -> Option<Realm> {
    match pattern.head() {
        head if head.is_context() => Some(Realm::Context),
        head if head.is_local() => Some(Realm::Local),
        _ => None,
    }
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}, {:?})", self.name, self.reach.name(), self.realms)
    }
}
