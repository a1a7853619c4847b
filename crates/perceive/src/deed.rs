//! What an analyser finds: something done to resources that are named, but not yet placed in a session.

use portcullis_lattice::{Effects, Reach};

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
}

impl Use {
    /// The use of a resource by its name alone.
    pub fn new(name: impl Into<String>, reach: Reach) -> Use {
        Use { name: name.into(), reach, details: Vec::new() }
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
