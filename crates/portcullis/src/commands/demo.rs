//! `portcullis demo`: a story in which everything happens that Portcullis is for, with toy servers and the real gate.

mod story;
mod toy;

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use clap::Args;
use jiff::{Timestamp, Zoned};
use portcullis_gateway::{Asked, Asking, Given, Guard, Settings, ToolPolicy, answer, catalogue};
use portcullis_identity::state::Unverified;
use portcullis_invariant::{Hand, Stated};
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_store::{Durability, Key, Options, QuestionId, SessionKey, SqliteStore, Store};

use crate::failure::Failure;
use crate::gate::GateError;
use story::{Step, Story};
use toy::{Heard, Toy};

/// What `demo` needs.
#[derive(Args, Debug)]
pub(crate) struct DemoArgs {
    /// Give the answers that the story has, without asking you.
    #[arg(long)]
    yes: bool,
}

pub(crate) fn run(args: &DemoArgs, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let story = Story::built_in().map_err(|error| GateError::BuiltIn(error.to_string()))?;
    let folder = tempfile::tempdir().map_err(Failure::Write)?;
    let options = Options { durability: Durability::Process, ..Options::default() };
    let store = SqliteStore::open(&folder.path().join("demo.db"), options);
    let store: Arc<dyn Store> = Arc::new(store.map_err(|error| GateError::BuiltIn(error.to_string()))?);
    let guard = Arc::new(Mutex::new(guard(&story, Arc::clone(&store))?));
    let mut toys = story
        .servers
        .iter()
        .map(|server| Toy::start(server, Arc::clone(&guard)))
        .collect::<Result<Vec<Toy>, String>>()
        .map_err(GateError::BuiltIn)?;
    writeln!(out, "{}\n\nHer rule: “{}”", story.intro.trim(), story.rule)?;
    let mut is_as_told = true;
    for (step, number) in story.steps.iter().zip(1..) {
        let Some(toy) = toys.iter_mut().find(|toy| toy.name() == step.server) else {
            return Err(GateError::BuiltIn(format!("the story has no server {}", step.server)).into());
        };
        writeln!(out, "\n{number}. {}", step.says)?;
        writeln!(out, "   {}.{} {}", step.server, step.tool, step.shown_arguments())?;
        is_as_told &= play(step, toy, &*store, args, out)?;
    }
    writeln!(out, "\nEvery decision was recorded; the chain of the log holds: {}.", verified(&*store)?)?;
    writeln!(out, "Guard a server of your own: `portcullis run --help`.")?;
    // Whoever answers otherwise sees another story, which is no failure.
    Ok(if is_as_told || !args.yes { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Ann's session: her folders, her rule.
fn guard(story: &Story, store: Arc<dyn Store>) -> Result<Guard, Failure> {
    let layout = Layout {
        workspace: "/home/ann/sales".to_owned(),
        home: "/home/ann".to_owned(),
        internal: vec!["acme.com".to_owned()],
        ..Layout::default()
    };
    let mut hand = Hand::new(&layout);
    for (server, entry) in catalogue().map_err(GateError::BuiltIn)?.servers() {
        hand.add_catalogued(server, entry);
    }
    let stated = Stated::read(&story.rule, &hand, Zoned::now().year(), 0);
    let stated = vec![stated.map_err(|error| GateError::BuiltIn(error.to_string()))?];
    // The toy servers come with the program.
    let tools = ToolPolicy { unverified: Unverified::Warn, ..ToolPolicy::default() };
    let settings = Settings { stated, tools, ..Settings::new(layout) };
    let who = SessionKey { workspace: "/home/ann/sales".into(), user: "ann".into(), host: "demo".into() };
    let guard = Guard::open(store, Key::new([0; 32]), settings, who, &NoLinks, Timestamp::now());
    Ok(guard.map_err(GateError::from)?)
}

/// Plays a step, and says whether it went as the story has it.
fn play(
    step: &Step,
    toy: &mut Toy,
    store: &dyn Store,
    args: &DemoArgs,
    out: &mut impl Write,
) -> Result<bool, Failure> {
    let mut heard = toy.call(step);
    let mut decisions: Vec<&str> = Vec::new();
    if let Heard::Asked(question, asked) = &heard {
        decisions.push("ask");
        show(asked, out)?;
        let chosen = if args.yes { step.answer.clone() } else { prompt(asked, step, out)? };
        writeln!(out, "   answer: {chosen}")?;
        answered(store, *question, &chosen)?;
        heard = toy.look();
    }
    match &heard {
        Heard::Done(result) => {
            decisions.push("permit");
            writeln!(
                out,
                "   permit{}",
                if result.is_empty() { String::new() } else { format!(": {result}") }
            )?;
        }
        Heard::Refused(text) => {
            decisions.push("deny");
            let text = text.lines().map(|line| format!("     {line}")).collect::<Vec<_>>().join("\n");
            writeln!(out, "   deny\n{text}")?;
        }
        Heard::Asked(..) | Heard::Nothing => writeln!(out, "   it still waits")?,
    }
    writeln!(out, "   → {}", step.why)?;
    Ok(decisions == step.expect)
}

fn show(asked: &Asked, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "   ask")?;
    asked.lines().iter().try_for_each(|line| writeln!(out, "     {line}"))?;
    for (choice, number) in asked.choices.iter().zip(1..) {
        writeln!(out, "     {number:>2}  {}", choice.words)?;
    }
    Ok(())
}

/// Asks whoever plays. An empty line takes the answer of the story.
fn prompt(asked: &Asked, step: &Step, out: &mut impl Write) -> Result<String, Failure> {
    loop {
        let usual = asked.choices.iter().position(|choice| choice.id == step.answer).map_or(1, |at| at + 1);
        write!(out, "   your answer [{usual}]: ")?;
        out.flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 || line.trim().is_empty() {
            writeln!(out)?;
            return Ok(step.answer.clone());
        }
        let number: Option<usize> = line.trim().parse().ok();
        if let Some(choice) = number.and_then(|number| asked.choices.get(number.checked_sub(1)?)) {
            return Ok(choice.id.clone());
        }
        writeln!(out, "   a number from 1 to {}", asked.choices.len())?;
    }
}

fn answered(store: &dyn Store, question: QuestionId, choice: &str) -> Result<(), Failure> {
    let given = answer(store, question, choice, Given::AtTerminal, Timestamp::now());
    given.map(drop).map_err(|error| GateError::BuiltIn(error.to_string()).into())
}

fn verified(store: &dyn Store) -> Result<&'static str, Failure> {
    let verified = store.verify(None, &mut |_| {}).map_err(GateError::from)?;
    Ok(match verified {
        portcullis_store::Verification::Whole { .. } => "yes",
        portcullis_store::Verification::Broken(_) => "no",
    })
}

/// The story is played without a host that could show questions.
const ASKING: Asking = Asking::TerminalOnly;
