//! SHA-256, as documents name it.

use std::fmt;
use std::str::FromStr;

use aws_lc_rs::digest::{SHA256, digest};
use portcullis_wire::json::{CanonicalError, Node, canonical};

const LENGTH: usize = 32;
const PREFIX: &str = "sha256:";

/// A SHA-256, written `sha256:` and 64 hexadecimal digits in lower case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; LENGTH]);

/// Why a text is no digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a hash is written as `sha256:` and 64 hexadecimal digits in lower case")]
pub struct DigestError;

impl Digest {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Digest {
        let mut hash = [0; LENGTH];
        // Both are 32 bytes.
        hash.iter_mut().zip(digest(&SHA256, bytes).as_ref()).for_each(|(to, from)| *to = *from);
        Digest(hash)
    }

    /// The hash of a document by its canonical form, such as the OpenAPI document behind a tool.
    ///
    /// # Errors
    /// If it has no canonical form.
    pub fn of_document(document: Node<'_>) -> Result<Digest, CanonicalError> {
        canonical(document).map(|form| Digest::of(&form))
    }

    /// A hash that was computed elsewhere.
    pub const fn new(bytes: [u8; LENGTH]) -> Digest {
        Digest(bytes)
    }

    /// Its bytes.
    pub const fn bytes(&self) -> &[u8; LENGTH] {
        &self.0
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(PREFIX)?;
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
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
        let digits = text.strip_prefix(PREFIX).ok_or(DigestError)?;
        let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
        if pairs.len() != LENGTH || !rest.is_empty() {
            return Err(DigestError);
        }
        let mut bytes = [0; LENGTH];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = nibble(*high)? << 4 | nibble(*low)?;
        }
        Ok(Digest(bytes))
    }
}

fn nibble(letter: u8) -> Result<u8, DigestError> {
    match letter {
        b'0'..=b'9' => Ok(letter - b'0'),
        b'a'..=b'f' => Ok(letter - b'a' + 10),
        _ => Err(DigestError),
    }
}
