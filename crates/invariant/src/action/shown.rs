//! How an action shows on a call, taken apart once and not for each call.

use super::{Action, Patterns};
use crate::names;

/// How an action shows on a call.
pub(crate) struct Shown {
    /// Whether anything but deeds shows it.
    pub(crate) is_shown: bool,
    /// Whether nothing but names of tools and commands shows it.
    pub(crate) is_named_only: bool,
    /// Sets of words of a tool's name.
    pub(crate) tools: Vec<WordSet>,
    /// The bits of all these words: without any of them no set is there.
    pub(crate) tool_marks: u64,
    /// Words of tools that settings, given arguments and texts count for; all tools where there are none.
    pub(crate) among: Vec<WordSet>,
    /// The bits of words that say that it is not this.
    pub(crate) not_marks: u64,
    pub(crate) commands: Vec<CommandForm>,
    /// The bits of all programs of its commands.
    pub(crate) programs: u64,
    pub(crate) settings: Vec<Setting>,
    pub(crate) patterns: Option<Patterns>,
}

/// Words that have to be there together.
pub(crate) struct WordSet {
    marks: u64,
    words: Vec<String>,
}

/// A command by its program and the words behind it.
pub(crate) struct CommandForm {
    /// The programs; none where it is any.
    pub(crate) programs: Option<Vec<String>>,
    /// Their bits; all where it is any.
    pub(crate) marks: u64,
    pub(crate) parts: Vec<Part>,
}

/// What stands behind a program.
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) form: PartForm,
    /// What it may be.
    pub(crate) names: Vec<String>,
}

/// Where a part stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartForm {
    /// The very next word, or an option in its place.
    Next,
    /// An option, anywhere.
    Option,
    /// Any word with a plus in front.
    Plus,
    /// Any word.
    Any,
    /// One of the next words.
    Word,
}

/// An argument with its value: `merge method=squash|rebase`.
pub(crate) struct Setting {
    /// The name as words.
    pub(crate) name: String,
    pub(crate) value: SettingValue,
}

/// What a setting has to be.
pub(crate) enum SettingValue {
    /// Left out, where the tool knows it.
    LeftOut,
    /// Given.
    Given,
    /// Something else than these.
    Besides(Vec<String>),
    /// A date without a time.
    Date,
    /// One of these.
    Among(Vec<String>),
}

/// The words of a joined text, with their bits.
#[derive(Clone, Copy)]
pub(crate) struct Words<'w> {
    pub(crate) joined: &'w str,
    pub(crate) marks: u64,
}

impl<'w> Words<'w> {
    pub(crate) fn of(joined: &'w str) -> Words<'w> {
        Words { joined, marks: names::marks(names::split(joined)) }
    }

    pub(crate) fn has(self, word: &str) -> bool {
        names::split(self.joined).any(|own| own == word)
    }
}

impl WordSet {
    fn of(set: &str) -> WordSet {
        let words: Vec<String> = set.split(' ').map(str::to_owned).collect();
        WordSet { marks: names::marks(words.iter().map(String::as_str)), words }
    }

    /// Whether all of its words are among others.
    pub(crate) fn is_in(&self, words: Words<'_>) -> bool {
        self.marks & !words.marks == 0 && self.words.iter().all(|word| words.has(word))
    }
}

impl Shown {
    pub(super) fn of(action: &Action) -> Shown {
        let sets = |sets: &[String]| sets.iter().map(|set| WordSet::of(set)).collect();
        let commands: Vec<CommandForm> = action.commands.iter().map(|form| CommandForm::of(form)).collect();
        let tools: Vec<WordSet> = sets(&action.tools);
        let by_value = action.is_marked()
            || !action.methods.is_empty()
            || !action.given.is_empty()
            || !action.given_true.is_empty()
            || !action.choices.is_empty()
            || !action.statements.is_empty()
            || !action.elements.is_empty();
        let by_flow = action.engines
            || action.fetches
            || action.uploads
            || action.renames
            || action.grows
            || action.endings
            || action.relocates
            || action.piped
            || [&action.effect, &action.sends, &action.writes].iter().any(|kind| !kind.is_empty());
        Shown {
            is_named_only: !by_value && !by_flow,
            tool_marks: tools.iter().fold(0, |all, set| all | set.marks),
            is_shown: action.deed.is_empty() || !action.tools.is_empty() || !action.commands.is_empty(),
            tools,
            among: sets(&action.among),
            not_marks: names::marks(action.not_words.iter().map(String::as_str)),
            programs: commands.iter().fold(0, |all, form| all | form.marks),
            settings: action.settings.iter().filter_map(|setting| Setting::of(setting)).collect(),
            patterns: Patterns::has(action).then(|| Patterns::of(action)),
            commands,
        }
    }
}

impl CommandForm {
    fn of(form: &str) -> CommandForm {
        let mut parts = form.split(' ');
        let programs = parts.next().unwrap_or_default();
        let programs: Option<Vec<String>> =
            (programs != "*").then(|| programs.split('|').map(str::to_owned).collect());
        let marks = programs.as_ref().map_or(u64::MAX, |all| names::marks(all.iter().map(String::as_str)));
        CommandForm { programs, marks, parts: parts.map(Part::of).collect() }
    }
}

impl Part {
    fn of(text: &str) -> Part {
        let form = match text {
            _ if text.starts_with('^') => PartForm::Next,
            _ if text.starts_with('-') => PartForm::Option,
            "+" => PartForm::Plus,
            "*" => PartForm::Any,
            _ => PartForm::Word,
        };
        let names = text.trim_start_matches('^').split('|').map(str::to_owned).collect();
        Part { text: text.to_owned(), form, names }
    }
}

impl Setting {
    fn of(setting: &str) -> Option<Setting> {
        let (name, values) = setting.split_once('=')?;
        let list = |values: &str| values.split('|').map(names::joined).collect();
        let value = match values.chars().next() {
            Some('?') => SettingValue::LeftOut,
            Some('*') => SettingValue::Given,
            Some('!') => SettingValue::Besides(list(values.trim_start_matches('!'))),
            _ if values == "date" => SettingValue::Date,
            _ => SettingValue::Among(list(values)),
        };
        Some(Setting { name: names::joined(name), value })
    }
}
