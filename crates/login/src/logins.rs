//! Logins as they are kept: a sealed file for each server, in a folder that nobody else may look into.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use portcullis_oauth::{KeptError, Login, ServerUrl};
use sha2::{Digest, Sha256};
use zeroize::Zeroizing;

use crate::sealed::{FileKey, KeySource, SealError, Sealer};

/// What follows the name of a login in the name of its file.
const SUFFIX: &str = ".login";
/// How long somebody else may hold a login: a renewal with all its questions.
const PATIENCE: Duration = Duration::from_secs(150);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(25);

/// The folder of logins.
#[derive(Debug)]
pub struct Logins {
    folder: PathBuf,
    sealer: Sealer,
}

/// Why a login cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum LoginsError {
    /// Others may look into it.
    #[error("`{}` is open to others (mode {mode:o}); say `chmod 700` to it", .path.display())]
    TooOpen {
        /// The folder.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// The system does not let us.
    #[error("`{}` cannot be {deed}: {error}", .path.display())]
    File {
        /// What.
        path: PathBuf,
        /// What was tried.
        deed: &'static str,
        /// Why not.
        error: io::Error,
    },
    /// It cannot be sealed or opened.
    #[error("the login in `{}`: {error}", .path.display())]
    Seal {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: SealError,
    },
    /// What is in it is no login.
    #[error("the login in `{}`: {error}", .path.display())]
    Kept {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: KeptError,
    },
    /// It is that of another server.
    #[error("the login in `{}` is that of another server; log in again", .0.display())]
    OtherServer(PathBuf),
    /// Somebody else holds it.
    #[error("another `portcullis` holds the login for {} seconds already; try again", PATIENCE.as_secs())]
    Held,
}

/// A login and where its key is, or what is wrong with it.
pub type Opened = Result<(Login, KeySource), LoginsError>;

/// Which state of a file was seen. Another state is another login.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    changed: SystemTime,
    length: u64,
    number: u64,
}

/// A login that nobody else changes meanwhile, in this process or another.
#[derive(Debug)]
pub struct Locked<'l> {
    logins: &'l Logins,
    server: ServerUrl,
    _lock: File,
}

impl Logins {
    /// Those in a folder, which need not be there yet.
    pub fn at(folder: PathBuf, key: FileKey) -> Logins {
        Logins { folder, sealer: Sealer::new(key) }
    }

    /// The login for a server.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self, server: &ServerUrl) -> Result<Option<Login>, LoginsError> {
        let name = name(server);
        let path = self.path(&name);
        let sealed = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => Zeroizing::new(read.map_err(failed(&path, "read"))?),
        };
        self.check_folder()?;
        let login = self.opened(&name, &sealed)?.0;
        match login.server() == server {
            true => Ok(Some(login)),
            false => Err(LoginsError::OtherServer(path)),
        }
    }

    /// All of them, each with what is wrong with it.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn all(&self) -> Result<Vec<Opened>, LoginsError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            read => read.map_err(failed(&self.folder, "read"))?,
        };
        self.check_folder()?;
        let name = |entry: fs::DirEntry| entry.file_name().to_str()?.strip_suffix(SUFFIX).map(str::to_owned);
        let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
        names.sort();
        let one = |name: String| {
            let path = self.path(&name);
            let sealed = Zeroizing::new(fs::read_to_string(&path).map_err(failed(&path, "read"))?);
            self.opened(&name, &sealed)
        };
        Ok(names.into_iter().map(one).collect())
    }

    /// In which state the file of a server is; none if there is none.
    pub fn state(&self, server: &ServerUrl) -> Option<Place> {
        let metadata = fs::metadata(self.path(&name(server))).ok()?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = 0;
        Some(Place { changed: metadata.modified().ok()?, length: metadata.len(), number })
    }

    /// Waits until nobody else changes the login for a server.
    ///
    /// # Errors
    /// If somebody else does so for too long, or nothing can be written here.
    pub async fn lock(&self, server: &ServerUrl) -> Result<Locked<'_>, LoginsError> {
        create_folder(&self.folder).map_err(failed(&self.folder, "created"))?;
        self.check_folder()?;
        let path = self.folder.join(format!("{}.lock", name(server)));
        let file = private().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(failed(&path, "opened"))?;
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Locked { logins: self, server: server.clone(), _lock: file }),
                Err(TryLockError::Error(error)) => {
                    return Err(LoginsError::File { path, deed: "locked", error });
                }
                Err(TryLockError::WouldBlock) if began.elapsed() > PATIENCE => return Err(LoginsError::Held),
                Err(TryLockError::WouldBlock) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    fn opened(&self, name: &str, sealed: &str) -> Opened {
        let path = self.path(name);
        let (text, source) = self
            .sealer
            .open(name, sealed)
            .map_err(|error| LoginsError::Seal { path: path.clone(), error })?;
        let login = Login::read(&text).map_err(|error| LoginsError::Kept { path, error })?;
        Ok((login, source))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{SUFFIX}"))
    }

    fn check_folder(&self) -> Result<(), LoginsError> {
        #[cfg(unix)]
        {
            let metadata = fs::metadata(&self.folder).map_err(failed(&self.folder, "looked at"))?;
            let mode = std::os::unix::fs::MetadataExt::mode(&metadata) & 0o7777;
            if mode & 0o077 != 0 {
                return Err(LoginsError::TooOpen { path: self.folder.clone(), mode });
            }
        }
        Ok(())
    }
}

impl Locked<'_> {
    /// The login as it is now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(&self) -> Result<Option<Login>, LoginsError> {
        self.logins.read(&self.server)
    }

    /// Where the key of a new login would be.
    ///
    /// # Errors
    /// If the keyring is there and gives none.
    pub fn source(&self) -> Result<KeySource, LoginsError> {
        let path = self.logins.path(&name(&self.server));
        self.logins.sealer.source().map_err(|error| LoginsError::Seal { path, error })
    }

    /// Keeps a login in place of the one before. After this it survives a loss of power.
    ///
    /// # Errors
    /// If it cannot be kept; then the one before stays.
    pub fn write(&self, login: &Login, source: KeySource) -> Result<(), LoginsError> {
        let name = name(&self.server);
        let path = self.logins.path(&name);
        if login.server() != &self.server {
            return Err(LoginsError::OtherServer(path));
        }
        let sealed = self
            .logins
            .sealer
            .seal(source, &name, login.write().reveal())
            .map_err(|error| LoginsError::Seal { path: path.clone(), error })?;
        replace(&path, &sealed).map_err(failed(&path, "written"))
    }

    /// Keeps a login with the key where the one before has it.
    ///
    /// # Errors
    /// The same.
    pub fn rewrite(&self, login: &Login) -> Result<(), LoginsError> {
        let name = name(&self.server);
        let path = self.logins.path(&name);
        let sealed = Zeroizing::new(fs::read_to_string(&path).map_err(failed(&path, "read"))?);
        let (_, source) = self.logins.opened(&name, &sealed)?;
        self.write(login, source)
    }

    /// Forgets the login, also one that cannot be read. Says whether there was one.
    ///
    /// # Errors
    /// If it stays.
    pub fn remove(&self) -> Result<bool, LoginsError> {
        let path = self.logins.path(&name(&self.server));
        match fs::remove_file(&path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(failed(&path, "removed")(error)),
        }
    }
}

/// The name of a server's login, which does not tell the server: its address may have a key in it.
fn name(server: &ServerUrl) -> String {
    let digest = Sha256::digest(server.url().as_str());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

fn failed(path: &Path, deed: &'static str) -> impl FnOnce(io::Error) -> LoginsError {
    let path = path.to_owned();
    move |error| LoginsError::File { path, deed, error }
}

fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// A file for its owner alone.
fn private() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Puts a text in place of a file at once: whoever reads meanwhile sees the old one or the new one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let fresh = path.with_extension("new");
    // Who holds the lock is alone; what lies here is left over.
    let _ = fs::remove_file(&fresh);
    let mut file = private().create_new(true).write(true).open(&fresh)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    drop(file);
    fs::rename(&fresh, path)?;
    match path.parent() {
        // Elsewhere a folder cannot be opened as a file.
        Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use jiff::Timestamp;
    use portcullis_oauth::{Client, Issuer, Near, Protected, Redirect, Scopes, Tokens};

    use super::*;

    fn login(server: &str, token: &str) -> Login {
        let text =
            format!("{{\"resource\":\"{server}\",\"authorization_servers\":[\"https://auth.example\"]}}");
        let server = ServerUrl::read(server).unwrap();
        let protected = Protected::read(text.as_bytes(), &server, server.url()).unwrap();
        let client = Client::registered(b"{\"client_id\":\"c\"}", Redirect { port: 1 }).unwrap();
        let body = format!("{{\"access_token\":\"{token}\",\"token_type\":\"Bearer\"}}");
        let tokens = Tokens::read(body.as_bytes(), Timestamp::UNIX_EPOCH).unwrap();
        let issuer = Issuer::read("https://auth.example", Near::Elsewhere).unwrap();
        Login::new(&server, &protected, &issuer, (client, Scopes::default()), tokens, Timestamp::UNIX_EPOCH)
    }

    fn logins(folder: &Path, key: u8) -> Logins {
        Logins::at(folder.join("logins"), Arc::new(move || Ok([key; 32])))
    }

    async fn keep(logins: &Logins, login: &Login) {
        logins.lock(login.server()).await.unwrap().write(login, KeySource::File).unwrap();
    }

    #[tokio::test]
    async fn a_login_is_kept_sealed_for_its_owner_and_its_server_alone() {
        let folder = tempfile::tempdir().unwrap();
        let logins = logins(folder.path(), 1);
        let (one, other) =
            (login("https://a.example/mcp", "t-secret-a"), login("https://b.example/mcp", "t-secret-b"));
        assert!(logins.read(one.server()).unwrap().is_none() && logins.all().unwrap().is_empty());
        keep(&logins, &one).await;
        keep(&logins, &other).await;
        let read = logins.read(one.server()).unwrap().unwrap();
        assert_eq!(read.access().unwrap().reveal(), "t-secret-a");
        assert_eq!(logins.all().unwrap().len(), 2);
        for entry in fs::read_dir(&logins.folder).unwrap() {
            let path = entry.unwrap().path();
            let held = String::from_utf8(fs::read(&path).unwrap()).unwrap();
            assert!(!held.contains("t-secret") && !held.contains("example"), "{held}");
            #[cfg(unix)]
            assert_eq!(std::os::unix::fs::MetadataExt::mode(&fs::metadata(&path).unwrap()) & 0o777, 0o600);
        }
        // Put in the other's place it is nobody's.
        let (from, to) = (logins.path(&name(one.server())), logins.path(&name(other.server())));
        fs::copy(from, to).unwrap();
        let error = logins.read(other.server()).unwrap_err();
        assert!(matches!(error, LoginsError::Seal { error: SealError::Broken, .. }), "{error}");
        // Nor is it written there.
        let locked = logins.lock(other.server()).await.unwrap();
        assert!(matches!(locked.write(&one, KeySource::File), Err(LoginsError::OtherServer(_))));
        // What cannot be read can still be forgotten.
        assert!(locked.remove().unwrap() && !locked.remove().unwrap());
        assert!(logins.read(other.server()).unwrap().is_none());
    }

    #[tokio::test]
    async fn another_key_opens_nothing_and_loses_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let login = login("https://a.example/mcp", "t-secret");
        keep(&logins(folder.path(), 1), &login).await;
        assert!(logins(folder.path(), 2).read(login.server()).is_err());
        assert!(logins(folder.path(), 1).read(login.server()).unwrap().is_some());
    }

    #[tokio::test]
    async fn who_waits_sees_what_the_one_before_wrote() {
        let folder = tempfile::tempdir().unwrap();
        let (mine, theirs) = (logins(folder.path(), 1), logins(folder.path(), 1));
        let (first, second) =
            (login("https://a.example/mcp", "t-first"), login("https://a.example/mcp", "t-second"));
        keep(&mine, &first).await;
        let before = mine.state(first.server());
        let locked = mine.lock(first.server()).await.unwrap();
        let waiting = async {
            let locked = theirs.lock(first.server()).await.unwrap();
            locked.read().unwrap().unwrap().access().unwrap().reveal().to_owned()
        };
        let writing = async {
            tokio::task::yield_now().await;
            locked.rewrite(&second).unwrap();
            drop(locked);
        };
        let (seen, ()) = tokio::join!(waiting, writing);
        assert_eq!(seen, "t-second");
        assert_ne!(mine.state(first.server()), before);
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_folder_that_others_may_look_into_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let logins = logins(folder.path(), 1);
        let login = login("https://a.example/mcp", "t-secret");
        keep(&logins, &login).await;
        fs::set_permissions(&logins.folder, fs::Permissions::from_mode(0o750)).unwrap();
        assert!(matches!(logins.read(login.server()), Err(LoginsError::TooOpen { mode: 0o750, .. })));
        assert!(matches!(logins.lock(login.server()).await, Err(LoginsError::TooOpen { .. })));
    }
}
