//! What stays where it is: data that must not get somewhere, files that are put in one place only.

pub(super) mod bounds;
pub(super) mod carried;
pub(super) mod into;
pub(super) mod leaving;
