//! What the host brings: the predicates it fills with facts, and the filters it can decide.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use crate::builtin;
use crate::facts::Chain;
use crate::limits::{LONGEST_NAME, MOST_ARGUMENTS, MOST_PREDICATES};
use crate::syntax;
use crate::value::{Constant, Kind, Truth, Value};

/// A filter made ready for one place in a program. It is given the values of all arguments, constants too, and never
/// asked about [`Value::Unknown`].
pub type Test = Box<dyn Fn(&[Value<'_>]) -> Truth + Send + Sync>;

/// The same, as several plans of a rule hold it.
pub(crate) type Prepared = Arc<dyn Fn(&[Value<'_>]) -> Truth + Send + Sync>;

/// Makes a filter ready: for each argument the constant that stands there, or `None` for a variable.
type Prepare = Arc<dyn Fn(&[Option<&Constant>]) -> Result<Test, String> + Send + Sync>;

/// A predicate of the host, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredicateId(pub(crate) u16);

/// The words that rules may use without deriving them.
#[derive(Clone)]
pub struct Schema {
    predicates: Vec<Predicate>,
    /// What the facts of a call begin with, of each predicate: made once and copied for each call.
    chains: Vec<Chain>,
    filters: Vec<Filter>,
    words: BTreeMap<Box<str>, Word>,
}

/// What a word of the schema is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Predicate(PredicateId),
    Filter(usize),
}

/// Facts of this form may come from the host.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) name: Box<str>,
    pub(crate) columns: Box<[Kind]>,
    pub(crate) meaning: Box<str>,
}

/// A question about values that are already known.
#[derive(Clone)]
pub(crate) struct Filter {
    pub(crate) columns: Box<[Kind]>,
    pub(crate) meaning: Box<str>,
    pub(crate) prepare: Prepare,
    /// Whether its tests are given the variables only, which spares copying constants that they know already.
    pub(crate) is_own: bool,
}

/// Why a word was not taken into a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Rules could not name it.
    #[error("`{0}` is no name of a predicate: a lower-case letter, then letters, digits and `_`")]
    Name(String),
    /// It is there already, or it is a goal.
    #[error("`{0}` is taken")]
    Taken(String),
    /// Too many columns or predicates.
    #[error("`{0}` is more than a schema holds")]
    TooMuch(String),
}

impl Schema {
    /// A schema with nothing but the filters of the engine: `starts_with`, `ends_with`, `contains`, `glob`,
    /// `matches`.
    pub fn new() -> Schema {
        let mut schema = Schema {
            predicates: Vec::new(),
            chains: Vec::new(),
            filters: Vec::new(),
            words: BTreeMap::new(),
        };
        for (name, meaning, prepare) in builtin::FILTERS {
            // The names are good and different, so none is refused; a test asks for each.
            let _ = schema.filter(name, &[Kind::Text, Kind::Text], meaning, *prepare);
        }
        schema.filters.iter_mut().for_each(|filter| filter.is_own = true);
        schema
    }

    /// Facts of the host: their name, their columns, and in a line what they say.
    pub fn predicate(
        &mut self,
        name: &str,
        columns: &[Kind],
        meaning: &str,
    ) -> Result<PredicateId, SchemaError> {
        let id = u16::try_from(self.predicates.len()).ok().filter(|id| usize::from(*id) < MOST_PREDICATES);
        let id = PredicateId(id.ok_or_else(|| SchemaError::TooMuch(name.to_owned()))?);
        self.word(name, columns, Word::Predicate(id))?;
        let predicate = Predicate { name: name.into(), columns: columns.into(), meaning: meaning.into() };
        self.predicates.push(predicate);
        self.chains.push(Chain::new(columns));
        Ok(id)
    }

    /// A question that the host answers, all arguments being known. `prepare` is called once for each place in a
    /// program, with the constants that stand there; its error is told to the author of the rule.
    pub fn filter(
        &mut self,
        name: &str,
        columns: &[Kind],
        meaning: &str,
        prepare: impl Fn(&[Option<&Constant>]) -> Result<Test, String> + Send + Sync + 'static,
    ) -> Result<(), SchemaError> {
        self.word(name, columns, Word::Filter(self.filters.len()))?;
        let filter = Filter {
            columns: columns.into(),
            meaning: meaning.into(),
            prepare: Arc::new(prepare),
            is_own: false,
        };
        self.filters.push(filter);
        Ok(())
    }

    fn word(&mut self, name: &str, columns: &[Kind], word: Word) -> Result<(), SchemaError> {
        if !syntax::is_predicate_name(name) || name.len() > LONGEST_NAME {
            return Err(SchemaError::Name(name.to_owned()));
        }
        if crate::answer::Goal::named(name).is_some() || self.words.contains_key(name) {
            return Err(SchemaError::Taken(name.to_owned()));
        }
        if columns.len() > MOST_ARGUMENTS {
            return Err(SchemaError::TooMuch(name.to_owned()));
        }
        self.words.insert(name.into(), word);
        Ok(())
    }

    /// The number of a predicate of the host.
    pub fn id(&self, name: &str) -> Option<PredicateId> {
        match self.words.get(name)? {
            Word::Predicate(id) => Some(*id),
            Word::Filter(_) => None,
        }
    }

    /// All words that rules may use without deriving them, by name: their columns, and in a line what they say.
    pub fn words(&self) -> impl Iterator<Item = (&str, &[Kind], &str)> {
        self.words.iter().map(|(name, word)| (&**name, self.columns(*word), self.meaning(*word)))
    }

    pub(crate) fn find(&self, name: &str) -> Option<Word> {
        self.words.get(name).copied()
    }

    pub(crate) fn columns(&self, word: Word) -> &[Kind] {
        match word {
            Word::Predicate(PredicateId(id)) => {
                self.predicates.get(usize::from(id)).map_or(&[], |predicate| &predicate.columns)
            }
            Word::Filter(id) => self.filters.get(id).map_or(&[], |filter| &filter.columns),
        }
    }

    pub(crate) fn meaning(&self, word: Word) -> &str {
        match word {
            Word::Predicate(PredicateId(id)) => {
                self.predicates.get(usize::from(id)).map_or("", |predicate| &predicate.meaning)
            }
            Word::Filter(id) => self.filters.get(id).map_or("", |filter| &filter.meaning),
        }
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.words.keys().map(|name| &**name)
    }

    pub(crate) fn chains(&self) -> &[Chain] {
        &self.chains
    }

    pub(crate) fn predicates(&self) -> &[Predicate] {
        &self.predicates
    }

    /// Whether a filter is one of the engine's.
    pub(crate) fn is_own(&self, filter: usize) -> bool {
        self.filters.get(filter).is_some_and(|filter| filter.is_own)
    }

    pub(crate) fn prepare(&self, filter: usize, constants: &[Option<&Constant>]) -> Result<Test, String> {
        let filter = self.filters.get(filter).ok_or("there is no such filter")?;
        (filter.prepare)(constants)
    }
}

impl Default for Schema {
    fn default() -> Schema {
        Schema::new()
    }
}

impl Debug for Schema {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.words.keys()).finish()
    }
}
