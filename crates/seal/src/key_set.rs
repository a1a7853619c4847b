//! The keys of an identity provider: a JSON Web Key Set.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_wire::json::{Document, Limits, Node};

use crate::fields::{FieldError, Fields, shown};
use crate::key::{KeyError, KeyId, PublicKey};

const LONGEST: usize = 256 << 10;
const MOST_KEYS: usize = 128;

/// Keys by what their owner calls them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeySet {
    keys: BTreeMap<String, PublicKey>,
    skipped: Vec<Skipped>,
}

/// A key that is not used, because it is of no use here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// What its owner calls it, if anything.
    pub kid: Option<String>,
    /// Why it is not used.
    pub why: String,
}

/// Why a text is no set of keys that can be trusted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeySetError {
    /// Longer than such a set is.
    #[error("the key set is longer than {limit} bytes")]
    TooLong {
        /// How long it may be.
        limit: usize,
    },
    /// No strict JSON.
    #[error("the key set is not strict JSON: {problem}")]
    NotJson {
        /// What is wrong with it.
        problem: String,
    },
    /// A member is missing or wrong.
    #[error("in the key set, {0}")]
    Field(#[from] FieldError),
    /// A key that must not be in a public document, or one that is broken.
    #[error("key {number} of the key set: {error}")]
    Key {
        /// Which one, counted from 1.
        number: usize,
        /// What is wrong with it.
        error: KeyError,
    },
    /// Two keys of the same name.
    #[error("the key set calls two keys `{kid}`")]
    Twice {
        /// Their name.
        kid: String,
    },
    /// Nothing in it can be used.
    #[error("the key set has no key that can be used: `EdDSA`, `ES256`, `RS256` or `PS256`, with a `kid`")]
    Empty,
}

impl KeySet {
    /// Reads a key set. Keys of other kinds or for other uses are left out; one that is secret or broken spoils the set.
    ///
    /// # Errors
    /// If it is too long, no key set, has a secret or broken key, a name twice, or nothing to use.
    pub fn read(text: &str) -> Result<KeySet, KeySetError> {
        KeySet::from_node(document(text)?.root())
    }

    /// Reads a key set that its owner publishes. One without a key that can be used is what it is: its owner has none any more.
    ///
    /// # Errors
    /// If it is too long, no key set, has a secret or broken key, or a name twice.
    pub fn published(text: &str) -> Result<KeySet, KeySetError> {
        KeySet::of_entries(&entries(document(text)?.root())?)
    }

    /// What is left of a key set, as text, when its owner publishes another one that is spoilt: the keys that it still has, by
    /// their thumbprints. Nothing if the other is no key set at all, so that nobody can say what its owner meant.
    pub fn left_of(text: &str, spoilt: &str) -> Option<String> {
        let (document, spoilt) = (document(text).ok()?, document(spoilt).ok()?);
        let thumbprint = |node: &Node<'_>| Some(PublicKey::of_any_algorithm(*node).ok()?.0.id().clone());
        let still: BTreeSet<KeyId> = entries(spoilt.root()).ok()?.iter().filter_map(thumbprint).collect();
        let is_left = |node: &&Node<'_>| thumbprint(node).is_some_and(|key| still.contains(&key));
        let entries = entries(document.root()).ok()?;
        let left: Vec<&str> = entries.iter().filter(is_left).map(|node| node.raw_text()).collect();
        Some(format!(r#"{{"keys":[{}]}}"#, left.join(",")))
    }

    pub(crate) fn from_node(node: Node<'_>) -> Result<KeySet, KeySetError> {
        let set = KeySet::of_entries(&entries(node)?)?;
        if set.keys.is_empty() { Err(KeySetError::Empty) } else { Ok(set) }
    }

    fn of_entries(entries: &[Node<'_>]) -> Result<KeySet, KeySetError> {
        let mut set = KeySet { keys: BTreeMap::new(), skipped: Vec::new() };
        for (index, node) in entries.iter().enumerate() {
            set.add(*node).map_err(|error| match error {
                Problem::Key(error) => KeySetError::Key { number: index + 1, error },
                Problem::Twice(kid) => KeySetError::Twice { kid },
            })?;
        }
        Ok(set)
    }

    /// The key that its owner calls so.
    pub fn key(&self, kid: &str) -> Option<&PublicKey> {
        self.keys.get(kid)
    }

    /// All keys with their names.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &PublicKey)> {
        self.keys.iter().map(|(kid, key)| (kid.as_str(), key))
    }

    /// What was left out.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    fn add(&mut self, node: Node<'_>) -> Result<(), Problem> {
        let named = node.get("kid").and_then(Node::as_str).map(|kid| shown(&kid));
        let mut skip = |why: String| self.skipped.push(Skipped { kid: named.clone(), why });
        let (key, kid) = match PublicKey::of_any_algorithm(node) {
            Ok((key, Some(kid))) => (key, kid),
            Ok((_, None)) => {
                skip("it has no `kid`, so that no token can name it".to_owned());
                return Ok(());
            }
            Err(
                error @ (KeyError::Unsupported { .. }
                | KeyError::Algorithm { .. }
                | KeyError::NotForSignatures
                | KeyError::RsaSize),
            ) => {
                skip(error.to_string());
                return Ok(());
            }
            Err(error) => return Err(Problem::Key(error)),
        };
        match self.keys.insert(kid.clone(), key) {
            Some(_) => Err(Problem::Twice(shown(&kid))),
            None => Ok(()),
        }
    }
}

fn document(text: &str) -> Result<Document, KeySetError> {
    let limits = Limits { bytes: LONGEST, depth: 16, nodes: 16 << 10 };
    if text.len() > LONGEST {
        return Err(KeySetError::TooLong { limit: LONGEST });
    }
    Document::parse(text, &limits).map_err(|error| KeySetError::NotJson { problem: error.to_string() })
}

fn entries(node: Node<'_>) -> Result<Vec<Node<'_>>, KeySetError> {
    let fields = Fields::some(node, "")?;
    fields.node("keys")?;
    Ok(fields.list("keys", MOST_KEYS)?)
}

enum Problem {
    Key(KeyError),
    Twice(String),
}
