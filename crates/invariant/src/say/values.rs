//! Values of arguments, as words.

use super::acts::join;
use super::{listed, times};
use crate::meaning::{Check, Form, Presence};

/// What is said of the values of an argument.
pub(super) fn value(names: &[String], check: &Check, presence: Presence) -> String {
    let name = format!("the argument {}", listed(names));
    match (check, presence) {
        (Check::Anything, Presence::One | Presence::Other) => format!("with {name}"),
        (Check::Anything, Presence::Missing) => format!("without {name}"),
        (Check::Forms(forms), Presence::One) => format!("with {name} that {}", formed(forms, "or")),
        (Check::Forms(forms), Presence::Other) => format!("with {name} unless it {}", formed(forms, "or")),
        (Check::Forms(forms), Presence::Missing) => {
            format!("without {name} that {}", formed(forms, "or"))
        }
        (Check::During(spans), Presence::One) => {
            format!("with {name} that is a time {}", times::time(spans, true, false))
        }
        (Check::During(spans), Presence::Other) => {
            format!("with {name} unless it is a time {}", times::time(spans, true, false))
        }
        (Check::During(spans), Presence::Missing) => {
            format!("without {name} that is a time {}", times::time(spans, true, false))
        }
        (Check::Above(above), Presence::One) => format!("with {name} above {above}"),
        (Check::Above(above), Presence::Other) => format!("with {name} of {above} or less"),
        (Check::Above(above), Presence::Missing) => format!("without {name} above {above}"),
        (Check::Below(below), Presence::One) => format!("with {name} below {below}"),
        (Check::Below(below), Presence::Other) => format!("with {name} of {below} or more"),
        (Check::Below(below), Presence::Missing) => format!("without {name} below {below}"),
    }
}

pub(super) fn formed(forms: &[Form], word: &str) -> String {
    let each: Vec<String> = forms.iter().map(form).collect();
    join(&each, word)
}

fn form(form: &Form) -> String {
    match form {
        Form::Is(text) => format!("is “{text}”"),
        Form::Starts(text) => format!("begins with “{text}”"),
        Form::StartsLike(sample) => format!("begins with something like “{sample}”"),
        Form::Like(sample) => format!("has something like “{sample}”"),
        Form::Ends(text) => format!("ends in “{text}”"),
        Form::Has(text) => format!("says “{text}”"),
        Form::Names(name) => format!("names “{name}”"),
        Form::Year(year) => format!("has the year {year}"),
        Form::YearUntil(year) => format!("has a year up to {year}"),
        Form::Sort(sort) => format!("has {sort}"),
        Form::Fits { said, .. } => said.clone(),
    }
}
