//! Where a server is, and what it is given with each message.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use portcullis_wire::json;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use url::{Host, Url};

use crate::authorization::Authorization;

/// The address of a server. Values of headers and the query of the URL are secrets, and are shown nowhere.
///
/// A server over `https` is reached through the proxy that `HTTPS_PROXY` or `ALL_PROXY` names, unless `NO_PROXY` says
/// otherwise. One on this machine or without TLS never is.
#[derive(Clone)]
pub struct Address {
    url: Url,
    /// Headers that go with every request, such as `Authorization`.
    pub headers: Vec<(String, String)>,
    /// Who keeps tokens for this server, if they change.
    pub authorization: Option<Arc<dyn Authorization>>,
    /// A file of certificates in PEM that are trusted besides those of the system.
    pub extra_roots: Option<PathBuf>,
    /// Whether a server on another machine may be spoken to without TLS.
    pub allow_plain: bool,
    /// How much, and how long.
    pub limits: Limits,
}

/// How much a server may say at once, and how long it may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a message, in either direction.
    pub body: usize,
    /// How long a connection may take to be there.
    pub connect: Duration,
    /// How long the head of a response may take. A server that answers with JSON sends it when the work is done.
    pub head: Duration,
    /// The longest pause inside of a body. Comments of an event stream end a pause.
    pub silence: Duration,
    /// Requests that wait for an answer.
    pub open_requests: usize,
    /// How often in a row a broken stream is gone on with in vain.
    pub tries: u32,
    /// The pause before the first of these tries; it grows with each. A server may ask for a longer one.
    pub pause: Duration,
}

/// Why an address cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// Not a URL, or one that programs read differently.
    #[error("the address is not a URL; write it as `https://host/path`")]
    NotAUrl,
    /// A protocol that is none of ours.
    #[error("an address begins with `https://`, not with `{scheme}:`")]
    Scheme {
        /// What it begins with.
        scheme: String,
    },
    /// A name and a password in the address.
    #[error(
        "the address of `{host}` has a user name or a password in it; give them as a header: `Authorization: …`"
    )]
    UserInfo {
        /// The host.
        host: String,
    },
    /// Everybody on the way could read and change what is said.
    #[error(
        "`{host}` would be spoken to without TLS; use `https://`, or allow plain HTTP for this server if the way to it is safe"
    )]
    Plain {
        /// The host.
        host: String,
    },
    /// A header whose name is none.
    #[error("header {place} has a name that no header can have")]
    HeaderName {
        /// Which one, counted from 1.
        place: usize,
    },
    /// A header whose value cannot be sent.
    #[error("the value of the header `{name}` has characters in it that a header must not have")]
    HeaderValue {
        /// Its name.
        name: String,
    },
    /// A header that is made here.
    #[error("the header `{name}` is made for each message and cannot be given")]
    HeaderReserved {
        /// Its name.
        name: String,
    },
    /// The file of certificates cannot be read.
    #[error("the certificates in `{}` cannot be read: {error}", file.display())]
    RootsUnread {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// There are no certificates in the file.
    #[error("there are no certificates in `{}`; they have to be in PEM", file.display())]
    NoRoots {
        /// The file.
        file: PathBuf,
    },
    /// TLS cannot be used.
    #[error(
        "TLS cannot be set up: {why}; see that the system has certificates (on Debian `ca-certificates`), or give a file of them"
    )]
    Tls {
        /// Why not.
        why: String,
    },
    /// There is nothing that could run it.
    #[error("a remote server needs a runtime of tokio to be connected from")]
    NoRuntime,
}

/// Headers that each message gets from here, or that say how it is sent.
const RESERVED: [&str; 12] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            body: json::Limits::default().bytes,
            connect: Duration::from_secs(10),
            head: Duration::from_secs(600),
            silence: Duration::from_secs(1200),
            open_requests: 64,
            tries: 8,
            pause: Duration::from_millis(500),
        }
    }
}

impl Address {
    /// An address without headers, with the usual limits.
    ///
    /// # Errors
    /// If it is no address of a server, or has credentials in it.
    pub fn new(url: &str) -> Result<Address, AddressError> {
        // Readers of URLs drop some of these and turn others around.
        if url.chars().any(|letter| letter.is_control() || letter.is_whitespace() || letter == '\\') {
            return Err(AddressError::NotAUrl);
        }
        let mut url = Url::parse(url).map_err(|_| AddressError::NotAUrl)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(AddressError::Scheme { scheme: url.scheme().to_owned() });
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        if host.is_empty() {
            return Err(AddressError::NotAUrl);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo { host });
        }
        url.set_fragment(None);
        Ok(Address {
            url,
            headers: Vec::new(),
            authorization: None,
            extra_roots: None,
            allow_plain: false,
            limits: Limits::default(),
        })
    }

    /// Where messages go.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The address without its query, to be shown.
    pub fn shown(&self) -> String {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port().map_or_else(String::new, |port| format!(":{port}"));
        format!("{}://{host}{port}{}", self.url.scheme(), self.url.path())
    }

    /// Whether it is on this machine.
    pub fn is_loopback(&self) -> bool {
        match self.url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// Whether what is said is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// That it may be spoken to as it is written.
    pub(crate) fn check_plain(&self) -> Result<(), AddressError> {
        match self.is_encrypted() || self.is_loopback() || self.allow_plain {
            true => Ok(()),
            false => Err(AddressError::Plain { host: self.url.host_str().unwrap_or_default().to_owned() }),
        }
    }

    /// The headers that were given, marked as secret.
    pub(crate) fn header_map(&self) -> Result<HeaderMap, AddressError> {
        let mut map = HeaderMap::new();
        for (index, (name, value)) in self.headers.iter().enumerate() {
            let header = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| AddressError::HeaderName { place: index + 1 })?;
            if RESERVED.contains(&header.as_str()) || header.as_str().starts_with("mcp-") {
                return Err(AddressError::HeaderReserved { name: header.as_str().to_owned() });
            }
            let mut value = HeaderValue::from_str(value)
                .map_err(|_| AddressError::HeaderValue { name: header.as_str().to_owned() })?;
            value.set_sensitive(true);
            map.append(header, value);
        }
        Ok(map)
    }
}

/// Says where it is and which headers there are, not what they say.
impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name.as_str()).collect();
        formatter
            .debug_struct("Address")
            .field("url", &self.shown())
            .field("headers", &names)
            .field("extra_roots", &self.extra_roots)
            .field("allow_plain", &self.allow_plain)
            .field("limits", &self.limits)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_secret_to_whoever_prints_it() {
        let mut address = Address::new("https://mcp.example/").unwrap();
        address.headers = vec![("Authorization".to_owned(), "Bearer h-secret".to_owned())];
        let shown = format!("{:?}", address.header_map().unwrap());
        assert!(shown.contains("authorization") && !shown.contains("secret"), "{shown}");
    }
}
