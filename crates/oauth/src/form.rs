//! Requests to an issuer that carry secrets.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use url::Url;
use url::form_urlencoded::{Serializer, byte_serialize};

use crate::client::{Client, Proof};
use crate::secret::Secret;

/// A form that is posted to an issuer, and to nobody else.
#[derive(Clone, Debug)]
pub struct Form {
    place: Url,
    body: Secret,
    authorization: Option<Secret>,
}

impl Form {
    /// A form with these members, by this client.
    pub(crate) fn new(place: &Url, client: &Client, members: &[(&str, &str)]) -> Form {
        let mut form = Serializer::new(String::new());
        for (name, value) in members {
            form.append_pair(name, value);
        }
        let mut authorization = None;
        match (&client.proof, &client.secret) {
            (Proof::Basic, Some(secret)) => {
                let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
                let pair = Secret::new(format!("{}:{}", encoded(&client.id), encoded(secret.reveal())));
                authorization = Some(Secret::new(format!("Basic {}", STANDARD.encode(pair.reveal()))));
            }
            (Proof::Posted, Some(secret)) => {
                form.append_pair("client_id", &client.id);
                form.append_pair("client_secret", secret.reveal());
            }
            (Proof::None | Proof::Basic | Proof::Posted, _) => {
                form.append_pair("client_id", &client.id);
            }
        }
        Form { place: place.clone(), body: Secret::new(form.finish()), authorization }
    }

    /// Where it is posted.
    pub fn place(&self) -> &Url {
        &self.place
    }

    /// The body, of the type `application/x-www-form-urlencoded`.
    pub fn body(&self) -> &Secret {
        &self.body
    }

    /// The header `Authorization`, if there is one.
    pub fn authorization(&self) -> Option<&Secret> {
        self.authorization.as_ref()
    }
}
