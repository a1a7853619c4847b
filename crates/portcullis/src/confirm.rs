//! A person who says yes.

use std::io::{BufRead, IsTerminal, Write};

use crate::failure::Failure;
use crate::gate::GateError;
use crate::trusted::{Trusted, forget_typed};

/// Whether the person at a trusted channel says yes.
pub(crate) fn confirmed(_: &Trusted, question: &str, out: &mut impl Write) -> Result<bool, Failure> {
    ask(question, out)
}

/// Whether anybody says yes, for what makes things stricter. A script says `--yes`.
pub(crate) fn confirmed_by_anybody(question: &str, yes: Yes, out: &mut impl Write) -> Result<bool, Failure> {
    match yes {
        Yes::Said => Ok(true),
        Yes::Asked if std::io::stdin().is_terminal() => ask(question, out),
        Yes::Asked => Err(GateError::Said(
            "nobody can be asked here: nothing was changed; a script says --yes".to_owned(),
        )
        .into()),
    }
}

/// Which of several things anybody chooses, by its number. A script that says `--yes` has not said which, so it gets none.
pub(crate) fn numbered_by_anybody(
    question: &str,
    most: usize,
    yes: Yes,
    out: &mut impl Write,
) -> Result<Option<usize>, Failure> {
    if yes == Yes::Said || !std::io::stdin().is_terminal() {
        return Ok(None);
    }
    let line = typed(&format!("{question} Type its number, 1 to {most}:"), out)?;
    Ok(line.trim().parse().ok().filter(|number| (1..=most).contains(number)))
}

/// Whether yes was said beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Yes {
    /// It was.
    Said,
    /// It is asked for.
    Asked,
}

impl Yes {
    /// As an option of a command says it.
    pub(crate) fn from_option(is_said: bool) -> Yes {
        if is_said { Yes::Said } else { Yes::Asked }
    }
}

fn ask(question: &str, out: &mut impl Write) -> Result<bool, Failure> {
    Ok(typed(&format!("{question} Type yes:"), out)?.trim() == "yes")
}

/// What is typed after a question, and not before.
fn typed(question: &str, out: &mut impl Write) -> Result<String, Failure> {
    write!(out, "{question} ")?;
    out.flush()?;
    forget_typed();
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}
