//! Data followed from the places that rules speak of: "nothing from the hr folder may leave the machine".

use std::borrow::Cow;

use portcullis_perceive::{Act, Use};
use portcullis_taint::{Carried, Labels, MOST_NAMES, Part, Snapshot, SnapshotError};
use serde::{Deserialize, Serialize};

use crate::facts::reached;
use crate::filters;
use crate::meaning::Place;
use crate::names;

/// Where data from each of the places has got to.
#[derive(Clone, Debug, Default)]
pub struct Trails {
    followed: Vec<Trail>,
    /// Trails of places that no rule in force speaks of, kept for one that will.
    others: Vec<(String, Labels)>,
}

/// A trail as the store keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTrail {
    name: String,
    files: Snapshot,
    rest: Snapshot,
}

#[derive(Clone, Debug)]
struct Trail {
    name: String,
    source: Place,
    /// The words of the place, joined, where it is known by words.
    wanted: String,
    labels: Labels,
}

impl Trails {
    /// Follows data from these places too. What was followed before goes on.
    pub fn add(&mut self, sources: &[(String, Place)]) {
        for (name, source) in sources {
            if !self.followed.iter().any(|trail| trail.name == *name) {
                let known = self.others.iter().position(|(known, _)| known == name);
                let labels = known.map_or_else(Labels::new, |at| self.others.remove(at).1);
                let (name, source, wanted) = (name.clone(), source.clone(), source.wanted());
                self.followed.push(Trail { name, source, wanted, labels });
            }
        }
    }

    /// The places whose data each act carries, by the names that rules have for them.
    pub fn carried(&self, step: u64, acts: &[Act], databases: &[String]) -> Vec<Vec<String>> {
        let names = |act: &Act| {
            // What is used is the same for all trails.
            let named = act.deed.inputs.iter().filter(|input| input.name != "ctxt");
            let used: Vec<(&Use, Cow<'_, str>)> = named.map(|input| (input, reached(input))).collect();
            let carrying = self.followed.iter().filter(|trail| trail.carries(step, act, &used, databases));
            carrying.map(|trail| trail.name.clone()).collect()
        };
        acts.iter().map(names).collect()
    }

    /// Takes note of acts that are made, and says whether they carried something on.
    pub fn observe(&mut self, step: u64, acts: &[Act], databases: &[String]) -> bool {
        let mut has_followed = false;
        for trail in &mut self.followed {
            for act in acts {
                let carried = trail.carried(step, act, databases);
                has_followed |= trail.labels.follow(step, act, &carried);
            }
        }
        has_followed
    }

    /// All of it, to be kept.
    pub fn save(&self) -> Vec<SavedTrail> {
        let followed = self.followed.iter().map(|trail| (&trail.name, &trail.labels));
        let others = self.others.iter().map(|(name, labels)| (name, labels));
        let saved = |(name, labels): (&String, &Labels)| SavedTrail {
            name: name.clone(),
            files: labels.snapshot(Part::Files),
            rest: labels.snapshot(Part::Session),
        };
        followed.chain(others).map(saved).collect()
    }

    /// Goes on from what was kept, for the rules in force and for others that may come. What was not kept begins anew.
    pub fn load(&mut self, saved: Vec<SavedTrail>) -> Result<(), SnapshotError> {
        let labels = |trail: SavedTrail| {
            Labels::restore(MOST_NAMES, &trail.files, &trail.rest).map(|labels| (trail.name, labels))
        };
        let mut kept = saved.into_iter().map(labels).collect::<Result<Vec<_>, _>>()?;
        for trail in &mut self.followed {
            let known = kept.iter().position(|(name, _)| *name == trail.name);
            trail.labels = known.map_or_else(Labels::new, |at| kept.remove(at).1);
        }
        self.others = kept;
        Ok(())
    }
}

impl Trail {
    /// Whether what is used is at the place, or reaches there.
    fn is_met(&self, used: &Use, name: &str, databases: &[String]) -> bool {
        // Whoever sees names has not seen what is in the things.
        if used.reach == portcullis_lattice::Reach::Names {
            return false;
        }
        let has = |name: &str| self.source.has(name, &self.wanted, databases);
        has(name) || used.details.iter().any(|detail| has(detail))
    }

    /// Whether an act carries something from the place. Before anything was, only what it uses itself can be there.
    fn carries(&self, step: u64, act: &Act, used: &[(&Use, Cow<'_, str>)], databases: &[String]) -> bool {
        match self.labels.is_empty() {
            true => used.iter().any(|(used, name)| self.is_met(used, name, databases)),
            false => !self.carried(step, act, databases).taint.is_empty(),
        }
    }

    fn carried(&self, step: u64, act: &Act, databases: &[String]) -> Carried {
        self.labels.followed(step, act, &|used| self.is_met(used, &reached(used), databases))
    }
}

impl Place {
    /// What names are compared with, where it is not the place as it is written.
    fn wanted(&self) -> String {
        if let Place::HostLike(like) = self {
            return like.to_lowercase();
        }
        let (Place::Folder(words) | Place::Word(words) | Place::Database(words)) = self else {
            return String::new();
        };
        names::joined(words)
    }

    /// Whether a name is there, or reaches there.
    fn has(&self, name: &str, wanted: &str, databases: &[String]) -> bool {
        // What may be below counts as being there.
        let perhaps = |holds: bool| filters::perhaps(holds, name).unwrap_or(true);
        let elsewhere = |holds: bool| filters::perhaps_elsewhere(holds, name).unwrap_or(true);
        match self {
            Place::Path(path) | Place::Page(path) => filters::touches(name, path),
            Place::Named(like) => filters::named(name, like).unwrap_or(true),
            Place::Within(path) => elsewhere(filters::has_path(name, path)),
            Place::Ending(end) => filters::named(name, &format!("*.{end}")).unwrap_or(true),
            Place::Folder(folder) => filters::in_folder(name, folder, wanted).unwrap_or(true),
            Place::Word(_) => perhaps(filters::has_word(name, wanted)),
            Place::Domain(domain) => elsewhere(filters::at_host(name, domain)),
            Place::HostLike(_) => elsewhere(filters::host_like(name, wanted)),
            Place::Address(address) => elsewhere(filters::is_address(name, address)),
            Place::Mailbox(mailbox) => filters::glob(name, &format!("mailto:{mailbox}@*")),
            Place::Id(id) | Place::Channel(id) => elsewhere(filters::has_id(name, id)),
            Place::Table(table) => elsewhere(filters::is_table(name, table)),
            Place::Database(database) => {
                databases.iter().any(|own| own.eq_ignore_ascii_case(database))
                    || perhaps(filters::has_word(name, wanted))
            }
            Place::Kind(kind) => {
                crate::facts::kind(name) == kind || (kind == "network" && !name.starts_with('/'))
            }
            Place::Network => !name.starts_with('/') && name != "ctxt",
            Place::Local => name.starts_with('/'),
            Place::PlainHttp => name.starts_with("http://"),
            Place::Hidden => filters::named(name, ".*").unwrap_or(true),
            Place::Internal | Place::External | Place::Public | Place::TopLevel => false,
            // No rule follows data by the form of a name; if one did, anything could be it.
            Place::Formed(_) => true,
        }
    }
}
