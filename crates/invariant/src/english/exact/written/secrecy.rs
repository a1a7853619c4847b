//! Names that are secret somewhere: "the project name Heliosat is secret: not in web searches and not in mails to anybody
//! outside acme.com".

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// What is called by a name, in front of it.
const NAMING: &[&str] = &[
    "project name",
    "project",
    "name",
    "word",
    "words",
    "codename",
    "code name",
    "product name",
    "product",
    "names",
    "working title",
    "title",
    "brand",
    "brand name",
    "client name",
    "customer name",
    "internal name",
    "term",
];

const SECRET: &[&str] = &[
    "is still secret",
    "is secret",
    "is a secret",
    "is confidential",
    "is still confidential",
    "is internal",
    "is not public",
    "is not public yet",
    "is not announced yet",
    "are secret",
    "are confidential",
    "is under embargo",
    "must stay secret",
    "stays secret",
    "stays confidential",
    "must stay confidential",
    "is strictly confidential",
    "is top secret",
    "are still secret",
    "is internal only",
    "stays internal",
    "is for internal use only",
];

impl Exact<'_> {
    /// A name that must not stand in some texts.
    pub(in crate::english::exact) fn secrecy(&self, tokens: &[Token]) -> Option<Rules> {
        let (subject, _, rest) = around(tokens, SECRET)?;
        let name = self.name_kept_secret(subject)?;
        let rest = strip(rest, &[":", ",", ": so", ", so", "and", ": keep it", ", keep it", ": it"])?;
        let mut rules = Vec::new();
        for place in items(rest) {
            let place =
                strip(place, &["not", "never", "no", "neither", "out", "must not appear", "also not"])
                    .unwrap_or(place);
            let place = strip(place, &["in", "into", "on", "of", "to"])?;
            rules.extend(self.words_kept_out(std::slice::from_ref(name), place)?);
        }
        (!rules.is_empty()).then_some(rules)
    }

    fn name_kept_secret<'t>(&self, subject: &'t [Token]) -> Option<&'t Token> {
        let subject = bare(subject);
        let named = strip(subject, NAMING).or_else(|| strip_end(subject, NAMING)).unwrap_or(subject);
        match named {
            [one] if matches!(one.shape, Shape::Quoted | Shape::Identifier) => Some(one),
            [one] if one.shape == Shape::Word && one.is_capital() && !self.lexicon.knows(one) => Some(one),
            _ => None,
        }
    }
}
