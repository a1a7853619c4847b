//! What a rule means, written down as Datalog.

mod places;
mod values;

use serde::{Deserialize, Serialize};

use crate::meaning::{Case, Doing, Meaning, Place, Saying, Side, Span, Test, Verdict};

/// More alternatives than these are no rule that anybody can read.
const MOST_RULES: usize = 256;

/// A meaning as Datalog, and the places whose data it follows.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The rules, one a line.
    pub text: String,
    /// Where data comes from that the rules ask about, by the word that stands in them.
    pub sources: Vec<(String, Place)>,
}

/// Why a meaning cannot be written down.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WriteError {
    /// It has too many alternatives.
    #[error("this has too many alternatives for one rule; state several")]
    TooMany,
}

/// Writes meanings down. The reason is what a refused call is told; the prefix makes the names of helping predicates its
/// own.
pub fn write(meanings: &[Meaning], reason: &str, prefix: &str) -> Result<Written, WriteError> {
    let mut writer = Writer { prefix, helpers: 0, lines: Vec::new(), sources: Vec::new() };
    for meaning in meanings {
        let goal = match meaning.verdict {
            Verdict::Deny => "deny",
            Verdict::Ask => "must_ask",
        };
        let head = format!("{goal}({})", quoted(reason));
        for case in &meaning.cases {
            writer.case(case, &head)?;
        }
    }
    if writer.lines.len() > MOST_RULES {
        return Err(WriteError::TooMany);
    }
    Ok(Written { text: writer.lines.join("\n"), sources: writer.sources })
}

struct Writer<'w> {
    prefix: &'w str,
    helpers: usize,
    lines: Vec<String>,
    sources: Vec<(String, Place)>,
}

/// Whether a test is about a flow.
fn needs_flow(test: &Test) -> bool {
    let inner = alternatives(test).iter().flatten().any(needs_flow);
    inner
        || matches!(
            test,
            Test::Place { .. } | Test::Carries(_) | Test::Secret | Test::EarlierHere { .. } | Test::Does(_)
        )
}

/// Whether a test is about what a deed is done to.
fn has_object(test: &Test) -> bool {
    let inner = alternatives(test).iter().flatten().any(has_object);
    inner || matches!(test, Test::Place { side: Side::Object, .. } | Test::EarlierHere { .. })
}

/// The tests inside a test.
fn alternatives(test: &Test) -> &[Vec<Test>] {
    if let Test::Any(alternatives) = test { alternatives } else { &[] }
}

/// Conditions that must all hold; several of them are alternatives.
type Bodies = Vec<Vec<String>>;

impl Writer<'_> {
    fn case(&mut self, case: &Case, head: &str) -> Result<(), WriteError> {
        let needs_flow = needs_flow;
        let flows = case.tests.iter().any(needs_flow) || case.unless.iter().flatten().any(needs_flow);
        let objects = case.tests.iter().chain(case.unless.iter().flatten()).any(has_object);
        let mut bodies: Bodies = Vec::new();
        for doing in &case.doings {
            bodies.push(match doing {
                Doing::Deed(deed) => vec![format!("{}(F, R)", deed.name())],
                Doing::Did(action) => {
                    let mut body = vec![format!("did({})", quoted(action))];
                    body.extend(flows.then(|| anchor(objects)));
                    body
                }
            });
        }
        if bodies.is_empty() {
            bodies.push(if flows { vec![anchor(objects)] } else { Vec::new() });
        }
        for test in &case.tests {
            bodies = self.with(bodies, test)?;
        }
        for exception in &case.unless {
            bodies = self.without(bodies, exception, flows)?;
        }
        for body in bodies {
            let mut seen = Vec::new();
            for literal in body {
                if !seen.contains(&literal) {
                    seen.push(literal);
                }
            }
            self.lines.push(format!("{head} :- {}.", seen.join(", ")));
        }
        if self.lines.len() > MOST_RULES { Err(WriteError::TooMany) } else { Ok(()) }
    }

    /// Every body with one of the alternatives of a test added.
    fn with(&mut self, bodies: Bodies, test: &Test) -> Result<Bodies, WriteError> {
        let alternatives = self.test(test)?;
        let product: Bodies = bodies
            .iter()
            .flat_map(|body| alternatives.iter().map(|more| values::joined(body, more)))
            .collect();
        if product.len() > MOST_RULES { Err(WriteError::TooMany) } else { Ok(product) }
    }

    /// Every body with an exception ruled out.
    fn without(&mut self, bodies: Bodies, exception: &[Test], flows: bool) -> Result<Bodies, WriteError> {
        // An exception of one part is told of the very thing that the rule is about.
        if let [test] = exception
            && let Some(negated) = test.clone().negated()
        {
            return self.with(bodies, &negated);
        }
        let name = self.helper("except");
        let mut inner: Bodies = vec![vec!["involves(F, R)".to_owned()]];
        for test in exception {
            inner = self.with(inner, test)?;
        }
        for body in inner {
            self.lines.push(format!("{name}(F) :- {}.", body.join(", ")));
        }
        let anchor = if flows { None } else { Some("flow(F)".to_owned()) };
        let bodies = bodies
            .into_iter()
            .map(|body| body.into_iter().chain(anchor.clone()).chain([format!("not {name}(F)")]).collect());
        Ok(bodies.collect())
    }

    fn helper(&mut self, word: &str) -> String {
        self.helpers += 1;
        format!("{}_{word}_{}", self.prefix, self.helpers)
    }

    /// The alternatives of a test.
    fn test(&mut self, test: &Test) -> Result<Bodies, WriteError> {
        Ok(match test {
            Test::Place { side, places, inside } => places_of(*side, places, *inside),
            Test::Carries(places) => {
                let mut bodies = Vec::new();
                for place in places {
                    bodies.push(vec![format!("carries(F, {})", quoted(&self.source(place)))]);
                }
                bodies
            }
            Test::Secret => vec![vec!["secret(F)".to_owned()]],
            Test::Did { actions, is } => words("did", actions, *is),
            Test::About { nouns, is } => words("about", nouns, *is),
            Test::Concerns(names) => concerns(names),
            Test::Time { spans, is, of_event } => times(spans, *is, *of_event),
            Test::Measure { unit, above, is } => vec![measure(unit, *above, *is)],
            Test::Says { what, parameter, is } => self.says(what, parameter.as_deref(), *is),
            Test::Given { word, is } => words("given", std::slice::from_ref(word), *is),
            Test::Choice { values, parameter, is } => self.choice(values, parameter.as_deref(), *is),
            Test::Value { names, check, presence } => self.value(names, check, *presence),
            Test::Does(deed) => vec![vec![format!("{}(F, _)", deed.name())]],
            Test::Often { what, least } => self.often(what, *least)?,
            Test::Sign(signs) => words("sign", signs, true),
            Test::Tool { names, is } => tool(names, *is),
            Test::Branch { patterns, is } => branch(patterns, *is),
            Test::Any(alternatives) => self.any(alternatives)?,
            Test::Program { names, is } => program(names, *is),
            Test::WithoutWhere => vec![vec!["without_where(Q)".to_owned()]],
            Test::Unlimited => vec![vec!["unlimited(Q)".to_owned()]],
            Test::Everything => vec![vec!["everything".to_owned()]],
            Test::Company(is) => vec![vec![if *is { "company" } else { "not company" }.to_owned()]],
            Test::Earlier { what, is } => self.earlier(what, *is)?,
            Test::EarlierHere { deed, is } => {
                let fact = format!("earlier_to({}, R)", quoted(deed.name()));
                vec![vec![if *is { fact } else { format!("not {fact}") }]]
            }
            Test::EarlierSame { what, names, is } => self.same(what, names, *is),
        })
    }

    /// What an earlier call did is a milestone of its own, with the name that people read.
    fn earlier(&mut self, what: &Case, is: bool) -> Result<Bodies, WriteError> {
        let name = crate::say::say_done(what);
        let head = format!("milestone({})", quoted(&name));
        if !self.lines.iter().any(|line| line.starts_with(&format!("{head} :-"))) {
            self.case(what, &head)?;
        }
        let fact = format!("earlier({})", quoted(&name));
        Ok(vec![vec![if is { fact } else { format!("not {fact}") }]])
    }

    /// How often earlier calls were of a kind is what their milestone counts.
    fn often(&mut self, what: &Case, least: i64) -> Result<Bodies, WriteError> {
        self.earlier(what, true)?;
        let name = crate::say::say_done(what);
        Ok(vec![vec![format!("reached({}, N)", quoted(&name)), format!("N >= {least}")]])
    }

    fn any(&mut self, alternatives: &[Vec<Test>]) -> Result<Bodies, WriteError> {
        let mut bodies = Vec::new();
        for tests in alternatives {
            let mut own: Bodies = vec![Vec::new()];
            for test in tests {
                let more = self.test(test)?;
                own = own.iter().flat_map(|body| more.iter().map(|add| values::joined(body, add))).collect();
            }
            bodies.extend(own);
        }
        Ok(bodies)
    }

    fn source(&mut self, place: &Place) -> String {
        let name = place.name();
        if !self.sources.iter().any(|(known, _)| *known == name) {
            self.sources.push((name.clone(), place.clone()));
        }
        name
    }

    fn choice(&mut self, values: &[String], parameter: Option<&str>, is: bool) -> Bodies {
        let bodies = choices(values, parameter);
        if is {
            return bodies;
        }
        let name = self.helper("chosen");
        for body in bodies {
            self.lines.push(format!("{name} :- {}.", body.join(", ")));
        }
        vec![vec![format!("not {name}")]]
    }

    fn says(&mut self, what: &[Saying], parameter: Option<&str>, is: bool) -> Bodies {
        let body = |saying: &Saying| {
            let mut body = vec!["text(P, X)".to_owned()];
            if let Some(parameter) = parameter {
                body.push(format!("has_word(P, {})", quoted(parameter)));
            }
            body.push(match saying {
                Saying::Words(words) => format!("says(X, {})", quoted(words)),
                Saying::Class(class) => format!("holds(X, {})", quoted(class)),
                Saying::Like(sample) => format!("matches(X, {})", quoted(&pattern(sample))),
            });
            body
        };
        if is {
            return what.iter().map(body).collect();
        }
        let name = self.helper("said");
        for saying in what {
            self.lines.push(format!("{name} :- {}.", body(saying).join(", ")));
        }
        vec![vec![format!("not {name}")]]
    }
}

fn anchor(objects: bool) -> String {
    if objects { "involves(F, R)" } else { "flow(F)" }.to_owned()
}

fn words(predicate: &str, all: &[String], is: bool) -> Bodies {
    let literal = |word: &String| format!("{predicate}({})", quoted(word));
    match is {
        true => all.iter().map(|word| vec![literal(word)]).collect(),
        false => vec![all.iter().map(|word| format!("not {}", literal(word))).collect()],
    }
}

fn tool(names: &[String], is: bool) -> Bodies {
    let literal = |name: &String| match name.contains('.') {
        true => format!("tool({})", quoted(name)),
        false => format!("server({})", quoted(name)),
    };
    match is {
        true => names.iter().map(|name| vec![literal(name)]).collect(),
        false => vec![names.iter().map(|name| format!("not {}", literal(name))).collect()],
    }
}

fn program(names: &[String], is: bool) -> Bodies {
    match is {
        true => names.iter().map(|name| vec![format!("program({})", quoted(name))]).collect(),
        false => {
            let not = names.iter().map(|name| format!("G != {}", quoted(name)));
            vec![std::iter::once("program(G)".to_owned()).chain(not).collect()]
        }
    }
}

fn branch(patterns: &[String], is: bool) -> Bodies {
    let literal = |pattern: &String| format!("glob(B, {})", quoted(pattern));
    match is {
        true => patterns.iter().map(|pattern| vec!["branch(B)".to_owned(), literal(pattern)]).collect(),
        false => {
            let not = patterns.iter().map(|pattern| format!("not {}", literal(pattern)));
            vec![std::iter::once("branch(B)".to_owned()).chain(not).collect()]
        }
    }
}

fn concerns(names: &[String]) -> Bodies {
    let body = |name: &String| {
        let words = crate::names::words(name).join(" ");
        [
            vec!["involves(F, R)".to_owned(), format!("is_called(R, {})", quoted(&words))],
            vec![format!("choice(_, {})", quoted(&words))],
        ]
    };
    // `SEC` is in `SEC-14`.
    let is_key = |name: &&String| name.len() < 8 && name.chars().all(|letter| letter.is_ascii_uppercase());
    let keyed = |name: &String| {
        let begins = quoted(&format!("{} ", name.to_lowercase()));
        vec![
            "choice(P, V)".to_owned(),
            "has_word(P, \"key\")".to_owned(),
            format!("starts_with(V, {begins})"),
        ]
    };
    names.iter().flat_map(body).chain(names.iter().filter(is_key).map(keyed)).collect()
}

fn choices(values: &[String], parameter: Option<&str>) -> Bodies {
    let body = |value: &String| {
        // `+1` and `-1` are told apart by what is no part of a word.
        if value.starts_with(['+', '-']) && parameter.is_none() {
            let pattern = quoted(&crate::meaning::Form::Is(value.clone()).pattern());
            return vec!["argument(P, V)".to_owned(), format!("matches(V, {pattern})")];
        }
        let value = quoted(&crate::names::words(value).join(" "));
        match parameter {
            Some(parameter) => {
                let words = quoted(&crate::names::words(parameter).join(" "));
                vec![format!("choice(P, {value})"), format!("has_word(P, {words})")]
            }
            None => vec![format!("choice(_, {value})")],
        }
    };
    values.iter().map(body).collect()
}

fn measure(unit: &str, above: i64, is: bool) -> Vec<String> {
    let fact = match unit.strip_prefix("did ") {
        Some(action) => format!("calls({}, N)", quoted(action)),
        None => match (unit.strip_prefix("made "), unit.strip_prefix("each ")) {
            (Some(key), _) => format!("calls({}, N)", quoted(key)),
            (None, Some(key)) => format!("calls_to({}, _, N)", quoted(key)),
            (None, None) => format!("measure({}, N)", quoted(unit)),
        },
    };
    vec![fact, if is { format!("N > {above}") } else { format!("N <= {above}") }]
}

fn times(spans: &[Span], is: bool, of_event: bool) -> Bodies {
    match is {
        true => spans.iter().map(|span| time(span, of_event)).collect(),
        false => {
            let outside = spans.iter().map(|span| Span { is_outside: !span.is_outside, ..span.clone() });
            let mut body: Vec<String> = outside.flat_map(|span| time(&span, of_event)).collect();
            body.dedup();
            vec![body]
        }
    }
}

fn time(span: &Span, of_event: bool) -> Vec<String> {
    let (fact, filter) = match of_event {
        // What must lie in a time must do so as a whole.
        true if span.is_outside => ("event(D, W, A, B)", "event_within(D, W, A, B"),
        true => ("event(D, W, A, B)", "event_during(D, W, A, B"),
        false => ("now(D, W, M)", "during(D, W, M"),
    };
    let not = if span.is_outside { "not " } else { "" };
    vec![fact.to_owned(), format!("{not}{filter}, {})", quoted(&span.spec()))]
}

fn places_of(side: Side, places: &[Place], inside: bool) -> Bodies {
    let (fact, variable) = match side {
        Side::Object => (None, "R"),
        Side::From => (Some("input(F, S)"), "S"),
        Side::To => (Some("output(F, T)"), "T"),
    };
    let fact = fact.map(str::to_owned);
    match inside {
        true => places
            .iter()
            .map(|place| fact.iter().cloned().chain([place.literal(variable, true)]).collect())
            .collect(),
        false => {
            let not = places.iter().map(|place| format!("not {}", place.literal(variable, false)));
            vec![fact.iter().cloned().chain(not).collect()]
        }
    }
}

/// A sample as a regular expression: any digits stand for its digits.
fn pattern(sample: &str) -> String {
    let mut pattern = String::from("(^|[^A-Za-z0-9])");
    let mut in_digits = false;
    for letter in sample.chars() {
        let is_digit = letter.is_ascii_digit();
        match letter {
            _ if is_digit && in_digits => {}
            _ if is_digit => pattern.push_str("[0-9]+"),
            letter if letter.is_alphanumeric() => pattern.push(letter),
            letter => {
                pattern.push('[');
                pattern.push(letter);
                pattern.push(']');
            }
        }
        in_digits = is_digit;
    }
    pattern.push_str("([^A-Za-z0-9]|$)");
    pattern
}

/// A text as Datalog writes it.
pub(crate) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for letter in text.chars() {
        match letter {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' | '\r' | '\t' => quoted.push(' '),
            letter if letter.is_control() => {}
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
