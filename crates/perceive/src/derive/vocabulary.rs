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
    look: Vec<String>,
    list: Vec<String>,
    download: Vec<String>,
    change: Vec<String>,
    send: Vec<String>,
    upload: Vec<String>,
    share: Vec<String>,
    destroy: Vec<String>,
    #[serde(rename = "move")]
    relocate: Vec<String>,
    rename: Vec<String>,
    copy: Vec<String>,
    run: Vec<String>,
    start: Vec<String>,
    spawn: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Names {
    pub(super) plain: Vec<String>,
    pub(super) adverbs: Vec<String>,
    pub(super) methods: Vec<String>,
    pub(super) states: Vec<String>,
    pub(super) running: Vec<String>,
    pub(super) things: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    pub(super) path: Vec<String>,
    pub(super) path_out: Vec<String>,
    pub(super) path_in: Vec<String>,
    pub(super) phone: Vec<String>,
    pub(super) url: Vec<String>,
    pub(super) hook: Vec<String>,
    pub(super) mail: Vec<String>,
    pub(super) mail_maybe: Vec<String>,
    pub(super) own: Vec<String>,
    pub(super) command: Vec<String>,
    pub(super) code: Vec<String>,
    pub(super) sql: Vec<String>,
    pub(super) sql_maybe: Vec<String>,
    pub(super) text: Vec<String>,
    pub(super) asking: Vec<String>,
    pub(super) language: Vec<String>,
    pub(super) action: Vec<String>,
    pub(super) public: Vec<String>,
    pub(super) gone: Vec<String>,
    pub(super) tool: Vec<String>,
    pub(super) inner: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ids {
    pub(super) marks: Vec<String>,
    pub(super) never: Vec<String>,
    pub(super) seldom: Vec<String>,
    pub(super) organisation: Vec<String>,
    pub(super) project: Vec<String>,
    pub(super) holder: Vec<String>,
    pub(super) item: Vec<String>,
    pub(super) part: Vec<String>,
    pub(super) kinds: Vec<String>,
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

/// Whether a list has a word.
pub(super) fn has(list: &[String], word: &str) -> bool {
    list.iter().any(|one| one == word)
}

/// Whether a list has any of the words.
pub(super) fn has_any(list: &[String], words: &[String]) -> bool {
    words.iter().any(|word| has(list, word))
}
