//! The distinct scopes of one side of the rules, and which of them are around a resource.

use alloc::vec::Vec;
use core::cmp::Reverse;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::trie::{Matches, ScopeId, Trie};
use crate::flags::{Effects, Realms};
use crate::name::Stars;
use crate::region::Region;
use crate::resource::{Reach, Resource};
use crate::scope::{Network, Scope};
use crate::topology::Topology;

#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    scopes: Vec<Place>,
    trie: Trie,
    /// The scopes that hold names by where they lie, not by what they are.
    realms: Vec<ScopeId>,
}

/// What one scope stands for.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) region: Region,
    /// Whether the region is everything there is; asked too often to compare each time.
    pub(crate) is_anywhere: bool,
    /// The realms in which a name of the scope is covered.
    covered: Realms,
    /// The realms that a use must touch to be caught.
    caught: Realms,
}

/// Which number a scope of the rules has got.
pub(crate) type Numbers<'r> = HashMap<&'r Scope, ScopeId, FixedState>;

impl Places {
    pub(crate) fn build<'r>(
        sides: impl Iterator<Item = (&'r Vec<Scope>, Effects)>,
        topology: &Topology,
    ) -> (Places, Numbers<'r>) {
        let mut effects_of: HashMap<&Scope, Effects, FixedState> = HashMap::default();
        let mut distinct: Vec<(&Scope, Place)> = Vec::new();
        for (scopes, effects) in sides {
            for scope in scopes {
                let known = effects_of.entry(scope).or_insert_with(|| {
                    distinct.push((scope, Place::new(scope, topology)));
                    Effects::EMPTY
                });
                *known = known.join(effects);
            }
        }
        // Of equals the order of their texts decides, so that other rules do not change which one is named.
        distinct.sort_by_cached_key(|(scope, place)| (place.rank(scope), (*scope).clone()));
        let mut numbers = Numbers::with_capacity_and_hasher(distinct.len(), FixedState::default());
        let mut places = Places { scopes: Vec::with_capacity(distinct.len()), ..Places::default() };
        let mut by_meaning: HashMap<(Region, Realms), ScopeId, FixedState> = HashMap::default();
        for (scope, place) in distinct {
            // Scopes that mean the same (`local` and `/**`) share a number, else pairs of them would not be
            // listed with the narrowest first.
            let new = places.scopes.len() as ScopeId;
            let number = *by_meaning.entry((place.region.clone(), place.caught)).or_insert(new);
            let effects = effects_of.get(scope).copied().unwrap_or(Effects::ALL);
            for part in place.region.parts() {
                match &part.names {
                    Some(pattern) => places.trie.insert(pattern, number, effects),
                    None => places.realms.push(number),
                }
            }
            numbers.insert(scope, number);
            if number == new {
                places.scopes.push(place);
            }
        }
        places.trie.arrange();
        (places, numbers)
    }

    pub(crate) fn place(&self, number: ScopeId) -> Option<&Place> {
        self.scopes.get(number as usize)
    }

    pub(crate) fn region(&self, number: ScopeId) -> Option<&Region> {
        self.place(number).map(|place| &place.region)
    }

    /// The scopes that hold all that the use of `resource` reaches.
    pub(crate) fn covering(&self, resource: &Resource) -> Matches {
        let mut found = Matches::new();
        self.trie.covering(resource.extent(), Stars::Wild, &mut found);
        found.extend_from_slice(&self.realms);
        self.keep(&mut found, |place| resource.realms().is_subset(place.covered));
        found
    }

    /// The scopes that a deny on them would catch `resource` with. `effects` narrows the search: scopes whose
    /// rules have none of them may be left out.
    pub(crate) fn catching(&self, resource: &Resource, effects: Effects) -> Matches {
        let mut found = Matches::new();
        match resource.reach() {
            // What holds all names of a glob also holds the glob read as a name, so this finds both.
            Reach::One | Reach::Names => self.trie.covering(resource.extent(), Stars::Literal, &mut found),
            Reach::Subtree => self.trie.overlapping(resource.extent(), effects, &mut found),
        }
        found.extend_from_slice(&self.realms);
        self.keep(&mut found, |place| resource.realms().overlaps(place.caught));
        found
    }

    /// Scopes that lie close to `resource`, closer ones first, no more than `limit`.
    pub(crate) fn near(&self, resource: &Resource, limit: usize) -> Vec<ScopeId> {
        let mut found = self.realms.clone();
        found.truncate(limit);
        self.trie.near(resource.extent(), limit, &mut found);
        found
    }

    fn keep(&self, found: &mut Matches, keep: impl Fn(&Place) -> bool) {
        found.retain(|number| self.place(*number).is_some_and(&keep));
        // Scopes of several parts can be found by more than one of them.
        found.sort_unstable();
        found.dedup();
    }
}

impl Place {
    fn new(scope: &Scope, topology: &Topology) -> Place {
        let region = Region::resolve(scope, topology);
        let covered = region.parts().iter().fold(Realms::EMPTY, |realms, part| realms.join(part.realms));
        let caught = match scope {
            Scope::Within(..) | Scope::Net(_) => covered,
            Scope::Named(_) | Scope::Targets | Scope::Workspace | Scope::Local | Scope::Anywhere => {
                Realms::ALL
            }
        };
        Place { is_anywhere: region.is_anywhere(), region, covered, caught }
    }

    /// Sorts so that a scope comes before all that hold it: a strictly larger region never has the smaller
    /// rank.
    fn rank(&self, scope: &Scope) -> (Reverse<i64>, u8, u8) {
        let weights = self
            .region
            .parts()
            .iter()
            .map(|part| part.names.as_ref().map_or(i64::MIN, |names| names.weight()));
        let lightest = weights.min().unwrap_or(i64::MAX);
        let breadth = match scope {
            Scope::Named(_) | Scope::Within(..) => 0,
            Scope::Targets => 1,
            Scope::Workspace => 2,
            Scope::Local => 3,
            Scope::Net(Network::Internal) => 4,
            Scope::Net(Network::External) => 5,
            Scope::Anywhere => 6,
        };
        (Reverse(lightest), breadth, self.covered.iter().count() as u8)
    }
}
