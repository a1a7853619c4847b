//! The indexed Γ against the naive one.

use portcullis_taint::Labels;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::naive::Naive;
use crate::world::{PLACES, any_use, read, session};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn labels_agree_with_a_plain_list(events in session(), asked in vec(any_use(), 8)) {
        let (mut labels, mut naive) = (Labels::with_bound(100_000), Naive::default());
        for (step, event) in events.iter().enumerate() {
            let (ours, plain) = (event.happen(step as u64, &mut labels), naive.happen(event));
            prop_assert_eq!(ours, plain, "step {}: {:?}", step, event);
        }
        for used in asked {
            prop_assert_eq!(read(&labels, used.clone()), naive.named(&used), "{:?}", used);
        }
    }
}

#[test]
fn the_world_has_sensitive_places_and_others() {
    assert!(PLACES.holds_secrets(&crate::world::one("/a/.env")));
    assert!(!PLACES.holds_secrets(&crate::world::one("/a/c.txt")));
}
