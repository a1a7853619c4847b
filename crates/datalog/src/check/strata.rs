//! In which order derived predicates can be worked out: those that depend on each other together, and after
//! everything else they depend on.

use super::names::{Meaning, Names};
use crate::limits::DEEPEST_NESTING;
use crate::problem::Problems;
use crate::syntax::{Literal, Rule};

/// Derived predicates in groups; predicates of one group depend on each other.
pub(crate) struct Strata {
    /// Each group comes after those it depends on.
    pub(crate) groups: Vec<Vec<usize>>,
    /// The group of each predicate.
    pub(crate) group_of: Vec<usize>,
}

impl Strata {
    pub(crate) fn new(rules: &[Rule], names: &Names<'_>) -> Strata {
        let edges = edges(rules, names);
        let mut search = Search {
            edges: &edges,
            seen: vec![None; edges.len()],
            lowest: vec![0; edges.len()],
            is_open: vec![false; edges.len()],
            open: Vec::new(),
            count: 0,
            strata: Strata { groups: Vec::new(), group_of: vec![0; edges.len()] },
        };
        (0..edges.len()).for_each(|predicate| search.visit(predicate));
        search.strata
    }

    /// Looks for negation inside a group, and for too many groups on top of each other.
    pub(super) fn check(&self, rules: &[Rule], names: &Names<'_>, problems: &mut Problems) {
        for rule in rules {
            let Some(Meaning::Derived(head)) = names.meaning(&rule.head.predicate) else { continue };
            for literal in &rule.body {
                let Literal::Fails(atom) = literal else { continue };
                let Some(Meaning::Derived(body)) = names.meaning(&atom.predicate) else { continue };
                if self.group_of.get(head) == self.group_of.get(body) {
                    let (head, body) = (&rule.head.predicate, &atom.predicate);
                    let message = format!("`{head}` depends on `not {body}`, which depends on `{head}`");
                    problems.error(
                        (rule.source, atom.at),
                        message,
                        || "what is negated must be worked out before: split the predicate into two",
                    );
                }
            }
        }
        self.check_depth(&edges(rules, names), names, problems);
    }

    fn check_depth(&self, edges: &[Vec<usize>], names: &Names<'_>, problems: &mut Problems) {
        let mut depths = vec![1_usize; self.groups.len()];
        for (group, members) in self.groups.iter().enumerate() {
            let below = members.iter().filter_map(|member| edges.get(*member)).flatten();
            let groups = below.filter_map(|below| self.group_of.get(*below)).filter(|below| **below != group);
            let depth = 1 + groups.filter_map(|below| depths.get(*below)).max().copied().unwrap_or(0);
            if let Some(place) = depths.get_mut(group) {
                *place = depth;
            }
            let first = members.first().and_then(|member| names.derived.get(*member));
            if let Some(derived) = first.filter(|_| depth == DEEPEST_NESTING + 1) {
                let message =
                    format!("`{}` stands on more than {DEEPEST_NESTING} other predicates", derived.name);
                problems.error(derived.at, message, || "use fewer predicates between the facts and the goal");
            }
        }
    }
}

/// For each derived predicate, those that its rules mention.
fn edges(rules: &[Rule], names: &Names<'_>) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); names.derived.len()];
    for rule in rules {
        let Some(Meaning::Derived(head)) = names.meaning(&rule.head.predicate) else { continue };
        let Some(edges) = edges.get_mut(head) else { continue };
        for literal in &rule.body {
            if let Literal::Holds(atom) | Literal::Fails(atom) = literal
                && let Some(Meaning::Derived(body)) = names.meaning(&atom.predicate)
            {
                edges.push(body);
            }
        }
    }
    edges
}

/// Tarjan's search for strongly connected components, without recursion, for programs may be hostile.
struct Search<'e> {
    edges: &'e [Vec<usize>],
    seen: Vec<Option<usize>>,
    lowest: Vec<usize>,
    is_open: Vec<bool>,
    open: Vec<usize>,
    count: usize,
    strata: Strata,
}

impl Search<'_> {
    fn visit(&mut self, start: usize) {
        if self.seen.get(start).copied().flatten().is_some() {
            return;
        }
        self.enter(start);
        let mut way = vec![(start, 0)];
        while let Some((at, next)) = way.last_mut() {
            let at = *at;
            let target = self.edges.get(at).and_then(|edges| edges.get(*next)).copied();
            *next += 1;
            match target {
                Some(target) => match self.seen.get(target).copied().flatten() {
                    None => {
                        self.enter(target);
                        way.push((target, 0));
                    }
                    Some(number) if self.is_open.get(target) == Some(&true) => self.lower(at, number),
                    Some(_) => {}
                },
                None => {
                    way.pop();
                    let lowest = self.lowest.get(at).copied().unwrap_or(0);
                    if let Some((above, _)) = way.last() {
                        self.lower(*above, lowest);
                    }
                    if self.seen.get(at).copied().flatten() == Some(lowest) {
                        self.close(at);
                    }
                }
            }
        }
    }

    fn enter(&mut self, at: usize) {
        put(&mut self.seen, at, Some(self.count));
        put(&mut self.lowest, at, self.count);
        put(&mut self.is_open, at, true);
        self.open.push(at);
        self.count += 1;
    }

    fn lower(&mut self, at: usize, number: usize) {
        if let Some(lowest) = self.lowest.get_mut(at) {
            *lowest = number.min(*lowest);
        }
    }

    fn close(&mut self, root: usize) {
        let mut members = Vec::new();
        while let Some(member) = self.open.pop() {
            put(&mut self.is_open, member, false);
            put(&mut self.strata.group_of, member, self.strata.groups.len());
            members.push(member);
            if member == root {
                break;
            }
        }
        members.sort_unstable();
        self.strata.groups.push(members);
    }
}

fn put<T>(places: &mut [T], at: usize, value: T) {
    if let Some(place) = places.get_mut(at) {
        *place = value;
    }
}
