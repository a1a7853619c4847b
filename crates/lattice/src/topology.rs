//! What the session looks like: where its workspace is, what the user named, who belongs to the organisation.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::net::{Ipv4Addr, Ipv6Addr};

use crate::error::ParseError;
use crate::flags::{Realm, Realms};
use crate::glob;
use crate::pattern::{Pattern, Segment};
use crate::resource::{Reach, Resource, natural_realm};
use crate::scope::suggest;

/// The layout of one session, from which realms and the session's own sets follow.
///
/// ```
/// # use portcullis_lattice::{Class, Reach, Topology};
/// let mut topology = Topology::new();
/// topology.set_workspace("/home/u/p")?;
/// topology.add_internal("acme.com")?;
/// let ann = topology.resource("mailto:ann@mail.acme.com", Reach::One)?;
/// assert_eq!(topology.class(&ann), Class::Internal);
/// # Ok::<(), portcullis_lattice::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topology {
    workspace: Option<Pattern>,
    targets: Vec<Pattern>,
    internal: Vec<Pattern>,
    internal_domains: Vec<Box<str>>,
    external: Vec<Pattern>,
    external_domains: Vec<Box<str>>,
}

/// The paper's six classes of locations, seen from a session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// `exact`: what the user's request names.
    Targets,
    /// `parent`: inside the workspace.
    Workspace,
    /// `local`: elsewhere on this machine.
    Local,
    /// `ctxt`: the agent's context.
    Context,
    /// `intnet`: the organisation and own accounts.
    Internal,
    /// `extnet`: everybody else.
    External,
}

impl Topology {
    /// A session without workspace, targets or organisation.
    pub fn new() -> Topology {
        Topology::default()
    }

    /// Says where the workspace is: this folder and everything below it.
    pub fn set_workspace(&mut self, path: &str) -> Result<(), ParseError> {
        self.workspace = Some(local(path)?.and_below());
        Ok(())
    }

    /// Adds something that the user's request names: one path, a folder with all that is in it, or a pattern.
    pub fn add_target(&mut self, path: &str) -> Result<(), ParseError> {
        let pattern = local(path)?;
        self.targets.push(if path.contains('*') { pattern } else { pattern.and_below() });
        Ok(())
    }

    /// Adds to the organisation a domain with its subdomains (`acme.com`), or a pattern of names
    /// (`github:acme/**`).
    pub fn add_internal(&mut self, entry: &str) -> Result<(), ParseError> {
        add_entry(entry, &mut self.internal, &mut self.internal_domains)
    }

    /// Excepts a domain or a pattern from the organisation, such as a channel shared with a customer.
    pub fn add_external(&mut self, entry: &str) -> Result<(), ParseError> {
        add_entry(entry, &mut self.external, &mut self.external_domains)
    }

    /// A resource of this session, in the realms where the session says it lies.
    pub fn resource(&self, name: &str, reach: Reach) -> Result<Resource, ParseError> {
        let unplaced = Resource::new(name, reach, Realms::NETWORK)?;
        let realms = match self.realms(unplaced.extent()) {
            // A listing of names lies where it is kept, not where everything in it lies.
            Realms::NETWORK if reach == Reach::Names && self.is_internal(unplaced.extent()) => {
                Realm::Internal.into()
            }
            realms => realms,
        };
        Ok(unplaced.in_realms(realms))
    }

    /// The class of a resource.
    pub fn class(&self, resource: &Resource) -> Class {
        match resource.highest_realm() {
            Realm::Context => Class::Context,
            Realm::Internal => Class::Internal,
            Realm::External => Class::External,
            Realm::Local if contains(&self.targets, resource.extent()) => Class::Targets,
            Realm::Local if contains(self.workspace.as_slice(), resource.extent()) => Class::Workspace,
            Realm::Local => Class::Local,
        }
    }

    /// The patterns of `@targets`.
    pub fn targets(&self) -> &[Pattern] {
        &self.targets
    }

    /// The pattern of the workspace folder, without the targets.
    pub fn workspace(&self) -> Option<&Pattern> {
        self.workspace.as_ref()
    }

    /// Whether a pattern belongs to the organisation, exceptions aside.
    fn is_internal(&self, pattern: &Pattern) -> bool {
        contains(&self.internal, pattern)
            || within(&self.internal_domains, pattern).all
            || is_private(pattern)
    }

    /// The realms that the names of a pattern lie in.
    pub(crate) fn realms(&self, pattern: &Pattern) -> Realms {
        if let Some(realm) = natural_realm(pattern) {
            return Realms::only(realm);
        }
        let touches_external =
            overlaps(&self.external, pattern) || within(&self.external_domains, pattern).some;
        let inside = self.is_internal(pattern);
        let touches_internal = inside
            || overlaps(&self.internal, pattern)
            || within(&self.internal_domains, pattern).some
            || may_be_private(pattern);
        if contains(&self.external, pattern)
            || within(&self.external_domains, pattern).all
            || !touches_internal
        {
            Realms::only(Realm::External)
        } else if inside && !touches_external {
            Realms::only(Realm::Internal)
        } else {
            Realms::NETWORK
        }
    }
}

fn local(path: &str) -> Result<Pattern, ParseError> {
    let pattern = Pattern::parse(path).map_err(|error| suggest(path, error))?;
    match pattern.head().is_local() {
        true => Ok(pattern),
        false => Err(ParseError::new(path, 0, "a folder or file of this machine was expected", "/home/u/p")),
    }
}

fn add_entry(
    entry: &str,
    patterns: &mut Vec<Pattern>,
    domains: &mut Vec<Box<str>>,
) -> Result<(), ParseError> {
    if !entry.contains(['/', ':']) {
        // A host is checked where hosts are checked.
        Pattern::literal(&format!("host://{entry}")).map_err(|error| ParseError {
            at: error.at.saturating_sub("host://".len()),
            text: entry.into(),
            example: "acme.com, or github:acme/**".into(),
            ..error
        })?;
        domains.push(entry.into());
        return Ok(());
    }
    let pattern = Pattern::parse(entry)?;
    match pattern.head().is_network() {
        true => patterns.push(pattern),
        false => {
            let problem = "names of this machine belong to no network";
            return Err(ParseError::new(entry, 0, problem, "acme.com, or github:acme/**"));
        }
    }
    Ok(())
}

fn contains(patterns: &[Pattern], pattern: &Pattern) -> bool {
    patterns.iter().any(|outer| outer.contains(pattern))
}

fn overlaps(patterns: &[Pattern], pattern: &Pattern) -> bool {
    patterns.iter().any(|other| other.overlaps(pattern))
}

/// How much of a pattern lies in a list of domains.
struct Share {
    all: bool,
    some: bool,
}

fn within(domains: &[Box<str>], pattern: &Pattern) -> Share {
    let Some(host) = host(pattern) else {
        // A pattern without a host or domain of its own (`https://**`, `mailto:*`) reaches all of them.
        let open = pattern.head().has_host() || pattern.head().is_mail();
        return Share { all: false, some: open && !domains.is_empty() };
    };
    // Only a URL has a port.
    let has_port = pattern.head().has_host();
    let mut share = Share { all: false, some: false };
    for domain in domains {
        // A host without wildcards, which is nearly every one, is there as a whole or not at all.
        if !host.contains('*') && !domain.contains('*') {
            let is_there = is_at(host, domain, has_port);
            share = Share { all: share.all || is_there, some: share.some || is_there };
            continue;
        }
        let names = [format!("{domain}"), format!("*.{domain}")];
        let with_ports = names.iter().map(|name| format!("{name}:*")).filter(|_| has_port);
        for form in names.iter().cloned().chain(with_ports) {
            share.all |= glob::contains(&form, host);
            share.some |= glob::overlaps(&form, host);
        }
    }
    share
}

/// Whether a host has one of the forms `domain`, `*.domain` and, with a port, `domain:*` and `*.domain:*`.
fn is_at(host: &str, domain: &str, has_port: bool) -> bool {
    let is_it =
        |name: &str| name.strip_suffix(domain).is_some_and(|front| front.is_empty() || front.ends_with('.'));
    is_it(host) || (has_port && host.match_indices(':').any(|(at, _)| host.get(..at).is_some_and(is_it)))
}

/// The accounts whose names may be addresses, and then belong to whom the address belongs to. Elsewhere an `@` is a
/// character like any other: a server that makes up its own names must not place itself in the organisation.
const ADDRESSED: [&str; 2] = ["mailto:", "calendar:"];

/// The host of a URL, or the domain of an address.
fn host(pattern: &Pattern) -> Option<&str> {
    let first = pattern.segments().first().map(Segment::text)?;
    match pattern.head().has_host() {
        true => Some(first),
        false if ADDRESSED.contains(&pattern.head().as_str()) => {
            first.rsplit_once('@').map(|(_, domain)| domain)
        }
        false => None,
    }
}

/// Whether the host is this machine or a private address.
fn is_private(pattern: &Pattern) -> bool {
    let Some(host) = host(pattern).filter(|_| pattern.head().has_host()) else { return false };
    if let Some((address, _)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(is_private_v6);
    }
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    name == "localhost" || name.ends_with(".localhost") || name.parse::<Ipv4Addr>().is_ok_and(is_private_v4)
}

/// Whether a pattern of hosts could hold such a host.
fn may_be_private(pattern: &Pattern) -> bool {
    if !pattern.head().has_host() {
        return false;
    }
    let Some(host) = pattern.segments().first() else { return true };
    let Segment::Glob(glob) = host else { return false };
    let numeric =
        glob.chars().all(|letter| matches!(letter, '0'..='9' | '.' | ':' | '*' | '[' | ']' | 'a'..='f'));
    let this_machine = ["localhost", "localhost:*", "*.localhost", "*.localhost:*"];
    numeric || this_machine.iter().any(|form| glob::overlaps(form, glob))
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    address.is_loopback() || address.is_private() || address.is_link_local() || address.is_unspecified()
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    match address.to_ipv4_mapped() {
        Some(mapped) => is_private_v4(mapped),
        None => {
            address.is_loopback()
                || address.is_unspecified()
                || address.is_unique_local()
                || address.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec;

    use super::*;

    /// All texts of these letters that are no longer than so.
    fn texts(letters: &[char], longest: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..longest {
            last = last
                .iter()
                .flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")))
                .collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    #[test]
    fn a_plain_host_is_at_a_domain_exactly_if_one_of_its_forms_is_that_host() {
        for domain in texts(&['a', '.'], 3) {
            for host in texts(&['a', '.', ':'], 6) {
                let names = [domain.clone(), format!("*.{domain}")];
                let ports = names.iter().map(|name| format!("{name}:*"));
                let is_named = names.iter().any(|form| glob::contains(form, &host));
                let has_port = ports.into_iter().any(|form| glob::contains(&form, &host));
                assert_eq!(is_at(&host, &domain, false), is_named, "{host} at {domain}");
                assert_eq!(is_at(&host, &domain, true), is_named || has_port, "{host} at {domain}");
            }
        }
    }
}
