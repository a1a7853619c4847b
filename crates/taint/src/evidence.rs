//! What was found in the texts of a call before its labels are asked for.

use crate::fingerprints::Match;

/// What the arguments of a call hold. Found by others (`portcullis_perceive::secrets`, [`Fingerprints::find`]), since
/// they know the texts.
///
/// [`Fingerprints::find`]: crate::Fingerprints::find
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'e> {
    /// The formats of the literal credentials, as `github-token`.
    pub credentials: &'e [&'e str],
    /// Text of tainted results that was found again.
    pub matches: &'e [Match],
}

impl Evidence<'_> {
    /// Nothing was found.
    pub fn none() -> Evidence<'static> {
        Evidence { credentials: &[], matches: &[] }
    }
}
