//! Names of what is kept.

use std::fmt;
use std::str::FromStr;

use crate::digest::{read_hexadecimal, write_hexadecimal};
use crate::random::{RandomError, random};

/// A session's name: eight random bytes, shown as sixteen hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SessionId([u8; 8]);

/// Why a text names nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IdError {
    /// It was to be a session.
    #[error("a session is named by sixteen hexadecimal digits in lower case, as `portcullis` lists it")]
    Session,
    /// It was to be a number.
    #[error("a {0} is named by its number")]
    Number(&'static str),
}

impl SessionId {
    /// A name that no other session has.
    pub fn random() -> Result<SessionId, RandomError> {
        random().map(SessionId)
    }

    /// The session of these bytes.
    pub const fn new(bytes: [u8; 8]) -> SessionId {
        SessionId(bytes)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hexadecimal(&self.0, formatter)
    }
}

impl FromStr for SessionId {
    type Err = IdError;

    fn from_str(text: &str) -> Result<SessionId, IdError> {
        read_hexadecimal(text).map(SessionId).ok_or(IdError::Session)
    }
}

macro_rules! number {
    ($(#[$about:meta])* $name:ident, $word:literal) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u64);

        impl $name {
            /// The one of this number.
            pub const fn new(number: u64) -> $name {
                $name(number)
            }

            /// Its number.
            pub const fn number(self) -> u64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, formatter)
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<$name, IdError> {
                text.parse().map($name).map_err(|_| IdError::Number($word))
            }
        }
    };
}

number! {
    /// A rule's number. Numbers are given in order and never again.
    RuleId, "rule"
}
number! {
    /// The number of an invariant.
    InvariantId, "invariant"
}
number! {
    /// The number of a pin.
    PinId, "pin"
}
number! {
    /// The number of what is said of a key.
    SignerId, "signer"
}
number! {
    /// A question's number.
    QuestionId, "question"
}
number! {
    /// An approval's number.
    ApprovalId, "approval"
}
