//! Names that look as if they belonged, and do not.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_lattice::{Pattern, Reach, Realms, Resource};

fn matches(pattern: &str, name: &str) -> bool {
    let resource = Resource::new(name, Reach::One, Realms::NETWORK).unwrap();
    Pattern::parse(pattern).unwrap().contains(resource.extent())
}

#[test]
fn a_sibling_with_the_same_beginning_is_not_inside() {
    assert!(matches("/home/u/project/**", "/home/u/project"));
    assert!(matches("/home/u/project/**", "/home/u/project/a/b"));
    assert!(!matches("/home/u/project/**", "/home/u/project-old"));
    assert!(!matches("/home/u/project/**", "/home/u/project-old/a"));
}

#[test]
fn a_domain_is_compared_from_its_end() {
    assert!(matches("https://*.acme.com/**", "https://docs.acme.com/a"));
    assert!(!matches("https://*.acme.com/**", "https://notacme.com/a"));
    assert!(!matches("https://*.acme.com/**", "https://acme.com/a"));
    assert!(!matches("https://acme.com/**", "https://acme.com.evil.io/a"));
    assert!(!matches("https://*.acme.com/**", "https://docs.acme.com.evil.io/a"));
    assert!(matches("mailto:*@acme.com", "mailto:ann@acme.com"));
    assert!(!matches("mailto:*@acme.com", "mailto:ann@acme.com.evil.io"));
    assert!(!matches("mailto:*@acme.com", "mailto:ann@notacme.com"));
    assert!(matches("mailto:*@*.acme.com", "mailto:ann@mail.acme.com"));
    assert!(!matches("mailto:*@*.acme.com", "mailto:ann@notacme.com"));
}

#[test]
fn a_star_stays_in_its_segment() {
    assert!(matches("/srv/services/*/package.json", "/srv/services/web/package.json"));
    assert!(!matches("/srv/services/*/package.json", "/srv/services/web/ui/package.json"));
    assert!(matches("/home/u/docs/*.pdf", "/home/u/docs/a.pdf"));
    assert!(!matches("/home/u/docs/*.pdf", "/home/u/docs/2025/a.pdf"));
    assert!(matches("github:acme/*", "github:acme/web"));
    assert!(!matches("github:acme/*", "github:acme/web/main"));
    assert!(!matches("github:acme/*", "github:acme-evil/web"));
    assert!(matches("github:acme/**", "github:acme"));
}

#[test]
fn what_a_call_reaches_can_be_written_as_a_scope() {
    for name in ["/srv/**/keys", "/srv/a**b", "/srv/***", "slack:C0**"] {
        for reach in [Reach::Names, Reach::Subtree] {
            let resource = Resource::new(name, reach, Realms::NETWORK).unwrap();
            let written = resource.extent().to_string();
            assert_eq!(Pattern::parse(&written).as_ref(), Ok(resource.extent()), "{name}");
        }
    }
}
