//! Profiles in plain words, for people who want to know what is thought of a tool.
//!
//! Names of arguments and values come from servers, so they are shown with everything invisible made visible, and none
//! can end the quotes around it.

#[cfg(test)]
mod tests;

use std::fmt;

use portcullis_lattice::{Reach, Realms, Resource, words};
use serde_json::Value;

use super::{
    ArgumentPath, Condition, DeedProfile, FlowProfile, InnerCall, Kind, Opens, Place, Source, Test, What,
};

/// As many values of a condition as are told; a list of all verbs helps nobody.
const MOST_VALUES: usize = 4;
const CONTEXT: &str = "the agent's context";
const WRITTEN: &str = "what the agent writes";

/// One thing that a tool does, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeedWords {
    /// The conditions, all of which must hold: "`dryRun` is not true".
    pub when: Vec<String>,
    /// What is done: "read", "write and delete", "run the command line in `command`".
    pub does: String,
    /// Where data comes from: choices, of which the first that the call names counts, with all its places. No choices
    /// where a command line or SQL says it.
    pub from: Vec<Vec<String>>,
    /// Where it goes, likewise.
    pub to: Vec<Vec<String>>,
}

impl Source {
    /// Who says what the tool does, with a reason where it may surprise.
    pub const fn in_words(self) -> &'static str {
        match self {
            Source::Declared => "declared in the tool's verified definition",
            Source::Catalogue => "the catalogue",
            Source::Derived => "derived from the tool's definition, for nobody vouches for what it does",
        }
    }
}

impl DeedProfile {
    /// The deed in words.
    pub fn in_words(&self) -> DeedWords {
        let when = self.when.iter().map(Condition::to_string).collect();
        match &self.what {
            What::Flow(FlowProfile { effects, from, to }) => DeedWords {
                when,
                does: words::effects(*effects),
                from: side(from, WRITTEN),
                to: side(to, CONTEXT),
            },
            What::Shell { command, folder } => {
                let folder = folder.as_ref().map(|folder| format!(" in the folder in {}", argument(folder)));
                let does =
                    format!("run the command line in {}{}", argument(command), folder.unwrap_or_default());
                DeedWords { when, does, from: Vec::new(), to: Vec::new() }
            }
            What::Sql { text, dialect } => {
                let reader = match dialect {
                    Some(dialect) => format!("as {} reads it", dialect.name()),
                    None => "as any likely database reads it".to_owned(),
                };
                let does = format!("run the SQL in {}, {reader}", argument(text));
                DeedWords { when, does, from: Vec::new(), to: Vec::new() }
            }
        }
    }
}

/// "read from the path in `path` to the agent's context".
impl fmt::Display for DeedProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DeedWords { when, does, from, to } = self.in_words();
        if !when.is_empty() {
            write!(f, "when {}: ", when.join(" and "))?;
        }
        f.write_str(&does)?;
        if !from.is_empty() {
            let told = |choices: &[Vec<String>]| {
                let choices: Vec<String> = choices.iter().map(|places| places.join(" and ")).collect();
                choices.join(", else ")
            };
            write!(f, " from {} to {}", told(&from), told(&to))?;
        }
        Ok(())
    }
}

/// The choices of one side. Where each of them may come to nothing, the context is the last.
fn side(groups: &[Vec<Place>], context: &str) -> Vec<Vec<String>> {
    let group = |places: &Vec<Place>| places.iter().map(Place::to_string).collect();
    let mut choices: Vec<Vec<String>> = groups.iter().map(group).collect();
    if !groups.iter().flatten().any(Place::is_certain) {
        choices.push(vec![context.to_owned()]);
    }
    choices
}

impl Place {
    /// Whether every call uses it.
    fn is_certain(&self) -> bool {
        let is_fixed = self.kind.arguments().is_empty();
        (is_fixed || !self.optional || self.default.is_some()) && self.when.is_empty() && !self.outside
    }
}

/// "the path in `source` and everything below it, if it is given".
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&reached(&self.kind, self.reach))?;
        if let Some(folder) = &self.inside {
            write!(f, ", inside the folder in {}", argument(folder))?;
        }
        let files: Vec<String> = self.files.iter().chain(&self.revision).map(argument).collect();
        if !files.is_empty() {
            write!(f, ", in it the files in {}", joined(files, "and"))?;
        }
        match &self.default {
            Some(default) => write!(f, ", {} where it is left out", code(default))?,
            None if self.optional && !self.kind.arguments().is_empty() => f.write_str(", if it is given")?,
            None => {}
        }
        if self.outside {
            f.write_str(", if that lies outside your organisation")?;
        }
        if !self.when.is_empty() {
            let when: Vec<String> = self.when.iter().map(Condition::to_string).collect();
            write!(f, ", when {}", when.join(" and "))?;
        }
        match &self.public {
            Some(condition) => write!(f, ", open to everybody when {condition}"),
            None => Ok(()),
        }
    }
}

/// A place with how far the use goes.
fn reached(kind: &Kind, reach: Reach) -> String {
    // What is always the same is told as in a call.
    if let Kind::Fixed(name) | Kind::File(name) = kind
        && let Ok(resource) = Resource::new(name, reach, Realms::NETWORK)
    {
        return words::resource(&resource);
    }
    match reach {
        Reach::One => told(kind),
        Reach::Names => format!("the names in {}", told(kind)),
        Reach::Subtree => format!("{} and everything below", told(kind)),
    }
}

/// A place without how far the use goes.
fn told(kind: &Kind) -> String {
    match kind {
        Kind::Path(path) => format!("the path in {}", argument(path)),
        Kind::Url(path) => format!("the web address in {}", argument(path)),
        Kind::Host { argument: path, scheme } => {
            format!("the machine in {} by {}", argument(path), words::shown(scheme))
        }
        Kind::Mail(path) => format!("the mail addresses in {}", argument(path)),
        Kind::Item { argument: path, scheme, noun } if *noun == path.to_string() => {
            format!("what {} names in {}", argument(path), words::shown(scheme))
        }
        Kind::Item { argument: path, scheme, noun } if noun == scheme => {
            format!("the {} in {}", words::shown(noun), argument(path))
        }
        Kind::Item { argument: path, scheme, noun } => {
            format!("the {} {} in {}", words::shown(scheme), words::shown(noun), argument(path))
        }
        Kind::Repository { owner, repository, branch } => {
            let owner = owner.as_ref().map_or_else(|| "your own account".to_owned(), argument);
            let branch = branch.as_ref().map(|branch| format!(", its branch in {}", argument(branch)));
            format!(
                "the GitHub repository in {} of {owner}{}",
                argument(repository),
                branch.unwrap_or_default()
            )
        }
        Kind::MailSearch { argument: path, scheme } => {
            let (scheme, search) = (words::shown(scheme), argument(path));
            format!("in {scheme} the label that the search in {search} names, else the inbox")
        }
        Kind::CurrentPage | Kind::PageOf(_) => "the page that the browser shows".to_owned(),
        Kind::Fixed(name) => code(name),
        Kind::File(path) if path == "." => "the workspace".to_owned(),
        Kind::File(path) => words::shown(path),
        Kind::Anything(path) => format!("every path and address in {}", argument(path)),
        Kind::Destinations(path) => format!("the people and webhooks in {}", argument(path)),
    }
}

/// "`dryRun` is not true". A value that is left out is not true either.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = argument(&self.argument);
        let texts = |texts: &[String]| some_of(texts.iter().map(|text| Value::from(text.as_str())).collect());
        match &self.test {
            Test::Is(values) => write!(f, "{subject} is {}", some_of(values.clone())),
            Test::Not(values) if values.is_empty() => write!(f, "{subject} is anything"),
            Test::Not(values) => write!(f, "{subject} is not {}", some_of(values.clone())),
            Test::Given => write!(f, "{subject} is given"),
            Test::Absent => write!(f, "{subject} is left out"),
            Test::Has(parts) => write!(f, "{subject} holds {}", texts(parts)),
            Test::Starts(starts) => write!(f, "{subject} begins with {}", texts(starts)),
            Test::Sends => write!(f, "{subject} names an address to send something to"),
        }
    }
}

/// "opens the page in `url`".
impl fmt::Display for Opens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clause = |conditions: &[Condition]| match conditions.is_empty() {
            true => String::new(),
            false => {
                let conditions: Vec<String> = conditions.iter().map(Condition::to_string).collect();
                format!(" when {}", conditions.join(" and "))
            }
        };
        match &self.url {
            Some(url) => {
                write!(f, "the browser then shows the page in {}{}", argument(url), clause(&self.when))?
            }
            None => write!(f, "which page the browser then shows is not known{}", clause(&self.when))?,
        }
        match self.url.is_some() && !self.unknown.is_empty() {
            true => write!(f, ", and one that is not known{}", clause(&self.unknown)),
            false => Ok(()),
        }
    }
}

/// "call the tool that `tool` names".
impl fmt::Display for InnerCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "call the tool that {} names, with the arguments in {}",
            argument(&self.tool),
            argument(&self.arguments)
        )
    }
}

/// An argument in its quotes.
fn argument(path: &ArgumentPath) -> String {
    code(&path.to_string())
}

/// A text of others in quotes that it cannot end.
fn code(text: &str) -> String {
    format!("`{}`", words::shown(text).replace('`', "\\u{60}"))
}

/// Values as they would be written, the first few of many.
fn some_of(values: Vec<Value>) -> String {
    let count = values.len();
    let mut told: Vec<String> =
        values.iter().take(MOST_VALUES).map(|value| words::shown(&value.to_string())).collect();
    if count > MOST_VALUES {
        told.push(format!("{} more", count - MOST_VALUES));
    }
    joined(told, "or")
}

/// "a", "a or b", "a, b or c".
fn joined(mut texts: Vec<String>, conjunction: &str) -> String {
    match texts.pop() {
        None => String::new(),
        Some(last) if texts.is_empty() => last,
        Some(last) => format!("{} {conjunction} {last}", texts.join(", ")),
    }
}
