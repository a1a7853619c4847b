//! What scopes mean in a session: the location lattice.
//!
//! A [`Scope`] is syntax; a [`Region`] is the set of resources it stands for under a [`Topology`], in a
//! normal form on which order, join and meet are plain functions. It is a union of parts, none inside
//! another; a part is a pattern of names, or all names beyond this machine, and how far out they may lie.
//! Since `*` ranges over more letters than any pattern has, a part inside a union of parts without `/**` is
//! inside one of them, so comparing part by part loses nothing; with `/**` it may miss that a union is
//! complete, and then says "not inside".

use alloc::vec;
use alloc::vec::Vec;

use crate::flags::{Realm, Realms};
use crate::order::maximal;
use crate::pattern::Pattern;
use crate::resource::{Reach, Resource};
use crate::scope::{Network, Scope};
use crate::topology::Topology;

/// A set of resources in normal form: the least is [`Region::nowhere`], the greatest [`Region::anywhere`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Region {
    /// Sorted, and none inside another.
    parts: Vec<Part>,
}

/// One part of a region.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Part {
    /// The names, or nothing for every name beyond this machine.
    pub(crate) names: Option<Pattern>,
    /// The realms in which they count. With the external realm goes the internal one.
    pub(crate) realms: Realms,
}

impl Region {
    /// No resource at all.
    pub fn nowhere() -> Region {
        Region { parts: Vec::new() }
    }

    /// Every resource there is.
    pub fn anywhere() -> Region {
        let context = Part { names: Some(Pattern::context()), realms: Realm::Context.into() };
        Region::of(vec![context, Part::local(Pattern::all_local()), Part::network(Network::External)])
    }

    /// What a scope stands for in a session.
    pub fn resolve(scope: &Scope, topology: &Topology) -> Region {
        let parts = match scope {
            Scope::Named(pattern) => {
                vec![Part { names: Some(pattern.clone()), realms: closed(topology.realms(pattern)) }]
            }
            Scope::Within(pattern, network) => {
                vec![Part { names: Some(pattern.clone()), realms: Part::network(*network).realms }]
            }
            Scope::Targets => topology.targets().iter().cloned().map(Part::local).collect(),
            Scope::Workspace => {
                topology.workspace().into_iter().chain(topology.targets()).cloned().map(Part::local).collect()
            }
            Scope::Local => vec![Part::local(Pattern::all_local())],
            Scope::Net(network) => vec![Part::network(*network)],
            Scope::Anywhere => return Region::anywhere(),
        };
        Region::of(parts)
    }

    /// What several scopes stand for together.
    pub fn resolve_all<'s>(scopes: impl IntoIterator<Item = &'s Scope>, topology: &Topology) -> Region {
        Region::of(scopes.into_iter().flat_map(|scope| Region::resolve(scope, topology).parts).collect())
    }

    fn of(parts: Vec<Part>) -> Region {
        let mut parts = maximal(parts, Part::contains);
        parts.sort();
        Region { parts }
    }

    /// Whether this is every resource there is.
    pub fn is_anywhere(&self) -> bool {
        let is_whole = |part: &Part| match &part.names {
            Some(names) => names.head().is_context() || *names == Pattern::all_local(),
            None => part.realms == Realms::NETWORK,
        };
        // Parts do not hold each other, so these three are the context, this machine and the network.
        self.parts.len() == 3 && self.parts.iter().all(is_whole)
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The order: whether everything in `inner` is in this region.
    pub fn contains(&self, inner: &Region) -> bool {
        inner.parts.iter().all(|part| self.parts.iter().any(|outer| outer.contains(part)))
    }

    /// Whether some resource is in both.
    pub fn overlaps(&self, other: &Region) -> bool {
        self.parts.iter().any(|left| other.parts.iter().any(|right| left.overlaps(right)))
    }

    /// The least region that holds both.
    #[must_use]
    pub fn join(&self, other: &Region) -> Region {
        Region::of([self.parts.as_slice(), &other.parts].concat())
    }

    /// The greatest region inside both.
    #[must_use]
    pub fn meet(&self, other: &Region) -> Region {
        let pairs = self.parts.iter().flat_map(|left| other.parts.iter().map(move |right| (left, right)));
        Region::of(pairs.flat_map(|(left, right)| left.meet(right)).collect())
    }

    /// Whether all that the use of a resource reaches is inside: the names, and as far out as they lie.
    pub fn covers(&self, resource: &Resource) -> bool {
        self.parts.iter().any(|part| part.covers(resource))
    }
}

impl Part {
    fn local(pattern: Pattern) -> Part {
        Part { names: Some(pattern), realms: Realm::Local.into() }
    }

    fn network(network: Network) -> Part {
        let realms = match network {
            Network::Internal => Realms::only(Realm::Internal),
            Network::External => Realms::NETWORK,
        };
        Part { names: None, realms }
    }

    fn covers(&self, resource: &Resource) -> bool {
        resource.realms().is_subset(self.realms)
            && self.names.as_ref().is_none_or(|pattern| pattern.contains(resource.extent()))
    }

    fn contains(&self, inner: &Part) -> bool {
        let names = match (&self.names, &inner.names) {
            (Some(outer), Some(inner)) => outer.contains(inner),
            (Some(_), None) => false,
            // All names beyond this machine; whether `inner` lies there is said by the realms.
            (None, _) => true,
        };
        names && inner.realms.is_subset(self.realms)
    }

    fn overlaps(&self, other: &Part) -> bool {
        let names = match (&self.names, &other.names) {
            (Some(left), Some(right)) => left.overlaps(right),
            _ => true,
        };
        names && self.realms.overlaps(other.realms)
    }

    fn meet(&self, other: &Part) -> Vec<Part> {
        let realms = self.realms.meet(other.realms);
        if realms.is_empty() {
            return Vec::new();
        }
        match (&self.names, &other.names) {
            (Some(left), Some(right)) => {
                left.meet(right).into_iter().map(|names| Part { names: Some(names), realms }).collect()
            }
            (names, None) | (None, names) => vec![Part { names: names.clone(), realms }],
        }
    }
}

/// Whoever may go out to everybody may go to the organisation: `intnet ⊑ extnet`.
fn closed(realms: Realms) -> Realms {
    match realms.contains(Realm::External) {
        true => realms.with(Realm::Internal),
        false => realms,
    }
}

/// Whether a deny on `scope` is about a use of `resource`.
///
/// By name, a deny catches wherever the resource is said to lie, since a name made public is still that name;
/// by realm, if the use may touch the realm. A use of reach *subtree* is caught by anything it reaches.
pub fn catches(scope: &Scope, resource: &Resource, topology: &Topology) -> bool {
    let names = |pattern: &Pattern| match resource.reach() {
        Reach::One => pattern.contains(resource.extent()),
        Reach::Names => {
            pattern.contains(resource.extent())
                || pattern.contains(&resource.extent().clone().with_literal_stars())
        }
        Reach::Subtree => pattern.overlaps(resource.extent()),
    };
    match scope {
        Scope::Named(pattern) => names(pattern),
        Scope::Within(pattern, network) => {
            names(pattern) && resource.realms().overlaps(Part::network(*network).realms)
        }
        Scope::Net(network) => resource.realms().overlaps(Part::network(*network).realms),
        Scope::Anywhere => true,
        Scope::Targets | Scope::Workspace | Scope::Local => {
            Region::resolve(scope, topology).parts.iter().any(|part| part.names.as_ref().is_some_and(names))
        }
    }
}
