//! Scopes: what a token is good for, as its issuer names it.

use std::collections::BTreeSet;
use std::fmt;

/// No issuer has more in one token.
const MOST: usize = 256;

/// A set of scopes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scopes(BTreeSet<String>);

/// A text that is no list of scopes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a scope is a word without spaces, quotes and backslashes")]
pub struct ScopeError;

impl Scopes {
    /// Reads scopes with spaces between them.
    ///
    /// # Errors
    /// If there are letters in it that no scope has, or far too many.
    pub fn read(text: &str) -> Result<Scopes, ScopeError> {
        Scopes::of(text.split(' ').filter(|scope| !scope.is_empty()))
    }

    /// Takes scopes one by one.
    ///
    /// # Errors
    /// The same.
    pub fn of<'s>(scopes: impl IntoIterator<Item = &'s str>) -> Result<Scopes, ScopeError> {
        let is_scope = |scope: &str| {
            !scope.is_empty() && scope.chars().all(|letter| matches!(letter, '!' | '#'..='[' | ']'..='~'))
        };
        let one = |scope: &'s str| if is_scope(scope) { Ok(scope.to_owned()) } else { Err(ScopeError) };
        let scopes: BTreeSet<String> = scopes.into_iter().map(one).collect::<Result<_, _>>()?;
        if scopes.len() <= MOST { Ok(Scopes(scopes)) } else { Err(ScopeError) }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one is among them.
    pub fn has(&self, scope: &str) -> bool {
        self.0.contains(scope)
    }

    /// Those of both.
    pub fn with(&self, others: &Scopes) -> Scopes {
        Scopes(self.0.union(&others.0).cloned().collect())
    }

    /// Those that others do not have.
    pub fn without(&self, others: &Scopes) -> Scopes {
        Scopes(self.0.difference(&others.0).cloned().collect())
    }

    /// Each of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, scope) in self.0.iter().enumerate() {
            let between = if place == 0 { "" } else { " " };
            write!(formatter, "{between}{scope}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn scopes_are_read_as_they_are_written(words in prop::collection::vec("[!#-\\[\\]-~]{1,6}", 0..6)) {
            let scopes = Scopes::read(&words.join("  ")).unwrap();
            prop_assert_eq!(Scopes::read(&scopes.to_string()), Ok(scopes.clone()));
            prop_assert!(words.iter().all(|word| scopes.has(word)));
        }

        #[test]
        fn what_breaks_out_of_a_scope_is_none(front in "[a-z]{0,3}", odd in "[\"\\\\\\x00-\\x1f\\x7f-\\u{ff}]", end in "[a-z]{0,3}") {
            prop_assert_eq!(Scopes::read(&format!("{front}{odd}{end}")), Err(ScopeError));
        }
    }
}
