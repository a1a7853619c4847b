//! Rules in the plainest words, as `stated.toml` lists them: a sentence that fits one of its forms word by word, with what
//! it names in the holes of the form, means what the table says.

mod form;
mod holes;
mod meant;

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Exact, words};
use crate::english::lexicon::base_marks;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Test, Verdict};
use form::Form;
use holes::Holes;

const STATED: &str = include_str!("../../../data/stated.toml");

type Rules = Vec<(Verdict, Case)>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Entry>,
}

/// One rule with the forms that it is told in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    says: Vec<String>,
    /// Sorts of tools, servers or words of tools, one of which must be at hand.
    #[serde(default)]
    tools: String,
    /// Whether somebody is asked instead.
    #[serde(default)]
    asks: bool,
    /// What is done: any of these, or what the hole `{act}` names.
    #[serde(default)]
    does: Vec<String>,
    /// What must hold besides.
    #[serde(default)]
    holds: Vec<String>,
    /// How often that may be, where it is counted.
    #[serde(default)]
    most: String,
}

struct Stated {
    forms: Vec<Form>,
    entry: Entry,
}

static BUILT_IN: LazyLock<Vec<Stated>> = LazyLock::new(|| built(STATED).unwrap_or_default());

fn built(text: &str) -> Result<Vec<Stated>, toml::de::Error> {
    let file: File = toml::from_str(text)?;
    let each = |entry: Entry| Stated { forms: entry.says.iter().map(|says| Form::of(says)).collect(), entry };
    Ok(file.rule.into_iter().map(each).collect())
}

impl Exact<'_> {
    /// What a clause states that is put in the plainest words, perhaps with a time at its end.
    pub(crate) fn stated_plainly(&self, tokens: &[Token]) -> Option<Rules> {
        let tokens = match tokens.split_last() {
            Some((last, rest)) if matches!(last.shape, Shape::Mark('.' | '!' | ';')) => rest,
            _ => tokens,
        };
        let tokens = words::core(tokens);
        if tokens.len() < 2 || tokens.len() > 24 {
            return None;
        }
        self.stated_whole(tokens).or_else(|| {
            let (span, at) = (2..tokens.len()).find_map(|at| {
                let rest = tokens.get(at..)?;
                let (span, length) = crate::english::when::read(rest, self.year)?;
                (length == rest.len()).then_some((span, at))
            })?;
            let mut rules = self.stated_whole(tokens.get(..at)?)?;
            let time = Test::Time { spans: vec![span], is: true, of_event: false };
            rules.iter_mut().for_each(|(_, case)| case.tests.push(time.clone()));
            Some(rules)
        })
    }

    fn stated_whole(&self, tokens: &[Token]) -> Option<Rules> {
        let mut all = Rules::new();
        let said = base_marks(tokens);
        for stated in BUILT_IN.iter() {
            let mut forms = stated.forms.iter().filter(|form| form.may_fit(said)).peekable();
            if forms.peek().is_none() || !self.has_tools(&stated.entry.tools) {
                continue;
            }
            if let Some(holes) = forms.find_map(|form| form.fit(tokens, self, Holes::default())) {
                let new = self.meant(&stated.entry, &holes)?;
                all.extend(new.into_iter().filter(|rule| !all.contains(rule)).collect::<Rules>());
            }
        }
        (!all.is_empty()).then_some(all)
    }

    fn has_tools(&self, tools: &str) -> bool {
        tools.is_empty()
            || tools
                .split(' ')
                .any(|word| self.hand.has_tool_word(word) || self.hand.has_server(word) || self.is_sort(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_of_the_table_can_be_read() {
        let rules = built(STATED).unwrap();
        for stated in &rules {
            assert!(!stated.forms.is_empty(), "{:?}", stated.entry.says);
            for held in &stated.entry.holds {
                assert!(meant::is_known(held), "{held}");
            }
        }
    }
}
