//! Hosts: one form for each, and what kind of place it is.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use unicode_security::MixedScript;

use super::{Note, add, lookalike};

/// No host is longer, even with every character escaped.
const LONGEST_TEXT: usize = 2048;
const LONGEST_DOMAIN: usize = 253;
const LONGEST_LABEL: usize = 63;

/// A host in its canonical form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Host {
    /// A name in lower case and ASCII (`xn--…`), without a dot at the end.
    Domain(String),
    /// An address, however it was written: `0x7f.1` and `::ffff:127.0.0.1` are `127.0.0.1`.
    V4(Ipv4Addr),
    /// An address that is no disguised IPv4 address.
    V6(Ipv6Addr),
}

/// What kind of place a host is, as far as its name or address tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostKind {
    /// This machine.
    Loopback,
    /// `0.0.0.0` and `::`, which many systems take for this machine.
    Unspecified,
    /// The service that hands a cloud machine its credentials.
    Metadata,
    /// An address or name for this cable only (`169.254.…`, `fe80::…`, `.local`).
    LinkLocal,
    /// A private network (`10.…`, `172.16.…`, `192.168.…`, `fc00::…`).
    Private,
    /// Addresses shared behind a provider or an overlay network (`100.64.…`).
    Shared,
    /// A name of one label, or under a suffix kept for private use: the network decides what it means.
    Unqualified,
    /// Anything else.
    Public,
}

/// Why a text names no host.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HostError {
    /// There is no text.
    #[error("an empty host names nothing")]
    Empty,
    /// The name or a label is longer than names can be.
    #[error("the host is longer than hosts can be")]
    TooLong,
    /// Not a domain name, an IPv4 address, or an IPv6 address in brackets.
    #[error("no host; write a domain name or an address")]
    Invalid,
}

impl Host {
    /// Reads a host: a domain name, an IPv4 address in any form, an IPv6 address in brackets.
    pub fn parse(text: &str) -> Result<Host, HostError> {
        Host::read(text, &mut Vec::new())
    }

    pub(super) fn read(text: &str, notes: &mut Vec<Note>) -> Result<Host, HostError> {
        if text.is_empty() {
            return Err(HostError::Empty);
        }
        if text.len() > LONGEST_TEXT {
            return Err(HostError::TooLong);
        }
        let host = match url::Host::parse(text).map_err(|_| HostError::Invalid)? {
            url::Host::Ipv4(address) => Host::V4(address),
            url::Host::Ipv6(address) => address.to_ipv4_mapped().map_or(Host::V6(address), Host::V4),
            url::Host::Domain(name) => Host::Domain(domain(&name)?),
        };
        host.take_notes(text, notes);
        Ok(host)
    }

    /// What kind of place this is.
    pub fn kind(&self) -> HostKind {
        match self {
            Host::Domain(name) => kind_of_name(name),
            Host::V4(address) => kind_of_v4(*address),
            Host::V6(address) => kind_of_v6(*address),
        }
    }

    /// Whether a connection ends on this machine.
    pub fn is_this_machine(&self) -> bool {
        matches!(self.kind(), HostKind::Loopback | HostKind::Unspecified)
    }

    /// The suffix under which anybody can register a name: `co.uk` of `www.acme.co.uk`.
    pub fn public_suffix(&self) -> Option<&str> {
        match self {
            Host::Domain(name) => psl::suffix_str(name),
            Host::V4(_) | Host::V6(_) => None,
        }
    }

    /// The part that somebody registered: `acme.co.uk` of `www.acme.co.uk`. An address has none.
    pub fn registrable_domain(&self) -> Option<&str> {
        match self {
            Host::Domain(name) => psl::domain_str(name),
            Host::V4(_) | Host::V6(_) => None,
        }
    }

    fn take_notes(&self, text: &str, notes: &mut Vec<Note>) {
        if text.contains('%') {
            add(notes, Note::EscapedHost);
        }
        match self {
            Host::Domain(name) => take_notes_of_name(name, notes),
            Host::V4(address) => {
                if address.to_string() != text.strip_suffix('.').unwrap_or(text) {
                    add(notes, Note::UnusualAddress);
                }
            }
            Host::V6(address) => {
                if address.to_ipv4().is_some() && !address.is_loopback() && !address.is_unspecified() {
                    add(notes, Note::UnusualAddress);
                }
            }
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Domain(name) => f.write_str(name),
            Host::V4(address) => write!(f, "{address}"),
            Host::V6(address) => write!(f, "[{address}]"),
        }
    }
}

/// A domain name after IDNA, checked for what a browser lets pass and no name server knows.
fn domain(name: &str) -> Result<String, HostError> {
    let name = name.strip_suffix('.').unwrap_or(name);
    // Programs that hand a host to others on a command line would make it an option.
    if name.starts_with('-') {
        return Err(HostError::Invalid);
    }
    if name.len() > LONGEST_DOMAIN {
        return Err(HostError::TooLong);
    }
    for label in name.split('.') {
        let letters =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
        if label.is_empty() || !label.bytes().all(letters) {
            return Err(HostError::Invalid);
        }
        if label.len() > LONGEST_LABEL {
            return Err(HostError::TooLong);
        }
    }
    Ok(name.to_owned())
}

fn take_notes_of_name(name: &str, notes: &mut Vec<Note>) {
    let shown = lookalike::shown(name);
    if shown == name {
        return;
    }
    for label in shown.split('.').filter(|label| !label.is_ascii()) {
        if !label.is_single_script() {
            add(notes, Note::MixedScript);
        }
        let looks_like = lookalike::skeleton(label);
        if looks_like.is_ascii() {
            add(notes, Note::Confusable { looks_like });
        }
    }
    add(notes, Note::International { shown });
}

fn kind_of_name(name: &str) -> HostKind {
    let under =
        |suffix: &str| name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    match name {
        "metadata.google.internal" | "metadata.goog" | "instance-data.ec2.internal" => HostKind::Metadata,
        _ if under("localhost")
            || matches!(name, "localhost.localdomain" | "ip6-localhost" | "ip6-loopback") =>
        {
            HostKind::Loopback
        }
        _ if under("local") => HostKind::LinkLocal,
        _ if !name.contains('.') || under("internal") || under("home.arpa") || under("lan") => {
            HostKind::Unqualified
        }
        _ => HostKind::Public,
    }
}

fn kind_of_v4(address: Ipv4Addr) -> HostKind {
    match address.octets() {
        // Amazon, Google, Azure and most others; Amazon's containers; Alibaba.
        [169, 254, 169, 254] | [169, 254, 170, 2 | 23] | [100, 100, 100, 200] => HostKind::Metadata,
        [100, 64..=127, _, _] => HostKind::Shared,
        // The whole of `0.…` is "this network", and Linux connects `0.0.0.0` to itself.
        [0, ..] => HostKind::Unspecified,
        _ if address.is_loopback() => HostKind::Loopback,
        _ if address.is_private() => HostKind::Private,
        _ if address.is_link_local() => HostKind::LinkLocal,
        _ => HostKind::Public,
    }
}

fn kind_of_v6(address: Ipv6Addr) -> HostKind {
    match address.segments() {
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254 | 0x23] => HostKind::Metadata,
        _ if address.is_loopback() => HostKind::Loopback,
        _ if address.is_unspecified() => HostKind::Unspecified,
        _ if address.is_unique_local() => HostKind::Private,
        _ if address.is_unicast_link_local() => HostKind::LinkLocal,
        // Translated to IPv4 on the way: NAT64, 6to4, and the old compatible form.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] | [0, 0, 0, 0, 0, 0, high, low] => {
            kind_of_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
        }
        _ => HostKind::Public,
    }
}
