//! The user's own keys to sign with: a file each, in a folder that nobody else may look into.

use std::fs::{self, DirBuilder, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use portcullis_seal::{Algorithm, KeyError, PrivateKey};
use portcullis_store::{RandomError, random};

/// What follows the name of a key in the name of its file.
const SUFFIX: &str = ".jwk";
/// No key is longer.
const LONGEST: u64 = 64 << 10;
/// So often bytes are drawn that are no key: once in four billion times.
const MOST_DRAWN: usize = 4;

/// The folder of the user's own keys.
pub(crate) struct OwnKeys {
    folder: PathBuf,
}

/// Why there is no such key.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OwnKeyError {
    #[error(
        "`{0}` is no name for a key: take 1 to 64 letters, digits, `-`, `_` and `.`, beginning with a letter or digit"
    )]
    Name(String),
    #[error(
        "you have no key `{name}`; make one with `portcullis keys new {name}`, or see `portcullis keys list`"
    )]
    Unknown { name: String },
    #[error("you have a key `{0}` already; it stays as it is, take another name")]
    Taken(String),
    #[error(
        "`{}` is open to others (mode {mode:o}); say `chmod {right}` to it, and make a new key if somebody may have read it",
        .path.display()
    )]
    TooOpen { path: PathBuf, mode: u32, right: &'static str },
    #[error("`{}` cannot be {deed}: {error}", .path.display())]
    File { path: PathBuf, deed: &'static str, error: io::Error },
    #[error("`{}` cannot be used: {error}", .path.display())]
    Key { path: PathBuf, error: KeyError },
    #[error(transparent)]
    Random(#[from] RandomError),
}

impl OwnKeys {
    /// Those in a folder, which need not be there yet.
    pub(crate) fn at(folder: PathBuf) -> OwnKeys {
        OwnKeys { folder }
    }

    /// Makes a key, and says where it is.
    pub(crate) fn create(
        &self,
        name: &str,
        algorithm: Algorithm,
    ) -> Result<(PrivateKey, PathBuf), OwnKeyError> {
        let path = self.path(name)?;
        let failed = |deed| {
            let path = path.clone();
            move |error| OwnKeyError::File { path, deed, error }
        };
        create_folder(&self.folder).map_err(failed("created"))?;
        self.check_folder()?;
        if path.symlink_metadata().is_ok() {
            return Err(OwnKeyError::Taken(name.to_owned()));
        }
        let unusable = |error| OwnKeyError::Key { path: path.clone(), error };
        let mut made = Err(KeyError::Point);
        for _ in 0..MOST_DRAWN {
            made = PrivateKey::from_random(algorithm, &random()?);
            if made.is_ok() {
                break;
            }
        }
        let key = made.map_err(unusable)?;
        let text = key.write().map_err(unusable)?;
        write_private(&path, text.reveal()).map_err(failed("written"))?;
        Ok((key, path))
    }

    /// A key by its name.
    pub(crate) fn read(&self, name: &str) -> Result<PrivateKey, OwnKeyError> {
        let path = self.path(name)?;
        let failed = |deed| {
            let path = path.clone();
            move |error| OwnKeyError::File { path, deed, error }
        };
        match self.folder.try_exists() {
            Ok(false) => return Err(OwnKeyError::Unknown { name: name.to_owned() }),
            Ok(true) | Err(_) => self.check_folder()?,
        }
        let file = match fs::File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(OwnKeyError::Unknown { name: name.to_owned() });
            }
            opened => opened.map_err(failed("opened"))?,
        };
        check(&path, &file.metadata().map_err(failed("looked at"))?, "600")?;
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).map_err(failed("read"))?;
        PrivateKey::read(&text).map_err(|error| OwnKeyError::Key { path, error })
    }

    /// The names of all keys, in order.
    pub(crate) fn names(&self) -> Result<Vec<String>, OwnKeyError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => {
                read.map_err(|error| OwnKeyError::File { path: self.folder.clone(), deed: "read", error })?
            }
        };
        let name = |entry: fs::DirEntry| entry.file_name().to_str()?.strip_suffix(SUFFIX).map(str::to_owned);
        let mut names: Vec<String> =
            entries.flatten().filter_map(name).filter(|name| is_name(name)).collect();
        names.sort();
        Ok(names)
    }

    fn path(&self, name: &str) -> Result<PathBuf, OwnKeyError> {
        match is_name(name) {
            true => Ok(self.folder.join(format!("{name}{SUFFIX}"))),
            false => Err(OwnKeyError::Name(name.to_owned())),
        }
    }

    fn check_folder(&self) -> Result<(), OwnKeyError> {
        let failed = |error| OwnKeyError::File { path: self.folder.clone(), deed: "looked at", error };
        check(&self.folder, &fs::metadata(&self.folder).map_err(failed)?, "700")
    }
}

fn is_name(name: &str) -> bool {
    name.len() <= 64
        && name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
}

/// Refuses what others than its owner may look into.
fn check(path: &Path, metadata: &Metadata, right: &'static str) -> Result<(), OwnKeyError> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::MetadataExt::mode(metadata) & 0o7777;
        if mode & 0o077 != 0 {
            return Err(OwnKeyError::TooOpen { path: path.to_owned(), mode, right });
        }
    }
    #[cfg(not(unix))]
    let _ = (path, metadata, right);
    Ok(())
}

fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Writes a new file that only its owner may read. One that is there already is an error.
pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    writeln!(file, "{text}")?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_kept_for_its_owner_alone_and_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let keys = OwnKeys::at(folder.path().join("state/keys"));
        assert!(keys.names().unwrap().is_empty());
        assert!(matches!(keys.read("mine"), Err(OwnKeyError::Unknown { .. })));
        for (name, algorithm) in [("mine", Algorithm::Ed25519), ("other.one", Algorithm::Es256)] {
            let (made, _) = keys.create(name, algorithm).unwrap();
            assert_eq!(keys.read(name).unwrap().public(), made.public());
            assert!(matches!(keys.create(name, algorithm), Err(OwnKeyError::Taken(_))));
            assert_eq!(keys.read(name).unwrap().public(), made.public());
        }
        assert_eq!(keys.names().unwrap(), ["mine", "other.one"]);
    }

    #[test]
    fn what_leads_elsewhere_is_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let keys = OwnKeys::at(folder.path().join("keys"));
        let long = "a".repeat(65);
        for name in ["", ".", "..", "../key", "a/b", ".hidden", "a b", "a\u{1b}", "-a", &long] {
            assert!(matches!(keys.create(name, Algorithm::Ed25519), Err(OwnKeyError::Name(_))), "{name}");
            assert!(matches!(keys.read(name), Err(OwnKeyError::Name(_))), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let keys = OwnKeys::at(folder.path().join("keys"));
        let (_, path) = keys.create("mine", Algorithm::Ed25519).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        assert_eq!((mode(&path), mode(&keys.folder)), (0o600, 0o700));
        let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        open(&path, 0o640);
        assert!(matches!(keys.read("mine"), Err(OwnKeyError::TooOpen { mode: 0o640, .. })));
        open(&path, 0o600);
        open(&keys.folder, 0o755);
        assert!(matches!(keys.read("mine"), Err(OwnKeyError::TooOpen { mode: 0o755, .. })));
        assert!(matches!(keys.create("next", Algorithm::Ed25519), Err(OwnKeyError::TooOpen { .. })));
    }
}
