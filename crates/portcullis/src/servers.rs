//! Servers as settings name them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use portcullis_gateway::Server;
use portcullis_gateway::child::{Launch, Passed};
use portcullis_identity::server::TlsHold;
use portcullis_remote::{Address, AddressError};
use portcullis_serve::Target;
use serde::Deserialize;

use crate::logins::{Entrance, LoginPart, LoginPartError};

/// A server.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ServerPart {
    /// The command that starts it.
    command: Vec<String>,
    /// Or its address.
    url: Option<String>,
    /// What is sent along to an address, such as a token. `${NAME}` is the variable of that name.
    headers: BTreeMap<String, String>,
    /// Certificates of authorities that are believed besides those of the system, for an address.
    authorities: Option<PathBuf>,
    /// What of the certificate of an address has to stay.
    tls: Option<TlsHold>,
    /// What a command gets of our environment, by name.
    pass: Vec<String>,
    /// What it gets besides. `${NAME}` is the variable of that name.
    env: BTreeMap<String, String>,
    /// How one logs in to an address, where that cannot be found out.
    pub(crate) login: LoginPart,
    /// Its own things count as inside the organisation.
    pub(crate) approved: bool,
}

// Headers and variables are secret more often than not.
impl std::fmt::Debug for ServerPart {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ServerPart").field("command", &self.command).finish_non_exhaustive()
    }
}

/// Why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    #[error("a server needs either a `command` or a `url`")]
    NeitherNorBoth,
    #[error("`{0}` belongs to a server with a `{1}`")]
    Misplaced(&'static str, &'static str),
    #[error("the variable `{0}` is not set")]
    Unset(String),
    #[error("`${{` has no `}}` behind it")]
    Unclosed,
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error("either a header `Authorization` or a `login` lets one in, not both")]
    LoginAndHeader,
    #[error("`login`: {0}")]
    Login(#[from] LoginPartError),
    #[error("a name has letters, digits and `-` only, at most 32 of them")]
    Name,
}

impl ServerPart {
    /// A server at an address.
    pub(crate) fn at(
        url: &str,
        headers: BTreeMap<String, String>,
        authorities: Option<PathBuf>,
        tls: Option<TlsHold>,
    ) -> ServerPart {
        ServerPart { url: Some(url.to_owned()), headers, authorities, tls, ..ServerPart::default() }
    }

    /// Who it is.
    pub(crate) fn server(&self, name: Option<&str>) -> Server {
        match &self.url {
            Some(url) => Server::at(url, name).holding(self.tls.unwrap_or_default()),
            None => Server::started(&self.command, name),
        }
    }

    /// Its address, if it has one.
    pub(crate) fn url(&self) -> Option<&str> {
        self.url.as_deref()
    }

    /// The file of certificates that are believed besides those of the system.
    pub(crate) fn authorities(&self) -> Option<&Path> {
        self.authorities.as_deref()
    }

    /// Whether a header of the settings lets us in.
    pub(crate) fn has_token(&self) -> bool {
        self.headers.keys().any(|name| name.eq_ignore_ascii_case("authorization"))
    }

    /// How it is reached, by somebody who works in this folder and logs in in this way.
    pub(crate) fn target(&self, workspace: &Path, entrance: &Entrance<'_>) -> Result<Target, ServerError> {
        let filled = |texts: &BTreeMap<String, String>| -> Result<Vec<(String, String)>, ServerError> {
            let filled = |(name, text): (&String, &String)| Ok((name.clone(), fill(text)?));
            texts.iter().map(filled).collect()
        };
        let misplaced = [
            ("headers", !self.headers.is_empty(), "url"),
            ("authorities", self.authorities.is_some(), "url"),
            ("tls", self.tls.is_some(), "url"),
            ("login", self.login.is_set(), "url"),
            ("pass", !self.pass.is_empty(), "command"),
            ("env", !self.env.is_empty(), "command"),
        ];
        let wrong = if self.url.is_some() { "command" } else { "url" };
        if let Some((member, _, of)) = misplaced.iter().find(|(_, is_there, of)| *is_there && *of == wrong) {
            return Err(ServerError::Misplaced(member, of));
        }
        match (&self.url, self.command.is_empty()) {
            (Some(url), true) => {
                let mut address = Address::new(url)?;
                address.headers = filled(&self.headers)?;
                address.extra_roots.clone_from(&self.authorities);
                if self.login.is_set() {
                    if self.has_token() {
                        return Err(ServerError::LoginAndHeader);
                    }
                    self.login.check(url)?;
                }
                if !self.has_token() {
                    address.authorization = entrance.keeper(&address, self.authorities());
                }
                Ok(Target::Address(Box::new(address)))
            }
            (None, false) => {
                let passed = Passed::Named(self.pass.clone());
                Ok(Target::Command(launch(&self.command, workspace, passed, filled(&self.env)?)))
            }
            (Some(_), false) | (None, true) => Err(ServerError::NeitherNorBoth),
        }
    }
}

/// How a command is started for somebody who works in this folder.
pub(crate) fn launch(
    command: &[String],
    workspace: &Path,
    passed: Passed,
    mut set: Vec<(String, String)>,
) -> Launch {
    // What a server starts is told apart by it, even if nobody knows any more who started it.
    set.push(("PORTCULLIS_GUARDED".to_owned(), "1".to_owned()));
    Launch { command: command.to_vec(), folder: Some(workspace.to_owned()), passed, set }
}

/// Whether it can be the name of a server, in addresses and before the names of tools.
pub(crate) fn check_name(name: &str) -> Result<(), ServerError> {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    if is_plain && (1..=32).contains(&name.len()) { Ok(()) } else { Err(ServerError::Name) }
}

/// A text with variables put in.
pub(crate) fn fill(text: &str) -> Result<String, ServerError> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("${") {
        let (name, behind) = behind.split_once('}').ok_or(ServerError::Unclosed)?;
        filled.push_str(before);
        filled.push_str(&std::env::var(name).map_err(|_| ServerError::Unset(name.to_owned()))?);
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(text: &str) -> Result<(), String> {
        let part: ServerPart = toml::from_str(text).map_err(|error| error.message().to_owned())?;
        let key: portcullis_login::FileKey = std::sync::Arc::new(|| Ok([0; 32]));
        let logins = portcullis_login::Logins::at("/nonexistent".into(), key).into();
        let entrance = Entrance { logins, called: "x", command: "portcullis login x".to_owned() };
        part.target(Path::new("/w"), &entrance).map(|_| ()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_server_is_a_command_or_an_address() {
        assert_eq!(target("command = ['npx', 'x']\npass = ['A']"), Ok(()));
        assert_eq!(target("url = 'https://mcp.example/mcp'"), Ok(()));
        for (text, error) in [
            ("", "either a `command` or a `url`"),
            ("command = ['a']\nurl = 'https://b.example'", "either a `command` or a `url`"),
            ("command = ['a']\nheaders = {A = 'b'}", "`headers` belongs to a server with a `url`"),
            ("url = 'https://b.example'\nenv = {A = 'b'}", "`env` belongs to a server with a `command`"),
            (
                "url = 'https://b.example'\nheaders = {A = '${PORTCULLIS_NO_SUCH}'}",
                "`PORTCULLIS_NO_SUCH` is not set",
            ),
            ("url = 'https://b.example'\nheaders = {A = '${B'}", "no `}` behind it"),
            ("comand = ['a']", "unknown field"),
            ("command = ['a']\nlogin = {port = 1}", "`login` belongs to a server with a `url`"),
            (
                "url = 'https://b.example'\nheaders = {authorization = 'Bearer x'}\nlogin = {port = 1}",
                "either a header `Authorization` or a `login`",
            ),
            ("url = 'https://b.example'\nlogin = {client_id = 'x'}", "`login`: `client_id` needs `issuer`"),
        ] {
            let told = target(text).unwrap_err();
            assert!(told.contains(error), "{text}: {told}");
        }
    }

    #[test]
    fn variables_are_put_in() {
        let home = std::env::var("PATH").unwrap();
        assert_eq!(fill("a ${PATH} $b {c}").unwrap(), format!("a {home} $b {{c}}"));
    }
}
