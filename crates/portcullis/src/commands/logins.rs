//! `portcullis logins`: where you are logged in.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use jiff::Timestamp;
use portcullis_lattice::words::shown;
use portcullis_login::KeySource;
use portcullis_oauth::Login;
use serde::Serialize;

use super::login::place;
use super::print_plain_json_line;
use crate::configuration;
use crate::failure::Failure;
use crate::logins;
use crate::places::Places;
use crate::when;

/// What `logins` needs.
#[derive(Args, Debug)]
pub(crate) struct LoginsArgs {
    /// Print a line of JSON for each.
    #[arg(long)]
    json: bool,
}

/// A login for scripts. There are no tokens in it.
#[derive(Serialize)]
struct LoginReport {
    /// The names of the server in your settings.
    names: Vec<String>,
    server: String,
    issuer: String,
    resource: String,
    scopes: String,
    /// `good`, `renewed when needed` or `over`.
    state: &'static str,
    expires: Option<String>,
    since: String,
    /// Where the key of its tokens is.
    key: &'static str,
}

pub(crate) fn run(args: &LoginsArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    let named = configuration::of_user(&places)?.servers;
    let all = logins::kept(&places).all()?;
    if all.is_empty() && !args.json {
        writeln!(out, "you are not logged in anywhere: `portcullis login NAME` logs in to a server")?;
    }
    for one in all {
        let (login, source) = match one {
            Ok(found) => found,
            // The others are still worth seeing.
            Err(error) => {
                crate::cli::tell(&error.into());
                continue;
            }
        };
        let url = login.server().url();
        let is_this = |text: Option<&str>| {
            text.and_then(|text| portcullis_oauth::ServerUrl::read(text).ok())
                .is_some_and(|other| other.url() == url)
        };
        let names = named.iter().filter(|(_, part)| is_this(part.url())).map(|(name, _)| name.clone());
        let report = report(&login, source, names.collect());
        match args.json {
            true => print_plain_json_line(&report, out)?,
            false => print(&report, out)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn report(login: &Login, source: KeySource, names: Vec<String>) -> LoginReport {
    let is_past = login.expires().is_some_and(|end| end <= Timestamp::now());
    let state = match (login.is_over(), login.lasts()) {
        (true, _) => "over",
        (false, true) => "renewed when needed",
        (false, false) if is_past => "over",
        (false, false) => "good",
    };
    LoginReport {
        names,
        server: place(login.server().url()),
        issuer: login.issuer().to_string(),
        resource: login.resource().to_string(),
        scopes: login.scopes().to_string(),
        state,
        expires: login.expires().map(when::told),
        since: when::told(login.since()),
        key: match source {
            KeySource::Keyring => "keyring",
            KeySource::File => "file",
        },
    }
}

fn print(report: &LoginReport, out: &mut impl Write) -> std::io::Result<()> {
    let name = if report.names.is_empty() { "-".to_owned() } else { shown(&report.names.join(", ")) };
    writeln!(out, "{name}  {}", shown(&report.server))?;
    writeln!(out, "  at {} since {}", shown(&report.issuer), report.since)?;
    let until = report.expires.as_ref().map_or_else(String::new, |end| format!(", its token until {end}"));
    writeln!(out, "  {}{until}; the key is in the {}", report.state, report.key)?;
    if !report.scopes.is_empty() {
        writeln!(out, "  may {}", shown(&report.scopes))?;
    }
    Ok(())
}
