//! Tokens for the requests to one server: read when they change, renewed before they end, by one process at a time.

use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use portcullis_oauth::{Login, Mismatch, Refusal, ServerUrl, Standing, TokenError, Tokens};
use portcullis_remote::{Authorization, Challenge, NoToken, Token, Waiting};
use url::Url;

use crate::find::{self, FindError};
use crate::logins::{Logins, LoginsError, Place};
use crate::web::{Web, WebError};

/// Who keeps the tokens for one server.
#[derive(Clone)]
pub struct Keeper {
    inner: Arc<Inner>,
}

struct Inner {
    server: ServerUrl,
    logins: Arc<Logins>,
    web: Web,
    /// What the server is called.
    called: String,
    /// What the user says to log in.
    command: String,
    seen: Mutex<Option<Seen>>,
    /// Within this process one renewal waits for another here, and between processes at the file.
    turn: tokio::sync::Mutex<()>,
}

/// A login as it was last read.
#[derive(Clone)]
struct Seen {
    state: Place,
    login: Login,
}

/// Why a login is not renewed.
#[derive(Debug, thiserror::Error)]
enum RenewError {
    #[error(transparent)]
    Logins(#[from] LoginsError),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Web(#[from] WebError),
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The issuer may take it later.
    #[error("the issuer does not renew the login now (status {status}{error}); try again later")]
    Later { status: u16, error: String },
    /// Who starts us picks the certificates, and not who gets to see the tokens.
    #[error("the login was made with other certificates (`authorities`) than are believed now")]
    Roots,
    /// Only a person can help.
    #[error("the login is over")]
    Over,
    #[error("something broke while the login was renewed")]
    Broken,
}

impl RenewError {
    /// Whether it may be over next time, without a person.
    fn is_passing(&self) -> bool {
        match self {
            RenewError::Find(FindError::Web(_))
            | RenewError::Logins(LoginsError::Held)
            | RenewError::Web(_)
            | RenewError::Token(_)
            | RenewError::Later { .. }
            | RenewError::Broken => true,
            RenewError::Find(_)
            | RenewError::Logins(_)
            | RenewError::Mismatch(_)
            | RenewError::Roots
            | RenewError::Over => false,
        }
    }
}

impl Keeper {
    /// Keeps the tokens for a server, that is called so, and for which the user logs in by this command.
    pub fn new(server: ServerUrl, logins: Arc<Logins>, web: Web, called: &str, command: &str) -> Keeper {
        let inner = Inner {
            server,
            logins,
            web,
            called: called.to_owned(),
            command: command.to_owned(),
            seen: Mutex::default(),
            turn: tokio::sync::Mutex::default(),
        };
        Keeper { inner: Arc::new(inner) }
    }

    async fn current(&self, place: &Url) -> Result<Option<Token>, NoToken> {
        let inner = &self.inner;
        if place != inner.server.url() {
            return Err(NoToken("a token was wanted for another server than its own".to_owned()));
        }
        let looked = Arc::clone(inner);
        // The keyring may have to ask the user first.
        let login = tokio::task::spawn_blocking(move || looked.look()).await;
        let login = login.map_err(|_| RenewError::Broken).and_then(|login| Ok(login?));
        let Some(login) = login.map_err(|error| inner.told(&error))? else { return Ok(None) };
        inner.check_roots(&login).map_err(|error| inner.told(&error))?;
        match login.standing(place, Timestamp::now()) {
            Standing::Good(token) => Ok(Some(Token::new(token.reveal()))),
            Standing::Old => match self.renewed(None).await {
                // What still holds is used, if nobody can be asked just now.
                Err(error) if error.is_passing() => {
                    let token =
                        login.until_its_end(place, Timestamp::now()).ok_or_else(|| inner.told(&error))?;
                    Ok(Some(Token::new(token.reveal())))
                }
                renewed => renewed.map_err(|error| inner.told(&error)),
            },
            Standing::Over => Err(inner.told(&RenewError::Over)),
        }
    }

    /// Renews the login in a task of its own: a request that is taken back meanwhile must not lose what the issuer gave.
    async fn renewed(&self, refused: Option<Token>) -> Result<Option<Token>, RenewError> {
        let inner = Arc::clone(&self.inner);
        let task = tokio::spawn(async move { inner.renew(refused.as_ref()).await });
        task.await.unwrap_or(Err(RenewError::Broken))
    }
}

impl Inner {
    /// The login as it is kept. The file is read only when it is another one.
    fn look(&self) -> Result<Option<Login>, LoginsError> {
        let Some(state) = self.logins.state(&self.server) else { return Ok(None) };
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(seen) = seen.filter(|seen| seen.state == state) {
            return Ok(Some(seen.login));
        }
        let login = self.logins.read(&self.server)?;
        let seen = login.clone().map(|login| Seen { state, login });
        *self.seen.lock().unwrap_or_else(PoisonError::into_inner) = seen;
        Ok(login)
    }

    /// A token in place of the one that was refused or is old; none if there is no other.
    async fn renew(&self, refused: Option<&Token>) -> Result<Option<Token>, RenewError> {
        let _turn = self.turn.lock().await;
        let locked = self.logins.lock(&self.server).await?;
        let Some(login) = locked.read()? else { return Ok(None) };
        self.check_roots(&login)?;
        let now = Timestamp::now();
        match (login.standing(self.server.url(), now), refused) {
            // Somebody else has renewed it meanwhile.
            (Standing::Good(token), None) => return Ok(Some(Token::new(token.reveal()))),
            (Standing::Good(token), Some(refused)) if !token.is(refused.reveal()) => {
                return Ok(Some(Token::new(token.reveal())));
            }
            (Standing::Good(_), Some(_)) if !login.may_renew(now) => return Ok(None),
            (Standing::Over, _) => return Err(RenewError::Over),
            (Standing::Good(_) | Standing::Old, _) => {}
        }
        let challenge = self.web.challenge(&self.server).await?;
        let protected = find::protected(&self.web, &self.server, &challenge).await?;
        login.check(&protected)?;
        let authority = find::authority(&self.web, login.issuer()).await?;
        let answered = self.web.post(&login.renewal(&protected, &authority)?).await?;
        if !answered.status.is_success() {
            let refusal = Refusal::read(&answered.body);
            if refusal.is_final() {
                locked.rewrite(&login.over())?;
                return Err(RenewError::Over);
            }
            let error = if refusal.error.is_empty() { String::new() } else { format!(", {}", refusal.error) };
            return Err(RenewError::Later { status: answered.status.as_u16(), error });
        }
        let now = Timestamp::now();
        let login = login.renewed(Tokens::read(&answered.body, now)?, now);
        // Before it is used: the token before it may be spent.
        locked.rewrite(&login)?;
        Ok(login.access().map(|token| Token::new(token.reveal())))
    }

    fn check_roots(&self, login: &Login) -> Result<(), RenewError> {
        if login.is_under(self.web.roots()) { Ok(()) } else { Err(RenewError::Roots) }
    }

    /// What is told of a failure, with what the user can do.
    fn told(&self, error: &RenewError) -> NoToken {
        let (called, command) = (&self.called, &self.command);
        NoToken(match (error, error.is_passing()) {
            (RenewError::Over, _) => format!("`{called}` wants you to log in again: say `{command}`"),
            (error, true) => format!("the login for `{called}` cannot be renewed: {error}"),
            (error, false) => {
                format!("{error}; if that is right, log in to `{called}` again: say `{command}`")
            }
        })
    }
}

impl Authorization for Keeper {
    fn token<'w>(&'w self, place: &'w Url) -> Waiting<'w, Result<Option<Token>, NoToken>> {
        Box::pin(self.current(place))
    }

    fn another<'w>(
        &'w self,
        place: &'w Url,
        refused: &'w Token,
    ) -> Waiting<'w, Result<Option<Token>, NoToken>> {
        Box::pin(async move {
            match place == self.inner.server.url() {
                true => {
                    let renewed = self.renewed(Some(refused.clone())).await;
                    renewed.map_err(|error| self.inner.told(&error))
                }
                false => Ok(None),
            }
        })
    }

    fn advice(&self, status: u16, challenge: &Challenge) -> String {
        let Inner { called, command, .. } = &*self.inner;
        let wants_more = status == 403 && challenge.error.as_deref() == Some("insufficient_scope");
        let is_word = |scope: &str| !scope.is_empty() && !scope.contains(['\'', '`']);
        match challenge.scope.as_deref().filter(|scope| wants_more && is_word(scope)) {
            Some(scope) => format!("`{called}` wants you to allow more: say `{command} --scope '{scope}'`"),
            None if wants_more => {
                format!(
                    "`{called}` wants you to allow more, and does not say what: say `{command} --scope …`"
                )
            }
            None if status == 403 => format!("`{called}` does not allow that to who is logged in"),
            None => format!("`{called}` wants you to log in: say `{command}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis_oauth::{Client, Issuer, Near, Protected, Redirect, Scopes};

    use super::*;
    use crate::sealed::KeySource;

    /// A login whose issuer nobody listens at.
    fn login() -> Login {
        let server = ServerUrl::read("http://127.0.0.1:1/mcp").unwrap();
        let text = r#"{"resource":"http://127.0.0.1:1/mcp","authorization_servers":["http://127.0.0.1:1"]}"#;
        let protected = Protected::read(text.as_bytes(), &server, server.url()).unwrap();
        let client = Client::registered(b"{\"client_id\":\"c\"}", Redirect { port: 1 }).unwrap();
        let body = r#"{"access_token":"t-access","token_type":"Bearer","refresh_token":"t-refresh"}"#;
        let tokens = Tokens::read(body.as_bytes(), Timestamp::UNIX_EPOCH).unwrap();
        let issuer = Issuer::read("http://127.0.0.1:1", Near::ThisMachine).unwrap();
        Login::new(&server, &protected, &issuer, (client, Scopes::default()), tokens, Timestamp::UNIX_EPOCH)
    }

    #[tokio::test]
    async fn a_login_is_of_no_use_under_certificates_that_it_was_not_made_with() {
        let folder = tempfile::tempdir().unwrap();
        let web = || Web::new(None).unwrap();
        for (number, made, now, is_good) in [
            (0, None, web(), true),
            (1, None, web().under("mine"), false),
            (2, Some("mine"), web().under("mine"), true),
            (3, Some("mine"), web().under("theirs"), false),
            (4, Some("mine"), web(), false),
        ] {
            let login = login().under(made);
            let logins =
                Arc::new(Logins::at(folder.path().join(number.to_string()), Arc::new(|| Ok([1; 32]))));
            logins.lock(login.server()).await.unwrap().write(&login, KeySource::File).unwrap();
            let keeper = Keeper::new(login.server().clone(), logins, now.clone(), "x", "portcullis login x");
            let token = keeper.token(login.server().url()).await;
            match token {
                Ok(token) => assert!(token.is_some() && is_good, "{number}"),
                Err(NoToken(told)) => {
                    assert!(!is_good && told.contains("other certificates"), "{number}: {told}");
                    assert!(told.ends_with("say `portcullis login x`"), "{told}");
                }
            }
            // Nor is it renewed: who asks the issuer fails in another way, as nobody listens there.
            let renewed = keeper.renewed(Some(Token::new("t-access"))).await;
            let is_kept_back = matches!(renewed, Err(RenewError::Roots));
            assert_eq!(is_kept_back, !is_good, "{number}");
            assert!(renewed.is_err(), "{number}");
        }
    }
}
