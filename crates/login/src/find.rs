//! Finding out who gives out tokens for a server, and how that one is asked.

use portcullis_oauth::{
    Authority, AuthorityError, Issuer, MemberError, Protected, ProtectedError, ServerUrl,
};
use portcullis_remote::Challenge;
use reqwest::StatusCode;
use url::Url;

use crate::web::{Web, WebError};

/// Why nobody is found who gives out tokens.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FindError {
    /// Somebody did not answer.
    #[error(transparent)]
    Web(#[from] WebError),
    /// The server says nothing.
    #[error(
        "the server does not say who gives out tokens for it (RFC 9728); if it takes a fixed token, give it as a header: \
         `headers = {{ Authorization = \"Bearer ${{NAME}}\" }}`"
    )]
    NoMetadata,
    /// The server names a place of somebody else.
    #[error("the server names a place of somebody else for what it says of itself (`resource_metadata`)")]
    ForeignMetadata,
    /// What it says of itself is not believed.
    #[error(transparent)]
    Protected(#[from] ProtectedError),
    /// The issuer says nothing.
    #[error("`{0}` does not say how tokens are asked for (RFC 8414 or OpenID Connect Discovery)")]
    NoAuthority(String),
    /// What the issuer says is not believed.
    #[error("`{issuer}`: {error}")]
    Authority {
        /// Which issuer.
        issuer: String,
        /// Why not.
        error: AuthorityError,
    },
}

/// What a server says of itself: where its challenge says so, else at the well-known places.
pub(crate) async fn protected(
    web: &Web,
    server: &ServerUrl,
    challenge: &Challenge,
) -> Result<Protected, FindError> {
    let places = match &challenge.resource_metadata {
        Some(named) => vec![server.named_metadata_place(named).ok_or(FindError::ForeignMetadata)?],
        None => server.metadata_places(),
    };
    for place in places {
        let wider = match protected_at(web, server, &place).await {
            Ok(None) => continue,
            Ok(Some(protected)) => return Ok(protected),
            Err(FindError::Protected(wider)) => wider,
            Err(error) => return Err(error),
        };
        // What is more than the server speaks for itself.
        let ProtectedError::Wider { own, .. } = &wider else { return Err(wider.into()) };
        return protected_at(web, server, own).await?.ok_or(FindError::Protected(wider));
    }
    Err(FindError::NoMetadata)
}

/// What a server says of itself at one place, if there is anything.
async fn protected_at(web: &Web, server: &ServerUrl, place: &Url) -> Result<Option<Protected>, FindError> {
    let answered = web.read(place).await?;
    if answered.status != StatusCode::OK {
        return Ok(None);
    }
    match Protected::read(&answered.body, server, place) {
        // Many answer with a page to whatever they do not know.
        Err(ProtectedError::Form(MemberError::NoObject)) => Ok(None),
        read => Ok(Some(read?)),
    }
}

/// How an issuer is asked.
pub(crate) async fn authority(web: &Web, issuer: &Issuer) -> Result<Authority, FindError> {
    for place in issuer.metadata_places() {
        let answered = web.read(&place).await?;
        if answered.status != StatusCode::OK {
            continue;
        }
        match Authority::read(&answered.body, issuer) {
            Err(AuthorityError::Form(MemberError::NoObject)) => {}
            read => {
                return read.map_err(|error| FindError::Authority { issuer: issuer.to_string(), error });
            }
        }
    }
    Err(FindError::NoAuthority(issuer.to_string()))
}
