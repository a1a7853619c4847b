//! Whether a domain looks like a known one. This explains and warns; it never permits anything.

use super::Host;

/// In how short a name one changed letter is no hint any more, and from which length two are one.
const SHORTEST_FOR_ONE_EDIT: usize = 4;
const SHORTEST_FOR_TWO_EDITS: usize = 8;

/// A known domain that another one looks like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LookAlike<'k> {
    /// The known domain.
    pub known: &'k str,
    /// In what way.
    pub resemblance: Resemblance,
}

/// How one domain looks like another. The most telling comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resemblance {
    /// Other characters that look the same.
    Confusable,
    /// The known domain stands in front of the real one: `acme.com.evil.io`.
    InFront,
    /// Words joined to the known name, or parts of it joined, by hyphens: `acme-com.net`, `acme-login.com`.
    Hyphenated,
    /// The same name under another suffix: `acme.co`.
    OtherSuffix,
    /// So many letters added, left out, changed or swapped.
    Edited(usize),
}

/// The known domain that this one looks like most, unless it is a known one or part of one.
pub fn look_alike<'k>(domain: &str, known: &[&'k str]) -> Option<LookAlike<'k>> {
    let domain = canonical(domain)?;
    let own = known.iter().any(|known| canonical(known).is_some_and(|known| is_within(&domain, &known)));
    if own {
        return None;
    }
    let alike = known.iter().filter_map(|known| {
        let resemblance = resemblance(&domain, &canonical(known)?)?;
        Some(LookAlike { known, resemblance })
    });
    alike.min_by_key(|alike| alike.resemblance)
}

fn canonical(domain: &str) -> Option<String> {
    match Host::parse(domain).ok()? {
        Host::Domain(name) => Some(name),
        Host::V4(_) | Host::V6(_) => None,
    }
}

fn is_within(domain: &str, outer: &str) -> bool {
    domain.strip_suffix(outer).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

fn resemblance(domain: &str, known: &str) -> Option<Resemblance> {
    let registered = psl::domain_str(domain).unwrap_or(domain);
    if skeleton(&shown(registered)) == skeleton(&shown(known)) {
        return Some(Resemblance::Confusable);
    }
    let inner = |part: &str| format!(".{domain}").contains(&format!(".{part}."));
    if inner(known) {
        return Some(Resemblance::InFront);
    }
    let (name, known_name) = (first_label(registered), first_label(psl::domain_str(known).unwrap_or(known)));
    let joined = known.replace('.', "-");
    let words = |name: &str| name.split('-').any(|word| word == known_name);
    if name != known_name && (words(name) || domain.split('.').any(|label| label.contains(&joined))) {
        return Some(Resemblance::Hyphenated);
    }
    if name.contains('-') != known_name.contains('-') && name.replace('-', "") == known_name.replace('-', "")
    {
        return Some(Resemblance::Hyphenated);
    }
    if name == known_name {
        return Some(Resemblance::OtherSuffix);
    }
    let distance = strsim::osa_distance(&shown(name), &shown(known_name));
    let length = known_name.chars().count();
    let most = match length {
        _ if length >= SHORTEST_FOR_TWO_EDITS => 2,
        _ if length >= SHORTEST_FOR_ONE_EDIT => 1,
        _ => 0,
    };
    (distance <= most).then_some(Resemblance::Edited(distance))
}

fn first_label(domain: &str) -> &str {
    domain.split('.').next().unwrap_or(domain)
}

/// A domain as a browser may show it.
pub(super) fn shown(domain: &str) -> String {
    idna::domain_to_unicode(domain).0
}

/// What a text looks like: characters that look the same become one, and so do `rn` and `m`.
pub(super) fn skeleton(text: &str) -> String {
    // `I`, `l`, `1` look alike, and so do `O` and `0`; which of them stands in the table is in upper case.
    unicode_security::skeleton(text).flat_map(char::to_lowercase).collect::<String>().replace("vv", "w")
}
