//! What was found out already, by the words that it was asked for.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasherDefault;

/// Answers by their questions. Without randomness: the same sentence is always read by the same steps.
pub(super) type Known<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;
