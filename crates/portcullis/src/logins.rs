//! Logins at servers that want a user's token: what settings say of them, and who keeps the tokens.

use std::path::Path;
use std::sync::Arc;

use portcullis_login::{Keeper, Logins, Web, Wish};
use portcullis_oauth::{AddressError, Configured, Issuer, ScopeError, Scopes, Secret, ServerUrl};
use portcullis_remote::{Address, Authorization};
use serde::Deserialize;

use crate::places::Places;
use crate::servers::{ServerError, fill};

/// The folder of logins, beside the store.
const FOLDER: &str = "logins";
/// What the key of the file is made for.
const PURPOSE: &str = "the key of logins";

/// How one logs in to a server, where that cannot be found out.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LoginPart {
    /// The id that the issuer gave to us.
    pub(crate) client_id: Option<String>,
    /// The secret that belongs to it. `${NAME}` is the variable of that name.
    client_secret: Option<String>,
    /// Where a document says who we are.
    pub(crate) client_document: Option<String>,
    /// The only issuer that is asked.
    pub(crate) issuer: Option<String>,
    /// What is asked for.
    scopes: Option<Vec<String>>,
    /// The port that the browser comes back to.
    pub(crate) port: Option<u16>,
}

/// Why nobody can log in as settings say.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LoginPartError {
    #[error("the address {0}")]
    Server(AddressError),
    #[error("`issuer` {0}")]
    Issuer(AddressError),
    #[error("`client_id` needs `issuer`: an id is given out by one issuer, and no other may see it")]
    NoIssuer,
    #[error("`client_secret` needs the `client_id` that it belongs to")]
    NoClient,
    #[error("`scopes`: {0}")]
    Scopes(#[from] ScopeError),
    #[error(transparent)]
    Fill(#[from] Box<ServerError>),
}

impl LoginPart {
    /// Whether anything is said.
    pub(crate) fn is_set(&self) -> bool {
        let LoginPart { client_id, client_secret, client_document, issuer, scopes, port } = self;
        let texts = [client_id, client_secret, client_document, issuer];
        texts.iter().any(|text| text.is_some()) || scopes.is_some() || port.is_some()
    }

    /// That one could log in so. Secrets are not looked for: who only uses a login needs none.
    pub(crate) fn check(&self, url: &str) -> Result<(), LoginPartError> {
        LoginPart { client_secret: self.client_secret.as_ref().map(|_| String::new()), ..self.clone() }
            .wish(url, Scopes::default())
            .map(|_| ())
    }

    /// What a login would be.
    pub(crate) fn wish(&self, url: &str, more: Scopes) -> Result<Wish, LoginPartError> {
        let server = ServerUrl::read(url).map_err(LoginPartError::Server)?;
        let issuer = self.issuer.as_deref().map(|name| Issuer::read(name, server.near()));
        let issuer = issuer.transpose().map_err(LoginPartError::Issuer)?;
        let known = match (&self.client_id, &issuer) {
            (Some(id), Some(issuer)) => Some((id.clone(), issuer.clone())),
            (Some(_), None) => return Err(LoginPartError::NoIssuer),
            (None, _) if self.client_secret.is_some() => return Err(LoginPartError::NoClient),
            (None, _) => None,
        };
        let secret = self.client_secret.as_deref().map(fill).transpose().map_err(Box::new)?;
        let configured =
            Configured { known, secret: secret.map(Secret::new), document: self.client_document.clone() };
        let scopes = self.scopes.as_ref().map(|scopes| Scopes::of(scopes.iter().map(String::as_str)));
        Ok(Wish {
            server,
            configured,
            issuer: self.issuer.clone(),
            scopes: scopes.transpose()?,
            more,
            port: self.port,
        })
    }
}

// A secret may stand in it.
impl std::fmt::Debug for LoginPart {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("LoginPart").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}

/// Where logins are kept.
pub(crate) fn kept(places: &Places) -> Logins {
    let own = places.clone();
    let key = move || own.key().map(|key| key.derive(PURPOSE)).map_err(|error| error.to_string());
    Logins::at(places.state.join(FOLDER), Arc::new(key))
}

/// How users come in: by which name they know a server, and what they say to log in.
pub(crate) struct Entrance<'e> {
    /// Where logins are kept.
    pub(crate) logins: Arc<Logins>,
    /// What the server is called.
    pub(crate) called: &'e str,
    /// What the user says to log in.
    pub(crate) command: String,
}

impl Entrance<'_> {
    /// Who keeps tokens for an address; nobody, where no token may go.
    pub(crate) fn keeper(
        &self,
        address: &Address,
        authorities: Option<&Path>,
    ) -> Option<Arc<dyn Authorization>> {
        let server = ServerUrl::read(address.url().as_str()).ok()?;
        // What is wrong with the certificates is said where the server itself is reached.
        let web = Web::new(authorities).ok()?;
        Some(Arc::new(Keeper::new(server, Arc::clone(&self.logins), web, self.called, &self.command)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(text: &str) -> Result<Wish, String> {
        let part: LoginPart = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        part.wish("https://mcp.example/mcp", Scopes::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn an_id_is_shown_to_the_issuer_alone_that_gave_it() {
        let both = wish("client_id = 'a'\nissuer = 'https://auth.example'").unwrap();
        assert_eq!(both.configured.known.unwrap().1.as_str(), "https://auth.example");
        for (text, error) in [
            ("client_id = 'a'", "`client_id` needs `issuer`"),
            ("client_secret = 'a'\nissuer = 'https://auth.example'", "`client_secret` needs the `client_id`"),
            ("issuer = 'http://auth.example'", "`issuer` has to begin with `https://`"),
            ("issuer = 'http://127.0.0.1:1'", "on this machine"),
            ("scopes = ['a b']", "`scopes`: a scope is a word"),
            ("clientid = 'a'", "unknown field"),
            (
                "client_id = 'a'\nissuer = 'https://auth.example'\nclient_secret = '${PORTCULLIS_NO_SUCH}'",
                "`PORTCULLIS_NO_SUCH` is not set",
            ),
        ] {
            let told = wish(text).unwrap_err();
            assert!(told.contains(error), "{text}: {told}");
        }
    }

    #[test]
    fn a_secret_in_settings_is_not_printed() {
        let text = "client_id = 'a'\nissuer = 'https://auth.example'\nclient_secret = 'c-secret'";
        let part: LoginPart = toml::from_str(text).unwrap();
        assert!(!format!("{part:?} {:?}", wish(text).unwrap()).contains("c-secret"));
    }
}
