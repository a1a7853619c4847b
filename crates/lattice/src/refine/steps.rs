//! The steps from a resource up to its realm.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use crate::flags::{Realm, Realms};
use crate::order::maximal;
use crate::pattern::{Depth, Pattern, Segment};
use crate::region::Region;
use crate::resource::{Reach, Resource};
use crate::scope::{Network, Scope};
use crate::topology::Topology;

/// How wide a step is. Resources of different kinds rise together by these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Width {
    /// The resource itself.
    Itself,
    /// Its neighbours in the folder.
    Beside,
    /// Its folder with all below, its domain, its channel's account.
    Folder,
    /// The outermost folder short of everything: the project's part, the site, the owner.
    Outermost,
    /// The workspace, the organisation.
    Group,
    /// The realm.
    Realm,
}

impl Width {
    /// Every width, the narrowest first.
    pub(super) const ALL: [Width; 6] =
        [Width::Itself, Width::Beside, Width::Folder, Width::Outermost, Width::Group, Width::Realm];
}

/// How far a side goes up.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rise {
    /// By so many steps of its own.
    Steps(usize),
    /// As far as it can without getting wider than this.
    UpTo(Width),
}

/// Domains where everybody can have an address: "people at" them are no group.
const PUBLIC_MAIL: [&str; 14] = [
    "gmail.com",
    "googlemail.com",
    "outlook.com",
    "hotmail.com",
    "live.com",
    "yahoo.com",
    "icloud.com",
    "me.com",
    "aol.com",
    "gmx.de",
    "gmx.net",
    "web.de",
    "proton.me",
    "protonmail.com",
];

/// One side of a flow on its way up: each step holds the one before. The first is the resources themselves.
pub(super) struct Chain {
    steps: Vec<(Width, Vec<Scope>)>,
}

impl Chain {
    pub(super) fn build(resources: &[&Resource], widest: Width, topology: &Topology) -> Chain {
        let ways: Vec<Vec<(Width, Scope)>> =
            resources.iter().map(|resource| way_up(resource, topology)).collect();
        let mut steps: Vec<(Width, Vec<Scope>)> = Vec::new();
        for width in Width::ALL.into_iter().filter(|width| *width <= widest) {
            let reached = ways.iter().filter_map(|way| way.iter().rfind(|(step, _)| *step <= width));
            let scopes: Vec<Scope> = reached.map(|(_, scope)| scope.clone()).collect();
            let inside = |outer: &Scope, inner: &Scope| {
                Region::resolve(outer, topology).contains(&Region::resolve(inner, topology))
            };
            let scopes = maximal(scopes, inside);
            if steps.last().is_none_or(|(_, last)| *last != scopes) {
                steps.push((width, scopes));
            }
        }
        Chain { steps }
    }

    /// The scopes after a rise; above the top, the top.
    pub(super) fn at(&self, rise: Rise) -> Vec<Scope> {
        let step = match rise {
            Rise::Steps(height) => self.steps.get(height).or(self.steps.last()),
            Rise::UpTo(width) => self.steps.iter().rfind(|(step, _)| *step <= width),
        };
        step.map(|(_, scopes)| scopes.clone()).unwrap_or_default()
    }

    /// The region of a resource itself.
    pub(super) fn exact(resource: &Resource, topology: &Topology) -> Region {
        Region::resolve(&written(resource.extent().clone(), resource, topology), topology)
    }
}

/// The scopes around a resource, from itself outwards, each strictly inside the next.
fn way_up(resource: &Resource, topology: &Topology) -> Vec<(Width, Scope)> {
    let extent = resource.extent();
    let mut way = vec![(Width::Itself, written(extent.clone(), resource, topology))];
    let head = extent.head();
    if head.is_context() {
        return way;
    }
    let patterns = if head.is_local() {
        folders(resource, topology)
    } else if head.is_mail() {
        vec![(Width::Folder, domain(extent))]
    } else {
        owners(extent)
    };
    for (width, pattern) in patterns {
        way.extend(pattern.map(|pattern| (width, written(pattern, resource, topology))));
    }
    if head.is_local() {
        way.extend([(Width::Group, Scope::Workspace), (Width::Realm, Scope::Local)]);
    } else {
        let network = match resource.realms() == Realms::only(Realm::Internal) {
            true => Network::Internal,
            false => Network::External,
        };
        way.push((Width::Realm, Scope::Net(network)));
    }
    rising(way, resource, topology)
}

/// Keeps the steps that cover the resource and are strictly wider than the one before.
fn rising(way: Vec<(Width, Scope)>, resource: &Resource, topology: &Topology) -> Vec<(Width, Scope)> {
    let mut kept: Vec<(Width, Scope, Region)> = Vec::new();
    for (width, scope) in way {
        let region = Region::resolve(&scope, topology);
        let rises = kept.last().is_none_or(|(_, _, last)| region.contains(last) && !last.contains(&region));
        if rises && region.covers(resource) {
            kept.push((width, scope, region));
        }
    }
    kept.into_iter().map(|(width, scope, _)| (width, scope)).collect()
}

/// A pattern as a scope that covers the resource: if the session would place its names nearer than this use
/// of them goes (a page made public), the scope says so.
fn written(pattern: Pattern, resource: &Resource, topology: &Topology) -> Scope {
    let named = Scope::Named(pattern.clone());
    match Region::resolve(&named, topology).covers(resource) {
        true => named,
        false => Scope::within(pattern, Network::External).unwrap_or(named),
    }
}

fn folders(resource: &Resource, topology: &Topology) -> Vec<(Width, Option<Pattern>)> {
    let extent = resource.extent();
    let length = extent.segments().len();
    let beside = match resource.reach() {
        Reach::One => extent.with_last("*"),
        Reach::Names | Reach::Subtree => None,
    };
    // A listing is of a folder; the folder of anything else is what it lies in.
    let folder = match resource.reach() {
        Reach::Names => extent.ancestor(length),
        Reach::One | Reach::Subtree => {
            length.checked_sub(1).filter(|up| *up > 0).and_then(|up| extent.ancestor(up))
        }
    };
    let workspace = topology.workspace().filter(|workspace| workspace.contains(extent));
    let outermost = workspace.and_then(|workspace| extent.ancestor(workspace.segments().len() + 1));
    vec![(Width::Beside, beside), (Width::Folder, folder), (Width::Outermost, outermost)]
}

fn owners(extent: &Pattern) -> Vec<(Width, Option<Pattern>)> {
    let length = extent.segments().len();
    let folder = length.checked_sub(1).filter(|up| *up > 0).and_then(|up| extent.ancestor(up));
    // One segment is a host's root or a thing in a flat account; then all of that account.
    let outermost = extent.ancestor(if length > 1 || extent.head().has_host() { 1 } else { 0 });
    vec![(Width::Folder, folder), (Width::Outermost, outermost)]
}

fn domain(extent: &Pattern) -> Option<Pattern> {
    let (_, domain) = extent.segments().first()?.text().rsplit_once('@')?;
    match PUBLIC_MAIL.contains(&domain) {
        true => None,
        false => extent.with_last(&format!("*@{domain}")),
    }
}

/// The narrowest patterns of the usual shapes that hold both, narrower ones first: the same ending in one
/// folder, one folder, one folder with all below, one domain.
pub(crate) fn common(left: &Pattern, right: &Pattern) -> Vec<Pattern> {
    if left.head() != right.head() {
        return Vec::new();
    }
    if left.head().is_mail() {
        return domain(left).into_iter().filter(|domain| domain.contains(right)).collect();
    }
    let pairs = left.segments().iter().zip(right.segments());
    let shared = pairs.take_while(|(left, right)| left == right).count();
    let is_last =
        |pattern: &Pattern| pattern.segments().len() == shared + 1 && pattern.depth() == Depth::Here;
    let mut found: Vec<Pattern> = Vec::new();
    if is_last(left) && is_last(right) {
        found.extend(ending(left).filter(|ending| ending.contains(right)));
        found.extend(left.with_last("*"));
    }
    // Everything of a head is a realm in disguise, and no folder.
    if shared > 0 {
        found.extend(left.ancestor(shared));
    }
    found.into_iter().filter(|pattern| pattern.contains(left) && pattern.contains(right)).collect()
}

/// Everything in the same folder with the same ending.
fn ending(pattern: &Pattern) -> Option<Pattern> {
    let (stem, ending) = pattern.segments().last().map(Segment::text)?.rsplit_once('.')?;
    let glob: String = format!("*.{ending}");
    match stem.is_empty() || ending.is_empty() || ending.contains('*') {
        true => None,
        false => pattern.with_last(&glob),
    }
}
