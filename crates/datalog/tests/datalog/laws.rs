//! What holds of all programs and facts.

use std::collections::BTreeSet;

use portcullis_datalog::{Answer, Exhausted, Fuel, Goal, Program, Rule, Schema, Term, Value, limits, read};
use proptest::prelude::*;

use crate::example::{self, Situation};
use crate::generate::{self, Choices};
use crate::naive;

const PLENTY: Fuel = Fuel { facts: 100_000, steps: 10_000_000 };

fn compile(rules: &[Rule], schema: &Schema) -> Program {
    let text = || rules.iter().map(|rule| format!("{rule}\n")).collect::<String>();
    Program::compile(rules.to_vec(), schema).unwrap_or_else(|problems| panic!("{problems}\nin\n{}", text()))
}

fn rules_and_facts() -> impl Strategy<Value = (Vec<Rule>, Vec<Rule>)> {
    proptest::collection::vec(any::<u8>(), 0..400).prop_map(|bytes| {
        let mut choices = Choices::new(&bytes);
        let facts = choices.facts();
        (choices.rules(), facts)
    })
}

/// Facts of which the host does not know some: predicates as a whole, and values.
fn clouded() -> impl Strategy<Value = (Vec<Rule>, Vec<Rule>, Situation)> {
    (rules_and_facts(), any::<u8>(), any::<u32>(), any::<u32>()).prop_map(
        |((rules, facts), unknown, lost, hidden)| {
            let unknown: Vec<String> = (generate::GIVEN.iter().enumerate())
                .filter(|(place, _)| unknown >> place & 1 == 1)
                .map(|(_, (name, _))| (*name).to_owned())
                .collect();
            let mut known = Vec::new();
            for (place, fact) in facts.iter().enumerate() {
                let mut fact = fact.clone();
                let is_unknown = unknown.iter().any(|name| **name == *fact.head.predicate);
                if is_unknown && lost >> (place % 32) & 1 == 1 {
                    continue;
                }
                if let Some(first) =
                    fact.head.arguments.first_mut().filter(|_| hidden >> (place % 31) & 3 == 3)
                {
                    *first = Term::Anonymous;
                }
                known.push(fact);
            }
            (rules, facts, Situation { rows: known, unknown })
        },
    )
}

/// What is told, without why.
fn told<'a>(answers: &[Answer<'a>]) -> BTreeSet<(usize, &'static str, Value<'a>, bool)> {
    answers.iter().map(|answer| (answer.rule, answer.goal.name(), answer.reason, answer.certain)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn triggers_change_nothing((mut rules, facts) in rules_and_facts()) {
        rules.extend(generate::everything_told());
        let schema = example::schema();
        let program = compile(&rules, &schema);
        let situation = Situation { rows: facts, unknown: Vec::new() };
        let known = situation.facts(&schema);
        let answers = program.evaluate(&known, PLENTY).unwrap();
        let naive = naive::answers(&rules, &situation.rows);
        let certain = naive.into_iter().map(|(rule, goal, reason)| (rule, goal, reason, true)).collect();
        prop_assert_eq!(told(&answers), certain, "{}\n{:?}", program, known);
        prop_assert!(answers.is_sorted_by_key(|answer| answer.rule));
    }

    #[test]
    fn printing_and_reading_gives_the_same_program((rules, _) in rules_and_facts()) {
        let schema = example::schema();
        let program = compile(&rules, &schema);
        let again = Program::parse(&program.to_string(), &schema).unwrap();
        prop_assert_eq!(program.rules(), again.rules());
        prop_assert_eq!(program.to_string(), again.to_string());
    }

    #[test]
    fn any_text_in_a_rule_survives_printing(text in any::<String>(), number in any::<i64>()) {
        let schema = example::schema();
        let argument = |name: &str, term: Term| portcullis_datalog::Atom::new(name, vec![term]);
        let body = [argument("label", Term::text(&text)), argument("amount", Term::number(number))];
        let body = body.into_iter().map(portcullis_datalog::Literal::Holds).collect();
        let rules = vec![Rule::new(argument("deny", Term::text(&text)), body, Default::default())];
        let program = compile(&rules, &schema);
        prop_assert_eq!(&read(&program.to_string(), Default::default()).unwrap(), &rules);
    }

    #[test]
    fn order_of_rules_and_facts_does_not_matter(
        ((rules, _, situation), seed) in (clouded(), any::<usize>())
    ) {
        let schema = example::schema();
        let program = compile(&rules, &schema);
        let facts = situation.facts(&schema);
        let turned: Vec<Rule> = turn(&rules, seed);
        let other = compile(&turned, &schema);
        let other_situation =
            Situation { rows: turn(&situation.rows, seed), unknown: situation.unknown.clone() };
        let other_facts = other_situation.facts(&schema);
        let by_text = |program: &Program, answers: Vec<Answer<'_>>| -> BTreeSet<String> {
            let line = |answer: &Answer<'_>| {
                format!("{} {} {}", program.rules()[answer.rule], answer.reason, answer.certain)
            };
            answers.iter().map(line).collect()
        };
        let answers = by_text(&program, program.evaluate(&facts, PLENTY).unwrap());
        prop_assert_eq!(answers, by_text(&other, other.evaluate(&other_facts, PLENTY).unwrap()));
    }

    #[test]
    fn order_of_conditions_does_not_matter(((rules, facts), seed) in (rules_and_facts(), any::<usize>())) {
        let schema = example::schema();
        let situation = Situation { rows: facts, unknown: Vec::new() };
        let facts = situation.facts(&schema);
        let mut turned = rules.clone();
        turned.iter_mut().for_each(|rule| rule.body = turn(&rule.body, seed));
        let (program, other) = (compile(&rules, &schema), compile(&turned, &schema));
        let answers = program.evaluate(&facts, PLENTY).unwrap();
        prop_assert_eq!(told(&answers), told(&other.evaluate(&facts, PLENTY).unwrap()));
    }

    #[test]
    fn more_fuel_never_changes_an_answer(
        ((rules, _, situation), facts, steps) in (clouded(), 0_u64..20, 0_u64..200)
    ) {
        let schema = example::schema();
        let program = compile(&rules, &schema);
        let known = situation.facts(&schema);
        if let Ok(answers) = program.evaluate(&known, Fuel { facts, steps }) {
            prop_assert_eq!(&answers, &program.evaluate(&known, PLENTY).unwrap());
            let more = Fuel { facts: facts + 1, steps: steps + 1 };
            prop_assert_eq!(&answers, &program.evaluate(&known, more).unwrap());
        }
    }

    #[test]
    fn unknown_facts_never_lose_a_denial((rules, facts, situation) in clouded()) {
        let schema = example::schema();
        let program = compile(&rules, &schema);
        let known = situation.facts(&schema);
        let answers = program.evaluate(&known, PLENTY).unwrap();
        for (rule, goal, reason) in naive::answers(&rules, &facts) {
            let is_told = answers.iter().any(|answer| {
                answer.rule == rule && (answer.reason == reason || answer.reason == Value::Unknown)
            });
            prop_assert!(is_told, "{goal}({reason}) by\n{}\nis lost in\n{}\n{:?}", rules[rule], program, known);
        }
    }

    #[test]
    fn certain_answers_hold_whatever_the_unknown_facts_are((rules, facts, situation) in clouded()) {
        let schema = example::schema();
        let program = compile(&rules, &schema);
        let known = situation.facts(&schema);
        let naive = naive::answers(&rules, &facts);
        for answer in program.evaluate(&known, PLENTY).unwrap().iter().filter(|answer| answer.certain) {
            let holds = naive.iter().any(|(rule, _, reason)| {
                *rule == answer.rule && (*reason == answer.reason || answer.reason == Value::Unknown)
            });
            prop_assert!(holds, "{answer:?}\n{program}\n{known:?}");
        }
    }

    #[test]
    fn hostile_text_ends_in_an_error_or_a_program(text in "[a-zA-Z_(),.:=<>!\"\\\\%# \n0-9-]{0,200}") {
        let schema = example::schema();
        if let Ok(program) = Program::parse(&text, &schema) {
            let again = Program::parse(&program.to_string(), &schema).unwrap();
            prop_assert_eq!(again.rules(), program.rules());
        }
    }
}

/// Another order.
fn turn<T: Clone>(all: &[T], seed: usize) -> Vec<T> {
    let mut turned = all.to_vec();
    for place in 1..turned.len() {
        turned.swap(place, seed.rotate_left(place as u32) % (place + 1));
    }
    turned
}

#[test]
fn running_out_of_fuel_is_an_error() {
    let schema = example::schema();
    let program = example::program(
        "reach(X, Y) :- edge(X, Y). reach(X, Z) :- reach(X, Y), edge(Y, Z). deny(\"far\") :- reach(_, _).",
        &schema,
    );
    let names: Vec<String> = (0..100).map(|number| format!("n{number}")).collect();
    let mut facts = portcullis_datalog::Facts::new(&schema);
    let edge = schema.id("edge").unwrap();
    for pair in names.windows(2) {
        facts.add(edge, &[Value::Text(&pair[0]), Value::Text(&pair[1])]).unwrap();
    }
    assert_eq!(program.evaluate(&facts, Fuel { facts: 1_000, steps: u64::MAX }), Err(Exhausted::Facts));
    assert_eq!(program.evaluate(&facts, Fuel { facts: u64::MAX, steps: 1_000 }), Err(Exhausted::Steps));
    let answers = program.evaluate(&facts, PLENTY).unwrap();
    assert_eq!((answers[0].goal, answers[0].certain), (Goal::Deny, true));
}

#[test]
fn what_is_too_large_is_refused() {
    let schema = example::schema();
    let refused = |text: &str, because: &str| {
        let told = Program::parse(text, &schema).unwrap_err().to_string();
        assert!(told.contains(because), "{told}");
    };
    refused(&" ".repeat(limits::MOST_BYTES + 1), "bytes");
    refused(&"a.".repeat(limits::MOST_RULES + 1), "rules");
    refused(&format!("deny(\"x\") :- login{}.", ", login".repeat(limits::MOST_LITERALS)), "conditions");
    refused(&format!("a({}).", vec!["1"; limits::MOST_ARGUMENTS + 1].join(", ")), "arguments");
    refused(&format!("deny(\"{}\").", "x".repeat(limits::LONGEST_TEXT + 1)), "bytes");
    refused(&format!("{}.", "x".repeat(limits::LONGEST_NAME + 1)), "letters");
    let variables: Vec<String> = (0..5)
        .map(|row| {
            let names: Vec<String> = (0..15).map(|column| format!("V{row}_{column}")).collect();
            format!("p({})", names.join(", "))
        })
        .collect();
    let constants = vec!["1"; 15].join(", ");
    refused(&format!("p({constants}). deny(\"x\") :- {}.", variables.join(", ")), "variables");
    let mut nested = String::from("p0 :- login. ");
    (0..limits::DEEPEST_NESTING).for_each(|level| nested += &format!("p{} :- p{level}. ", level + 1));
    refused(&format!("{nested} deny(\"x\") :- p{}.", limits::DEEPEST_NESTING), "stands on more than");
    // As deep as allowed runs.
    let deep = nested.rsplit_once(&format!("p{} :-", limits::DEEPEST_NESTING)).unwrap().0;
    let program =
        example::program(&format!("{deep} deny(\"x\") :- p{}.", limits::DEEPEST_NESTING - 1), &schema);
    let situation = Situation::read("login.", &[]);
    assert_eq!(program.evaluate(&situation.facts(&schema), PLENTY).unwrap().len(), 1);
}

#[test]
fn a_text_of_mistakes_is_answered_briefly() {
    let schema = example::schema();
    let problems = Program::parse(&"deny(X) :- nothing(Y), 1. ".repeat(9_000), &schema).unwrap_err();
    assert!(problems.as_slice().len() <= 50);
    let problems = Program::parse(&"deny(X) :- nothing(Y), Z > 1. ".repeat(9_000), &schema).unwrap_err();
    assert!(problems.as_slice().len() <= 50);
}

#[test]
fn a_refused_fact_makes_its_predicate_unknown() {
    use portcullis_datalog::{FactError, Facts};
    let schema = example::schema();
    let program = example::program("deny(\"x\") :- amount(N), N > 100.", &schema);
    let amount = schema.id("amount").unwrap();
    for (values, error) in [
        (vec![Value::Text("101")], FactError::Kind),
        (vec![Value::Number(1), Value::Number(2)], FactError::Arity),
    ] {
        let mut facts = Facts::new(&schema);
        assert_eq!(facts.add(amount, &values), Err(error));
        assert_eq!(program.evaluate(&facts, PLENTY).unwrap().len(), 1);
        let empty: Facts<'_> = facts.recycle();
        assert_eq!(program.evaluate(&empty, PLENTY).unwrap(), []);
    }
}

#[test]
fn answers_name_their_source() {
    use portcullis_datalog::Source;
    let schema = example::schema();
    let mut rules = read("deny(\"a\") :- login.", Source(7)).unwrap();
    rules.extend(read("deny(\"b\") :- login.", Source(9)).unwrap());
    let program = Program::compile(rules, &schema).unwrap();
    let situation = Situation::read("login.", &[]);
    let facts = situation.facts(&schema);
    let answers = program.evaluate(&facts, PLENTY).unwrap();
    let sources: Vec<_> = answers.iter().map(|answer| (answer.source, answer.rule)).collect();
    assert_eq!(sources, [(Source(7), 0), (Source(9), 1)]);
}

#[test]
fn a_program_uses_what_its_live_rules_read() {
    let schema = example::schema();
    let program = example::program("unused :- label(_). deny(\"x\") :- login, not program(\"a\").", &schema);
    let uses = |name: &str| program.uses(schema.id(name).unwrap());
    assert_eq!((uses("login"), uses("program"), uses("label"), uses("edge")), (true, true, false, false));
}

#[test]
fn what_a_larger_schema_has_is_unknown_to_the_facts_of_a_smaller() {
    use portcullis_datalog::{Facts, Kind};
    let smaller = example::schema();
    let mut larger = smaller.clone();
    larger.predicate("extra", &[Kind::Text], "").unwrap();
    let program = example::program("deny(\"x\") :- extra(\"a\").", &larger);
    let facts = Facts::new(&smaller);
    assert!(!program.evaluate(&facts, PLENTY).unwrap()[0].certain);
    assert_eq!(program.evaluate(&facts.recycle(), PLENTY).unwrap().len(), 1);
    assert_eq!(program.evaluate(&Facts::new(&larger), PLENTY).unwrap(), []);
}

/// The worst programs that the limits let through are ready, or refused, in reasonable time and space.
#[test]
fn hostile_programs_of_every_shape_end() {
    let schema = example::schema();
    let ring: String =
        (0..9_000).map(|number| format!("p{number}(X) :- p{}(X).\n", (number + 1) % 9_000)).collect();
    let wide: String = (0..4_000)
        .map(|number| {
            format!("q{number}(X) :- label(X).\ndeny(\"{number}\") :- q{number}(X), q0(X), q1(X).\n")
        })
        .collect();
    let layers: String = (0..60)
        .flat_map(|level| (0..100).map(move |place| (level, place)))
        .map(|(level, place)| {
            let below: Vec<String> =
                (0..8).map(|step| format!("l{}_{}(X)", level.max(1) - 1, (place + step) % 100)).collect();
            let body = if level == 0 { "label(X)".to_owned() } else { below.join(", ") };
            format!("l{level}_{place}(X) :- {body}.\n")
        })
        .collect();
    let goals: String = (0..100).map(|place| format!("deny(\"{place}\") :- l59_{place}(X).\n")).collect();
    let situation = Situation::read("label(\"a\").", &[]);
    let facts = situation.facts(&schema);
    let count = |text: &str| {
        let program = example::program(text, &schema);
        program.evaluate(&facts, PLENTY).unwrap().len()
    };
    // Round by round through a ring of thousands is more than the fuel for a call.
    let program =
        example::program(&format!("{ring}p7(X) :- label(X). deny(\"ring\") :- p0(\"a\")."), &schema);
    assert_eq!(program.evaluate(&facts, Fuel::default()), Err(Exhausted::Steps));
    assert_eq!(count(&wide), 4_000);
    assert_eq!(count(&format!("{layers}{goals}")), 100);
    let names: String = (0..9_000).map(|number| format!("{}{number} :- login.\n", "n".repeat(90))).collect();
    let unknown: String =
        (0..60).map(|number| format!("deny(\"x\") :- {}x{number}.\n", "n".repeat(90))).collect();
    assert!(Program::parse(&format!("{names}{unknown}"), &schema).is_err());
}

#[test]
fn programs_are_used_by_many_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Program>();
    is_shared::<Schema>();
    is_shared::<portcullis_datalog::Facts<'static>>();
}

#[test]
fn the_engine_brings_its_filters() {
    let schema = Schema::new();
    let names: Vec<&str> = schema.words().map(|(name, _, _)| name).collect();
    assert_eq!(names, ["contains", "ends_with", "glob", "matches", "starts_with"]);
    assert!(schema.words().all(|(_, columns, meaning)| columns.len() == 2 && !meaning.is_empty()));
}

#[test]
fn a_schema_refuses_what_rules_could_not_name() {
    use portcullis_datalog::{Kind, SchemaError};
    let mut schema = Schema::new();
    let mut refused = |name: &str, columns: &[Kind]| schema.predicate(name, columns, "").err();
    assert_eq!(refused("deny", &[]), Some(SchemaError::Taken("deny".to_owned())));
    assert_eq!(refused("glob", &[]), Some(SchemaError::Taken("glob".to_owned())));
    for name in ["", "Upper", "not", "with space", "_x", "1st"] {
        assert_eq!(refused(name, &[]), Some(SchemaError::Name(name.to_owned())));
    }
    let many = [Kind::Text; limits::MOST_ARGUMENTS + 1];
    assert_eq!(refused("wide", &many), Some(SchemaError::TooMuch("wide".to_owned())));
    assert_eq!(refused("fine", &[Kind::Text]), None);
}
