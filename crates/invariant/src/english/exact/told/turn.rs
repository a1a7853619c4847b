//! Forms of sentences with holes in them: a clause fits one as a whole, and what the holes catch is put more plainly.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::english::token::{Shape, Token};
use crate::names::marks;

const TURNS: &str = include_str!("../../../../data/turns.toml");

/// What a hole may catch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::english::exact) enum Hole {
    /// A thing, or something that is done.
    X,
    /// Another one.
    Y,
    /// Somebody else than the agent.
    Who,
    /// A verb, in whatever form.
    Verb,
    /// A verb that says what somebody does with it.
    Done,
    /// Things in a row.
    List,
    When,
    /// Whatever follows.
    Rule,
    /// Words that only lead to a rule.
    Label,
    /// "nothing else", "no other host".
    Else,
    /// What is allowed beside it.
    Fine,
    /// Where to or how, behind a verb.
    Tail,
    /// A program, perhaps with a word behind it, or a tool.
    Tool,
}

#[derive(Clone, Debug)]
enum Item {
    Words { any: Vec<String>, may_miss: bool },
    Hole(Hole),
}

impl Item {
    /// The words of which one must be there.
    fn needed(&self) -> Option<&[String]> {
        match self {
            Item::Words { any, may_miss: false } => Some(any),
            Item::Words { .. } | Item::Hole(_) => None,
        }
    }
}

/// A form, and the plain sentence that stands for it.
#[derive(Debug)]
pub(in crate::english::exact) struct Turn {
    form: Vec<Item>,
    /// The bits of the words that it needs: of each of these, one must be there.
    needs: Vec<u64>,
    pub(in crate::english::exact) plain: Vec<String>,
}

/// What the holes of a form caught.
pub(in crate::english::exact) type Caught<'t> = BTreeMap<Hole, &'t [Token]>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    turn: Vec<TurnForm>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnForm {
    plain: String,
    forms: Vec<String>,
}

static BUILT_IN: LazyLock<Vec<Turn>> = LazyLock::new(|| read(TURNS).unwrap_or_default());

/// The forms of this crate.
pub(in crate::english::exact) fn turns() -> &'static [Turn] {
    &BUILT_IN
}

fn read(text: &str) -> Result<Vec<Turn>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut turns = Vec::new();
    for turn in file.turn {
        let plain = pieces(&turn.plain);
        for form in &turn.forms {
            let form: Result<Vec<Item>, String> = form.split_whitespace().map(item).collect();
            let form = form?;
            let needs = form.iter().filter_map(Item::needed).map(|any| marks(any.iter().map(String::as_str)));
            turns.push(Turn { needs: needs.collect(), form, plain: plain.clone() });
        }
    }
    Ok(turns)
}

/// The pieces of a plain sentence: words, and what stands in braces.
fn pieces(plain: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = plain;
    while let Some(open) = rest.find('{') {
        let (before, behind) = rest.split_at(open);
        pieces.extend(before.split_whitespace().map(str::to_owned));
        let close = behind.find('}').map_or(behind.len(), |close| close + 1);
        let (hole, after) = behind.split_at(close);
        pieces.push(hole.to_owned());
        rest = after;
    }
    pieces.extend(rest.split_whitespace().map(str::to_owned));
    pieces
}

fn item(text: &str) -> Result<Item, String> {
    if let Some(name) = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        return hole(name).map(Item::Hole).ok_or_else(|| format!("no hole is called `{name}`"));
    }
    let (words, may_miss) = match text.strip_suffix('?') {
        Some(words) => (words, true),
        None => (text, false),
    };
    Ok(Item::Words { any: words.split('|').map(str::to_owned).collect(), may_miss })
}

pub(in crate::english::exact) fn hole(name: &str) -> Option<Hole> {
    Some(match name {
        "x" => Hole::X,
        "y" => Hole::Y,
        "who" => Hole::Who,
        "verb" => Hole::Verb,
        "done" => Hole::Done,
        "list" => Hole::List,
        "when" => Hole::When,
        "rule" => Hole::Rule,
        "label" => Hole::Label,
        "else" => Hole::Else,
        "fine" => Hole::Fine,
        "tool" => Hole::Tool,
        "tail" => Hole::Tail,
        _ => return None,
    })
}

impl Turn {
    /// What the holes catch, if the words, whose bits are given, fit the form as a whole and each catch may be one.
    pub(in crate::english::exact) fn fits<'t>(
        &self,
        tokens: &'t [Token],
        said: u64,
        may_be: &dyn Fn(Hole, &[Token]) -> bool,
    ) -> Option<Caught<'t>> {
        if self.needs.iter().any(|need| need & said == 0) {
            return None;
        }
        let has = |words: &[String]| {
            tokens.iter().any(|token| words.contains(&token.low) && token.shape != Shape::Quoted)
        };
        let is_near = self.form.iter().filter_map(Item::needed).all(has);
        if !is_near {
            return None;
        }
        let mut caught = Caught::new();
        fit(&self.form, tokens, may_be, &mut caught).then_some(caught)
    }
}

fn fit<'t>(
    form: &[Item],
    tokens: &'t [Token],
    may_be: &dyn Fn(Hole, &[Token]) -> bool,
    caught: &mut Caught<'t>,
) -> bool {
    let Some((first, rest)) = form.split_first() else { return tokens.is_empty() };
    match first {
        Item::Words { any, may_miss } => {
            let fits =
                tokens.first().is_some_and(|token| any.contains(&token.low) && token.shape != Shape::Quoted);
            let after = tokens.get(1..).unwrap_or_default();
            (fits && fit(rest, after, may_be, caught)) || (*may_miss && fit(rest, tokens, may_be, caught))
        }
        Item::Hole(hole) => (1..=tokens.len()).any(|end| {
            let (Some(catch), Some(after)) = (tokens.get(..end), tokens.get(end..)) else { return false };
            if !may_be(*hole, catch) || !fit(rest, after, may_be, caught) {
                return false;
            }
            caught.insert(*hole, catch);
            true
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_can_be_read() {
        let turns = read(TURNS).unwrap();
        assert!(turns.len() > 100, "{}", turns.len());
        let holes = turns.iter().flat_map(|turn| &turn.plain).filter(|piece| piece.starts_with('{'));
        for piece in holes {
            let names = piece.trim_matches(['{', '}']).split(' ');
            let is_known = |name: &str| matches!(name, "no" | "ask" | "by" | "free") || hole(name).is_some();
            assert!(names.clone().all(is_known), "{piece}");
        }
    }
}
