//! Values of arguments as Datalog.

use super::{Bodies, Writer, quoted};
use crate::meaning::{Check, Form, Presence, Span};

impl Writer<'_> {
    /// A test on the values of an argument that may have several names.
    pub(super) fn value(&mut self, names: &[String], check: &Check, presence: Presence) -> Bodies {
        match presence {
            Presence::One => bodies(names, check),
            Presence::Other => names.iter().map(|name| other(name, check)).collect(),
            Presence::Missing => {
                let helper = self.helper("value");
                for body in bodies(names, check) {
                    self.lines.push(format!("{helper} :- {}.", body.join(", ")));
                }
                vec![vec![format!("not {helper}")]]
            }
        }
    }

    /// A test on values that earlier calls had. What lifts a rule is known of every value of an argument: one message of
    /// a list that was read says nothing of the others.
    pub(super) fn same(&mut self, what: &[String], names: &[String], is: bool) -> Bodies {
        let helper = self.helper("same");
        for act in what.iter().map(|act| quoted(act)) {
            let all = if is { String::new() } else { format!(", not earlier_other({act}, P)") };
            for name in names.iter().map(|name| quoted(name)) {
                let body = format!("earlier_same({act}, P), is_argument(P, {name}){all}");
                self.lines.push(format!("{helper} :- {body}."));
            }
        }
        vec![vec![if is { helper } else { format!("not {helper}") }]]
    }
}

/// Conditions one behind the other. Another argument than those before, and another count, has variables of its own.
pub(super) fn joined(body: &[String], more: &[String]) -> Vec<String> {
    let named = |literals: &[String]| -> Vec<String> {
        literals.iter().filter(|literal| literal.starts_with("is_argument(")).cloned().collect()
    };
    let counts = |literals: &[String]| -> Vec<String> {
        literals.iter().filter(|literal| literal.ends_with(", N)")).cloned().collect()
    };
    let (before, own) = (named(body), named(more));
    let (counted, counts) = (counts(body), counts(more));
    // A text stands in whatever argument, not in the one that a value is looked for in.
    let has_text = |literals: &[String]| literals.iter().any(|literal| literal == "text(P, X)");
    let is_text =
        (!before.is_empty() && has_text(more)) || (has_text(body) && !own.is_empty() && before.is_empty());
    let is_other = is_text
        || (!before.is_empty() && own.first().is_some_and(|name| !before.contains(name)))
        || (!counted.is_empty() && counts.first().is_some_and(|count| !counted.contains(count)));
    let texts = usize::from(has_text(body));
    let number = before.len().max(counted.len()).max(texts) + 1;
    let renamed = |literal: &String| if is_other { renumbered(literal, number) } else { literal.clone() };
    body.iter().cloned().chain(more.iter().map(renamed)).collect()
}

/// A condition on an argument, with a number behind its variables.
fn renumbered(literal: &str, number: usize) -> String {
    let mut written = String::with_capacity(literal.len() + 4);
    let mut in_quotes = false;
    let mut letters = literal.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let is_alone = |next: Option<&char>| next.is_none_or(|next| !next.is_alphanumeric() && *next != '_');
        in_quotes ^= letter == '"' && before != '\\';
        written.push(letter);
        let is_variable = matches!(letter, 'P' | 'V' | 'N') && !before.is_alphanumeric() && before != '_';
        if is_variable && !in_quotes && is_alone(letters.peek()) {
            written.push_str(&number.to_string());
        }
        before = letter;
    }
    written
}

fn text(name: &str) -> Vec<String> {
    vec!["argument(P, V)".to_owned(), format!("is_argument(P, {})", quoted(name))]
}

fn number(name: &str, compare: String) -> Vec<String> {
    vec!["number(P, N)".to_owned(), format!("is_argument(P, {})", quoted(name)), compare]
}

/// The ways in which a value can be so.
fn bodies(names: &[String], check: &Check) -> Bodies {
    let mut bodies = Vec::new();
    for name in names {
        let with = |literal: String| text(name).into_iter().chain([literal]).collect();
        match check {
            Check::Anything => bodies.push(with("V != \"\"".to_owned())),
            Check::Forms(forms) => bodies.extend(forms.iter().map(|form| with(formed(form)))),
            Check::During(spans) => bodies.extend(spans.iter().map(|span| with(during(span)))),
            Check::Above(above) => bodies.push(number(name, format!("N > {above}"))),
            Check::Below(below) => bodies.push(number(name, format!("N < {below}"))),
        }
    }
    bodies
}

/// A value is given and is none of what is asked for.
fn other(name: &str, check: &Check) -> Vec<String> {
    let given = || text(name).into_iter().chain(["V != \"\"".to_owned()]);
    match check {
        Check::Anything => given().collect(),
        Check::Forms(forms) => {
            given().chain(forms.iter().map(|form| format!("not {}", formed(form)))).collect()
        }
        Check::During(spans) => given().chain(spans.iter().map(|span| negated(&during(span)))).collect(),
        Check::Above(above) => number(name, format!("N <= {above}")),
        Check::Below(below) => number(name, format!("N >= {below}")),
    }
}

fn formed(form: &Form) -> String {
    format!("matches(V, {})", quoted(&form.pattern()))
}

fn during(span: &Span) -> String {
    let not = if span.is_outside { "not " } else { "" };
    format!("{not}date_during(V, {})", quoted(&span.spec()))
}

fn negated(literal: &str) -> String {
    match literal.strip_prefix("not ") {
        Some(plain) => plain.to_owned(),
        None => format!("not {literal}"),
    }
}
