//! What files may be called, and what their names begin with.

use super::{Rules, Sketch, at, refused};
use crate::english::exact::Exact;
use crate::english::noun::path_places;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Doing, Form, Place, Side, Test};

/// What says that names of files are meant.
const NAMES: &[&str] = &[
    "file|folder|directory name|names",
    "filename|filenames",
    "name|names .. file|files|folder|folders|directory",
    "file|files|folder|folders|directory .. name|names|named|called",
];

const LOWER: &[&str] = &[
    "lower case|letters|lettered",
    "lowercase|lower-case|lowercased",
    "small letters",
    "no|without|never|nor|or|and capital|capitals|uppercase|upper-case",
];

const BLANKS: &[&str] = &["blank|blanks|space|spaces|whitespace|whitespaces"];

const DATED: &[&str] = &[
    "begin|start|open|prefixed .. date",
    "date .. first|front|beginning|start",
    "named after .. date",
    "date at the beginning|start|front",
    "date as? prefix",
];

impl Exact<'_> {
    /// A form that names of files must have.
    pub(super) fn sketched_names(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !self.hand.has_files()
            || sketch.has(&["branch", "branches", "column", "table", "channel", "label"])
        {
            return None;
        }
        let within = self.folders_of(sketch)?;
        let names = sketch.says(NAMES);
        let mut forms = Vec::new();
        if names && sketch.says(LOWER) {
            forms.push(sort("capital letters"));
        }
        if names && sketch.denies(BLANKS) {
            forms.push(sort("blanks"));
        }
        if !forms.is_empty() {
            return Some(named(within, at(Side::Object, forms, true)));
        }
        let dated = sketch.says(DATED) && sketch.has(&["file", "files", "name", "names", "named"]);
        let is_text = sketch.has(&["line", "heading", "content", "text", "commit", "message", "title"]);
        let date = Place::Formed(Form::StartsLike("0000-00-00".to_owned()));
        (dated && !is_text).then(|| named(within, at(Side::Object, vec![date], false)))
    }

    /// The folders that a sentence names; none of its names may be something else.
    fn folders_of(&self, sketch: &Sketch<'_>) -> Option<Vec<Place>> {
        let mut places = Vec::new();
        for token in sketch.tokens {
            match token.shape {
                Shape::Path if token.text.ends_with('/') => {
                    places.extend(path_places(&token.text, self.hand))
                }
                Shape::Path if !is_sample(token) => return None,
                Shape::Quoted | Shape::Url | Shape::Host | Shape::Address => return None,
                _ => {}
            }
        }
        Some(places)
    }
}

/// `2026-05-09-trip.md`, which shows what is meant.
fn is_sample(token: &Token) -> bool {
    token.text.chars().take(4).all(|letter| letter.is_ascii_digit())
}

fn sort(name: &str) -> Place {
    Place::Formed(Form::Sort(name.to_owned()))
}

fn named(within: Vec<Place>, form: Test) -> Rules {
    let mut tests = vec![at(Side::Object, vec![Place::Kind("file".to_owned())], true)];
    tests.extend((!within.is_empty()).then(|| at(Side::Object, within, true)));
    tests.push(form);
    tests.push(Test::Did { actions: vec!["edit".to_owned()], is: false });
    refused(vec![Doing::Deed(Deed::Writes)], tests)
}
