//! Patterns over names: what scopes are made of, and what a call reaches.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use crate::error::ParseError;
use crate::glob;
use crate::name::{self, Head, Stars};

/// One segment of a pattern.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Segment {
    /// Exactly this text, stars included.
    Literal(Box<str>),
    /// A text with at least one `*`, which stands for any run of characters.
    Glob(Box<str>),
}

impl Segment {
    /// The text as written.
    pub fn text(&self) -> &str {
        match self {
            Segment::Literal(text) | Segment::Glob(text) => text,
        }
    }

    /// A text whose stars stand for other characters. Two in a row say no more than one, and a rule with them
    /// could not be read back.
    fn wild(text: &str) -> Segment {
        if !text.contains('*') {
            return Segment::Literal(text.into());
        }
        let mut glob = String::from(text);
        while glob.contains("**") {
            glob = glob.replace("**", "*");
        }
        Segment::Glob(glob.into())
    }

    /// Whether every text of `inner` is one of this segment.
    pub(crate) fn contains(&self, inner: &Segment) -> bool {
        match (self, inner) {
            (Segment::Literal(outer), Segment::Literal(inner)) => outer == inner,
            (Segment::Literal(_), Segment::Glob(_)) => false,
            (Segment::Glob(outer), Segment::Literal(inner) | Segment::Glob(inner)) => {
                glob::contains(outer, inner)
            }
        }
    }

    /// Whether the two have a text in common.
    pub(crate) fn overlaps(&self, other: &Segment) -> bool {
        match (self, other) {
            (Segment::Glob(left), Segment::Glob(right)) => glob::overlaps(left, right),
            _ => self.contains(other) || other.contains(self),
        }
    }

    fn meet(&self, other: &Segment) -> Vec<Segment> {
        match (self, other) {
            (Segment::Glob(left), Segment::Glob(right)) => {
                glob::meet(left, right).iter().map(|text| Segment::wild(text)).collect()
            }
            _ if self.contains(other) => vec![other.clone()],
            _ if other.contains(self) => vec![self.clone()],
            _ => Vec::new(),
        }
    }

    /// Grows strictly as segments get narrower: a literal character weighs more than the star it replaces.
    fn weight(&self) -> i64 {
        let stars = match self {
            Segment::Literal(_) => 0,
            Segment::Glob(text) => text.matches('*').count(),
        };
        2 * (self.text().len() - stars) as i64 - stars as i64
    }
}

/// How far below its segments a pattern goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Depth {
    /// The named place itself.
    Here,
    /// The named place and everything below it.
    Below,
}

/// A set of names: segments with globs, and perhaps everything below (`/**` at the end).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    head: Head,
    segments: Vec<Segment>,
    depth: Depth,
}

impl Pattern {
    /// Reads a pattern: `/home/u/p/**`, `https://*.acme.com/**`, `slack:C04*`; `=` in front takes the rest
    /// literally, for the rare name that has a `*` in it.
    pub fn parse(text: &str) -> Result<Pattern, ParseError> {
        if let Some(exact) = text.strip_prefix('=') {
            return Pattern::literal(exact).map_err(|error| error.within(text, 1));
        }
        let (head, rest) = name::split(text, Stars::Wild)?;
        let start = text.len() - rest.len();
        let (stem, depth) = match rest {
            "**" => ("", Depth::Below),
            _ => rest.strip_suffix("/**").map_or((rest, Depth::Here), |stem| (stem, Depth::Below)),
        };
        if let Some(offset) = stem.find("**") {
            let problem = "`**` stands only at the end, after a `/`; `*` stays inside one segment";
            return Err(ParseError::new(text, start + offset, problem, "/home/u/p/** or /home/u/*/notes.md"));
        }
        let segments = stem.split('/').filter(|segment| !segment.is_empty()).map(Segment::wild).collect();
        Ok(Pattern { head, segments, depth }.without_idle_star())
    }

    /// Exactly the one name, in which `*` is a character like any other.
    pub fn literal(name: &str) -> Result<Pattern, ParseError> {
        let (head, rest) = name::split(name, Stars::Literal)?;
        let segments =
            rest.split('/').filter(|segment| !segment.is_empty()).map(|text| Segment::Literal(text.into()));
        Ok(Pattern { head, segments: segments.collect(), depth: Depth::Here })
    }

    /// The agent's context.
    pub fn context() -> Pattern {
        Pattern { head: Head::context(), segments: Vec::new(), depth: Depth::Here }
    }

    /// Every path of this machine.
    pub(crate) fn all_local() -> Pattern {
        Pattern { head: Head::local(), segments: Vec::new(), depth: Depth::Below }
    }

    /// What comes before the segments.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The segments after the head.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether everything below is meant too.
    pub fn depth(&self) -> Depth {
        self.depth
    }

    /// The same place and everything below it. Below the context there is nothing.
    #[must_use]
    pub fn and_below(mut self) -> Pattern {
        if !self.head.is_context() {
            self.depth = Depth::Below;
        }
        self
    }

    /// `slack:*` and everything below is everything in `slack:`, since the account itself is no name.
    pub(crate) fn without_idle_star(mut self) -> Pattern {
        let is_star = matches!(self.segments.as_slice(), [Segment::Glob(star)] if &**star == "*");
        if self.head.is_account() && self.depth == Depth::Below && is_star {
            self.segments.clear();
        }
        self
    }

    /// The first `length` segments and everything below them, if those can be written as a pattern.
    pub(crate) fn ancestor(&self, length: usize) -> Option<Pattern> {
        let segments = self.segments.get(..length)?;
        let writable = !segments.iter().any(Segment::is_literal_star);
        writable.then(|| Pattern {
            head: self.head.clone(),
            segments: segments.to_vec(),
            depth: Depth::Below,
        })
    }

    /// The same pattern with another last segment, if that can be written.
    pub(crate) fn with_last(&self, last: &str) -> Option<Pattern> {
        let (_, before) = self.segments.split_last()?;
        let mut segments = before.to_vec();
        segments.push(Segment::wild(last));
        let writable = !segments.iter().any(Segment::is_literal_star);
        writable.then(|| Pattern { head: self.head.clone(), segments, depth: Depth::Here })
    }

    /// The same name read as a pattern: its stars stand for other characters.
    pub(crate) fn with_wild_stars(mut self) -> Pattern {
        for segment in &mut self.segments {
            *segment = Segment::wild(segment.text());
        }
        self
    }

    /// The same name read literally.
    pub(crate) fn with_literal_stars(mut self) -> Pattern {
        for segment in &mut self.segments {
            *segment = Segment::Literal(segment.text().into());
        }
        self
    }

    /// Whether a `*` in it stands for other characters.
    pub fn has_globs(&self) -> bool {
        self.segments.iter().any(|segment| matches!(segment, Segment::Glob(_)))
    }

    /// The order: whether every name of `inner` is one of this pattern.
    pub fn contains(&self, inner: &Pattern) -> bool {
        let lengths_fit = match (self.depth, inner.depth) {
            (Depth::Below, _) => self.segments.len() <= inner.segments.len(),
            (Depth::Here, Depth::Here) => self.segments.len() == inner.segments.len(),
            (Depth::Here, Depth::Below) => false,
        };
        lengths_fit
            && self.head == inner.head
            && self.segments.iter().zip(&inner.segments).all(|(outer, inner)| outer.contains(inner))
    }

    /// Whether some name belongs to both.
    pub fn overlaps(&self, other: &Pattern) -> bool {
        self.lengths_meet(other)
            && self.head == other.head
            && self.segments.iter().zip(&other.segments).all(|(left, right)| left.overlaps(right))
    }

    /// The patterns whose union is exactly what both hold.
    pub(crate) fn meet(&self, other: &Pattern) -> Vec<Pattern> {
        if self.head != other.head || !self.lengths_meet(other) {
            return Vec::new();
        }
        let shared = self.segments.len().min(other.segments.len());
        let longer = if self.segments.len() > shared { self } else { other };
        let mut stems: Vec<Vec<Segment>> = vec![Vec::new()];
        for (left, right) in self.segments.iter().zip(&other.segments) {
            let choices = left.meet(right);
            stems = stems
                .iter()
                .flat_map(|stem| {
                    choices.iter().map(move |choice| [stem, core::slice::from_ref(choice)].concat())
                })
                .collect();
        }
        let rest = longer.segments.get(shared..).unwrap_or_default();
        let depth = self.depth.min(other.depth);
        let pattern =
            |stem: Vec<Segment>| Pattern { head: self.head.clone(), segments: [&stem, rest].concat(), depth };
        stems.into_iter().map(pattern).collect()
    }

    fn lengths_meet(&self, other: &Pattern) -> bool {
        match (self.depth, other.depth) {
            (Depth::Here, Depth::Here) => self.segments.len() == other.segments.len(),
            (Depth::Here, Depth::Below) => self.segments.len() >= other.segments.len(),
            (Depth::Below, Depth::Here) => self.segments.len() <= other.segments.len(),
            (Depth::Below, Depth::Below) => true,
        }
    }

    /// A number that grows strictly as patterns get narrower, so that sorting by it lists the narrower first.
    pub(crate) fn weight(&self) -> i64 {
        // A segment weighs at least -1 (`*`), so 3 for each makes deeper patterns heavier.
        let segments: i64 = self.segments.iter().map(|segment| 3 + segment.weight()).sum();
        segments + i64::from(self.depth == Depth::Here)
    }
}

impl Segment {
    fn is_literal_star(&self) -> bool {
        matches!(self, Segment::Literal(text) if text.contains('*'))
    }
}

/// The text that [`Pattern::parse`] reads.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.segments.iter().any(Segment::is_literal_star) {
            f.write_str("=")?;
        }
        f.write_str(self.head.as_str())?;
        for (position, segment) in self.segments.iter().enumerate() {
            if position > 0 {
                f.write_str("/")?;
            }
            f.write_str(segment.text())?;
        }
        match (self.depth, self.segments.is_empty()) {
            (Depth::Here, _) => Ok(()),
            (Depth::Below, true) => f.write_str("**"),
            (Depth::Below, false) => f.write_str("/**"),
        }
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format!("`{self}`"))
    }
}
