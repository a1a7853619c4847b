//! Hashes of 32 bytes, as they are compared, shown and read.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// The length of a digest in bytes.
pub(crate) const LENGTH: usize = 32;

/// A hash of 32 bytes. People see it as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; LENGTH]);

/// Why a text is no digest.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a hash is written as 64 hexadecimal digits in lower case")]
pub struct DigestError;

impl Digest {
    /// A hash that was computed elsewhere.
    pub const fn new(bytes: [u8; LENGTH]) -> Digest {
        Digest(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }

    /// SHA-256 of some fields under a name that says what they are. Each field is preceded by its length, so that no two
    /// lists of fields look alike.
    pub fn of_fields(purpose: &str, fields: &[&[u8]]) -> Digest {
        let mut hasher = Sha256::new();
        for field in std::iter::once(&purpose.as_bytes()).chain(fields) {
            hasher.update((field.len() as u64).to_be_bytes());
            hasher.update(field);
        }
        Digest(hasher.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hexadecimal(&self.0, formatter)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Digest {
    type Err = DigestError;

    fn from_str(text: &str) -> Result<Digest, DigestError> {
        read_hexadecimal(text).map(Digest).ok_or(DigestError)
    }
}

pub(crate) fn write_hexadecimal(bytes: &[u8], formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('?');
    // In one piece: it is written for every call, and to format each byte would take longer than to compute the hash.
    let digits: String = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    formatter.write_str(&digits)
}

/// Exactly so many bytes, written in lower case: one value has one spelling.
pub(crate) fn read_hexadecimal<const N: usize>(text: &str) -> Option<[u8; N]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = nibble(*high)? << 4 | nibble(*low)?;
    }
    Some(bytes)
}

fn nibble(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}
