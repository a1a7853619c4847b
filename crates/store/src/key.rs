//! The key of keyed hashes, in a file of its own.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::digest::{Digest, LENGTH};
use crate::private_file::{self, Draft};
use crate::random::random;

/// A secret of 32 bytes. Hashes under it can be compared with each other, and tell nothing to those who do not have it.
#[derive(Clone)]
pub struct Key([u8; LENGTH]);

/// A value's hash under a key.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct KeyedHash(Digest);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be made or read.
    #[error("the key file `{path}` cannot be {deed}: {error}", path = path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What was to be done.
        deed: &'static str,
        /// What the system says.
        error: io::Error,
    },
    /// It has another size than a key.
    #[error("the key file `{path}` does not hold {LENGTH} bytes; restore it from a copy, or move it away: then a \
             new key is made, and hashes under the old one no longer match", path = path.display())]
    Size {
        /// Which file.
        path: PathBuf,
    },
    /// Others may read or write it.
    #[error("the key file `{path}` is open to others (mode {mode:o}); say `chmod 600` to it, and make a new key if \
             somebody may have read it", path = path.display())]
    TooOpen {
        /// Which file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
}

impl Key {
    /// A key that comes from elsewhere.
    pub const fn new(bytes: [u8; LENGTH]) -> Key {
        Key(bytes)
    }

    /// The key of a file. The first who asks makes the file; of several at once, all get the same.
    pub fn open_or_create(path: &Path) -> Result<Key, KeyError> {
        let failed = |deed| move |error| KeyError::File { path: path.to_owned(), deed, error };
        if !path.try_exists().map_err(failed("looked for"))? {
            create(path).map_err(failed("created"))?;
        }
        let file = File::open(path).map_err(failed("opened"))?;
        let metadata = file.metadata().map_err(failed("looked at"))?;
        if let Some(mode) = private_file::permissions_of_others(&metadata) {
            return Err(KeyError::TooOpen { path: path.to_owned(), mode });
        }
        let mut bytes = Vec::with_capacity(LENGTH + 1);
        file.take(LENGTH as u64 + 1).read_to_end(&mut bytes).map_err(failed("read"))?;
        bytes.try_into().map(Key).map_err(|_| KeyError::Size { path: path.to_owned() })
    }

    /// The hash of a value. The purpose keeps apart what is hashed for different reasons.
    pub fn hash(&self, purpose: &str, value: &[u8]) -> KeyedHash {
        KeyedHash(Digest::new(self.code("portcullis keyed hash 1", purpose, value)))
    }

    /// A key for something else, from which this one cannot be computed.
    pub fn derive(&self, purpose: &str) -> [u8; LENGTH] {
        self.code("portcullis derived key 1", purpose, b"")
    }

    /// HMAC-SHA-256 over the parts, each preceded by its length.
    fn code(&self, domain: &str, purpose: &str, value: &[u8]) -> [u8; LENGTH] {
        // A key is as long as a block of the hash, filled up with zeros: so HMAC is defined.
        let mut block = [0; 64];
        block.iter_mut().zip(self.0).for_each(|(filled, byte)| *filled = byte);
        let mut code = Hmac::<Sha256>::new(&block.into());
        for part in [domain.as_bytes(), purpose.as_bytes(), value] {
            code.update(&(part.len() as u64).to_be_bytes());
            code.update(part);
        }
        code.finalize().into_bytes().into()
    }
}

fn create(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.map_or(Ok(()), private_file::create_folder)?;
    let draft = Draft::of(path)?;
    let key: [u8; LENGTH] = random().map_err(io::Error::other)?;
    fs::write(draft.path(), key)?;
    draft.publish()
}

impl KeyedHash {
    /// The hash itself.
    pub fn digest(&self) -> Digest {
        self.0
    }
}

impl fmt::Display for KeyedHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, formatter)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}
