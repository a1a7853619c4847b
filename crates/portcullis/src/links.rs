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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_lead_on_and_everything_else_is_what_its_name_says() {
        let folder = std::env::temp_dir().join(format!("portcullis-links-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let link = folder.join("link");
        std::os::unix::fs::symlink("../elsewhere", &link).unwrap();
        let look = |path: &std::path::Path| Disk.look(path.to_str().unwrap());
        assert_eq!(look(&link), Found::Link("../elsewhere".into()));
        assert_eq!(look(&folder), Found::Plain);
        assert_eq!(look(&folder.join("absent/below")), Found::Plain);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
