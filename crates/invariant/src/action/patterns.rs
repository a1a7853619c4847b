//! Regular expressions that show an action, built when a rule first asks for it.

use std::sync::OnceLock;

use regex::Regex;

use super::Action;

/// What a regular expression is tried on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Matter {
    /// A command line.
    Line,
    /// The address of a page.
    Url,
    /// A text that is written.
    Text,
    /// SQL without what stands in quotes.
    Sql,
}

/// The regular expressions of an action.
pub(crate) struct Patterns {
    sources: Vec<(Matter, String)>,
    unwanted: Vec<String>,
    built: OnceLock<Option<Built>>,
}

struct Built {
    wanted: Vec<(Matter, Regex)>,
    unwanted: Vec<Regex>,
}

impl Patterns {
    /// Whether an action has any.
    pub(super) fn has(action: &Action) -> bool {
        [&action.lines, &action.urls, &action.texts, &action.sql].iter().any(|list| !list.is_empty())
    }

    pub(super) fn of(action: &Action) -> Patterns {
        let lists = [
            (Matter::Line, &action.lines),
            (Matter::Url, &action.urls),
            (Matter::Text, &action.texts),
            (Matter::Sql, &action.sql),
        ];
        let sources =
            lists.into_iter().flat_map(|(matter, list)| list.iter().map(move |text| (matter, text.clone())));
        Patterns { sources: sources.collect(), unwanted: action.sql_not.clone(), built: OnceLock::new() }
    }

    /// Whether there are some for this.
    pub(crate) fn has_any(&self, matter: Matter) -> bool {
        self.sources.iter().any(|(own, _)| *own == matter)
    }

    /// Whether a text shows the action. A table that cannot be read shows whatever it may.
    pub(crate) fn fit(&self, matter: Matter, text: &str) -> bool {
        if !self.has_any(matter) {
            return false;
        }
        let Some(built) = self.built.get_or_init(|| self.build()) else { return true };
        built.wanted.iter().any(|(own, regex)| *own == matter && regex.is_match(text))
            && (matter != Matter::Sql || !built.unwanted.iter().any(|regex| regex.is_match(text)))
    }

    fn build(&self) -> Option<Built> {
        let wanted: Result<Vec<_>, _> = self
            .sources
            .iter()
            .map(|(matter, text)| Regex::new(text).map(|regex| (*matter, regex)))
            .collect();
        let unwanted: Result<Vec<_>, _> = self.unwanted.iter().map(|text| Regex::new(text)).collect();
        Some(Built { wanted: wanted.ok()?, unwanted: unwanted.ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Actions;

    #[test]
    fn every_pattern_of_the_table_can_be_built_and_every_act_is_said_back() {
        let actions = Actions::built_in().unwrap();
        for (action, shown) in (0..actions.len()).filter_map(|number| actions.shown(number)) {
            if let Some(patterns) = &shown.patterns {
                assert!(patterns.build().is_some(), "{}", action.name);
            }
            assert!(!action.is_exact || !action.told.is_empty(), "{} is not said back", action.name);
        }
    }
}
