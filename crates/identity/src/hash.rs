//! SHA-256 of bytes, as a value that is compared and written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes. Written `sha256:` and 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ContentHash([u8; 32]);

/// A text that is no hash.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a hash is written `sha256:` and 64 hexadecimal digits")]
pub struct HashError;

impl ContentHash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> ContentHash {
        ContentHash(Sha256::digest(bytes).into())
    }

    /// A hash that was computed elsewhere.
    pub const fn new(bytes: [u8; 32]) -> ContentHash {
        ContentHash(bytes)
    }

    /// The bytes of the hash.
    pub fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first twelve digits, for a line that people read. Nothing may be decided by them.
    pub fn short(&self) -> String {
        self.digits().chars().take(12).collect()
    }

    fn digits(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}", self.digits())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "sha256:{}…", self.short())
    }
}

impl FromStr for ContentHash {
    type Err = HashError;

    fn from_str(text: &str) -> Result<ContentHash, HashError> {
        let digits = text.strip_prefix("sha256:").ok_or(HashError)?.as_bytes();
        let mut bytes = [0; 32];
        let (pairs, rest) = digits.as_chunks::<2>();
        if pairs.len() != bytes.len() || !rest.is_empty() {
            return Err(HashError);
        }
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Ok(ContentHash(bytes))
    }
}

/// Lower case only, so that a hash has one text.
fn digit(letter: u8) -> Result<u8, HashError> {
    match letter {
        b'0'..=b'9' => Ok(letter - b'0'),
        b'a'..=b'f' => Ok(letter - b'a' + 10),
        _ => Err(HashError),
    }
}

impl From<ContentHash> for String {
    fn from(hash: ContentHash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for ContentHash {
    type Error = HashError;

    fn try_from(text: String) -> Result<ContentHash, HashError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_is_written_and_in_no_other_way() {
        let hash = ContentHash::of(b"abc");
        let text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash.to_string(), text);
        assert_eq!(text.parse(), Ok(hash));
        assert_eq!(text.to_uppercase().parse::<ContentHash>(), Err(HashError));
        assert_eq!(text[..70].parse::<ContentHash>(), Err(HashError));
        assert_eq!(text.replace("sha256", "sha512").parse::<ContentHash>(), Err(HashError));
    }
}
