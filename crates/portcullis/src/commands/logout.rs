//! `portcullis logout`: give a login back.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::kind;
use portcullis_login::{Left, Web, leave};
use portcullis_oauth::ServerUrl;
use portcullis_store::{Commit, CommitError, NewEntry};
use serde_json::json;

use super::login::{Meant, place};
use crate::confirm::{Yes, confirmed_by_anybody};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::logins;
use crate::places::Places;
use crate::whose;

/// What `logout` needs.
#[derive(Args, Debug)]
pub(crate) struct LogoutArgs {
    #[command(flatten)]
    meant: Meant,
    /// Do not ask: this only makes things stricter.
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(args: &LogoutArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    let part = args.meant.part(&places)?;
    let server = ServerUrl::read(args.meant.url(&part)?);
    let server = server.map_err(|error| GateError::Said(format!("the address {error}")))?;
    let logins = logins::kept(&places);
    if logins.state(&server).is_none() {
        writeln!(out, "you are not logged in there")?;
        return Ok(ExitCode::SUCCESS);
    }
    if !confirmed_by_anybody("Log out?", Yes::from_option(args.yes), out)? {
        writeln!(out, "nothing was changed")?;
        return Ok(ExitCode::from(1));
    }
    let web = Web::new(part.authorities())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let told = runtime.block_on(async {
        let locked = logins.lock(&server).await?;
        // One that cannot be read is forgotten too.
        let login = locked.read().ok().flatten();
        locked.remove()?;
        Ok::<_, Failure>(match login {
            Some(login) => leave(&web, &login).await,
            None => Left::Untold,
        })
    })?;
    let body = json!({"place": place(server.url()), "by": whose::user(), "channel": "command"});
    let entry = NewEntry::new(kind::LOGGED_OUT, &body.to_string()).map_err(CommitError::from)?;
    places.open_for_person()?.commit(Commit::at(Timestamp::now()).entry(entry))?;
    writeln!(
        out,
        "{}",
        match told {
            Left::Revoked => "logged out: the tokens are revoked and forgotten",
            Left::Ending =>
                "logged out: the login is revoked and forgotten; its last token ends when it ends",
            Left::NoWay =>
                "logged out: the tokens are forgotten; the issuer cannot revoke them, so they end when they end",
            Left::Untold => {
                "logged out: the tokens are forgotten; the issuer could not be told, so revoke them there if somebody may have them"
            }
        }
    )?;
    Ok(ExitCode::SUCCESS)
}
