//! Fields of entries by their names: "never change the property Status", "the field Owner is off limits", "leave the Due
//! property alone".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const CALLED: &[&str] = &[
    "property",
    "properties",
    "field",
    "fields",
    "attribute",
    "attributes",
    "column",
    "columns",
    "custom field",
    "custom fields",
];

const CHANGING: &[&str] = &[
    "never change",
    "never touch",
    "never set",
    "never edit",
    "never modify",
    "never fill",
    "never fill in",
    "never overwrite",
    "never update",
    "never write",
    "never write to",
    "never write into",
    "never alter",
    "never clear",
    "never empty",
    "never delete",
    "don't change",
    "don't touch",
    "don't set",
    "don't edit",
    "don't modify",
    "don't fill",
    "don't fill in",
    "don't overwrite",
    "don't update",
    "don't write to",
    "do not change",
    "do not touch",
    "do not set",
    "do not edit",
    "do not modify",
    "do not fill",
    "do not fill in",
    "do not overwrite",
    "do not update",
    "do not write to",
    "hands off",
    "no changes to",
    "no edits to",
    "no changes of",
    "no changes in",
    "stay away from",
    "keep your hands off",
];

const KEPT: &[&str] = &[
    "must not be changed",
    "must never be changed",
    "may not be changed",
    "is never changed",
    "are never changed",
    "is not changed",
    "are not changed",
    "must not be touched",
    "must never be touched",
    "is not to be changed",
    "are not to be changed",
    "is not to be touched",
    "must not be set",
    "is never set",
    "must not be edited",
    "must not be modified",
    "is never edited",
    "is never touched",
    "must stay as it is",
    "must stay how it is",
    "stays as it is",
    "stays how it is",
    "stay as they are",
    "must stay as they are",
    "is off limits",
    "are off limits",
    "is off-limits",
    "are off-limits",
    "is read-only",
    "are read-only",
    "is read only",
    "is frozen",
    "are frozen",
    "is taboo",
    "are taboo",
    "is not for you",
    "are not for you",
    "is not yours",
    "is none of your business",
    "is locked",
    "are locked",
    "must not be filled",
    "stays empty",
    "stay empty",
    "must stay empty",
    "is protected",
    "are protected",
    "must not be overwritten",
    "is never overwritten",
    "must be left alone",
    "is mine",
    "are mine",
    ": hands off",
    ": never",
    ": read only",
    ": read-only",
];

impl Exact<'_> {
    /// A rule that fields stay what they are.
    pub(in crate::english::exact) fn properties(&self, tokens: &[Token]) -> Option<Rules> {
        let has_fields =
            ["property", "properti", "propertie", "field"].iter().any(|word| self.hand.has_parameter(word));
        if !has_fields {
            return None;
        }
        let tokens = strip_end(
            tokens,
            &[
                "of a page",
                "of pages",
                "of the pages",
                "in notion",
                "of any page",
                "of an entry",
                "of entries",
                "of an issue",
                "of a ticket",
            ],
        )
        .unwrap_or(tokens);
        let subject = strip(tokens, CHANGING)
            .or_else(|| {
                strip(tokens, &["leave", "keep"]).and_then(|rest| {
                    strip_end(rest, &["alone", "as it is", "as they are", "untouched", "unchanged", "empty"])
                })
            })
            .or_else(|| strip_end(tokens, KEPT));
        // "never set Status": what is set is a field, if it is written like a name.
        let set = strip(tokens, &["never set", "don't set", "do not set", "never fill in", "don't fill in"]);
        let named = set.map(bare).and_then(|set| match set {
            [one] if one.is_capital() && one.shape == Shape::Word => {
                Some(vec![crate::names::words(&one.text).join(" ")])
            }
            _ => None,
        });
        if let Some(names) = subject.and_then(field_names).or(named) {
            let test = Test::Value { names, check: Check::Anything, presence: Presence::One };
            return Some(vec![(
                Verdict::Deny,
                Case { doings: vec![Doing::Deed(Deed::Writes)], tests: vec![test], ..Case::default() },
            )]);
        }
        None
    }
}

/// The fields that words name, if "field" or the like stands beside them.
fn field_names(tokens: &[Token]) -> Option<Vec<String>> {
    let tokens = bare(tokens);
    let named = match strip(tokens, CALLED) {
        Some(rest) => strip(rest, &["called", "named", ":"]).unwrap_or(rest),
        None => strip_end(tokens, CALLED)?,
    };
    let named = around(named, &["of", "in", "on"]).map_or(named, |(front, _, _)| front);
    let one = |item: &[Token]| -> Option<String> {
        let is_name = |token: &Token| matches!(token.shape, Shape::Word | Shape::Quoted | Shape::Identifier);
        let item = bare(item);
        let refers = |token: &Token| {
            matches!(token.low.as_str(), "that" | "this" | "it" | "these" | "those" | "other")
        };
        (!item.iter().any(refers) && !item.is_empty() && item.len() < 4 && item.iter().all(is_name))
            .then(|| crate::names::words(&crate::english::exact::words::text(item)).join(" "))
    };
    let names: Option<Vec<String>> = items(named).into_iter().map(one).collect();
    names.filter(|names| !names.is_empty())
}
