//! What texts must hold and must not hold.

pub(super) mod banished;
pub(super) mod contents;
pub(super) mod secrecy;
pub(super) mod texts;
pub(super) mod unsaid;
