//! Fields of an object, read with errors that name them.

use portcullis_lattice::{Effect, Effects};
use serde_json::{Map, Value};

use super::Wrong;

/// An object, and where in the trace it is.
pub(super) struct Fields<'v> {
    path: String,
    entries: &'v Map<String, Value>,
}

impl<'v> Fields<'v> {
    pub(super) fn new(path: &str, value: &'v Value) -> Result<Fields<'v>, Wrong> {
        let entries = value.as_object().ok_or_else(|| {
            let field = if path.is_empty() { "-" } else { path };
            (field.to_owned(), "an object was expected".to_owned())
        })?;
        Ok(Fields { path: path.to_owned(), entries })
    }

    pub(super) fn wrong(&self, name: &str, problem: &str) -> Wrong {
        let dot = if self.path.is_empty() { "" } else { "." };
        (format!("{}{dot}{name}", self.path), problem.to_owned())
    }

    /// Whether a field is there and says something.
    pub(super) fn has(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|value| !value.is_null())
    }

    fn get(&self, name: &str) -> Option<&'v Value> {
        self.entries.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn object(&self, name: &str) -> Result<Fields<'v>, Wrong> {
        let value = self.get(name).ok_or_else(|| self.wrong(name, "is missing"))?;
        let (path, _) = self.wrong(name, "");
        Fields::new(&path, value)
    }

    pub(super) fn list(&self, name: &str) -> Result<&'v Vec<Value>, Wrong> {
        let value = self.get(name).ok_or_else(|| self.wrong(name, "is missing"))?;
        value.as_array().ok_or_else(|| self.wrong(name, "a list was expected"))
    }

    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, Wrong> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value
            .as_str()
            .map(|text| Some(text.to_owned()))
            .ok_or_else(|| self.wrong(name, "a text was expected"))
    }

    pub(super) fn text(&self, name: &str) -> Result<String, Wrong> {
        self.optional_text(name)?.ok_or_else(|| self.wrong(name, "is missing"))
    }

    /// A list of texts, one text, or nothing.
    pub(super) fn texts(&self, name: &str) -> Result<Vec<String>, Wrong> {
        let text = |value: &Value| {
            value.as_str().map(str::to_owned).ok_or_else(|| self.wrong(name, "texts were expected"))
        };
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(values)) => values.iter().map(text).collect(),
            Some(value) => Ok(vec![text(value)?]),
        }
    }

    pub(super) fn flag(&self, name: &str) -> Result<Option<bool>, Wrong> {
        let Some(value) = self.get(name) else { return Ok(None) };
        value.as_bool().map(Some).ok_or_else(|| self.wrong(name, "true or false was expected"))
    }

    pub(super) fn optional_count(&self, name: &str) -> Result<Option<usize>, Wrong> {
        let Some(value) = self.get(name) else { return Ok(None) };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        count.map(Some).ok_or_else(|| self.wrong(name, "a number was expected"))
    }

    /// One word of a closed list.
    pub(super) fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<T, Wrong> {
        let text = self.text(name)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        found.ok_or_else(|| self.wrong(name, &format!("`{text}` is none of {}", known())))
    }

    pub(super) fn effects(&self, name: &str) -> Result<Option<Effects>, Wrong> {
        if !self.has(name) {
            return Ok(None);
        }
        let words = self.texts(name)?;
        let effect = |word: &String| {
            Effect::from_name(word).ok_or_else(|| self.wrong(name, &format!("`{word}` is no effect")))
        };
        let effects: Effects = words.iter().map(effect).collect::<Result<Vec<_>, _>>()?.into_iter().collect();
        match effects.is_empty() {
            true => Err(self.wrong(name, "is empty")),
            false => Ok(Some(effects)),
        }
    }
}
