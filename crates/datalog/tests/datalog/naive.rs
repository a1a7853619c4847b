//! A plain evaluator: every rule is tried with everything known, again and again, until nothing is new. It knows no
//! plans, no triggers and no unknown facts.

use std::collections::{BTreeMap, BTreeSet};

use portcullis_datalog::{Atom, Comparison, Literal, Operator, Rule, Term, Value};

type Database<'r> = BTreeMap<&'r str, BTreeSet<Vec<Value<'r>>>>;
type Binding<'r> = BTreeMap<&'r str, Value<'r>>;

/// The goals that are reached: the rule's number, the goal and the reason.
pub(crate) fn answers<'r>(rules: &'r [Rule], facts: &'r [Rule]) -> BTreeSet<(usize, &'r str, Value<'r>)> {
    let mut database = Database::new();
    for fact in facts {
        let row = fact.head.arguments.iter().map(|term| read(term, &Binding::new()).unwrap()).collect();
        database.entry(&fact.head.predicate).or_default().insert(row);
    }
    let is_goal = |rule: &Rule| matches!(&*rule.head.predicate, "deny" | "must_ask");
    // Rules come in groups that only negate what earlier ones derive; see `generate::DERIVED`.
    let group = |rule: &Rule| {
        let mut names = crate::generate::DERIVED.iter().map(|(name, _)| *name);
        names.position(|name| name == &*rule.head.predicate).map_or(usize::MAX, |place| place / 2)
    };
    for current in 0..crate::generate::DERIVED.len() {
        loop {
            let mut is_new = false;
            for rule in rules.iter().filter(|rule| !is_goal(rule) && group(rule) == current) {
                for row in derive(rule, &database) {
                    is_new |= database.entry(&rule.head.predicate).or_default().insert(row);
                }
            }
            if !is_new {
                break;
            }
        }
    }
    let numbered = rules.iter().enumerate().filter(|(_, rule)| is_goal(rule));
    let told = numbered.flat_map(|(number, rule)| {
        derive(rule, &database).into_iter().map(move |row| (number, &*rule.head.predicate, row[0]))
    });
    told.collect()
}

fn derive<'r>(rule: &'r Rule, database: &Database<'r>) -> Vec<Vec<Value<'r>>> {
    let mut bindings = vec![Binding::new()];
    for literal in &rule.body {
        if let Literal::Holds(atom) = literal
            && !is_filter(atom)
        {
            bindings = bindings.iter().flat_map(|binding| extend(atom, binding, database)).collect();
        }
    }
    bindings.retain(|binding| rule.body.iter().all(|literal| holds(literal, binding, database)));
    let head =
        |binding: &Binding<'r>| rule.head.arguments.iter().map(|term| read(term, binding).unwrap()).collect();
    bindings.iter().map(head).collect()
}

fn extend<'r>(atom: &'r Atom, binding: &Binding<'r>, database: &Database<'r>) -> Vec<Binding<'r>> {
    let mut extended = Vec::new();
    'rows: for row in database.get(&*atom.predicate).into_iter().flatten() {
        let mut binding = binding.clone();
        for (term, value) in atom.arguments.iter().zip(row) {
            match (read(term, &binding), term) {
                (Some(known), _) if known != *value => continue 'rows,
                (None, Term::Variable(name)) => _ = binding.insert(name, *value),
                _ => {}
            }
        }
        extended.push(binding);
    }
    extended
}

fn holds<'r>(literal: &'r Literal, binding: &Binding<'r>, database: &Database<'r>) -> bool {
    match literal {
        Literal::Compares(Comparison { left, operator, right, .. }) => {
            let (left, right) = (read(left, binding).unwrap(), read(right, binding).unwrap());
            match operator {
                Operator::Equal => left == right,
                Operator::NotEqual => left != right,
                Operator::Less => left < right,
                Operator::LessOrEqual => left <= right,
                Operator::Greater => left > right,
                Operator::GreaterOrEqual => left >= right,
            }
        }
        Literal::Holds(atom) if is_filter(atom) => filter(atom, binding),
        Literal::Fails(atom) if is_filter(atom) => !filter(atom, binding),
        Literal::Holds(_) => true,
        Literal::Fails(atom) => extend(atom, binding, database).is_empty(),
    }
}

fn is_filter(atom: &Atom) -> bool {
    matches!(&*atom.predicate, "starts_with" | "contains" | "glob" | "matches")
}

/// The few patterns that are generated, in other words.
fn filter(atom: &Atom, binding: &Binding<'_>) -> bool {
    let Some(Value::Text(text)) = read(&atom.arguments[0], binding) else { panic!("{atom} without a text") };
    match &*atom.predicate {
        "starts_with" => text.as_bytes().first() == Some(&b'a'),
        "contains" => text.chars().any(|letter| letter == 'b'),
        "glob" => text.as_bytes().last() == Some(&b'c'),
        _ => text.chars().any(|letter| letter == 'a' || letter == 'b'),
    }
}

fn read<'r>(term: &'r Term, binding: &Binding<'r>) -> Option<Value<'r>> {
    match term {
        Term::Constant(constant) => Some(constant.value()),
        Term::Variable(name) => binding.get(&**name).copied(),
        Term::Anonymous => None,
    }
}
