//! Fields of forms in a browser are arguments of the call that fills them in.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_invariant::meaning::{Case, Check, Form, Meaning, Presence, Test, Verdict};
use portcullis_invariant::trial::{Trial, TrialCall};
use portcullis_invariant::{Rulebook, Stated, Toolbox, write};
use portcullis_perceive::layout::Layout;
use serde_json::{Value, json};

fn breaks(name: &str, check: Check, tool: &str, arguments: Value) -> bool {
    let mut tools = Toolbox::new().unwrap();
    tools.connect("playwright").unwrap();
    let layout = Layout { workspace: "/home/u/p".into(), home: "/home/u".into(), ..Layout::default() };
    let ground = layout.ground().unwrap();
    let test = Test::Value { names: vec![name.to_owned()], check, presence: Presence::One };
    let case = Case { tests: vec![test], ..Case::default() };
    let written = write(&[Meaning { verdict: Verdict::Deny, cases: vec![case] }], "r", "rule_0").unwrap();
    let book = Rulebook::new(vec![Stated { sentence: "r".into(), written }]).unwrap();
    let call = TrialCall { server: "playwright".into(), tool: tool.into(), arguments };
    !Trial::new(&tools, &ground, &book).call(&call, None).unwrap().breaches.is_empty()
}

#[test]
fn a_number_in_a_field_is_bounded_however_it_is_filled_in() {
    let fill = |value: &str| json!({"fields": [{"name": "Quantity", "type": "textbox", "ref": "e1", "value": value}]});
    let typed = |text: &str| json!({"element": "Quantity", "ref": "e1", "text": text});
    for (value, is_broken) in [("3", true), ("2", false), ("2.5", true), (" 12 ", true), ("", false)] {
        assert_eq!(
            breaks("quantity", Check::Above(2), "browser_fill_form", fill(value)),
            is_broken,
            "{value}"
        );
        assert_eq!(breaks("quantity", Check::Above(2), "browser_type", typed(value)), is_broken, "{value}");
        assert!(!breaks("amount", Check::Above(2), "browser_type", typed(value)), "another field: {value}");
    }
}

#[test]
fn what_is_chosen_in_a_field_is_its_value() {
    let chosen = |country: &str| json!({"element": "Country dropdown", "ref": "e2", "values": [country]});
    let austria = || Check::Forms(vec![Form::Is("Austria".into())]);
    assert!(breaks("country", austria(), "browser_select_option", chosen("Austria")));
    assert!(!breaks("country", austria(), "browser_select_option", chosen("Italy")));
}
