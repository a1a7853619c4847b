//! Parts of addresses on the web: "nothing under /admin gets opened", "no pages on port 8080", "/billing is off limits".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Form, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const CLOSED: &[&str] = &[
    "is off limits",
    "are off limits",
    "is off-limits",
    "is taboo",
    "are taboo",
    "is none of your business",
    "are none of your business",
    "is out of bounds",
    "are out of bounds",
    "gets opened",
    "is opened",
    "is to be opened",
    "gets visited",
    "is visited",
    "may be opened",
    "may be visited",
    "gets touched",
    "is touched",
    "is forbidden",
    "are forbidden",
    "must not be opened",
    "must never be opened",
    "is never opened",
    "are never opened",
    "may not be opened",
    "are not to be opened",
    "is not to be opened",
    "gets clicked or opened",
    "is for you",
];

const FRONT: &[&str] = &[
    "nothing",
    "no pages",
    "no page",
    "never open",
    "don't open",
    "do not open",
    "never visit",
    "don't visit",
    "do not visit",
    "never go to",
    "don't go to",
    "never navigate to",
    "don't navigate to",
    "never fetch",
    "don't fetch",
    "keep out of",
    "stay out of",
    "stay away from",
    "keep away from",
    "hands off",
    "never load",
    "no urls",
    "pages",
    "anything",
    "everything",
];

impl Exact<'_> {
    /// A ban on a part of addresses.
    pub(in crate::english::exact) fn addresses(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.has_web() {
            return None;
        }
        let front = strip(tokens, FRONT);
        let inner = front.unwrap_or(tokens);
        let ended = strip_end(inner, CLOSED);
        if front.is_none() && ended.is_none() {
            return None;
        }
        // "pages under /admin are off limits" needs its end, "never open /admin" does not.
        let needs_end = front.is_some_and(|rest| {
            let length = tokens.len() - rest.len();
            tokens.first().is_some_and(|first| {
                length == 1 && matches!(first.low.as_str(), "pages" | "anything" | "everything" | "nothing")
            })
        });
        if needs_end && ended.is_none() {
            return None;
        }
        let inner = bare(ended.unwrap_or(inner));
        let inner =
            strip(inner, &["anything", "pages", "urls", "a page", "any page", "any pages", "sites", "urls"])
                .unwrap_or(inner);
        if let Some((before, _, [port])) = around(inner, &["on port", "port", "with port", "on ports"])
            && before.is_empty()
            && port.text.chars().all(|letter| letter.is_ascii_digit())
        {
            return Some(self.banned_urls(vec![Form::Has(format!(":{}", port.text))]));
        }
        let inner = strip(inner, &["under", "below", "in", "inside", "on", "beneath", "at"]).unwrap_or(inner);
        if self.hand.has_local_files() {
            return None;
        }
        let forms: Option<Vec<Form>> = items(inner)
            .into_iter()
            .map(|item| match bare(item) {
                [one] if one.shape == Shape::Path && one.text.starts_with('/') => {
                    let path = one.text.trim_end_matches('*').trim_end_matches('/');
                    (path.len() > 1).then(|| Form::Has(path.to_owned()))
                }
                _ => None,
            })
            .collect();
        forms.filter(|forms| !forms.is_empty()).map(|forms| self.banned_urls(forms))
    }

    fn banned_urls(&self, forms: Vec<Form>) -> Rules {
        let names = vec!["url".to_owned(), "urls".to_owned()];
        let tests = vec![Test::Value { names, check: Check::Forms(forms), presence: Presence::One }];
        vec![(Verdict::Deny, Case { tests, ..Case::default() })]
    }
}
