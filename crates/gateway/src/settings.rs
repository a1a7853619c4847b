//! What a gateway is told before it begins.

use jiff::SignedDuration;
use jiff::tz::TimeZone;
use portcullis_identity::state::{Cosmetic, Unverified};
use portcullis_invariant::Stated;
use portcullis_monitor::Protected;
use portcullis_perceive::layout::Layout;
use portcullis_seal::TrustRoots;

use crate::book::Wanted;

/// What a gateway is told before it begins.
#[derive(Clone)]
pub struct Settings {
    /// How the session lies.
    pub layout: Layout,
    /// The zone in which times of day are meant.
    pub zone: TimeZone,
    /// What guards the agent, and is out of its reach.
    pub protected: Protected,
    /// Rules stated in files, of the project and of the fleet. Those of the user come from the store.
    pub stated: Vec<Stated>,
    /// After how long without a sign a session counts as left.
    pub idle: SignedDuration,
    /// How long a call waits for an answer before it is refused.
    pub patience: SignedDuration,
    /// How long an answer to a question counts.
    pub question_life: SignedDuration,
    /// What happens to tools that nobody has approved.
    pub tools: ToolPolicy,
    /// Whose signatures of tools count, beside those that the store has on record.
    pub trusted: TrustRoots,
    /// Where key sets are asked for that are not known.
    pub wanted: Wanted,
    /// Whether the audit log keeps arguments as they are, and not as keyed hashes.
    pub keep_arguments: bool,
}

/// What happens to tools that are not as they were approved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ToolPolicy {
    /// To those that nobody approved.
    pub unverified: Unverified,
    /// To those of which only the spelling changed.
    pub cosmetic: Cosmetic,
}

impl Settings {
    /// The usual ones for a session that lies so.
    pub fn new(layout: Layout) -> Settings {
        Settings {
            layout,
            zone: TimeZone::system(),
            protected: Protected::default(),
            stated: Vec::new(),
            idle: SignedDuration::from_hours(12),
            // Hosts give up on a call after a minute.
            patience: SignedDuration::from_secs(50),
            question_life: SignedDuration::from_mins(30),
            tools: ToolPolicy::default(),
            trusted: TrustRoots::default(),
            wanted: Wanted::default(),
            keep_arguments: false,
        }
    }
}
