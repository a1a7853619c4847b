//! Laws of the canonical form, with an independent writer of it.

use portcullis_wire::json::{canonical, canonical_without, quote};
use proptest::prelude::*;
use serde_json::Value;

use crate::random::{Choices, choices, config, key, parse, value, written};

fn form(text: &str) -> Result<Vec<u8>, String> {
    canonical(parse(text.as_bytes()).root()).map_err(|error| error.to_string())
}

/// The same value with every number cut down to what has a form.
fn formed(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(double) if double.abs() > 9_007_199_254_740_992.0 => Value::from(number.to_string()),
            _ if form(&number.to_string()).is_err() => Value::from(number.to_string()),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(formed).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(key, value)| (key, formed(value))).collect())
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value,
    }
}

/// The same with the members of all objects the other way round.
fn reversed(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            format!("[{}]", items.iter().map(reversed).collect::<Vec<String>>().join(","))
        }
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("{}:{}", quote(key), reversed(value));
            format!("{{{}}}", members.iter().rev().map(member).collect::<Vec<String>>().join(","))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

/// Whether two values are the same where numbers are doubles.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let found = |(key, value)| other.get(key).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(found)
        }
        _ => one == other,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn canonical_is_idempotent(value in value()) {
        if let Ok(once) = form(&value.to_string()) {
            prop_assert_eq!(canonical(parse(&once).root()).unwrap(), once);
        }
    }

    #[test]
    fn canonical_form_does_not_depend_on_order_or_spacing_or_escapes(value in value(), choices in choices()) {
        let value = formed(value);
        let plain = form(&value.to_string()).unwrap();
        prop_assert_eq!(form(&written(&value, &mut Choices::new(choices))).unwrap(), plain.clone());
        prop_assert_eq!(form(&reversed(&value)).unwrap(), plain);
    }

    #[test]
    fn canonical_form_says_what_the_value_says(value in value()) {
        let value = formed(value);
        let again: Value = serde_json::from_slice(&form(&value.to_string()).unwrap()).unwrap();
        prop_assert!(same(&value, &again), "{value} became {again}");
    }

    #[test]
    fn different_values_have_different_canonical_forms(values in proptest::collection::vec(value(), 2..8)) {
        let values: Vec<Value> = values.into_iter().map(formed).collect();
        for (count, one) in values.iter().enumerate() {
            for other in values.iter().take(count) {
                let alike = form(&one.to_string()).unwrap() == form(&other.to_string()).unwrap();
                prop_assert_eq!(alike, same(one, other));
            }
        }
    }

    /// Around the bound, where doubles begin to skip integers.
    #[test]
    fn different_integers_have_different_forms_or_none(
        one in any::<i128>(), distance in 1..9i128, shift in 0..127u32, style in 0..3usize,
    ) {
        let one = one >> shift;
        let spelled = |integer: i128| match style {
            0 => integer.to_string(),
            1 => format!("{integer}.0"),
            _ => format!("{integer}e0"),
        };
        let (one, other) = (form(&spelled(one)), form(&spelled(one.saturating_sub(distance))));
        prop_assert!(one.is_err() || other.is_err() || one != other);
    }

    #[test]
    fn the_form_is_that_of_another_implementation(value in value(), choices in choices()) {
        let value = formed(value);
        let text = written(&value, &mut Choices::new(choices));
        prop_assert_eq!(form(&text).unwrap(), serde_json_canonicalizer::to_vec(&value).unwrap());
    }

    #[test]
    fn doubles_have_the_form_of_another_implementation(bits in any::<u64>()) {
        let double = f64::from_bits(bits);
        prop_assume!(double.is_finite());
        if let Ok(form) = form(&serde_json::to_string(&double).unwrap()) {
            prop_assert_eq!(form, serde_json_canonicalizer::to_vec(&double).unwrap());
        }
    }

    /// Whoever puts the member in changes nothing of the form without it.
    #[test]
    fn what_is_left_out_leaves_no_trace(value in value(), outer in key(), inner in key(), put in value()) {
        let Value::Object(mut members) = formed(value) else { return Ok(()) };
        let path = [outer.as_str(), inner.as_str()];
        let without = |value: &Value| canonical_without(parse(value.to_string().as_bytes()).root(), &path).unwrap();
        if !members.get(&outer).is_none_or(Value::is_object) {
            return Ok(());
        }
        let before = without(&Value::Object(members.clone()));
        if let Value::Object(around) = members.entry(outer.clone()).or_insert_with(|| serde_json::json!({})) {
            around.insert(inner.clone(), put);
        }
        prop_assert_eq!(without(&Value::Object(members)), before);
    }
}
