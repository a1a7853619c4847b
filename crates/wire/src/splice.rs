//! Edits of a document that leave everything else byte for byte as it came.
//!
//! ```
//! use portcullis_wire::json::{Document, Limits};
//! use portcullis_wire::splice::Splice;
//!
//! let list = Document::parse(*br#"{ "tools": [ {"name":"a"} , {"name":"b"} ], "ttlMs": 1.0 }"#, &Limits::default()).unwrap();
//! let tools = list.root().get("tools").unwrap();
//! let mut splice = Splice::new(&list);
//! splice.remove(tools.items().next().unwrap());
//! splice.set_member(list.root(), "cacheScope", br#""private""#);
//! let edited = splice.finish().unwrap();
//! assert_eq!(edited, br#"{ "tools": [ {"name":"b"} ], "ttlMs": 1.0,"cacheScope":"private" }"#);
//! ```

use std::collections::BTreeMap;
use std::ops::Range;

use crate::json::{DEEPEST, Document, JsonError, Kind, Limits, Node, quote_into};

/// Edits of one document, to be made at once.
#[derive(Debug)]
pub struct Splice<'d> {
    document: &'d Document,
    /// By the place of the value on the tape.
    edits: BTreeMap<u32, Edit>,
    /// What is put into objects, by their place on the tape.
    inserts: BTreeMap<u32, Vec<(String, Vec<u8>)>>,
    error: Option<SpliceError>,
}

#[derive(Debug)]
enum Edit {
    Replace(Vec<u8>),
    Remove,
}

/// Edits that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    /// A node of another document.
    #[error("an edit is about another document")]
    Foreign,
    /// What shall be put in is no JSON.
    #[error("what is put in is not JSON: {0}")]
    NotJson(#[from] JsonError),
    /// Two edits of one value, or one inside what another replaces.
    #[error("two edits contradict each other at byte {at}")]
    Conflict {
        /// Where the value stands.
        at: usize,
    },
    /// The whole document cannot be removed.
    #[error("only elements and members can be removed")]
    Root,
    /// A member for something that has none.
    #[error("a member can only be put into an object, and byte {at} is none")]
    NoObject {
        /// Where the value stands.
        at: usize,
    },
    /// A member that is there already.
    #[error("the object at byte {at} has this member already")]
    Exists {
        /// Where the object stands.
        at: usize,
    },
}

impl<'d> Splice<'d> {
    /// No edits yet.
    pub fn new(document: &'d Document) -> Splice<'d> {
        Splice { document, edits: BTreeMap::new(), inserts: BTreeMap::new(), error: None }
    }

    /// Puts other JSON in the place of a value.
    pub fn replace(&mut self, node: Node<'_>, json: &[u8]) -> &mut Self {
        self.edit(node, Edit::Replace(json.to_vec()))
    }

    /// Takes out an element of an array with its comma, or the member of an object that has this value.
    pub fn remove(&mut self, node: Node<'_>) -> &mut Self {
        match node.index() {
            0 => self.fail(SpliceError::Root),
            _ => self.edit(node, Edit::Remove),
        }
    }

    /// Puts a member into an object that does not have it, as the last.
    pub fn insert_member(&mut self, object: Node<'_>, key: &str, json: &[u8]) -> &mut Self {
        let at = object.span().start;
        if object.kind() != Kind::Object {
            return self.fail(SpliceError::NoObject { at });
        }
        if !self.owns(object) {
            return self.fail(SpliceError::Foreign);
        }
        let inserts = self.inserts.entry(object.index()).or_default();
        if object.get(key).is_some() || inserts.iter().any(|(inserted, _)| inserted == key) {
            return self.fail(SpliceError::Exists { at });
        }
        inserts.push((key.to_owned(), json.to_vec()));
        self
    }

    /// Gives a member of an object this value, whether it is there already or not.
    pub fn set_member(&mut self, object: Node<'_>, key: &str, json: &[u8]) -> &mut Self {
        match object.get(key) {
            Some(value) => self.replace(value, json),
            None => self.insert_member(object, key, json),
        }
    }

    /// Whether there is anything to be done.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.inserts.is_empty()
    }

    /// The bytes with all edits made.
    ///
    /// # Errors
    /// If an edit cannot be made; the first that cannot is told.
    pub fn finish(self) -> Result<Vec<u8>, SpliceError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        self.check_fragments()?;
        let mut cuts = Cuts { splice: &self, cuts: Vec::new() };
        cuts.collect()?;
        let mut cuts = cuts.cuts;
        // What is put in at a place comes before what is cut out behind it.
        cuts.sort_by_key(|(range, _)| (range.start, range.end));
        Ok(apply(self.document.bytes(), &cuts))
    }

    fn edit(&mut self, node: Node<'_>, edit: Edit) -> &mut Self {
        if !self.owns(node) {
            return self.fail(SpliceError::Foreign);
        }
        match (self.edits.get(&node.index()), &edit) {
            (None, _) => drop(self.edits.insert(node.index(), edit)),
            // Said twice is said once.
            (Some(Edit::Remove), Edit::Remove) => {}
            (Some(Edit::Replace(before)), Edit::Replace(now)) if before == now => {}
            _ => return self.fail(SpliceError::Conflict { at: node.span().start }),
        }
        self
    }

    fn owns(&self, node: Node<'_>) -> bool {
        std::ptr::eq(node.document(), self.document)
    }

    fn fail(&mut self, error: SpliceError) -> &mut Self {
        self.error.get_or_insert(error);
        self
    }

    fn check_fragments(&self) -> Result<(), SpliceError> {
        let limits = Limits { bytes: usize::MAX, depth: DEEPEST, nodes: usize::MAX };
        let replaced = self.edits.values().filter_map(|edit| match edit {
            Edit::Replace(json) => Some(json),
            Edit::Remove => None,
        });
        let inserted = self.inserts.values().flatten().map(|(_, json)| json);
        for json in replaced.chain(inserted) {
            Document::parse(json.as_slice(), &limits)?;
        }
        Ok(())
    }
}

/// From edits to places in the bytes, each with what is put there.
struct Cuts<'s, 'd> {
    splice: &'s Splice<'d>,
    cuts: Vec<(Range<usize>, Vec<u8>)>,
}

/// An element of an array or a member of an object.
struct Child<'d> {
    value: Node<'d>,
    /// With its key.
    span: Range<usize>,
}

impl<'d> Cuts<'_, 'd> {
    fn collect(&mut self) -> Result<(), SpliceError> {
        // The containers whose children have to be looked at; what is removed or replaced is not.
        let mut open = vec![self.splice.document.root()];
        if let Some(Edit::Replace(json)) = self.splice.edits.get(&0) {
            self.replace(self.splice.document.root(), json)?;
            open.clear();
        }
        while let Some(container) = open.pop() {
            if !self.concerns(container) {
                continue;
            }
            let children: Vec<Child<'d>> = match container.kind() {
                Kind::Array => container.items().map(|value| Child { value, span: value.span() }).collect(),
                Kind::Object => container
                    .places()
                    .map(|(key, value)| Child { value, span: key.span().start..value.span().end })
                    .collect(),
                Kind::Null | Kind::Bool | Kind::Number | Kind::String => continue,
            };
            self.children(container, &children)?;
            let edits = &self.splice.edits;
            open.extend(
                children.iter().map(|child| child.value).filter(|value| !edits.contains_key(&value.index())),
            );
        }
        Ok(())
    }

    /// Whether anything is to be done to a container or to what is in it.
    fn concerns(&self, container: Node<'_>) -> bool {
        let inside = container.index() + 1..container.next();
        self.splice.edits.range(inside).next().is_some()
            || self.splice.inserts.range(container.index()..container.next()).next().is_some()
    }

    fn children(&mut self, container: Node<'d>, children: &[Child<'d>]) -> Result<(), SpliceError> {
        // Where the last child that stays ends.
        let mut kept: Option<usize> = None;
        let mut before = container.span().start + 1;
        for (index, child) in children.iter().enumerate() {
            match self.splice.edits.get(&child.value.index()) {
                Some(Edit::Remove) => {
                    // With the comma before it, or the one behind it if nothing stays before it.
                    let following = children.get(index + 1).map_or(child.span.end, |next| next.span.start);
                    let range = match kept {
                        Some(_) => before..child.span.end,
                        None => child.span.start..following,
                    };
                    self.cuts.push((range, Vec::new()));
                }
                Some(Edit::Replace(json)) => {
                    self.replace(child.value, json)?;
                    kept = Some(child.span.end);
                }
                None => kept = Some(child.span.end),
            }
            before = child.span.end;
        }
        self.insert(container, kept);
        Ok(())
    }

    fn insert(&mut self, container: Node<'_>, kept: Option<usize>) {
        let Some(inserts) = self.splice.inserts.get(&container.index()) else { return };
        let mut json = Vec::new();
        for (count, (key, value)) in inserts.iter().enumerate() {
            if kept.is_some() || count > 0 {
                json.push(b',');
            }
            let mut quoted = String::new();
            quote_into(key, &mut quoted);
            json.extend_from_slice(quoted.as_bytes());
            json.push(b':');
            json.extend_from_slice(value);
        }
        let place = kept.unwrap_or(container.span().start + 1);
        self.cuts.push((place..place, json));
    }

    fn replace(&mut self, node: Node<'_>, json: &[u8]) -> Result<(), SpliceError> {
        let inner = self.splice.edits.range(node.index() + 1..node.next()).next().map(|(index, _)| *index);
        let inserted = self.splice.inserts.range(node.index()..node.next()).next().map(|(index, _)| *index);
        match inner.or(inserted) {
            Some(_) => Err(SpliceError::Conflict { at: node.span().start }),
            None => {
                self.cuts.push((node.span(), json.to_vec()));
                Ok(())
            }
        }
    }
}

fn apply(bytes: &[u8], cuts: &[(Range<usize>, Vec<u8>)]) -> Vec<u8> {
    let mut edited = Vec::with_capacity(bytes.len() + cuts.iter().map(|(_, json)| json.len()).sum::<usize>());
    let mut at = 0;
    for (range, json) in cuts {
        edited.extend_from_slice(bytes.get(at..range.start).unwrap_or_default());
        edited.extend_from_slice(json);
        at = range.end;
    }
    edited.extend_from_slice(bytes.get(at..).unwrap_or_default());
    edited
}
