//! Who gives out tokens for a server, and for which resource: OAuth 2.0 Protected Resource Metadata (RFC 9728).

use std::fmt;

use url::Url;

use crate::address::{self, AddressError, Near, ServerUrl};
use crate::authority::Issuer;
use crate::members::{self, MemberError};
use crate::scopes::Scopes;

/// What tokens are for: an address, compared letter by letter, in whose query a key may stand.
#[derive(Clone, PartialEq, Eq)]
pub struct Resource(String);

impl Resource {
    /// One that was kept.
    pub(crate) fn kept(text: String) -> Resource {
        Resource(text)
    }

    /// All of it, for the issuer.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

// It is shown to people and recorded without its query.
impl fmt::Display for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.split('?').next().unwrap_or_default())
    }
}

impl fmt::Debug for Resource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Resource").field(&self.to_string()).finish()
    }
}

/// What a server says of itself as a protected resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Protected {
    resource: Resource,
    is_wider: bool,
    issuers: Vec<Issuer>,
    scopes: Scopes,
}

/// Why what a server says of itself is not believed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProtectedError {
    /// Not of the form that it has to have.
    #[error("what the server says of itself {0}")]
    Form(#[from] MemberError),
    /// The resource is no address.
    #[error("the `resource` that the server says it is {0}")]
    Resource(AddressError),
    /// Its metadata are another's: a token for that one would go to this one.
    #[error("the server says that it is the resource `{resource}`, which is not where it is")]
    Other {
        /// What it says that it is.
        resource: String,
    },
    /// It says that it is more than itself, where anybody who has a path of the host could say so.
    #[error(
        "the server says that it is the resource `{resource}`, which is more than itself, and `{own}` does not say so"
    )]
    Wider {
        /// What it says that it is.
        resource: String,
        /// Where that resource says who gives out tokens for it.
        own: Url,
    },
    /// Nobody gives out tokens.
    #[error("the server names nobody who gives out tokens for it (`authorization_servers`)")]
    NoIssuer,
    /// An issuer that cannot be asked.
    #[error("an issuer that the server names {0}")]
    Issuer(AddressError),
}

impl Protected {
    /// Reads the metadata of a server, which were found at this place. That a server is part of a resource that is more than
    /// itself is believed from the well-known place of that resource alone: who has one path of a host does not speak for all of it.
    ///
    /// # Errors
    /// If they are another's, or name nobody who can be asked.
    pub fn read(bytes: &[u8], server: &ServerUrl, place: &Url) -> Result<Protected, ProtectedError> {
        let document = members::object(bytes)?;
        let root = document.root();
        let resource = members::needed_text(root, "resource")?.into_owned();
        let url = address::read(&resource, Near::ThisMachine).map_err(ProtectedError::Resource)?;
        if !is_within(server.url(), &url) {
            return Err(ProtectedError::Other { resource: address::place(&url) });
        }
        let own = address::well_known(&url, address::PROTECTED);
        let is_wider = !is_within(&url, server.url());
        if is_wider && *place != own {
            return Err(ProtectedError::Wider { resource: address::place(&url), own });
        }
        let named = members::texts(root, "authorization_servers")?.unwrap_or_default();
        let issuer = |text: &String| Issuer::read(text, server.near()).map_err(ProtectedError::Issuer);
        let issuers: Vec<Issuer> = named.iter().map(issuer).collect::<Result<_, _>>()?;
        if issuers.is_empty() {
            return Err(ProtectedError::NoIssuer);
        }
        let scopes = members::texts(root, "scopes_supported")?.unwrap_or_default();
        let scopes = Scopes::of(scopes.iter().map(String::as_str))
            .map_err(|_| ProtectedError::Form(MemberError::Wrong("scopes_supported")))?;
        Ok(Protected { resource: Resource(resource), is_wider, issuers, scopes })
    }

    /// What tokens are asked for, to the letter.
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// Whether that is more than the server itself, so that its tokens may be good at its neighbours too.
    pub fn is_wider(&self) -> bool {
        self.is_wider
    }

    /// Who gives out tokens, those that the server prefers first. There is at least one.
    pub fn issuers(&self) -> &[Issuer] {
        &self.issuers
    }

    /// What tokens should be good for, if the server does not say it when it refuses.
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }
}

/// Whether a server is a resource or lies within it: the same origin, and its path that of the resource or below it.
///
/// RFC 9728 wants the very same address. MCP lets a server at `https://host/mcp` be the resource `https://host`, and many are.
fn is_within(server: &Url, resource: &Url) -> bool {
    let (inner, outer) = (server.path(), resource.path().trim_end_matches('/'));
    let below = inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let is_same_query = resource.query().is_none() || resource.query() == server.query();
    server.origin() == resource.origin() && below && is_same_query
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_lies_within_its_resource() {
        let cases = [
            ("https://a.example/mcp", "https://a.example/mcp", true),
            ("https://a.example/mcp", "https://A.example:443/mcp/", true),
            ("https://a.example/mcp", "https://a.example", true),
            ("https://a.example/mcp/one", "https://a.example/mcp", true),
            ("https://a.example/mcp?tenant=1", "https://a.example/mcp?tenant=1", true),
            ("https://a.example/mcp?tenant=1", "https://a.example/mcp?tenant=2", false),
            ("https://a.example/mcp", "https://a.example/mcp/one", false),
            ("https://a.example/mcp2", "https://a.example/mcp", false),
            ("https://a.example/mcp", "https://a.example/other", false),
            ("https://a.example/mcp", "https://b.example/mcp", false),
            ("https://a.example/mcp", "https://a.example.b.example/mcp", false),
            ("https://a.example/mcp", "https://a.example:8443/mcp", false),
            ("https://a.example/mcp", "http://a.example/mcp", false),
        ];
        for (server, resource, expected) in cases {
            let (one, other) = (Url::parse(server).unwrap(), Url::parse(resource).unwrap());
            assert_eq!(is_within(&one, &other), expected, "{server} in {resource}");
        }
    }

    #[test]
    fn who_has_a_path_of_a_host_does_not_speak_for_the_host() {
        let well_known = "https://host.example/.well-known/oauth-protected-resource";
        let cases = [
            // Of itself it may speak wherever it likes.
            ("/evil/mcp", "/evil/x", Some(false)),
            ("/evil/mcp", "/.well-known/oauth-protected-resource", Some(false)),
            ("", "/evil/x", None),
            ("", "/.well-known/oauth-protected-resource/evil/mcp", None),
            ("", "/.well-known/oauth-protected-resource?a", None),
            ("", "/.well-known/oauth-protected-resource", Some(true)),
            ("/evil", "/.well-known/oauth-protected-resource", None),
            ("/evil", "/.well-known/oauth-protected-resource/evil", Some(true)),
        ];
        let server = ServerUrl::read("https://host.example/evil/mcp").unwrap();
        for (resource, place, expected) in cases {
            let place = Url::parse(&format!("https://host.example{place}")).unwrap();
            let text = format!(
                "{{\"resource\":\"https://host.example{resource}\",\"authorization_servers\":[\"https://auth.example\"]}}"
            );
            let came = Protected::read(text.as_bytes(), &server, &place);
            match came {
                Ok(read) => assert_eq!(Some(read.is_wider()), expected, "{resource} at {place}"),
                Err(ProtectedError::Wider { own, .. }) => {
                    assert_eq!((own.as_str(), expected), (format!("{well_known}{resource}").as_str(), None));
                }
                Err(error) => panic!("{resource} at {place}: {error}"),
            }
        }
    }
}
