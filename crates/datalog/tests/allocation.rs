//! What evaluating takes from the heap. Alone in its binary, since the counter replaces the allocator.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use allocation_counter::measure;
use portcullis_datalog::{Facts, Fuel, Kind, Program, Schema, Value};

fn allocations(program: &Program, facts: &Facts<'_>, answers: usize) -> u64 {
    let evaluate = || program.evaluate(facts, Fuel::default()).unwrap().len();
    // Regular expressions make their scratch space when they are first asked.
    assert_eq!(evaluate(), answers);
    measure(|| _ = evaluate()).count_total
}

#[test]
fn a_call_that_no_rule_stops_allocates_nothing() {
    let mut schema = Schema::new();
    let output = schema.predicate("output", &[Kind::Text], "").unwrap();
    let amount = schema.predicate("amount", &[Kind::Number], "").unwrap();
    let rules: String = (0..200)
        .map(|number| {
            format!(
                "deny(\"a\") :- output(\"x{number}\").\n\
                 deny(\"b\") :- output(R), glob(R, \"/srv/{number}/*\"), not matches(R, \"{number}$\").\n\
                 deny(\"c\") :- amount(N), N > {number}, output(\"y{number}\").\n\
                 deny(\"d\") :- output(R), matches(R, \"^https?://evil{number}[.]\").\n"
            )
        })
        .collect();
    let fill = |facts: &mut Facts<'static>| {
        facts.add(output, &[Value::Text("mailto:ann@acme.com")]).unwrap();
        facts.add(output, &[Value::Text("/home/u/a")]).unwrap();
        facts.add(amount, &[Value::Number(7)]).unwrap();
    };
    let mut facts = Facts::new(&schema);
    fill(&mut facts);
    let program = Program::parse(&rules, &schema).unwrap();
    // 800 rules are more bits than fit in place.
    assert_eq!(allocations(&program, &facts, 0), 1);
    let few: String = rules.lines().take(400).collect();
    assert_eq!(allocations(&Program::parse(&few, &schema).unwrap(), &facts, 0), 0);
    // A derived predicate takes one, for all tables.
    let derived =
        format!("{few} mail(R) :- output(R), starts_with(R, \"mailto:\"). deny(\"e\") :- mail(\"x\").");
    assert_eq!(allocations(&Program::parse(&derived, &schema).unwrap(), &facts, 0), 1);

    // The next call's facts go where the last one's were.
    let mut kept = Some(facts);
    let refilled = measure(|| {
        let mut facts = kept.take().unwrap().recycle();
        fill(&mut facts);
        kept = Some(facts);
    });
    assert_eq!((refilled.count_total, kept.unwrap().len()), (0, 3));
}
