//! How much a program may be, so that hostile text ends in an error and never in a long wait or a crash.

/// Bytes of one text.
pub const MOST_BYTES: usize = 1 << 20;
/// Rules of a program.
pub const MOST_RULES: usize = 10_000;
/// Conditions of a rule. Evaluation is as many calls deep.
pub const MOST_LITERALS: usize = 32;
/// Arguments of a predicate.
pub const MOST_ARGUMENTS: usize = 16;
/// Variables of a rule.
pub const MOST_VARIABLES: usize = 64;
/// Letters of a name.
pub const LONGEST_NAME: usize = 100;
/// Bytes of a text in a rule.
pub const LONGEST_TEXT: usize = 1 << 14;
/// How many predicates of rules may stand on top of each other.
pub const DEEPEST_NESTING: usize = 64;
/// Predicates of a schema.
pub const MOST_PREDICATES: usize = 1_000;
/// Facts of one call.
pub const MOST_FACTS: usize = 1 << 20;
/// Bytes of a compiled regular expression.
pub const LARGEST_REGEX: usize = 1 << 18;
