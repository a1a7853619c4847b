//! What a tool's name and description say that it does.

mod outside;
mod sentence;

use portcullis_lattice::{Effect, Effects};

use super::definition::Definition;
use super::vocabulary::{Vocabulary, Words, has};
use super::words::{singular, words};
use crate::profile::{Assumption, Dimension};
use sentence::{by_description, by_later_clause, runs_question};

/// How a tool acts, as a verb tells it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Manner {
    /// Shows names.
    List,
    /// Shows something.
    Look,
    /// Brings something here.
    Download,
    /// Changes or makes something.
    Change,
    /// Begins something: a trace, or something that keeps running.
    Start,
    /// Gives something another name.
    Rename,
    /// Makes the same elsewhere.
    Copy,
    /// Brings something from here to a service.
    Upload,
    /// Gives others access.
    Share,
    /// Sends something to people.
    Send,
    /// Takes away and puts elsewhere.
    Move,
    /// Destroys something.
    Destroy,
    /// Runs something.
    Run,
    /// Has something run elsewhere, which may go on when the call is done: a pipeline, a build.
    SetGoing,
    /// Leaves something running.
    Spawn,
}

impl Manner {
    /// What it does.
    pub(super) fn effects(self) -> Effects {
        match self {
            Manner::List | Manner::Look | Manner::Download => Effects::only(Effect::Read),
            Manner::Change
            | Manner::Start
            | Manner::Rename
            | Manner::Copy
            | Manner::Upload
            | Manner::Share
            | Manner::Send => Effects::only(Effect::Write),
            Manner::Move => Effects::only(Effect::Write).with(Effect::Del),
            Manner::Destroy => Effects::only(Effect::Del),
            Manner::Run => Effects::only(Effect::Exec),
            // Whether it is over when the call is, nobody tells.
            Manner::SetGoing => Effects::only(Effect::Exec).with(Effect::Spawn),
            Manner::Spawn => Effects::only(Effect::Spawn),
        }
    }

    /// Whether it only looks.
    pub(super) fn only_looks(self) -> bool {
        matches!(self, Manner::List | Manner::Look | Manner::Download)
    }
}

/// What a definition tells about the effects.
pub(super) struct Told {
    /// What is done; at least one.
    pub(super) manners: Vec<Manner>,
    /// The words of the name, without those of the server.
    pub(super) words: Vec<String>,
    /// Whether the tool says that it does more than look, and nothing else explains it.
    pub(super) claims_change: bool,
    /// Whether a query is run that the call brings, in a language that may be any.
    pub(super) asks_in_words: bool,
    /// Whether the tool takes a language of graphs or the like, in which one text may do anything.
    pub(super) speaks: bool,
    /// Whether the web is searched, which is nobody's own.
    pub(super) asks_web: bool,
    /// Whether everybody gets to see what is changed.
    pub(super) is_public: bool,
    /// Whether what is looked at is a secret.
    pub(super) is_secret: bool,
    /// Whether the tool is one of a browser.
    pub(super) browses: bool,
    pub(super) assumptions: Vec<Assumption>,
}

impl Told {
    pub(super) fn by(definition: &Definition, server: &str, vocabulary: &Vocabulary) -> Told {
        let words = own_words(&definition.name, server, vocabulary);
        let mut told = Told {
            manners: Vec::new(),
            words,
            claims_change: definition.hints.claims_change(),
            asks_in_words: false,
            speaks: speaks(definition),
            asks_web: false,
            is_public: false,
            is_secret: false,
            browses: browses(definition, server, vocabulary),
            assumptions: Vec::new(),
        };
        told.manners = by_name(&told.words, vocabulary);
        let asks = asks(&told.words, vocabulary) || asks_by_description(definition, vocabulary);
        told.asks_in_words = asks && !brings_program(definition, vocabulary);
        if told.asks_in_words && told.manners == [Manner::Run] {
            // `run_query`, `execute_search`: what is run is a look, unless the query says more.
            told.manners = vec![Manner::Look];
        }
        told.settle(definition);
        let repeats = told.repeats(&definition.description, vocabulary);
        if let Some(manner) = by_description(&definition.description, vocabulary).filter(|_| !repeats) {
            let is_thing =
                !told.words.iter().any(|word| has(&vocabulary.names.plain, word)) && told.words.len() == 1;
            let is_question = told.asks_in_words && manner == Manner::Run;
            let more = !manner.only_looks() && manner != Manner::Start && !is_question;
            // A name that only looks does not hide what the description says; and a single word that may be a thing
            // (`log`) is what the description says that it is.
            let takes_back =
                told.manners == [Manner::Change] && manner == Manner::Destroy && told.takes_back();
            if told.manners.is_empty() || is_thing || told.only_looks() && more || takes_back {
                told.manners = vec![manner];
            }
        }
        if told.manners.is_empty() {
            told.manners.extend(by_later_clause(&definition.description, vocabulary));
        }
        if told.manners.is_empty() {
            told.manners.push(Manner::Run);
            told.assume("no known verb says what the tool does, so it may run anything");
        }
        told.manners.sort();
        told.manners.dedup();
        told.look_outside(definition, server);
        told
    }

    /// What other words make of the verb of the name.
    fn settle(&mut self, definition: &Definition) {
        if grants_access(&self.words, &self.manners) {
            self.manners = vec![Manner::Share];
        }
        let only_destroys = self.manners.iter().all(|manner| *manner == Manner::Destroy);
        if self.browses && only_destroys && self.words.iter().any(|word| word == "drop") {
            // What is dropped on a page is given to it.
            self.manners = vec![Manner::Upload];
        }
        if self.leaves_running(definition) {
            self.manners = vec![Manner::Spawn];
        }
    }

    /// Who gets to see it.
    fn look_outside(&mut self, definition: &Definition, server: &str) {
        self.asks_web = self.searches_web(definition, server);
        self.is_public = self.makes_public(definition, server);
        if self.manners == [Manner::Change] && self.gives_link() {
            self.manners = vec![Manner::Share];
        }
        self.is_secret = self.reveals_secret(server);
    }

    /// Whether the name says that something is taken back: `unwatch`, `cancel`. Its description may call that a deletion.
    fn takes_back(&self) -> bool {
        self.words.first().is_some_and(|word| {
            word.starts_with("un")
                || matches!(
                    word.as_str(),
                    "cancel" | "detach" | "disconnect" | "leave" | "withdraw" | "dismiss"
                )
        })
    }

    /// Whether something is made that runs from then on: a container of an image, a port that is forwarded.
    fn leaves_running(&self, definition: &Definition) -> bool {
        let says = |word: &str| self.words.iter().any(|one| singular(one) == word);
        let is_made = self.creates() || self.runs();
        let of_image = || definition.properties.iter().any(|property| property.words == ["image"]);
        let runs_on = says("container") || says("sandbox") || says("pod");
        is_made && runs_on && of_image() || says("port") && says("forward")
    }

    /// Whether the tool runs something.
    pub(super) fn runs(&self) -> bool {
        self.manners.iter().any(|manner| matches!(manner, Manner::Run | Manner::SetGoing | Manner::Spawn))
    }

    /// Whether the tool prepares something that is sent later.
    pub(super) fn drafts(&self) -> bool {
        let says_draft = self.words.iter().any(|word| matches!(word.as_str(), "draft" | "drafts"));
        says_draft && !self.words.iter().any(|word| word == "send") && self.manners == [Manner::Change]
    }

    /// Whether a description only begins with the name again, in which another word is the verb: `forward_geocode`.
    fn repeats(&self, description: &str, vocabulary: &Vocabulary) -> bool {
        let mut written = description.split(|letter: char| !letter.is_alphanumeric()).map(str::to_lowercase);
        let plain = |word: &String| has(&vocabulary.names.plain, word);
        match self.words.as_slice() {
            [first, second, ..] if !plain(first) && plain(second) => {
                written.next().as_ref() == Some(first) && written.next().as_ref() == Some(second)
            }
            _ => false,
        }
    }

    /// Whether something new is made.
    pub(super) fn creates(&self) -> bool {
        let is_new =
            |word: &String| matches!(word.as_str(), "create" | "add" | "new" | "register" | "insert");
        self.manners.contains(&Manner::Change) && self.words.iter().any(is_new)
    }

    /// Whether the tool keeps people and what is known of them: an address is then what is kept, and nobody is written to.
    pub(super) fn keeps_people(&self) -> bool {
        let says = |list: &[&str]| self.words.iter().any(|word| list.contains(&singular(word)));
        self.manners == [Manner::Change]
            && says(&[
                "contact",
                "lead",
                "customer",
                "client",
                "person",
                "people",
                "company",
                "user",
                "account",
                "subscriber",
                "candidate",
                "employee",
                "vendor",
                "supplier",
                "patient",
                "profile",
                "record",
                "row",
                "object",
                "prospect",
                "guest",
                "student",
            ])
            && !says(&["invite", "invitation", "message", "mail", "email", "notification"])
    }

    /// Whether people are called, or written to by telephone.
    pub(super) fn telephones(&self) -> bool {
        self.words.iter().any(|word| matches!(word.as_str(), "sms" | "mms" | "call" | "dial" | "whatsapp"))
    }

    /// Whether something is written that is published sooner or later.
    pub(super) fn writes_articles(&self) -> bool {
        self.manners == [Manner::Change]
            && self.words.iter().any(|word| matches!(singular(word), "post" | "article" | "page" | "blog"))
    }

    /// Whether something is made of what the call brings, by a service that merely processes it.
    pub(super) fn converts(&self) -> bool {
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        is_conversion(&words)
    }

    /// Whether the tool only looks.
    pub(super) fn only_looks(&self) -> bool {
        self.manners.iter().all(|manner| manner.only_looks())
    }

    pub(super) fn assume(&mut self, words: &str) {
        self.assumptions.push(Assumption { about: Dimension::Effects, words: words.to_owned() });
    }
}

/// Whether the tool is one of a browser, and about the page that it shows: not about tabs, of which there are several.
fn browses(definition: &Definition, server: &str, vocabulary: &Vocabulary) -> bool {
    let name = words(&definition.name);
    let is_browser = |word: &String| has(&vocabulary.names.browsers, word);
    let is_several = |word: &String| matches!(word.as_str(), "pages" | "tabs" | "windows" | "extensions");
    (words(server).iter().any(is_browser) || name.first().is_some_and(is_browser))
        && !name.iter().any(is_several)
}

/// Whether the definition names a language in which one text may ask, change and destroy.
fn speaks(definition: &Definition) -> bool {
    const LANGUAGES: [&str; 6] = ["cypher", "gremlin", "graphql", "surrealql", "sparql", "aql"];
    let description = definition.description.to_lowercase();
    let mut said = description.split(|letter: char| !letter.is_alphanumeric());
    words(&definition.name).iter().any(|word| LANGUAGES.contains(&word.as_str()))
        || said.any(|word| LANGUAGES.contains(&word))
}

/// The words of a tool's name without those of its server, as long as others remain.
fn own_words(name: &str, server: &str, vocabulary: &Vocabulary) -> Vec<String> {
    let all = words(name);
    let of_server = words(server);
    let is_own = |word: &&String| !of_server.contains(word) || vocabulary.manner(word).is_some();
    let rest: Vec<String> = all.iter().filter(is_own).cloned().collect();
    if rest.is_empty() { all } else { rest }
}

/// What the words of a name say. The first word counts if it can only be a verb, else the first such word (`file_get`),
/// else the first word, the last or any that may be a verb.
fn by_name(words: &[String], vocabulary: &Vocabulary) -> Vec<Manner> {
    let words = without_things(words, vocabulary);
    let words: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| !has(&vocabulary.names.adverbs, word)).collect();
    let verb = |word: &str| vocabulary.manner(word).map(|manner| settled(word, manner, &words, vocabulary));
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return Vec::new() };
    let plain = |word: &&&str| has(&vocabulary.names.plain, word);
    let chosen = match verb(first) {
        Some(manner) if plain(&first) => Some(manner),
        other => words.iter().find(plain).and_then(|word| verb(word)).or(other),
    };
    let chosen = chosen.or_else(|| verb(last)).or_else(|| words.iter().find_map(|word| verb(word)));
    let mut manners = Vec::new();
    if words.windows(2).any(|pair| matches!(pair, ["call", "service" | "services"])) {
        // What a device or an account does when it is told to, and no code.
        return vec![Manner::Change];
    }
    let looks_last = words.len() > 1 && verb(last).is_some_and(Manner::only_looks);
    if has(&vocabulary.names.methods, first) && looks_last {
        manners.extend(verb(last));
    } else if let Some(manner) = chosen {
        manners.push(manner);
    } else if has(&vocabulary.names.states, last) || is_conversion(&words) {
        manners.push(Manner::Look);
    } else if matches!(*last, "agent" | "agents") {
        manners.push(Manner::Spawn);
    }
    // `create_and_activate`, `get_or_create`; and what is destroyed is destroyed wherever the word stands.
    for (index, word) in words.iter().enumerate() {
        let follows = index > 0 && words.get(index - 1).is_some_and(|before| matches!(*before, "and" | "or"));
        let manner = verb(word).filter(|manner| follows || *manner == Manner::Destroy);
        manners.extend(manner);
    }
    manners
}

/// Whether the name says that a question is run: `execute_log_query`.
fn asks(words: &[String], vocabulary: &Vocabulary) -> bool {
    let runs = |word: &String| matches!(word.as_str(), "run" | "execute" | "exec" | "perform" | "invoke");
    let Some(at) = words.iter().position(runs) else { return false };
    let is_question = |word: &String| has(&vocabulary.names.questions, word);
    words.last().is_some_and(is_question) && words.len() > at + 1
}

/// Whether the description says that a question is run, and an argument is one: `Run an insights query`.
fn asks_by_description(definition: &Definition, vocabulary: &Vocabulary) -> bool {
    let is_question = |word: &String| matches!(word.as_str(), "query" | "queries");
    let mut properties = definition.properties.iter();
    properties.any(|property| property.is_text() && property.words.iter().any(is_question))
        && runs_question(&definition.description, vocabulary)
}

/// Whether a call brings what is run: a command line or a script, whatever the name of the tool says of it.
fn brings_program(definition: &Definition, vocabulary: &Vocabulary) -> bool {
    const PROGRAMS: [&str; 7] = ["script", "code", "python", "javascript", "js", "program", "shell"];
    let is_program =
        |word: &String| has(&vocabulary.arguments.command, word) || PROGRAMS.contains(&word.as_str());
    let mut properties = definition.properties.iter().chain(&definition.inner);
    properties.any(|property| property.words.iter().any(is_program))
}

/// Whether others get access: `create_permission`, `add_collaborator`.
fn grants_access(words: &[String], manners: &[Manner]) -> bool {
    let is_access = |word: &String| matches!(singular(word), "permission" | "collaborator" | "sharing");
    let gives = |word: &String| {
        matches!(word.as_str(), "create" | "add" | "grant" | "give" | "insert" | "update" | "set")
    };
    manners == [Manner::Change] && words.iter().any(is_access) && words.iter().any(gives)
}

/// What a verb means beside the other words: what is begun or set going keeps running, or not, and some things are not
/// looked at by verbs that look at others.
fn settled(verb: &str, manner: Manner, words: &[&str], vocabulary: &Vocabulary) -> Manner {
    let says = |list: &Words| words.iter().any(|word| has(list, word));
    let is_deed = |deed: &String| {
        deed.split_once(' ').is_some_and(|(first, second)| {
            first == verb && words.iter().any(|word| singular(word) == second || *word == second)
        })
    };
    if manner == Manner::Start && says(&vocabulary.names.running) {
        Manner::Spawn
    } else if manner == Manner::Run && says(&vocabulary.names.lasting) {
        Manner::SetGoing
    } else if manner.only_looks() && vocabulary.names.deeds.iter().any(is_deed) {
        Manner::Change
    } else {
        manner
    }
}

/// `text_to_speech`: a thing, made into another.
fn is_conversion(words: &[&str]) -> bool {
    words.iter().position(|word| *word == "to").is_some_and(|at| at > 0 && at + 1 < words.len())
}

/// The words without pairs that are one thing: in `get_merge_request` nothing is merged.
fn without_things(words: &[String], vocabulary: &Vocabulary) -> Vec<String> {
    let is_thing = |first: &str, second: &str| {
        vocabulary.names.things.iter().any(|thing| thing.split_once(' ') == Some((first, second)))
    };
    let mut rest: Vec<String> = Vec::new();
    let mut waiting = words.iter().peekable();
    while let Some(word) = waiting.next() {
        match waiting.peek() {
            Some(next) if is_thing(word, next) => {
                waiting.next();
            }
            _ => rest.push(word.clone()),
        }
    }
    if rest.is_empty() { words.to_vec() } else { rest }
}
