//! Rules about what must come first, and what must not come after.

use super::Interpreter;
use super::context::take_names;
use crate::english::Trouble;
use crate::english::clause::Clause;
use crate::english::frame::{Frame, Framer, Role};
use crate::english::lexicon::Marker;
use crate::english::noun::Noun;
use crate::english::order::Order;
use crate::meaning::{Case, Deed, Doing, Test, Verdict};

impl Interpreter<'_> {
    /// A clause that a word of order cuts in two.
    pub(super) fn ordered_clause(&mut self, clause: &Clause, at: usize, order: Order) {
        let framer = Framer { lexicon: self.lexicon, hand: self.hand };
        let half = |from: usize, to: usize| framer.frame(clause.pieces.get(from..to).unwrap_or_default());
        let (one, other) = (half(0, at), half(at + 1, clause.pieces.len()));
        let (mut rule, mut what) = match order {
            Order::OnlyAfter | Order::NeverAfter => (one, other),
            Order::First => (other, one),
        };
        rule.markers.push(Marker::Deny);
        // "only after" is what the order says, not another limit.
        rule.markers.retain(|marker| *marker != Marker::Only);
        rule.slots.iter_mut().for_each(|slot| slot.only = false);
        rule.only_verb = false;
        self.inherit(&mut rule, clause);
        match self.ordered(&mut rule, &mut what, order) {
            Ok(rules) => self.rules.extend(rules),
            Err(trouble) => {
                self.unused.push(clause.text());
                self.troubles.push(trouble);
            }
        }
        self.last = Some(rule);
    }

    /// That an earlier call did this, or that none did.
    pub(super) fn earlier(&self, what: &Frame, is: bool) -> Result<Test, Trouble> {
        if !what.unknown.is_empty() {
            return Err(Trouble::Words(what.unknown.clone()));
        }
        let draft = self.draft(what)?;
        if draft.doings.is_empty() && draft.tests.is_empty() {
            return Err(Trouble::Vague("what comes first".to_owned()));
        }
        let case = Case { doings: draft.doings, tests: draft.tests, unless: Vec::new() };
        Ok(Test::Earlier { what: Box::new(case), is })
    }

    fn ordered(
        &self,
        rule: &mut Frame,
        what: &mut Frame,
        order: Order,
    ) -> Result<Vec<(Verdict, Case)>, Trouble> {
        let is = order == Order::NeverAfter;
        // "search my mail before you send one"
        if rule.acts.is_empty() && rule.slots.is_empty() && !what.acts.is_empty() && rule.did_words.is_empty()
        {
            rule.acts.clone_from(&what.acts);
            rule.act_words.clone_from(&what.act_words);
        }
        let earlier = match same_thing(rule, what) {
            Some(kind) => {
                for slot in rule.slots.iter_mut().chain(&mut what.slots) {
                    if slot.role == Role::Object && slot.nouns.iter().any(|noun| noun.is_it) {
                        // Tools of their own have no kinds.
                        let is_kind = kind == "file" || !self.hand.is_own();
                        slot.nouns = vec![if is_kind {
                            Noun::kind(&kind)
                        } else {
                            Noun { is_anything: true, ..Noun::default() }
                        }];
                    }
                }
                let deed = self.doings(what).into_iter().find_map(|doing| match doing {
                    Doing::Deed(deed) => Some(deed),
                    Doing::Did(_) => None,
                });
                let deed = deed.filter(|deed| !matches!(deed, Deed::Involves | Deed::Copies));
                Test::EarlierHere {
                    deed: deed.ok_or_else(|| Trouble::Vague("what comes first".to_owned()))?,
                    is,
                }
            }
            None => {
                let (named, by) = if what.refers { (&mut *what, &*rule) } else { (&mut *rule, &*what) };
                let by = by.clone();
                take_names(named, &by);
                self.earlier(what, is)?
            }
        };
        let mut rules = self.rule(rule)?;
        rules.iter_mut().for_each(|(_, case)| case.tests.push(earlier.clone()));
        Ok(rules)
    }
}

/// The kind of the one thing that both halves speak of without naming it: "read a file before you edit it".
fn same_thing(rule: &Frame, what: &Frame) -> Option<String> {
    let is_it = |frame: &Frame| frame.slots.iter().any(|slot| slot.nouns.iter().any(|noun| noun.is_it));
    let kind = |frame: &Frame| {
        let objects =
            frame.slots.iter().filter(|slot| slot.role == Role::Object).flat_map(|slot| &slot.nouns);
        let mut kinds = objects.filter(|noun| !noun.is_definite() && !noun.kind.is_empty());
        kinds.next().map(|noun| noun.kind.clone())
    };
    match (is_it(rule), is_it(what)) {
        (true, false) => kind(what),
        (false, true) => kind(rule),
        _ => None,
    }
}
