//! The schema of the cases, and facts written as rules without conditions.

use portcullis_datalog::{
    Answer, Constant, Facts, Kind, Program, Rule, Schema, Source, Term, Test, Truth, Value, read,
};

use Kind::{Number, Text};

/// The host of the cases.
pub(crate) fn schema() -> Schema {
    let mut schema = Schema::new();
    let predicates: &[(&str, &[Kind], &str)] = &[
        ("program", &[Text], "the call runs this program"),
        ("argument", &[Text], "a text among the arguments"),
        ("output", &[Text, Text], "a flow writes to a resource"),
        ("realm", &[Text, Text], "a resource lies in a realm"),
        ("label", &[Text], "the call carries a label"),
        ("amount", &[Number], "a sum of money"),
        ("edge", &[Text, Text], "one thing leads to another"),
        ("size", &[Text, Number], "a resource has so many bytes"),
        ("login", &[], "the user is logged in"),
    ];
    for (name, columns, meaning) in predicates {
        schema.predicate(name, columns, meaning).unwrap();
    }
    schema.filter("inside", &[Text, Text], "a resource lies inside a place", inside).unwrap();
    schema.filter("even", &[Number], "a number is even", even).unwrap();
    schema
}

/// A stand-in for the lattice: a prefix, about which nothing can be said for resources that begin with `?`.
fn inside(constants: &[Option<&Constant>]) -> Result<Test, String> {
    let Some(Some(Constant::Text(scope))) = constants.get(1) else {
        return Err("the place must be written out".to_owned());
    };
    let Some(folder) = scope.strip_suffix("**").map(str::to_owned) else {
        return Err(format!("`{scope}` is no place; it ends with `**`"));
    };
    Ok(Box::new(move |values| match values {
        [Value::Text(name), Value::Text(_)] if name.starts_with('?') => Truth::Unknown,
        [Value::Text(name), Value::Text(scope)] => {
            assert_eq!(scope.strip_suffix("**"), Some(&*folder), "a test is given its constants too");
            Truth::from(name.starts_with(&folder))
        }
        _ => panic!("a filter of two columns is asked about {values:?}"),
    }))
}

fn even(_: &[Option<&Constant>]) -> Result<Test, String> {
    Ok(Box::new(|values| match values {
        [Value::Number(number)] => Truth::from(number % 2 == 0),
        _ => Truth::Unknown,
    }))
}

/// Facts and unknown predicates, as texts that own what facts borrow.
#[derive(Debug)]
pub(crate) struct Situation {
    pub(crate) rows: Vec<Rule>,
    pub(crate) unknown: Vec<String>,
}

impl Situation {
    pub(crate) fn read(facts: &str, unknown: &[String]) -> Situation {
        let rows = read(facts, Source::default()).unwrap_or_else(|problems| panic!("{problems}\nin {facts}"));
        Situation { rows, unknown: unknown.to_vec() }
    }

    pub(crate) fn facts(&self, schema: &Schema) -> Facts<'_> {
        let mut facts = Facts::new(schema);
        for row in &self.rows {
            let id = schema.id(&row.head.predicate).unwrap_or_else(|| panic!("no predicate {row}"));
            let values: Vec<Value<'_>> = row.head.arguments.iter().map(value).collect();
            facts.add(id, &values).unwrap();
        }
        for name in &self.unknown {
            facts.unknown(schema.id(name).unwrap_or_else(|| panic!("no predicate {name}")));
        }
        facts
    }
}

/// `_` is a value that the host does not know.
pub(crate) fn value(term: &Term) -> Value<'_> {
    match term {
        Term::Constant(constant) => constant.value(),
        Term::Anonymous => Value::Unknown,
        Term::Variable(name) => panic!("a fact with the variable {name}"),
    }
}

/// An answer in a line: goal, reason, whether it is certain, why.
pub(crate) fn line(answer: &Answer<'_>) -> String {
    let because: Vec<String> = answer.because.iter().map(ToString::to_string).collect();
    let doubt = if answer.certain { "" } else { " perhaps" };
    let because = because.join(", ");
    format!("{}({}){doubt} because {because}", answer.goal.name(), answer.reason).trim_end().to_owned()
}

pub(crate) fn program(text: &str, schema: &Schema) -> Program {
    Program::parse(text, schema).unwrap_or_else(|problems| panic!("{problems}\nin {text}"))
}
