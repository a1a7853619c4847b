//! Words that stand for places of the user, so that these need not be told to anybody.

use portcullis_perceive::layout::Layout;
use serde_json::Value;

/// How deep arguments may be.
const DEEPEST: usize = 32;

/// What `$workspace`, `$home` and `$internal` stand for; the workspace first, for it often lies in the home folder.
pub(crate) struct Places {
    known: [(&'static str, Option<String>); 3],
}

impl Places {
    pub(crate) fn of(layout: &Layout) -> Places {
        let folder = |path: &str| Some(path.trim_end_matches('/').to_owned()).filter(|path| !path.is_empty());
        Places {
            known: [
                ("$workspace", folder(&layout.workspace)),
                ("$home", folder(&layout.home)),
                ("$internal", layout.internal.first().cloned()),
            ],
        }
    }

    /// A text with the real places in it.
    pub(crate) fn text(&self, text: &str) -> Result<String, String> {
        let mut text = text.to_owned();
        for (word, place) in &self.known {
            if text.contains(word) {
                let place = place.as_deref().ok_or_else(|| format!("`{word}` stands for nothing here"))?;
                text = text.replace(word, place);
            }
        }
        Ok(text)
    }

    /// A text in which no real place is left.
    pub(crate) fn hidden(&self, text: &str) -> String {
        let real = self.known.iter().filter_map(|(word, place)| place.as_deref().map(|place| (word, place)));
        real.fold(text.to_owned(), |text, (word, place)| text.replace(place, word))
    }

    /// Every text of arguments with the real places in it.
    pub(crate) fn put(&self, value: &mut Value) -> Result<(), String> {
        self.put_below(value, DEEPEST)
    }

    fn put_below(&self, value: &mut Value, depth: usize) -> Result<(), String> {
        let depth = depth.checked_sub(1).ok_or("the arguments are too deep")?;
        match value {
            Value::String(text) => *text = self.text(text)?,
            Value::Array(items) => items.iter_mut().try_for_each(|item| self.put_below(item, depth))?,
            Value::Object(entries) => {
                entries.values_mut().try_for_each(|inner| self.put_below(inner, depth))?;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
        Ok(())
    }
}
