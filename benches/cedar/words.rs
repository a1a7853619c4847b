//! Texts and questions about them at random: what a policy finds in a text is what the rule finds in it.

use portcullis_invariant::trial::{Trial, TrialCall};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::json;

use crate::laws::{GROUND, Rules, TOOLS, fitting, friday, rule_of};

/// What texts are put together from: words, what stands between them, and signs that are easily taken for others.
const PIECES: &[&str] = &[
    "a",
    "ab",
    "B",
    "s",
    "S",
    "\u{17f}",
    "k",
    "\u{212a}",
    "é",
    "É",
    "ß",
    "ẞ",
    "ς",
    "Σ",
    "İ",
    "²",
    "1",
    "12",
    "0",
    "234567",
    "_",
    "-",
    " ",
    "  ",
    "\t",
    "\n",
    "\u{a0}",
    ".",
    "/",
    "+",
    "%20",
    "%40",
    "@",
    "<!",
    "#",
    "*",
    "\\",
    "\"",
    "^",
    "$",
    "‧",
    "\u{fffd}",
    ":",
    "https://",
    "http://",
    "www.",
    "acme",
    ".com",
    "x-acme.com",
    "€",
    "EUR",
    " 450 EUR ",
    " 20k USD",
    "2026-03-06",
    "T12:30",
    "OPS-",
];

fn pieces(most: usize) -> impl Strategy<Value = String> {
    vec(select(PIECES), 1..most).prop_map(|pieces| pieces.concat())
}

/// A text as Datalog writes it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t");
    format!("\"{escaped}\"")
}

/// A text as a regular expression, with blanks for blanks as the reader of English writes them.
fn literally(text: &str) -> String {
    let escape = |letter: char| match letter {
        letter if letter.is_whitespace() => "\\s+".to_owned(),
        letter if letter.is_alphanumeric() || !letter.is_ascii() || letter == '<' => letter.to_string(),
        letter => format!("\\{letter}"),
    };
    text.chars().map(escape).collect()
}

/// Regular expressions around a text, and where it can be cut into two.
fn expressions(text: &str) -> Vec<String> {
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let [whole, front, back] = [text, &text[..middle], &text[middle..]].map(literally);
    vec![
        format!("(?is)^{whole}$"),
        format!("(?is)^{front}.*{back}$"),
        format!("(?is)^\\s*{whole}"),
        format!("(?is){whole}\\s*$"),
        format!("(?i)(^|[^\\p{{L}}0-9]){whole}s?([^\\p{{L}}0-9]|$)"),
        format!("(?i)(^|[^A-Za-z0-9_]){whole}([^A-Za-z0-9_]|$)"),
        format!("(^|[^A-Za-z0-9]){front}[0-9]+{back}([^A-Za-z0-9]|$)"),
        format!("(?i)^\\s*{whole}[0-9]+"),
        format!("^{whole}"),
        format!("{front}[ab]?{back}"),
        format!("({front}|{back}|x)$"),
        "\\s".to_owned(),
        "#[\\p{L}0-9_]".to_owned(),
    ]
}

/// Questions about a text.
fn questions(wanted: &str, number: u32) -> Vec<String> {
    let said = ["", "^", "$", "@"].map(|front| format!("says(X, {})", quoted(&format!("{front}{wanted}"))));
    let formed = expressions(wanted).into_iter().map(|pattern| format!("matches(X, {})", quoted(&pattern)));
    let kinds = [
        "mail address",
        "link",
        "link to acme",
        "link to acme.com",
        "phone number",
        "date",
        "file path",
        "amount of money",
    ];
    let kinds = kinds.map(|kind| format!("holds(X, \"{kind}\")"));
    let more = [
        format!("holds(X, \"amount of money above {number}\")"),
        "date_during(X, \"fri\")".to_owned(),
        "date_during(X, \"12:00-13:00\")".to_owned(),
        format!("contains(X, {})", quoted(wanted)),
        format!("X != {}", quoted(wanted)),
    ];
    said.into_iter().chain(formed).chain(kinds).chain(more).collect()
}

/// A text in which another may occur, as it is, in other letters, or next to others.
fn text_with(wanted: String) -> impl Strategy<Value = String> {
    let forms = vec![
        wanted.clone(),
        wanted.to_uppercase(),
        wanted.to_lowercase(),
        format!("{wanted}s"),
        wanted.replace(' ', "+"),
    ];
    let edge = || prop_oneof![2 => Just(String::new()), 3 => pieces(4)];
    let inner = prop_oneof![5 => select(forms), 1 => pieces(6)];
    (edge(), inner, edge(), any::<bool>()).prop_map(|(front, inner, back, twice)| {
        let again = if twice { inner.clone() } else { String::new() };
        [front, inner, again, back].concat()
    })
}

/// Questions about a text that are asked of it in each way: as a text and as an argument, and whether the opposite holds.
fn rules_about(questions: &[String]) -> Vec<String> {
    let facts = ["text(P, X), has_word(P, \"body\")", "argument(P, X), is_argument(P, \"body\")"];
    let bodies = questions.iter().flat_map(|question| {
        facts.map(|fact| [format!("{fact}, {question}"), format!("{fact}, not {question}")])
    });
    // A comparison has an opposite of its own.
    bodies.flatten().filter(|body| !body.contains("not X")).map(|body| rule_of("deny", &body)).collect()
}

#[test]
fn all_that_the_reader_of_english_asks_about_words_has_policies() {
    let asked = rules_about(&questions("Plum jam", 300));
    let fit = fitting(&asked);
    let others: Vec<&String> = asked.iter().filter(|rule| !fit.contains(rule)).collect();
    assert!(others.is_empty(), "{others:#?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_policy_finds_in_a_text_what_the_rule_finds(
        (text, questions) in (pieces(5), 0u32..30_000).prop_flat_map(|(wanted, number)| {
            let questions = questions(&wanted, number);
            (text_with(wanted), subsequence(questions, 6))
        }),
    ) {
        let rules = Rules::read(&fitting(&rules_about(&questions)));
        let arguments = json!({ "to": ["ann@acme.com"], "subject": "s", "body": text });
        let call = TrialCall { server: "gmail".into(), tool: "send_email".into(), arguments };
        let mut trial = Trial::new(&TOOLS, &GROUND, &rules.book);
        let [engine, cedar] = rules.asked(&mut trial, &call, friday());
        let differ: Vec<_> = engine.symmetric_difference(&cedar).collect();
        prop_assert!(differ.is_empty(), "{:?} of {:?}\n{:?}\n{}", differ, text, engine, rules.text());
    }
}
