//! Laws of edits, with edits of a tree as the model.

use std::collections::BTreeMap;

use portcullis_wire::json::{Document, Kind, Node};
use portcullis_wire::splice::{Splice, SpliceError};
use proptest::prelude::*;
use serde_json::{Map, Value};

use crate::random::{Choices, choices, config, key, parse, value, written};

/// The way to a value: which child of which child, counted in the order of the text.
type Path = Vec<usize>;

#[derive(Debug, Clone)]
enum Change {
    Replace(Value),
    Remove,
    Set(String, Value),
}

/// Changes, each with the choice of where.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Change)>> {
    let change = prop_oneof![
        value().prop_map(Change::Replace),
        Just(Change::Remove),
        Just(Change::Remove),
        (key(), value()).prop_map(|(key, value)| Change::Set(key, value)),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), change), 0..6)
}

/// All values of a document with their ways.
fn paths<'d>(node: Node<'d>, path: &Path, all: &mut Vec<(Path, Node<'d>)>) {
    all.push((path.clone(), node));
    let children = node.items().chain(node.members().map(|(_, value)| value));
    for (index, child) in children.enumerate() {
        paths(child, &[path.as_slice(), &[index]].concat(), all);
    }
}

/// Edits that do not contradict each other, by the way to the value.
#[derive(Debug, Default)]
struct Model {
    replaced: BTreeMap<Path, Value>,
    removed: Vec<Path>,
    set: BTreeMap<Path, Map<String, Value>>,
}

impl Model {
    /// The value after all edits, unless it is removed.
    fn edited(&self, node: Node<'_>, path: &Path) -> Option<Value> {
        if self.removed.contains(path) {
            return None;
        }
        if let Some(value) = self.replaced.get(path) {
            return Some(value.clone());
        }
        let child = |index: usize, node: Node<'_>| self.edited(node, &[path.as_slice(), &[index]].concat());
        match node.kind() {
            Kind::Array => {
                let items = node.items().enumerate();
                Some(Value::Array(items.filter_map(|(index, item)| child(index, item)).collect()))
            }
            Kind::Object => {
                let members = node.members().enumerate();
                let kept = members
                    .filter_map(|(index, (key, value))| Some((key.into_owned(), child(index, value)?)));
                let mut map: Map<String, Value> = kept.collect();
                map.extend(self.set.get(path).cloned().unwrap_or_default());
                Some(Value::Object(map))
            }
            Kind::Null | Kind::Bool | Kind::Number | Kind::String => Some(node.to_value().unwrap()),
        }
    }

    /// Whether an edit here would contradict one that is there.
    fn contradicts(&self, path: &Path, change: &Change) -> bool {
        let is_same = self.replaced.contains_key(path) || self.removed.contains(path);
        let is_inside = self.replaced.keys().any(|outer| path.starts_with(outer));
        let holds = || {
            let set = self.set.keys().any(|inner| inner.starts_with(path));
            set || self.replaced.keys().chain(&self.removed).any(|inner| inner.starts_with(path))
        };
        match change {
            Change::Replace(_) => is_same || is_inside || holds(),
            Change::Remove => is_same || is_inside || path.is_empty(),
            Change::Set(..) => is_inside,
        }
    }
}

/// Makes the changes that make sense, in both worlds.
fn apply<'d>(document: &'d Document, changes: &[(prop::sample::Index, Change)]) -> (Splice<'d>, Model) {
    let mut all = Vec::new();
    paths(document.root(), &Vec::new(), &mut all);
    let (mut splice, mut model) = (Splice::new(document), Model::default());
    for (place, change) in changes {
        let (path, node) = &all[place.index(all.len())];
        if model.contradicts(path, change) {
            continue;
        }
        match change {
            Change::Replace(value) => {
                splice.replace(*node, value.to_string().as_bytes());
                model.replaced.insert(path.clone(), value.clone());
            }
            Change::Remove => {
                splice.remove(*node);
                model.removed.push(path.clone());
            }
            Change::Set(key, value) => {
                let is_new = !model.set.get(path).is_some_and(|set| set.contains_key(key));
                if node.kind() == Kind::Object && node.get(key).is_none() && is_new {
                    splice.set_member(*node, key, value.to_string().as_bytes());
                    model.set.entry(path.clone()).or_default().insert(key.clone(), value.clone());
                }
            }
        }
    }
    (splice, model)
}

/// A part that nobody touched is in the edited document byte for byte.
fn untouched(before: Node<'_>, after: Node<'_>, path: &Path, model: &Model) -> Result<(), TestCaseError> {
    let touched = |path: &Path| {
        let mut all = model.replaced.keys().chain(&model.removed).chain(model.set.keys());
        all.any(|edited| edited.starts_with(path))
    };
    if !touched(path) {
        prop_assert_eq!(before.raw(), after.raw());
        return Ok(());
    }
    let children = before.items().chain(before.members().map(|(_, value)| value)).enumerate();
    let kept = children
        .map(|(index, child)| ([path.as_slice(), &[index]].concat(), child))
        .filter(|(path, _)| !model.removed.contains(path));
    let now = after.items().chain(after.members().map(|(_, value)| value));
    for ((path, before), after) in kept.zip(now) {
        if !model.replaced.contains_key(&path) {
            untouched(before, after, &path, model)?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn an_edited_text_is_the_edited_value(value in value(), choices in choices(), changes in changes()) {
        let text = written(&value, &mut Choices::new(choices));
        let document = parse(text.as_bytes());
        let (splice, model) = apply(&document, &changes);
        let is_empty = splice.is_empty();
        let edited = splice.finish().unwrap();
        prop_assert_eq!(is_empty, edited == text.as_bytes() && model.replaced.is_empty()
            && model.removed.is_empty() && model.set.is_empty());
        let again = parse(&edited);
        prop_assert_eq!(again.root().to_value().unwrap(), model.edited(document.root(), &Vec::new()).unwrap());
        if !model.replaced.contains_key(&Vec::new()) {
            untouched(document.root(), again.root(), &Vec::new(), &model)?;
        }
        // What stands around the value stays as well.
        let root = document.root().span();
        prop_assert!(edited.starts_with(&text.as_bytes()[..root.start]));
        prop_assert!(edited.ends_with(&text.as_bytes()[root.end..]));
    }

    #[test]
    fn any_children_can_be_taken_out(count in 0..9usize, gone in any::<u16>(), choices in choices()) {
        let items: Vec<Value> = (0..count).map(Value::from).collect();
        let members: Map<String, Value> = (0..count).map(|key| (format!("k{key}"), Value::from(key))).collect();
        let stays = |index: &usize| gone >> index & 1 == 0;
        let mut choices = Choices::new(choices);
        for value in [Value::Array(items), Value::Object(members)] {
            let document = parse(written(&value, &mut choices).as_bytes());
            let mut splice = Splice::new(&document);
            let children = document.root().items().chain(document.root().members().map(|(_, value)| value));
            for (index, child) in children.enumerate() {
                if !stays(&index) {
                    splice.remove(child);
                }
            }
            if value.is_object() {
                splice.insert_member(document.root(), "new", b"[]");
            }
            let edited = parse(&splice.finish().unwrap());
            let left: Vec<u64> = edited.root().items().chain(edited.root().members().map(|(_, value)| value))
                .filter_map(Node::as_u64).collect();
            prop_assert_eq!(left, (0..count).filter(stays).map(|index| index as u64).collect::<Vec<_>>());
            prop_assert_eq!(edited.root().get("new").is_some(), value.is_object());
        }
    }

    #[test]
    fn what_is_no_json_is_not_put_in(choices in choices(), broken in "[^\"0-9tfn ]{1,3}") {
        let document = parse(written(&serde_json::json!({"a": [1]}), &mut Choices::new(choices)).as_bytes());
        prop_assume!(serde_json::from_str::<Value>(&broken).is_err());
        let node = document.root().get("a").unwrap();
        let mut replaced = Splice::new(&document);
        replaced.replace(node, broken.as_bytes());
        prop_assert!(matches!(replaced.finish(), Err(SpliceError::NotJson(_))));
        let mut inserted = Splice::new(&document);
        inserted.insert_member(document.root(), "b", broken.as_bytes());
        prop_assert!(matches!(inserted.finish(), Err(SpliceError::NotJson(_))));
    }
}

#[test]
fn edits_that_contradict_each_other_are_refused() {
    let document = parse(br#"{"a":{"b":[1,2]},"c":3}"#);
    let other = parse(b"[1]");
    let (root, a) = (document.root(), document.root().get("a").unwrap());
    let b = a.get("b").unwrap();
    let first = b.items().next().unwrap();
    let refused = |edit: &dyn Fn(&mut Splice<'_>)| {
        let mut splice = Splice::new(&document);
        edit(&mut splice);
        splice.finish().unwrap_err()
    };
    let conflict = |at: usize| SpliceError::Conflict { at };
    assert_eq!(refused(&|s| _ = s.replace(a, b"1").replace(a, b"2")), conflict(5));
    assert_eq!(refused(&|s| _ = s.replace(a, b"1").remove(a)), conflict(5));
    assert_eq!(refused(&|s| _ = s.replace(a, b"1").remove(first)), conflict(5));
    assert_eq!(refused(&|s| _ = s.set_member(a, "x", b"1").replace(a, b"1")), conflict(5));
    assert_eq!(refused(&|s| _ = s.replace(root, b"1").replace(b, b"1")), conflict(0));
    assert_eq!(refused(&|s| _ = s.remove(root)), SpliceError::Root);
    assert_eq!(refused(&|s| _ = s.replace(other.root(), b"1")), SpliceError::Foreign);
    assert_eq!(refused(&|s| _ = s.remove(other.root().items().next().unwrap())), SpliceError::Foreign);
    assert_eq!(refused(&|s| _ = s.insert_member(root, "c", b"1")), SpliceError::Exists { at: 0 });
    let twice = |s: &mut Splice<'_>| _ = s.insert_member(a, "x", b"1").insert_member(a, "x", b"1");
    assert_eq!(refused(&twice), SpliceError::Exists { at: 5 });
    assert_eq!(refused(&|s| _ = s.insert_member(b, "x", b"1")), SpliceError::NoObject { at: 10 });
}

#[test]
fn what_is_said_twice_or_inside_what_goes_is_said_once() {
    let document = parse(br#"{"a":{"b":[1,2]},"c":3}"#);
    let a = document.root().get("a").unwrap();
    let b = a.get("b").unwrap();
    let mut splice = Splice::new(&document);
    splice.remove(a).remove(a).remove(b).replace(b.items().next().unwrap(), b"9").set_member(a, "x", b"1");
    let c = document.root().get("c").unwrap();
    splice.set_member(document.root(), "c", b"4").replace(c, b"4");
    assert_eq!(splice.finish().unwrap(), br#"{"c":4}"#);
}
