//! Asks in the terminal that `run` was started in, where the host leaves it to us. That is the host's own terminal: so an
//! answer counts as one of the host's window does, and no more.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use portcullis_gateway::{AskedChoice, Given, answer};
use portcullis_store::{QuestionId, SessionId, Store};

use crate::commands::watch::open::{Open, choice_lines, open_questions};
use crate::failure::Failure;
use crate::gate::GateError;

/// How often it is looked for questions.
const GLANCE: Duration = Duration::from_millis(100);
/// The terminal of a process, whatever its streams are.
const TERMINAL: &str = "/dev/tty";

/// Asks the questions of a session here, from now on.
pub(super) fn ask_here(store: Arc<dyn Store>, session: SessionId) -> Result<(), Failure> {
    let opened = File::options().read(true).write(true).open(TERMINAL);
    let terminal = opened.map_err(|_| {
        let text =
            "there is no terminal here to ask in; run `portcullis watch` in one, and leave out --ask-here";
        GateError::Said(text.to_owned())
    })?;
    std::thread::spawn(move || {
        // A terminal that is gone asks no more; questions stay open for `portcullis watch`.
        let _ = attend(&*store, session, &terminal);
    });
    Ok(())
}

fn attend(store: &dyn Store, session: SessionId, terminal: &File) -> Result<(), Failure> {
    let mut lines = BufReader::new(terminal);
    let mut seen: Vec<QuestionId> = Vec::new();
    loop {
        let mark = store.mark()?;
        let open = open_questions(store, Timestamp::now())?;
        let new = open.iter().find(|question| question.session == session && !seen.contains(&question.id));
        match new.filter(|_| is_in_front(terminal)) {
            Some(question) => {
                seen.push(question.id);
                ask(store, question, terminal, &mut lines)?;
            }
            None => {
                let mut waited = Duration::ZERO;
                // Whether it is in front is not told by the store.
                while store.mark()? == mark && waited < Duration::from_secs(1) {
                    std::thread::sleep(GLANCE);
                    waited += GLANCE;
                }
            }
        }
    }
}

fn ask(
    store: &dyn Store,
    question: &Open,
    mut terminal: &File,
    lines: &mut impl BufRead,
) -> Result<(), Failure> {
    // What only a terminal that no agent has may give is not offered here.
    let choices: Vec<&AskedChoice> = question.choices().iter().filter(|choice| choice.through_host).collect();
    writeln!(terminal, "\nPortcullis asks, question {}:", question.id)?;
    for line in question.lines() {
        writeln!(terminal, "{line}")?;
    }
    for (number, choice) in choices.iter().enumerate() {
        for line in choice_lines(number + 1, choice) {
            writeln!(terminal, "{line}")?;
        }
    }
    loop {
        write!(terminal, "Answer 1-{}, s to leave it open: ", choices.len())?;
        forget_typed(terminal);
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 || line.trim() == "s" {
            return Ok(());
        }
        let number: Option<usize> = line.trim().parse().ok();
        let Some(choice) = number.and_then(|number| choices.get(number.checked_sub(1)?)) else {
            writeln!(terminal, "That is no answer.")?;
            continue;
        };
        let told = match answer(store, question.id, &choice.id, Given::ByHost, Timestamp::now()) {
            Ok(chosen) => chosen.words,
            Err(error) => error.to_string(),
        };
        writeln!(terminal, "{told}")?;
        return Ok(());
    }
}

/// Whether what is typed there reaches us: who reads in the background is stopped.
fn is_in_front(terminal: &File) -> bool {
    #[cfg(unix)]
    return nix::unistd::tcgetpgrp(terminal).is_ok_and(|front| front == nix::unistd::getpgrp());
    #[cfg(not(unix))]
    return terminal.metadata().is_ok();
}

/// Forgets what was typed before the question was there.
fn forget_typed(terminal: &File) {
    #[cfg(unix)]
    // A terminal that cannot forget has nothing that it could.
    let _ = nix::sys::termios::tcflush(terminal, nix::sys::termios::FlushArg::TCIFLUSH);
    #[cfg(not(unix))]
    let _ = terminal;
}
