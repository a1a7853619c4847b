//! A login: tokens, and the only server, issuer and resource that they are for.

use jiff::{SignedDuration, Timestamp};
use url::Url;

use crate::address::ServerUrl;
use crate::authority::{Authority, Issuer};
use crate::client::{Client, Redirect};
use crate::form::Form;
use crate::resource::{Protected, Resource};
use crate::scopes::Scopes;
use crate::secret::Secret;
use crate::tokens::Tokens;

/// So long before its end a token is renewed, for it has to arrive before; one that is short-lived after three quarters of its
/// life.
const EARLY: SignedDuration = SignedDuration::from_secs(30);
const EARLY_PART: i32 = 4;
/// So long after a renewal there is no other because of a refusal: what a server refuses that is fresh, it refuses for another
/// reason.
const APART: SignedDuration = SignedDuration::from_secs(30);

/// A login at one issuer, for one server and one resource.
#[derive(Clone, Debug)]
pub struct Login {
    pub(crate) server: ServerUrl,
    pub(crate) issuer: Issuer,
    pub(crate) resource: Resource,
    pub(crate) client: Client,
    /// What was asked for, which a later login asks for again.
    pub(crate) asked: Scopes,
    /// What was given.
    pub(crate) scopes: Scopes,
    pub(crate) access: Option<Secret>,
    pub(crate) refresh: Option<Secret>,
    pub(crate) expires: Option<Timestamp>,
    pub(crate) since: Timestamp,
    pub(crate) renewed: Option<Timestamp>,
    /// The digest of the certificates that were believed besides those of the system.
    pub(crate) roots: Option<String>,
}

/// How a login stands.
#[derive(Debug)]
pub enum Standing<'l> {
    /// There is a token.
    Good(&'l Secret),
    /// It has to be renewed first.
    Old,
    /// Only a person can help.
    Over,
}

/// Why tokens are not shown to an issuer: they are not its own, or the server changed hands. Only a person can help.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Mismatch {
    /// The server wants tokens of others now.
    #[error("the server now wants tokens of `{found}`, and no longer of `{issuer}`, where you logged in")]
    Issuer {
        /// Where the login is.
        issuer: String,
        /// Whom the server names.
        found: String,
    },
    /// The server is another resource now.
    #[error("the server now says that it is the resource `{found}`, and you logged in for `{resource}`")]
    Resource {
        /// What the login is for.
        resource: Resource,
        /// What the server says that it is.
        found: Resource,
    },
    /// It was asked for another's.
    #[error("the login is at another issuer")]
    NotItsOwn,
    /// There is nothing to renew it with.
    #[error("the issuer gave nothing to renew it with")]
    NoRefresh,
}

impl Login {
    /// What came of an attempt.
    pub fn new(
        server: &ServerUrl,
        protected: &Protected,
        issuer: &Issuer,
        (client, asked): (Client, Scopes),
        tokens: Tokens,
        now: Timestamp,
    ) -> Login {
        Login {
            server: server.clone(),
            issuer: issuer.clone(),
            resource: protected.resource().clone(),
            client,
            // Who says nothing gives what was asked for.
            scopes: tokens.scopes.unwrap_or_else(|| asked.clone()),
            asked,
            access: Some(tokens.access),
            refresh: tokens.refresh,
            expires: tokens.expires,
            since: now,
            renewed: None,
            roots: None,
        }
    }

    /// The login of somebody who believes these certificates besides those of the system, named by their digest.
    #[must_use]
    pub fn under(self, roots: Option<&str>) -> Login {
        Login { roots: roots.map(str::to_owned), ..self }
    }

    /// Whether it was made under these certificates. Under others its tokens are for nobody: who starts Portcullis could name
    /// certificates of their own, and be the server and the issuer.
    pub fn is_under(&self, roots: Option<&str>) -> bool {
        self.roots.as_deref() == roots
    }

    /// How it stands for requests to an address, which has to be that of its server.
    pub fn standing(&self, server: &Url, now: Timestamp) -> Standing<'_> {
        match (&self.access, &self.refresh) {
            _ if server != self.server.url() => Standing::Over,
            (Some(access), _) if !self.is_old(now) => Standing::Good(access),
            (_, Some(_)) => Standing::Old,
            (_, None) => Standing::Over,
        }
    }

    fn is_old(&self, now: Timestamp) -> bool {
        let Some(end) = self.expires else { return false };
        let life = end.duration_since(self.renewed.unwrap_or(self.since));
        // One that cannot be renewed is used to its end.
        let early = match &self.refresh {
            Some(_) => EARLY.min(life / EARLY_PART),
            None => SignedDuration::ZERO,
        };
        end.duration_since(now) <= early
    }

    /// The token, if it has not ended yet, for when it cannot be renewed just now.
    pub fn until_its_end(&self, server: &Url, now: Timestamp) -> Option<&Secret> {
        let is_over = self.expires.is_some_and(|end| end <= now);
        self.access.as_ref().filter(|_| !is_over && server == self.server.url())
    }

    /// The token that came last.
    pub fn access(&self) -> Option<&Secret> {
        self.access.as_ref()
    }

    /// Whether it may be renewed because its token was refused.
    pub fn may_renew(&self, now: Timestamp) -> bool {
        let is_recent = |renewed: Timestamp| now.duration_since(renewed).abs() < APART;
        self.refresh.is_some() && !self.renewed.is_some_and(is_recent)
    }

    /// What is posted to renew it: to its own issuer, as long as the server still names that one, for the same resource.
    ///
    /// # Errors
    /// If the server or the issuer is another by now.
    pub fn renewal(&self, protected: &Protected, authority: &Authority) -> Result<Form, Mismatch> {
        self.check(protected)?;
        if authority.issuer.as_str() != self.issuer.as_str() {
            return Err(Mismatch::NotItsOwn);
        }
        let refresh = self.refresh.as_ref().ok_or(Mismatch::NoRefresh)?;
        let members = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh.reveal()),
            ("resource", self.resource.reveal()),
        ];
        Ok(Form::new(&authority.token, &self.client, &members))
    }

    /// That the server still is what the login is for.
    ///
    /// # Errors
    /// If it names other issuers or another resource.
    pub fn check(&self, protected: &Protected) -> Result<(), Mismatch> {
        let issuers = protected.issuers();
        if !issuers.iter().any(|issuer| issuer.as_str() == self.issuer.as_str()) {
            let found = issuers.first().map(Issuer::to_string).unwrap_or_default();
            return Err(Mismatch::Issuer { issuer: self.issuer.to_string(), found });
        }
        match *protected.resource() == self.resource {
            true => Ok(()),
            false => Err(Mismatch::Resource {
                resource: self.resource.clone(),
                found: protected.resource().clone(),
            }),
        }
    }

    /// The login with what came of a renewal. An issuer that rotates sends another refresh token; the old one is spent then.
    #[must_use]
    pub fn renewed(&self, tokens: Tokens, now: Timestamp) -> Login {
        Login {
            access: Some(tokens.access),
            refresh: tokens.refresh.or_else(|| self.refresh.clone()),
            expires: tokens.expires,
            scopes: tokens.scopes.unwrap_or_else(|| self.scopes.clone()),
            renewed: Some(now),
            ..self.clone()
        }
    }

    /// The login without tokens: it is over, and only who it was with is still known.
    #[must_use]
    pub fn over(&self) -> Login {
        Login { access: None, refresh: None, expires: None, ..self.clone() }
    }

    /// What is posted to its issuer so that nobody can use the tokens any more (RFC 7009), the lasting one first.
    pub fn revocations(&self, authority: &Authority) -> Vec<Form> {
        let Some(place) = authority.revocation.as_ref() else { return Vec::new() };
        if authority.issuer.as_str() != self.issuer.as_str() {
            return Vec::new();
        }
        let tokens = [("refresh_token", &self.refresh), ("access_token", &self.access)];
        let form = |(kind, token): (&str, &Option<Secret>)| {
            let members = [("token", token.as_ref()?.reveal()), ("token_type_hint", kind)];
            Some(Form::new(place, &self.client, &members))
        };
        tokens.into_iter().filter_map(form).collect()
    }

    /// The server that it is for.
    pub fn server(&self) -> &ServerUrl {
        &self.server
    }

    /// Where it is.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// What it is for.
    pub fn resource(&self) -> &Resource {
        &self.resource
    }

    /// Who we are to its issuer, if it registered us: nobody has to be registered twice.
    pub fn registered(&self) -> Option<(&Client, Redirect)> {
        self.client.redirect.map(|redirect| (&self.client, redirect))
    }

    /// What was asked for.
    pub fn asked(&self) -> &Scopes {
        &self.asked
    }

    /// What it is good for, as its issuer says.
    pub fn scopes(&self) -> &Scopes {
        &self.scopes
    }

    /// Until when its token holds, if that is known.
    pub fn expires(&self) -> Option<Timestamp> {
        self.expires
    }

    /// Since when there is one.
    pub fn since(&self) -> Timestamp {
        self.since
    }

    /// Whether it can be renewed without a person.
    pub fn lasts(&self) -> bool {
        self.refresh.is_some()
    }

    /// Whether it is over, so that only a person can help.
    pub fn is_over(&self) -> bool {
        self.access.is_none() && self.refresh.is_none()
    }
}
