//! What things are called: forms of names, formats of files.

pub(super) mod filenames;
pub(super) mod formats;
pub(super) mod names;
pub(super) mod naming;
