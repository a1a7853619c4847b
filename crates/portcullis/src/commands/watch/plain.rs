//! Questions in plain lines, for terminals that cannot be drawn on.

use std::io::{BufRead, Write};

use jiff::Timestamp;
use portcullis_gateway::AnswerError;

use super::open::{Open, choice_lines, open_questions};
use super::{GLANCE, Watch, told};
use crate::failure::Failure;
use crate::gate::GateError;
use crate::trusted::forget_typed;

/// What a person typed.
enum Typed {
    Choice(usize),
    Skip,
    Leave,
    Else,
}

pub(super) fn run(watch: &Watch<'_>, out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "Questions of the store {}. Leave with Ctrl-C, or with q where you are asked.",
        watch.place
    )?;
    let mut skipped = Vec::new();
    let mut said_nothing = false;
    loop {
        let mark = watch.store.mark()?;
        let open = open_questions(watch.store, Timestamp::now())?;
        skipped.retain(|id| open.iter().any(|question| question.id == *id));
        let Some(question) = open.iter().find(|question| !skipped.contains(&question.id)) else {
            if !std::mem::replace(&mut said_nothing, true) {
                writeln!(out, "Nothing is asked at the moment. Waiting.")?;
            }
            while watch.store.mark()? == mark {
                std::thread::sleep(GLANCE);
            }
            continue;
        };
        said_nothing = false;
        match ask(question, out)? {
            Typed::Leave => return Ok(()),
            Typed::Skip => skipped.push(question.id),
            Typed::Else => writeln!(out, "That is no answer.")?,
            Typed::Choice(number) => {
                let Some(choice) = number.checked_sub(1).and_then(|number| question.choices().get(number))
                else {
                    writeln!(out, "There is no answer {number}.")?;
                    continue;
                };
                match watch.answer(question.id, &choice.id) {
                    Ok(chosen) => writeln!(out, "{}", told(question.id, &chosen))?,
                    // Somebody else was faster, or it took too long: that is no reason to leave.
                    Err(Failure::Gate(error)) if is_closed(&error) => writeln!(out, "{error}")?,
                    Err(failure) => return Err(failure),
                }
                if watch.once {
                    return Ok(());
                }
            }
        }
    }
}

fn is_closed(error: &GateError) -> bool {
    matches!(error, GateError::Answer(AnswerError::Closed(_)))
}

fn ask(question: &Open, out: &mut impl Write) -> Result<Typed, Failure> {
    writeln!(out, "\nQuestion {} (until {})", question.id, question.expires.strftime("%H:%M:%S UTC"))?;
    for line in question.lines() {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    for (number, choice) in question.choices().iter().enumerate() {
        for line in choice_lines(number + 1, choice) {
            writeln!(out, "{line}")?;
        }
    }
    write!(out, "Answer 1-{}, s to leave it open, q to leave: ", question.choices().len())?;
    out.flush()?;
    forget_typed();
    let mut line = String::new();
    if std::io::stdin().lock().read_line(&mut line)? == 0 {
        return Ok(Typed::Leave);
    }
    Ok(match line.trim() {
        "q" => Typed::Leave,
        "s" => Typed::Skip,
        text => text.parse().map_or(Typed::Else, Typed::Choice),
    })
}
