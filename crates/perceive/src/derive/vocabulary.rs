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

/// Verbs in their base form with what they mean, by their length.
#[derive(Deserialize)]
#[serde(from = "VerbLists")]
pub(super) struct Verbs(Vec<Vec<(String, Manner)>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VerbLists {
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
    pub(super) plain: Words,
    pub(super) adverbs: Words,
    pub(super) methods: Words,
    pub(super) states: Words,
    pub(super) running: Words,
    pub(super) lasting: Words,
    pub(super) questions: Words,
    pub(super) browsers: Words,
    pub(super) things: Vec<String>,
    pub(super) deeds: Vec<String>,
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
    pub(super) told: Words,
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
        let shelf = self.verbs.0.get(word.len())?;
        shelf.iter().find(|(verb, _)| verb == word).map(|(_, manner)| *manner)
    }
}

impl From<VerbLists> for Verbs {
    /// A verb in several lists means the worst of them, which comes first here.
    fn from(verbs: VerbLists) -> Verbs {
        let lists = [
            (verbs.destroy, Manner::Destroy),
            (verbs.spawn, Manner::Spawn),
            (verbs.start, Manner::Start),
            (verbs.run, Manner::Run),
            (verbs.send, Manner::Send),
            (verbs.share, Manner::Share),
            (verbs.relocate, Manner::Move),
            (verbs.rename, Manner::Rename),
            (verbs.copy, Manner::Copy),
            (verbs.upload, Manner::Upload),
            (verbs.change, Manner::Change),
            (verbs.download, Manner::Download),
            (verbs.list, Manner::List),
            (verbs.look, Manner::Look),
        ];
        let verbs =
            lists.into_iter().flat_map(|(words, manner)| words.into_iter().map(move |word| (word, manner)));
        Verbs(shelved(verbs, |(word, _)| word.len()))
    }
}

/// Words by their length, so that nearly all others are passed over without a look at their letters.
fn shelved<T>(words: impl Iterator<Item = T>, length: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let mut shelves = Vec::new();
    for word in words {
        let at = length(&word);
        if shelves.len() <= at {
            shelves.resize_with(at + 1, Vec::new);
        }
        if let Some(shelf) = shelves.get_mut(at) {
            shelf.push(word);
        }
    }
    shelves
}

/// A list of words, by their length.
#[derive(Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Words(Vec<Vec<String>>);

impl From<Vec<String>> for Words {
    fn from(words: Vec<String>) -> Words {
        Words(shelved(words.into_iter(), String::len))
    }
}

/// Whether a list has a word.
pub(super) fn has(list: &Words, word: &str) -> bool {
    list.0.get(word.len()).is_some_and(|shelf| shelf.iter().any(|one| one == word))
}

/// Whether a list has any of the words.
pub(super) fn has_any(list: &Words, words: &[String]) -> bool {
    words.iter().any(|word| has(list, word))
}
