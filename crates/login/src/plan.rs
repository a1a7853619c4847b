//! A login: what it would be, for a person to see, and how it is done.

use std::io;

use jiff::Timestamp;
use portcullis_oauth::{
    AddressError, AnswerError, Asked, Attempt, Authority, Chance, Client, ClientError, Configured, Login,
    NoWay, Protected, Redirect, Refusal, Resource, Scopes, ServerUrl, TokenError, Tokens, Way, registration,
    way,
};
use url::Url;

use crate::door::{Door, DoorError};
use crate::find::{self, FindError};
use crate::web::{Web, WebError};

/// What tokens are asked for so that they can be renewed, where that is a scope.
const OFFLINE: &str = "offline_access";

/// What a person wants.
#[derive(Clone, Debug)]
pub struct Wish {
    /// The server.
    pub server: ServerUrl,
    /// Who we are, as far as it is set.
    pub configured: Configured,
    /// The only issuer that is asked, if it is set.
    pub issuer: Option<String>,
    /// What is asked for, if it is set; else what the server wants.
    pub scopes: Option<Scopes>,
    /// What is asked for besides.
    pub more: Scopes,
    /// The port that the browser comes back to, if it is set; else any.
    pub port: Option<u16>,
}

/// A login that could be.
#[derive(Debug)]
pub struct Plan {
    server: ServerUrl,
    protected: Protected,
    authority: Authority,
    way: Way,
    /// Who we are there already, and where answers go.
    registered: Option<(Client, Redirect)>,
    scopes: Scopes,
    port: Option<u16>,
}

/// Why there is no login.
#[derive(Debug, thiserror::Error)]
pub enum LoginError {
    /// Nobody is found who gives out tokens.
    #[error(transparent)]
    Find(#[from] FindError),
    /// The only issuer that is asked is not the server's.
    #[error("the server wants tokens of `{found}`, and not of `{wanted}`, which your settings name")]
    OtherIssuer {
        /// Whom the server names first.
        found: String,
        /// Whom the settings name.
        wanted: String,
    },
    /// We are nobody to the issuer.
    #[error(transparent)]
    NoWay(#[from] NoWay),
    /// The scopes that the server wants are none.
    #[error("the server wants scopes that are none")]
    Scopes,
    /// The issuer does not register us.
    #[error(
        "the issuer does not register Portcullis (status {status}{error}); register it by hand, and set `client_id` and \
         `issuer` for this server"
    )]
    Registration {
        /// How it answered.
        status: u16,
        /// By its own name for that.
        error: String,
    },
    /// What came of the registration is of no use.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// Nobody can come back here.
    #[error("the browser could not come back here: {0}")]
    Door(io::Error),
    /// There is no randomness.
    #[error("the operating system gives no random bytes")]
    Random,
    /// The browser did not come back.
    #[error("{0}")]
    NoAnswer(String),
    /// What it brought is no answer.
    #[error(transparent)]
    Answer(AnswerError),
    /// The issuer was not reached.
    #[error(transparent)]
    Web(#[from] WebError),
    /// The issuer gives no tokens.
    #[error("the issuer gives no tokens (status {status}{error})")]
    Refused {
        /// How it answered.
        status: u16,
        /// By its own name for that.
        error: String,
    },
    /// What it gave are no tokens.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// An address in the settings is none.
    #[error("the `issuer` in your settings {0}")]
    Issuer(AddressError),
}

impl Plan {
    /// Finds out what a login would be. Nothing is registered and nobody is asked yet.
    ///
    /// # Errors
    /// If there could be none.
    pub async fn find(web: &Web, wish: &Wish, earlier: Option<&Login>) -> Result<Plan, LoginError> {
        let challenge = web.challenge(&wish.server).await?;
        let protected = find::protected(web, &wish.server, &challenge).await?;
        let issuers = protected.issuers();
        let named = wish
            .issuer
            .as_deref()
            .or_else(|| wish.configured.known.as_ref().map(|(_, issuer)| issuer.as_str()));
        let before = earlier.map(|login| login.issuer().as_str());
        let among = |name: &str| issuers.iter().find(|issuer| issuer.as_str() == name);
        let first = issuers.first();
        let issuer = match named {
            Some(name) => among(name),
            None => before.and_then(among).or(first),
        };
        let Some(issuer) = issuer else {
            let found = first.map(ToString::to_string).unwrap_or_default();
            return Err(LoginError::OtherIssuer { found, wanted: named.unwrap_or_default().to_owned() });
        };
        let authority = find::authority(web, issuer).await?;
        let own = |error| FindError::Authority { issuer: issuer.to_string(), error };
        authority.check_answers(named).map_err(own)?;
        let way = way(&authority, &wish.configured)?;
        let challenged = challenge.scope.as_deref().map(Scopes::read).transpose();
        let challenged = challenged.map_err(|_| LoginError::Scopes)?;
        let wanted = wish.scopes.clone().or(challenged).unwrap_or_else(|| protected.scopes().clone());
        let mut scopes = wanted.with(&wish.more);
        // Who asks for more keeps what there was.
        let earlier = earlier.filter(|login| login.issuer().as_str() == issuer.as_str());
        if let Some(login) = earlier {
            scopes = scopes.with(login.asked());
        }
        // A secret that was registered is shown to nobody whom other certificates vouch for.
        let registered = earlier
            .filter(|login| login.is_under(web.roots()))
            .and_then(Login::registered)
            .map(|(client, redirect)| (client.clone(), redirect));
        let registered =
            registered.filter(|(_, redirect)| wish.port.is_none_or(|port| port == redirect.port));
        if authority.has_offline_access() {
            scopes = scopes.with(&Scopes::of([OFFLINE]).map_err(|_| LoginError::Scopes)?);
        }
        Ok(Plan {
            server: wish.server.clone(),
            protected,
            authority,
            way,
            registered,
            scopes,
            port: wish.port,
        })
    }

    /// Who would be asked.
    pub fn authority(&self) -> &Authority {
        &self.authority
    }

    /// What for.
    pub fn resource(&self) -> &Resource {
        self.protected.resource()
    }

    /// Whether that is more than the server itself.
    pub fn is_wider(&self) -> bool {
        self.protected.is_wider()
    }

    /// What the tokens would be good for.
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Whether Portcullis would be registered there first.
    pub fn registers(&self) -> bool {
        matches!(self.way, Way::Register(_)) && self.registered.is_none()
    }

    /// Logs in: shows the address to somebody with a browser, and waits until it comes back.
    ///
    /// # Errors
    /// If that did not work; then nothing was kept.
    pub async fn log_in(self, web: &Web, show: impl FnOnce(&Url)) -> Result<Login, LoginError> {
        let (door, client) = self.enter(web).await?;
        let redirect = door.redirect();
        let mut chance = Chance { state: [0; 32], verifier: [0; 32] };
        for bytes in [&mut chance.state, &mut chance.verifier] {
            getrandom::fill(bytes).map_err(|_| LoginError::Random)?;
        }
        let asked = Asked { client, scopes: self.scopes.clone(), redirect };
        let attempt = Attempt::new(&self.authority, &self.protected, asked, &chance);
        show(&attempt.url());
        let answer = door.answer(&attempt).await.map_err(|error| match error {
            DoorError::Answer(error) => LoginError::Answer(error),
            error @ DoorError::Slow => LoginError::NoAnswer(error.to_string()),
        })?;
        let answered = web.post(&attempt.token_request(&answer)).await?;
        if !answered.status.is_success() {
            let error = named(&Refusal::read(&answered.body));
            return Err(LoginError::Refused { status: answered.status.as_u16(), error });
        }
        let now = Timestamp::now();
        let tokens = Tokens::read(&answered.body, now)?;
        let client = (attempt.asked().client.clone(), self.scopes);
        let login = Login::new(&self.server, &self.protected, self.authority.issuer(), client, tokens, now);
        Ok(login.under(web.roots()))
    }
}

impl Plan {
    /// Where answers go, and who we are. A port that was registered may be somebody else's by now.
    async fn enter(&self, web: &Web) -> Result<(Door, Client), LoginError> {
        let place = match &self.way {
            Way::Client(client) => {
                return Ok((Door::open(self.port).await.map_err(LoginError::Door)?, client.clone()));
            }
            Way::Register(place) => place,
        };
        if let Some((client, redirect)) = &self.registered
            && let Ok(door) = Door::open(Some(redirect.port)).await
        {
            return Ok((door, client.clone()));
        }
        let door = Door::open(self.port).await.map_err(LoginError::Door)?;
        let client = register(web, place, door.redirect(), &self.scopes).await?;
        Ok((door, client))
    }
}

/// Registers us. Issuers differ in whether they want to know the scopes, so that they are left out if they are not liked.
async fn register(web: &Web, place: &Url, redirect: Redirect, scopes: &Scopes) -> Result<Client, LoginError> {
    let mut answered = web.post_json(place, registration(redirect, scopes)).await?;
    if !answered.status.is_success() && !scopes.is_empty() {
        answered = web.post_json(place, registration(redirect, &Scopes::default())).await?;
    }
    match answered.status.is_success() {
        true => Ok(Client::registered(&answered.body, redirect)?),
        false => Err(LoginError::Registration {
            status: answered.status.as_u16(),
            error: named(&Refusal::read(&answered.body)),
        }),
    }
}

fn named(refusal: &Refusal) -> String {
    if refusal.error.is_empty() { String::new() } else { format!(", {}", refusal.error) }
}
