//! Rules over several services: where data must not get or alone may, what must come first, what is over once something was
//! read. Such sentences are told by what they name (the place that data comes from, the place that it goes to) and by the words
//! in front of these, in whatever order; other words change nothing of it. The words for places stand in `flows.toml`.

mod contact;
mod data;
mod mention;
mod order;
mod sides;
mod sinks;
mod stretch;

use super::{Exact, Part};
use crate::english::token::{Shape, Token};

/// More words than these are no single rule.
const LONGEST: usize = 70;

impl Exact<'_> {
    /// What a text says of data that goes from service to service, or of what comes first.
    pub(in crate::english) fn flows(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let is_said = |token: &Token| {
            matches!(token.shape, Shape::Quoted | Shape::Emoji | Shape::Flag)
                || matches!(token.low.as_str(), "ask" | "unless" | "prefer" | "instead" | "rather")
        };
        if tokens.len() < 4 || tokens.len() > LONGEST || tokens.iter().any(is_said) {
            return None;
        }
        self.ordered(tokens).or_else(|| self.data_flow(tokens)).or_else(|| self.contacts(tokens))
    }
}
