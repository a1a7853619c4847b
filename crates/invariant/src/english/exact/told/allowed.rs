//! One thing allowed and another not: "you may comment on the roadmap page but not edit it", "comments on the spec are fine,
//! edits are not".

use crate::english::exact::Exact;
use crate::english::exact::told::turned::word;
use crate::english::exact::words::{around, strip, strip_end};
use crate::english::token::Token;
use crate::meaning::{Case, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// What may be done to a thing, and what may not.
    pub(in crate::english::exact) fn allowed_but(&self, tokens: &[Token]) -> Option<Rules> {
        let (allowed, thing, denied) = self.verbs_of(tokens).or_else(|| nouns_of(tokens))?;
        let exceptions = self.done_nevertheless(allowed)?;
        let verb = self.base(denied)?;
        let mut plain = vec![word("never"), word(&verb)];
        plain.extend(self.inner(thing));
        let mut rules = self.plainly(&plain)?;
        rules.iter_mut().for_each(|(_, case)| case.unless.extend(exceptions.iter().cloned()));
        Some(rules)
    }

    /// What is not forbidden with what is: nothing, where it changes nothing.
    fn done_nevertheless(&self, verb: &Token) -> Option<Vec<Vec<Test>>> {
        const LOOKING: &[&str] = &[
            "read", "look", "view", "see", "open", "reading", "looking", "viewing", "opening", "browse",
            "search",
        ];
        if LOOKING.contains(&verb.low.as_str()) {
            return Some(Vec::new());
        }
        let base = self.base(verb)?;
        self.permission(&[word(&base), word("is"), word("fine")])
    }

    /// "you may comment on X but not edit it".
    fn verbs_of<'t>(&self, tokens: &'t [Token]) -> Option<(&'t Token, &'t [Token], &'t Token)> {
        let rest = strip(
            tokens,
            &["you may", "you can", "feel free to", "you are allowed to", "you're allowed to", "please"],
        )?;
        const BUT: &[&str] = &[
            "but not",
            ", but not",
            ", not",
            "but never",
            ", but never",
            ", never",
            "but don't",
            ", but don't",
            "but do not",
            ", don't",
            ", do not",
            "but you may not",
            ", but you may not",
            "but must not",
            "and not",
            "but you must not",
        ];
        let (front, _, behind) = around(rest, BUT)?;
        let (allowed, thing) = front.split_first()?;
        let thing = strip(thing, &["on", "in", "at", "from", "to", "through", "around in"]).unwrap_or(thing);
        let (denied, object) = behind.split_first()?;
        let is_same = object.is_empty()
            || strip(
                object,
                &[
                    "it",
                    "them",
                    "that",
                    "anything there",
                    "anything in there",
                    "anything in it",
                    "there",
                    "this",
                    "anything",
                    "what's there",
                    "what is there",
                ],
            )
            .is_some_and(<[Token]>::is_empty);
        (is_same && !thing.is_empty()).then_some((allowed, thing, denied))
    }
}

/// "comments on X are fine, edits are not", "reading X is fine, writing isn't".
fn nouns_of(tokens: &[Token]) -> Option<(&Token, &[Token], &Token)> {
    const FINE: &[&str] = &[
        "are fine",
        "is fine",
        "are ok",
        "is ok",
        "are okay",
        "is okay",
        "are allowed",
        "is allowed",
        "are welcome",
        "are all right",
        "is all right",
        "are good",
    ];
    const NOT: &[&str] = &[
        "are not",
        "is not",
        "aren't",
        "isn't",
        "are not allowed",
        "is not allowed",
        "are forbidden",
        "is forbidden",
        "are not ok",
        "is not ok",
        "aren't ok",
        "isn't ok",
        "are not fine",
        "is not fine",
        "never",
        "not",
    ];
    let (front, _, behind) = around(tokens, FINE)?;
    let behind = strip(behind, &[", but", ",", "but", ", and", "and"])?;
    let denied = strip_end(behind, NOT)?;
    let denied = strip_end(denied, &["it", "them", "there", "to it", "in it"]).unwrap_or(denied);
    let [denied] = denied else { return None };
    let (allowed, thing) = front.split_first()?;
    let thing = strip(thing, &["on", "in", "at", "from", "to", "of"]).unwrap_or(thing);
    (!thing.is_empty()).then_some((allowed, thing, denied))
}
