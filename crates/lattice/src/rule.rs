//! Rules: a boundary, what it means, how long it holds, who said so and why.

use alloc::boxed::Box;
use alloc::vec::Vec;

use jiff::Timestamp;

use crate::flags::{Effects, Taint};
use crate::flow::{Flow, Server, Standing};
use crate::region::Region;
use crate::scope::Scope;
use crate::topology::Topology;

mod text;

/// A flow with scopes in place of resources. Several scopes on a side stand for any of them: such a boundary
/// decides as one boundary for each combination would.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Boundary {
    /// Where the data may come from; never empty.
    pub inputs: Vec<Scope>,
    /// Where it may go; never empty.
    pub outputs: Vec<Scope>,
    /// What it may carry.
    pub taint: Taint,
    /// What may be done.
    pub effects: Effects,
}

impl Boundary {
    /// The order: whether every flow inside `inner` is inside this boundary.
    pub fn contains(&self, inner: &Boundary, topology: &Topology) -> bool {
        inner.taint.is_subset(self.taint)
            && inner.effects.is_subset(self.effects)
            && self.locations(topology).contain(&inner.locations(topology))
    }

    /// Whether a flow is inside, in all four dimensions.
    pub fn covers(&self, flow: &Flow, topology: &Topology) -> bool {
        let locations = self.locations(topology);
        flow.taint().is_subset(self.taint)
            && flow.effects().is_subset(self.effects)
            && flow.inputs().iter().all(|input| locations.input.covers(input))
            && flow.outputs().iter().all(|output| locations.output.covers(output))
    }

    /// Where data may come from and go to, in a session.
    pub fn locations(&self, topology: &Topology) -> Locations {
        Locations {
            input: Region::resolve_all(&self.inputs, topology),
            output: Region::resolve_all(&self.outputs, topology),
        }
    }
}

/// The two locations of a boundary: all that counts for how specific a rule is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Locations {
    /// Where data may come from.
    pub input: Region,
    /// Where it may go.
    pub output: Region,
}

impl Locations {
    /// The order of the product.
    pub fn contain(&self, inner: &Locations) -> bool {
        self.input.contains(&inner.input) && self.output.contains(&inner.output)
    }
}

/// What a rule says about the flows at its boundary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Flows inside are permitted.
    Allow,
    /// Flows that touch it are refused.
    Deny,
}

/// How long a rule holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Lifetime {
    /// For one call.
    Once,
    /// For the named session.
    Session(Box<str>),
    /// Until a time, not including it.
    Until(Timestamp),
    /// Until it is revoked.
    Always,
}

/// For calls through which servers a rule speaks.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Binding {
    /// Through any.
    Unbound,
    /// Granted through this known server: for every known server.
    Known(Box<str>),
    /// Granted through this server, which describes itself: for it alone.
    Own(Box<str>),
}

impl Binding {
    /// The binding of a rule that is granted through `server`.
    pub fn granted_through(server: &Server) -> Binding {
        match server.standing {
            Standing::Known => Binding::Known(server.name.clone()),
            Standing::Derived => Binding::Own(server.name.clone()),
        }
    }

    /// Whether a rule with this binding speaks for calls through `server`.
    pub fn admits(&self, server: &Server) -> bool {
        match self {
            Binding::Unbound => true,
            // Also for the server it was granted through: as long as that one is known.
            Binding::Known(_) => server.standing == Standing::Known,
            Binding::Own(name) => *name == server.name,
        }
    }

    /// Whether this binding admits every server that `other` admits.
    pub fn contains(&self, other: &Binding) -> bool {
        match (self, other) {
            (Binding::Unbound, _) | (Binding::Known(_), Binding::Known(_)) => true,
            (Binding::Own(name), Binding::Own(own)) => name == own,
            (Binding::Known(_) | Binding::Own(_), _) => false,
        }
    }
}

/// What a rule allows or denies.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rule {
    /// Allow or deny.
    pub action: Action,
    /// The flows it is about. A deny without labels catches whatever the data carries.
    pub boundary: Boundary,
    /// How long it holds.
    pub lifetime: Lifetime,
    /// Whom it speaks for; a deny is always unbound.
    pub binding: Binding,
    /// Who said so.
    pub grantor: Box<str>,
    /// Why, in the grantor's words; may be empty.
    pub reason: Box<str>,
}

/// Who is taken to have said a rule that names nobody.
pub const DEFAULT_GRANTOR: &str = "user";

impl Rule {
    /// An allow that always holds, by the user, for all servers.
    pub fn allow(boundary: Boundary) -> Rule {
        Rule {
            action: Action::Allow,
            boundary,
            lifetime: Lifetime::Always,
            binding: Binding::Unbound,
            grantor: DEFAULT_GRANTOR.into(),
            reason: "".into(),
        }
    }

    /// A deny that always holds, by the user.
    pub fn deny(boundary: Boundary) -> Rule {
        Rule { action: Action::Deny, ..Rule::allow(boundary) }
    }

    /// Whether the time of the rule is over at `now`. Having been used up is the store's to know.
    pub fn is_over(&self, now: Timestamp) -> bool {
        matches!(self.lifetime, Lifetime::Until(end) if end <= now)
    }

    /// Whether the rule speaks in `session`.
    pub fn is_for(&self, session: &str) -> bool {
        !matches!(&self.lifetime, Lifetime::Session(name) if &**name != session)
    }
}
