//! One attempt to log in: what the browser is sent to, and what it brings back (OAuth 2.1, PKCE, RFC 8707, RFC 9207).

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use url::Url;
use url::form_urlencoded;

use crate::authority::Authority;
use crate::client::{Client, Redirect};
use crate::form::Form;
use crate::resource::{Protected, Resource};
use crate::scopes::Scopes;
use crate::secret::Secret;

/// The longest code that is taken.
const LONGEST_CODE: usize = 8 << 10;
/// So much is shown of what an issuer says about an error.
const LONGEST_WORDS: usize = 200;
/// No answer has more members.
const MOST_MEMBERS: usize = 32;

/// Bytes that nobody can guess, for one attempt.
pub struct Chance {
    /// For `state`, by which the answer is known to be to this question.
    pub state: [u8; 32],
    /// For the verifier of PKCE, by which the code is ours alone.
    pub verifier: [u8; 32],
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Who we are.
    pub client: Client,
    /// What the token is to be good for.
    pub scopes: Scopes,
    /// Where the answer goes.
    pub redirect: Redirect,
}

/// One attempt to log in. It is used up by its answer.
#[derive(Debug)]
pub struct Attempt {
    authority: Authority,
    resource: Resource,
    asked: Asked,
    state: Secret,
    verifier: Secret,
}

/// A code that can be changed into tokens, once, by the attempt that it answers.
#[derive(Debug)]
pub struct Answer {
    code: Secret,
}

/// Why an answer is not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerError {
    /// It belongs to no attempt of ours.
    #[error("an answer came to a question that was not asked here (`state`)")]
    State,
    /// It is that of another issuer, which wants to see the code of this one or the other way round.
    #[error(
        "the answer is that of another issuer than the one that was asked (`iss`); nothing was sent to either"
    )]
    Issuer,
    /// The issuer says that it names itself, and did not.
    #[error(
        "the answer does not say which issuer it is of (`iss`), though the issuer says that its answers do"
    )]
    NoIssuer,
    /// A member is there twice, so that two programs would read two answers.
    #[error("the answer says `{0}` twice")]
    Twice(&'static str),
    /// The issuer, or the person, said no.
    #[error("the issuer refused: {error}{description}")]
    Refused {
        /// By its own name for that.
        error: String,
        /// In its own words.
        description: String,
    },
    /// There is no code in it.
    #[error("the answer has no code in it")]
    NoCode,
}

impl Attempt {
    /// Begins an attempt.
    pub fn new(authority: &Authority, protected: &Protected, asked: Asked, chance: &Chance) -> Attempt {
        Attempt {
            authority: authority.clone(),
            resource: protected.resource().clone(),
            asked,
            state: Secret::new(URL_SAFE_NO_PAD.encode(chance.state)),
            verifier: Secret::new(URL_SAFE_NO_PAD.encode(chance.verifier)),
        }
    }

    /// What the browser is sent to. `state` is in it, so that it is not to be kept.
    pub fn url(&self) -> Url {
        let mut url = self.authority.authorization.clone();
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier.reveal()));
        let scopes = self.asked.scopes.to_string();
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &self.asked.client.id)
            .append_pair("redirect_uri", &self.asked.redirect.address())
            .append_pair("state", self.state.reveal())
            .append_pair("code_challenge", &challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", self.resource.reveal());
        if !scopes.is_empty() {
            query.append_pair("scope", &scopes);
        }
        // OpenID Connect gives tokens that last only to whom the person is asked about.
        if self.asked.scopes.has("offline_access") {
            query.append_pair("prompt", "consent");
        }
        drop(query);
        url
    }

    /// Reads the query that the browser brings back. Nothing of an answer that is not ours is told.
    ///
    /// # Errors
    /// If it is no answer to this attempt, or the answer is no.
    pub fn answer(&self, query: &str) -> Result<Answer, AnswerError> {
        // Anybody can write the state twice; that is no answer to us either.
        let state = sole(query, "state").ok().flatten().ok_or(AnswerError::State)?;
        if !self.state.is(&state) {
            return Err(AnswerError::State);
        }
        match (sole(query, "iss")?, self.authority.names_itself) {
            (Some(issuer), _) if issuer != self.authority.issuer.as_str() => return Err(AnswerError::Issuer),
            (None, true) => return Err(AnswerError::NoIssuer),
            (Some(_), _) | (None, false) => {}
        }
        if let Some(error) = sole(query, "error")? {
            let words = sole(query, "error_description")?.unwrap_or_default();
            let description = if words.is_empty() { words } else { format!(" ({})", printable(&words)) };
            return Err(AnswerError::Refused { error: printable(&error), description });
        }
        match sole(query, "code")?.filter(|code| !code.is_empty() && code.len() <= LONGEST_CODE) {
            Some(code) => Ok(Answer { code: Secret::new(code) }),
            None => Err(AnswerError::NoCode),
        }
    }

    /// What is posted to change the code into tokens.
    pub fn token_request(&self, answer: &Answer) -> Form {
        let redirect = self.asked.redirect.address();
        let members = [
            ("grant_type", "authorization_code"),
            ("code", answer.code.reveal()),
            ("redirect_uri", &redirect),
            ("code_verifier", self.verifier.reveal()),
            ("resource", self.resource.reveal()),
        ];
        Form::new(&self.authority.token, &self.asked.client, &members)
    }

    /// What was asked for.
    pub fn asked(&self) -> &Asked {
        &self.asked
    }
}

/// A member that is there once, or not at all.
fn sole(query: &str, name: &'static str) -> Result<Option<String>, AnswerError> {
    let members = form_urlencoded::parse(query.as_bytes()).take(MOST_MEMBERS);
    let mut found = members.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    match (found.next(), found.next()) {
        (first, None) => Ok(first),
        (_, Some(_)) => Err(AnswerError::Twice(name)),
    }
}

/// The beginning of what an issuer says, of letters that steer no terminal.
pub(crate) fn printable(text: &str) -> String {
    let plain = |letter: char| if matches!(letter, ' '..='~') { letter } else { '?' };
    text.chars().take(LONGEST_WORDS).map(plain).collect()
}
