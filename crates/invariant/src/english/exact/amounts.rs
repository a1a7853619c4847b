//! How much, how many, how far back.

pub(super) mod counts;
pub(super) mod measures;
pub(super) mod portions;
pub(super) mod recency;
