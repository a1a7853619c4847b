//! Who gives out tokens: OAuth 2.0 Authorization Server Metadata (RFC 8414) and OpenID Connect Discovery.

use std::fmt;

use portcullis_wire::json::Node;
use url::Url;

use crate::address::{self, AddressError, Near};
use crate::members::{self, MemberError};

/// Who gives out tokens, by the name that is compared letter by letter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issuer {
    name: String,
    url: Url,
    near: Near,
}

impl Issuer {
    /// Reads the name of an issuer, which is an address.
    ///
    /// # Errors
    /// If it cannot be asked safely.
    pub fn read(name: &str, near: Near) -> Result<Issuer, AddressError> {
        let url = address::read(name, near)?;
        // A person has to see who it is.
        if !name.is_ascii() {
            return Err(AddressError::Letters);
        }
        if url.query().is_some() {
            return Err(AddressError::Query);
        }
        let near = if address::is_near(&url) { Near::ThisMachine } else { Near::Elsewhere };
        Ok(Issuer { name: name.to_owned(), url, near })
    }

    /// Its name, to the letter.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Where it may say how it is asked, in the order of MCP: RFC 8414 first, then OpenID Connect with the path behind and
    /// before the well-known folder.
    pub fn metadata_places(&self) -> Vec<Url> {
        let oauth = address::well_known(&self.url, "oauth-authorization-server");
        let openid = address::well_known(&self.url, "openid-configuration");
        let mut appended = self.url.clone();
        let path = self.url.path().trim_end_matches('/');
        appended.set_path(&format!("{path}/.well-known/openid-configuration"));
        let mut places = vec![oauth, openid, appended];
        places.dedup();
        places
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// An issuer whose metadata were read and are its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Authority {
    pub(crate) issuer: Issuer,
    pub(crate) authorization: Url,
    pub(crate) token: Url,
    pub(crate) registration: Option<Url>,
    pub(crate) revocation: Option<Url>,
    pub(crate) takes_documents: bool,
    pub(crate) names_itself: bool,
    pub(crate) takes_basic: bool,
    pub(crate) has_offline_access: bool,
}

/// Why an issuer is not asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AuthorityError {
    /// Not of the form that it has to have.
    #[error("what the issuer says of itself {0}")]
    Form(#[from] MemberError),
    /// Metadata of another issuer.
    #[error("the metadata of the issuer are those of another one")]
    OtherIssuer,
    /// Somebody who sees the answer could use it.
    #[error("the issuer does not say that it knows PKCE with S256 (`code_challenge_methods_supported`)")]
    NoProof,
    /// It does not answer with codes.
    #[error("the issuer gives no codes (`response_types_supported` without `code`)")]
    NoCode,
    /// Its answers could be those of another, and nothing would tell.
    #[error(
        "the issuer sends people or codes to another host (`{host}`) and does not say that its answers name it (RFC 9207), so \
         that they could be another's; if you know that this is right, set `issuer` for this server, or say \
         `--issuer {issuer}`"
    )]
    Scattered {
        /// Which issuer.
        issuer: String,
        /// The other host.
        host: String,
    },
    /// An address that cannot be asked.
    #[error("the `{endpoint}` of the issuer {error}")]
    Endpoint {
        /// Which.
        endpoint: &'static str,
        /// Why not.
        error: AddressError,
    },
}

impl Authority {
    /// Reads the metadata of an issuer.
    ///
    /// # Errors
    /// If they are another's, or it cannot be asked safely.
    pub fn read(bytes: &[u8], issuer: &Issuer) -> Result<Authority, AuthorityError> {
        let document = members::object(bytes)?;
        let root = document.root();
        if members::needed_text(root, "issuer")? != issuer.as_str() {
            return Err(AuthorityError::OtherIssuer);
        }
        let has = |name: &'static str, wanted: &str| -> Result<Option<bool>, MemberError> {
            Ok(members::texts(root, name)?.map(|list| list.iter().any(|item| item == wanted)))
        };
        if has("code_challenge_methods_supported", "S256")? != Some(true) {
            return Err(AuthorityError::NoProof);
        }
        if has("response_types_supported", "code")? == Some(false) {
            return Err(AuthorityError::NoCode);
        }
        let needed = |name: &'static str| {
            endpoint(root, name, issuer)?.ok_or(AuthorityError::Form(MemberError::Missing(name)))
        };
        Ok(Authority {
            authorization: needed("authorization_endpoint")?,
            token: needed("token_endpoint")?,
            registration: endpoint(root, "registration_endpoint", issuer)?,
            revocation: endpoint(root, "revocation_endpoint", issuer)?,
            takes_documents: members::holds(root, "client_id_metadata_document_supported")?,
            names_itself: members::holds(root, "authorization_response_iss_parameter_supported")?,
            takes_basic: has("token_endpoint_auth_methods_supported", "client_secret_basic")? != Some(false),
            has_offline_access: has("scopes_supported", "offline_access")? == Some(true),
            issuer: issuer.clone(),
        })
    }

    /// Whose they are.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// That answers are surely its own, unless a person has named it. An issuer that sends people to log in at an honest one, and
    /// has the code sent to itself, is told apart by `iss` or by having all at one origin.
    ///
    /// # Errors
    /// If they could be another's.
    pub fn check_answers(&self, named: Option<&str>) -> Result<(), AuthorityError> {
        let own = self.issuer.url.origin();
        let other = [&self.authorization, &self.token].into_iter().find(|place| place.origin() != own);
        match other {
            Some(place) if !self.names_itself && named != Some(self.issuer.as_str()) => {
                let host = place.origin().ascii_serialization();
                Err(AuthorityError::Scattered { issuer: self.issuer.to_string(), host })
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Where codes and refresh tokens are sent.
    pub fn token(&self) -> &Url {
        &self.token
    }

    /// Where a program is registered, if it can be.
    pub fn registration(&self) -> Option<&Url> {
        self.registration.as_ref()
    }

    /// Where a person logs in.
    pub fn authorization(&self) -> &Url {
        &self.authorization
    }

    /// Whether tokens that last have a scope of their own here.
    pub fn has_offline_access(&self) -> bool {
        self.has_offline_access
    }
}

fn endpoint(root: Node<'_>, name: &'static str, issuer: &Issuer) -> Result<Option<Url>, AuthorityError> {
    let Some(text) = members::text(root, name)? else { return Ok(None) };
    let read = address::read(&text, issuer.near);
    read.map(Some).map_err(|error| AuthorityError::Endpoint { endpoint: name, error })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_are_looked_for_in_the_order_of_mcp() {
        let places = |text: &str| -> Vec<String> {
            let issuer = Issuer::read(text, Near::Elsewhere).unwrap();
            issuer.metadata_places().iter().map(Url::to_string).collect()
        };
        assert_eq!(
            places("https://auth.example/tenant1"),
            [
                "https://auth.example/.well-known/oauth-authorization-server/tenant1",
                "https://auth.example/.well-known/openid-configuration/tenant1",
                "https://auth.example/tenant1/.well-known/openid-configuration",
            ]
        );
        let root = [
            "https://auth.example/.well-known/oauth-authorization-server",
            "https://auth.example/.well-known/openid-configuration",
        ];
        assert_eq!(places("https://auth.example"), root);
        assert_eq!(places("https://auth.example/"), root);
    }

    #[test]
    fn an_issuer_is_written_in_letters_that_look_like_themselves() {
        for name in ["https://аuth.example", "https://auth.example/ｔenant"] {
            assert_eq!(Issuer::read(name, Near::Elsewhere), Err(AddressError::Letters), "{name}");
        }
        assert!(Issuer::read("https://xn--uth-7cd.example", Near::Elsewhere).is_ok());
    }

    #[test]
    fn an_issuer_of_several_hosts_names_itself_or_is_named_by_a_person() {
        let (own, honest) = ("https://evil.example", "https://honest.example");
        let issuer = Issuer::read(own, Near::Elsewhere).unwrap();
        let cases = [
            (own, own, false, None, None),
            (honest, own, false, None, Some(honest)),
            (own, honest, false, None, Some(honest)),
            (honest, own, false, Some(honest), Some(honest)),
            (honest, own, false, Some(own), None),
            (honest, own, true, None, None),
        ];
        for (authorization, token, names_itself, named, expected) in cases {
            let text = format!(
                "{{\"issuer\":\"{own}\",\"authorization_endpoint\":\"{authorization}/a\",\"token_endpoint\":\"{token}/t\",\
                 \"authorization_response_iss_parameter_supported\":{names_itself},\
                 \"code_challenge_methods_supported\":[\"S256\"]}}"
            );
            let came = Authority::read(text.as_bytes(), &issuer).unwrap().check_answers(named);
            let expected = match expected {
                Some(host) => {
                    Err(AuthorityError::Scattered { issuer: own.to_owned(), host: host.to_owned() })
                }
                None => Ok(()),
            };
            assert_eq!(came, expected, "{authorization} {token} {named:?}");
        }
    }
}
