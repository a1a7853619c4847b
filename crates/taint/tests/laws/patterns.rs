//! Names with wildcards.

use portcullis_lattice::{Effect, Reach};
use portcullis_perceive::Use;
use portcullis_taint::Labels;
use proptest::prelude::*;

use crate::world::{PLACES, label, one, read, simple, tree};

proptest! {
    #[test]
    fn a_pattern_meets_what_it_means(stem in "[a-c]{1,3}", ending in "[x-z]{1,2}", deep in "[a-c]{1,2}") {
        let file = format!("/p/{stem}.{ending}");
        let pattern = format!("/p/*.{ending}");
        // From the file to the pattern.
        let mut labels = Labels::new();
        label(&mut labels, 1, one(&file));
        prop_assert!(!read(&labels, tree(&pattern)).is_empty());
        prop_assert!(read(&labels, Use::new(pattern.clone(), Reach::Names)).is_empty());
        // From the pattern to the file, to what lies below it and to the folder.
        let mut labels = Labels::new();
        label(&mut labels, 1, tree(&pattern));
        for used in [one(&file), one(&format!("{file}/{deep}")), tree("/p"), tree("/"), tree("/p/*"), tree(&pattern)] {
            prop_assert!(!read(&labels, used.clone()).is_empty(), "{:?}", used);
        }
        for used in [one("/p"), one(&format!("/p/{stem}.q")), one(&format!("/q/{stem}.{ending}"))] {
            prop_assert!(read(&labels, used.clone()).is_empty(), "{:?}", used);
        }
    }
}

#[test]
fn deleting_by_a_pattern_forgets_only_what_it_surely_means() {
    let mut labels = Labels::new();
    ["/p/a.log", "/p/.hidden.log", "/p/b.txt", "/p/c.log/inside"]
        .iter()
        .for_each(|name| label(&mut labels, 1, one(name)));
    labels.deleted(&simple(tree("/p/*.log"), tree("/p/*.log"), Effect::Del), &PLACES);
    assert!(read(&labels, one("/p/a.log")).is_empty() && read(&labels, one("/p/c.log/inside")).is_empty());
    assert!(!read(&labels, one("/p/.hidden.log")).is_empty() && !read(&labels, one("/p/b.txt")).is_empty());
    labels.deleted(&simple(tree("/p/[b].txt"), tree("/p/[b].txt"), Effect::Del), &PLACES);
    assert!(!read(&labels, one("/p/b.txt")).is_empty(), "brackets are not read");
}

#[test]
fn many_patterns_become_a_label_of_their_folder() {
    let mut labels = Labels::new();
    (0..40).for_each(|number| label(&mut labels, 1, tree(&format!("/p/{number}-*"))));
    assert!(labels.count() <= 40);
    assert!(!read(&labels, one("/p/7-x")).is_empty() && !read(&labels, one("/p/39-x")).is_empty());
    assert!(read(&labels, one("/q")).is_empty());
}
