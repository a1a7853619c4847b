//! Places on the network: URLs, hosts, Git remotes and mail addresses, from the text of an argument to canonical names.
//!
//! One place must have one name. A deny that is about `https://acme.com/admin` is worth nothing if `//admin`,
//! `%61dmin` or `x/../admin` gets past it, so all of these are the same name here. Where programs disagree what a text
//! means, there is no name but an error, and the caller assumes the worst.

mod escape;
mod git;
mod host;
mod lookalike;
mod mail;
mod url;

use std::fmt;

pub use git::{Remote, RemoteError, github, remote};
pub use host::{Host, HostError, HostKind};
pub use lookalike::{LookAlike, Resemblance, look_alike};
pub use mail::{MailError, Recipients, recipients};
pub use url::{Locator, UrlError, locate};

pub(crate) use escape::{climbs_for_some, escaped_path};
pub(crate) use url::locate_any_scheme;

/// A place on the network with its canonical name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name, as `portcullis_lattice::Resource` takes it.
    pub name: String,
    /// What a person should know about the text.
    pub notes: Vec<Note>,
}

/// Something about a text that the name does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// A user or password stood before the host, where a reader may take it for the host.
    Userinfo,
    /// An address written in an unusual form: one number, octal, hexadecimal, IPv4 inside IPv6.
    UnusualAddress,
    /// Escapes in the host.
    EscapedHost,
    /// The host has characters beyond ASCII; this is how it looks.
    International {
        /// The host as a browser may show it.
        shown: String,
    },
    /// A label of the host mixes scripts, such as Latin and Cyrillic.
    MixedScript,
    /// A label of the host looks like one in plain ASCII.
    Confusable {
        /// What it looks like.
        looks_like: String,
    },
    /// `\` in a path, read as `/` by browsers and as part of a name by other programs.
    Backslash,
    /// `//` inside a path, read as `/`.
    EmptySegment,
    /// A `%` that begins no escape.
    StrayPercent,
    /// An escaped `%` before two digits: a server that decodes twice sees another path.
    DoubleEscape,
    /// A display name or comment has an address in it that is no recipient.
    AddressInName,
    /// A display name is written as an encoded word.
    EncodedWord,
    /// A display name has a character that cannot be seen, or that moves what is seen.
    Hidden(char),
    /// The part before the `@` has characters beyond ASCII.
    InternationalMailbox,
}

impl Note {
    /// Whether the text is one that an honest caller has little reason to write.
    pub fn is_suspicious(&self) -> bool {
        match self {
            Note::International { .. }
            | Note::EmptySegment
            | Note::EncodedWord
            | Note::InternationalMailbox
            | Note::StrayPercent => false,
            Note::Userinfo
            | Note::UnusualAddress
            | Note::EscapedHost
            | Note::MixedScript
            | Note::Confusable { .. }
            | Note::Backslash
            | Note::DoubleEscape
            | Note::AddressInName
            | Note::Hidden(_) => true,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Note::Userinfo => "a user or password before the host",
            Note::UnusualAddress => "an address written in an unusual form",
            Note::EscapedHost => "escapes in the host",
            Note::International { .. } => "a host with characters beyond ASCII",
            Note::MixedScript => "a host that mixes scripts",
            Note::Confusable { looks_like } => return write!(f, "a host that looks like `{looks_like}`"),
            Note::Backslash => "`\\` in a path, read as `/`",
            Note::EmptySegment => "`//` in a path, read as `/`",
            Note::StrayPercent => "a `%` that begins no escape",
            Note::DoubleEscape => "an escaped escape",
            Note::AddressInName => "an address in a display name or comment that is no recipient",
            Note::EncodedWord => "an encoded display name",
            Note::Hidden(letter) => return write!(f, "the invisible character U+{:04X}", u32::from(*letter)),
            Note::InternationalMailbox => "a mailbox with characters beyond ASCII",
        })
    }
}

/// Adds a note that is not there yet.
fn add(notes: &mut Vec<Note>, note: Note) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}
