//! From segments to one place: links are followed where they stand, so that `..` after one leads where it leads.

use std::borrow::Cow;

use super::{Family, Note, Notes, PathError, Start, read};

/// As many links in one path as Linux follows.
const MOST_LINKS: usize = 40;

/// What a resolver found at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A file, a folder, or nothing yet: the place is what its name says.
    Plain,
    /// A link, with its target as the link has it: absolute, or relative to the folder that holds the link.
    Link(String),
    /// The place could not be looked at.
    Unseen,
}

/// Says which places are links.
///
/// A path is walked from its root, one segment at a time, and every place on the way is asked about once what comes
/// before it is free of links. In `a/link/../b` the resolver hears of `…/a`, then `…/a/link`; if that leads to `/x/y`,
/// of `/x` and `/x/y`; then `..` is taken from there, and it hears of `/x/b`. A resolver need look at no more than one
/// place (`readlink`), and never at `..`.
///
/// Places are written `/home/u/a` on Unix, `/C:/Users/u` or `//server/share/a` on Windows, in the case of the text.
/// On Windows a resolver can answer a short name (`PROGRA~1`) with a link to the long one.
pub trait Resolver {
    /// What is at the place.
    fn look(&self, place: &str) -> Found;
}

/// A machine without links, or one whose disk cannot be seen and need not be.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLinks;

impl Resolver for NoLinks {
    fn look(&self, _: &str) -> Found {
        Found::Plain
    }
}

impl<F: Fn(&str) -> Found> Resolver for F {
    fn look(&self, place: &str) -> Found {
        self(place)
    }
}

/// The place that the segments lead to, as the platform reads them; where another reading leads elsewhere, a note
/// says so.
pub(super) fn readings(
    root: &str,
    parts: &[Cow<'_, str>],
    family: Family,
    resolver: &(impl Resolver + ?Sized),
    notes: &mut Notes,
) -> Result<String, PathError> {
    let mut physical = Walk::new(root, family, resolver);
    let place = physical.follow(parts)?;
    if !physical.climbed_after_link {
        notes.0.extend(physical.notes.0);
        return Ok(place);
    }
    let mut textual = Walk::new(root, family, resolver);
    let tidied_place = textual.follow(&tidy(parts))?;
    // The kernel of Unix follows links first; Windows tidies the text first, and so do many programs anywhere.
    let (main, other, walk) = match family {
        Family::Unix => (place, tidied_place, physical),
        Family::Windows => (tidied_place, place, textual),
    };
    notes.0.extend(walk.notes.0);
    if other != main {
        notes.add(Note::OtherReading { name: other });
    }
    Ok(main)
}

/// The segments without `..`, as the text alone has it.
fn tidy<'p>(parts: &'p [Cow<'_, str>]) -> Vec<Cow<'p, str>> {
    let mut tidied = Vec::new();
    for part in parts {
        match &**part {
            ".." => {
                tidied.pop();
            }
            part => tidied.push(Cow::Borrowed(part)),
        }
    }
    tidied
}

struct Walk<'r, R: ?Sized> {
    resolver: &'r R,
    family: Family,
    /// Where the walk is: a place without links on the way.
    at: String,
    /// How much of `at` is the root, above which `..` does not lead.
    root_length: usize,
    links: usize,
    climbed_after_link: bool,
    notes: Notes,
}

impl<'r, R: Resolver + ?Sized> Walk<'r, R> {
    fn new(root: &str, family: Family, resolver: &'r R) -> Walk<'r, R> {
        Walk {
            resolver,
            family,
            at: root.to_owned(),
            root_length: root.len(),
            links: 0,
            climbed_after_link: false,
            notes: Notes::default(),
        }
    }

    fn follow(&mut self, parts: &[Cow<'_, str>]) -> Result<String, PathError> {
        // What a link says is owned, what the text says is not.
        let mut ahead: Vec<Cow<'_, str>> = parts.iter().rev().map(|part| Cow::Borrowed(&**part)).collect();
        self.at.reserve(parts.iter().map(|part| part.len() + 1).sum());
        while let Some(part) = ahead.pop() {
            if part == ".." {
                self.climbed_after_link |= self.links > 0;
                self.climb();
                continue;
            }
            let folder_length = self.at.len();
            self.at.push('/');
            self.at.push_str(&part);
            match self.resolver.look(&self.at) {
                Found::Plain => {}
                Found::Unseen => return Err(PathError::Unseen),
                Found::Link(target) => {
                    self.notes.add(Note::Link { at: self.at.clone() });
                    self.at.truncate(folder_length);
                    ahead.extend(self.link(&target)?.into_iter().rev().map(Cow::Owned));
                }
            }
        }
        Ok(std::mem::take(&mut self.at))
    }

    fn climb(&mut self) {
        let end = self.at.rfind('/').unwrap_or(0).max(self.root_length);
        self.at.truncate(end);
    }

    /// Turns to where a link leads, and says by which segments to go on.
    fn link(&mut self, target: &str) -> Result<Vec<String>, PathError> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(PathError::TooManyLinks);
        }
        // What a link says is no argument: `~` and URLs mean nothing special there.
        match target {
            "" => return Err(PathError::Unseen),
            _ if target.len() > super::LONGEST_PATH => return Err(PathError::TooLong),
            _ if target.contains('\0') => return Err(PathError::Nul),
            _ => {}
        }
        let root = self.at.get(..self.root_length).unwrap_or_default().to_owned();
        let place = read(target, self.family, Some(&root), &mut Notes::default())?;
        if place.start == Start::Root {
            self.root_length = place.root.len();
            self.at = place.root;
        }
        Ok(place.parts.into_iter().map(Cow::into_owned).collect())
    }
}
