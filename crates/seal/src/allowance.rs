//! For what a key or an issuer is trusted.

/// Names that are meant: each one exactly, or all that begin like it if it ends in `*`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Names(Vec<String>);

impl Names {
    /// All names.
    pub fn all() -> Names {
        Names(vec!["*".to_owned()])
    }

    /// These names. An empty list means none.
    pub fn of(names: impl IntoIterator<Item = impl Into<String>>) -> Names {
        Names(names.into_iter().map(Into::into).collect())
    }

    /// Whether a name is one of them.
    pub fn contain(&self, name: &str) -> bool {
        self.0.iter().any(|meant| match meant.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == meant,
        })
    }

    /// They as they are written.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}
