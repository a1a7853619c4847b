//! Random listings, signatures and answers.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_identity::state::{Cosmetic, Ledger, Offer, Standing, Unverified};
use proptest::prelude::*;

use super::world::{Listed, Sealed, World, content, server};

const NAMES: [&str; 3] = ["add", "tell", "draw"];

#[derive(Debug, Clone)]
enum Step {
    List(Vec<Vec<Listed>>),
    /// The user approves what the last listing offers under a name.
    Approve(usize),
    /// The user takes note of an offer and approves it later, whatever was listed since.
    Keep(usize),
    ApproveKept,
    Block(usize),
    Unblock(usize),
    Forget(usize),
    Server(&'static str),
}

fn seal() -> impl Strategy<Value = Sealed> {
    let signed = (0..3_usize, 1..4_u8, 0..3_usize).prop_map(|(signer, version, scopes)| Sealed::By {
        signer: ["good", "fine", "stranger"][signer].to_owned(),
        version: format!("{version}.0.0"),
        scopes: ["read", "write"].iter().take(scopes).map(|scope| (*scope).to_owned()).collect(),
        issuer: (scopes == 2).then(|| "https://id.example".to_owned()),
    });
    let others = [Sealed::Wrong, Sealed::Revoked, Sealed::Unproven, Sealed::Listed];
    prop_oneof![3 => Just(Sealed::No), 4 => signed, 3 => prop::sample::select(others.to_vec())]
}

fn listed(seal: impl Strategy<Value = Sealed>) -> impl Strategy<Value = Listed> {
    (0..NAMES.len(), 0..4_u8, seal).prop_map(|(name, content, seal)| Listed {
        name: NAMES[name].to_owned(),
        content,
        seal,
    })
}

fn pages(seal: BoxedStrategy<Sealed>) -> impl Strategy<Value = Vec<Vec<Listed>>> {
    prop::collection::vec(prop::collection::vec(listed(seal), 0..4), 1..3)
}

fn steps(seal: BoxedStrategy<Sealed>) -> impl Strategy<Value = Vec<Step>> {
    let name = || 0..NAMES.len();
    let servers = prop_oneof![Just("same"), Just("upgraded"), Just("another")];
    let step = prop_oneof![
        8 => pages(seal).prop_map(Step::List),
        5 => name().prop_map(Step::Approve),
        1 => name().prop_map(Step::Keep),
        1 => Just(Step::ApproveKept),
        1 => name().prop_map(Step::Block),
        1 => name().prop_map(Step::Unblock),
        1 => name().prop_map(Step::Forget),
        1 => servers.prop_map(Step::Server),
    ];
    prop::collection::vec(step, 1..25)
}

/// What the user has done, told by what is seen from outside and not by the ledger.
#[derive(Default)]
struct Oracle {
    /// Everything that was ever approved under a name.
    ever: BTreeSet<(String, String)>,
    /// What was approved last under a name, and for which program.
    last: BTreeMap<String, (String, &'static str)>,
    blocked: BTreeSet<String>,
    server: Option<&'static str>,
    kept: Option<(Offer, &'static str)>,
}

impl Oracle {
    /// Servers of the same name are one program, whatever their version.
    fn program(&self) -> &'static str {
        match self.server {
            Some("another") => "another",
            _ => "same",
        }
    }

    fn approve(&mut self, world: &mut World, offer: Offer, program: &'static str) {
        let (name, content) = (offer.name().to_owned(), offer.content().to_string());
        if world.ledger.approve(offer).is_ok() {
            self.ever.insert((name.clone(), content.clone()));
            self.last.insert(name, (content, program));
        }
    }

    fn apply(&mut self, world: &mut World, step: &Step) {
        match step {
            Step::List(pages) => world.list(pages),
            Step::Approve(name) => {
                if let Some(offer) = world.offer(NAMES[*name]) {
                    let program = program_of(world);
                    self.approve(world, offer, program);
                }
            }
            Step::Keep(name) => {
                let program = program_of(world);
                self.kept = world.offer(NAMES[*name]).map(|offer| (offer, program));
            }
            Step::ApproveKept => {
                if let Some((offer, program)) = self.kept.take() {
                    self.approve(world, offer, program);
                }
            }
            Step::Block(name) => {
                self.blocked.insert(NAMES[*name].to_owned());
                world.ledger.block("desk", NAMES[*name]);
            }
            Step::Unblock(name) => {
                self.blocked.remove(NAMES[*name]);
                world.ledger.unblock("desk", NAMES[*name]);
            }
            Step::Forget(name) => {
                self.last.remove(NAMES[*name]);
                world.ledger.forget("desk", NAMES[*name]);
            }
            Step::Server(which) => {
                self.server = Some(*which);
                world.server = server(which);
            }
        }
    }
}

/// The program that the last listing came from, which is whom an offer is about.
fn program_of(world: &World) -> &'static str {
    let last = world.last.as_ref().map(|judgement| &judgement.server);
    if last == Some(&server("another")) { "another" } else { "same" }
}

fn is_one_definition(pages: &[Vec<Listed>], name: &str) -> Option<u8> {
    let contents: BTreeSet<u8> =
        pages.iter().flatten().filter(|listed| listed.name == name).map(|listed| listed.content).collect();
    let mut contents = contents.into_iter();
    contents.next().filter(|_| contents.next().is_none())
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_sequence_of_listings_leads_to_an_approved_tool_that_nobody_approved(steps in steps(seal().boxed())) {
        let (mut world, mut oracle) = (World::new(), Oracle::default());
        for step in &steps {
            oracle.apply(&mut world, step);
            let Step::List(pages) = step else { continue };
            for judged in &world.last.as_ref().unwrap().tools {
                if !world.may_be_called(judged) {
                    continue;
                }
                prop_assert!(!oracle.blocked.contains(&judged.name));
                let content_now = is_one_definition(pages, &judged.name);
                prop_assert!(content_now.is_some(), "{} is two", judged.name);
                let hash = content(&judged.name, content_now.unwrap()).to_string();
                let by_user = oracle.ever.contains(&(judged.name.clone(), hash));
                let seals = pages.iter().flatten().filter(|listed| listed.name == judged.name);
                let by_signer = seals.clone().next_back().is_some_and(|listed| matches!(
                    &listed.seal, Sealed::By { signer, .. } if signer != "stranger"
                ));
                let by_list = seals.clone().next_back().is_some_and(|listed| listed.seal == Sealed::Listed);
                prop_assert!(by_user || by_signer || by_list, "nobody approved {judged:?}");
                prop_assert!(matches!(judged.standing, Standing::Pinned | Standing::Verified));
            }
        }
    }

    #[test]
    fn without_signatures_a_tool_can_be_called_if_and_only_if_it_is_what_was_approved_last(
        steps in steps(Just(Sealed::No).boxed())
    ) {
        let (mut world, mut oracle) = (World::new(), Oracle::default());
        for step in &steps {
            oracle.apply(&mut world, step);
            let Step::List(pages) = step else { continue };
            for judged in &world.last.as_ref().unwrap().tools {
                let now = is_one_definition(pages, &judged.name).map(|now| content(&judged.name, now).to_string());
                let approved = oracle.last.get(&judged.name);
                let expected = !oracle.blocked.contains(&judged.name)
                    && now.is_some()
                    && approved == now.map(|now| (now, oracle.program())).as_ref();
                prop_assert_eq!(world.may_be_called(judged), expected, "{:?}", judged);
            }
        }
    }

    #[test]
    fn a_second_look_approves_nothing(steps in steps(seal().boxed()), pages in pages(seal().boxed())) {
        let (mut world, mut oracle) = (World::new(), Oracle::default());
        steps.iter().for_each(|step| oracle.apply(&mut world, step));
        world.list(&pages);
        let first: Vec<_> = world.last.iter().flat_map(|seen| &seen.tools).map(|one| (one.name.clone(), one.standing)).collect();
        for _ in 0..2 {
            world.list(&pages);
            let again: Vec<_> = world.last.iter().flat_map(|seen| &seen.tools).map(|one| (one.name.clone(), one.standing)).collect();
            prop_assert_eq!(&again, &first);
        }
    }

    #[test]
    fn judging_is_independent_of_the_order_of_tools_and_pages(
        steps in steps(seal().boxed()),
        (tools, shuffled, cut) in prop::collection::vec(listed(Just(Sealed::No)), 0..6)
            .prop_flat_map(|tools| (Just(tools.clone()), Just(tools).prop_shuffle(), 0..6_usize))
    ) {
        let (mut world, mut oracle) = (World::new(), Oracle::default());
        steps.iter().for_each(|step| oracle.apply(&mut world, step));
        let (front, back) = shuffled.split_at(cut.min(shuffled.len()));
        prop_assert_eq!(world.look(&[tools]), world.look(&[front.to_vec(), back.to_vec()]));
    }

    #[test]
    fn a_signed_tool_never_steps_back_by_itself(versions in prop::collection::vec((1..6_u8, 0..4_u8), 1..12)) {
        let mut world = World::new();
        let mut highest: Option<(u8, u8)> = None;
        for (version, content) in versions {
            let seal = Sealed::By { signer: "good".to_owned(), version: format!("{version}.0.0"), scopes: BTreeSet::new(), issuer: None };
            world.list(&[vec![Listed { name: "add".to_owned(), content, seal }]]);
            let standing = world.judged("add").unwrap().standing;
            let expected = match highest {
                Some((known, _)) if version < known => Standing::Downgraded,
                Some((known, what)) if version == known && content != what => Standing::Invalid,
                _ => Standing::Verified,
            };
            prop_assert_eq!(standing, expected);
            if standing == Standing::Verified {
                highest = Some((version, content));
            }
        }
    }

    #[test]
    fn a_ledger_survives_being_kept(steps in steps(seal().boxed())) {
        let (mut world, mut oracle) = (World::new(), Oracle::default());
        steps.iter().for_each(|step| oracle.apply(&mut world, step));
        let text = serde_json::to_string(&world.ledger).unwrap();
        prop_assert_eq!(serde_json::from_str::<Ledger>(&text).unwrap(), world.ledger);
    }

    #[test]
    fn no_policy_lets_a_changed_tool_pass_that_says_something_else(
        steps in steps(Just(Sealed::No).boxed()), pages in pages(Just(Sealed::No).boxed())
    ) {
        let (mut world, mut oracle) = (World::new(), Oracle::default());
        steps.iter().for_each(|step| oracle.apply(&mut world, step));
        for unverified in [Unverified::Hide, Unverified::Warn, Unverified::Ask, Unverified::Block] {
            world.policy.unverified = unverified;
            world.policy.cosmetic = Cosmetic::Pass;
            for judged in &world.look(&pages).tools {
                let is_unapproved = !matches!(judged.standing, Standing::Pinned | Standing::Verified);
                let may = world.may_be_called(judged);
                let is_warned = unverified == Unverified::Warn && judged.standing == Standing::New;
                prop_assert!(!may || !is_unapproved || is_warned, "{:?} {:?}", unverified, judged);
            }
        }
    }
}

fn one(content: u8, seal: Sealed) -> Vec<Vec<Listed>> {
    vec![vec![Listed { name: "add".to_owned(), content, seal }]]
}

#[test]
fn a_copy_of_what_a_list_approves_is_not_taken_for_the_first_that_came_with_it() {
    let mut world = World::new();
    let at = |world: &World, seat: &str, which: &str| {
        world.look_at(seat, &server(which), &one(1, Sealed::Listed)).tools.remove(0).standing
    };
    assert_eq!(at(&world, "other", "another"), Standing::Pinned);
    world.list(&one(1, Sealed::Listed));
    assert_eq!(at(&world, "other", "another"), Standing::Squatting);
    // The same program may have several names.
    assert_eq!(at(&world, "other", "same"), Standing::Pinned);
}

#[test]
fn spelling_alone_passes_whether_or_not_somebody_signed_whom_nobody_knows() {
    let stranger = Sealed::By {
        signer: "stranger".to_owned(),
        version: "1.0.0".to_owned(),
        scopes: std::collections::BTreeSet::new(),
        issuer: None,
    };
    for seal in [Sealed::No, Sealed::Unproven, stranger] {
        let mut world = World::new();
        world.policy.cosmetic = Cosmetic::Pass;
        world.list(&one(1, seal.clone()));
        world.ledger.approve(world.offer("add").unwrap()).unwrap();
        world.list(&one(4, seal.clone()));
        assert!(world.may_be_called(world.judged("add").unwrap()), "{seal:?}");
        world.list(&one(2, seal));
        assert!(!world.may_be_called(world.judged("add").unwrap()));
    }
}
