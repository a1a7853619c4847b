//! Signs of the shell: "no && and no ; chains", "don't use pipes", "one command per call".

use crate::english::exact::Exact;
use crate::english::exact::words::{bare, items, strip, strip_end};
use crate::english::token::Token;
use crate::meaning::{Case, Test, Verdict};

/// What people call signs of the shell.
const CALLED: &[(&[&str], &[&str])] = &[
    (&["pipe", "pipes", "piping", "pipelines", "pipeline"], &["|"]),
    (
        &[
            "chain",
            "chains",
            "chaining",
            "chained commands",
            "command chains",
            "chain commands",
            "commands chained",
            "several commands",
            "more than one command",
            "several commands at once",
            "multiple commands",
            "two commands",
        ],
        &["&&", "||", ";"],
    ),
    (&["redirect", "redirects", "redirection", "redirections", "output redirection"], &[">", ">>"]),
    (&["background", "the background", "background commands", "ampersands", "ampersand"], &["&"]),
    (&["semicolon", "semicolons"], &[";"]),
    (&["backticks", "backtick"], &["`"]),
    (&["command substitution", "command substitutions", "subshells"], &["$(", "`"]),
];

const DENYING: &[&str] = &[
    "no",
    "never use",
    "don't use",
    "do not use",
    "dont use",
    "never",
    "don't",
    "do not",
    "avoid",
    "not with",
    "without",
    "never run",
    "don't run",
    "do not run",
    "must not use",
    "you must not use",
    "never use any",
];

impl Exact<'_> {
    /// A ban on signs of the shell.
    pub(in crate::english::exact) fn signs(&self, tokens: &[Token]) -> Option<Vec<(Verdict, Case)>> {
        if !self.hand.runs_commands() {
            return None;
        }
        const ONE: &[&str] = &[
            "one command per call",
            "one command at a time",
            "only one command per call",
            "a single command per call",
            "one command per line",
            "only one command at a time",
            "only a single command per call",
        ];
        if strip(tokens, ONE).is_some_and(<[Token]>::is_empty) {
            return Some(banned(["&&", "||", ";"].map(str::to_owned).into()));
        }
        let rest = strip(tokens, DENYING)?;
        let rest = strip_end(
            rest,
            &["in commands", "in a command", "in shell commands", "in the shell", "in command lines"],
        )
        .unwrap_or(rest);
        self.signs_named(rest).map(banned)
    }

    /// The signs that a list names, if it names nothing else.
    pub(in crate::english::exact) fn signs_named(&self, tokens: &[Token]) -> Option<Vec<String>> {
        if !self.hand.runs_commands() {
            return None;
        }
        let mut signs = Vec::new();
        for item in items(tokens) {
            let item = strip(item, &["no", "with", "joined with", "using"]).unwrap_or(item);
            let item = bare(item);
            let said = item.iter().map(|token| token.low.as_str()).collect::<Vec<_>>().join(" ");
            let literal = |text: &str| crate::facts::SIGNS.contains(&text).then(|| text.to_owned());
            if let Some((_, own)) = CALLED.iter().find(|(people, _)| people.contains(&said.as_str())) {
                signs.extend(own.iter().map(|sign| (*sign).to_owned()));
                continue;
            }
            // "; chains": the sign in front says which.
            let [first, rest @ ..] = item else { return None };
            let is_kind = rest.iter().all(|token| {
                CALLED.iter().any(|(people, _)| people.contains(&token.low.as_str()))
                    || matches!(token.low.as_str(), "sign" | "signs" | "operator" | "operators")
            });
            signs.push(literal(&first.text).filter(|_| is_kind)?);
        }
        (!signs.is_empty()).then_some(signs)
    }
}

fn banned(mut signs: Vec<String>) -> Vec<(Verdict, Case)> {
    signs.sort();
    signs.dedup();
    vec![(Verdict::Deny, Case { tests: vec![Test::Sign(signs)], ..Case::default() })]
}
