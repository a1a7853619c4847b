//! What a tool does with which of its arguments.
//!
//! A profile is data: it is declared in a verified definition, stands in the catalogue, or is derived from what a server
//! says of its tool. It speaks of arguments only; what a call really does follows when the arguments are there
//! ([`perceive`](crate::Perceiver::call)).

mod argument;
mod condition;
mod form;
mod words;

use std::sync::Arc;

use portcullis_lattice::{Effects, Reach};

pub use argument::ArgumentPath;
pub use condition::{Condition, Test};
pub use form::{ExampleForm, ProfileError, ProfileForm};
pub use words::DeedWords;

use crate::derive::Basis;
use crate::ids;
use crate::sql::Dialect;

/// What a tool does.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// The tool's name on its server.
    pub tool: String,
    /// Who says so.
    pub source: Source,
    /// Everything that it does; those whose conditions hold count, together.
    pub deeds: Vec<DeedProfile>,
    /// Arguments that are free text, which the agent wrote and which goes along.
    pub text: Vec<ArgumentPath>,
    /// Arguments that say nothing of where data comes from or goes to.
    pub ignored: Vec<ArgumentPath>,
    /// Which page the browser shows from then on, where the call changes it.
    pub opens: Option<Opens>,
    /// For a tool that calls other tools: where their name and arguments are.
    pub calls: Option<InnerCall>,
    /// What was taken at its worst, because the definition does not tell.
    pub assumptions: Vec<Assumption>,
    /// Who signed what is declared of the tool, where something is.
    pub signer: Option<Arc<str>>,
    /// What a derived profile was derived from, for arguments that the definition does not list.
    pub basis: Option<Arc<Basis>>,
}

/// Who says what a tool does, best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Source {
    /// The built-in catalogue.
    Catalogue,
    /// The server's own description, within what a trusted signer declares.
    Declared,
    /// Nobody but the server's own description.
    Derived,
}

impl Source {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Source::Declared => "declared",
            Source::Catalogue => "catalogue",
            Source::Derived => "derived",
        }
    }
}

/// One thing that a tool does.
#[derive(Clone, PartialEq, Debug)]
pub struct DeedProfile {
    /// All of these must hold.
    pub when: Vec<Condition>,
    /// How it is found out.
    pub what: What,
}

/// How it is found out what is done.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    /// The arguments name places.
    Flow(FlowProfile),
    /// An argument is a command line.
    Shell {
        /// Which one.
        command: ArgumentPath,
        /// The argument with the folder that it is run in.
        folder: Option<ArgumentPath>,
    },
    /// An argument is SQL.
    Sql {
        /// Which one.
        text: ArgumentPath,
        /// For which database; unknown if it is not said.
        dialect: Option<Dialect>,
    },
}

/// Places that data comes from and goes to. A side without places is the context.
#[derive(Clone, PartialEq, Debug)]
pub struct FlowProfile {
    /// What is done.
    pub effects: Effects,
    /// Where data comes from: the first of these groups in which the call names something.
    pub from: Vec<Vec<Place>>,
    /// Where it goes, likewise.
    pub to: Vec<Vec<Place>>,
}

/// A place that an argument names, or that is always the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// What it is.
    pub kind: Kind,
    /// How far the use goes.
    pub reach: Reach,
    /// Whether the call may leave it out. What must be there and is not is taken at its worst.
    pub optional: bool,
    /// What the server takes where the argument is left out.
    pub default: Option<String>,
    /// The argument with the files inside that decide whether it is sensitive.
    pub files: Option<ArgumentPath>,
    /// The argument with a revision of a repository, which may name a file in it (`HEAD:.env`).
    pub revision: Option<ArgumentPath>,
    /// When it is open to everybody, whoever it belongs to.
    pub public: Option<Condition>,
    /// When it holds a secret, whatever it is called.
    pub secret: Option<Condition>,
    /// When it counts; all of these must hold.
    pub when: Vec<Condition>,
    /// For a path: the argument with the folder that it lies in, whatever the path says.
    pub inside: Option<ArgumentPath>,
    /// For an id: what one looks like. What looks otherwise may be another name for anything.
    pub form: Option<IdForm>,
    /// For a repository: whether the user's own account is meant where no owner is said.
    pub own: bool,
    /// Whether it counts only where it lies outside the user's organisation: the calendar that an invitation is written
    /// to is a means, somebody else's calendar is a recipient.
    pub outside: bool,
}

/// What the ids of a service look like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IdForm {
    /// 32 hexadecimal digits, with or without dashes.
    Uuid,
    /// Capital letters and digits.
    Capitals,
    /// A mail address, or a name that people gave.
    Address,
}

impl IdForm {
    /// The form with this name.
    pub fn from_name(name: &str) -> Option<IdForm> {
        match name {
            "uuid" => Some(IdForm::Uuid),
            "capitals" => Some(IdForm::Capitals),
            "address" => Some(IdForm::Address),
            _ => None,
        }
    }

    /// The one way to write an id, so that no spelling of it is another thing. `None` for what is no such id.
    pub fn read(self, text: &str) -> Option<String> {
        match self {
            IdForm::Uuid => ids::uuid(text),
            IdForm::Capitals => {
                let is_letter = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
                (!text.is_empty() && text.bytes().all(is_letter)).then(|| text.to_owned())
            }
            IdForm::Address if text.contains('@') => Some(text.to_lowercase()),
            IdForm::Address => Some(text.to_owned()),
        }
    }
}

/// What kind of place an argument names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file or folder of this machine.
    Path(ArgumentPath),
    /// An address on the web.
    Url(ArgumentPath),
    /// A machine, as `scheme://host`.
    Host {
        /// The argument.
        argument: ArgumentPath,
        /// How it is reached, such as `ssh`.
        scheme: String,
    },
    /// Mail addresses, with or without display names, one or many.
    Mail(ArgumentPath),
    /// A thing of a service by its id: a channel, a page, a calendar, a message, an issue.
    Item {
        /// The argument.
        argument: ArgumentPath,
        /// The head of its name, `slack` for `slack:C04ENG`.
        scheme: String,
        /// What people call it: channel, page.
        noun: String,
    },
    /// A repository on GitHub.
    Repository {
        /// Whose it is; the user's own account if it is not said.
        owner: Option<ArgumentPath>,
        /// Its name.
        repository: ArgumentPath,
        /// The branch, where the call names one.
        branch: Option<ArgumentPath>,
    },
    /// Where a search in a mailbox looks: `gmail:inbox`, or the label that the query names.
    MailSearch {
        /// The argument.
        argument: ArgumentPath,
        /// The head of its name.
        scheme: String,
    },
    /// The page that the browser shows.
    CurrentPage,
    /// The page that the browser of this server shows, of which only its own calls tell.
    PageOf(String),
    /// Always this name.
    Fixed(String),
    /// Always this path, read as the session reads paths: `.` is the workspace, `~/x` lies in the home folder.
    File(String),
    /// Anything that looks like a path, an address on the web or a mail address, at any depth.
    Anything(ArgumentPath),
    /// Addresses of people and webhooks inside an object: what stands under a key that says so (`webhook.url`, `cc`).
    Destinations(ArgumentPath),
}

impl Kind {
    /// What people call it.
    pub fn noun(&self) -> &str {
        match self {
            Kind::Path(_) => "path",
            Kind::Url(_) => "URL",
            Kind::Host { .. } => "host",
            Kind::Mail(_) => "mail address",
            Kind::Item { noun, .. } => noun,
            Kind::Repository { .. } => "repository",
            Kind::MailSearch { .. } => "mail search",
            Kind::CurrentPage | Kind::PageOf(_) => "current page",
            Kind::Fixed(_) => "fixed",
            Kind::File(_) => "file",
            Kind::Anything(_) => "anything",
            Kind::Destinations(_) => "destinations",
        }
    }

    /// The arguments that it reads.
    pub fn arguments(&self) -> Vec<&ArgumentPath> {
        let mut arguments = Vec::new();
        self.each_path(&mut |path| arguments.push(path));
        arguments
    }

    fn each_path<'s>(&'s self, look: &mut impl FnMut(&'s ArgumentPath)) {
        match self {
            Kind::Path(argument)
            | Kind::Url(argument)
            | Kind::Mail(argument)
            | Kind::Anything(argument)
            | Kind::Destinations(argument)
            | Kind::Host { argument, .. }
            | Kind::Item { argument, .. }
            | Kind::MailSearch { argument, .. } => look(argument),
            Kind::Repository { owner, repository, branch } => {
                owner.iter().chain([repository]).chain(branch).for_each(look);
            }
            Kind::CurrentPage | Kind::PageOf(_) | Kind::Fixed(_) | Kind::File(_) => {}
        }
    }
}

/// Which page a browser shows after the call.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Opens {
    /// The argument with its URL; without one, nobody knows which page it is.
    pub url: Option<ArgumentPath>,
    /// All of these must hold.
    pub when: Vec<Condition>,
    /// Where all of these hold, and there are any, nobody knows which page it is.
    pub unknown: Vec<Condition>,
    /// The server whose browser it is, where nobody but the server says that it has one.
    pub browser: Option<String>,
}

/// Where a tool that calls tools has their name and arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InnerCall {
    /// The argument with the name of the inner tool.
    pub tool: ArgumentPath,
    /// The argument with its arguments.
    pub arguments: ArgumentPath,
}

/// What was taken at its worst, because the definition does not tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    /// Which dimension: effects, input, output.
    pub about: Dimension,
    /// Why it could not be told, and what was assumed.
    pub words: String,
}

/// What an assumption is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dimension {
    /// What is done.
    Effects,
    /// Where data comes from.
    Input,
    /// Where it goes.
    Output,
}

impl Dimension {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Dimension::Effects => "effects",
            Dimension::Input => "input",
            Dimension::Output => "output",
        }
    }
}

impl Place {
    /// A place that the call must name.
    pub fn required(kind: Kind) -> Place {
        Place {
            kind,
            reach: Reach::One,
            optional: false,
            default: None,
            files: None,
            revision: None,
            public: None,
            secret: None,
            when: Vec::new(),
            inside: None,
            form: None,
            own: false,
            outside: false,
        }
    }

    /// A place that the call may leave out.
    pub fn optional(kind: Kind) -> Place {
        Place { optional: true, ..Place::required(kind) }
    }
}

impl Profile {
    /// Whether an argument is a command line or SQL.
    pub fn takes_code(&self) -> bool {
        self.deeds.iter().any(|deed| matches!(deed.what, What::Shell { .. } | What::Sql { .. }))
    }

    /// The arguments that the profile knows, at the top level.
    pub fn known_arguments(&self) -> impl Iterator<Item = &str> {
        self.known().into_iter()
    }

    /// Whether the profile knows an argument at the top level.
    pub fn knows(&self, argument: &str) -> bool {
        let mut found = false;
        self.each_path(&mut |path| found |= path.root() == Some(argument));
        found
    }

    /// The same arguments in order, each once, so that many can be looked up.
    pub(crate) fn known(&self) -> Vec<&str> {
        // Room for those of a usual tool.
        let mut names = Vec::with_capacity(16);
        self.each_path(&mut |path| names.extend(path.root()));
        names.sort_unstable();
        names.dedup();
        names
    }

    fn each_path<'s>(&'s self, look: &mut impl FnMut(&'s ArgumentPath)) {
        self.text.iter().chain(&self.ignored).for_each(&mut *look);
        for deed in &self.deeds {
            deed.when.iter().for_each(|condition| look(&condition.argument));
            deed.what.each_path(look);
        }
        if let Some(opens) = &self.opens {
            opens.url.iter().for_each(&mut *look);
            opens.when.iter().chain(&opens.unknown).for_each(|condition| look(&condition.argument));
        }
        if let Some(inner) = &self.calls {
            look(&inner.tool);
            look(&inner.arguments);
        }
    }
}

impl What {
    fn each_path<'s>(&'s self, look: &mut impl FnMut(&'s ArgumentPath)) {
        match self {
            What::Flow(flow) => {
                flow.from.iter().chain(&flow.to).flatten().for_each(|place| place.each_path(look));
            }
            What::Shell { command, folder } => {
                look(command);
                folder.iter().for_each(look);
            }
            What::Sql { text, .. } => look(text),
        }
    }
}

impl Place {
    fn each_path<'s>(&'s self, look: &mut impl FnMut(&'s ArgumentPath)) {
        self.kind.each_path(look);
        self.files.iter().chain(&self.revision).chain(&self.inside).for_each(&mut *look);
        self.public.iter().chain(&self.when).for_each(|condition| look(&condition.argument));
    }
}
