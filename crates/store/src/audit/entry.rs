//! Entries, how they are hashed, and how they are asked for.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::digest::{Digest, read_hexadecimal, write_hexadecimal};
use crate::id::SessionId;
use crate::random::{RandomError, random};

/// The longest body of an entry in bytes.
pub const LONGEST_BODY: usize = 1 << 20;
/// The longest word for a kind in bytes.
pub const LONGEST_KIND: usize = 64;

/// What the first entry follows, so that chains of two stores have nothing in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ChainId([u8; 16]);

/// A place in the chain: the entry of this number has this hash. It is written `17:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Head {
    /// The number of the entry; 0 is before the first.
    pub sequence: u64,
    /// The hash that the next entry contains.
    pub hash: Digest,
}

/// Why a text is no head.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a head of the log is written as a number, a colon and 64 hexadecimal digits, as `17:9f2c…`")]
pub struct HeadError;

/// An entry to be appended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEntry {
    kind: String,
    body: String,
}

/// Why an entry cannot be appended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EntryError {
    /// Its kind is no word.
    #[error(
        "the kind of an entry is a word of at most {LONGEST_KIND} small letters, digits, `.`, `_` or `-`"
    )]
    Kind,
    /// Its body is not what can be kept.
    #[error("the body of an entry is JSON in one line, of at most {LONGEST_BODY} bytes")]
    Body,
}

/// An entry of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its number, from 1.
    pub sequence: u64,
    /// When it was written, as the writer's clock had it, to the microsecond.
    pub time: Timestamp,
    /// The session that it is about.
    pub session: Option<SessionId>,
    /// A word for what it tells.
    pub kind: String,
    /// What it tells, as JSON.
    pub body: String,
    /// The hash of the entry before.
    pub previous: Digest,
    /// The hash of all this.
    pub hash: Digest,
}

/// Which entries are listed. The default is all, the oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryFilter {
    /// Only those of a session.
    pub session: Option<SessionId>,
    /// Only those of a kind.
    pub kind: Option<String>,
    /// Only those that were written at this time or later.
    pub since: Option<Timestamp>,
    /// Only those with a greater number.
    pub after: Option<u64>,
    /// Only those with a smaller number.
    pub before: Option<u64>,
    /// In which order.
    pub order: Order,
    /// At most so many.
    pub limit: u32,
}

/// In which order entries are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// By growing numbers.
    OldestFirst,
    /// By falling numbers.
    NewestFirst,
}

impl ChainId {
    /// A new chain.
    pub fn random() -> Result<ChainId, RandomError> {
        random().map(ChainId)
    }

    /// The chain of these bytes.
    pub const fn new(bytes: [u8; 16]) -> ChainId {
        ChainId(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// What the first entry follows.
    pub fn beginning(&self) -> Head {
        Head { sequence: 0, hash: Digest::of_fields("portcullis audit chain 1", &[&self.0]) }
    }
}

impl NewEntry {
    /// An entry of a kind that tells of something.
    pub fn of(kind: &str, told: &impl Serialize) -> Result<NewEntry, EntryError> {
        check_kind(kind)?;
        let body = serde_json::to_string(told).map_err(|_| EntryError::Body)?;
        if body.len() > LONGEST_BODY || has_line_end(&body) {
            return Err(EntryError::Body);
        }
        Ok(NewEntry { kind: kind.to_owned(), body })
    }

    /// An entry of a kind, with a body in JSON.
    pub fn new(kind: &str, body: &str) -> Result<NewEntry, EntryError> {
        check_kind(kind)?;
        if body.len() > LONGEST_BODY || has_line_end(body) {
            return Err(EntryError::Body);
        }
        let read: &RawValue = serde_json::from_str(body).map_err(|_| EntryError::Body)?;
        // White space around it would be lost on the way through an export.
        if read.get().len() != body.len() {
            return Err(EntryError::Body);
        }
        Ok(NewEntry { kind: kind.to_owned(), body: body.to_owned() })
    }

    /// A word for what it tells.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What it tells, as JSON.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The entry that this becomes behind `head`.
    pub fn behind(&self, head: Head, time: Timestamp, session: Option<SessionId>) -> Entry {
        let Head { sequence, hash } = self.head_behind(head, time, session);
        Entry {
            sequence,
            time,
            session,
            kind: self.kind.clone(),
            body: self.body.clone(),
            previous: head.hash,
            hash,
        }
    }

    /// Where the chain ends when this is appended behind `head`.
    pub(crate) fn head_behind(&self, head: Head, time: Timestamp, session: Option<SessionId>) -> Head {
        let sequence = head.sequence.saturating_add(1);
        Head { sequence, hash: hash(head.hash, sequence, time, session, &self.kind, &self.body) }
    }
}

fn has_line_end(body: &str) -> bool {
    body.bytes().any(|byte| byte == b'\n' || byte == b'\r')
}

fn check_kind(kind: &str) -> Result<(), EntryError> {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(&byte);
    let is_word = !kind.is_empty() && kind.len() <= LONGEST_KIND && kind.bytes().all(is_letter);
    if is_word { Ok(()) } else { Err(EntryError::Kind) }
}

impl Entry {
    /// Its own place in the chain.
    pub fn head(&self) -> Head {
        Head { sequence: self.sequence, hash: self.hash }
    }

    /// The hash that its fields give.
    pub fn computed_hash(&self) -> Digest {
        self.computed_hash_at(self.sequence)
    }

    /// The hash that its fields would give if it had another number.
    pub(crate) fn computed_hash_at(&self, sequence: u64) -> Digest {
        hash(self.previous, sequence, self.time, self.session, &self.kind, &self.body)
    }
}

fn hash(
    previous: Digest,
    sequence: u64,
    time: Timestamp,
    session: Option<SessionId>,
    kind: &str,
    body: &str,
) -> Digest {
    let session = session.map(|session| session.to_string()).unwrap_or_default();
    Digest::of_fields(
        "portcullis audit entry 1",
        &[
            previous.bytes(),
            &sequence.to_be_bytes(),
            &time.as_microsecond().to_be_bytes(),
            // No session has an empty name.
            session.as_bytes(),
            kind.as_bytes(),
            body.as_bytes(),
        ],
    )
}

impl Default for EntryFilter {
    fn default() -> EntryFilter {
        EntryFilter {
            session: None,
            kind: None,
            since: None,
            after: None,
            before: None,
            order: Order::OldestFirst,
            limit: u32::MAX,
        }
    }
}

impl fmt::Display for ChainId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hexadecimal(&self.0, formatter)
    }
}

impl FromStr for ChainId {
    type Err = HeadError;

    fn from_str(text: &str) -> Result<ChainId, HeadError> {
        read_hexadecimal(text).map(ChainId).ok_or(HeadError)
    }
}

impl fmt::Display for Head {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.sequence, self.hash)
    }
}

impl FromStr for Head {
    type Err = HeadError;

    fn from_str(text: &str) -> Result<Head, HeadError> {
        let (sequence, hash) = text.split_once(':').ok_or(HeadError)?;
        Ok(Head {
            sequence: sequence.parse().map_err(|_| HeadError)?,
            hash: hash.parse().map_err(|_| HeadError)?,
        })
    }
}
