//! The nearest rule to a call that no rule covers, and where the call leaves it.

use alloc::vec::Vec;

use crate::flags::{Effects, Taint};
use crate::flow::{Flow, Server};
use crate::index::{Cell, Index, Position, ScopeId};
use crate::policy::Asked;
use crate::region::Region;
use crate::resource::Resource;
use crate::rule::{Action, Rule};
use crate::ruleset::RuleId;
use crate::topology::Topology;

/// How many scopes around a resource are looked at. A question is about to be put to a person, so there is time,
/// but it must not grow with the number of rules.
const NEIGHBOURS: usize = 64;

/// An allow that comes close to covering a pair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nearest {
    /// The rule.
    pub rule: RuleId,
    /// In what the pair leaves it.
    pub leaves: Departure,
}

/// The dimensions in which a pair leaves a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Departure {
    /// The input is outside.
    pub input: Outside,
    /// The output is outside.
    pub output: Outside,
    /// Effects that the rule does not allow.
    pub effects: Effects,
    /// Labels that the rule does not let through.
    pub taint: Taint,
    /// The rule was granted through a server whose consent does not extend to this one.
    pub server: Outside,
}

/// Whether something lies outside of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Outside {
    /// It is inside.
    #[default]
    No,
    /// It is outside.
    Yes,
}

impl Outside {
    fn unless(inside: bool) -> Outside {
        if inside { Outside::No } else { Outside::Yes }
    }
}

impl Departure {
    /// In what the flow from `input` to `output` leaves an allow.
    pub fn of(
        rule: &Rule,
        flow: &Flow,
        (input, output): (&Resource, &Resource),
        server: &Server,
        topology: &Topology,
    ) -> Departure {
        let locations = rule.boundary.locations(topology);
        Departure {
            input: Outside::unless(locations.input.covers(input)),
            output: Outside::unless(locations.output.covers(output)),
            effects: flow.effects().minus(rule.boundary.effects),
            taint: flow.taint().minus(rule.boundary.taint),
            server: Outside::unless(rule.binding.admits(server)),
        }
    }

    /// In how many dimensions.
    pub fn count(&self) -> usize {
        let outside = [
            self.input == Outside::Yes,
            self.output == Outside::Yes,
            !self.effects.is_empty(),
            !self.taint.is_empty(),
            self.server == Outside::Yes,
        ];
        outside.into_iter().filter(|outside| *outside).count()
    }
}

impl Nearest {
    /// Looks for the allow that a pair leaves in the fewest dimensions: first among the rules at its own
    /// places, then where one side is close by, then where both are, then anywhere. Of equals the first
    /// found, which is the closest.
    pub(crate) fn find(
        asked: &Asked<'_>,
        (input, output): (&Resource, &Resource),
        (inputs, outputs): (&[ScopeId], &[ScopeId]),
    ) -> Option<Nearest> {
        let index = &asked.policy.allows;
        let near_inputs = index.inputs.near(input, NEIGHBOURS);
        let near_outputs = index.outputs.near(output, NEIGHBOURS);
        let few =
            |scopes: &[ScopeId]| -> Vec<ScopeId> { scopes.iter().take(NEIGHBOURS / 4).copied().collect() };
        let (few_inputs, few_outputs) = (few(&near_inputs), few(&near_outputs));
        let groups: [(&[ScopeId], &[ScopeId]); 4] = [
            (inputs, outputs),
            (&near_inputs, outputs),
            (inputs, &near_outputs),
            (&few_inputs, &few_outputs),
        ];
        let around = groups.into_iter().flat_map(|(inputs, outputs)| index.around(inputs, outputs));
        let candidates = around.filter(|(_, _, cell)| cell.holds(asked.now)).take(NEIGHBOURS * 16);
        let measured = candidates.filter_map(|(inputs, outputs, cell)| {
            Some((cell, departure(asked, index, (inputs, outputs), (input, output), cell)?))
        });
        let nearby =
            measured.map(|(cell, leaves)| (cell.position, leaves)).min_by_key(|(_, leaves)| leaves.count());
        let (position, leaves) = match nearby {
            Some((position, leaves)) if leaves.count() <= 1 => (position, leaves),
            _ => nearby
                .into_iter()
                .chain(anywhere(asked, (input, output)))
                .min_by_key(|(_, leaves)| leaves.count())?,
        };
        Some(Nearest { rule: asked.policy.entries.get(position as usize)?.id, leaves })
    }
}

/// In what a pair leaves the rule of a cell, at the scopes of that cell.
fn departure(
    asked: &Asked<'_>,
    index: &Index,
    (inputs, outputs): (ScopeId, ScopeId),
    (input, output): (&Resource, &Resource),
    cell: &Cell,
) -> Option<Departure> {
    let entry = asked.policy.entries.get(cell.position as usize)?;
    let covers = |region: Option<&Region>, resource| region.is_some_and(|region| region.covers(resource));
    Some(Departure {
        input: Outside::unless(covers(index.inputs.region(inputs), input)),
        output: Outside::unless(covers(index.outputs.region(outputs), output)),
        effects: asked.flow.effects().minus(cell.effects),
        taint: asked.flow.taint().minus(cell.taint),
        server: Outside::unless(entry.rule.binding.admits(asked.server)),
    })
}

/// The first allows there are, wherever they lie: one that leads elsewhere altogether can still be the nearest.
fn anywhere<'q>(
    asked: &'q Asked<'_>,
    pair: (&'q Resource, &'q Resource),
) -> impl Iterator<Item = (Position, Departure)> {
    let Asked { policy, flow, server, now } = *asked;
    let allows = policy.entries.iter().zip(0..).filter(|(entry, _)| entry.rule.action == Action::Allow);
    let holding = allows.filter(move |(entry, _)| !entry.rule.is_over(now)).take(NEIGHBOURS);
    holding.map(move |(entry, position)| {
        (position, Departure::of(&entry.rule, flow, pair, server, policy.topology()))
    })
}
