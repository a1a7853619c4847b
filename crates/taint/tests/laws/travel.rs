//! How labels travel: what carries them, what does not, and what is forgotten when.

use portcullis_lattice::{Effect, Effects, Label, Reach, Taint};
use portcullis_perceive::{Act, Use};
use portcullis_taint::{Evidence, Labels};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::world::{PLACES, act, after, any_use, event, label, name, one, read, session, simple, tree};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn carried_grows_with_labels(events in session(), more in vec(event(), 1..6), act in act()) {
        let permits = |mut event: crate::world::Event| {
            event.succeeded = false;
            event
        };
        let before = after(&events, Labels::new());
        let grown = after(&more.into_iter().map(permits).collect::<Vec<_>>(), before.clone());
        let carried = |labels: &Labels| labels.carried(99, &act, &PLACES, &Evidence::none()).taint;
        prop_assert!(carried(&before).is_subset(carried(&grown)));
    }

    #[test]
    fn a_listing_of_names_is_not_tainted_by_what_it_lists(folder in name(), inside in name()) {
        let mut labels = Labels::new();
        let inside = inside.rsplit_once(['/', ':']).map(|(_, last)| format!("{folder}/{last}")).unwrap();
        label(&mut labels, 1, one(&inside));
        prop_assert!(!read(&labels, tree(&folder)).is_empty());
        prop_assert!(read(&labels, Use::new(folder, Reach::Names)).is_empty());
    }

    #[test]
    fn copying_a_tree_carries_what_is_tainted_in_it(folder in name(), deep in vec("[a-c]{1,2}", 1..4)) {
        let mut labels = Labels::new();
        label(&mut labels, 1, one(&format!("{folder}/{}", deep.join("/"))));
        prop_assert!(!read(&labels, tree(&folder)).is_empty());
        let copy = simple(tree(&folder), tree("/copy"), Effect::Write);
        let carried = labels.carried(2, &copy, &PLACES, &Evidence::none());
        labels.permit(2, &copy, &carried);
        let copied = format!("/copy/{}", deep.join("/"));
        prop_assert!(!read(&labels, one(&copied)).is_empty());
    }

    #[test]
    fn a_sensitive_place_is_never_forgotten(events in session(), folder in name()) {
        let secret = format!("{folder}/.env");
        let mut labels = after(&events, Labels::new());
        label(&mut labels, 50, one(&secret));
        let is_sensitive = PLACES.holds_secrets(&one(&secret));
        for used in [one(&secret), tree(&secret), tree(&folder), tree("/"), tree("db:*")] {
            labels.deleted(&simple(used.clone(), used, Effect::Del), &PLACES);
        }
        if is_sensitive {
            prop_assert!(read(&labels, one(&secret)).contains(Label::Secret));
            prop_assert!(!labels.attached(&one(&secret)).taint.is_empty(), "its label stays too");
        }
    }

    #[test]
    fn deleting_forgets_only_after_success(events in session(), deletion in act(), asked in any_use()) {
        let mut labels = after(&events, Labels::new());
        let before = read(&labels, asked.clone());
        let deletion = Act { deed: portcullis_perceive::Deed { effects: Effect::Del.into(), ..deletion.deed }, ..deletion };
        let carried = labels.carried(50, &deletion, &PLACES, &Evidence::none());
        labels.permit(50, &deletion, &carried);
        prop_assert!(before.is_subset(read(&labels, asked)), "a reply that never came forgets nothing");
    }

    #[test]
    fn deleting_forgets_what_it_names_and_nothing_else(events in session(), target in name(), asked in name()) {
        let mut labels = after(&events, Labels::new());
        let before = read(&labels, one(&asked));
        labels.deleted(&simple(one(&target), one(&target), Effect::Del), &PLACES);
        if asked != target {
            prop_assert_eq!(read(&labels, one(&asked)), before);
        }
    }

    #[test]
    fn what_was_found_again_always_counts(act in act()) {
        let labels = Labels::new();
        let event = crate::world::Event {
            act: act.clone(), credential: false, found: Taint::ALL, permitted: true, succeeded: true,
        };
        let matches = event.matches();
        let evidence = Evidence { credentials: &[], matches: &matches };
        prop_assert_eq!(labels.carried(1, &act, &PLACES, &evidence).taint, Taint::ALL);
    }
}

#[test]
fn a_deletion_that_succeeded_is_forgotten() {
    let mut labels = Labels::new();
    label(&mut labels, 1, one("/p/notes.txt"));
    label(&mut labels, 1, tree("/p/copy"));
    label(&mut labels, 1, one("/p/copy/deep/a"));
    let deletion = |used: Use| simple(used.clone(), used, Effect::Del);
    labels.deleted(&deletion(one("/p/notes.txt")), &PLACES);
    assert!(read(&labels, one("/p/notes.txt")).is_empty());
    labels.deleted(&deletion(one("/p/copy")), &PLACES);
    assert!(!read(&labels, one("/p/copy")).is_empty(), "what was labelled as a tree is forgotten as a tree");
    labels.deleted(&deletion(tree("/p/copy")), &PLACES);
    assert!(read(&labels, tree("/p")).is_empty());
}

#[test]
fn what_is_named_vaguely_is_not_forgotten() {
    let mut labels = Labels::new();
    label(&mut labels, 1, one("/p/a"));
    label(&mut labels, 1, one("db:orders"));
    for whole in [tree("/"), tree("db:*")] {
        labels.deleted(&simple(whole.clone(), whole, Effect::Del), &PLACES);
    }
    let some = Use { details: vec!["/p/*.log".into()], ..tree("/p") };
    labels.deleted(&simple(some.clone(), some, Effect::Del), &PLACES);
    assert!(!read(&labels, one("/p/a")).is_empty() && !read(&labels, one("db:orders")).is_empty());
}

#[test]
fn a_move_takes_its_labels_along() {
    let mut labels = Labels::new();
    label(&mut labels, 1, one("/p/a"));
    let rename =
        simple(one("/p/a"), one("/p/b"), [Effect::Write, Effect::Del].into_iter().collect::<Effects>());
    let carried = labels.carried(2, &rename, &PLACES, &Evidence::none());
    labels.permit(2, &rename, &carried);
    labels.deleted(&rename, &PLACES);
    assert!(read(&labels, one("/p/a")).is_empty() && !read(&labels, one("/p/b")).is_empty());
}

#[test]
fn running_code_labels_its_destination_and_not_what_lies_in_it() {
    let mut labels = Labels::new();
    let install = simple(one("pkg:npm/left-pad"), tree("/p"), Effect::Exec);
    let carried = labels.carried(1, &install, &PLACES, &Evidence::none());
    assert!(carried.taint.is_empty());
    labels.permit(1, &install, &carried);
    assert!(!read(&labels, one("/p")).is_empty());
    assert!(read(&labels, one("/p/a.js")).is_empty());
}

#[test]
fn a_credential_in_the_arguments_labels_the_destination_and_not_the_context() {
    let mut labels = Labels::new();
    let write = simple(Use::context(), one("/p/config.py"), Effect::Write);
    let evidence = Evidence { credentials: &["aws-access-key"], matches: &[] };
    let carried = labels.carried(1, &write, &PLACES, &evidence);
    assert_eq!(carried.taint, Taint::only(Label::Secret));
    labels.permit(1, &write, &carried);
    assert!(!read(&labels, one("/p/config.py")).is_empty());
    assert!(labels.context().is_empty());
    // A command that names its source sends no text of the agent.
    let copy = simple(one("/p/a"), one("/p/b"), Effect::Write);
    assert!(labels.carried(2, &copy, &PLACES, &evidence).taint.is_empty());
    let mail = Act { payload: true, ..simple(one("/p/a"), one("mailto:ann@acme.com"), Effect::Write) };
    assert!(!labels.carried(2, &mail, &PLACES, &evidence).taint.is_empty());
}

#[test]
fn a_credential_in_a_result_labels_the_context_and_a_single_source() {
    let mut labels = Labels::new();
    let act = simple(one("/p/settings.py"), Use::context(), Effect::Read);
    labels.found_in_result(4, &act, &["github-token"]);
    assert_eq!(labels.context().taint(), Taint::only(Label::Secret));
    assert!(!read(&labels, one("/p/settings.py")).is_empty());
    let search = simple(tree("/q"), Use::context(), Effect::Read);
    labels.found_in_result(5, &search, &["github-token"]);
    assert!(read(&labels, tree("/q")).is_empty(), "which of the files it was is not known");
}
