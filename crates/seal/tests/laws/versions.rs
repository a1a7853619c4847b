//! Laws of versions.

use std::collections::BTreeSet;

use portcullis_seal::Digest;
use portcullis_seal::version::{Edition, Succession, VersionRange, succession};
use proptest::prelude::*;
use semver::Version;

use crate::random::config;

fn version() -> impl Strategy<Value = Version> {
    let text = (0..3u8, 0..3u8, prop::option::of("(alpha|beta)\\.[0-3]"), prop::option::of("[a-b]{1,2}"));
    text.prop_map(|(major, minor, pre, build)| {
        let pre = pre.map(|pre| format!("-{pre}")).unwrap_or_default();
        let build = build.map(|build| format!("+{build}")).unwrap_or_default();
        format!("{major}.{minor}.0{pre}{build}").parse().unwrap()
    })
}

fn edition() -> impl Strategy<Value = Edition> {
    let scopes = prop::collection::btree_set("[abc]", 0..3);
    let claims = prop::option::of(0..2u8);
    ("[ab]", version(), 0..2u8, claims, scopes).prop_map(|(tool_id, version, definition, claims, scopes)| {
        Edition {
            tool_id,
            version,
            definition: Digest::new([definition; 32]),
            claims: claims.map(|claims| Digest::new([claims; 32])),
            scopes,
        }
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_edition_follows_itself(one in edition()) {
        prop_assert_eq!(succession(&one, &one), Succession::Same);
    }

    #[test]
    fn what_is_newer_one_way_is_older_the_other(one in edition(), other in edition()) {
        match succession(&one, &other) {
            Succession::Newer => prop_assert_eq!(succession(&other, &one), Succession::Downgraded),
            Succession::Tampered => prop_assert_eq!(succession(&other, &one), Succession::Tampered),
            Succession::Stranger => prop_assert_eq!(succession(&other, &one), Succession::Stranger),
            Succession::Same | Succession::Grown { .. } | Succession::Downgraded => {}
        }
    }

    /// Nothing gets by without a look: other content needs a higher version, more scopes are told.
    #[test]
    fn only_a_higher_version_may_bring_other_content_and_none_more_scopes(one in edition(), other in edition()) {
        if let Succession::Same | Succession::Newer = succession(&one, &other) {
            prop_assert_eq!(&one.tool_id, &other.tool_id);
            prop_assert!(other.scopes.is_subset(&one.scopes));
            let higher = other.version.cmp_precedence(&one.version).is_gt();
            prop_assert!(higher || one.definition == other.definition);
            let said = one.claims.is_none() || other.claims.is_none() || one.claims == other.claims;
            prop_assert!(higher || said);
            prop_assert!(other.version.cmp_precedence(&one.version).is_ge());
        }
    }

    #[test]
    fn build_metadata_hides_nothing(one in edition(), build in "[a-c]{1,3}") {
        let mut other = one.clone();
        other.version.build = build.parse().unwrap();
        other.definition = Digest::new([9; 32]);
        prop_assert_eq!(succession(&one, &other), Succession::Tampered);
    }

    #[test]
    fn a_range_without_ends_has_every_version(version in version()) {
        prop_assert!(VersionRange::default().contains(&version));
    }

    #[test]
    fn a_version_is_on_one_side_of_every_bound(version in version(), bound in version()) {
        let from = VersionRange { from: Some(bound.clone()), before: None };
        let before = VersionRange { from: None, before: Some(bound) };
        prop_assert_ne!(from.contains(&version), before.contains(&version));
    }
}

#[test]
fn more_scopes_are_named() {
    let edition = |minor: u64, scopes: &[&str]| Edition {
        tool_id: "a".to_owned(),
        version: Version::new(1, minor, 0),
        definition: Digest::new([0; 32]),
        claims: None,
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect::<BTreeSet<String>>(),
    };
    let grown = Succession::Grown { scopes: vec!["delete".to_owned(), "write".to_owned()] };
    assert_eq!(succession(&edition(0, &["read"]), &edition(1, &["write", "read", "delete"])), grown);
    assert_eq!(succession(&edition(0, &[]), &edition(0, &["delete", "write"])), grown);
    assert_eq!(succession(&edition(0, &["read", "write"]), &edition(1, &["read"])), Succession::Newer);
}
