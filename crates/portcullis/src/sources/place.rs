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

    /// An address that can be used.
    pub(crate) fn address(text: &str) -> Result<Url, PlaceError> {
        let wrong = || PlaceError::Address(text.to_owned());
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
            let failed = |why: String| PlaceError::Fetch { place: url.to_string(), why };
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
    std::fs::File::open(path)
        .and_then(|file| file.take(LONGEST + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    text(bytes, &path.display().to_string())
}

/// Nothing is followed, and nothing is sent along: whoever answers is the one that was named.
async fn fetch(url: &Url) -> Result<String, PlaceError> {
    let failed = |error: &reqwest::Error| PlaceError::Fetch { place: url.to_string(), why: innermost(error) };
    let mut client =
        reqwest::Client::builder().user_agent(USER_AGENT).redirect(Policy::none()).referer(false);
    if is_here(url) {
        client = client.no_proxy();
    }
    if url.scheme() == "http" {
        // Without TLS the system's certificates are not needed, and there may be none.
        client = client.tls_certs_only([]);
    }
    let client = client.build().map_err(|error| failed(&error))?;
    let mut response = client.get(url.clone()).send().await.map_err(|error| failed(&error))?;
    if response.status() != reqwest::StatusCode::OK {
        return Err(PlaceError::Status { place: url.to_string(), status: response.status().as_u16() });
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() as u64 > LONGEST {
            return Err(PlaceError::TooLong(url.to_string()));
        }
    }
    text(bytes, url.as_str())
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
}
