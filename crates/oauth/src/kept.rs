//! A login as it is kept. Whoever keeps it seals it: it has the tokens in it.

use jiff::Timestamp;
use portcullis_wire::json::{Node, quote};

use crate::address::{Near, ServerUrl};
use crate::authority::Issuer;
use crate::client::{Client, Proof, Redirect};
use crate::login::Login;
use crate::members::{self, MemberError};
use crate::resource::Resource;
use crate::scopes::Scopes;
use crate::secret::Secret;

/// The form in which logins are written.
const VERSION: u64 = 1;

/// Why what was kept is no login.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeptError {
    /// Not of the form that it has to have.
    #[error("what was kept {0}")]
    Form(#[from] MemberError),
    /// Another version wrote it.
    #[error("what was kept is of another version of Portcullis; log in again")]
    Version,
}

impl Login {
    /// The login as a text, with its tokens.
    pub fn write(&self) -> Secret {
        let secret = |secret: &Option<Secret>| secret.as_ref().map(|secret| secret.reveal().to_owned());
        let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
        let members = [
            ("server", Some(self.server.url().to_string())),
            ("issuer", Some(self.issuer.to_string())),
            ("resource", Some(self.resource.reveal().to_owned())),
            ("client", Some(self.client.id.clone())),
            ("client_secret", secret(&self.client.secret)),
            ("proof", Some(name_of(self.client.proof).to_owned())),
            ("port", self.client.redirect.map(|redirect| redirect.port.to_string())),
            ("asked", Some(self.asked.to_string())),
            ("scopes", Some(self.scopes.to_string())),
            ("access", secret(&self.access)),
            ("refresh", secret(&self.refresh)),
            ("expires", time(self.expires)),
            ("since", time(Some(self.since))),
            ("renewed", time(self.renewed)),
            ("roots", self.roots.clone()),
        ];
        let mut text = format!("{{\"version\":{VERSION}");
        for (name, value) in members {
            if let Some(value) = value.map(Secret::new) {
                let quoted = Secret::new(quote(value.reveal()));
                text.push_str(&format!(",\"{name}\":{}", quoted.reveal()));
            }
        }
        text.push('}');
        Secret::new(text)
    }

    /// Reads a login that was kept.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(bytes: &[u8]) -> Result<Login, KeptError> {
        let document = members::object(bytes)?;
        let root = document.root();
        if root.get("version").and_then(Node::as_u64) != Some(VERSION) {
            return Err(KeptError::Version);
        }
        let needed = |name| members::needed_text(root, name);
        let wrong = MemberError::Wrong;
        let server = ServerUrl::read(&needed("server")?).map_err(|_| wrong("server"))?;
        let issuer = Issuer::read(&needed("issuer")?, Near::ThisMachine).map_err(|_| wrong("issuer"))?;
        let secret = |name| -> Result<Option<Secret>, MemberError> {
            Ok(members::text(root, name)?.map(|text| Secret::new(text.into_owned())))
        };
        let scopes = |name| Scopes::read(&needed(name)?).map_err(|_| wrong(name));
        let time = |name| -> Result<Option<Timestamp>, MemberError> {
            members::text(root, name)?.map(|text| text.parse().map_err(|_| wrong(name))).transpose()
        };
        let proof = proof_of(&needed("proof")?).ok_or(wrong("proof"))?;
        let port = members::text(root, "port")?.map(|text| text.parse().map_err(|_| wrong("port")));
        let redirect = port.transpose()?.map(|port| Redirect { port });
        let id = needed("client")?.into_owned();
        let client = Client { id, secret: secret("client_secret")?, proof, redirect };
        Ok(Login {
            server,
            issuer,
            resource: Resource::kept(needed("resource")?.into_owned()),
            client,
            asked: scopes("asked")?,
            scopes: scopes("scopes")?,
            access: secret("access")?,
            refresh: secret("refresh")?,
            expires: time("expires")?,
            since: time("since")?.ok_or(MemberError::Missing("since"))?,
            renewed: time("renewed")?,
            roots: members::text(root, "roots")?.map(std::borrow::Cow::into_owned),
        })
    }
}

fn name_of(proof: Proof) -> &'static str {
    match proof {
        Proof::None => "none",
        Proof::Basic => "basic",
        Proof::Posted => "posted",
    }
}

fn proof_of(name: &str) -> Option<Proof> {
    [Proof::None, Proof::Basic, Proof::Posted].into_iter().find(|proof| name_of(*proof) == name)
}
