//! The key of a provider, which nothing prints.

use std::fmt::{self, Debug, Formatter};

use reqwest::header::HeaderValue;

/// The longest key that is taken.
const LONGEST_KEY: usize = 4_096;

/// A key. It cannot be printed, and is only handed out as the value of a header that is marked as a secret.
#[derive(Clone)]
pub struct Key(String);

/// Why a text is no key. The text is not told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyError {
    /// There is nothing, or far too much.
    #[error("it is empty or longer than {LONGEST_KEY} letters")]
    Length,
    /// No header could carry it.
    #[error("it has letters that no key has, such as a line break")]
    Letters,
}

impl Key {
    /// Takes a key, without white space around it.
    pub fn new(text: &str) -> Result<Key, KeyError> {
        let text = text.trim();
        if text.is_empty() || text.len() > LONGEST_KEY {
            return Err(KeyError::Length);
        }
        match text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Key(text.to_owned())),
            false => Err(KeyError::Letters),
        }
    }

    /// The value of a header, with something in front of the key.
    pub(crate) fn header(&self, front: &str) -> Result<HeaderValue, KeyError> {
        let value = HeaderValue::from_str(&format!("{front}{}", self.0));
        let mut value = value.map_err(|_| KeyError::Letters)?;
        value.set_sensitive(true);
        Ok(value)
    }

    /// Whether a text gives the key away.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        text.contains(&self.0)
    }
}

impl Debug for Key {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}
