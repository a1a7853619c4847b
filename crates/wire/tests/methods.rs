//! What is done with each method: a table, and what holds for all.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use portcullis_wire::mcp::{Direction, Form, Method, Treatment};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    method: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    to_server: String,
    to_client: String,
}

const DIRECTIONS: [Direction; 2] = [Direction::ToServer, Direction::ToClient];
const FORMS: [Form; 2] = [Form::Request, Form::Notification];

#[test]
fn every_method_is_treated_as_the_table_says() {
    let cases: Cases = toml::from_str(include_str!("cases/methods.toml")).unwrap();
    for case in &cases.method {
        let method = Method::of(&case.name);
        // What nobody knows is treated alike in both forms.
        for form in method.form().map_or(FORMS.to_vec(), |form| vec![form]) {
            let treated =
                DIRECTIONS.map(|direction| format!("{:?}", method.handling(direction, form).treatment));
            assert_eq!(treated, [case.to_server.clone(), case.to_client.clone()], "{}", case.name);
        }
    }
    let listed: BTreeSet<_> = cases.method.iter().map(|case| case.name.as_str()).collect();
    for method in Method::KNOWN {
        assert!(listed.contains(method.name().unwrap()), "{method:?} is not in the table");
    }
}

#[test]
fn a_method_in_the_wrong_form_is_refused() {
    for method in Method::KNOWN {
        let wrong = if method.form() == Some(Form::Request) { Form::Notification } else { Form::Request };
        for direction in DIRECTIONS {
            assert_eq!(method.handling(direction, wrong).treatment, Treatment::Refuse, "{method:?}");
        }
    }
}

#[test]
fn what_nobody_knows_is_never_just_passed_on() {
    for (direction, form) in DIRECTIONS.into_iter().flat_map(|one| FORMS.map(|other| (one, other))) {
        assert_eq!(Method::Unknown.handling(direction, form).treatment, Treatment::Judge);
    }
}

#[test]
fn names_are_read_back_and_notifications_are_called_so() {
    for method in Method::KNOWN {
        let name = method.name().unwrap();
        assert_eq!(Method::of(name), *method);
        assert_eq!(name.starts_with("notifications/"), method.form() == Some(Form::Notification), "{name}");
    }
    assert_eq!(Method::of(""), Method::Unknown);
}
