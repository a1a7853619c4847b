//! What carries secrets (Γ): labels on resources and on the agent's context, where each came from, and text of a
//! labelled place found again in the arguments of a call.
//!
//! [`Labels::carried`] says what an act of a call carries, before anything is decided. [`Labels::permit`] adds what a
//! permitted call delivers, [`Labels::deleted`] forgets what a successful one destroyed. [`Fingerprints`] remember the
//! texts of tainted results as keyed hashes and find them again, through encodings too.
//!
//! ```
//! use portcullis_lattice::{Effect, Reach};
//! use portcullis_perceive::{Act, Deed, Use, sensitive::Places};
//! use portcullis_taint::{Evidence, Labels};
//!
//! let places = Places::built_in().unwrap();
//! let mut labels = Labels::new();
//! let act = |input: Use, output: Use, effect: Effect| Act {
//!     deed: Deed { inputs: vec![input], outputs: vec![output], effects: effect.into() },
//!     payload: false,
//! };
//!
//! let read = act(Use::new("/home/u/.aws/credentials", Reach::One), Use::context(), Effect::Read);
//! let carried = labels.carried(3, &read, &places, &Evidence::none());
//! labels.permit(3, &read, &carried);
//!
//! let mail = act(Use::context(), Use::new("mailto:ann@acme.com", Reach::One), Effect::Write);
//! let carried = labels.carried(4, &mail, &places, &Evidence::none());
//! assert_eq!(carried.words(Some("/home/u")), ["~/.aws/credentials, read in step 3"]);
//! ```
//!
//! The crate is pure: no files, sockets, environment, clock or randomness.

mod evidence;
mod fingerprints;
mod labels;
mod marks;
mod name;
mod origin;
mod pattern;
mod snapshot;

pub use evidence::Evidence;
pub use fingerprints::{
    Encoding, Fingerprints, FingerprintsError, FingerprintsSnapshot, Found, Key, Limits, Match,
};
pub use labels::{Labels, MOST_NAMES};
pub use marks::{Carried, Marks};
pub use origin::{Cause, MOST_ORIGINS, Origin, Origins};
pub use snapshot::{Part, Snapshot, SnapshotError};
