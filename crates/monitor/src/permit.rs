//! The permission to call a server, which only the monitor can give.

/// The permission to make one call.
///
/// It cannot be made outside of this crate, copied or kept: whoever calls a server takes it and uses it up.
///
/// ```compile_fail
/// let permit = portcullis_monitor::Permit { step: 1 };
/// ```
#[derive(Debug)]
#[must_use = "a permit that is not used is a call that was counted and never made"]
pub struct Permit {
    pub(crate) step: u64,
}

impl Permit {
    /// The number of the call in its session.
    pub fn step(&self) -> u64 {
        self.step
    }
}

/// Why no permit is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The verdict does not permit the call.
    #[error("the call is not permitted")]
    NotPermitted,
    /// Rules or session have changed since the verdict.
    #[error("the rules or the session changed since the call was decided; decide again")]
    Outdated,
}
