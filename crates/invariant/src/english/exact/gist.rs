//! The gist of a text: worries that everybody has and puts in other words. Each is told by what it names (an argument, a site,
//! a server, a stretch of time) and by words that are known to change nothing else, in whatever order. What stands between
//! marks and names nothing of it only tells why.

mod acts;
mod choices;
mod holders;
mod house;
mod kept;
mod limits;
mod notes;
mod programs;
mod recency;
mod secrets;
mod servers;
mod sift;
mod sources;
mod tasks;
mod times;
mod topics;

use super::{Exact, Part};
use crate::english::token::Token;
use crate::meaning::{Case, Doing, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// What a whole text is about, if it is one of these.
    pub(crate) fn gist(&self, tokens: &[Token]) -> Option<Vec<Part>> {
        let rules = self
            .argument_limits(tokens)
            .or_else(|| self.degrees_limited(tokens))
            .or_else(|| self.money_limited(tokens))
            .or_else(|| self.results_limited(tokens))
            .or_else(|| self.time_ranges(tokens))
            .or_else(|| self.sources_named(tokens))
            .or_else(|| self.servers_named(tokens))
            .or_else(|| self.choices_named(tokens))
            .or_else(|| self.tasks(tokens))
            .or_else(|| self.house(tokens))
            .or_else(|| self.notes(tokens))
            .or_else(|| self.holders(tokens))
            .or_else(|| self.tool_acts(tokens))
            .or_else(|| self.acts_at(tokens))
            .or_else(|| self.names_kept(tokens))
            .or_else(|| self.paths_kept(tokens))
            .or_else(|| self.formats_left_out(tokens))
            .or_else(|| self.machines(tokens))
            .or_else(|| self.web_finds(tokens))
            .or_else(|| self.programs_avoided(tokens))
            .or_else(|| self.several_bans(tokens))
            .or_else(|| self.done_myself(tokens))
            .or_else(|| self.told_time(tokens))
            .or_else(|| self.days_kept_free(tokens))
            .or_else(|| self.lengths(tokens))
            .or_else(|| self.kept_from(tokens))
            .or_else(|| self.secrets(tokens))
            .or_else(|| self.topics(tokens))
            .or_else(|| self.said_nowhere(tokens))
            .or_else(|| self.words_unused(tokens))?;
        Some(vec![Part::Rules(rules)])
    }
}

fn refused(doings: Vec<Doing>, tests: Vec<Test>) -> Rules {
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}
