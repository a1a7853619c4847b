//! The homes of others: "stay out of other people's home directories", "never read anything outside my home".

use crate::english::exact::Exact;
use crate::english::exact::told::turned::word;
use crate::english::exact::words::begins;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Place, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// Whose homes are meant, in front of them.
const THEIRS: &[&str] = &[
    "other people's",
    "others'",
    "other users'",
    "other user's",
    "anybody else's",
    "anyone else's",
    "somebody else's",
    "someone else's",
    "my colleagues'",
    "colleagues'",
    "the others'",
    "foreign",
    "other",
];

/// What they are called.
const HOMES: &[&str] = &[
    "home directories",
    "home directory",
    "home folders",
    "home folder",
    "homes",
    "home",
    "user directories",
    "user folders",
    "home dirs",
    "home dir",
    "accounts",
];

/// Whose they are, behind them.
const OF: &[&str] = &[
    "of other people",
    "of others",
    "of other users",
    "of the others",
    "of the other users",
    "of my colleagues",
    "of colleagues",
    "of anybody else",
    "of anyone else",
    "of the other people",
    "of other accounts",
    "of somebody else",
    "of the colleagues",
    "of the other members",
    "of other members",
    "that are not mine",
    "other than mine",
    "except mine",
    "but mine",
];

impl Exact<'_> {
    /// A rule about the homes of others, read as one about the folder of all homes.
    pub(in crate::english::exact) fn homes(&self, tokens: &[Token]) -> Option<Rules> {
        let home = self.hand.layout.home.trim_end_matches('/');
        let all = home.rsplit_once('/').map(|(all, _)| all).filter(|all| !all.is_empty())?;
        let (at, length) = (0..tokens.len()).find_map(|at| Some((at, named(tokens.get(at..)?)?)))?;
        let path = Token { text: format!("{all}/"), low: format!("{all}/"), shape: Shape::Path, at: 0 };
        let before = tokens.get(..at)?;
        let before = match before.split_last() {
            Some((last, rest)) if matches!(last.low.as_str(), "the" | "any" | "all") => rest,
            _ => before,
        };
        let mut plain: Vec<Token> = before.to_vec();
        plain.push(path);
        plain.extend(tokens.get(at + length..)?.iter().cloned());
        if before.is_empty() && tokens.len() == length {
            plain.insert(0, word("never"));
        }
        let mut rules = self.plainly(&plain)?;
        let mut has_all = false;
        for (_, case) in &mut rules {
            let own = case.tests.iter().find_map(|test| match test {
                Test::Place { side, places, inside: true }
                    if places.iter().any(|place| matches!(place, Place::Path(path) if path == all)) =>
                {
                    Some(Test::Place {
                        side: *side,
                        places: vec![Place::Path(home.to_owned())],
                        inside: false,
                    })
                }
                _ => None,
            });
            has_all |= own.is_some();
            case.tests.extend(own);
        }
        has_all.then_some(rules)
    }
}

/// How many words name the homes of others, at the beginning of these.
fn named(tokens: &[Token]) -> Option<usize> {
    let longest =
        |tokens: &[Token], phrases: &[&str]| phrases.iter().filter_map(|phrase| begins(tokens, phrase)).max();
    if let Some(front) = longest(tokens, THEIRS)
        && let Some(length) = longest(tokens.get(front..)?, HOMES)
    {
        return Some(front + length);
    }
    let length = longest(tokens, HOMES)?;
    Some(length + longest(tokens.get(length..)?, OF)?)
}
