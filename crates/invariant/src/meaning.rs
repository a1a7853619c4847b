//! What a rule means, before it is written down as Datalog: what is done, to what, when, and how much of it.

mod values;

use serde::{Deserialize, Serialize};

use jiff::civil::Date;

pub use values::{Check, Form, Presence};
pub(crate) use values::{escaped, sort_of, sorts_in};

/// What happens to a call that a rule concerns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Verdict {
    /// It is refused, whatever was allowed.
    Deny,
    /// The user is asked each time.
    Ask,
}

impl Verdict {
    /// The word for it, as the decisions on calls have it.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Deny => "deny",
            Verdict::Ask => "ask",
        }
    }
}

/// What a sentence means: one case is enough for its verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct Meaning {
    /// What happens.
    pub verdict: Verdict,
    /// When it does.
    pub cases: Vec<Case>,
}

/// A kind of call.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Case {
    /// What is done: any of these; anything where there is none.
    pub doings: Vec<Doing>,
    /// Everything that must hold besides.
    pub tests: Vec<Test>,
    /// None of these may hold.
    pub unless: Vec<Vec<Test>>,
}

/// What is done.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Doing {
    /// What flows show.
    Deed(Deed),
    /// What words show: of the tool, of a command, of an argument.
    Did(String),
}

/// What the flows of a call show.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Deed {
    /// Content of the thing is used.
    Reads,
    /// Something arrives there.
    Writes,
    /// It is written, moved away or deleted.
    Changes,
    /// It is destroyed.
    Deletes,
    /// It is taken elsewhere.
    Moves,
    /// It is copied elsewhere.
    Copies,
    /// It is executed.
    Runs,
    /// Something goes to somebody or something on the network.
    Sends,
    /// It takes part in any way.
    Involves,
}

/// Which part of a flow a place is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// What the deed is done to.
    Object,
    /// Where it comes from.
    From,
    /// Where it goes.
    To,
}

/// Something that holds or does not.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// A part of the flow lies in one of these places (or in none of them).
    Place {
        /// Which part.
        side: Side,
        /// Any of these.
        places: Vec<Place>,
        /// Whether it lies there, or elsewhere.
        inside: bool,
    },
    /// The flow carries data from one of these places.
    Carries(Vec<Place>),
    /// The flow carries secrets.
    Secret,
    /// Words show one of these actions.
    Did {
        /// Any of these.
        actions: Vec<String>,
        /// Whether they do.
        is: bool,
    },
    /// The tool is about one of these, by the last noun of its name: `issue` for `create_issue`.
    About {
        /// Any of these.
        nouns: Vec<String>,
        /// Whether it is.
        is: bool,
    },
    /// One of these takes part, by its name or as a short value of an argument.
    Concerns(Vec<String>),
    /// It is such a time; that of the event where there is one.
    Time {
        /// Any of these.
        spans: Vec<Span>,
        /// Whether it is, or is not.
        is: bool,
        /// Whether the event's time counts instead of the present.
        of_event: bool,
    },
    /// There is so much of something.
    Measure {
        /// What is counted.
        unit: String,
        /// More than this.
        above: i64,
        /// Whether there is more, or not.
        is: bool,
    },
    /// A text that the agent writes holds one of these.
    Says {
        /// Any of these.
        what: Vec<Saying>,
        /// In arguments whose name has this word; in any text where there is none.
        parameter: Option<String>,
        /// Whether it does.
        is: bool,
    },
    /// An argument with this word in its name is given.
    Given {
        /// The word.
        word: String,
        /// Whether it is.
        is: bool,
    },
    /// An argument has one of these values.
    Choice {
        /// Any of these.
        values: Vec<String>,
        /// A word of the argument's name, where it is known.
        parameter: Option<String>,
        /// Whether it has.
        is: bool,
    },
    /// The values of an argument are so.
    Value {
        /// What tools call the argument: any of these.
        names: Vec<String>,
        /// What a value may be.
        check: Check,
        /// Whether one is so, or is not.
        presence: Presence,
    },
    /// The flow does this as well.
    Does(Deed),
    /// So many earlier calls of the session were of this kind, or more.
    Often {
        /// What was done: its exceptions are not looked at.
        what: Box<Case>,
        /// How many.
        least: i64,
    },
    /// A command line has one of these signs outside of quotes: `&&`, `|`.
    Sign(Vec<String>),
    /// It is one of these tools, or a tool of one of these servers.
    Tool {
        /// Any of these.
        names: Vec<String>,
        /// Whether it is.
        is: bool,
    },
    /// It concerns one of these branches.
    Branch {
        /// Any of these; `*` stands for anything.
        patterns: Vec<String>,
        /// Whether it does.
        is: bool,
    },
    /// One of these holds, each of several parts.
    Any(Vec<Vec<Test>>),
    /// A command runs one of these programs (or another).
    Program {
        /// Any of these.
        names: Vec<String>,
        /// Whether it does.
        is: bool,
    },
    /// A statement without a condition.
    WithoutWhere,
    /// A query without a limit.
    Unlimited,
    /// Everything at once is meant, not single things.
    Everything,
    /// Other people take part.
    Company(bool),
    /// An earlier call of the session did this.
    Earlier {
        /// What was done: its exceptions are not looked at.
        what: Box<Case>,
        /// Whether one did.
        is: bool,
    },
    /// An earlier call of the session did this to the very thing that the rule is about.
    EarlierHere {
        /// What was done to it.
        deed: Deed,
        /// Whether one did.
        is: bool,
    },
    /// An earlier call of the session did this and had a value that this call has in one of these arguments, whatever
    /// the argument was called there. Where an argument has several values, all of them must have been had for this to
    /// lift a rule, and one of them is enough to break one.
    EarlierSame {
        /// Acts that words show, or deeds of flows: any of these.
        what: Vec<String>,
        /// What tools call the argument of this call: any of these.
        names: Vec<String>,
        /// Whether one did.
        is: bool,
    },
}

/// Something that a text can hold.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Saying {
    /// These words, in whatever case.
    Words(String),
    /// Something of the form of this one: `OPS-123` with other digits.
    Like(String),
    /// Something of this kind: `mail address`, `phone number`, `card number`, `bank account`.
    Class(String),
}

/// A set of things that can be named on a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Place {
    /// A path with everything in it, by its full name.
    Path(String),
    /// Files or folders whose last name is like this.
    Named(String),
    /// A path inside a repository and everything in it.
    Within(String),
    /// Files with this ending.
    Ending(String),
    /// A folder of this name and everything in it, wherever it is.
    Folder(String),
    /// Anything with this word in its name: `hr` in `/x/hr/pay.csv`, `customers` in `db:customers`.
    Word(String),
    /// The host or domain and what is below it; also mail addresses there.
    Domain(String),
    /// Hosts with a part like this: `linkedin`, `prod-*`.
    HostLike(String),
    /// A page of the web and what is below it.
    Page(String),
    /// This mail address.
    Address(String),
    /// The part of an address before the `@`.
    Mailbox(String),
    /// A resource by its name in a service: `C07LEGALQ1`, `quillpress/tracker`.
    Id(String),
    /// A channel by its name alone.
    Channel(String),
    /// A table, or all in a database.
    Table(String),
    /// A database by its name.
    Database(String),
    /// All of a kind: `file`, `page`, `person`.
    Kind(String),
    /// Not on this machine.
    Network,
    /// On this machine.
    Local,
    /// In the organisation.
    Internal,
    /// Outside the organisation.
    External,
    /// For everybody to see.
    Public,
    /// Directly in the workspace.
    TopLevel,
    /// Plain `http`.
    PlainHttp,
    /// Names that begin with a dot.
    Hidden,
    /// Whose last name has this form.
    Formed(Form),
}

/// A stretch of time. Every part that is there must hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Span {
    /// Days of the week, Monday is 0; all of them where none is.
    pub days: Vec<u8>,
    /// Minutes of the day, from and before; several are alternatives.
    pub hours: Vec<(i64, i64)>,
    /// From and until which date, both included.
    pub dates: Option<(Option<Date>, Option<Date>)>,
    /// Months of the year.
    pub months: Vec<i8>,
    /// From and to which day of the month, both included.
    pub month_days: Option<(i8, i8)>,
    /// Whether it is meant to be outside of all this.
    pub is_outside: bool,
}

impl Case {
    /// Another test that must hold.
    #[must_use]
    pub fn and(mut self, test: Test) -> Case {
        self.tests.push(test);
        self
    }
}

impl Test {
    /// Takes signs out of those that a command line must not have.
    pub(crate) fn allow_signs(&mut self, allowed: &[String]) {
        if let Test::Sign(signs) = self {
            signs.retain(|sign| !allowed.contains(sign));
        }
    }

    /// The opposite.
    pub fn negated(self) -> Option<Test> {
        Some(match self {
            Test::Place { side, places, inside } => Test::Place { side, places, inside: !inside },
            Test::Did { actions, is } => Test::Did { actions, is: !is },
            Test::About { nouns, is } => Test::About { nouns, is: !is },
            Test::Measure { unit, above, is } => Test::Measure { unit, above, is: !is },
            Test::Says { what, parameter, is } => Test::Says { what, parameter, is: !is },
            Test::Given { word, is } => Test::Given { word, is: !is },
            Test::Choice { values, parameter, is } => Test::Choice { values, parameter, is: !is },
            Test::Tool { names, is } => Test::Tool { names, is: !is },
            Test::Branch { patterns, is } => Test::Branch { patterns, is: !is },
            Test::Company(is) => Test::Company(!is),
            Test::Earlier { what, is } => Test::Earlier { what, is: !is },
            Test::EarlierHere { deed, is } => Test::EarlierHere { deed, is: !is },
            Test::EarlierSame { what, names, is } => Test::EarlierSame { what, names, is: !is },
            Test::Program { names, is } => Test::Program { names, is: !is },
            Test::Time { spans, is, of_event } => Test::Time { spans, is: !is, of_event },
            Test::Value { names, check, presence: Presence::One } => {
                Test::Value { names, check, presence: Presence::Missing }
            }
            Test::Value { names, check, presence: Presence::Missing } => {
                Test::Value { names, check, presence: Presence::One }
            }
            Test::Value { presence: Presence::Other, .. }
            | Test::Does(_)
            | Test::Often { .. }
            | Test::Sign(_)
            | Test::Carries(_)
            | Test::Any(_)
            | Test::Concerns(_)
            | Test::Secret
            | Test::WithoutWhere
            | Test::Unlimited
            | Test::Everything => return None,
        })
    }
}
