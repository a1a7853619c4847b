//! A trie over the segments of patterns.
//!
//! Literal segments are found by one look-up of the node before and the text together. Globs of a node are
//! filed by their longer literal end, `*.pdf` under `.pdf` and `C07*` under `C07`, so that a node with very
//! many of them (`*@a.com`, `*@b.com`, …) is not searched through: one look-up for each length that occurs.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};
use core::ops::Range;

use foldhash::fast::FixedState;
use hashbrown::hash_table::Entry;
use hashbrown::{HashMap, HashTable};
use smallvec::SmallVec;

use crate::flags::Effects;
use crate::glob;
use crate::name::Stars;
use crate::pattern::{Depth, Pattern, Segment};

/// The number of a scope. A scope inside another has the lower number.
pub(crate) type ScopeId = u32;

/// Scopes around a resource, the narrower first.
pub(crate) type Matches = SmallVec<[ScopeId; 16]>;

type NodeId = u32;
const ROOT: NodeId = 0;

#[derive(Clone, Debug)]
pub(crate) struct Trie {
    nodes: Vec<Node>,
    /// The nodes that literal segments lead to, by the node before and the text. Both are read off the node
    /// found, which is the next one to be looked at anyway.
    literals: HashTable<NodeId>,
    /// The scopes of all nodes, each node's before those of the nodes below it.
    scopes: Vec<ScopeId>,
}

/// Where the scopes of a node and of all below it stand in the list of all.
type Span = Range<u32>;

#[derive(Clone, Debug)]
struct Node {
    /// The segment that leads here; the head for the first level.
    label: Segment,
    parent: NodeId,
    children: Vec<NodeId>,
    globs: Option<Box<Globs>>,
    /// Scopes that end here and hold only this place.
    here: SmallVec<[ScopeId; 1]>,
    /// Scopes that end here and hold everything below too.
    below: SmallVec<[ScopeId; 1]>,
    span: Span,
    /// Every effect of a rule here or further down.
    effects: Effects,
}

impl Default for Trie {
    fn default() -> Trie {
        let root = Node::new(Segment::Literal("".into()), ROOT);
        Trie { nodes: vec![root], literals: HashTable::new(), scopes: Vec::new() }
    }
}

impl Node {
    fn new(label: Segment, parent: NodeId) -> Node {
        Node {
            label,
            parent,
            children: Vec::new(),
            globs: None,
            here: SmallVec::new(),
            below: SmallVec::new(),
            span: 0..0,
            effects: Effects::EMPTY,
        }
    }
}

impl Trie {
    pub(crate) fn insert(&mut self, pattern: &Pattern, scope: ScopeId, effects: Effects) {
        let mut node = self.child(ROOT, &Segment::Literal(pattern.head().as_str().into()));
        self.note(node, effects);
        for segment in pattern.segments() {
            node = self.child(node, segment);
            self.note(node, effects);
        }
        if let Some(node) = self.nodes.get_mut(node as usize) {
            match pattern.depth() {
                Depth::Here => node.here.push(scope),
                Depth::Below => node.below.push(scope),
            }
        }
    }

    fn note(&mut self, node: NodeId, effects: Effects) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.effects = node.effects.join(effects);
        }
    }

    /// The child by this segment, made if it is not there yet.
    fn child(&mut self, parent: NodeId, label: &Segment) -> NodeId {
        let new = self.nodes.len() as NodeId;
        let found = match label {
            Segment::Literal(text) => {
                let is_it = |node: &NodeId| is_child(&self.nodes, *node, parent, text);
                let hash_again = |node: &NodeId| {
                    self.nodes.get(*node as usize).map_or(0, |node| hash(node.parent, node.label.text()))
                };
                match self.literals.entry(hash(parent, text), is_it, hash_again) {
                    Entry::Occupied(found) => *found.get(),
                    Entry::Vacant(place) => *place.insert(new).get(),
                }
            }
            Segment::Glob(text) => match self.nodes.get_mut(parent as usize) {
                Some(node) => node.globs.get_or_insert_default().find_or_insert(text, new),
                None => new,
            },
        };
        if found == new {
            self.nodes.push(Node::new(label.clone(), parent));
            if let Some(node) = self.nodes.get_mut(parent as usize) {
                node.children.push(new);
            }
        }
        found
    }

    fn literal_child(&self, parent: NodeId, text: &str) -> Option<NodeId> {
        self.literals.find(hash(parent, text), |node| is_child(&self.nodes, *node, parent, text)).copied()
    }

    /// Adds the scopes that hold all of `pattern`, or, with its stars read literally, the one name that it
    /// then is.
    pub(crate) fn covering(&self, pattern: &Pattern, stars: Stars, found: &mut Matches) {
        // The literal path is followed to its end; what globs lead to is kept for later.
        let mut open: SmallVec<[(NodeId, usize); 8]> = SmallVec::new();
        let mut next = self.literal_child(ROOT, pattern.head().as_str()).map(|node| (node, 0));
        while let Some((number, taken)) = next.take().or_else(|| open.pop()) {
            let Some(node) = self.nodes.get(number as usize) else { continue };
            add(found, &node.below);
            let Some(segment) = pattern.segments().get(taken) else {
                if pattern.depth() == Depth::Here {
                    add(found, &node.here);
                }
                continue;
            };
            if matches!(segment, Segment::Literal(_)) || stars == Stars::Literal {
                next = self.literal_child(number, segment.text()).map(|child| (child, taken + 1));
            }
            if let Some(globs) = &node.globs {
                globs.containing(segment.text(), |child| open.push((child, taken + 1)));
            }
        }
    }

    /// Adds the scopes that have a name in common with `pattern`, except such as lie where no rule has any of
    /// `effects`.
    pub(crate) fn overlapping(&self, pattern: &Pattern, effects: Effects, found: &mut Matches) {
        let mut open: SmallVec<[(NodeId, usize); 16]> = SmallVec::new();
        open.extend(self.literal_child(ROOT, pattern.head().as_str()).map(|node| (node, 0)));
        while let Some((number, taken)) = open.pop() {
            let Some(node) = self.nodes.get(number as usize).filter(|node| node.effects.overlaps(effects))
            else {
                continue;
            };
            add(found, &node.below);
            match (pattern.segments().get(taken), pattern.depth()) {
                (Some(segment), _) => {
                    let meets = |child: &&NodeId| {
                        self.nodes.get(**child as usize).is_some_and(|child| child.label.overlaps(segment))
                    };
                    // A literal segment has at most one literal child; searching all for it would be a waste.
                    match segment {
                        Segment::Literal(text) => {
                            open.extend(self.literal_child(number, text).map(|child| (child, taken + 1)));
                            if let Some(globs) = &node.globs {
                                globs.containing(text, |child| open.push((child, taken + 1)));
                            }
                        }
                        Segment::Glob(_) => {
                            open.extend(node.children.iter().filter(meets).map(|child| (*child, taken + 1)));
                        }
                    }
                }
                (None, Depth::Here) => add(found, &node.here),
                (None, Depth::Below) => {
                    add(found, &node.here);
                    open.extend(node.children.iter().map(|child| (*child, taken)));
                }
            }
        }
    }

    /// Adds scopes from around the place that `pattern` names, closer ones first, until `found` has `limit`.
    pub(crate) fn near(&self, pattern: &Pattern, limit: usize, found: &mut Vec<ScopeId>) {
        let mut path: SmallVec<[&Span; 8]> = SmallVec::new();
        let mut parent = ROOT;
        let heads = core::iter::once(pattern.head().as_str());
        for text in heads.chain(pattern.segments().iter().map(Segment::text)) {
            let Some(child) = self.literal_child(parent, text) else { break };
            path.extend(self.nodes.get(child as usize).map(|node| &node.span));
            parent = child;
        }
        let mut explored: Option<&Span> = None;
        for around in path.into_iter().rev() {
            let inner = explored.cloned().unwrap_or(around.start..around.start);
            for span in [around.start..inner.start, inner.end..around.end] {
                let scopes = self.scopes.get(span.start as usize..span.end as usize).unwrap_or_default();
                found.extend(scopes.iter().take(limit.saturating_sub(found.len())));
            }
            explored = Some(around);
        }
    }

    /// Lists the scopes so that those below each node stand together. To be done when all are inserted.
    pub(crate) fn arrange(&mut self) {
        self.scopes.clear();
        let mut open = vec![Step::Enter(ROOT)];
        while let Some(step) = open.pop() {
            match step {
                Step::Enter(number) => {
                    let Some(node) = self.nodes.get_mut(number as usize) else { continue };
                    node.span.start = self.scopes.len() as u32;
                    self.scopes.extend(node.here.iter().chain(&node.below));
                    open.push(Step::Leave(number));
                    open.extend(node.children.iter().rev().map(|child| Step::Enter(*child)));
                }
                Step::Leave(number) => {
                    let Some(node) = self.nodes.get_mut(number as usize) else { continue };
                    node.span.end = self.scopes.len() as u32;
                }
            }
        }
    }
}

/// A step of a walk through all nodes, each before and after those below it.
enum Step {
    Enter(NodeId),
    Leave(NodeId),
}

fn hash(parent: NodeId, text: &str) -> u64 {
    let mut hasher = FixedState::default().build_hasher();
    hasher.write_u32(parent);
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Whether `text` leads from `parent` to `node`.
fn is_child(nodes: &[Node], node: NodeId, parent: NodeId, text: &str) -> bool {
    nodes.get(node as usize).is_some_and(|node| node.parent == parent && node.label.text() == text)
}

/// Mostly there are none or one to add, for which pushing is faster than copying a slice.
fn add(found: &mut Matches, scopes: &[ScopeId]) {
    for scope in scopes {
        found.push(*scope);
    }
}

/// The globs that lead on from a node.
#[derive(Clone, Debug, Default)]
struct Globs {
    by_start: Filed,
    by_end: Filed,
    /// Those with no literal text at either end.
    loose: Vec<(Box<str>, NodeId)>,
}

/// Globs filed under a literal text that they begin or end with.
#[derive(Clone, Debug, Default)]
struct Filed {
    lengths: SmallVec<[usize; 4]>,
    globs: HashMap<String, Vec<(Box<str>, NodeId)>, FixedState>,
}

impl Globs {
    fn find_or_insert(&mut self, glob: &str, new: NodeId) -> NodeId {
        let start = glob.split('*').next().unwrap_or_default();
        let end = glob.rsplit('*').next().unwrap_or_default();
        let globs = match (start, end) {
            ("", "") => &mut self.loose,
            _ if start.len() >= end.len() => self.by_start.under(start),
            _ => self.by_end.under(end),
        };
        if let Some((_, node)) = globs.iter().find(|(known, _)| &**known == glob) {
            return *node;
        }
        globs.push((glob.into(), new));
        new
    }

    /// Calls `take` for every glob that holds all of `text`.
    fn containing(&self, text: &str, mut take: impl FnMut(NodeId)) {
        let starts = self.by_start.lengths.iter().filter_map(|&length| text.get(..length));
        let ends =
            self.by_end.lengths.iter().filter_map(|&length| text.get(text.len().checked_sub(length)?..));
        let filed = starts
            .filter_map(|start| self.by_start.globs.get(start))
            .chain(ends.filter_map(|end| self.by_end.globs.get(end)))
            .flatten();
        for (glob, node) in filed.chain(&self.loose) {
            if glob::contains(glob, text) {
                take(*node);
            }
        }
    }
}

impl Filed {
    fn under(&mut self, text: &str) -> &mut Vec<(Box<str>, NodeId)> {
        if !self.lengths.contains(&text.len()) {
            self.lengths.push(text.len());
        }
        self.globs.entry_ref(text).or_default()
    }
}
