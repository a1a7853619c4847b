//! What no file may hold: phone numbers, sums of money, marks of unfinished work.

use super::{Rules, Sketch, refused};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::{Deed, Doing, Saying, Test};

/// What keeps something out of a text.
const KEEPING_OUT: &[&str] = &["keep|leave|stay|stays .. out|off", "out of"];

impl Exact<'_> {
    /// A ban on something in what is written.
    pub(super) fn sketched_forms(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let writes_elsewhere =
            ["email", "mail", "message", "event"].iter().any(|word| self.hand.has_tool_word(word));
        let narrows = [
            "unless", "except", "ask", "only", "above", "over", "more", "his", "her", "read", "commit",
            "under", "copy",
        ];
        if !self.hand.has_local_files() || writes_elsewhere || sketch.has(&narrows) {
            return None;
        }
        if sketch
            .tokens
            .iter()
            .any(|token| matches!(token.shape, Shape::Path | Shape::Quoted | Shape::Number))
        {
            return None;
        }
        let what = classes(sketch).or_else(|| marks(sketch))?;
        let tests = vec![Test::Says { what, parameter: None, is: true }];
        Some(refused(vec![Doing::Deed(Deed::Writes)], tests))
    }
}

fn classes(sketch: &Sketch<'_>) -> Option<Vec<Saying>> {
    const CLASSES: &[(&str, &[&str])] = &[
        ("phone number", &["phone|telephone|mobile|cell number|numbers"]),
        ("amount of money", &["price|prices|pricing", "amount|amounts|sum|sums of money"]),
        ("mail address", &["mail|email|e-mail address|addresses"]),
    ];
    let is_out = |patterns: &[&str]| {
        sketch.denies(patterns)
            || sketch.parts.iter().any(|part| super::says(part, patterns) && super::says(part, KEEPING_OUT))
    };
    let found: Vec<Saying> = CLASSES
        .iter()
        .filter(|(_, patterns)| is_out(patterns))
        .map(|(class, _)| Saying::Class((*class).to_owned()))
        .collect();
    (!found.is_empty()).then_some(found)
}

/// "No TODO or FIXME in the code": words in capitals, as they are written.
fn marks(sketch: &Sketch<'_>) -> Option<Vec<Saying>> {
    const MARKS: &[&str] = &["TODO", "FIXME", "XXX", "HACK", "WIP", "TBD", "TBC", "DEBUG", "NOCOMMIT"];
    let mark = |token: &Token| {
        let plain = token.text.strip_suffix('s').unwrap_or(&token.text);
        MARKS.contains(&plain).then(|| Saying::Like(plain.to_owned()))
    };
    let found: Vec<Saying> = sketch.denying().flat_map(|part| part.iter().filter_map(mark)).collect();
    (!found.is_empty()).then_some(found)
}
