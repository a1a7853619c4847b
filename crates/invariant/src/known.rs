//! What facts can say in a session: a rule about a tool or an argument that nobody has is a misunderstanding.

use std::collections::BTreeSet;

use portcullis_datalog::{Atom, Constant, Literal, Position, Rule, Term};
use portcullis_lattice::Effect;

use crate::action::Actions;
use crate::meaning::Place;
use crate::names;
use crate::toolbox::Toolbox;

/// What a name can be.
const KINDS: &[&str] = &[
    "file",
    "page",
    "person",
    "channel",
    "direct",
    "repository",
    "table",
    "calendar",
    "mailbox",
    "note",
    "package",
    "host",
    "account",
    "context",
];
const REALMS: &[&str] = &["context", "local", "internal", "external"];

/// What history tells of single things.
const DEEDS: &[&str] = &["reads", "writes", "changes", "deletes", "moves", "runs", "sends"];

/// Facts whose first column is the name of an argument, as words.
const NAMED_BY_WORDS: &[&str] = &["text", "choice", "number"];

/// Something that a rule is about and no call can have.
pub(crate) struct Unknown {
    /// Where the rule says so.
    pub(crate) at: Position,
    pub(crate) message: String,
    /// What is called like it.
    pub(crate) near: Option<String>,
}

/// What facts can say in a session with these tools.
pub(crate) struct Known {
    servers: BTreeSet<String>,
    tools: BTreeSet<String>,
    /// Words that `did` can show.
    actions: BTreeSet<String>,
    /// Names of arguments as they are spelled.
    spelled: BTreeSet<String>,
    /// The same as words.
    named: BTreeSet<String>,
    /// Each word of them.
    words: BTreeSet<String>,
}

impl Known {
    pub(crate) fn of(tools: &Toolbox) -> Known {
        let described = tools.described();
        let spelled = tools.parameters();
        let named: BTreeSet<String> = spelled.iter().map(|name| names::words(name).join(" ")).collect();
        let actions = Actions::built_in().map(|actions| actions.iter().map(|action| action.name.clone()));
        let shown = described.iter().flat_map(|tool| names::words(&tool.tool));
        Known {
            servers: described.iter().map(|tool| tool.server.to_lowercase()).collect(),
            tools: described.iter().map(|tool| format!("{}.{}", tool.server, tool.tool)).collect(),
            actions: actions.into_iter().flatten().chain(shown).collect(),
            words: named.iter().flat_map(|name| name.split(' ').map(str::to_owned)).collect(),
            named,
            spelled,
        }
    }

    /// What rules are about that no call can have.
    pub(crate) fn problems(&self, rules: &[Rule], sources: &[(String, Place)]) -> Vec<Unknown> {
        let mut problems = Vec::new();
        for rule in rules {
            let arguments = arguments(rule);
            for literal in &rule.body {
                let (Literal::Holds(atom) | Literal::Fails(atom)) = literal else { continue };
                problems.extend(self.problem(atom, &arguments, sources));
            }
        }
        problems
    }

    fn problem(
        &self,
        atom: &Atom,
        arguments: &BTreeSet<&str>,
        sources: &[(String, Place)],
    ) -> Option<Unknown> {
        let texts: Vec<Option<&str>> = atom.arguments.iter().map(constant).collect();
        let (first, second) = (texts.first().copied().flatten(), texts.get(1).copied().flatten());
        let no = |what: &str, text: &str, near: Option<String>| {
            let message = format!("`{atom}`: there is no {what} `{text}`");
            Some(Unknown { at: atom.at, message, near })
        };
        let near = |known: &BTreeSet<String>, text: &str| nearest(known.iter().map(String::as_str), text);
        let list = |known: &[&str], text: &str| nearest(known.iter().copied(), text);
        match (&*atom.predicate, first, second) {
            ("server", Some(name), _) if !self.servers.contains(name) => {
                no("connected server", name, near(&self.servers, name))
            }
            ("tool", Some(name), _) if !self.tools.contains(name) => {
                no("connected tool", name, near(&self.tools, name))
            }
            ("did", Some(action), _) if !self.shows(action) => {
                no("action", action, near(&self.actions, action))
            }
            ("earlier_to", Some(deed), _) if !DEEDS.contains(&deed) => no("deed", deed, list(DEEDS, deed)),
            ("earlier_same" | "earlier_other", Some(act), _) if !self.shows(act) && !DEEDS.contains(&act) => {
                no("action or deed", act, near(&self.actions, act))
            }
            ("given", Some(word), _) if !self.words.contains(word) => {
                no("argument of a connected tool with the word", word, near(&self.words, word))
            }
            ("argument", Some(path), _) => {
                let name = path.split('.').find(|name| !self.spelled.contains(*name))?;
                no("argument of a connected tool called", path, near(&self.spelled, name))
            }
            (fact, Some(name), _) if NAMED_BY_WORDS.contains(&fact) && !self.named.contains(name) => {
                no("argument of a connected tool called", name, near(&self.named, name))
            }
            ("has_word", _, Some(word)) if self.is_strange(atom, word, arguments) => {
                no("argument of a connected tool with the word", word, near(&self.words, word))
            }
            ("kind", _, Some(kind)) if !KINDS.contains(&kind) => no("kind", kind, list(KINDS, kind)),
            ("realm", _, Some(realm)) if !REALMS.contains(&realm) => no("realm", realm, list(REALMS, realm)),
            ("effect", _, Some(effect)) if !Effect::ALL.iter().any(|own| own.name() == effect) => {
                let known: Vec<&str> = Effect::ALL.iter().map(|own| own.name()).collect();
                no("effect", effect, list(&known, effect))
            }
            ("carries", _, Some(name)) if !sources.iter().any(|(own, _)| own == name) => {
                no("place under `follow` for", name, None)
            }
            _ => None,
        }
    }

    fn shows(&self, action: &str) -> bool {
        let program = action.split(' ').next().unwrap_or_default();
        self.actions.contains(action) || portcullis_perceive::shell::knows_program(program)
    }

    /// Whether a word is asked for in the name of an argument, and none has it.
    fn is_strange(&self, atom: &Atom, word: &str, arguments: &BTreeSet<&str>) -> bool {
        let of_argument =
            matches!(atom.arguments.first(), Some(Term::Variable(name)) if arguments.contains(&**name));
        of_argument && !names::words(word).iter().all(|word| self.words.contains(word))
    }
}

/// The variables of a rule that stand for names of arguments.
fn arguments(rule: &Rule) -> BTreeSet<&str> {
    let holds = rule.body.iter().filter_map(|literal| match literal {
        Literal::Holds(atom) => Some(atom),
        Literal::Fails(_) | Literal::Compares(_) => None,
    });
    let names = holds.filter_map(|atom| match (&*atom.predicate, atom.arguments.first()) {
        ("argument" | "text" | "choice" | "number", Some(Term::Variable(name))) => Some(&**name),
        _ => None,
    });
    names.collect()
}

fn constant(term: &Term) -> Option<&str> {
    match term {
        Term::Constant(Constant::Text(text)) => Some(text),
        Term::Constant(Constant::Number(_)) | Term::Variable(_) | Term::Anonymous => None,
    }
}

/// Of some names the one that is most like another.
fn nearest<'n>(known: impl Iterator<Item = &'n str>, text: &str) -> Option<String> {
    const LIKE: f64 = 0.6;
    let likeness = |name: &str| strsim::normalized_damerau_levenshtein(name, text);
    let near = known.map(|name| (likeness(name), name)).filter(|(likeness, _)| *likeness >= LIKE);
    near.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, name)| name.to_owned())
}
