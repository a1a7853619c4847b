//! Columns of tables and properties of pages by what people call them, where no tool has an argument of that name: "no
//! discount above 25 percent", "never set a status to Published", "leave the status alone".

use crate::english::amount::{self, Compare};
use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, stems, strip, strip_end, text};
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Words around a limit that change nothing of it.
const LIGHT: &[&str] = &[
    "the", "a", "an", "any", "all", "every", "each", "our", "my", "your", "of", "to", "be", "is", "are",
    "stay", "stays", "remain", "remains", "keep", "set", "give", "grant", "offer", "allow", "put", "raise",
    "lower", "go", "goes", "rise", "rises", "drop", "drops", "fall", "falls", "get", "gets", "become",
    "becomes", "must", "may", "can", "should", "shall", "value", "column", "field", "always", "ever", "than",
    "at", "by", "there", "you", "percent", "%", "euros", "euro", "eur", "dollars", "usd", "pieces", "items",
    "points", "hours", "units", "please", "kept", "or", "have", "has", "level", "single", "make", "beyond",
    "within",
];

const DENYING: &[&str] =
    &["no", "never", "not", "don't", "dont", "mustn't", "cannot", "can't", "shouldn't", "nothing"];

const SETTING: &[&str] = &[
    "set", "put", "change", "move", "switch", "turn", "flip", "mark", "update", "reset", "bring", "advance",
    "push", "raise", "give", "assign", "pick", "choose", "use",
];

const NEVER: &[&str] = &[
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you must never",
    "you may not",
    "must not",
    "please never",
    "please don't",
    "you should not",
    "you should never",
    "do not ever",
    "don't ever",
    "you are not to",
];

/// Between a field and what it must not be.
const MUST_NOT: &[&str] = &[
    "must never be",
    "must not be",
    "may not be",
    "may never be",
    "is never",
    "are never",
    "is not to be",
    "should never be",
    "should not be",
    "must never become",
    "must not become",
    "never becomes",
    "never become",
    "is never set to",
    "must not be set to",
    "must never be set to",
    "may not be set to",
    "is not set to",
    "never goes to",
    "must not go to",
    "can never be",
    "cannot be",
    "can't be",
    "must never be changed to",
    "must not be changed to",
    "is not to be set to",
    "may never be set to",
    "should never be set to",
];

/// Between a field and what alone it may be.
const ONLY: &[&str] = &[
    "may only be",
    "must only be",
    "can only be",
    "should only be",
    "may only become",
    "can only become",
    "is only",
    "is only ever",
    "may only be set to",
    "can only be set to",
    "is only set to",
    "must be one of",
    "is limited to",
    "only becomes",
    "may only go to",
    "must only be set to",
    "is one of",
    "has to be one of",
    "may only get",
];

/// What has fields, where it does not matter which of them is meant.
const OWNERS: &[&str] = &[
    "page", "pages", "row", "rows", "record", "records", "entry", "entries", "item", "items", "anything",
    "it",
];

const WORDS_FOR_FIELD: &[&str] = &["property", "properties", "column", "columns", "field", "fields"];

impl Exact<'_> {
    /// A rule about a field.
    pub(in crate::english::exact) fn entries(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.has_fields() || tokens.len() > 16 {
            return None;
        }
        self.field_limit(tokens)
            .or_else(|| self.field_values(tokens))
            .or_else(|| self.marked_as(tokens))
            .or_else(|| self.field_untouched(tokens))
    }

    /// Whether calls can set what no argument is called by: in SQL, or among the properties of a page.
    fn has_fields(&self) -> bool {
        ["sql", "statement", "property"].iter().any(|word| self.hand.has_parameter(word))
    }

    /// "No discount above 25 percent", "keep the price at 10 or more", "stock must never be negative".
    fn field_limit(&self, tokens: &[Token]) -> Option<Rules> {
        let (front, check_of, behind) = compared(tokens)?;
        let denies = |token: &Token| DENYING.contains(&token.low.as_str());
        let is_denied = front.iter().any(denies);
        let is_light = |token: &Token| LIGHT.contains(&token.low.as_str()) || denies(token);
        // "never more than 3 tabs" counts something.
        if !behind.iter().all(is_light) {
            return None;
        }
        let left: Vec<Token> = front.iter().filter(|token| !is_light(token)).cloned().collect();
        let names = self.field_named(&left)?;
        let (number, compare) = check_of;
        let check = match (compare, is_denied) {
            (Compare::Above, true) | (Compare::AtMost, false) => Check::Above(number),
            (Compare::AtLeast, true) | (Compare::Below, false) => Check::Above(number.checked_sub(1)?),
            (Compare::Below, true) | (Compare::AtLeast, false) => Check::Below(number),
            (Compare::AtMost, true) | (Compare::Above, false) => Check::Below(number.checked_add(1)?),
            (Compare::Equal, _) => return None,
        };
        Some(self.field_set(names, check, Presence::One))
    }

    /// "Never set the status of an order to shipped", "priority is Low or Medium only".
    fn field_values(&self, tokens: &[Token]) -> Option<Rules> {
        // "You may set a status to Draft or In review, but never to Published"
        let tokens =
            strip(tokens, &["you may", "you can", "feel free to", "you are free to"]).unwrap_or(tokens);
        if let Some((front, _, values)) = around(
            tokens,
            &[
                ", but never to",
                ", but not to",
                ", never to",
                ", not to",
                "but never to",
                "but not to",
                "and never to",
                ", never",
                ", not",
            ],
        ) && let Some(named) = strip(front, SETTING)
            .and_then(|rest| around(rest, &["to", "as"]))
            .or_else(|| around(front, &["may be", "can be", "is", "may become", "must be", "is set to"]))
            && let Some(names) = self.field_named(named.0)
            && let Some(forms) = self.field_forms(values)
        {
            return Some(self.field_set(names, Check::Forms(forms), Presence::One));
        }
        if let Some(rest) = strip(tokens, NEVER).and_then(|rest| strip(rest, SETTING)) {
            let (named, _, values) = around(rest, &["to", "as", "=", "back to"])?;
            let (names, forms) = (self.field_named(named)?, self.field_forms(values)?);
            return Some(self.field_set(names, Check::Forms(forms), Presence::One));
        }
        if let Some((named, _, values)) = around(tokens, MUST_NOT)
            && let (Some(names), Some(forms)) = (self.field_named(named), self.field_forms(values))
        {
            return Some(self.field_set(names, Check::Forms(forms), Presence::One));
        }
        // "no page gets the status Live"
        if let Some(rest) = strip(tokens, &["no", "nothing", "never give", "don't give"])
            && let Some((owner, _, said)) =
                around(rest, &["gets", "may get", "must get", "may have", "has", "is given"])
            && (owner.is_empty() || strip(bare(owner), OWNERS).is_some_and(<[Token]>::is_empty))
            && let Some((names, forms)) = self.field_with_values(bare(said))
        {
            return Some(self.field_set(names, Check::Forms(forms), Presence::One));
        }
        self.field_only(tokens)
    }

    /// "Priority is Low or Medium only", "the status must be Draft".
    fn field_only(&self, tokens: &[Token]) -> Option<Rules> {
        let (named, values) = match around(tokens, ONLY) {
            Some((named, _, values)) => (named, strip_end(values, &["only"]).unwrap_or(values)),
            None => {
                let alone = strip_end(tokens, &["only", "and nothing else", ", nothing else"]);
                let must = || {
                    around(
                        tokens,
                        &["must be", "has to be", "must always be", "is always", "should always be"],
                    )
                };
                let is_name =
                    |token: &Token| token.is_capital() || token.shape == Shape::Quoted || token.low == "or";
                if let (None, Some((named, _, values))) = (alone, must()) {
                    let names = self.field_named(named).filter(|_| values.iter().all(is_name))?;
                    return Some(self.field_set(
                        names,
                        Check::Forms(self.field_forms(values)?),
                        Presence::Other,
                    ));
                }
                let rest = alone?;
                let rest = strip(rest, SETTING).unwrap_or(rest);
                let (named, _, values) = around(rest, &["is", "to", ":", "are"])?;
                (named, values)
            }
        };
        let (names, forms) = (self.field_named(named)?, self.field_forms(values)?);
        Some(self.field_set(names, Check::Forms(forms), Presence::Other))
    }

    /// "Never mark a page as Approved", "nothing may be set to Done": the value says what is meant.
    fn marked_as(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(tokens, NEVER).and_then(|rest| strip(rest, SETTING));
        let values = match rest {
            Some(rest) => {
                let (owner, _, values) = around(rest, &["as", "to"])?;
                strip(bare(owner), OWNERS).filter(|rest| rest.is_empty())?;
                values
            }
            None => {
                let rest = strip(
                    tokens,
                    &["nothing may be", "nothing is", "nothing gets", "no page may be", "no page is"],
                )?;
                strip(rest, &["set to", "marked as", "marked", "moved to", "switched to", "put to"])?
            }
        };
        let is_name = |token: &Token| token.is_capital() || token.shape == Shape::Quoted || token.low == "or";
        values.iter().all(is_name).then_some(())?;
        let names = ["status", "state", "stage", "select"].map(str::to_owned).to_vec();
        Some(self.field_set(names, Check::Forms(self.field_forms(values)?), Presence::One))
    }

    /// "Leave the status alone", "don't touch the Status property".
    fn field_untouched(&self, tokens: &[Token]) -> Option<Rules> {
        const CHANGING: &[&str] =
            &["change", "touch", "edit", "modify", "update", "overwrite", "set", "alter"];
        let left = strip(tokens, &["leave", "keep"]).and_then(|rest| {
            strip_end(rest, &["alone", "as it is", "as they are", "unchanged", "untouched", "be"])
        });
        let never = || strip(tokens, NEVER).and_then(|rest| strip(rest, CHANGING));
        let named = left.or_else(never)?;
        let says_field = named.iter().any(|token| WORDS_FOR_FIELD.contains(&token.low.as_str()));
        let is_known = matches!(
            stems(bare(named)).join(" ").as_str(),
            "status" | "state" | "priority" | "due date" | "assignee" | "owner" | "price" | "discount"
        );
        let names = self.field_named(named).filter(|_| says_field || is_known)?;
        Some(self.field_set(names, Check::Anything, Presence::One))
    }

    /// "status Live": a field and its values, next to each other.
    fn field_with_values(&self, tokens: &[Token]) -> Option<(Vec<String>, Vec<Form>)> {
        let is_plain = |token: &Token| token.shape == Shape::Word && !self.lexicon.is_between(token);
        (1..tokens.len().min(4)).find_map(|at| {
            let named = tokens.get(..at).filter(|named| named.iter().all(is_plain))?;
            let names =
                self.field_named(named).filter(|_| !named.iter().any(|token| token.low.ends_with("ed")))?;
            Some((names, self.field_forms(tokens.get(at..)?)?))
        })
    }

    /// What a field is called: one word or two that name nothing else here.
    fn field_named(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let (tokens, owner) = match around(tokens, &["of", "on", "in", "for"]) {
            Some((front, _, owner)) => (front, Some(bare(owner))),
            None => (tokens, None),
        };
        if owner.is_some_and(|owner| owner.len() > 2 || owner.iter().any(|token| token.shape != Shape::Word))
        {
            return None;
        }
        let tokens = bare(tokens);
        let shorter = strip_end(tokens, WORDS_FOR_FIELD).or_else(|| strip(tokens, WORDS_FOR_FIELD));
        let named = shorter.unwrap_or(tokens);
        let is_word = |token: &Token| matches!(token.shape, Shape::Word | Shape::Identifier | Shape::Quoted);
        if named.is_empty() || named.len() > 2 || !named.iter().all(is_word) {
            return None;
        }
        let is_act = |phrase: &crate::english::lexicon::Phrase| {
            matches!(phrase.entry, Entry::Act(_) | Entry::Marker(_) | Entry::Preposition(_))
        };
        let means = named
            .iter()
            .enumerate()
            .any(|(at, _)| self.lexicon.phrases(named.get(at..).unwrap_or_default()).iter().any(is_act));
        if means && shorter.is_none() {
            return None;
        }
        let said = stems(named).join(" ");
        (!self.hand.has_tool_about(&stems(named)) || shorter.is_some()).then(|| vec![said])
    }

    /// Values in a row.
    fn field_forms(&self, tokens: &[Token]) -> Option<Vec<Form>> {
        let one = |item: &[Token]| -> Option<Form> {
            let item = strip(item, &["either", "set to", "the value", "to"]).unwrap_or(item);
            let is_plain = |token: &Token| {
                matches!(token.shape, Shape::Word | Shape::Quoted | Shape::Identifier | Shape::Number)
                    && !DENYING.contains(&token.low.as_str())
            };
            let is_value = !item.is_empty() && item.len() < 4 && item.iter().all(is_plain);
            let is_between =
                item.first().is_some_and(|first| self.lexicon.is_between(first) && !first.is_capital());
            (is_value && !is_between).then(|| Form::Is(text(item)))
        };
        let forms: Option<Vec<Form>> = items(tokens).into_iter().map(one).collect();
        forms.filter(|forms| !forms.is_empty())
    }

    fn field_set(&self, names: Vec<String>, check: Check, presence: Presence) -> Rules {
        let test = Test::Value { names, check, presence };
        let doings = vec![Doing::Deed(Deed::Writes)];
        vec![(Verdict::Deny, Case { doings, tests: vec![test], ..Case::default() })]
    }
}

/// What stands in front of a limit, the limit, and what stands behind it.
type Compared<'t> = (&'t [Token], (i64, Compare), &'t [Token]);

/// A limit with what stands around it.
fn compared(tokens: &[Token]) -> Option<Compared<'_>> {
    if let Some((front, _, behind)) =
        around(tokens, &["negative", "below zero", "under zero", "less than zero"])
    {
        return Some((front, (0, Compare::Below), behind));
    }
    (0..tokens.len()).find_map(|at| {
        let rest = tokens.get(at..)?;
        let (found, length) = amount::read(rest)?;
        if found.compare == Compare::Equal {
            return None;
        }
        let mut behind = rest.get(length..)?;
        // "30 percent or less"
        let unit = behind.first().is_some_and(|token| LIGHT.contains(&token.low.as_str()));
        if let Some((_, more)) = amount::trailing(behind, usize::from(unit)) {
            behind = behind.get(usize::from(unit) + more..)?;
        }
        Some((tokens.get(..at)?, (found.number, found.compare), behind))
    })
}
