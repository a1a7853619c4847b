//! The tools that are known, and how people name them.

use jiff::Timestamp;
use portcullis_gateway::{Reviewed, ReviewedTool, review};
use portcullis_lattice::words::shown;
use portcullis_seal::TrustRoots;
use portcullis_store::{Pin, Store};

use crate::failure::Failure;
use crate::gate::GateError;

/// How to come to see tools.
pub(super) const NOTHING_SEEN: &str = "no server has listed its tools yet: put `portcullis run --` in front of a server's command and start it \
     once, for example by starting your host (`portcullis run --help` shows how)";

/// All tools that are known.
pub(super) struct Known {
    /// By server.
    pub(super) servers: Vec<Reviewed>,
    /// The version of what is approved that this rests on.
    pub(super) policy: u64,
}

/// A tool that was named.
#[derive(Clone, Copy)]
pub(super) enum Found<'k> {
    /// Its server lists it.
    Listed(&'k Reviewed, &'k ReviewedTool),
    /// Its server does not list it any more.
    Gone(&'k Reviewed, &'k Pin),
}

impl Known {
    pub(super) fn read(store: &dyn Store, now: Timestamp) -> Result<Known, Failure> {
        // Before anything else is read, so that what is read is as new as this says, or newer.
        let policy = store.policy_version()?;
        Ok(Known { servers: review(store, &TrustRoots::default(), now)?, policy })
    }

    /// The tool that a text names: `SERVER.TOOL`, or `TOOL` where only one server has it.
    pub(super) fn tool(&self, text: &str) -> Result<Found<'_>, Failure> {
        let all: Vec<Found<'_>> = self.all().collect();
        let exactly = all.iter().find(|found| found.full_name() == text);
        let called: Vec<&Found<'_>> = all.iter().filter(|found| found.name() == text).collect();
        match (exactly, called.as_slice()) {
            (Some(found), _) => Ok(*found),
            (None, [found]) => Ok(**found),
            (None, []) => Err(self.unknown(text, &all)),
            (None, several) => {
                let names: Vec<String> =
                    several.iter().map(|found| format!("`{}`", shown(&found.full_name()))).collect();
                let told =
                    format!("several servers have a tool `{}`; say which: {}", shown(text), names.join(", "));
                Err(GateError::Said(told).into())
            }
        }
    }

    /// The server that a text names.
    pub(super) fn server(&self, text: &str) -> Result<&Reviewed, Failure> {
        let found = self.servers.iter().find(|reviewed| reviewed.server == text);
        found.ok_or_else(|| {
            if self.servers.is_empty() {
                return GateError::Said(NOTHING_SEEN.to_owned()).into();
            }
            let names: Vec<String> =
                self.servers.iter().map(|reviewed| format!("`{}`", shown(&reviewed.server))).collect();
            let told =
                format!("no server `{}` has listed tools; known are {}", shown(text), names.join(", "));
            GateError::Said(told).into()
        })
    }

    fn all(&self) -> impl Iterator<Item = Found<'_>> {
        self.servers.iter().flat_map(|reviewed| {
            let listed = reviewed.tools.iter().map(move |tool| Found::Listed(reviewed, tool));
            listed.chain(reviewed.gone.iter().map(move |pin| Found::Gone(reviewed, pin)))
        })
    }

    fn unknown(&self, text: &str, all: &[Found<'_>]) -> Failure {
        if all.is_empty() {
            return GateError::Said(NOTHING_SEEN.to_owned()).into();
        }
        let near = |found: &&Found<'_>| {
            strsim::jaro_winkler(text, &found.full_name()).max(strsim::jaro_winkler(text, found.name()))
        };
        let nearest = all.iter().max_by(|one, other| near(one).total_cmp(&near(other)));
        let meant = nearest.filter(|found| near(found) > 0.85);
        let meant = meant
            .map_or_else(String::new, |found| format!("; did you mean `{}`?", shown(&found.full_name())));
        let told = format!("no tool `{}` is known; see `portcullis tools list`{meant}", shown(text));
        GateError::Said(told).into()
    }
}

impl<'k> Found<'k> {
    pub(super) fn server(self) -> &'k Reviewed {
        match self {
            Found::Listed(reviewed, _) | Found::Gone(reviewed, _) => reviewed,
        }
    }

    /// The tool's name at its server.
    pub(super) fn name(&self) -> &'k str {
        match self {
            Found::Listed(_, tool) => &tool.judged.name,
            Found::Gone(_, pin) => &pin.key.tool,
        }
    }

    /// The name that no other tool has.
    pub(super) fn full_name(&self) -> String {
        format!("{}.{}", self.server().server, self.name())
    }

    /// What was approved, or that it was blocked.
    pub(super) fn pin(self) -> Option<&'k Pin> {
        match self {
            Found::Listed(_, tool) => tool.pin.as_ref(),
            Found::Gone(_, pin) => Some(pin),
        }
    }
}
