//! Going about in a document.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::string::unescaped;
use super::{Document, Slot};

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, however it is written.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

/// A value of a document.
#[derive(Clone, Copy)]
pub struct Node<'d> {
    document: &'d Document,
    index: u32,
}

impl<'d> Node<'d> {
    pub(super) fn new(document: &'d Document, index: u32) -> Node<'d> {
        Node { document, index }
    }

    /// What it is.
    pub fn kind(self) -> Kind {
        self.slot().kind
    }

    /// The document that it is part of.
    pub fn document(self) -> &'d Document {
        self.document
    }

    /// Where it stands in the bytes of the document.
    pub fn span(self) -> Range<usize> {
        let slot = self.slot();
        slot.start as usize..slot.end as usize
    }

    /// Its bytes, as they came.
    pub fn raw(self) -> &'d [u8] {
        self.raw_text().as_bytes()
    }

    /// Its text, as it came.
    pub fn raw_text(self) -> &'d str {
        self.document.text.get(self.span()).unwrap_or_default()
    }

    /// The value of a key, if this is an object that has it.
    pub fn get(self, key: &str) -> Option<Node<'d>> {
        self.member(key).map(|(_, value)| value)
    }

    /// The elements in their order; none if this is no array.
    pub fn items(self) -> Items<'d> {
        let slot = self.slot();
        let end = if slot.kind == Kind::Array { slot.next } else { 0 };
        Items { document: self.document, index: self.index + 1, end }
    }

    /// The keys with their values in their order; none if this is no object.
    pub fn members(self) -> Members<'d> {
        Members { places: self.places() }
    }

    /// What a string says.
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        (self.kind() == Kind::String).then(|| self.says())
    }

    /// Whether it is a string that says just this.
    pub fn is_str(self, text: &str) -> bool {
        self.kind() == Kind::String && self.says() == text
    }

    /// A number that is written as an integer, without fraction and exponent, and fits.
    pub fn as_u64(self) -> Option<u64> {
        self.as_integer()
    }

    /// A number that is written as an integer, without fraction and exponent, and fits.
    pub fn as_i64(self) -> Option<i64> {
        self.as_integer()
    }

    /// Whether it is `true`, if it is that or `false`.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == Kind::Bool).then(|| self.raw_text() == "true")
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Null
    }

    /// Whether it is an array.
    pub fn is_array(self) -> bool {
        self.kind() == Kind::Array
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == Kind::Object
    }

    fn as_integer<I: std::str::FromStr>(self) -> Option<I> {
        // The grammar has no plus and no leading zeros, so that this reads exactly its integers.
        if self.kind() == Kind::Number { self.raw_text().parse().ok() } else { None }
    }

    /// The key and the value, if this is an object that has it.
    pub(crate) fn member(self, key: &str) -> Option<(Node<'d>, Node<'d>)> {
        self.places().find(|(name, _)| {
            let slot = name.slot();
            match slot.escaped {
                // Without its quotes.
                false => self.document.text.get(slot.start as usize + 1..slot.end as usize - 1) == Some(key),
                true => name.says() == key,
            }
        })
    }

    /// The nodes of keys and values.
    pub(crate) fn places(self) -> Places<'d> {
        let slot = self.slot();
        let end = if slot.kind == Kind::Object { slot.next } else { 0 };
        Places { document: self.document, index: self.index + 1, end }
    }

    /// Its place on the tape.
    pub(crate) fn index(self) -> u32 {
        self.index
    }

    /// The place on the tape behind all that is in it.
    pub(crate) fn next(self) -> u32 {
        self.slot().next
    }

    fn slot(self) -> Slot {
        self.document.slot(self.index)
    }

    fn says(self) -> Cow<'d, str> {
        let slot = self.slot();
        let raw = self.document.text.get(slot.start as usize + 1..slot.end as usize - 1);
        unescaped(raw.unwrap_or_default(), slot.escaped)
    }
}

/// Says where it stands, not what it says.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?} at {:?}", self.kind(), self.span())
    }
}

/// The elements of an array.
#[derive(Debug, Clone)]
pub struct Items<'d> {
    document: &'d Document,
    index: u32,
    end: u32,
}

impl<'d> Iterator for Items<'d> {
    type Item = Node<'d>;

    fn next(&mut self) -> Option<Node<'d>> {
        if self.index >= self.end {
            return None;
        }
        let item = Node::new(self.document, self.index);
        self.index = item.next();
        Some(item)
    }
}

/// The members of an object.
#[derive(Debug, Clone)]
pub struct Members<'d> {
    places: Places<'d>,
}

impl<'d> Iterator for Members<'d> {
    type Item = (Cow<'d, str>, Node<'d>);

    fn next(&mut self) -> Option<(Cow<'d, str>, Node<'d>)> {
        self.places.next().map(|(key, value)| (key.says(), value))
    }
}

/// The members of an object, with the keys as nodes.
#[derive(Debug, Clone)]
pub(crate) struct Places<'d> {
    document: &'d Document,
    index: u32,
    end: u32,
}

impl<'d> Iterator for Places<'d> {
    type Item = (Node<'d>, Node<'d>);

    fn next(&mut self) -> Option<(Node<'d>, Node<'d>)> {
        if self.index >= self.end {
            return None;
        }
        let (key, value) = (Node::new(self.document, self.index), Node::new(self.document, self.index + 1));
        self.index = value.next();
        Some((key, value))
    }
}
