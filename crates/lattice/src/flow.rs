//! Calls as flows: what goes in, where it comes out, what it carries and does.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::flags::{Effect, Effects, Taint};
use crate::resource::{Reach, Resource};

/// One movement of data that a call makes: every input may end in every output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    inputs: Vec<Resource>,
    outputs: Vec<Resource>,
    taint: Taint,
    effects: Effects,
}

/// Why something is no flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FlowError {
    /// Nothing goes in; what comes from the agent itself comes from `ctxt`.
    #[error("a flow needs an input; what the agent writes itself comes from `ctxt`")]
    NoInput,
    /// Nothing comes out; what the agent sees goes to `ctxt`.
    #[error("a flow needs an output; what the agent gets to see goes to `ctxt`")]
    NoOutput,
    /// It does nothing.
    #[error("a flow needs an effect: read, write, del, exec or spawn")]
    NoEffect,
    /// A reach of names is said of something that is more than a listing.
    #[error("the reach `names` is for an input that is only read; what is changed is `one` or `subtree`")]
    MoreThanNames,
}

impl Flow {
    /// A flow; none of inputs, outputs and effects may be empty. Only a listing, which reads, has the reach of names.
    pub fn new(
        inputs: Vec<Resource>,
        outputs: Vec<Resource>,
        taint: Taint,
        effects: Effects,
    ) -> Result<Flow, FlowError> {
        let names =
            |resources: &[Resource]| resources.iter().any(|resource| resource.reach() == Reach::Names);
        let only_reads = effects == Effects::only(Effect::Read);
        match () {
            () if inputs.is_empty() => Err(FlowError::NoInput),
            () if outputs.is_empty() => Err(FlowError::NoOutput),
            () if effects.is_empty() => Err(FlowError::NoEffect),
            () if names(&outputs) || (names(&inputs) && !only_reads) => Err(FlowError::MoreThanNames),
            () => Ok(Flow { inputs, outputs, taint, effects }),
        }
    }

    /// Where the data comes from; never empty.
    pub fn inputs(&self) -> &[Resource] {
        &self.inputs
    }

    /// Where the data goes; never empty.
    pub fn outputs(&self) -> &[Resource] {
        &self.outputs
    }

    /// What the data carries.
    pub fn taint(&self) -> Taint {
        self.taint
    }

    /// What the call does with it; never empty.
    pub fn effects(&self) -> Effects {
        self.effects
    }
}

/// The server that a call goes through, as far as consent depends on it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Server {
    /// Who it was started as.
    pub name: Box<str>,
    /// How its calls are understood.
    pub standing: Standing,
}

/// How the calls of a server are understood.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// From the catalogue or from a verified definition.
    Known,
    /// From what the server says of itself.
    Derived,
}

/// One tool call, as consent sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Through whom it goes.
    pub server: Server,
    /// What it does. A call without flows is one that was not understood, and is asked about.
    pub flows: Vec<Flow>,
}
