//! Acts by their everyday names: "no all-day events", "symlinks are forbidden", "don't create or drop indexes",
//! "ask me before rebooting anything". The names stand in `data/acts`.

mod alike;
mod phrases;
mod table;
mod verbs;

use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::lexicon::Entry;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Doing, Verdict};
use phrases::{ASKED, ASKING, CLAUSES, DONE, PASSIVE, PLACES, PLAIN};
pub(in crate::english::exact) use phrases::{DENYING, FORBIDDEN};
pub(in crate::english::exact) use table::Table;

type Rules = Vec<(Verdict, Case)>;

impl Exact<'_> {
    /// The acts that words name, if they name nothing else.
    pub(in crate::english::exact) fn acts_named(&self, tokens: &[Token]) -> Vec<String> {
        Table::built_in().and_then(|table| self.act_list(tokens, table)).unwrap_or_default()
    }

    /// A ban on acts, or a wish to be asked about them.
    pub(in crate::english::exact) fn acts(&self, tokens: &[Token]) -> Option<Rules> {
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
            strip_end(tokens, FORBIDDEN)
                .and_then(|front| self.act_list(strip_end(front, &[","]).unwrap_or(front), table))
        });
        denied.or_else(|| self.passive(tokens, table)).map(|acts| ruled(Verdict::Deny, acts))
    }

    /// "Events with anyone from outside acme.com must hide the guest list."
    fn predicated(&self, tokens: &[Token], table: &Table) -> Option<Rules> {
        let (subject, acts) = table.predicated(tokens, self.hand)?;
        let (doings, mut tests) = match self.scope(subject) {
            Some(scope) => scope.written(),
            None => self.loosely(subject).filter(|(doings, _)| !doings.is_empty())?,
        };
        tests.push(crate::meaning::Test::Did { actions: acts, is: true });
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "replace_content is forbidden", "never use replace_content": a value that an argument can have.
    pub(in crate::english::exact) fn chosen(&self, tokens: &[Token]) -> Option<Rules> {
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
    pub(in crate::english::exact) fn sql_words(&self, tokens: &[Token]) -> Option<Rules> {
        let named = strip(tokens, DENYING).or_else(|| strip_end(tokens, FORBIDDEN))?;
        if !self.hand.has_parameter("sql") && !self.hand.has_tool_word("query") {
            return None;
        }
        let is_keyword = |token: &Token| {
            token.text.len() > 1
                && token.text.chars().all(|letter| letter.is_ascii_uppercase() || letter == '_')
        };
        let phrases: Vec<String> = items(bare(named))
            .into_iter()
            .map(|item| {
                let is_clause =
                    item.len() > 1 || item.first().is_some_and(|one| CLAUSES.contains(&one.text.as_str()));
                let is_sql = is_clause
                    && item.first().is_some_and(is_keyword)
                    && item.iter().all(|token| {
                        is_keyword(token) || token.low.ends_with(')') || token.low.ends_with('(')
                    });
                is_sql.then(|| crate::english::exact::words::text(item).replace("( ", "(").replace(" )", ")"))
            })
            .collect::<Option<_>>()?;
        let what = phrases.into_iter().map(crate::meaning::Saying::Words).collect();
        let tests = vec![crate::meaning::Test::Says { what, parameter: None, is: true }];
        Some(vec![(
            Verdict::Deny,
            Case { doings: vec![Doing::Did("query".to_owned())], tests, ..Case::default() },
        )])
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

    /// The acts that one item names: those of the table, or those of the looser reader that need nothing besides.
    fn acts_of(&self, tokens: &[Token], table: &Table) -> Vec<String> {
        let found = table.named(tokens, self.hand);
        match found.is_empty() {
            true => self.plain_act(tokens).into_iter().collect(),
            false => found,
        }
    }

    fn plain_act(&self, tokens: &[Token]) -> Option<String> {
        let plain = bare(tokens);
        let act = |tokens: &[Token]| {
            let phrases = self.lexicon.phrases(tokens).into_iter();
            phrases
                .filter_map(|phrase| match phrase.entry {
                    Entry::Act(number) | Entry::Verb(number) => Some((number, phrase.length)),
                    _ => None,
                })
                .filter(|(number, _)| {
                    self.lexicon.action(*number).is_some_and(|action| PLAIN.contains(&action.name.as_str()))
                })
                .max_by_key(|(_, length)| *length)
        };
        let (number, length) = act(plain)?;
        let rest = bare(plain.get(length..)?);
        let is_open = rest.is_empty()
            || strip(rest, &["anything", "something", "things", "stuff"]).is_some_and(<[Token]>::is_empty)
            || act(rest).is_some_and(|(other, more)| other == number && more == rest.len());
        is_open.then(|| self.lexicon.action(number).map(|action| action.name.clone())).flatten()
    }

    /// The acts that a list names, if it names nothing else.
    fn act_list(&self, tokens: &[Token], table: &Table) -> Option<Vec<String>> {
        if let Some(known) = self.acts.borrow().get(tokens) {
            return known.clone();
        }
        let found = self.acts_listed(tokens, table);
        self.acts.borrow_mut().insert(tokens.to_vec(), found.clone());
        found
    }

    fn acts_listed(&self, tokens: &[Token], table: &Table) -> Option<Vec<String>> {
        let raw = table.named(tokens, self.hand);
        if !raw.is_empty() {
            return Some(raw);
        }
        let tokens = shorn(strip(tokens, &["use of", "the use of", "use", "any use of"]).unwrap_or(tokens));
        // Examples of what is meant change nothing.
        let tokens = around(tokens, &["such as", "for example", "e.g"]).map_or(tokens, |(front, _, _)| front);
        let whole = table.named(tokens, self.hand);
        if !whole.is_empty() {
            return Some(whole);
        }
        let list = items(tokens);
        if list.len() < 2 {
            return self.plain_act(tokens).map(|act| vec![act]);
        }
        let last = list.last()?;
        let first = list.first()?;
        let mut acts = Vec::new();
        for item in &list {
            let item = strip(item, &["no", "never", "any", "not", "don't"]).unwrap_or(item);
            let item = shorn(item);
            let alone = table.named(item, self.hand);
            // "change modes or owners recursively": how it is done counts for all of them.
            let manner = last.split_last().filter(|(end, _)| end.low.ends_with("ly") && list.len() > 1);
            if let Some((manner, _)) = manner.filter(|(manner, _)| item.last() != Some(*manner)) {
                let found = table.named(&joined(&[item, std::slice::from_ref(manner)]), self.hand);
                if found.is_empty() {
                    return None;
                }
                acts.extend(found);
                continue;
            }
            if !alone.is_empty() {
                acts.extend(alone);
                continue;
            }
            // "create or drop indexes": what is done stands for itself, to what stands at the end.
            let shared = (1..last.len()).find_map(|at| {
                let found = self.acts_of(&joined(&[item, last.get(at..)?]), table);
                (!found.is_empty()).then_some(found)
            });
            // "create views, functions or triggers": what is done stands at the beginning.
            let led = || {
                (1..first.len()).find_map(|at| {
                    let found = table.named(&joined(&[first.get(..at)?, item]), self.hand);
                    (!found.is_empty()).then_some(found)
                })
            };
            let plain = || self.plain_act(item).map(|act| vec![act]);
            acts.extend(shared.or_else(led).or_else(plain)?);
        }
        (!acts.is_empty()).then_some(acts)
    }
}

/// The words without a place that says nothing new.
fn shorn(tokens: &[Token]) -> &[Token] {
    let shorter = strip_end(bare(tokens), PLACES).filter(|rest| !rest.is_empty());
    shorter.unwrap_or(bare(tokens))
}

pub(in crate::english::exact) fn joined(parts: &[&[Token]]) -> Vec<Token> {
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
