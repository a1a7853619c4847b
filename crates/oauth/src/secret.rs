//! What nobody may see: tokens, codes and what proves that they are ours.

use std::fmt::{self, Debug, Formatter};

use zeroize::Zeroizing;

/// A secret text. It cannot be printed, and is wiped from memory when it is dropped.
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Takes a text that nobody else has.
    pub fn new(text: String) -> Secret {
        Secret(Zeroizing::new(text))
    }

    /// The text, for whoever sends or seals it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether a text is this secret. How long that takes does not tell how much of it is right.
    pub fn is(&self, text: &str) -> bool {
        let (own, given) = (self.0.as_bytes(), text.as_bytes());
        let differing = own.iter().zip(given).fold(0, |all, (one, other)| all | (one ^ other));
        own.len() == given.len() && differing == 0
    }
}

impl Debug for Secret {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", Secret::new("t-0k3n".to_owned())), "Secret(…)");
    }

    proptest! {
        #[test]
        fn a_secret_is_itself_and_nothing_else(one in ".{0,8}", other in ".{0,8}") {
            prop_assert_eq!(Secret::new(one.clone()).is(&other), one == other);
        }
    }
}
