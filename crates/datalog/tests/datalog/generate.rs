//! Programs and facts made from bytes: stratified and safe by the way they are made, with recursion, negation,
//! comparisons and filters.

use portcullis_datalog::{Atom, Comparison, Kind, Literal, Operator, Rule, Source, Term};

use Kind::{Number, Text};

/// The host's predicates that are used.
pub(crate) const GIVEN: &[(&str, &[Kind])] = &[
    ("program", &[Text]),
    ("edge", &[Text, Text]),
    ("label", &[Text]),
    ("amount", &[Number]),
    ("size", &[Text, Number]),
    ("login", &[]),
];

/// Predicates that rules derive. Two neighbours may depend on each other; negated are only those before them.
pub(crate) const DERIVED: &[(&str, &[Kind])] = &[
    ("reach", &[Text, Text]),
    ("near", &[Text, Text]),
    ("odd", &[Text]),
    ("heavy", &[Text, Number]),
    ("sum", &[Number]),
    ("alarm", &[]),
];

pub(crate) const TEXTS: &[&str] = &["a", "b", "c"];
pub(crate) const NUMBERS: &[i64] = &[-1, 0, 1, 2];

/// Decisions, one after the other; when the bytes are used up, always the first choice.
pub(crate) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    pub(crate) has_filters: bool,
}

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Choices<'b> {
        Choices { bytes: bytes.iter(), has_filters: true }
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0)) % count.max(1)
    }

    fn pick<'c, T>(&mut self, from: &'c [T]) -> &'c T {
        &from[self.below(from.len())]
    }

    fn constant(&mut self, kind: Kind) -> Term {
        match kind {
            Text => Term::text(self.pick::<&str>(TEXTS)),
            Number => Term::number(*self.pick(NUMBERS)),
        }
    }

    /// Facts without variables.
    pub(crate) fn facts(&mut self) -> Vec<Rule> {
        let count = self.below(40);
        (0..count)
            .map(|_| {
                let (name, columns) = self.pick(GIVEN);
                let arguments = columns.iter().map(|kind| self.constant(*kind)).collect();
                Rule::new(Atom::new(name, arguments), Vec::new(), Source::default())
            })
            .collect()
    }

    /// A program whose rules derive each predicate in up to three ways, and some goals.
    pub(crate) fn rules(&mut self) -> Vec<Rule> {
        let mut rules = Vec::new();
        for (number, (name, columns)) in DERIVED.iter().enumerate() {
            // Something that holds often, so that what builds on it has something to build on.
            let mut draft = Draft { bound: Vec::new(), body: Vec::new() };
            self.condition(&mut draft, None);
            rules.push(self.finish(name, columns, draft));
            for _ in 0..self.below(4) {
                rules.push(self.rule(name, columns, number));
            }
        }
        for _ in 0..=self.below(6) {
            let goal = *self.pick(&["deny", "must_ask"]);
            rules.push(self.rule(goal, &[Text], DERIVED.len()));
        }
        rules
    }

    fn rule(&mut self, name: &str, columns: &[Kind], number: usize) -> Rule {
        let mut draft = Draft { bound: Vec::new(), body: Vec::new() };
        for _ in 0..=self.below(3) {
            self.condition(&mut draft, Some(number));
        }
        for _ in 0..self.below(3) {
            self.test(&mut draft, number);
        }
        self.finish(name, columns, draft)
    }

    fn finish(&mut self, name: &str, columns: &[Kind], draft: Draft) -> Rule {
        let arguments = columns.iter().map(|kind| self.known(&draft, *kind)).collect();
        Rule::new(Atom::new(name, arguments), draft.body, Source::default())
    }

    /// A condition on facts, which gives variables their values.
    fn condition(&mut self, draft: &mut Draft, number: Option<usize>) {
        // Up to the neighbour, or to none of the derived ones.
        let reachable = number.map_or(0, |number| ((number / 2) * 2 + 2).min(DERIVED.len()));
        let (name, columns) = self.predicate(reachable);
        let mut arguments = Vec::new();
        for kind in columns {
            arguments.push(match self.below(6) {
                0 => self.constant(*kind),
                1 => Term::Anonymous,
                _ => {
                    let names: &[&str] = if *kind == Text { &["X", "Y", "Z"] } else { &["M", "N"] };
                    let name = *self.pick(names);
                    draft.bound.push((name, *kind));
                    Term::variable(name)
                }
            });
        }
        draft.body.push(Literal::Holds(Atom::new(name, arguments)));
    }

    fn predicate(&mut self, derived: usize) -> (&'static str, &'static [Kind]) {
        let choice = self.below(GIVEN.len() + derived);
        *GIVEN.iter().chain(DERIVED).nth(choice).unwrap()
    }

    fn test(&mut self, draft: &mut Draft, number: usize) {
        let literal = match self.below(if self.has_filters { 5 } else { 3 }) {
            0 => {
                let (name, columns) = self.predicate((number / 2) * 2);
                let arguments = columns.iter().map(|kind| match self.below(4) {
                    0 => Term::Anonymous,
                    _ => self.known(draft, *kind),
                });
                Literal::Fails(Atom::new(name, arguments.collect()))
            }
            1 => {
                use Operator::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
                let operators = [Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual];
                self.comparison(draft, Number, &operators)
            }
            2 => self.comparison(draft, Text, &[Operator::Equal, Operator::NotEqual]),
            choice => {
                let (name, pattern) = *self.pick(&[
                    ("starts_with", "a"),
                    ("contains", "b"),
                    ("glob", "*c"),
                    ("matches", "[ab]"),
                ]);
                let atom = Atom::new(name, vec![self.known(draft, Text), Term::text(pattern)]);
                if choice == 3 { Literal::Holds(atom) } else { Literal::Fails(atom) }
            }
        };
        draft.body.push(literal);
    }

    fn comparison(&mut self, draft: &Draft, kind: Kind, operators: &[Operator]) -> Literal {
        let (left, right) = (self.known(draft, kind), self.known(draft, kind));
        let operator = *self.pick(operators);
        Literal::Compares(Comparison { left, operator, right, at: Default::default() })
    }

    /// A variable that has a value, or a constant.
    fn known(&mut self, draft: &Draft, kind: Kind) -> Term {
        let fitting: Vec<&str> =
            draft.bound.iter().filter(|(_, other)| *other == kind).map(|(name, _)| *name).collect();
        match fitting.is_empty() || self.below(5) == 0 {
            true => self.constant(kind),
            false => Term::variable(self.pick::<&str>(&fitting)),
        }
    }
}

/// A rule that is being made.
struct Draft {
    bound: Vec<(&'static str, Kind)>,
    body: Vec<Literal>,
}

/// A rule for every fact that could be derived, so that all of them can be seen in the answers.
pub(crate) fn everything_told() -> Vec<Rule> {
    let mut rules = Vec::new();
    for (name, columns) in DERIVED {
        let mut rows: Vec<Vec<Term>> = vec![Vec::new()];
        for kind in *columns {
            let values: Vec<Term> = match kind {
                Text => TEXTS.iter().map(|text| Term::text(text)).collect(),
                Number => NUMBERS.iter().map(|number| Term::number(*number)).collect(),
            };
            let extended = |row: &Vec<Term>| {
                let row = row.clone();
                values
                    .iter()
                    .map(move |value| [&row[..], std::slice::from_ref(value)].concat())
                    .collect::<Vec<_>>()
            };
            rows = rows.iter().flat_map(extended).collect();
        }
        for row in rows {
            let atom = Atom::new(name, row);
            let head = Atom::new("must_ask", vec![Term::text(&atom.to_string())]);
            rules.push(Rule::new(head, vec![Literal::Holds(atom)], Source::default()));
        }
    }
    rules
}
