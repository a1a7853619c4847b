//! What an analyser finds: something done to resources that are named, but not yet placed in a session.

use std::fmt;

use portcullis_lattice::{Effect, Effects, Reach, Realm, Realms};

/// A resource as a call uses it. In which realm it lies is for the session's topology to say.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Use {
    /// The canonical name, as `portcullis_lattice::Resource` takes it.
    pub name: String,
    /// How far the use goes.
    pub reach: Reach,
    /// What exactly is used, where the name stands for more: the file of a repository, the pattern of a search that
    /// prints what it finds. These decide whether the use is sensitive; empty where the name says it all.
    pub details: Vec<String>,
    /// The realms, where the call itself says them (a public repository); else the session's topology does.
    pub realms: Option<Realms>,
}

impl Use {
    /// The use of a resource by its name alone.
    pub fn new(name: impl Into<String>, reach: Reach) -> Use {
        Use { name: name.into(), reach, details: Vec::new(), realms: None }
    }

    /// The agent's context.
    pub fn context() -> Use {
        Use::new("ctxt", Reach::One)
    }
}

/// One thing that a part of a call does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    /// Where data comes from; `ctxt` for what the agent wrote itself.
    pub inputs: Vec<Use>,
    /// Where it goes; `ctxt` for what the agent gets to see.
    pub outputs: Vec<Use>,
    /// What is done.
    pub effects: Effects,
}

/// A deed of a call, and whether free text that the agent wrote travels beside the sources that it names: the body of a
/// mail beside its attachment. Then the labels of the context join those of the sources.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// What is done.
    pub deed: Deed,
    /// Whether free text goes along.
    pub payload: bool,
}

/// `read from names of /home/u/p to ctxt`, as examples and reports write it.
impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.deed, if self.payload { ", with text" } else { "" })
    }
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let effects: Vec<&str> = self.effects.iter().map(Effect::name).collect();
        let side = |uses: &[Use]| uses.iter().map(Use::to_string).collect::<Vec<_>>().join(", ");
        write!(f, "{} from {} to {}", effects.join("+"), side(&self.inputs), side(&self.outputs))
    }
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.reach {
            Reach::One => "",
            Reach::Names => "names of ",
            Reach::Subtree => "all of ",
        })?;
        f.write_str(&self.name)?;
        if self.realms == Some(Realms::only(Realm::External)) {
            f.write_str(" (public)")?;
        }
        match self.details.is_empty() {
            true => Ok(()),
            false => write!(f, " [{}]", self.details.join(", ")),
        }
    }
}
