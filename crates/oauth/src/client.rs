//! Who we are to an issuer: known to it beforehand, by a document that it can read, or registered.

use portcullis_wire::json::quote;
use url::Url;

use crate::address::{self, AddressError, Near};
use crate::authority::{Authority, Issuer};
use crate::members::{self, MemberError};
use crate::scopes::Scopes;
use crate::secret::Secret;

/// The path of answers from the browser.
const CALLBACK: &str = "/callback";
/// The longest id of a client.
const LONGEST_ID: usize = 2048;

/// Where the browser brings the answer: this machine, at this port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Redirect {
    /// The port that is listened on.
    pub port: u16,
}

impl Redirect {
    /// The address, as it is registered and sent. A number and not `localhost`, which might be somebody else's (RFC 8252).
    pub fn address(self) -> String {
        format!("http://127.0.0.1:{}{CALLBACK}", self.port)
    }

    /// The path of it.
    pub fn path(self) -> &'static str {
        CALLBACK
    }
}

/// How a client proves that it is itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// It cannot: programs on a user's machine have no secrets. PKCE ties the code to the one who asked for it.
    None,
    /// By a secret in the header `Authorization`.
    Basic,
    /// By a secret in the form.
    Posted,
}

/// Who we are to an issuer.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) id: String,
    pub(crate) secret: Option<Secret>,
    pub(crate) proof: Proof,
    /// Where answers go, if that was registered.
    pub(crate) redirect: Option<Redirect>,
}

/// What the user has set about who we are.
#[derive(Clone, Debug, Default)]
pub struct Configured {
    /// An id that the issuer gave out, with the issuer that did.
    pub known: Option<(String, Issuer)>,
    /// The secret that belongs to the id.
    pub secret: Option<Secret>,
    /// Where a document says who we are.
    pub document: Option<String>,
}

/// How we become somebody to an issuer.
#[derive(Clone, Debug)]
pub enum Way {
    /// We are somebody already.
    Client(Client),
    /// By registering here.
    Register(Url),
}

/// Why we are nobody to an issuer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoWay {
    /// The id was given out by another issuer, which alone may see it.
    #[error(
        "the `client_id` in your settings was given out by `{known}`, but the server now wants tokens of `{found}`; if that is \
         right, register with that one and set `client_id` and `issuer` anew"
    )]
    OtherIssuer {
        /// Who gave it out.
        known: String,
        /// Who would get it.
        found: String,
    },
    /// The place of the document is no place for one.
    #[error("the `client_document` in your settings {0}")]
    Document(AddressError),
    /// The issuer wants to know us, and does not.
    #[error(
        "`{issuer}` registers no programs by itself; register Portcullis there by hand with the redirect address \
         `http://127.0.0.1/callback`, and set `client_id` and `issuer` for this server{}", document(.takes_documents)
    )]
    Unknown {
        /// Which issuer.
        issuer: String,
        /// Whether it reads documents.
        takes_documents: bool,
    },
}

fn document(takes_documents: &bool) -> &'static str {
    match takes_documents {
        true => ", or `client_document` to an address at which a document says who you are",
        false => "",
    }
}

/// How we become somebody to an issuer, in the order of MCP: what is known, a document, a registration.
///
/// # Errors
/// If there is no way, or the one that is set leads to another issuer.
pub fn way(authority: &Authority, configured: &Configured) -> Result<Way, NoWay> {
    let issuer = authority.issuer();
    if let Some((id, known)) = &configured.known {
        if known.as_str() != issuer.as_str() {
            let (known, found) = (known.to_string(), issuer.to_string());
            return Err(NoWay::OtherIssuer { known, found });
        }
        let proof = match (&configured.secret, authority.takes_basic) {
            (None, _) => Proof::None,
            (Some(_), true) => Proof::Basic,
            (Some(_), false) => Proof::Posted,
        };
        return Ok(Way::Client(Client {
            id: id.clone(),
            secret: configured.secret.clone(),
            proof,
            redirect: None,
        }));
    }
    match (&configured.document, authority.takes_documents, authority.registration()) {
        (Some(place), true, _) => {
            let url = address::read(place, Near::Elsewhere).map_err(NoWay::Document)?;
            // A host alone is no document, and could be any program's.
            if url.path() == "/" {
                return Err(NoWay::Document(AddressError::NotAUrl));
            }
            Ok(Way::Client(Client { id: place.clone(), secret: None, proof: Proof::None, redirect: None }))
        }
        (_, _, Some(place)) => Ok(Way::Register(place.clone())),
        (_, takes_documents, None) => Err(NoWay::Unknown { issuer: issuer.to_string(), takes_documents }),
    }
}

/// What a program says of itself to be registered (RFC 7591).
pub fn registration(redirect: Redirect, scopes: &Scopes) -> String {
    let scope = match scopes.is_empty() {
        true => String::new(),
        false => format!(",\"scope\":{}", quote(&scopes.to_string())),
    };
    format!(
        "{{\"client_name\":\"Portcullis\",\"application_type\":\"native\",\"redirect_uris\":[{}],\
         \"grant_types\":[\"authorization_code\",\"refresh_token\"],\"response_types\":[\"code\"],\
         \"token_endpoint_auth_method\":\"none\"{scope}}}",
        quote(&redirect.address())
    )
}

/// Why a registration is of no use.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClientError {
    /// Not of the form that it has to have.
    #[error("the answer to the registration {0}")]
    Form(#[from] MemberError),
    /// We would have to prove ourselves in a way that we cannot.
    #[error(
        "the issuer wants the client to prove itself in a way that is not known here (`token_endpoint_auth_method`)"
    )]
    Proof,
}

impl Client {
    /// Reads what came of a registration, for answers that go here.
    ///
    /// # Errors
    /// If it names no client that we could be.
    pub fn registered(bytes: &[u8], redirect: Redirect) -> Result<Client, ClientError> {
        let document = members::object(bytes)?;
        let root = document.root();
        let id = members::needed_text(root, "client_id")?.into_owned();
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err(MemberError::Wrong("client_id").into());
        }
        let secret = members::text(root, "client_secret")?.map(|text| Secret::new(text.into_owned()));
        let method = members::text(root, "token_endpoint_auth_method")?;
        let proof = match (method.as_deref(), &secret) {
            (Some("none"), _) | (None, None) => Proof::None,
            (Some("client_secret_post"), Some(_)) => Proof::Posted,
            (Some("client_secret_basic") | None, Some(_)) => Proof::Basic,
            _ => return Err(ClientError::Proof),
        };
        let secret = secret.filter(|_| proof != Proof::None);
        Ok(Client { id, secret, proof, redirect: Some(redirect) })
    }

    /// The name under which the issuer knows us.
    pub fn id(&self) -> &str {
        &self.id
    }
}
