//! Profiles derived from definitions alone.

mod cases;
mod laws;
mod live;
mod shared;
mod traces;
