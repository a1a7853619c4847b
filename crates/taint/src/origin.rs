//! Where a label came from: the first cause is kept however far the data travels, so that a prompt can name it.

use std::sync::Arc;

use portcullis_lattice::words;
use serde::{Deserialize, Serialize};

/// How many origins a label remembers. Of more, those that came first are kept, for they explain the rest.
pub const MOST_ORIGINS: usize = 4;
/// Names are kept to explain; of a longer one the beginning does.
const LONGEST_NAME: usize = 1024;

/// Why something carries a label.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// The name says that the place holds secrets, or the user marked it.
    Place,
    /// The arguments of a call held a credential of this format.
    Argument(Arc<str>),
    /// The result of a call held a credential of this format.
    Result(Arc<str>),
    /// Code ran there, and what it did was not seen.
    Ran,
    /// Text of a tainted result was found again in the arguments.
    Content,
}

/// What first brought a label, and when it arrived where it is now.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The step in which it left its source.
    pub step: u64,
    /// The source's name.
    pub name: Arc<str>,
    /// Why the source counts.
    pub cause: Cause,
    /// The step in which it came to the place whose label this is. Equal to `step` if it came straight.
    pub arrived: u64,
}

impl Origin {
    /// A label that begins in this step.
    pub fn new(step: u64, name: &str, cause: Cause) -> Origin {
        Origin { step, name: shortened(name), cause, arrived: step }
    }

    /// The origin in words, as in "because of …": `~/.aws/credentials, read in step 3`. What lies in `home` is shown
    /// with `~`.
    pub fn words(&self, home: Option<&str>) -> String {
        let (name, step) = (home_shown(&self.name, home), self.step);
        let cause = match &self.cause {
            Cause::Place => format!("{name}, read in step {step}"),
            Cause::Argument(format) => {
                format!("a credential ({}) in the arguments of step {step}", words::shown(format))
            }
            Cause::Result(format) => {
                format!("a credential ({}) in what {name} gave in step {step}", words::shown(format))
            }
            Cause::Ran => format!("code run in step {step} from {name}"),
            Cause::Content => format!("text of {name}, read in step {step}"),
        };
        match self.arrived {
            arrived if arrived == step => cause,
            arrived => format!("{cause} (here since step {arrived})"),
        }
    }

    /// One source counts once, however often it was read.
    fn is_same_source(&self, other: &Origin) -> bool {
        self.name == other.name && self.cause == other.cause
    }
}

/// A name made safe to show, with `~` for the home folder.
pub(crate) fn home_shown(name: &str, home: Option<&str>) -> String {
    let inside = home.filter(|home| home.len() > 1).and_then(|home| name.strip_prefix(home));
    match inside {
        Some("") => "~".to_owned(),
        Some(rest) if rest.starts_with('/') => format!("~{}", words::shown(rest)),
        _ => words::shown(if name == crate::name::CONTEXT { "the conversation" } else { name }),
    }
}

fn shortened(name: &str) -> Arc<str> {
    if name.len() <= LONGEST_NAME {
        return name.into();
    }
    format!("{}…", name.get(..name.floor_char_boundary(LONGEST_NAME)).unwrap_or_default()).into()
}

/// The first few origins of a label, and how many more there are at least.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origins {
    kept: Vec<Origin>,
    more: u32,
}

impl Origins {
    /// One origin.
    pub fn only(origin: Origin) -> Origins {
        Origins { kept: vec![origin], more: 0 }
    }

    /// The origins that are kept, the earliest first.
    pub fn iter(&self) -> impl Iterator<Item = &Origin> {
        self.kept.iter()
    }

    /// How many others there are at least. Those are not kept, so one that comes twice is not known again.
    pub fn more(&self) -> u32 {
        self.more
    }

    /// Adds the origins of another label.
    pub fn join(&mut self, other: &Origins) {
        for origin in &other.kept {
            self.add(origin.clone());
        }
        self.kept.sort();
        let surplus = self.kept.len().saturating_sub(MOST_ORIGINS);
        self.kept.truncate(MOST_ORIGINS);
        self.more = self.more.max(other.more).max(u32::try_from(surplus).unwrap_or(u32::MAX));
    }

    fn add(&mut self, origin: Origin) {
        match self.kept.iter_mut().find(|kept| kept.is_same_source(&origin)) {
            Some(kept) => {
                if (origin.step, origin.arrived) < (kept.step, kept.arrived) {
                    *kept = origin;
                }
            }
            None => self.kept.push(origin),
        }
    }

    /// The same origins, arrived elsewhere.
    pub(crate) fn arriving(&self, step: u64) -> Origins {
        let kept = self.kept.iter().map(|origin| Origin { arrived: step, ..origin.clone() });
        Origins { kept: kept.collect(), more: self.more }
    }

    /// Whether this is what [`Origins::join`] could have made: for what comes from outside.
    pub(crate) fn is_sound(&self) -> bool {
        !self.kept.is_empty()
            && self.kept.len() <= MOST_ORIGINS
            && self.kept.is_sorted()
            && self.kept.iter().all(|origin| origin.name.len() <= LONGEST_NAME + '…'.len_utf8())
    }
}
