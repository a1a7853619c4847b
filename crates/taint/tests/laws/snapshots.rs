//! Γ, kept and brought back.

use portcullis_taint::{Labels, Part, Snapshot, SnapshotError};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::{after, label, one, read, session, tree};

fn kept(labels: &Labels, part: Part) -> String {
    serde_json::to_string(&labels.snapshot(part)).unwrap()
}

fn brought_back(text: &str) -> Snapshot {
    serde_json::from_str(text).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn labels_survive_being_kept(events in session(), bound in 4_usize..60) {
        let labels = after(&events, Labels::with_bound(bound));
        let (files, session) = (kept(&labels, Part::Files), kept(&labels, Part::Session));
        let again = Labels::restore(bound, &brought_back(&files), &brought_back(&session)).unwrap();
        prop_assert_eq!(&again, &labels);
        prop_assert_eq!((kept(&again, Part::Files), kept(&again, Part::Session)), (files, session));
    }
}

#[test]
fn files_and_the_rest_are_kept_apart() {
    let mut labels = Labels::new();
    [one("/p/a"), tree("/p/*.txt"), one("db:orders"), tree("db:*"), portcullis_perceive::Use::context()]
        .into_iter()
        .for_each(|used| label(&mut labels, 1, used));
    let (files, session) = (kept(&labels, Part::Files), kept(&labels, Part::Session));
    assert!(files.contains("/p/a") && files.contains("/p/*.txt") && !files.contains("db:"));
    assert!(session.contains("db:orders") && session.contains("db:*") && !session.contains("\"/p/a"));
    // A new session in the same workspace knows the files, and nothing else.
    let empty = Labels::new().snapshot(Part::Session);
    let next = Labels::restore(100, &brought_back(&files), &empty).unwrap();
    assert!(!read(&next, one("/p/a")).is_empty() && !read(&next, one("/p/b.txt")).is_empty());
    assert!(read(&next, one("db:orders")).is_empty() && next.context().is_empty());
}

#[test]
fn what_is_not_understood_is_refused() {
    let mut labels = Labels::new();
    label(&mut labels, 1, one("/p/a"));
    let files: Value = serde_json::from_str(&kept(&labels, Part::Files)).unwrap();
    let session = labels.snapshot(Part::Session);
    let refusal = |change: fn(&mut Value)| {
        let mut changed = files.clone();
        change(&mut changed);
        match serde_json::from_value::<Snapshot>(changed) {
            Err(error) => error.to_string(),
            Ok(read) => Labels::restore(10, &read, &session).unwrap_err().to_string(),
        }
    };
    let newer = refusal(|value| value["version"] = json!("portcullis-taint-2"));
    assert!(
        newer.contains("portcullis-taint-2") && newer.contains("expected `portcullis-taint-1`"),
        "{newer}"
    );
    let field = refusal(|value| value["colour"] = json!("red"));
    assert!(field.contains("unknown field `colour`"), "{field}");
    let label = refusal(|value| value["names"][0]["marks"][0]["label"] = json!("private"));
    assert_eq!(label, "the label `private` is not known to this version");
    let part = refusal(|value| value["part"] = json!("session"));
    assert_eq!(part, "the snapshot of the session was given where that of the files is needed");
    for damage in [
        (|value| value["names"][0]["name"] = json!("db:orders")) as fn(&mut Value),
        |value| value["names"][0]["name"] = json!("ctxt"),
        |value| value["names"][0]["marks"] = json!([]),
        |value| value["names"][0]["marks"][0]["origins"]["kept"] = json!([]),
    ] {
        assert!(refusal(damage).ends_with("does not belong here or has no sound origin"));
    }
    let swapped = Labels::restore(10, &session, &session).unwrap_err();
    assert!(matches!(swapped, SnapshotError::OtherPart { .. }));
}
