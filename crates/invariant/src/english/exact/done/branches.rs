//! What branches are called, what is posted to a channel itself, and statements without a condition.

use crate::english::exact::Exact;
use crate::english::exact::done::acts::{DENYING, FORBIDDEN, Table};
use crate::english::exact::rules::{Polarity, bond, broken, refused};
use crate::english::exact::values::predicate::Predicate;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::exact::written::contents::channel_ids;
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Doing, Place, Saying, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// What people call the names of branches, or branches by their names.
const BRANCHES: &[&str] = &[
    "branch names",
    "branch name",
    "names of branches",
    "names of new branches",
    "the name of a branch",
    "branches",
    "branch",
    "the name of every branch",
    "the names of branches",
    "feature branches",
    "feature branch",
    "new branch names",
    "topic branches",
    "the names of your branches",
    "branch names you create",
    "name of branch",
    "names for branches",
];

/// Statements that change what a condition picks.
const STATEMENTS: &[(&[&str], &str)] = &[
    (&["update", "updates", "update statements", "updating", "update statement"], "sql update"),
    (&["delete", "deletes", "delete statements", "deleting", "delete statement", "deletions"], "sql delete"),
];

/// Ways to say that another branch is taken up.
const GOING: &[&str] = &[
    "check out",
    "checkout",
    "git checkout",
    "switch to",
    "change to",
    "switch over to",
    "go to",
    "move to",
    "jump to",
    "git switch",
    "go onto",
    "hop to",
];

/// What stands for any branch.
const OTHERS: &[&str] = &[
    "anything",
    "something",
    "branches",
    "branch",
    "other",
    "another",
    "others",
    "else",
    "files",
    "file",
    "it",
    "them",
    "this",
    "that",
    "one",
    "code",
    "commits",
];

impl Exact<'_> {
    /// Rules of these few builds.
    pub(in crate::english::exact) fn peculiar(&self, tokens: &[Token]) -> Option<Rules> {
        self.branch_names(tokens)
            .or_else(|| self.one_branch(tokens))
            .or_else(|| self.in_channels(tokens))
            .or_else(|| self.unconditioned(tokens))
            .or_else(|| self.fetched(tokens))
            .or_else(|| self.sent_to_many(tokens))
            .or_else(|| self.held_at_most(tokens))
            .or_else(|| self.one_service(tokens))
    }

    /// "Branch names start with kf/": what new branches are called.
    fn branch_names(&self, tokens: &[Token]) -> Option<Rules> {
        let names = self.branch_arguments()?;
        let tokens = strip(tokens, &["name", "call", "always name", "always call"]).unwrap_or(tokens);
        let (polarity, predicate) = (1..tokens.len()).find_map(|at| {
            let (subject, rest) = (tokens.get(..at)?, tokens.get(at..)?);
            strip(bare(subject), BRANCHES).filter(|rest| rest.is_empty())?;
            match bond(rest) {
                Some((polarity, bond, said)) => Some((polarity, self.said(bond, said, &names)?)),
                // "branch names in lower case", "branches without capitals"
                None => Some((Polarity::Must, self.predicate(strip(rest, &[":"]).unwrap_or(rest), &names)?)),
            }
        })?;
        // A branch "is main" says nothing of what it is called.
        let is_form = match &predicate {
            Predicate::So(crate::meaning::Check::Forms(forms)) => {
                !forms.iter().any(|form| matches!(form, crate::meaning::Form::Is(_)))
            }
            Predicate::So(_) | Predicate::Present | Predicate::Empty => false,
            Predicate::Lacks(_) | Predicate::Long { .. } => true,
        };
        let tests = broken(&names, &predicate, polarity).filter(|_| is_form)?;
        let about = Test::About { nouns: vec!["branch".to_owned()], is: true };
        Some(refused(vec![Doing::Did("create".to_owned())], vec![about], tests))
    }

    /// "never check out the branch legacy": one branch, by its name.
    fn one_branch(&self, tokens: &[Token]) -> Option<Rules> {
        let can = Table::built_in()?.can_do("switch branch", self.hand);
        let rest = strip(tokens, DENYING).filter(|_| can)?;
        let named = strip(rest, GOING)?;
        let is_branch = strip(named, &["the branch", "branch"]).is_some()
            || strip_end(named, &["branch"]).is_some()
            || strip(rest, &["check out", "checkout", "switch to", "git checkout"]).is_some();
        let named = strip(named, &["the branch", "branch"]).unwrap_or(named);
        let named = bare(strip_end(named, &["branch"]).unwrap_or(named));
        let one = |item: &[Token]| match bare(item) {
            [one] if !OTHERS.contains(&one.low.as_str()) && !matches!(one.shape, Shape::Mark(_)) => {
                Some(one.text.clone())
            }
            _ => None,
        };
        let patterns: Option<Vec<String>> = items(named).into_iter().map(one).collect();
        let patterns = patterns.filter(|patterns| is_branch && !patterns.is_empty())?;
        let tests = vec![Test::Branch { patterns, is: true }];
        let doings = vec![Doing::Did("switch branch".to_owned())];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// What tools that make branches call the name.
    fn branch_arguments(&self) -> Option<Vec<String>> {
        let making = ["create".to_owned(), "branch".to_owned()];
        if !self.hand.has_tool_about(&making) {
            return None;
        }
        let arguments = self.hand.arguments_of(&making);
        let names = ["branch name", "branch", "new branch", "name"].into_iter();
        names.filter(|name| arguments.contains(name)).map(|name| vec![name.to_owned()]).next()
    }

    /// "no top-level posts in #support (C0SUPPORT1)": acts in one channel.
    fn in_channels(&self, tokens: &[Token]) -> Option<Rules> {
        let rest = strip(tokens, DENYING)?;
        let (act, _, place) = around(rest, &["in", "on", "to"])?;
        let ids = channel_ids(bare(place));
        let acts = Table::built_in()?.named(bare(act), self.hand);
        if ids.is_empty() || acts.is_empty() {
            return None;
        }
        let places = ids.into_iter().map(Place::Id).collect();
        let tests = vec![Test::Place { side: Side::Object, places, inside: true }];
        let doings = acts.into_iter().map(Doing::Did).collect();
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "don't stop nginx": a service by its name.
    fn one_service(&self, tokens: &[Token]) -> Option<Rules> {
        const DOING: &[&str] = &[
            "stop",
            "restart",
            "reload",
            "disable",
            "start",
            "bounce",
            "stop or restart",
            "restart or stop",
            "take down",
        ];
        let rest = strip(strip(tokens, DENYING)?, DOING)?;
        let named = bare(strip_end(rest, &["service", "daemon", "server"]).unwrap_or(rest));
        let [one] = named else { return None };
        let is_name =
            one.shape == Shape::Identifier || self.hand.has_program(&one.low) || !self.lexicon.knows(one);
        if !is_name || !self.hand.runs_commands() || self.acts(tokens).is_some() {
            return None;
        }
        let what = vec![Saying::Words(one.text.clone())];
        let tests = vec![Test::Says { what, parameter: None, is: true }];
        let doings = vec![Doing::Did("change service".to_owned())];
        Some(vec![(Verdict::Deny, Case { doings, tests, ..Case::default() })])
    }

    /// "no updates without where".
    fn unconditioned(&self, tokens: &[Token]) -> Option<Rules> {
        const WHERE: &[&str] = &[
            "without where",
            "without a where",
            "without where clause",
            "without a where clause",
            "without where clauses",
            "without a condition",
            "without condition",
            "without conditions",
            "without a filter",
            "without filter",
            "that have no where",
            "with no where",
            "lacking a where",
            "that lack a where",
        ];
        let sql = self.hand.has_parameter("sql") || self.hand.has_tool_word("query");
        let named = strip(tokens, DENYING).or_else(|| strip_end(tokens, FORBIDDEN)).filter(|_| sql)?;
        let named = strip(named, &["run", "use", "send", "issue", "execute", "do"]).unwrap_or(named);
        let list = strip_end(named, WHERE)?;
        let one = |item: &[Token]| {
            let found = STATEMENTS.iter().find(|(people, _)| {
                strip(bare(item), people).is_some_and(|rest| {
                    rest.is_empty()
                        || strip(rest, &["anything", "rows", "statements", "data", "records", "something"])
                            .is_some_and(<[Token]>::is_empty)
                })
            });
            found.map(|(_, action)| Doing::Did((*action).to_owned()))
        };
        let doings: Option<Vec<Doing>> = items(list).into_iter().map(one).collect();
        let doings = doings.filter(|doings| !doings.is_empty())?;
        Some(vec![(Verdict::Deny, Case { doings, tests: vec![Test::WithoutWhere], ..Case::default() })])
    }
}
