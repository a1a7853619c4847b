//! Values: of arguments, of fields that have names of their own, of columns and tables.

pub(super) mod columns;
pub(super) mod entries;
pub(super) mod grants;
pub(super) mod pairs;
pub(super) mod parameter;
pub(super) mod predicate;
pub(super) mod properties;
pub(super) mod tables;
pub(super) mod tickets;
pub(super) mod whose;
