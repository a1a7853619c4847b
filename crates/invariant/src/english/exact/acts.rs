//! Acts by their everyday names: "no all-day events", "symlinks are forbidden", "don't create or drop indexes",
//! "ask me before rebooting anything". The names stand in `acts.toml`.

mod table;

use super::Exact;
use super::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Doing, Verdict};
use table::Table;

type Rules = Vec<(Verdict, Case)>;

const DENYING: &[&str] = &[
    "no",
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you may not",
    "you must never",
    "must not",
    "avoid",
    "absolutely no",
    "there must be no",
    "there must not be any",
    "i don't want",
    "i do not want",
    "i don't want any",
    "i want no",
    "please no",
    "please don't",
    "please never",
    "under no circumstances",
    "you are not allowed to",
    "you're not allowed to",
    "you are not to",
    "you cannot",
    "you can't",
    "not a single",
    "refrain from",
    "never ever",
    "no more",
    "not even",
    "don't you",
    "you should not",
    "you should never",
    "you shall not",
    "don't even",
    "neither",
    "nothing with",
    "without",
    "not with",
    "do without",
    "stay away from",
    "keep away from",
    "hands off",
    "keep your hands off",
    "keep your fingers off",
    "no need for",
    "never use",
    "don't use",
    "do not use",
    "never do",
    "don't do",
    "do not do",
    "never any",
    "not any",
];

/// Behind what is forbidden.
const FORBIDDEN: &[&str] = &[
    "are forbidden",
    "is forbidden",
    "are not allowed",
    "is not allowed",
    "aren't allowed",
    "isn't allowed",
    "are banned",
    "is banned",
    "are prohibited",
    "is prohibited",
    "are off limits",
    "is off limits",
    "are off-limits",
    "is off-limits",
    "are out of bounds",
    "is out of bounds",
    "are taboo",
    "is taboo",
    "are out",
    "is out",
    "are not ok",
    "is not ok",
    "are not okay",
    "is not okay",
    "are a no-go",
    "is a no-go",
    "are no-gos",
    "are not permitted",
    "is not permitted",
    "are not an option",
    "is not an option",
    "is off the table",
    "are off the table",
    "are out of the question",
    "is out of the question",
    "are verboten",
    "is verboten",
    "are not for you",
    "is not for you",
    "are unwanted",
    "are not wanted",
    "is not wanted",
    "are strictly forbidden",
    "is strictly forbidden",
    "are never allowed",
    "is never allowed",
    "are never ok",
    "is never ok",
    "are none of your business",
    "is none of your business",
    "are disallowed",
    "is disallowed",
    "must not happen",
    "must never happen",
    "should not happen",
    "should never happen",
    "are to be avoided",
    "is to be avoided",
    "must be avoided",
    "don't happen here",
    "do not happen",
    ": never",
    ": no",
    ": no way",
    ": not allowed",
    ": forbidden",
    ": don't",
    ": off limits",
    ": hands off",
    ": not for you",
    ": never ever",
    ": no thanks",
    "never",
];

/// Between what is meant and what must not be done to it.
const PASSIVE: &[&str] = &[
    "are not to be",
    "is not to be",
    "are never to be",
    "is never to be",
    "must not be",
    "must never be",
    "may not be",
    "may never be",
    "should not be",
    "should never be",
    "shall not be",
    "cannot be",
    "can't be",
    "can not be",
    "are never",
    "is never",
    "are not",
    "is not",
    "aren't",
    "isn't",
    "must not get",
    "must never get",
    "may not get",
    "never get",
    "never gets",
    "don't get",
    "doesn't get",
    "do not get",
    "are not yours to",
    "is not yours to",
    "aren't yours to",
    "isn't yours to",
    "are not for you to",
    "is not for you to",
];

/// The same where "no" or "nothing" stands in front.
const DONE: &[&str] = &[
    "are to be",
    "is to be",
    "may be",
    "gets",
    "get",
    "must be",
    "should be",
    "shall be",
    "is",
    "are",
    "will be",
    "can be",
    "ever gets",
    "may ever be",
    "is ever",
    "are ever",
];

const ASKING: &[&str] = &[
    "ask me before you",
    "ask me before",
    "ask before you",
    "ask before",
    "always ask before",
    "always ask me before",
    "always ask before you",
    "always ask me before you",
    "ask me first before",
    "ask me first before you",
    "check with me before you",
    "check with me before",
    "check with me first before",
    "check with me first before you",
    "confirm with me before",
    "confirm with me before you",
    "get my ok before",
    "get my ok before you",
    "get my approval before",
    "get my approval before you",
    "ask for permission before",
    "ask permission before",
    "ask for my permission before",
    "let me know before you",
    "ask me every time before",
    "ask me every time before you",
    "ask me each time before you",
    "ask me about any",
    "ask me about",
    "ask me for permission before",
    "come to me before",
    "come to me before you",
    "ask first before you",
    "ask first before",
    "come and ask me before you",
    "have me confirm before",
    "wait for my ok before",
    "wait for my ok before you",
];

const ASKED: &[&str] = &[
    "needs my ok",
    "need my ok",
    "needs my approval",
    "need my approval",
    "needs my permission",
    "need my permission",
    "needs my okay",
    "need my okay",
    "require my approval",
    "requires my approval",
    "require my ok",
    "requires my ok",
    "need my go-ahead",
    "needs my go-ahead",
    "only with my ok",
    "only with my permission",
    "only with my approval",
    "only after asking me",
    ": ask first",
    ": ask me first",
    ": ask me",
    ": ask before",
    ": only with my ok",
    ": ask me every time",
    "without asking me",
    "without asking",
    "without asking me first",
    "without my ok",
    "without my permission",
    "without my approval",
    "unless i say so",
    "unless i tell you to",
    "unless i ask for it",
    "have to be approved by me",
    "must be approved by me",
];

/// Where something is done that is done nowhere else.
const PLACES: &[&str] = &[
    "here",
    "in here",
    "at all",
    "anywhere",
    "of any kind",
    "of any sort",
    "in commands",
    "in a command",
    "in the shell",
    "in queries",
    "in sql",
    "in a query",
    "in the database",
    "in this database",
    "in the browser",
    "in a browser",
    "in the calendar",
    "in my calendar",
    "in our calendar",
    "in invitations",
    "in invites",
    "in events",
    "in my mailbox",
    "in my inbox",
    "in the mailbox",
    "in this repo",
    "in this repository",
    "in the repo",
    "in the repository",
    "on github",
    "in git",
    "with git",
    "in notion",
    "on notion",
    "in slack",
    "on slack",
    "on this machine",
    "on this box",
    "on this server",
    "on this host",
    "on the server",
    "in docker",
    "with docker",
    "in searches",
    "in search results",
    "from fetch",
    "with fetch",
    "for me",
    "on my behalf",
    "in my name",
    "on any site",
    "on any page",
    "on websites",
    "with curl",
    "by yourself",
    "yourself",
    "for now",
    "on your own",
    "in comments",
    "in github comments",
    "in messages",
    "in slack messages",
    "in issues",
    "in mails",
    "in emails",
];

impl Exact<'_> {
    /// A ban on acts, or a wish to be asked about them.
    pub(super) fn acts(&self, tokens: &[Token]) -> Option<Rules> {
        let table = Table::built_in()?;
        if let Some(acts) = table.kept(tokens, self.hand) {
            return Some(ruled(Verdict::Deny, acts));
        }
        if let Some(rules) = self.predicated(tokens, table) {
            return Some(rules);
        }
        if let Some(rest) = strip(tokens, ASKING) {
            return self.act_list(rest, table).map(|acts| ruled(Verdict::Ask, acts));
        }
        if let Some(front) = strip_end(tokens, ASKED) {
            let front = strip(front, DENYING).unwrap_or(front);
            let front = strip_end(front, &["happen", "happens", "only happen", ","]).unwrap_or(front);
            return self.act_list(front, table).map(|acts| ruled(Verdict::Ask, acts));
        }
        let denied = strip(tokens, DENYING).and_then(|rest| self.act_list(rest, table));
        let denied = denied.or_else(|| {
            strip_end(tokens, FORBIDDEN).and_then(|front| {
                self.act_list(strip_end(front, &[","]).unwrap_or(front), table)
            })
        });
        denied.or_else(|| self.passive(tokens, table)).map(|acts| ruled(Verdict::Deny, acts))
    }

    /// "Events with anyone from outside acme.com must hide the guest list."
    fn predicated(&self, tokens: &[Token], table: &Table) -> Option<Rules> {
        let (subject, acts) = table.predicated(tokens, self.hand)?;
        let scope = self.scope(subject)?;
        let (doings, mut tests) = scope.written();
        tests.push(crate::meaning::Test::Did { actions: acts, is: true });
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "replace_content is forbidden", "never use replace_content": a value that an argument can have.
    pub(super) fn chosen(&self, tokens: &[Token]) -> Option<Rules> {
        let named = strip(tokens, DENYING).or_else(|| strip_end(tokens, FORBIDDEN))?;
        let mut values = Vec::new();
        for item in items(bare(named)) {
            let [one] = bare(item) else { return None };
            let is_literal = matches!(one.shape, Shape::Identifier | Shape::Quoted);
            self.hand.choice(&one.text).filter(|_| is_literal)?;
            values.push(one.text.clone());
        }
        if values.is_empty() {
            return None;
        }
        let tests = vec![crate::meaning::Test::Choice { values, parameter: None, is: true }];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "no DROP CONSTRAINT", "never use NATURAL JOIN": words of SQL in capitals.
    pub(super) fn sql_words(&self, tokens: &[Token]) -> Option<Rules> {
        let named = strip(tokens, DENYING).or_else(|| strip_end(tokens, FORBIDDEN))?;
        if !self.hand.has_parameter("sql") && !self.hand.has_tool_word("query") {
            return None;
        }
        let is_keyword = |token: &Token| {
            token.text.len() > 1 && token.text.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
        };
        let phrases: Vec<String> = items(bare(named))
            .into_iter()
            .map(|item| {
                let is_sql = item.first().is_some_and(is_keyword)
                    && item.iter().all(|token| is_keyword(token) || token.low.ends_with(')') || token.low.ends_with('('));
                is_sql.then(|| super::words::text(item))
            })
            .collect::<Option<_>>()?;
        let what = phrases.into_iter().map(crate::meaning::Saying::Words).collect();
        let tests = vec![crate::meaning::Test::Says { what, parameter: None, is: true }];
        Some(vec![(Verdict::Deny, Case { doings: vec![Doing::Did("query".to_owned())], tests, ..Case::default() })])
    }

    /// "Symlinks are not to be created", "no containers may be started", "nothing gets archived".
    fn passive(&self, tokens: &[Token], table: &Table) -> Option<Vec<String>> {
        if let Some(rest) = strip(tokens, &["nothing"]) {
            let (place, _, verbs) = around(rest, DONE)?;
            let is_place = place.is_empty() || strip(place, PLACES).is_some_and(<[Token]>::is_empty);
            let anything = [word("anything")];
            return is_place.then(|| self.done_to(verbs, &anything, table)).flatten();
        }
        if let Some(rest) = strip(tokens, &["no", "not a single"]) {
            let (object, _, verbs) = around(rest, DONE)?;
            return self.done_to(verbs, object, table);
        }
        let (object, _, verbs) = around(tokens, PASSIVE)?;
        self.done_to(verbs, object, table)
    }

    /// What is done where each of these verbs is done to a thing.
    fn done_to(&self, verbs: &[Token], object: &[Token], table: &Table) -> Option<Vec<String>> {
        if verbs.is_empty() || object.is_empty() {
            return None;
        }
        let verbs = shorn(verbs);
        let objects = items(object);
        let mut acts = Vec::new();
        for verb in items(verbs) {
            let single = table.done(verb, object, self.hand);
            let found = match single.is_empty() {
                false => single,
                true => {
                    let each = objects.iter().map(|object| table.done(verb, object, self.hand));
                    let each: Option<Vec<Vec<String>>> =
                        each.map(|found| (!found.is_empty()).then_some(found)).collect();
                    each?.concat()
                }
            };
            acts.extend(found);
        }
        (!acts.is_empty()).then_some(acts)
    }

    /// The acts that a list names, if it names nothing else.
    fn act_list(&self, tokens: &[Token], table: &Table) -> Option<Vec<String>> {
        let tokens = shorn(strip(tokens, &["use of", "the use of", "use", "any use of"]).unwrap_or(tokens));
        // Examples of what is meant change nothing.
        let tokens = around(tokens, &["such as", "for example", "e.g"]).map_or(tokens, |(front, _, _)| front);
        let whole = table.named(tokens, self.hand);
        if !whole.is_empty() {
            return Some(whole);
        }
        let list = items(tokens);
        if list.len() < 2 {
            return None;
        }
        let last = list.last()?;
        let first = list.first()?;
        let mut acts = Vec::new();
        for item in &list {
            let item = strip(item, &["no", "never", "any", "not", "don't"]).unwrap_or(item);
            let item = shorn(item);
            let alone = table.named(item, self.hand);
            if !alone.is_empty() {
                acts.extend(alone);
                continue;
            }
            // "create or drop indexes": what is done stands for itself, to what stands at the end.
            let shared = (1..last.len()).find_map(|at| {
                let found = table.named(&joined(&[item, last.get(at..)?]), self.hand);
                (!found.is_empty()).then_some(found)
            });
            // "create views, functions or triggers": what is done stands at the beginning.
            let led = || {
                (1..first.len()).find_map(|at| {
                    let found = table.named(&joined(&[first.get(..at)?, item]), self.hand);
                    (!found.is_empty()).then_some(found)
                })
            };
            acts.extend(shared.or_else(led)?);
        }
        (!acts.is_empty()).then_some(acts)
    }
}

/// The words without a place that says nothing new.
fn shorn(tokens: &[Token]) -> &[Token] {
    let shorter = strip_end(bare(tokens), PLACES).filter(|rest| !rest.is_empty());
    shorter.unwrap_or(bare(tokens))
}

pub(super) fn joined(parts: &[&[Token]]) -> Vec<Token> {
    parts.iter().flat_map(|part| bare(part).iter().cloned()).collect()
}

fn word(text: &str) -> Token {
    Token { text: text.to_owned(), low: text.to_owned(), shape: Shape::Word, at: 0 }
}

fn ruled(verdict: Verdict, mut acts: Vec<String>) -> Rules {
    acts.sort();
    acts.dedup();
    let doings = acts.into_iter().map(Doing::Did).collect();
    vec![(verdict, Case { doings, ..Case::default() })]
}
