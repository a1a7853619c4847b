//! Rules said back: what was understood, as canonical English. Nothing that a rule tests may be missing from the words,
//! for the user confirms these and not the Datalog.

mod acts;
mod places;
mod times;
mod values;

use crate::facts::{ON_A_DAY, READS_HOST};
use crate::meaning::{Case, Deed, Doing, Meaning, Place, Saying, Side, Test, Verdict};
use acts::{act, deed, join, takes_recipient};
use places::thing;

/// Where data comes from that a rule follows.
pub(crate) fn say_source(place: &Place) -> String {
    places::sources(std::slice::from_ref(place))
}

/// What meanings say, a sentence for each case.
pub fn say(meanings: &[Meaning]) -> Vec<String> {
    meanings
        .iter()
        .flat_map(|meaning| meaning.cases.iter().map(|case| say_case(meaning.verdict, case)))
        .collect()
}

/// What one case says.
pub fn say_case(verdict: Verdict, case: &Case) -> String {
    let head = match verdict {
        Verdict::Deny => "Refused",
        Verdict::Ask => "Asked about each time",
    };
    format!("{head}: {}.", say_done(case))
}

/// What is done in a case.
pub(crate) fn say_done(case: &Case) -> String {
    // What goes where is told before what is true besides. Tests of one side are about the same thing.
    let side = |wanted: Side| -> Vec<&Test> {
        let is_it = |test: &&Test| matches!(test, Test::Place { side, .. } if *side == wanted);
        case.tests.iter().filter(is_it).collect()
    };
    // Where nothing else is done, what words must show is what is done.
    let shown = case.tests.iter().position(|test| matches!(test, Test::Did { is: true, .. }));
    let shown = shown.filter(|_| case.doings.is_empty());
    let done = match shown.and_then(|at| case.tests.get(at)) {
        Some(Test::Did { actions, .. }) => actions.iter().cloned().map(Doing::Did).collect(),
        _ => case.doings.clone(),
    };
    let mut core = doings(&done, &side(Side::Object));
    for (word, tests) in [("from", side(Side::From)), ("to", side(Side::To))] {
        if !tests.is_empty() {
            core.push_str(&format!(" {word} {}", thing(&tests)));
        }
    }
    let other = case.tests.iter().enumerate().filter(|(at, test)| {
        let is_told = matches!(test, Test::Place { .. }) || shown == Some(*at);
        !is_told
    });
    let mut parts = vec![core];
    parts.extend(other.map(|(_, test)| circumstance(test)));
    parts.extend(case.unless.iter().map(|exception| except(exception)));
    parts.join(", ")
}

/// What is done, and to what.
fn doings(doings: &[Doing], objects: &[&Test]) -> String {
    let named = (!objects.is_empty()).then(|| thing(objects));
    let deeds: Vec<String> = doings
        .iter()
        .filter_map(|doing| match doing {
            Doing::Deed(own) if named.is_some() && takes_recipient(*own) => {
                Some(format!("{} to", deed(*own)))
            }
            Doing::Deed(own) => Some(deed(*own).to_owned()),
            Doing::Did(_) => None,
        })
        .collect();
    let dids: Vec<String> = doings
        .iter()
        .filter_map(|doing| match doing {
            Doing::Did(name) => Some(act(name)),
            Doing::Deed(_) => None,
        })
        .collect();
    let mut parts = Vec::new();
    if !deeds.is_empty() {
        let told = join(&deeds, "or");
        let open = if told.ends_with("anything") { "" } else { " anything" };
        let object = named.as_ref().map_or_else(|| open.to_owned(), |named| format!(" {named}"));
        parts.push(format!("{told}{object}"));
    }
    if !dids.is_empty() {
        let object = named.as_ref().map(|named| format!(" where {named} takes part")).unwrap_or_default();
        parts.push(format!("{}{object}", join(&dids, "or")));
    }
    if parts.is_empty() {
        let object = named.map(|named| format!(" in which {named} takes part")).unwrap_or_default();
        parts.push(format!("any call{object}"));
    }
    parts.join(", or ")
}

fn except(exception: &[Test]) -> String {
    match exception {
        [test @ Test::Place { side: Side::Object, .. }] => format!("except {}", thing(&[test])),
        several => format!("except {}", together(several)),
    }
}

/// Several tests of which all must hold.
fn together(tests: &[Test]) -> String {
    let told: Vec<String> = tests.iter().map(circumstance).collect();
    match told.as_slice() {
        [] => "in no case".to_owned(),
        _ => told.join(" and "),
    }
}

/// A test as words that can stand behind what is done. A new kind of test does not compile before it has words here.
fn circumstance(test: &Test) -> String {
    match test {
        Test::Place { side, .. } => {
            let named = thing(&[test]);
            match side {
                Side::Object => format!("where {named} takes part"),
                Side::From => format!("from {named}"),
                Side::To => format!("to {named}"),
            }
        }
        Test::Carries(places) => {
            format!("with data that comes from {}", places::sources(places))
        }
        Test::Secret => "with secrets in what is used".to_owned(),
        Test::Did { actions, is } => {
            let acts: Vec<String> = actions.iter().map(|name| act(name)).collect();
            format!("while {}{}", unless(*is, "not "), join(&acts, "or"))
        }
        Test::About { nouns, is } => {
            format!("with a tool that is {}about {}", unless(*is, "not "), listed(nouns))
        }
        Test::Concerns(names) => format!("where {} takes part by name", listed(names)),
        Test::Time { spans, is, of_event } => times::time(spans, *is, *of_event),
        Test::Measure { unit, above, is } => measure(unit, *above, *is),
        Test::Says { what, parameter, is } => says(what, parameter.as_deref(), *is),
        Test::Given { word, is } => format!("{} the argument “{word}”", if *is { "with" } else { "without" }),
        Test::Choice { values, parameter, is } => choice(values, parameter.as_deref(), *is),
        Test::Value { names, check, presence } => values::value(names, check, *presence),
        Test::Does(own) => format!("while {}", deed(*own)),
        Test::Often { what, least } => {
            format!("once the session has had {least} calls of {}", say_done(what))
        }
        Test::Sign(signs) => format!("by a command line with {}", listed(signs)),
        Test::Tool { names, is } => tool(names, *is),
        Test::Branch { patterns, is } => match is {
            true => format!("on the branch {}", listed(patterns)),
            false => format!("on another branch than {}", listed(patterns)),
        },
        Test::Any(alternatives) => {
            let each: Vec<String> = alternatives.iter().map(|tests| together(tests)).collect();
            format!("either {}", each.join(", or "))
        }
        Test::Program { names, is } => match is {
            true => format!("by running {}", listed(names)),
            false => format!("by running another program than {}", listed(names)),
        },
        Test::WithoutWhere => "by a statement that changes rows without choosing them".to_owned(),
        Test::Unlimited => "by a query without a limit".to_owned(),
        Test::Everything => "of everything at once".to_owned(),
        Test::Earlier { what, is } => match is {
            true => format!("once the session has had a call of {}", say_done(what)),
            false => format!("unless the session has had a call of {} before", say_done(what)),
        },
        Test::EarlierHere { deed: own, is } => match is {
            true => format!("after {} it earlier in the session", deed(*own)),
            false => format!("without {} it earlier in the session", deed(*own)),
        },
        Test::EarlierSame { what, names, is } => same(what, names, *is),
        Test::Company(true) => "with other people taking part".to_owned(),
        Test::Company(false) => "with nobody else taking part".to_owned(),
    }
}

/// What earlier calls did with the same value.
fn same(what: &[String], names: &[String], is: bool) -> String {
    let done = |name: &String| Deed::named(name).map_or_else(|| act(name), |own| deed(own).to_owned());
    let acts: Vec<String> = what.iter().map(done).collect();
    let (acts, names) = (join(&acts, "or"), listed(names));
    match is {
        true => format!("once the session has had a call of {acts} with the same {names}"),
        false => format!("unless the session has had a call of {acts} with the same {names} before"),
    }
}

fn unless(is: bool, not: &str) -> &str {
    if is { "" } else { not }
}

/// Names and values in quotes, any of which will do.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
    join(&quoted, "or")
}

fn measure(unit: &str, above: i64, is: bool) -> String {
    let counted = unit.strip_prefix("did ").or_else(|| unit.strip_prefix("made "));
    if let Some(action) = counted {
        let what = match action.strip_prefix("about ") {
            Some(noun) => format!("by a tool about “{noun}”"),
            None => format!("of {}", act(action)),
        };
        return match is {
            true => format!("after {above} calls {what} in the session"),
            false => format!("within the first {above} calls {what} of the session"),
        };
    }
    if let Some(action) = unit.strip_prefix("each ") {
        let what = match (action, action.strip_suffix(ON_A_DAY)) {
            (READS_HOST, _) => "that read from the same site".to_owned(),
            (_, Some(action)) => format!("of {} for the same day", act(action)),
            _ => format!("of {} to the same one", act(action)),
        };
        return match is {
            true => format!("after {above} calls {what} in the session"),
            false => format!("within the first {above} calls {what}"),
        };
    }
    let many = match unit.split_once(" of ") {
        Some((unit, parameter)) => format!("{} in the argument “{parameter}”", plural(unit)),
        None => plural(unit),
    };
    let unit = if unit == "amount" { "an amount of ".to_owned() } else { String::new() };
    let many = if unit.is_empty() { format!(" {many}") } else { String::new() };
    match is {
        true => format!("with {unit}more than {above}{many}"),
        false => format!("with {unit}at most {above}{many}"),
    }
}

fn plural(unit: &str) -> String {
    if unit.ends_with('s') || unit.ends_with('x') { format!("{unit}es") } else { format!("{unit}s") }
}

fn says(what: &[Saying], parameter: Option<&str>, is: bool) -> String {
    let each: Vec<String> = what
        .iter()
        .map(|saying| match saying {
            Saying::Words(words) => match (words.strip_prefix('^'), words.strip_prefix('$')) {
                (Some(start), _) => format!("begins with “{start}”"),
                (_, Some(end)) => format!("ends in “{end}”"),
                (None, None) => format!("says “{words}”"),
            },
            Saying::Class(class) => {
                let begins_open = ["amount", "IP", "HTML"].iter().any(|word| class.starts_with(word));
                format!("holds {} {class}", if begins_open { "an" } else { "a" })
            }
            Saying::Like(sample) => format!("holds something like “{sample}”"),
        })
        .collect();
    let place = parameter.map(|parameter| format!(" in the argument “{parameter}”")).unwrap_or_default();
    format!("with {} text{place} that {}", if is { "a" } else { "no" }, join(&each, "or"))
}

fn choice(values: &[String], parameter: Option<&str>, is: bool) -> String {
    let name = match parameter {
        Some(parameter) => format!("the argument “{parameter}”"),
        None => "an argument".to_owned(),
    };
    match is {
        true => format!("with {name} set to {}", listed(values)),
        false => format!("without {name} set to {}", listed(values)),
    }
}

/// Tools are told by their full names, servers by theirs.
fn tool(names: &[String], is: bool) -> String {
    let each: Vec<String> = names
        .iter()
        .map(|name| match name.contains('.') {
            true => format!("the tool “{name}”"),
            false => format!("any tool of the server “{name}”"),
        })
        .collect();
    match is {
        true => format!("with {}", join(&each, "or")),
        false => format!("with another tool than {}", join(&each, "or")),
    }
}

#[cfg(test)]
mod tests;
