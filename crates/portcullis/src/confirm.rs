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
    write!(out, "{question} Type yes: ")?;
    out.flush()?;
    forget_typed();
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim() == "yes")
}
