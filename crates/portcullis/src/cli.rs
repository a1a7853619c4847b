//! The command line.

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use portcullis_lattice::words;

use crate::commands::{
    audit, bench, bundle, connect, decide, demo, explain, invariant, issuers, keys, login, logins, logout,
    rules, run as run_server, serve, sessions, sign, tools, verify, watch,
};
use crate::failure::Failure;

/// A latticed gate between AI agents and the tools they call.
///
/// Portcullis decides, for every tool call, Permit, Ask or Deny, from rules about where data comes from,
/// where it goes, what it carries and what is done with it. It says why, and what answers would become of a
/// question.
#[derive(Parser, Debug)]
#[command(name = "portcullis", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Guard one server: run its command, and decide every call that a host makes to it.
    ///
    /// Speaks the Model Context Protocol on standard input and output. Exits with 0 when the host leaves, else as the
    /// server does, and with 2 if it cannot begin.
    #[command(after_long_help = run_server::HELP)]
    Run(run_server::RunArgs),
    /// Guard many servers at once, for hosts that speak over HTTP.
    ///
    /// Listens on this machine only. Exits with 0 when it is told to end, and with 2 if it cannot begin.
    #[command(after_long_help = serve::HELP)]
    Serve(serve::ServeArgs),
    /// Bridge a host that only starts programs to `portcullis serve`.
    ///
    /// Speaks the Model Context Protocol on standard input and output. Exits with 0 when the host leaves, and with 2 if it
    /// cannot begin.
    Connect(connect::ConnectArgs),
    /// Play a story in a minute: a question, an answer that is used again, an escalation, and a call that is blocked.
    ///
    /// The servers are toys, the gate is real. Nothing is installed, and nothing is left behind.
    Demo(demo::DemoArgs),
    /// Show the questions that agents' calls raise, and answer them.
    ///
    /// Answers count only from a terminal that no agent has. Exits with 0 when you leave, and with 2 if it cannot begin.
    #[command(after_long_help = watch::HELP)]
    Watch(watch::WatchArgs),
    /// Decide a described call by a file of rules, and explain the decision.
    ///
    /// Exits with 0 for permit, 3 for ask, 4 for deny, and 2 if rules or call cannot be read.
    #[command(after_long_help = decide::HELP)]
    Decide(decide::DecideArgs),
    /// Show what is thought of a tool, who says so, and what a call to it does.
    ///
    /// Nothing is decided and nothing is called. Exits with 0, or with 2 if something cannot be read.
    #[command(after_long_help = explain::HELP)]
    Explain(Box<explain::ExplainArgs>),
    /// Check and try rules in plain English, such as "Never send files from hr/ to outsiders".
    #[command(subcommand)]
    Invariant(Box<invariant::InvariantCommand>),
    /// Check and tidy files of rules.
    #[command(subcommand)]
    Rules(rules::RulesCommand),
    /// List and end the sessions of agents.
    #[command(subcommand)]
    Sessions(sessions::SessionsCommand),
    /// See which tools servers list, what changed in them, and approve or block them.
    ///
    /// Only tools that are as they were approved, or that a trusted signer vouches for, can be called.
    #[command(subcommand)]
    Tools(tools::ToolsCommand),
    /// Make keys to sign definitions of tools with, and say whose signatures count.
    #[command(subcommand)]
    Keys(keys::KeysCommand),
    /// Say which identity providers may vouch for tools, and fetch their keys.
    #[command(subcommand)]
    Issuers(issuers::IssuersCommand),
    /// Take the trust bundle of a team or a registry: keys, issuers, revocations and approved definitions in one.
    #[command(subcommand)]
    Bundle(bundle::BundleCommand),
    /// Sign definitions of tools, for those who provide them.
    ///
    /// Exits with 0, or with 2 if something cannot be read or signed; then nothing is.
    #[command(after_long_help = sign::HELP)]
    Sign(Box<sign::SignArgs>),
    /// Tell how definitions of tools stand with those whom you trust.
    ///
    /// Exits with 0 if all are verified, 1 if one is not, and 2 if something cannot be read.
    #[command(after_long_help = verify::HELP)]
    Verify(verify::VerifyArgs),
    /// Log in to a server that wants a user's token, in your browser.
    ///
    /// This needs a terminal that no agent has. Exits with 0 if you are logged in, 1 if you declined, and 2 if it did not work;
    /// then everything is as before.
    #[command(after_long_help = login::HELP)]
    Login(login::LoginArgs),
    /// Give a login back: its tokens are revoked and forgotten.
    Logout(logout::LogoutArgs),
    /// List where you are logged in.
    Logins(logins::LoginsArgs),
    /// Read the audit log, and check that it is whole.
    #[command(subcommand)]
    Audit(audit::AuditCommand),
    /// Measure how well and how fast calls are decided.
    #[command(subcommand)]
    Bench(bench::BenchCommand),
}

/// Runs a command, writes its answer to `out` and says how the program shall exit.
pub fn run(cli: Cli, out: &mut impl Write) -> ExitCode {
    let done = match &cli.command {
        Command::Run(args) => run_server::run(args),
        Command::Serve(args) => serve::run(args, out),
        Command::Connect(args) => connect::run(args),
        Command::Demo(args) => demo::run(args, out),
        Command::Watch(args) => watch::run(args, out),
        Command::Decide(args) => decide::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Invariant(command) => invariant::run(command, out),
        Command::Rules(command) => rules::run(command, out),
        Command::Sessions(command) => sessions::run(command, out),
        Command::Tools(command) => tools::run(command, out),
        Command::Keys(command) => keys::run(command, out),
        Command::Issuers(command) => issuers::run(command, out),
        Command::Bundle(command) => bundle::run(command, out),
        Command::Sign(args) => sign::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Login(args) => login::run(args, out),
        Command::Logout(args) => logout::run(args, out),
        Command::Logins(args) => logins::run(args, out),
        Command::Audit(command) => audit::run(command, out),
        Command::Bench(command) => bench::run(command, out),
    };
    done.unwrap_or_else(complain)
}

fn complain(failure: Failure) -> ExitCode {
    // Whoever reads the answer has read enough.
    if matches!(&failure, Failure::Write(error) if error.kind() == std::io::ErrorKind::BrokenPipe) {
        return ExitCode::from(2);
    }
    tell(&failure);
    ExitCode::from(2)
}

/// Says what went wrong.
pub(crate) fn tell(failure: &Failure) {
    // Nobody is left to tell if standard error is gone too.
    let _ = writeln!(std::io::stderr(), "error: {}", visible_lines(&failure.to_string()));
}

/// A text of several lines in which nothing that was read steers the terminal.
fn visible_lines(text: &str) -> String {
    text.lines().map(words::shown).collect::<Vec<_>>().join("\n")
}
