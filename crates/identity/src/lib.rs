//! Which tool this is.
pub mod definition;
pub mod difference;
mod hash;
pub mod suspicion;
pub use hash::{ContentHash, HashError};
