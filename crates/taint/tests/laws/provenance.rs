//! Where labels came from, in words that a prompt can use.

use portcullis_lattice::Effect;
use portcullis_perceive::Use;
use portcullis_taint::{Carried, Evidence, Labels, MOST_ORIGINS};
use proptest::prelude::*;

use crate::world::{PLACES, after, any_use, label, one, session, simple};

fn permit(labels: &mut Labels, step: u64, input: Use, output: Use, effect: Effect) -> Carried {
    let act = simple(input, output, effect);
    let carried = labels.carried(step, &act, &PLACES, &Evidence::none());
    labels.permit(step, &act, &carried);
    carried
}

#[test]
fn the_first_cause_is_kept_however_far_it_travels() {
    let mut labels = Labels::new();
    permit(&mut labels, 2, one("/home/u/.aws/credentials"), one("/home/u/p/copy"), Effect::Write);
    permit(&mut labels, 5, one("/home/u/p/copy"), Use::context(), Effect::Read);
    let mail = permit(&mut labels, 6, Use::context(), one("mailto:ann@acme.com"), Effect::Write);
    assert_eq!(mail.words(Some("/home/u")), ["~/.aws/credentials, read in step 2 (here since step 5)"]);
    assert_eq!(mail.words(None), ["/home/u/.aws/credentials, read in step 2 (here since step 5)"]);
    assert_eq!(mail.words(Some("/home/us")), mail.words(None));
}

#[test]
fn every_cause_has_its_words() {
    let mut labels = Labels::new();
    permit(&mut labels, 1, one("/p/build.sh"), Use::context(), Effect::Exec);
    let act = simple(one("/p/settings.py"), Use::context(), Effect::Read);
    labels.found_in_result(2, &act, &["github-token"]);
    let act = simple(Use::context(), one("/p/out"), Effect::Write);
    let evidence = Evidence { credentials: &["aws-access-key"], matches: &[] };
    assert_eq!(
        labels.carried(3, &act, &PLACES, &evidence).words(None),
        [
            "code run in step 1 from /p/build.sh",
            "a credential (github-token) in what /p/settings.py gave in step 2",
            "a credential (aws-access-key) in the arguments of step 3",
        ]
    );
}

#[test]
fn names_cannot_move_what_stands_around_them() {
    let mut labels = Labels::new();
    let act = simple(Use::context(), one("/p/out"), Effect::Write);
    permit(&mut labels, 1, one("/p/\u{202e}\n/.env"), Use::context(), Effect::Read);
    let words = labels.carried(2, &act, &PLACES, &Evidence::none()).words(None).concat();
    assert_eq!(words, "/p/\\u{202e}\\u{a}/.env, read in step 1");
}

#[test]
fn the_earliest_origins_are_kept_and_the_rest_counted() {
    let mut labels = Labels::new();
    for step in (1..=9).rev() {
        permit(&mut labels, step, one(&format!("/p{step}/.env")), Use::context(), Effect::Read);
    }
    let act = simple(Use::context(), one("/p/out"), Effect::Write);
    let words = labels.carried(10, &act, &PLACES, &Evidence::none()).words(None);
    assert_eq!(words.first().unwrap(), "/p1/.env, read in step 1");
    assert_eq!((words.len(), words.last().unwrap().as_str()), (MOST_ORIGINS + 1, "and at least 1 more"));
}

proptest! {
    #[test]
    fn every_label_has_an_origin_and_not_too_many(events in session(), asked in any_use(), bound in 4_usize..40) {
        let mut labels = after(&events, Labels::with_bound(bound));
        label(&mut labels, 30, asked.clone());
        for (_, origins) in labels.attached(&asked).marks.iter() {
            let steps: Vec<u64> = origins.iter().map(|origin| origin.step).collect();
            prop_assert!(!steps.is_empty() && steps.len() <= MOST_ORIGINS && steps.is_sorted());
            prop_assert!(origins.iter().all(|origin| origin.step <= origin.arrived));
        }
    }
}
