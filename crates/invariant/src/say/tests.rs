use proptest::prelude::*;

use super::*;
use crate::meaning::{Deed, Place, Span};

fn case(doings: Vec<Doing>, tests: Vec<Test>) -> Case {
    Case { doings, tests, unless: Vec::new() }
}

fn object(places: Vec<Place>, inside: bool) -> Test {
    Test::Place { side: Side::Object, places, inside }
}

#[test]
fn rules_are_said_in_whole_sentences() {
    let hr = Place::Path("/home/u/p/hr".into());
    let outside = object(vec![Place::Domain("acme.com".into())], false);
    let person = object(vec![Place::Kind("person".into())], true);
    let flow = case(vec![Doing::Deed(Deed::Sends)], vec![person, outside, Test::Carries(vec![hr.clone()])]);
    assert_eq!(
        say_case(Verdict::Deny, &flow),
        "Refused: sending anything to any person not at acme.com, with data that comes from /home/u/p/hr."
    );
    let friday = Span { days: vec![4], hours: vec![(16 * 60, 24 * 60)], ..Span::default() };
    let deploy = case(
        vec![Doing::Did("deploy".into())],
        vec![Test::Time { spans: vec![friday], is: true, of_event: false }],
    );
    assert_eq!(say_case(Verdict::Deny, &deploy), "Refused: deploying, on Fridays after 16:00.");
    let many = Test::Measure { unit: "file".into(), above: 3, is: true };
    let mut deletes = case(vec![Doing::Deed(Deed::Deletes)], vec![object(vec![hr], true), many]);
    deletes.unless.push(vec![Test::Branch { patterns: vec!["main".into()], is: true }]);
    assert_eq!(
        say_case(Verdict::Ask, &deletes),
        "Asked about each time: deleting anything in /home/u/p/hr, with more than 3 files, \
         except on the branch “main”."
    );
}

#[test]
fn the_same_value_in_an_earlier_call_is_said() {
    let (what, names) = (vec!["view".to_owned(), "reads".to_owned()], vec!["pull number".to_owned()]);
    let merge = |is: bool| {
        let same = Test::EarlierSame { what: what.clone(), names: names.clone(), is };
        say_case(Verdict::Deny, &case(vec![Doing::Did("merge".into())], vec![same]))
    };
    assert_eq!(
        merge(false),
        "Refused: merging, unless the session has had a call of viewing or reading with the same “pull number” before."
    );
    assert_eq!(
        merge(true),
        "Refused: merging, once the session has had a call of viewing or reading with the same “pull number”."
    );
}

fn word() -> impl Strategy<Value = String> {
    "[a-d]{1,3}"
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(word(), 1..3)
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![
        word().prop_map(|word| Place::Path(format!("/{word}"))),
        word().prop_map(Place::Named),
        word().prop_map(Place::Within),
        word().prop_map(Place::Ending),
        word().prop_map(Place::Folder),
        word().prop_map(Place::Word),
        word().prop_map(|word| Place::Domain(format!("{word}.org"))),
        word().prop_map(Place::HostLike),
        word().prop_map(|word| Place::Page(format!("https://{word}.org/x"))),
        word().prop_map(|word| Place::Address(format!("{word}@x.org"))),
        word().prop_map(Place::Mailbox),
        word().prop_map(Place::Id),
        word().prop_map(Place::Channel),
        word().prop_map(Place::Table),
        word().prop_map(Place::Database),
        word().prop_map(Place::Kind),
        prop::sample::select(vec![
            Place::Network,
            Place::Local,
            Place::Internal,
            Place::External,
            Place::Public,
            Place::TopLevel,
            Place::PlainHttp,
            Place::Hidden,
        ]),
    ]
}

fn places() -> impl Strategy<Value = Vec<Place>> {
    prop::collection::vec(place(), 1..3)
}

fn span() -> impl Strategy<Value = Span> {
    let hours = prop::collection::vec((0i64..12).prop_map(|hour| (hour * 60, hour * 60 + 90)), 0..2);
    let days = prop::collection::vec(0u8..7, 0..2);
    let months = prop::collection::vec(1i8..13, 0..2);
    let dates = prop::option::of((1i8..28).prop_map(|day| (Some(jiff::civil::date(2026, 3, day)), None)));
    let month_days = prop::option::of((1i8..15, 16i8..31));
    (days, hours, dates, months, month_days, any::<bool>()).prop_map(
        |(days, hours, dates, months, month_days, is_outside)| Span {
            days,
            hours,
            dates,
            months,
            month_days,
            is_outside,
        },
    )
}

fn saying() -> impl Strategy<Value = Saying> {
    prop_oneof![word().prop_map(Saying::Words), word().prop_map(Saying::Class), word().prop_map(Saying::Like)]
}

fn side() -> impl Strategy<Value = Side> {
    prop::sample::select(vec![Side::Object, Side::From, Side::To])
}

fn simple() -> impl Strategy<Value = Test> {
    let is = any::<bool>;
    prop_oneof![
        (side(), places(), is()).prop_map(|(side, places, inside)| Test::Place { side, places, inside }),
        places().prop_map(Test::Carries),
        (words(), is()).prop_map(|(actions, is)| Test::Did { actions, is }),
        (words(), is()).prop_map(|(nouns, is)| Test::About { nouns, is }),
        words().prop_map(Test::Concerns),
        (prop::collection::vec(span(), 1..3), is(), is()).prop_map(|(spans, is, of_event)| Test::Time {
            spans,
            is,
            of_event
        }),
        (word(), 0i64..9, is()).prop_map(|(unit, above, is)| Test::Measure { unit, above, is }),
        (word(), 0i64..9, is()).prop_map(|(unit, above, is)| Test::Measure {
            unit: format!("did {unit}"),
            above,
            is
        }),
        (prop::collection::vec(saying(), 1..3), prop::option::of(word()), is())
            .prop_map(|(what, parameter, is)| Test::Says { what, parameter, is }),
        (word(), is()).prop_map(|(word, is)| Test::Given { word, is }),
        (words(), prop::option::of(word()), is()).prop_map(|(values, parameter, is)| Test::Choice {
            values,
            parameter,
            is
        }),
        (words(), is()).prop_map(|(names, is)| Test::Tool { names, is }),
        (words(), is()).prop_map(|(patterns, is)| Test::Branch { patterns, is }),
        (words(), is()).prop_map(|(names, is)| Test::Program { names, is }),
        prop::sample::select(vec![Test::Secret, Test::WithoutWhere, Test::Unlimited, Test::Everything]),
        is().prop_map(Test::Company),
    ]
}

fn earlier() -> impl Strategy<Value = Test> {
    let what = (simple(), word().prop_map(Doing::Did));
    let case = what.prop_map(|(test, doing)| Box::new(case(vec![doing], vec![test])));
    let here = prop::sample::select(vec![Deed::Reads, Deed::Changes, Deed::Sends]);
    prop_oneof![
        (case, any::<bool>()).prop_map(|(what, is)| Test::Earlier { what, is }),
        (here, any::<bool>()).prop_map(|(deed, is)| Test::EarlierHere { deed, is }),
        (words(), words(), any::<bool>()).prop_map(|(what, names, is)| Test::EarlierSame { what, names, is }),
    ]
}

fn test() -> impl Strategy<Value = Test> {
    let several = prop::collection::vec(prop::collection::vec(simple(), 1..3), 2..3).prop_map(Test::Any);
    prop_oneof![8 => simple(), 1 => several, 1 => earlier()]
}

fn doing() -> impl Strategy<Value = Vec<Doing>> {
    let deeds = [Deed::Reads, Deed::Writes, Deed::Changes, Deed::Deletes, Deed::Sends, Deed::Involves];
    let deed = prop::sample::select(deeds.to_vec()).prop_map(Doing::Deed);
    prop::collection::vec(prop_oneof![deed, word().prop_map(Doing::Did)], 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn every_test_shows_in_the_sentence(doings in doing(), one in test(), other in test(), excepts in any::<bool>()) {
        let with = |tests: Vec<Test>| match excepts {
            true => Case { doings: doings.clone(), tests: Vec::new(), unless: vec![tests] },
            false => case(doings.clone(), tests),
        };
        let said = |tests: Vec<Test>| say_case(Verdict::Deny, &with(tests));
        prop_assert_ne!(said(vec![one.clone()]), say_case(Verdict::Deny, &case(doings.clone(), Vec::new())));
        if one != other {
            prop_assert_ne!(said(vec![one.clone()]), said(vec![other.clone()]));
            prop_assert_ne!(said(vec![one.clone(), other]), said(vec![one]));
        }
    }

    #[test]
    fn the_verdict_and_what_is_done_show(one in doing(), other in doing(), test in test()) {
        let said = |doings: &[Doing]| say_case(Verdict::Deny, &case(doings.to_vec(), vec![test.clone()]));
        prop_assert_ne!(said(&one), say_case(Verdict::Ask, &case(one.clone(), vec![test.clone()])));
        let kinds = |doings: &[Doing]| {
            let (deeds, dids): (Vec<Doing>, Vec<Doing>) =
                doings.iter().cloned().partition(|doing| matches!(doing, Doing::Deed(_)));
            (deeds, dids)
        };
        if kinds(&one) != kinds(&other) {
            prop_assert_ne!(said(&one), said(&other));
        }
    }
}
