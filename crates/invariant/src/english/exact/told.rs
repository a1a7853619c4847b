//! Ways to tell a rule: forms of sentences, words in whatever order, what "it" stands for.

pub(super) mod allowed;
pub(super) mod alone;
pub(super) mod bag;
pub(super) mod duty;
pub(super) mod idioms;
pub(super) mod refer;
pub(super) mod settled;
pub(super) mod timed;
pub(super) mod turn;
pub(super) mod turned;
pub(super) mod worry;
