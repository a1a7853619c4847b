//! What the bytes under a name mean, read only if they are not known.

use super::super::ledger::{Entry, Sight};
use super::super::listing::Claim;
use crate::definition::Definition;
use crate::hash::ContentHash;

/// What a listing has under one name.
pub(super) enum Content<'d> {
    /// One definition.
    Known { sight: Sight, bytes: &'d [u8], definition: Option<Box<Definition>> },
    /// Several that differ.
    Ambiguous,
    /// None that can be read, or one beside others.
    Unreadable(String),
}

impl<'d> Content<'d> {
    pub(super) fn of(claims: &[Claim<'d>], name: &str, entry: Option<&Entry>, aside: &[&str]) -> Content<'d> {
        if let Some(reason) = claims.iter().find_map(broken) {
            return Content::Unreadable(reason.to_owned());
        }
        match claims {
            [Claim::Definition(bytes)] => Content::one(bytes, name, entry, aside),
            [] | [Claim::Broken(_)] => Content::Unreadable("there is nothing to read".to_owned()),
            several => Content::several(several, name, aside),
        }
    }

    /// Bytes that were seen before mean what they meant.
    fn one(bytes: &'d [u8], name: &str, entry: Option<&Entry>, aside: &[&str]) -> Content<'d> {
        let raw = ContentHash::of(bytes);
        let accepted = entry.and_then(|entry| entry.accepted.as_ref());
        let accepted = accepted.map(|accepted| Sight { raw: accepted.raw, content: accepted.content });
        let seen = entry.and_then(|entry| entry.seen);
        match [accepted, seen].into_iter().flatten().find(|sight| sight.raw == raw) {
            Some(sight) => Content::Known { sight, bytes, definition: None },
            None => Content::parsed(bytes, name, aside),
        }
    }

    fn parsed(bytes: &'d [u8], name: &str, aside: &[&str]) -> Content<'d> {
        match Definition::parse(bytes, aside) {
            Ok(definition) if definition.name() == name => {
                let sight = Sight { raw: definition.raw(), content: definition.content() };
                Content::Known { sight, bytes, definition: Some(Box::new(definition)) }
            }
            Ok(_) => {
                Content::Unreadable("the definition has another name than it is listed under".to_owned())
            }
            Err(error) => Content::Unreadable(error.to_string()),
        }
    }

    /// The same definition in other bytes is no contradiction.
    fn several(claims: &[Claim<'d>], name: &str, aside: &[&str]) -> Content<'d> {
        let all: Vec<Content<'d>> = claims
            .iter()
            .filter_map(|claim| match claim {
                Claim::Definition(bytes) => Some(Content::parsed(bytes, name, aside)),
                Claim::Broken(_) => None,
            })
            .collect();
        let is_same = all.iter().zip(all.iter().skip(1)).all(|(one, next)| one.hash() == next.hash());
        // Which of them is taken must not depend on the order of pages.
        let least = all.into_iter().min_by_key(|content| content.sight().map(|sight| sight.raw));
        match (is_same, least) {
            (true, Some(content)) => content,
            _ => Content::Ambiguous,
        }
    }

    pub(super) fn hash(&self) -> Option<ContentHash> {
        self.sight().map(|sight| sight.content)
    }

    pub(super) fn sight(&self) -> Option<Sight> {
        match self {
            Content::Known { sight, .. } => Some(*sight),
            Content::Ambiguous | Content::Unreadable(_) => None,
        }
    }

    /// Reads the definition if that has not been needed so far.
    pub(super) fn read(&mut self, aside: &[&str]) {
        if let Content::Known { bytes, definition, .. } = self
            && definition.is_none()
        {
            *definition = Definition::parse(bytes, aside).ok().map(Box::new);
        }
    }

    pub(super) fn into_definition(self) -> Option<Definition> {
        match self {
            Content::Known { definition, .. } => definition.map(|definition| *definition),
            Content::Ambiguous | Content::Unreadable(_) => None,
        }
    }
}

fn broken<'c>(claim: &'c Claim<'_>) -> Option<&'c str> {
    match claim {
        Claim::Broken(reason) => Some(reason),
        Claim::Definition(_) => None,
    }
}
