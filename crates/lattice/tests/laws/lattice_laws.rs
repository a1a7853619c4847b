//! Orders, joins and meets: what makes a lattice one.

use std::collections::BTreeMap;
use std::fmt::Debug;

use portcullis_lattice::{
    Effect, Effects, Label, Pattern, Reach, Realm, Realms, Region, Resource, Scope, Taint, Topology,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::generators::{Layout, any_scope, config, flags, layout, pattern_text, rule, usage};
use crate::language::{Language, Languages};
use crate::naive::Places;

/// What the laws speak about.
struct Lattice<'l, T> {
    below: &'l dyn Fn(&T, &T) -> bool,
    join: &'l dyn Fn(&T, &T) -> T,
    meet: &'l dyn Fn(&T, &T) -> T,
}

impl<T: PartialEq + Debug> Lattice<'_, T> {
    fn check(&self, a: &T, b: &T, c: &T) {
        let Lattice { below, join, meet } = self;
        assert!(below(a, a), "reflexive: {a:?}");
        assert!(!(below(a, b) && below(b, c)) || below(a, c), "transitive: {a:?}, {b:?}, {c:?}");
        assert!(!(below(a, b) && below(b, a)) || a == b, "antisymmetric: {a:?}, {b:?}");
        assert_eq!(join(a, a), *a, "join is idempotent");
        assert_eq!(meet(a, a), *a, "meet is idempotent");
        assert_eq!(join(a, b), join(b, a), "join is commutative");
        assert_eq!(meet(a, b), meet(b, a), "meet is commutative");
        assert_eq!(join(a, &join(b, c)), join(&join(a, b), c), "join is associative");
        assert_eq!(meet(a, &meet(b, c)), meet(&meet(a, b), c), "meet is associative: {a:?}, {b:?}, {c:?}");
        assert_eq!(join(a, &meet(a, b)), *a, "join absorbs: {a:?}, {b:?}");
        assert_eq!(meet(a, &join(a, b)), *a, "meet absorbs: {a:?}, {b:?}");
        assert_eq!(meet(a, &join(b, c)), join(&meet(a, b), &meet(a, c)), "distributive: {a:?}, {b:?}, {c:?}");
        assert_eq!(join(a, &meet(b, c)), meet(&join(a, b), &join(a, c)), "distributive: {a:?}, {b:?}, {c:?}");
        assert_eq!(below(a, b), join(a, b) == *b, "the order is that of the join: {a:?}, {b:?}");
        assert_eq!(below(a, b), meet(a, b) == *a, "the order is that of the meet: {a:?}, {b:?}");
    }

    fn check_all(&self, elements: &[T]) {
        for a in elements {
            for b in elements {
                for c in elements {
                    self.check(a, b, c);
                }
            }
        }
    }
}

const REGIONS: Lattice<'static, Region> =
    Lattice { below: &|a, b| b.contains(a), join: &Region::join, meet: &Region::meet };

fn office() -> Topology {
    let layout = Layout {
        workspace: Some("/home/u/p"),
        targets: vec!["/home/u/p/a.md", "/home/u/taxes.pdf"],
        internal: vec!["acme.com", "slack:**"],
        external: vec!["slack:C0SHARED"],
    };
    layout.topology()
}

const CLASSES: [&str; 7] = ["@targets", "@workspace", "local", "ctxt", "intnet", "extnet", "anywhere"];

#[test]
fn the_classes_of_locations_make_a_lattice() {
    for topology in [office(), Topology::new()] {
        let scopes = CLASSES.iter().map(|class| class.parse::<Scope>().unwrap());
        let mut regions: Vec<Region> = scopes.map(|scope| Region::resolve(&scope, &topology)).collect();
        regions.push(Region::nowhere());
        REGIONS.check_all(&regions);
        assert_eq!(
            regions.iter().fold(Region::nowhere(), |all, region| all.join(region)),
            Region::anywhere()
        );
        assert!(regions.iter().all(|region| region.contains(&Region::nowhere())));
    }
}

/// The table `COVERS` of ConsentBench's oracle.
#[test]
fn the_classes_cover_each_other_as_consentbench_says() {
    let covers = BTreeMap::from([
        ("@targets", vec!["@targets"]),
        ("@workspace", vec!["@targets", "@workspace"]),
        ("local", vec!["@targets", "@workspace", "local"]),
        ("ctxt", vec!["ctxt"]),
        ("intnet", vec!["intnet"]),
        ("extnet", vec!["intnet", "extnet"]),
    ]);
    let topology = office();
    let region = |class: &str| Region::resolve(&class.parse().unwrap(), &topology);
    for (outer, covered) in &covers {
        for inner in covers.keys() {
            assert_eq!(region(outer).contains(&region(inner)), covered.contains(inner), "{inner} in {outer}");
        }
    }
}

#[test]
fn labels_make_a_lattice() {
    let all: Vec<Taint> = (0..4).map(|bits| flags(bits, Label::ALL)).collect();
    let sets = Lattice {
        below: &|a: &Taint, b| a.is_subset(*b),
        join: &|a, b| a.join(*b),
        meet: &|a, b| a.meet(*b),
    };
    sets.check_all(&all);
}

#[test]
fn effects_make_a_lattice() {
    let all: Vec<Effects> = (0..32).map(|bits| flags(bits, Effect::ALL)).collect();
    let sets = Lattice {
        below: &|a: &Effects, b| a.is_subset(*b),
        join: &|a, b| a.join(*b),
        meet: &|a, b| a.meet(*b),
    };
    sets.check_all(&all);
}

#[test]
fn realms_make_a_lattice() {
    let all: Vec<Realms> = (0..16).map(|bits| flags(bits, Realm::ALL)).collect();
    let sets = Lattice {
        below: &|a: &Realms, b| a.is_subset(*b),
        join: &|a, b| a.join(*b),
        meet: &|a, b| a.meet(*b),
    };
    sets.check_all(&all);
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))) {
        assert_eq!(a.overlaps(b), !a.meet(b).is_empty());
        assert_eq!(a.minus(b).join(a.meet(b)), a);
        assert!(!a.minus(b).overlaps(b));
    }
}

/// A region of one to three scopes.
fn resolved(topology: &Topology, scopes: &[Scope]) -> Region {
    Region::resolve_all(scopes, topology)
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn regions_make_a_lattice(
        layout in layout(),
        a in vec(any_scope(), 0..3),
        b in vec(any_scope(), 0..3),
        c in vec(any_scope(), 0..3),
    ) {
        let topology = layout.topology();
        let [a, b, c] = [a, b, c].map(|scopes| resolved(&topology, &scopes));
        REGIONS.check(&a, &b, &c);
        prop_assert_eq!(a.overlaps(&b), a.meet(&b) != Region::nowhere());
        prop_assert!(Region::anywhere().contains(&a) && a.contains(&Region::nowhere()));
    }

    #[test]
    fn joins_and_meets_agree_with_what_lies_inside(
        layout in layout(),
        a in vec(any_scope(), 1..3),
        b in vec(any_scope(), 1..3),
        uses in vec(usage(), 20),
    ) {
        let topology = layout.topology();
        let [a, b] = [a, b].map(|scopes| resolved(&topology, &scopes));
        let (join, meet) = (a.join(&b), a.meet(&b));
        let resources = uses.iter().map(|each| each.resource(&topology));
        for resource in resources.filter(|resource| resource.reach() == Reach::One) {
            let (in_a, in_b) = (a.covers(&resource), b.covers(&resource));
            prop_assert_eq!(join.covers(&resource), in_a || in_b, "{:?} in {:?}", resource, join);
            prop_assert_eq!(meet.covers(&resource), in_a && in_b, "{:?} in {:?}", resource, meet);
            prop_assert!(!(in_a && b.contains(&a)) || in_b);
            prop_assert!(!(in_a && in_b) || a.overlaps(&b));
        }
    }

    #[test]
    fn scopes_lie_as_the_naive_evaluator_says(
        layout in layout(),
        a in any_scope(),
        b in any_scope(),
        each in usage(),
    ) {
        let topology = layout.topology();
        let mut languages = Languages::default();
        let mut places = Places::new(&mut languages, &layout);
        let (left, right) = (places.meaning(&a), places.meaning(&b));
        let resolve = |scope| Region::resolve(scope, &topology);
        let is_inside = places.contains(&left, &right);
        prop_assert_eq!(resolve(&a).contains(&resolve(&b)), is_inside, "{:?} in {:?}", b, a);
        let resource = each.resource(&topology);
        prop_assert_eq!(
            portcullis_lattice::catches(&a, &resource, &topology),
            places.catches(&left, &resource),
            "{:?} caught by {:?}", resource, a
        );
        if a != Scope::Anywhere {
            prop_assert_eq!(resolve(&a).covers(&resource), places.covers(&left, &resource));
        }
    }

    #[test]
    fn a_subtree_touches_every_realm_that_something_in_it_lies_in(
        layout in layout(),
        wide in usage(),
        inner in usage(),
    ) {
        let topology = layout.topology();
        let place = |name: &str, reach| topology.resource(name, reach).unwrap();
        let wide = place(&wide.name, Reach::Subtree);
        if let Ok(inner) = topology.resource(&inner.name, Reach::One)
            && wide.extent().contains(inner.extent())
        {
            prop_assert!(inner.realms().is_subset(wide.realms()), "{:?} below {:?}", inner, wide);
        }
    }

    #[test]
    fn boundaries_are_ordered_as_their_four_dimensions(layout in layout(), a in rule(), b in rule()) {
        let topology = layout.topology();
        let (outer, inner) = (&a.boundary, &b.boundary);
        let region = |scopes: &[Scope]| Region::resolve_all(scopes, &topology);
        let expected = region(&outer.inputs).contains(&region(&inner.inputs))
            && region(&outer.outputs).contains(&region(&inner.outputs))
            && inner.taint.join(outer.taint) == outer.taint
            && inner.effects.join(outer.effects) == outer.effects;
        prop_assert_eq!(outer.contains(inner, &topology), expected);
        prop_assert!(outer.contains(outer, &topology));
    }
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn patterns_compare_as_sets_of_names(left in pattern_text(), right in pattern_text(), each in usage()) {
        let mut languages = Languages::default();
        let [a, b] = [&left, &right].map(|text| languages.number(Language::Pattern(text.clone())));
        let [outer, inner] = [&left, &right].map(|text| Pattern::parse(text).unwrap());
        prop_assert_eq!(outer.contains(&inner), languages.contains(a, b), "{} in {}", inner, outer);
        prop_assert_eq!(outer.overlaps(&inner), languages.overlaps(a, b), "{} and {}", inner, outer);
        let resource = Resource::new(&each.name, each.reach, Realms::NETWORK).unwrap();
        let extent = languages.number(match each.reach {
            Reach::One => Language::Exactly(each.name.clone()),
            Reach::Names => Language::Like(each.name.clone()),
            Reach::Subtree => Language::Under(each.name.clone()),
        });
        let (covers, meets) = (outer.contains(resource.extent()), outer.overlaps(resource.extent()));
        prop_assert_eq!(covers, languages.contains(a, extent), "{:?} in {}", resource, outer);
        prop_assert_eq!(meets, languages.overlaps(a, extent), "{:?} and {}", resource, outer);
    }
}
