//! Forms of sentences that are understood, for those whose sentence was not.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::names;

const FORMS: &str = include_str!("../data/forms.toml");

/// Words that every sentence may have.
const COMMON: &[&str] = &[
    "a", "an", "the", "to", "in", "on", "of", "and", "or", "me", "i", "you", "it", "be", "is", "any",
    "anything",
];

/// A form of sentences.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// An example of it.
    pub text: String,
    /// What it is for.
    pub about: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    form: Vec<Form>,
}

static BUILT_IN: LazyLock<Vec<Form>> =
    LazyLock::new(|| toml::from_str::<File>(FORMS).map(|file| file.form).unwrap_or_default());

impl Form {
    /// All of them.
    pub fn all() -> &'static [Form] {
        &BUILT_IN
    }

    /// Those that share most words with a sentence; the first ones where none does.
    pub fn nearest(sentence: &str, count: usize) -> Vec<&'static Form> {
        let own = words(sentence);
        let mut forms: Vec<(usize, &Form)> = Form::all()
            .iter()
            .map(|form| {
                let shared = words(&form.text).intersection(&own).count() * 2;
                let besides = words(&form.about).intersection(&own).count();
                (shared + besides, form)
            })
            .collect();
        forms.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        forms.into_iter().map(|(_, form)| form).take(count).collect()
    }
}

fn words(text: &str) -> BTreeSet<String> {
    names::words(text).into_iter().filter(|word| !COMMON.contains(&word.as_str())).collect()
}

#[cfg(test)]
mod tests {
    use portcullis_perceive::layout::Layout;

    use super::*;
    use crate::{Stated, Toolbox};

    #[test]
    fn every_form_is_understood() {
        let mut tools = Toolbox::new().unwrap();
        tools.connect_all();
        let layout = Layout {
            workspace: "/home/u/p".into(),
            home: "/home/u".into(),
            internal: vec!["acme.com".into()],
            ..Layout::default()
        };
        let hand = tools.hand(&layout);
        assert!(Form::all().len() > 20, "the file is read");
        let unread: Vec<String> = Form::all()
            .iter()
            .filter_map(|form| {
                Stated::read(&form.text, &hand, 2026, 0).err().map(|error| format!("{}: {error}", form.text))
            })
            .collect();
        assert_eq!(unread, Vec::<String>::new());
    }

    #[test]
    fn the_nearest_form_shares_words() {
        let nearest = Form::nearest("thou shalt deploy not upon a friday", 2);
        assert_eq!(nearest[0].text, "Don't deploy on Fridays after 16:00.");
    }
}
