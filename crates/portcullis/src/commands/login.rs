//! `portcullis login`: log in to a server that wants a user's token.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_lattice::words::shown;
use portcullis_login::{KeySource, Logins, Plan, Web, open_browser};
use portcullis_oauth::{Login, Scopes};
use portcullis_store::{Commit, CommitError, NewEntry, Store};
use serde_json::json;
use url::Url;

use crate::configuration;
use crate::confirm::confirmed;
use crate::failure::Failure;
use crate::gate::GateError;
use crate::logins;
use crate::places::Places;
use crate::servers::ServerPart;
use crate::trusted::Trusted;
use crate::whose;

/// Which server is meant.
#[derive(Args, Debug)]
pub(crate) struct Meant {
    /// The server: its name in portcullis.toml, or its address.
    #[arg(value_name = "NAME|URL")]
    pub(crate) server: String,
    /// The file that names the servers [default: your own portcullis.toml].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Believe the certificates in this file too, for an address.
    #[arg(long, value_name = "FILE")]
    authorities: Option<PathBuf>,
}

/// What `login` needs.
#[derive(Args, Debug)]
pub(crate) struct LoginArgs {
    #[command(flatten)]
    meant: Meant,
    /// Ask for this besides what the server wants; may be given several times.
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<String>,
    /// Do not open a browser: the address is printed, and you open it yourself on this machine.
    #[arg(long)]
    no_browser: bool,
    /// Keep the key of your tokens in a file, though there is a keyring.
    #[arg(long)]
    without_keyring: bool,
    /// The only issuer that is asked; needed for --client-id.
    #[arg(long, value_name = "URL")]
    issuer: Option<String>,
    /// The id that the issuer gave you for Portcullis, if it registers no programs by itself.
    #[arg(long, value_name = "ID", requires = "issuer")]
    client_id: Option<String>,
    /// The address at which a document says who you are, for issuers that read one.
    #[arg(long, value_name = "URL")]
    client_document: Option<String>,
    /// The port that the browser comes back to, for issuers that want to know it beforehand.
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
}

pub(crate) const HELP: &str = r#"Examples:

  portcullis login tracker                     # a server of your portcullis.toml
  portcullis login https://mcp.example/mcp     # for `portcullis run --url https://mcp.example/mcp`
  portcullis login tracker --scope files:write # ask for more than before

Who gives out tokens for the server is found out from it and shown to you first. You log in there in
your browser, which comes back to this machine. The tokens are kept encrypted, are renewed by
themselves, and are sent to this server alone. What cannot be found out is set for the server:

  [servers.tracker]
  url = "https://mcp.example/mcp"
  [servers.tracker.login]
  issuer = "https://auth.example"
  client_id = "portcullis-at-acme"
  scopes = ["files:read"]"#;

impl Meant {
    /// The server as settings name it, and what it is called.
    pub(crate) fn part(&self, places: &Places) -> Result<ServerPart, Failure> {
        if self.server.contains("://") {
            return Ok(ServerPart::at(
                &self.server,
                std::collections::BTreeMap::new(),
                self.authorities.clone(),
                None,
            ));
        }
        let file = self.config.clone().unwrap_or_else(|| places.settings_file());
        let mut servers = match self.config.is_none() && !file.exists() {
            true => std::collections::BTreeMap::new(),
            false => configuration::read_file(&file)?.servers,
        };
        servers.remove(&self.server).ok_or_else(|| {
            let known: Vec<&str> = servers.keys().map(String::as_str).collect();
            let known = match known.is_empty() {
                true => "it names none".to_owned(),
                false => format!("it names {}", shown(&known.join(", "))),
            };
            said(format!(
                "`{}` names no server `{}` ({known}); give a name of it, or an address",
                file.display(),
                shown(&self.server)
            ))
        })
    }

    /// The address of the server.
    pub(crate) fn url<'p>(&self, part: &'p ServerPart) -> Result<&'p str, Failure> {
        let none =
            || said(format!("`{}` is started by a command; nobody logs in there", shown(&self.server)));
        part.url().ok_or_else(none)
    }
}

fn said(text: String) -> Failure {
    GateError::Said(text).into()
}

pub(crate) fn run(args: &LoginArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    let mut part = args.meant.part(&places)?;
    let store = places.open_for_person()?;
    let trusted = Trusted::check(&*store)?;
    if part.has_token() {
        let text = "the settings of this server have a header `Authorization`, which lets one in; remove it to log in";
        return Err(said(text.to_owned()));
    }
    overlay(args, &mut part);
    let more = Scopes::of(args.scope.iter().flat_map(|scope| scope.split_whitespace()));
    let more = more.map_err(|error| said(format!("--scope: {error}")))?;
    let wish = part.login.wish(args.meant.url(&part)?, more);
    let wish = wish.map_err(|error| said(format!("the server `{}`: {error}", shown(&args.meant.server))))?;
    let logins = logins::kept(&places);
    let earlier = logins.read(&wish.server).unwrap_or_else(|error| {
        crate::cli::tell(&error.into());
        None
    });
    let web = Web::new(part.authorities())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let plan = runtime.block_on(Plan::find(&web, &wish, earlier.as_ref()))?;
    explain(&plan, wish.server.url(), earlier.as_ref(), out)?;
    if !confirmed(&trusted, "Log in there?", out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let mut unwritten = Ok(());
    let show = |url: &Url| unwritten = send_to(url, args.no_browser, out);
    let login = runtime.block_on(plan.log_in(&web, show));
    unwritten?;
    let login = login?;
    let recorded = || record(&*store, &login, &trusted);
    let source = runtime.block_on(keep(&logins, &login, args.without_keyring, recorded))?;
    conclude(&login, source, &places.state, out)?;
    Ok(ExitCode::SUCCESS)
}

/// What the command line says counts more than what settings say.
fn overlay(args: &LoginArgs, part: &mut ServerPart) {
    let texts = [
        (&args.issuer, &mut part.login.issuer),
        (&args.client_id, &mut part.login.client_id),
        (&args.client_document, &mut part.login.client_document),
    ];
    for (given, set) in texts {
        if given.is_some() {
            set.clone_from(given);
        }
    }
    part.login.port = args.port.or(part.login.port);
}

/// An address without what may be secret in it.
pub(crate) fn place(url: &Url) -> String {
    format!("{}{}", url.origin().ascii_serialization(), url.path())
}

fn explain(plan: &Plan, server: &Url, earlier: Option<&Login>, out: &mut impl Write) -> Result<(), Failure> {
    let issuer = plan.authority().issuer().as_str();
    writeln!(out, "{} takes tokens of {}", shown(&place(server)), shown(issuer))?;
    writeln!(out, "  for the resource  {}", shown(&plan.resource().to_string()))?;
    if plan.is_wider() {
        writeln!(
            out,
            "                    which is more than this server: what else is there may take the tokens too"
        )?;
    }
    let scopes = plan.scopes().to_string();
    let scopes = if scopes.is_empty() { "what the issuer gives by itself".to_owned() } else { scopes };
    writeln!(out, "  which may         {}", shown(&scopes))?;
    writeln!(out, "  you log in at     {}", plan.authority().authorization().origin().ascii_serialization())?;
    writeln!(out, "  tokens come from  {}", plan.authority().token().origin().ascii_serialization())?;
    if plan.registers() {
        writeln!(out, "Portcullis will be registered there as a program.")?;
    }
    match earlier.map(|login| login.issuer().as_str()) {
        Some(before) if before != issuer => {
            writeln!(
                out,
                "Until now you were logged in at {}: the server wants another issuer now.",
                shown(before)
            )?;
        }
        Some(_) => writeln!(out, "You are logged in already: this takes the place of that.")?,
        None => {}
    }
    Ok(())
}

fn send_to(url: &Url, no_browser: bool, out: &mut impl Write) -> std::io::Result<()> {
    let is_open = !no_browser && open_browser(url);
    let words = if is_open { "Your browser opens; else open this" } else { "Open this" };
    writeln!(out, "{words} on this machine:\n\n  {}\n", shown(url.as_str()))?;
    out.flush()
}

/// Keeps a login once it is recorded: what is not in the audit log has no effect.
async fn keep(
    logins: &Logins,
    login: &Login,
    without_keyring: bool,
    record: impl FnOnce() -> Result<(), Failure>,
) -> Result<KeySource, Failure> {
    let locked = logins.lock(login.server()).await?;
    let source = if without_keyring { KeySource::File } else { locked.source()? };
    record()?;
    locked.write(login, source)?;
    Ok(source)
}

/// Logging in widens what agents reach: who calls this has a trusted channel.
fn record(store: &dyn Store, login: &Login, _: &Trusted) -> Result<(), Failure> {
    let body = json!({
        "place": place(login.server().url()), "issuer": login.issuer().as_str(), "resource": login.resource().to_string(),
        "scopes": login.scopes().to_string(), "by": whose::user(), "channel": "terminal",
    });
    let entry = NewEntry::new(kind::LOGGED_IN, &body.to_string()).map_err(CommitError::from)?;
    store.commit(Commit::at(Timestamp::now()).entry(entry))?;
    Ok(())
}

fn conclude(login: &Login, source: KeySource, state: &Path, out: &mut impl Write) -> Result<(), Failure> {
    let missing = login.asked().without(login.scopes());
    writeln!(out, "logged in")?;
    if !missing.is_empty() {
        writeln!(out, "the issuer did not give: {}", shown(&missing.to_string()))?;
    }
    if !login.lasts() {
        writeln!(
            out,
            "the issuer gave nothing to renew it with: you will have to log in again when it ends"
        )?;
    }
    match source {
        KeySource::Keyring => writeln!(out, "the tokens are kept encrypted; the key is in your keyring")?,
        KeySource::File => writeln!(
            out,
            "the tokens are kept encrypted; the key is in {}: whoever can read your files can read them",
            state.join("key").display()
        )?,
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use portcullis_oauth::{Client, Issuer, Near, Protected, Redirect, ServerUrl, Tokens};

    use super::*;

    fn login() -> Login {
        let server = ServerUrl::read("https://mcp.example/mcp").unwrap();
        let text =
            r#"{"resource":"https://mcp.example/mcp","authorization_servers":["https://auth.example"]}"#;
        let protected = Protected::read(text.as_bytes(), &server, server.url()).unwrap();
        let client = Client::registered(b"{\"client_id\":\"c\"}", Redirect { port: 1 }).unwrap();
        let body = r#"{"access_token":"t","token_type":"Bearer"}"#;
        let tokens = Tokens::read(body.as_bytes(), Timestamp::UNIX_EPOCH).unwrap();
        let issuer = Issuer::read("https://auth.example", Near::Elsewhere).unwrap();
        Login::new(&server, &protected, &issuer, (client, Scopes::default()), tokens, Timestamp::UNIX_EPOCH)
    }

    #[test]
    fn a_login_that_cannot_be_recorded_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let logins = Logins::at(folder.path().join("logins"), Arc::new(|| Ok([1; 32])));
        let login = login();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let full = || Err(said("the disk is full".to_owned()));
        assert!(runtime.block_on(keep(&logins, &login, true, full)).is_err());
        assert!(logins.read(login.server()).unwrap().is_none());
        let recorded = || {
            assert!(logins.read(login.server()).unwrap().is_none());
            Ok(())
        };
        assert!(runtime.block_on(keep(&logins, &login, true, recorded)).is_ok());
        assert!(logins.read(login.server()).unwrap().is_some());
    }
}
