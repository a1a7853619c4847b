//! What is done: acts by their everyday names, kinds of files, programs, branches, addresses.

pub(super) mod acts;
pub(super) mod addresses;
pub(super) mod branches;
pub(super) mod homes;
pub(super) mod kinds;
pub(super) mod programs;
pub(super) mod shell;
