//! What holds things, by the argument that names it: "the payments namespace is not to be touched", "the sheet Budget was
//! approved, don't change it", "namespace payments: no restarts, no deletions before 18:00".

use super::Rules;
use super::sift::{Sifted, Weight};
use crate::english::exact::Exact;
use crate::english::exact::told::bag::is_word_of;
use crate::english::exact::words::stems;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Test, Verdict};

/// What people call what holds things, and what tools call it.
const HOLDERS: &[(&str, &str)] = &[
    ("namespace", "namespace"),
    ("sheet", "sheet"),
    ("worksheet", "sheet"),
    ("tab", "sheet"),
    ("project", "project"),
    ("board", "board"),
    ("bucket", "bucket"),
    ("workspace", "workspace"),
    ("team", "team"),
    ("list", "list"),
    ("database", "database"),
    ("collection", "collection"),
    ("vault", "vault"),
    ("cluster", "cluster"),
    ("queue", "queue"),
    ("topic", "topic"),
    ("environment", "environment"),
    ("space", "space"),
    ("index", "index"),
    ("section", "section"),
    ("notebook", "notebook"),
    ("base", "base"),
    ("zone", "zone"),
    ("dashboard", "dashboard"),
    ("playlist", "playlist"),
    ("context", "context"),
    ("user", "user"),
    ("role", "role"),
    ("group", "group"),
    ("policy", "policy"),
    ("account", "account"),
    ("region", "region"),
    ("schema", "schema"),
    ("table", "table"),
    ("host", "host"),
    ("service", "service"),
    ("site", "site"),
    ("flag", "flag"),
    ("organization", "organization"),
];

/// What nobody calls a namespace.
const COMMON: &[&str] = &[
    "cluster",
    "system",
    "database",
    "account",
    "workspace",
    "app",
    "project",
    "company",
    "team",
    "case",
    "place",
    "time",
    "way",
    "night",
    "morning",
    "evening",
    "cloud",
];

/// What changes something.
const CHANGING: &[&str] = &[
    "touch",
    "touched",
    "change",
    "changes",
    "changed",
    "edit",
    "edited",
    "edits",
    "write",
    "written",
    "writes",
    "modify",
    "modified",
    "alter",
    "altered",
    "overwrite",
    "overwritten",
    "update",
    "updated",
    "updates",
];

/// What says by itself that nothing is changed.
const KEPT: &[&str] =
    &["alone", "hands", "read-only", "readonly", "frozen", "untouched", "unchanged", "fixed", "locked"];
const KEEPING: &[&str] =
    &["read only", "as it is", "as they are", "for reading", "only read", "only look", "stays the same"];

/// What is not even looked at.
const CLOSED: &[&str] = &["private", "out", "closed", "taboo", "limits", "business", "secret", "eyes"];
const UNSEEN: &[&str] = &[
    "don't read",
    "don't open",
    "never open",
    "never read",
    "not read",
    "nobody reads",
    "don't look",
    "never look",
    "not open",
    "not your",
    "nothing from",
];

/// Words of what stands in a text for what holds things.
const HELD: &str = "{held}";

impl Exact<'_> {
    /// What must not be done to what something holds.
    pub(super) fn holders(&self, tokens: &[Token]) -> Option<Rules> {
        let (test, rest) = self.held_in(tokens).or_else(|| self.held_unsaid(tokens))?;
        let timed = self.span_in(&rest);
        let rest: Vec<Token> = match &timed {
            Some((_, at, length)) => rest.iter().take(*at).chain(rest.get(at + length..)?).cloned().collect(),
            None => rest,
        };
        let sifted = self.sifted(&rest, "holders", &|_, token| match token.text == HELD
            || self.act_words(token).is_some()
        {
            true => Weight::Anchor,
            false if token.shape == Shape::Word && self.hand.has_own_word(&token.low) => Weight::Light,
            false => Weight::Strange,
        })?;
        let time = timed.map(|(span, ..)| Test::Time { spans: vec![span], is: true, of_event: false });
        let mut rules = Rules::new();
        for (doings, tests) in self.done_to_held(&sifted)? {
            let tests = tests.into_iter().chain([test.clone()]).chain(time.clone()).collect();
            rules.push((Verdict::Deny, Case { doings, tests, ..Case::default() }));
        }
        Some(rules)
    }

    /// What a text forbids: single acts, changes, or all.
    fn done_to_held(&self, sifted: &Sifted<'_>) -> Option<Vec<(Vec<Doing>, Vec<Test>)>> {
        let acts: Vec<&'static [&'static str]> =
            sifted.anchors.iter().filter_map(|(_, token)| self.act_words(token)).collect();
        let denies = sifted.denies() || sifted.has(&["hands", "alone", "taboo", "forbidden", "banned"]);
        if !acts.is_empty() && denies {
            let each = acts.into_iter().flat_map(|words| self.acted(words)).collect::<Vec<_>>();
            return (!each.is_empty()).then_some(each);
        }
        let is_kept = sifted.has(CHANGING) || sifted.has(KEPT) || sifted.says(KEEPING);
        let is_stated =
            sifted.denies() || sifted.has(KEPT) || sifted.says(KEEPING) || sifted.has(&["stay", "stays"]);
        if is_kept && is_stated {
            // What is copied stays as it is.
            let copying = ["copy", "duplicate", "clone"].iter().flat_map(|word| self.tools_doing(word));
            let copying: Vec<String> = copying.collect();
            let tests = (!copying.is_empty()).then_some(Test::Tool { names: copying, is: false });
            let doings = vec![Doing::Deed(Deed::Changes), Doing::Deed(Deed::Runs)];
            return Some(vec![(doings, tests.into_iter().collect())]);
        }
        (sifted.has(CLOSED) || sifted.says(UNSEEN)).then(|| vec![(Vec::new(), Vec::new())])
    }

    /// The calls that do what these words say.
    fn acted(&self, words: &[&str]) -> Vec<(Vec<Doing>, Vec<Test>)> {
        let tools: Vec<String> = words.iter().flat_map(|word| self.tools_doing(word)).collect();
        let mut found = Vec::new();
        if !tools.is_empty() {
            found.push((Vec::new(), vec![Test::Tool { names: tools, is: true }]));
        }
        if let Some(first) = words.first() {
            let doing = match *first {
                "delete" => Doing::Deed(Deed::Deletes),
                other => Doing::Did(other.to_owned()),
            };
            found.push((vec![doing], Vec::new()));
        }
        found
    }

    /// What holds things, as a test, and the text with one word for it.
    fn held_in(&self, tokens: &[Token]) -> Option<(Test, Vec<Token>)> {
        let (at, argument) = tokens.iter().enumerate().find_map(|(at, token)| {
            let stem = crate::names::stem(&token.low);
            let (_, argument) = HOLDERS.iter().find(|(people, _)| *people == stem)?;
            let names = self.ground(&[(*argument).to_owned()], &[])?;
            (token.shape == Shape::Word && self.hand.own_parameter(argument).is_some()).then_some((at, names))
        })?;
        let name_at = self.name_beside(tokens, at)?;
        self.put_held(tokens, at, name_at, argument)
    }

    /// "nothing is executed inside the payments pods": where one argument alone says what holds things.
    fn held_unsaid(&self, tokens: &[Token]) -> Option<(Test, Vec<Token>)> {
        let holder = self.hand.holder().filter(|holder| *holder == "namespace")?;
        let names = self.ground(&[holder.to_owned()], &[])?;
        let at = tokens
            .iter()
            .position(|token| matches!(token.low.as_str(), "in" | "inside" | "of" | "within"))?;
        let skip =
            usize::from(tokens.get(at + 1).is_some_and(|token| matches!(token.low.as_str(), "the" | "our")));
        let name_at = at + 1 + skip;
        let name = tokens.get(name_at)?;
        let is_name = matches!(name.shape, Shape::Word | Shape::Identifier | Shape::Quoted)
            && !is_word_of("anything", &name.low)
            && !is_word_of("holders", &name.low)
            && self.act_words(name).is_none()
            && !COMMON.contains(&name.low.as_str())
            && !self.hand.has_own_word(&name.low);
        is_name.then(|| self.put_held(tokens, name_at, name_at, names)).flatten()
    }

    /// The test of a name, and the text with one word in the place of what was named.
    fn put_held(
        &self,
        tokens: &[Token],
        at: usize,
        name_at: usize,
        argument: Vec<String>,
    ) -> Option<(Test, Vec<Token>)> {
        let name = tokens.get(name_at)?.text.clone();
        let first = at.min(name_at);
        let last = at.max(name_at);
        let mut rest: Vec<Token> = tokens.iter().take(first).cloned().collect();
        while rest.last().is_some_and(|token| {
            matches!(
                token.low.as_str(),
                "the" | "my" | "our" | "(" | "in" | "inside" | "of" | "from" | "to" | "into"
            )
        }) {
            rest.pop();
        }
        let place = tokens.get(first)?;
        rest.push(Token {
            text: HELD.to_owned(),
            low: HELD.to_owned(),
            shape: Shape::Identifier,
            at: place.at,
        });
        let behind = tokens.get(last + 1..)?;
        // "that sheet" behind the name stands for it alone.
        if last > first + 2 && tokens.get(first + 1).is_none_or(|next| next.shape != Shape::Mark('(')) {
            rest.extend(tokens.get(first + 1..last)?.iter().cloned());
        }
        rest.extend(behind.iter().cloned());
        let names = argument;
        let check = Check::Forms(vec![Form::Is(name)]);
        Some((Test::Value { names, check, presence: Presence::One }, rest))
    }

    /// Where the name stands that goes with what holds things.
    fn name_beside(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let is_name = |place: usize| {
            tokens.get(place).is_some_and(|token| match token.shape {
                Shape::Quoted => true,
                Shape::Identifier => stems(std::slice::from_ref(token)).len() < 6,
                Shape::Word => {
                    !is_word_of("anything", &token.low)
                        && !is_word_of("holders", &token.low)
                        && self.act_words(token).is_none()
                        && !token.low.contains('\'')
                }
                _ => false,
            })
        };
        let is_mark = |place: usize, mark: char| {
            tokens.get(place).is_some_and(|token| token.shape == Shape::Mark(mark))
        };
        let singular = tokens.get(at).is_some_and(|token| !token.low.ends_with('s'));
        if !singular {
            return None;
        }
        let is_strong = |place: usize| {
            tokens.get(place).is_some_and(|token| token.shape == Shape::Quoted || token.is_capital())
        };
        let next = at + 1;
        let before = at.checked_sub(1);
        // "the user deploy": right behind it even a verb is a name.
        let ends = tokens.get(next + 1).is_none_or(|token| {
            matches!(token.shape, Shape::Mark(_))
                || matches!(token.low.as_str(), "is" | "alone" | "stays" | "as")
        });
        if ends
            && tokens
                .get(next)
                .is_some_and(|token| self.act_words(token).is_some() && token.shape == Shape::Word)
        {
            return Some(next);
        }
        if is_name(next) && is_strong(next) {
            return Some(next);
        }
        if let Some(before) = before.filter(|before| is_name(*before)) {
            return Some(before);
        }
        if is_name(next) {
            return Some(next);
        }
        // "payments (namespace)"
        if let Some(before) = at.checked_sub(2)
            && is_mark(before + 1, '(')
            && is_mark(next, ')')
            && is_name(before)
        {
            return Some(before);
        }
        // "Budget is approved, leave that sheet alone"
        let refers = before
            .and_then(|before| tokens.get(before))
            .is_some_and(|token| matches!(token.low.as_str(), "that" | "this"));
        let first =
            usize::from(tokens.first().is_some_and(|token| matches!(token.low.as_str(), "the" | "our")));
        let is_told =
            tokens.get(first + 1).is_some_and(|token| matches!(token.low.as_str(), "is" | "are" | "was"));
        (refers && is_name(first) && (is_strong(first) || is_told)).then_some(first)
    }
}
