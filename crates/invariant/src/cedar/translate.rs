//! From a body of a rule to a condition of a policy.

use std::collections::BTreeSet;

use portcullis_datalog::{Atom, Comparison, Constant, Literal, Operator, Term};

use super::Misfit;
use super::condition::{Answer, Condition, Worlds, contains, doubted, equal, text, unknown};
use super::expand::Derived;
use super::slots::{EVENT, Meant, NOW, ROLES, Slot, Slots, with_variables};
use super::{moments, names, values};
use crate::meaning::Span;

/// A body as a condition, and the slots that it needs.
pub(super) struct Translated {
    pub(super) condition: Condition,
    pub(super) slots: BTreeSet<Slot>,
}

/// Translates a body in which nothing that is derived is left but under `not`.
pub(super) fn translate(body: &[Literal], derived: &mut Derived<'_>) -> Result<Translated, Misfit> {
    let body = with_variables(body);
    let slots = Slots::of(&body)?;
    let mut writer = Writer { slots: &slots, derived };
    let mut parts: Vec<(Option<Slot>, Condition)> = Vec::new();
    let mut used = BTreeSet::new();
    for literal in &body {
        if writer.is_told_with_a_fact(literal, &body)? {
            continue;
        }
        let own = writer.slots_of(literal);
        for slot in &own {
            if used.insert(*slot) {
                let open = Some(*slot).filter(|slot| slot.may_be_unknown());
                parts.push((open, has(*slot)));
            }
        }
        let mut open = own.iter().copied().filter(|slot| slot.may_be_unknown());
        let (first, second) = (open.next(), open.next());
        if second.is_some() {
            return Err(Misfit::Joined);
        }
        parts.push((first, writer.literal(literal, &body, Worlds::Some)?));
    }
    // Where there is a thing there is its flow.
    let reads_flow = parts.iter().any(|(_, condition)| condition.to_string().contains("context.flow."));
    if used.iter().any(|slot| slot.is_thing()) && !reads_flow {
        parts.retain(|(_, condition)| *condition != has(Slot::Flow));
    }
    Ok(Translated { condition: gathered(parts), slots: used })
}

fn has(slot: Slot) -> Condition {
    Condition::plain(format!("context has {}", slot.name()))
}

/// All parts, those about something that may be unknown together: there they hold of whatever it is.
fn gathered(parts: Vec<(Option<Slot>, Condition)>) -> Condition {
    let mut all = Vec::new();
    let mut done = BTreeSet::new();
    for (slot, condition) in &parts {
        match slot {
            None => all.push(condition.clone()),
            Some(slot) if done.insert(*slot) => {
                let own = parts.iter().filter(|(other, _)| *other == Some(*slot));
                let own = Condition::all(own.map(|(_, condition)| condition.clone()));
                all.push(Condition::any([own, unknown(slot.name())]));
            }
            Some(_) => {}
        }
    }
    Condition::all(all)
}

struct Writer<'w, 'd, 'r> {
    /// Of the whole rule: inside a negation nothing new can be looked for.
    slots: &'w Slots,
    derived: &'d mut Derived<'r>,
}

impl Writer<'_, '_, '_> {
    /// Whether a condition is written together with the fact that its variable comes from.
    fn is_told_with_a_fact(&self, literal: &Literal, body: &[Literal]) -> Result<bool, Misfit> {
        let told = variables(literal).into_iter().any(|name| {
            let binds = |other: &Literal| other != literal && local(other).is_some_and(|own| own == name);
            self.slots.meant(name).is_none() && body.iter().any(binds)
        });
        match (told, local(literal)) {
            // Two facts with one variable that no request is made for.
            (true, Some(_)) => Err(Misfit::Joined),
            (told, _) => Ok(told),
        }
    }

    /// The slots that a condition is about.
    fn slots_of(&self, literal: &Literal) -> BTreeSet<Slot> {
        let meant = variables(literal).into_iter().filter_map(|name| self.meant(name));
        meant.map(|meant| meant.slot).collect()
    }

    fn meant(&self, variable: &str) -> Option<&Meant> {
        self.slots.meant(variable)
    }

    /// Whether terms are variables that stand for these values.
    fn are(&self, terms: &[Term], root: &str, columns: &[&str]) -> bool {
        let is = |(term, column): (&Term, &&str)| {
            let path = if column.is_empty() { root.to_owned() } else { format!("{root}.{column}") };
            variable(term).and_then(|name| self.meant(name)).is_some_and(|meant| meant.path == path)
        };
        terms.len() == columns.len() && terms.iter().zip(columns).all(is)
    }

    fn literal(&mut self, literal: &Literal, body: &[Literal], worlds: Worlds) -> Result<Condition, Misfit> {
        match literal {
            Literal::Holds(atom) => Ok(self.atom(atom, literal, body)?.within(worlds)),
            Literal::Fails(atom) if self.derived.derives(&atom.predicate) => {
                Ok(self.derived_atom(atom, worlds.turned())?.negated())
            }
            Literal::Fails(atom) => Ok(self.atom(atom, literal, body)?.fails_within(worlds)),
            Literal::Compares(comparison) => self.comparison(comparison),
        }
    }

    /// What rules derive, under a negation: without a request for each of anything.
    fn derived_atom(&mut self, atom: &Atom, worlds: Worlds) -> Result<Condition, Misfit> {
        let mut any = Vec::new();
        for body in self.derived.alternatives(atom)? {
            let mut all = Vec::new();
            for literal in &body {
                if self.is_told_with_a_fact(literal, &body)? {
                    continue;
                }
                let new = variables(literal).into_iter().find(|name| self.meant(name).is_none());
                if new.is_some_and(|new| local(literal) != Some(new)) {
                    return Err(Misfit::ForAll);
                }
                all.push(self.literal(literal, &body, worlds)?);
            }
            any.push(Condition::all(all));
        }
        Ok(Condition::any(any))
    }

    fn atom(&self, atom: &Atom, literal: &Literal, body: &[Literal]) -> Result<Answer, Misfit> {
        let predicate = &*atom.predicate;
        if let Some(slot) = Slot::valued(atom) {
            return self.row(atom, literal, &format!("context.{}", slot.name()), values::COLUMNS);
        }
        match (predicate, atom.arguments.as_slice()) {
            ("did" | "about" | "given", [term]) => member(predicate, predicate, term),
            ("database", [term]) => member(predicate, "databases", term),
            ("branch" | "program", [Term::Variable(_)]) => {
                self.row(atom, literal, &format!("context.{predicate}"), &[""])
            }
            ("branch", [term]) => member(predicate, "branches", term),
            ("program", [term]) => member(predicate, "programs", term),
            ("server", [Term::Constant(Constant::Text(name))]) => {
                Ok(Answer::certain(Condition::plain(format!("resource in Server::{}", text(name)))))
            }
            ("tool", [Term::Constant(Constant::Text(name))]) => {
                let is_it = Condition::plain(format!("resource == Tool::{}", text(name)));
                Ok(open(is_it, predicate))
            }
            ("everything" | "company", []) => {
                Ok(open(Condition::plain(format!("context.{predicate}")), predicate))
            }
            ("choice", [name, Term::Constant(Constant::Text(value))]) => choice(name, value, literal, body),
            ("measure", [Term::Constant(Constant::Text(unit)), amount]) => {
                measure(unit, amount, literal, body)
            }
            ("calls", [Term::Constant(Constant::Text(action)), count]) => calls(action, count, literal, body),
            ("earlier", [term]) => within("context", predicate, term).map(Answer::certain),
            ("earlier_to", [deed, Term::Variable(name)]) => match self.meant(name) {
                Some(meant) if meant.slot.is_thing() => {
                    within(&meant.path, "earlier", deed).map(Answer::certain)
                }
                _ => Err(Misfit::Fact(predicate.to_owned())),
            },
            ("now", _) => self.row(atom, literal, "context.now", NOW),
            ("event", _) => self.row(atom, literal, "context.event", EVENT),
            (_, [Term::Variable(first), rest @ ..]) => match self.meant(first) {
                Some(meant) => self.slotted(atom, meant, rest),
                None => Err(Misfit::Fact(predicate.to_owned())),
            },
            _ => Err(Misfit::Fact(predicate.to_owned())),
        }
    }

    /// A fact that the request is made for.
    fn row(&self, atom: &Atom, literal: &Literal, root: &str, columns: &[&str]) -> Result<Answer, Misfit> {
        match matches!(literal, Literal::Holds(_)) && self.are(&atom.arguments, root, columns) {
            true => Ok(Answer::certain(Condition::always())),
            false => Err(Misfit::Joined),
        }
    }

    /// A fact or a filter about what a request has one of.
    fn slotted(&self, atom: &Atom, meant: &Meant, rest: &[Term]) -> Result<Answer, Misfit> {
        let (predicate, path) = (&*atom.predicate, meant.path.as_str());
        let flag = |name: &str| Answer::certain(Condition::plain(format!("{path}.{name}")));
        match (meant.slot, predicate, rest) {
            (Slot::Flow, "flow", []) => Ok(Answer::certain(Condition::always())),
            (Slot::Flow, "secret", []) => Ok(flag("secret")),
            (Slot::Flow, "effect", [term]) => within(path, "effects", term).map(Answer::certain),
            (Slot::Flow, "carries", [term]) => Ok(open(within(path, "carries", term)?, predicate)),
            (Slot::Flow, role, [Term::Variable(thing)]) if ROLES.contains(&role) => {
                match self.meant(thing).filter(|meant| meant.slot.is_thing()) {
                    Some(Meant { slot: Slot::Source, .. }) if role == "input" => {
                        Ok(Answer::certain(Condition::always()))
                    }
                    Some(Meant { slot: Slot::Target, .. }) if role == "output" => {
                        Ok(Answer::certain(Condition::always()))
                    }
                    Some(thing) => Ok(Answer::certain(contains(&format!("{}.roles", thing.path), role))),
                    None => Err(Misfit::Joined),
                }
            }
            (Slot::Statement, "statement", [term]) => within(path, "kinds", term).map(Answer::certain),
            (Slot::Statement, "without_where" | "unlimited", []) => Ok(flag(predicate)),
            (slot, "kind", [term]) if slot.is_thing() => within(path, "kinds", term).map(Answer::certain),
            (slot, "realm", [term]) if slot.is_thing() => within(path, "realms", term).map(Answer::certain),
            (slot, "public" | "top_level", []) if slot.is_thing() => Ok(flag(predicate)),
            (Slot::Now, "during", _) => {
                Ok(Answer::certain(moments::during(&self.span(atom, "context.now", NOW)?)))
            }
            (Slot::Event, "event_during", _) => Ok(Answer::certain(moments::event_during(
                &self.span(atom, "context.event", EVENT)?,
                "context.event",
            ))),
            (Slot::Event, "event_within", _) => Ok(Answer::certain(moments::event_within(
                &self.span(atom, "context.event", EVENT)?,
                "context.event",
            ))),
            (Slot::Flow | Slot::Now | Slot::Event | Slot::Statement, ..) => {
                Err(Misfit::Fact(predicate.to_owned()))
            }
            (slot, filter, [Term::Constant(Constant::Text(with))]) if slot.is_valued() => {
                values::filter(filter, path, with)
            }
            (slot, filter, []) => names::filter(filter, path, slot.is_thing(), None),
            (slot, filter, [Term::Constant(Constant::Text(with))]) => {
                names::filter(filter, path, slot.is_thing(), Some(with))
            }
            _ => Err(Misfit::Joined),
        }
    }

    /// The time that a filter compares with, if its other arguments are those of one moment, in order.
    fn span(&self, atom: &Atom, root: &str, columns: &[&str]) -> Result<Span, Misfit> {
        match atom.arguments.split_last() {
            Some((Term::Constant(Constant::Text(spec)), moment)) if self.are(moment, root, columns) => {
                Span::parse(spec).map_err(|_| Misfit::Joined)
            }
            _ => Err(Misfit::Joined),
        }
    }

    fn comparison(&self, comparison: &Comparison) -> Result<Condition, Misfit> {
        let Comparison { left, operator, right, .. } = comparison;
        let (left, operator, right) = match (left, right) {
            (Term::Constant(one), Term::Constant(other)) => {
                return match operator {
                    Operator::Equal if one == other => Ok(Condition::always()),
                    Operator::Equal => Ok(Condition::never()),
                    Operator::NotEqual
                    | Operator::Less
                    | Operator::LessOrEqual
                    | Operator::Greater
                    | Operator::GreaterOrEqual => Err(Misfit::Joined),
                };
            }
            (Term::Constant(_), Term::Variable(_)) => (right, mirrored(*operator), left),
            _ => (left, *operator, right),
        };
        let Term::Variable(name) = left else { return Err(Misfit::Joined) };
        let meant = self.meant(name).ok_or(Misfit::Joined)?;
        match (right, meant.slot) {
            (_, Slot::Flow | Slot::Statement) => Err(Misfit::Joined),
            (Term::Constant(Constant::Text(value)), slot) => {
                let path = if slot.is_thing() { format!("{}.name", meant.path) } else { meant.path.clone() };
                match operator {
                    Operator::Equal => Ok(equal(&path, value)),
                    Operator::NotEqual => Ok(equal(&path, value).negated()),
                    Operator::Less | Operator::LessOrEqual | Operator::Greater | Operator::GreaterOrEqual => {
                        Err(Misfit::Joined)
                    }
                }
            }
            (Term::Constant(Constant::Number(number)), _) => {
                Ok(Condition::plain(format!("{} {} {number}", meant.path, sign(operator))))
            }
            (Term::Variable(_) | Term::Anonymous, _) => Err(Misfit::Joined),
        }
    }
}

/// A condition that may also hold because nobody knows all facts of its predicate.
fn open(holds: Condition, predicate: &str) -> Answer {
    Answer { holds, may_hold: Some(unknown(predicate)), may_fail: Some(doubted(predicate)) }
}

fn member(predicate: &str, set: &str, term: &Term) -> Result<Answer, Misfit> {
    match within("context", set, term) {
        Ok(condition) => Ok(open(condition, predicate)),
        Err(_) => Err(Misfit::Fact(predicate.to_owned())),
    }
}

/// Whether something is in a set, or anything at all.
fn within(path: &str, set: &str, term: &Term) -> Result<Condition, Misfit> {
    match term {
        Term::Constant(Constant::Text(value)) => Ok(contains(&format!("{path}.{set}"), value)),
        Term::Anonymous => Ok(Condition::plain(format!("{path}.{set}.isEmpty()")).negated()),
        Term::Variable(_) | Term::Constant(Constant::Number(_)) => Err(Misfit::Joined),
    }
}

/// The variable of a fact that no request is made for: its conditions are written with it.
fn local(literal: &Literal) -> Option<&str> {
    let Literal::Holds(atom) = literal else { return None };
    match (&*atom.predicate, atom.arguments.as_slice()) {
        ("choice", [Term::Variable(name), _]) if Slot::valued(atom).is_none() => Some(name),
        ("measure" | "calls", [_, Term::Variable(name)]) => Some(name),
        _ => None,
    }
}

/// The other conditions on a variable of such a fact.
fn others<'b>(term: &Term, literal: &Literal, body: &'b [Literal]) -> Result<Vec<&'b Literal>, Misfit> {
    match term {
        Term::Anonymous => Ok(Vec::new()),
        Term::Constant(_) => Err(Misfit::Joined),
        // Under a negation its value would come from elsewhere.
        Term::Variable(_) if matches!(literal, Literal::Fails(_)) => Err(Misfit::Joined),
        Term::Variable(name) => {
            let is_other = |other: &&Literal| *other != literal && variables(other).contains(&&**name);
            Ok(body.iter().filter(is_other).collect())
        }
    }
}

fn choice(name: &Term, value: &str, literal: &Literal, body: &[Literal]) -> Result<Answer, Misfit> {
    let condition = match others(name, literal, body)?.as_slice() {
        [] => contains("context.chosen", value),
        [Literal::Holds(atom)] if &*atom.predicate == "has_word" => match atom.arguments.as_slice() {
            [Term::Variable(_), Term::Constant(Constant::Text(word))] => Condition::plain(format!(
                "context.choices.contains({{\"word\": {}, \"value\": {}}})",
                text(&names::words(word)?),
                text(value)
            )),
            _ => return Err(Misfit::Joined),
        },
        _ => return Err(Misfit::Joined),
    };
    Ok(open(condition, "choice"))
}

fn measure(unit: &str, amount: &Term, literal: &Literal, body: &[Literal]) -> Result<Answer, Misfit> {
    let unit = text(unit);
    let has = Condition::plain(format!("context.measures.hasTag({unit})"));
    let tag = format!("context.measures.getTag({unit})");
    let holds = match bound(amount, literal, body)? {
        None => Condition::always(),
        Some((operator, number)) => {
            let end = match operator {
                Operator::Greater | Operator::GreaterOrEqual => "most",
                Operator::Less | Operator::LessOrEqual => "least",
                Operator::Equal | Operator::NotEqual => return Err(Misfit::Joined),
            };
            Condition::plain(format!("{tag}.{end} {} {number}", sign(operator)))
        }
    };
    let is_open = Condition::plain(format!("{tag}.open"));
    Ok(Answer {
        holds: Condition::all([has.clone(), holds]),
        may_hold: Some(Condition::any([Condition::all([has, is_open]), unknown("measure")])),
        may_fail: Some(doubted("measure")),
    })
}

fn calls(action: &str, count: &Term, literal: &Literal, body: &[Literal]) -> Result<Answer, Misfit> {
    let action = text(action);
    let has = Condition::plain(format!("principal.hasTag({action})"));
    let bound = bound(count, literal, body)?.map(|(operator, number)| {
        Condition::plain(format!("principal.getTag({action}) {} {number}", sign(operator)))
    });
    Ok(Answer::certain(Condition::all(std::iter::once(has).chain(bound))))
}

/// The one number that a variable is compared with.
fn bound(term: &Term, literal: &Literal, body: &[Literal]) -> Result<Option<(Operator, i64)>, Misfit> {
    match others(term, literal, body)?.as_slice() {
        [] => Ok(None),
        [Literal::Compares(Comparison { left, operator, right, .. })] => match (left, right) {
            (Term::Variable(_), Term::Constant(Constant::Number(number))) => Ok(Some((*operator, *number))),
            (Term::Constant(Constant::Number(number)), Term::Variable(_)) => {
                Ok(Some((mirrored(*operator), *number)))
            }
            _ => Err(Misfit::Joined),
        },
        _ => Err(Misfit::Joined),
    }
}

/// The names of the variables of a condition.
fn variables(literal: &Literal) -> Vec<&str> {
    match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => atom.arguments.iter().filter_map(variable).collect(),
        Literal::Compares(Comparison { left, right, .. }) => {
            [left, right].into_iter().filter_map(variable).collect()
        }
    }
}

fn variable(term: &Term) -> Option<&str> {
    match term {
        Term::Variable(name) => Some(name),
        Term::Anonymous | Term::Constant(_) => None,
    }
}

fn mirrored(operator: Operator) -> Operator {
    match operator {
        Operator::Less => Operator::Greater,
        Operator::LessOrEqual => Operator::GreaterOrEqual,
        Operator::Greater => Operator::Less,
        Operator::GreaterOrEqual => Operator::LessOrEqual,
        Operator::Equal | Operator::NotEqual => operator,
    }
}

fn sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Equal => "==",
        Operator::NotEqual => "!=",
        Operator::Less => "<",
        Operator::LessOrEqual => "<=",
        Operator::Greater => ">",
        Operator::GreaterOrEqual => ">=",
    }
}
