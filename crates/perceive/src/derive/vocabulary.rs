//! The words by which tools are understood, as data.

use std::sync::LazyLock;

use serde::Deserialize;

use super::manner::Manner;

static BUILT_IN: LazyLock<Result<Vocabulary, String>> = LazyLock::new(|| {
    toml::from_str(include_str!("../../data/derivation.toml")).map_err(|error| error.to_string())
});

/// Why the built-in words cannot be used; nothing if they can.
pub fn vocabulary_error() -> Option<&'static str> {
    BUILT_IN.as_ref().err().map(String::as_str)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Vocabulary {
    pub(super) verbs: Verbs,
    pub(super) names: Names,
    pub(super) arguments: Arguments,
    pub(super) ids: Ids,
    pub(super) queries: Queries,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queries {
    pub(super) write: Vec<String>,
    pub(super) del: Vec<String>,
    pub(super) exec: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Verbs {
    look: Words,
    list: Words,
    download: Words,
    change: Words,
    send: Words,
    upload: Words,
    share: Words,
    destroy: Words,
    #[serde(rename = "move")]
    relocate: Words,
    rename: Words,
    copy: Words,
    run: Words,
    start: Words,
    spawn: Words,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) plain: Words,
    pub(super) adverbs: Words,
    pub(super) methods: Words,
    pub(super) states: Words,
    pub(super) running: Words,
    pub(super) things: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) path: Words,
    pub(super) path_out: Words,
    pub(super) path_in: Words,
    pub(super) phone: Words,
    pub(super) url: Words,
    pub(super) hook: Words,
    pub(super) mail: Words,
    pub(super) mail_maybe: Words,
    pub(super) own: Words,
    pub(super) command: Words,
    pub(super) code: Words,
    pub(super) sql: Words,
    pub(super) sql_maybe: Words,
    pub(super) text: Words,
    pub(super) asking: Words,
    pub(super) language: Words,
    pub(super) action: Words,
    pub(super) public: Words,
    pub(super) gone: Words,
    pub(super) tool: Words,
    pub(super) inner: Words,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ids {
    pub(super) marks: Words,
    pub(super) never: Words,
    pub(super) seldom: Words,
    pub(super) organisation: Words,
    pub(super) project: Words,
    pub(super) holder: Words,
    pub(super) item: Words,
    pub(super) part: Words,
    pub(super) kinds: Words,
}

impl Vocabulary {
    pub(super) fn get() -> Option<&'static Vocabulary> {
        BUILT_IN.as_ref().ok()
    }

    /// What a verb in its base form means.
    pub(super) fn manner(&self, word: &str) -> Option<Manner> {
        let verbs = &self.verbs;
        let lists = [
            (&verbs.destroy, Manner::Destroy),
            (&verbs.spawn, Manner::Spawn),
            (&verbs.start, Manner::Start),
            (&verbs.run, Manner::Run),
            (&verbs.send, Manner::Send),
            (&verbs.share, Manner::Share),
            (&verbs.relocate, Manner::Move),
            (&verbs.rename, Manner::Rename),
            (&verbs.copy, Manner::Copy),
            (&verbs.upload, Manner::Upload),
            (&verbs.change, Manner::Change),
            (&verbs.download, Manner::Download),
            (&verbs.list, Manner::List),
            (&verbs.look, Manner::Look),
        ];
        lists.iter().find(|(words, _)| has(words, word)).map(|(_, manner)| *manner)
    }
}

/// A list of words, kept in order, so that one is found without looking at all of them.
#[derive(Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Words(Vec<String>);

impl From<Vec<String>> for Words {
    fn from(mut words: Vec<String>) -> Words {
        words.sort_unstable();
        Words(words)
    }
}

/// Whether a list has a word.
pub(super) fn has(list: &Words, word: &str) -> bool {
    list.0.binary_search_by(|one| one.as_str().cmp(word)).is_ok()
}

/// Whether a list has any of the words.
pub(super) fn has_any(list: &Words, words: &[String]) -> bool {
    words.iter().any(|word| has(list, word))
}
