//! Rules and scopes as text: what is written is read back, and what is wrong is pointed at.

use jiff::ToSpan;
use portcullis_lattice::{
    Action, Binding, Lifetime, Network, ParseError, Pattern, Rule, Ruleset, Scope, Topology,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::generators::{any_scope, config, now, rule};

/// Letters that mean something to the language, cannot be seen, or move what is seen.
const LETTERS: [char; 24] = [
    'a', 'b', 'é', '語', ' ', '"', ',', '#', '\\', '\n', '\t', '\r', '\u{7}', '\u{85}', '\u{a0}', '\u{200b}',
    '\u{202e}', '\u{2028}', '\u{feff}', '*', '=', '@', '~', '{',
];

fn word() -> impl Strategy<Value = String> {
    let odd = vec(select(&LETTERS[..]), 1..6).prop_map(String::from_iter);
    let keywords =
        vec!["known", "because", "once", "by", "to", "within", "session", "intnet", "ctxt", "always"];
    prop_oneof![3 => odd, 1 => select(keywords).prop_map(String::from)]
}

/// Scopes with names that are hard to write.
fn odd_scope() -> impl Strategy<Value = Scope> {
    let network = select(vec![None, Some(Network::Internal), Some(Network::External)]);
    let names = (select(vec!["/", "/home/u/", "calendar:", "x+y.z-1:", "db:a/"]), word(), network);
    names.prop_map(|(start, word, network)| {
        let pattern = Pattern::literal(&format!("{start}{word}")).unwrap();
        let within = network.and_then(|network| Scope::within(pattern.clone(), network));
        within.unwrap_or(Scope::Named(pattern))
    })
}

fn odd_rule() -> impl Strategy<Value = Rule> {
    let lifetime = prop_oneof![
        Just(Lifetime::Always),
        word().prop_map(|name| Lifetime::Session(name.into())),
        any::<i32>().prop_map(|shift| Lifetime::Until(now() + i64::from(shift).microseconds())),
    ];
    let binding = prop_oneof![
        Just(Binding::Unbound),
        word().prop_map(|name| Binding::Known(name.into())),
        word().prop_map(|name| Binding::Own(name.into())),
    ];
    let words = (word(), prop_oneof![Just(String::new()), word()]);
    (rule(), odd_scope(), lifetime, binding, words).prop_map(
        |(rule, scope, lifetime, binding, (grantor, reason))| {
            let mut rule = Rule { lifetime, grantor: grantor.into(), reason: reason.into(), ..rule };
            rule.boundary.inputs.push(scope);
            if rule.action == Action::Allow {
                rule.binding = binding;
            }
            rule
        },
    )
}

/// What is said twice is kept once.
fn said_once(mut rule: Rule) -> Rule {
    for side in [&mut rule.boundary.inputs, &mut rule.boundary.outputs] {
        let mut kept: Vec<Scope> = Vec::new();
        side.retain(|scope| {
            !kept.contains(scope) && {
                kept.push(scope.clone());
                true
            }
        });
    }
    rule
}

fn is_hidden(letter: char) -> bool {
    letter.is_control() || "\u{200b}\u{202e}\u{2028}\u{feff}".contains(letter)
}

fn points_inside(error: &ParseError, text: &str) {
    assert_eq!(error.text, text);
    assert!(text.is_char_boundary(error.at), "{} is no place in {text:?}", error.at);
    assert!(
        (1..=text.chars().count() + 1).contains(&error.column()),
        "column {} of {text:?}",
        error.column()
    );
    assert!(!error.problem.is_empty() && !error.example.is_empty());
    assert_eq!(error.to_string().lines().count(), 4, "{error}");
    assert!(!error.to_string().replace('\n', "").contains(is_hidden), "{error:?}");
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn a_scope_is_read_back(scope in prop_oneof![any_scope(), odd_scope()]) {
        let text = scope.to_string();
        prop_assert_eq!(text.parse::<Scope>(), Ok(scope), "{}", text);
    }

    #[test]
    fn a_rule_is_read_back_from_one_line(rule in prop_oneof![rule(), odd_rule()]) {
        let rule = said_once(rule);
        let text = rule.to_string();
        prop_assert_eq!(text.lines().count(), 1, "{:?}", text);
        prop_assert_eq!(text.parse::<Rule>(), Ok(rule), "{}", text);
    }

    #[test]
    fn a_set_of_rules_is_read_back(rules in vec(prop_oneof![rule(), odd_rule()], 0..6)) {
        let mut set = Ruleset::new();
        for rule in rules {
            set.add(said_once(rule));
        }
        prop_assert_eq!(Ruleset::parse(&set.to_string()), Ok(set));
    }

    #[test]
    fn hidden_letters_are_written_out(rule in odd_rule()) {
        prop_assert!(!rule.to_string().contains(is_hidden), "{:?}", rule.to_string());
    }

    #[test]
    fn an_error_points_inside_the_text(
        rule in prop_oneof![rule(), odd_rule()],
        damage in vec((any::<Index>(), select(&LETTERS[..]), 0_usize..3), 1..4),
    ) {
        let mut letters: Vec<char> = rule.to_string().chars().collect();
        for (place, letter, how) in damage {
            let place = place.index(letters.len());
            match how {
                0 => letters.insert(place, letter),
                1 => letters[place] = letter,
                _ => letters.truncate(place.max(1)),
            }
        }
        let text = String::from_iter(letters);
        if let Err(error) = text.parse::<Rule>() {
            points_inside(&error, &text);
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in prop_oneof![any::<String>(), word()]) {
        if let Err(error) = text.parse::<Rule>() {
            points_inside(&error, &text);
        }
        match text.parse::<Scope>() {
            Ok(scope) => prop_assert_eq!(scope.to_string().parse::<Scope>(), Ok(scope)),
            Err(error) => points_inside(&error, &text),
        }
        if let Err(error) = Topology::new().add_internal(&text) {
            points_inside(&error, &text);
        }
        if let Err(error) = Pattern::parse(&text) {
            points_inside(&error, &text);
        }
    }

    #[test]
    fn one_bad_line_and_nothing_is_read(
        rules in vec(rule(), 1..6),
        place in any::<Index>(),
        empty in 0_usize..3,
    ) {
        let mut lines: Vec<String> = rules.iter().map(Rule::to_string).collect();
        let place = place.index(lines.len());
        lines.insert(place, "allow read from /home/u/../v to ctxt".into());
        let text = format!("{}{}", "\n# nothing\n".repeat(empty), lines.join("\n"));
        let error = Ruleset::parse(&text).unwrap_err();
        prop_assert_eq!(error.line, (2 * empty + place + 1) as u64);
        prop_assert_eq!(error.error.column(), 25);
        let expected = format!("line {}: `..` must be resolved", error.line);
        prop_assert!(error.to_string().starts_with(&expected), "{}", error);
    }
}

/// Each row: the column, a piece of the message, the line that is wrong.
const BAD_RULES: &str = include_str!("bad_rules.txt");

#[test]
fn what_is_wrong_is_named_at_its_column() {
    let rows: Vec<&str> = BAD_RULES.lines().filter(|row| !row.starts_with('#')).collect();
    assert!(rows.len() >= 40, "only {} rows", rows.len());
    for row in rows {
        let parts: Vec<&str> = row.splitn(3, " | ").collect();
        let [column, fragment, line] = parts[..] else { panic!("no row: {row}") };
        match line.parse::<Rule>() {
            Ok(rule) => panic!("`{line}` was read as `{rule}`"),
            Err(error) => {
                points_inside(&error, line);
                let found = (error.column().to_string(), error.problem.contains(fragment));
                assert_eq!(found, (column.to_string(), true), "`{line}`: {error}");
            }
        }
    }
}
