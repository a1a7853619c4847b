//! `portcullis watch`: questions that calls raise, answered in a terminal.

pub(super) mod open;
mod plain;
mod screen;
mod state;
mod wrap;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use jiff::Timestamp;
use portcullis_gateway::{AskedChoice, Given, answer};
use portcullis_store::{QuestionId, Store};

use super::print_json_line;
use crate::failure::Failure;
use crate::places::Places;
use crate::trusted::Trusted;
use open::open_questions;

/// How often the store is looked at. That is cheap.
const GLANCE: Duration = Duration::from_millis(250);

/// What `watch` needs.
#[derive(Args, Debug)]
pub(crate) struct WatchArgs {
    /// Ask in plain lines, without drawing on the terminal. Terminals that cannot be drawn on get this anyway.
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// Leave after the first answer.
    #[arg(long, conflicts_with = "json")]
    once: bool,
    /// Print the open questions, a line of JSON each, and leave. This answers nothing and works anywhere.
    #[arg(long)]
    json: bool,
}

pub(crate) const HELP: &str = r#"Run it in a terminal of its own, beside your agent, and leave it open:

  portcullis watch

It shows what a call would do, why you are asked, and the answers there are, from this one call up to wider rules.
Nothing is answered until you choose a number and press Enter; without an answer the call is refused.

  Up, Down, 1 2 3 …     choose an answer          PageUp, PageDown, Home, End   read on
  Enter                 give it                   Tab, Shift-Tab                another question
  Esc                   choose none               q                             leave

It refuses to start in a terminal that belongs to an agent, for then the agent could answer for you: not inside the
terminal of an editor, not from a script, not through a pipe. docs/watch.md says more."#;

pub(crate) fn run(args: &WatchArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let places = Places::find()?;
    if args.json {
        let store = places.look()?;
        for question in open_questions(&*store, Timestamp::now())? {
            print_json_line(&question.report(), out)?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let store = places.open_for_person()?;
    Trusted::check(&*store)?;
    let watch = Watch { store: &*store, place: places.store_file().display().to_string(), once: args.once };
    match args.plain || !screen::can_draw() {
        true => plain::run(&watch, out)?,
        false => screen::run(&watch)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What is watched.
struct Watch<'w> {
    store: &'w dyn Store,
    /// Where the store is.
    place: String,
    once: bool,
}

impl Watch<'_> {
    /// Gives an answer. That this is no agent's terminal is looked at again: sessions begin while one watches.
    fn answer(&self, question: QuestionId, choice: &str) -> Result<AskedChoice, Failure> {
        Trusted::check(self.store)?;
        Ok(answer(self.store, question, choice, Given::AtTerminal, Timestamp::now())?)
    }
}

/// What became of an answer, in a line.
fn told(question: QuestionId, chosen: &AskedChoice) -> String {
    let words = portcullis_lattice::words::shown(&chosen.words);
    match chosen.rules.len() {
        0 => format!("question {question}: {words}"),
        1 => format!("question {question}: {words} (a rule now; `portcullis rules list` shows it)"),
        several => {
            format!("question {question}: {words} ({several} rules now; `portcullis rules list` shows them)")
        }
    }
}
