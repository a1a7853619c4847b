//! The links of this machine's disk, for perception: it asks, and does not look itself.

use std::io::ErrorKind;

use portcullis_perceive::paths::{Found, Resolver};

/// The disk of this machine.
pub(crate) struct Disk;

impl Resolver for Disk {
    fn look(&self, place: &str) -> Found {
        match std::fs::read_link(place) {
            // A target that is no text cannot be named, so that nobody knows where the path leads.
            Ok(target) => target.to_str().map_or(Found::Unseen, |target| Found::Link(target.to_owned())),
            // What is not there, and what is no link, is what its name says.
            Err(error) => {
                let plain = [ErrorKind::NotFound, ErrorKind::InvalidInput, ErrorKind::NotADirectory];
                if plain.contains(&error.kind()) { Found::Plain } else { Found::Unseen }
            }
        }
    }
}
