//! The session and the tools that sentences are read for.

use std::path::Path;

use clap::Args;
use jiff::Zoned;
use jiff::civil::DateTime;
use portcullis_invariant::english::{self, Reading};
use portcullis_invariant::meaning::Meaning;
use portcullis_invariant::{Rulebook, Stated, Toolbox, write};
use portcullis_perceive::derive;
use portcullis_perceive::layout::{Ground, Layout};

use super::super::explain::ExplainError;
use super::super::explain::definitions::Tools;
use super::super::explain::session::SessionArgs;
use super::InvariantError;
use crate::failure::Failure;

/// Which tools are connected, and how the session lies.
#[derive(Args, Debug)]
pub(super) struct SettingArgs {
    /// A server of the catalogue that is connected; may be given several times [default: all of them, unless
    /// --tool is given].
    #[arg(long, value_name = "NAME", help_heading = "The tools")]
    server: Vec<String>,
    /// A definition of a tool that is connected, or a whole answer to `tools/list`, in JSON; the server is
    /// called like the file unless it is said. May be given several times.
    #[arg(long, value_name = "[SERVER=]FILE", help_heading = "The tools")]
    tool: Vec<String>,
    /// The local time, such as 2026-03-06T18:40 [default: the present].
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    #[command(flatten)]
    session: SessionArgs,
}

/// The same, ready for use.
pub(super) struct Setting {
    pub(super) tools: Toolbox,
    pub(super) ground: Ground,
    pub(super) now: DateTime,
    layout: Layout,
}

/// A sentence that was understood, in one of its readings.
pub(super) struct Understood {
    pub(super) reading: Reading,
    /// What it means in this one.
    pub(super) meanings: Vec<Meaning>,
    pub(super) stated: Stated,
    pub(super) book: Rulebook,
}

impl SettingArgs {
    pub(super) fn setting(&self) -> Result<Setting, Failure> {
        let mut tools = Toolbox::new().map_err(InvariantError::from)?;
        let mut layout = self.session.layout()?;
        match self.server.is_empty() && self.tool.is_empty() {
            true => tools.connect_all(),
            false => {
                self.server
                    .iter()
                    .try_for_each(|server| tools.connect(server))
                    .map_err(InvariantError::from)?;
            }
        }
        for text in &self.tool {
            let (server, path) = match text.split_once('=') {
                Some((server, path)) => (server.to_owned(), Path::new(path)),
                None => (stem(Path::new(text)), Path::new(text)),
            };
            for definition in Tools::read(path)?.definitions() {
                tools.define(&server, definition).map_err(InvariantError::from)?;
            }
            layout.accounts.extend(self.session.approved.then(|| derive::scheme(&server)));
        }
        let ground = layout.clone().ground().map_err(ExplainError::from)?;
        let now = match &self.now {
            Some(text) => text.parse().map_err(|_| InvariantError::Now(text.clone()))?,
            None => Zoned::now().datetime(),
        };
        Ok(Setting { tools, ground, now, layout })
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "unknown".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

impl Setting {
    /// Reads a sentence among others, or says why it cannot be a rule.
    pub(super) fn state(&self, sentence: &str, number: usize) -> Result<Stated, String> {
        let hand = self.tools.hand(&self.layout);
        Stated::read(sentence, &hand, self.now.year(), number).map_err(|error| error.to_string())
    }

    /// Reads a sentence as it is meant most likely, or says why it cannot be a rule.
    pub(super) fn understand(&self, sentence: &str) -> Result<Result<Understood, String>, InvariantError> {
        Ok(self.readings(sentence, "rule")?.map(|(first, _)| first))
    }

    /// Reads a sentence in all the ways in which it may be meant, the likeliest first. The prefix tells its names from those
    /// of other rules.
    pub(super) fn readings(
        &self,
        sentence: &str,
        prefix: &str,
    ) -> Result<Result<(Understood, Vec<Understood>), String>, InvariantError> {
        let hand = self.tools.hand(&self.layout);
        let reading = match english::read(sentence, &hand, self.now.year()) {
            Ok(reading) => reading,
            Err(trouble) => return Ok(Err(trouble.to_string())),
        };
        let first = match written(&reading, &reading.meanings, sentence, prefix)? {
            Ok(first) => first,
            Err(why) => return Ok(Err(why)),
        };
        let mut others = Vec::new();
        for meanings in &reading.others {
            // One that cannot be written down cannot be chosen.
            others.extend(written(&reading, meanings, sentence, prefix)?.ok());
        }
        Ok(Ok((first, others)))
    }
}

fn written(
    reading: &Reading,
    meanings: &[Meaning],
    sentence: &str,
    prefix: &str,
) -> Result<Result<Understood, String>, InvariantError> {
    let written = match write(meanings, sentence, prefix) {
        Ok(written) => written,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let stated = Stated { sentence: sentence.to_owned(), written };
    let book = Rulebook::new(vec![stated.clone()])?;
    Ok(Ok(Understood { reading: reading.clone(), meanings: meanings.to_vec(), stated, book }))
}
