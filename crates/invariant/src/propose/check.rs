//! Rules of a model are checked as those of anybody else, and more: what could never fire, or is about tools and
//! arguments that nobody has, is a misunderstanding.

use std::collections::BTreeSet;

use portcullis_datalog::{Atom, Comparison, Constant, Goal, Literal, Problem, Rule, Source, Term, read};
use portcullis_lattice::Effect;

use super::answer::Rules;
use super::words::Places;
use super::{Task, aloud};
use crate::action::Actions;
use crate::examples;
use crate::meaning::Place;
use crate::names;
use crate::rulebook::{Rulebook, RulebookError, Stated};
use crate::say;
use crate::schema::Vocabulary;
use crate::trial::{Trial, TrialError};
use crate::write::Written;

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

/// Rules that may be proposed.
pub(super) struct Checked {
    pub(super) stated: Stated,
    pub(super) says: Vec<String>,
    pub(super) book: Rulebook,
}

/// Checks rules, or says all that is wrong with them.
pub(super) fn check(rules: &Rules, task: &Task<'_>) -> Result<Checked, Vec<String>> {
    let places = Places::of(task.ground.layout());
    let read = read_all(&rules.rules)?;
    let written: Vec<String> = read.iter().map(ToString::to_string).collect();
    let mut problems = Vec::new();
    let own: BTreeSet<String> = read.iter().map(|rule| rule.head.predicate.to_string()).collect();
    let vocabulary = Vocabulary::built_in().map_err(|why| vec![why])?;
    let taken = vocabulary.schema().words().filter(|(name, ..)| own.contains(*name));
    problems.extend(taken.map(|(name, ..)| format!("`{name}` is told of a call and cannot be derived")));
    let mut rewriter = Rewriter { task, places: &places, own: &own, problems: &mut problems };
    let read: Vec<Rule> = read.into_iter().map(|rule| rewriter.rule(rule)).collect();
    let sources = sources(rules, &places, &mut problems);
    Words::of(task).check(&read, &sources, &mut problems);
    if !problems.is_empty() {
        return Err(problems);
    }
    let text = read.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    let stated = Stated { sentence: task.sentence.to_owned(), written: Written { text, sources } };
    let book = Rulebook::new(vec![stated.clone()]).map_err(|error| match error {
        RulebookError::Datalog(problems) => {
            problems.as_slice().iter().map(|one| told(one, &written)).collect()
        }
        RulebookError::Vocabulary(why) => vec![why],
    })?;
    let odd: Vec<String> = book.warnings().iter().map(|one| told(one, &written)).collect();
    if !odd.is_empty() {
        return Err(odd);
    }
    let mut says = aloud::say(&read);
    let followed = |(name, place): &(String, Place)| {
        format!("“{name}” is data that comes from {}.", say::say_source(place))
    };
    says.extend(stated.written.sources.iter().map(followed));
    Ok(Checked { stated, says, book })
}

fn read_all(texts: &[String]) -> Result<Vec<Rule>, Vec<String>> {
    let mut rules = Vec::new();
    let mut problems = Vec::new();
    for text in texts {
        match read(text, Source::default()) {
            Ok(read) => rules.extend(read),
            Err(found) => {
                let of_this = |one: &Problem| format!("in `{text}`: {}; {}", one.message, one.hint);
                problems.extend(found.as_slice().iter().map(of_this));
            }
        }
    }
    if problems.is_empty() { Ok(rules) } else { Err(problems) }
}

/// A problem with the rule as the model wrote it; rules stand on a line each.
fn told(problem: &Problem, written: &[String]) -> String {
    let Problem { at, message, hint, .. } = problem;
    let rule = usize::try_from(at.line).ok().and_then(|line| written.get(line.checked_sub(1)?));
    format!("in `{}`: {message}; {hint}", rule.map_or("the rules", String::as_str))
}

/// Whether plain calls of all tools are stopped, where there is more than one tool.
pub(super) fn stops_everything(book: &Rulebook, task: &Task<'_>) -> Result<bool, TrialError> {
    let calls = examples::plain_calls(task.tools, task.ground.layout());
    for call in &calls {
        let tried = Trial::new(task.tools, task.ground, book).call(call, Some(task.now))?;
        if tried.breaches.is_empty() {
            return Ok(false);
        }
    }
    Ok(calls.len() > 1)
}

/// The places to follow, each under its name.
fn sources(rules: &Rules, places: &Places, problems: &mut Vec<String>) -> Vec<(String, Place)> {
    let mut sources = Vec::new();
    for (name, source) in &rules.follow {
        match source.place(places) {
            Ok(_) if source.is_empty() => problems.push(format!("`follow` says no place for `{name}`")),
            Ok(place) => sources.push((name.clone(), place)),
            Err(problem) => problems.push(problem),
        }
    }
    sources
}

/// Makes rules this user's: with real places, with the sentence for the reason, and with names of their own.
struct Rewriter<'w, 't> {
    task: &'w Task<'t>,
    places: &'w Places,
    /// What the rules derive.
    own: &'w BTreeSet<String>,
    problems: &'w mut Vec<String>,
}

impl Rewriter<'_, '_> {
    fn rule(&mut self, rule: Rule) -> Rule {
        let is_goal = Goal::ALL.iter().any(|goal| goal.name() == &*rule.head.predicate);
        if is_goal && rule.body.is_empty() {
            self.problems.push(format!("`{rule}` stops every call"));
        }
        let mut head = self.atom(rule.head);
        if is_goal {
            head.arguments = vec![Term::text(self.task.sentence)];
        }
        let body = rule.body.into_iter().map(|literal| match literal {
            Literal::Holds(atom) => Literal::Holds(self.atom(atom)),
            Literal::Fails(atom) => Literal::Fails(self.atom(atom)),
            Literal::Compares(Comparison { left, operator, right, at }) => {
                Literal::Compares(Comparison { left: self.term(left), operator, right: self.term(right), at })
            }
        });
        Rule { head, body: body.collect(), source: rule.source }
    }

    fn atom(&mut self, atom: Atom) -> Atom {
        let is_goal = Goal::ALL.iter().any(|goal| goal.name() == &*atom.predicate);
        let predicate = match self.own.contains(&*atom.predicate) && !is_goal {
            true => format!("{}_{}", self.task.prefix, atom.predicate).into(),
            false => atom.predicate,
        };
        let arguments = atom.arguments.into_iter().map(|term| self.term(term)).collect();
        Atom { predicate, arguments, at: atom.at }
    }

    fn term(&mut self, term: Term) -> Term {
        let Term::Constant(Constant::Text(text)) = &term else { return term };
        match self.places.text(text) {
            Ok(text) => Term::text(&text),
            Err(problem) => {
                self.problems.push(problem);
                term
            }
        }
    }
}

/// What facts can say in a session with these tools.
struct Words {
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

impl Words {
    fn of(task: &Task<'_>) -> Words {
        let described = task.tools.described();
        let spelled = task.tools.parameters();
        let named: BTreeSet<String> = spelled.iter().map(|name| names::words(name).join(" ")).collect();
        let actions = Actions::built_in().map(|actions| actions.iter().map(|action| action.name.clone()));
        let shown = described.iter().flat_map(|tool| names::words(&tool.tool));
        Words {
            servers: described.iter().map(|tool| tool.server.to_lowercase()).collect(),
            tools: described.iter().map(|tool| format!("{}.{}", tool.server, tool.tool)).collect(),
            actions: actions.into_iter().flatten().chain(shown).collect(),
            words: named.iter().flat_map(|name| name.split(' ').map(str::to_owned)).collect(),
            named,
            spelled,
        }
    }

    fn check(&self, rules: &[Rule], sources: &[(String, Place)], problems: &mut Vec<String>) {
        for rule in rules {
            let arguments = arguments(rule);
            for literal in &rule.body {
                let (Literal::Holds(atom) | Literal::Fails(atom)) = literal else { continue };
                problems.extend(self.problem(atom, &arguments, sources));
            }
        }
    }

    /// What is wrong with a condition: it is about something that no call can have.
    fn problem(
        &self,
        atom: &Atom,
        arguments: &BTreeSet<&str>,
        sources: &[(String, Place)],
    ) -> Option<String> {
        let texts: Vec<Option<&str>> = atom.arguments.iter().map(constant).collect();
        let (first, second) = (texts.first().copied().flatten(), texts.get(1).copied().flatten());
        let no = |what: &str, text: &str| Some(format!("`{atom}`: there is no {what} `{text}`"));
        let is_parameter = |name: &str| self.named.contains(name);
        match (&*atom.predicate, first, second) {
            ("server", Some(name), _) if !self.servers.contains(name) => no("connected server", name),
            ("tool", Some(name), _) if !self.tools.contains(name) => no("connected tool", name),
            ("did", Some(action), _) if !self.shows(action) => no("action", action),
            ("earlier", ..) => {
                Some(format!("`{atom}`: milestones are for all rules; use `earlier_to` or `calls`"))
            }
            ("earlier_to", Some(deed), _) if !DEEDS.contains(&deed) => no("deed", deed),
            ("given", Some(word), _) if !self.words.contains(word) => {
                no("argument of a connected tool with the word", word)
            }
            ("argument", Some(path), _) if !path.split('.').all(|name| self.spelled.contains(name)) => {
                no("argument of a connected tool called", path)
            }
            (fact, Some(name), _) if NAMED_BY_WORDS.contains(&fact) && !is_parameter(name) => {
                no("argument of a connected tool called", name)
            }
            ("has_word", _, Some(word)) if self.is_strange(atom, word, arguments) => {
                no("argument of a connected tool with the word", word)
            }
            ("kind", _, Some(kind)) if !KINDS.contains(&kind) => no("kind", kind),
            ("realm", _, Some(realm)) if !REALMS.contains(&realm) => no("realm", realm),
            ("effect", _, Some(effect)) if !Effect::ALL.iter().any(|own| own.name() == effect) => {
                no("effect", effect)
            }
            ("carries", _, Some(name)) if !sources.iter().any(|(own, _)| own == name) => {
                no("place under `follow` for", name)
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
