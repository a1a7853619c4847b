//! A file, or an address of the web: where a key set or a bundle is read.

use std::fmt;
use std::io::Read;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::redirect::Policy;
use url::{Host, Url};

/// The longest that is read: a bundle has at most four megabytes, written in base64.
const LONGEST: u64 = 8 << 20;
/// How long an address may take, from the first letter to the last.
const PATIENCE: Duration = Duration::from_secs(10);
const USER_AGENT: &str = concat!("portcullis/", env!("CARGO_PKG_VERSION"));

/// Where something is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// A file, by its whole path.
    File(PathBuf),
    /// An address.
    Address(Url),
}

/// Why nothing was read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaceError {
    #[error(
        "`{0}` is no address that can be used: it begins with `https://` and has no user in it; `http://` is for this machine alone"
    )]
    Address(String),
    #[error("cannot read `{}`: {error}", .path.display())]
    File { path: PathBuf, error: std::io::Error },
    #[error("`{0}` is longer than {LONGEST} bytes")]
    TooLong(String),
    #[error("`{0}` is no text")]
    NoText(String),
    #[error("`{place}` cannot be fetched: {why}")]
    Fetch { place: String, why: String },
    #[error("`{place}` answered with status {status}")]
    Status { place: String, status: u16 },
}

impl Place {
    /// A place as a person writes it. A path counts from the current folder.
    pub(crate) fn new(text: &str) -> Result<Place, PlaceError> {
        if text.contains("://") {
            return Place::address(text).map(Place::Address);
        }
        let file = std::path::absolute(text);
        Ok(Place::File(file.map_err(|error| PlaceError::File { path: text.into(), error })?))
    }

    /// As it is said to people and kept in logs: a query may be a secret.
    pub(crate) fn told(&self) -> String {
        match self {
            Place::File(path) => path.display().to_string(),
            Place::Address(url) => told(url.as_str()),
        }
    }

    /// An address that can be used.
    pub(crate) fn address(text: &str) -> Result<Url, PlaceError> {
        let wrong = || PlaceError::Address(told(text));
        let url = Url::parse(text).map_err(|_| wrong())?;
        let has_user = !url.username().is_empty() || url.password().is_some();
        match url.scheme() {
            _ if has_user => Err(wrong()),
            "https" => Ok(url),
            "http" if is_here(&url) => Ok(url),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::File(path) => path.display().fmt(formatter),
            Place::Address(url) => url.fmt(formatter),
        }
    }
}

/// An address without what may be a secret in it: its user and its query. Files stay as they are.
pub(crate) fn told(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else { return address.to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
    let host = host.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// What stands there.
pub(crate) fn read(place: &Place) -> Result<String, PlaceError> {
    match place {
        Place::File(path) => read_file(path),
        Place::Address(url) => {
            let failed = |why: String| PlaceError::Fetch { place: told(url.as_str()), why };
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.map_err(|error| failed(error.to_string()))?;
            let fetched = runtime.block_on(async { tokio::time::timeout(PATIENCE, fetch(url)).await });
            fetched.unwrap_or_else(|_| Err(failed(format!("it took longer than {} s", PATIENCE.as_secs()))))
        }
    }
}

fn read_file(path: &Path) -> Result<String, PlaceError> {
    let failed = |error| PlaceError::File { path: path.to_owned(), error };
    let mut bytes = Vec::new();
    open_file(path).and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes)).map_err(failed)?;
    text(bytes, &path.display().to_string())
}

/// Opens a regular file and nothing else: a pipe would keep whoever reads it waiting.
fn open_file(path: &Path) -> std::io::Result<std::fs::File> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let waiting = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
        options.custom_flags(waiting);
    }
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "this is no regular file"));
    }
    Ok(file)
}

/// Nothing is followed, and nothing is sent along: whoever answers is the one that was named.
async fn fetch(url: &Url) -> Result<String, PlaceError> {
    let failed = |error: reqwest::Error| PlaceError::Fetch {
        place: told(url.as_str()),
        why: innermost(&error.without_url()),
    };
    let mut client =
        reqwest::Client::builder().user_agent(USER_AGENT).redirect(Policy::none()).referer(false);
    if is_here(url) {
        client = client.no_proxy();
    }
    if url.scheme() == "http" {
        // Without TLS the system's certificates are not needed, and there may be none.
        client = client.tls_certs_only([]);
    }
    let client = client.build().map_err(failed)?;
    let mut response = client.get(url.clone()).send().await.map_err(failed)?;
    if response.status() != reqwest::StatusCode::OK {
        return Err(PlaceError::Status { place: told(url.as_str()), status: response.status().as_u16() });
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > LONGEST {
            return Err(PlaceError::TooLong(told(url.as_str())));
        }
    }
    text(bytes, &told(url.as_str()))
}

fn text(bytes: Vec<u8>, place: &str) -> Result<String, PlaceError> {
    if bytes.len() as u64 > LONGEST {
        return Err(PlaceError::TooLong(place.to_owned()));
    }
    String::from_utf8(bytes).map_err(|_| PlaceError::NoText(place.to_owned()))
}

/// The innermost cause of an error, which says most.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::answering::{answering, answering_with};
    use super::*;

    #[test]
    fn an_address_is_encrypted_or_of_this_machine() {
        for good in
            ["https://id.example/keys", "http://127.0.0.1:8080/k", "http://localhost/k", "http://[::1]:1/k"]
        {
            assert!(matches!(Place::new(good), Ok(Place::Address(_))), "{good}");
        }
        for bad in [
            "http://id.example/keys",
            "http://127.0.0.1.example/",
            "ftp://a.example",
            "https://u:p@a.example",
            "https://",
        ] {
            assert!(matches!(Place::new(bad), Err(PlaceError::Address(_))), "{bad}");
        }
        assert!(matches!(Place::new("team.jws"), Ok(Place::File(path)) if path.is_absolute()));
    }

    #[test]
    fn what_is_told_of_an_address_has_no_secret() {
        for (address, expected) in [
            ("https://a.example/k?token=s#f", "https://a.example/k"),
            ("https://a.example?token=s/x", "https://a.example"),
            ("https://u:s@a.example/k@1", "https://a.example/k@1"),
            ("/home/u/what?.jws", "/home/u/what?.jws"),
        ] {
            assert_eq!(told(address), expected);
        }
        // Nobody listens there.
        let place = Place::new("http://127.0.0.1:9/keys?token=s-ecret").unwrap();
        let error = read(&place).unwrap_err().to_string();
        assert!(error.starts_with("`http://127.0.0.1:9/keys` cannot be fetched"), "{error}");
        assert!(!error.contains("s-ecret"), "{error}");
        let error = Place::new("ftp://u:s-ecret@a.example/?k=s-ecret").unwrap_err().to_string();
        assert!(error.contains("`ftp://a.example/`") && !error.contains("s-ecret"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn nobody_waits_for_a_pipe() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [pipe, folder.path().to_owned(), "/dev/zero".into()] {
            let error = read(&Place::File(path)).unwrap_err().to_string();
            assert!(error.ends_with("this is no regular file"), "{error}");
        }
    }

    #[test]
    fn a_redirect_is_not_followed_and_too_much_is_not_read() {
        let elsewhere = b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n";
        let place = Place::new(&answering_with(elsewhere.to_vec(), || {})).unwrap();
        let error = read(&place).unwrap_err();
        assert!(matches!(error, PlaceError::Status { status: 302, .. }), "{error}");
        let long = " ".repeat(usize::try_from(LONGEST).unwrap() + 1);
        let error = read(&Place::new(&answering(&long, || {})).unwrap()).unwrap_err();
        assert!(matches!(error, PlaceError::TooLong(_)), "{error}");
    }
}
