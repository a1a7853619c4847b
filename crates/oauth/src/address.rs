//! Addresses that may be asked: over TLS, or on this machine.

use std::fmt;

use url::{Host, Url};

/// The longest address that is taken.
const LONGEST: usize = 2048;
/// The well-known name of what servers say of themselves (RFC 9728).
pub(crate) const PROTECTED: &str = "oauth-protected-resource";

/// Whether what is on this machine may be named.
///
/// A server on another machine that could name `http://127.0.0.1:…` would have us speak to whatever listens here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Near {
    /// Whoever names it is on this machine itself.
    ThisMachine,
    /// Whoever names it is elsewhere.
    Elsewhere,
}

/// Why an address cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AddressError {
    /// No URL, or one that programs read differently.
    #[error("is no address; it has to be written as `https://host/path`")]
    NotAUrl,
    /// Without TLS.
    #[error("has to begin with `https://`")]
    Plain,
    /// On this machine, and named by another.
    #[error("is on this machine, which a server on another must not name")]
    NearFromFar,
    /// With a user name or a password.
    #[error("has a user name or a password in it")]
    UserInfo,
    /// With something behind `#`.
    #[error("has a fragment (`#…`)")]
    Fragment,
    /// With letters that can look like others.
    #[error("has letters in it that are not ASCII, and can look like others")]
    Letters,
    /// With something behind `?`.
    #[error("has a query (`?…`)")]
    Query,
}

/// Reads an address that may be asked.
pub(crate) fn read(text: &str, near: Near) -> Result<Url, AddressError> {
    // Readers of URLs drop some of these and turn others around.
    let is_odd = |letter: char| letter.is_control() || letter.is_whitespace() || letter == '\\';
    if text.len() > LONGEST || text.chars().any(is_odd) {
        return Err(AddressError::NotAUrl);
    }
    let url = Url::parse(text).map_err(|_| AddressError::NotAUrl)?;
    if url.host_str().is_none_or(str::is_empty) {
        return Err(AddressError::NotAUrl);
    }
    match (url.scheme(), is_near(&url), near) {
        ("https", false, _) | ("https", true, Near::ThisMachine) => {}
        ("http", true, Near::ThisMachine) if is_loopback(&url) => {}
        ("https" | "http", true, Near::Elsewhere) => return Err(AddressError::NearFromFar),
        _ => return Err(AddressError::Plain),
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(AddressError::UserInfo);
    }
    match url.fragment() {
        Some(_) => Err(AddressError::Fragment),
        None => Ok(url),
    }
}

/// Whether what is said to an address surely stays on this machine, also without TLS. Names below `localhost` are asked of a
/// resolver by some systems, which may say anything.
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// Whether an address is on this machine, or may be.
pub(crate) fn is_near(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => {
            address.is_loopback()
                || address.is_unspecified()
                || address.to_ipv4_mapped().is_some_and(|mapped| mapped.is_loopback())
        }
        None => false,
    }
}

/// An address without its query, in which a key may stand.
pub(crate) fn place(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

/// A path below a well-known folder, put before the path of an address: `/.well-known/NAME/path`.
pub(crate) fn well_known(url: &Url, name: &str) -> Url {
    let path = url.path().trim_end_matches('/');
    let mut place = url.clone();
    place.set_path(&format!("/.well-known/{name}{path}"));
    place.set_query(None);
    place.set_fragment(None);
    place
}

/// The address of an MCP server, for which a token is wanted.
#[derive(Clone, PartialEq, Eq)]
pub struct ServerUrl(Url);

// A key may stand in its query.
impl fmt::Debug for ServerUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("ServerUrl").field(&place(&self.0)).finish()
    }
}

impl ServerUrl {
    /// Reads the address of a server.
    ///
    /// # Errors
    /// If tokens must not go there.
    pub fn read(text: &str) -> Result<ServerUrl, AddressError> {
        // It is the user who names it.
        read(text, Near::ThisMachine).map(ServerUrl)
    }

    /// The address.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// What it may name.
    pub fn near(&self) -> Near {
        if is_near(&self.0) { Near::ThisMachine } else { Near::Elsewhere }
    }

    /// Where it says who gives out tokens for it, if it does not say so itself: first for its path, then for all of it.
    pub fn metadata_places(&self) -> Vec<Url> {
        let mut origin = self.0.clone();
        origin.set_path("");
        let mut places: Vec<Url> = [&self.0, &origin].map(|url| well_known(url, PROTECTED)).into();
        places.dedup();
        places
    }

    /// Where it says so, as its challenge names the place. A place of another origin is none of its own.
    pub fn named_metadata_place(&self, named: &str) -> Option<Url> {
        let place = read(named, self.near()).ok()?;
        (place.origin() == self.0.origin()).then_some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_go_over_tls_or_stay_on_this_machine() {
        let cases = [
            ("https://mcp.example/mcp", Near::Elsewhere, Ok(())),
            ("http://mcp.example/mcp", Near::ThisMachine, Err(AddressError::Plain)),
            ("http://127.0.0.1:80/", Near::ThisMachine, Ok(())),
            ("http://127.0.0.1:80/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://localhost/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://[::1]/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://[::ffff:127.0.0.1]/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://0.0.0.0/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://2130706433/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://a.localhost/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("http://a.localhost/", Near::ThisMachine, Err(AddressError::Plain)),
            ("http://a.localhost/", Near::Elsewhere, Err(AddressError::NearFromFar)),
            ("https://a.localhost/", Near::ThisMachine, Ok(())),
            ("http://localhost/", Near::ThisMachine, Ok(())),
            ("http://[::1]/", Near::ThisMachine, Ok(())),
            ("http://0.0.0.0/", Near::ThisMachine, Err(AddressError::Plain)),
            ("https://u:p@mcp.example/", Near::Elsewhere, Err(AddressError::UserInfo)),
            ("https://mcp.example/#a", Near::Elsewhere, Err(AddressError::Fragment)),
            ("https://mcp.example\\@evil.example/", Near::Elsewhere, Err(AddressError::NotAUrl)),
            ("file:///etc/passwd", Near::ThisMachine, Err(AddressError::NotAUrl)),
            ("javascript://mcp.example/%0aalert(1)", Near::ThisMachine, Err(AddressError::Plain)),
        ];
        for (text, near, expected) in cases {
            assert_eq!(read(text, near).map(|_| ()), expected, "{text}");
        }
    }

    #[test]
    fn metadata_are_looked_for_at_the_path_and_then_at_the_root() {
        let places = |text: &str| -> Vec<String> {
            ServerUrl::read(text).unwrap().metadata_places().iter().map(Url::to_string).collect()
        };
        assert_eq!(
            places("https://mcp.example/public/mcp?key=1"),
            [
                "https://mcp.example/.well-known/oauth-protected-resource/public/mcp",
                "https://mcp.example/.well-known/oauth-protected-resource"
            ]
        );
        assert_eq!(
            places("https://mcp.example:8443/"),
            ["https://mcp.example:8443/.well-known/oauth-protected-resource"]
        );
    }

    #[test]
    fn a_challenge_names_only_places_of_its_own() {
        let server = ServerUrl::read("https://mcp.example/mcp").unwrap();
        for (named, is_own) in [
            ("https://mcp.example/.well-known/oauth-protected-resource", true),
            ("https://mcp.example:8443/x", false),
            ("https://other.example/x", false),
            ("http://mcp.example/x", false),
            ("http://127.0.0.1/x", false),
            ("x", false),
        ] {
            assert_eq!(server.named_metadata_place(named).is_some(), is_own, "{named}");
        }
    }
}
