//! Rules whose words leave only one thing that can be meant: times that are kept free, how long a command may run, which
//! branches are not checked out, by which methods a server is asked.

use crate::english::amount;
use crate::english::exact::Exact;
use crate::english::exact::words::{around, bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Place, Presence, Side, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

const DENYING: &[&str] = &[
    "never",
    "don't",
    "do not",
    "dont",
    "you must not",
    "you may not",
    "must not",
    "please don't",
    "please never",
    "don't ever",
    "you must never",
];

/// Methods of HTTP that change something, with the act that shows each.
const METHODS: &[(&str, &str)] =
    &[("POST", "http post"), ("PUT", "http put"), ("PATCH", "http patch"), ("DELETE", "http delete")];

/// What runs for some time.
const RUNNING: &[&str] = &[
    "nothing",
    "no command",
    "no process",
    "no job",
    "no script",
    "no build",
    "no program",
    "no call",
    "commands",
    "command",
    "processes",
    "jobs",
    "scripts",
    "every command",
    "each command",
    "a command",
    "any command",
    "no commands",
    "shell commands",
    "no shell command",
    "a process",
    "no single command",
    "one command",
    "a single command",
    "your commands",
    "whatever you run",
    "everything you run",
    "anything you run",
    "builds",
    "programs",
    "no task",
    "tasks",
];

/// Words that the rule is told by.
const LASTING: &[&str] = &[
    "may run longer than",
    "may run for longer than",
    "may take longer than",
    "must run longer than",
    "should run longer than",
    "should take longer than",
    "can run longer than",
    "runs longer than",
    "takes longer than",
    "run longer than",
    "take longer than",
    "may last longer than",
    "may run over",
    "runs over",
    "may run more than",
    "may take more than",
    "takes more than",
    "runs more than",
    "must not run longer than",
    "must not take longer than",
    "may not run longer than",
    "may not take longer than",
    "never run longer than",
    "never takes longer than",
    "never runs longer than",
    "never take longer than",
    "should not run longer than",
    "should not take longer than",
    "must take longer than",
    "must never run longer than",
    "longer than",
    "over",
    "of more than",
    "that run longer than",
    "that runs longer than",
    "that takes longer than",
    "that take longer than",
    "running longer than",
    "taking longer than",
    "gets more than",
    "get more than",
    "is allowed more than",
    "may block for longer than",
    "blocks longer than",
];

/// Words that the rule is told by.
const LIMITED: &[&str] = &[
    "run",
    "runs",
    "may run",
    "may take",
    "take",
    "takes",
    "get",
    "gets",
    "have",
    "has",
    ":",
    "last",
    "lasts",
    "must end within",
    "must finish within",
    "must finish in",
    "finish within",
    "must be done within",
    "must be done in",
    "end within",
    "are limited to",
    "is limited to",
    "are capped at",
    "time out after",
    "times out after",
    "must time out after",
    "are killed after",
    "end after",
    "stop after",
    "must stop after",
];

/// Words that the rule is told by.
const VERBS: &[&str] = &[
    "check out",
    "checkout",
    "git checkout",
    "switch to",
    "git switch",
    "git switch to",
    "switch over to",
    "change to",
    "work on",
    "be on",
    "go to",
    "go onto",
    "move to",
];

impl Exact<'_> {
    /// What such words state.
    pub(in crate::english::exact) fn settled(&self, tokens: &[Token]) -> Option<Rules> {
        self.timed_out(tokens).or_else(|| self.checked_out(tokens)).or_else(|| self.asked_by(tokens))
    }

    /// No meeting lies in a time that is kept free.
    pub(in crate::english::exact) fn kept_free(&self, when: &[Token]) -> Option<Rules> {
        // What another form has taken out of a sentence may have lost its day.
        if !self.hand.has_calendar() || self.depth.get() > 1 {
            return None;
        }
        let test = Test::Time { spans: self.spans(when)?, is: true, of_event: true };
        Some(refused(vec![Doing::Did("schedule".to_owned())], vec![test]))
    }

    /// "nothing may run longer than a minute", "commands: 30 seconds at most".
    fn timed_out(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() {
            return None;
        }
        let names = self.ground(&["timeout".to_owned()], &[])?;
        let tokens = strip_end(
            tokens,
            &["( set timeout_ms )", "( timeout_ms )", "( timeout )", "( set the timeout )"],
        )
        .unwrap_or(tokens);
        let (subject, is_denied, seconds) = match around(tokens, LASTING) {
            Some((subject, _, rest)) => (subject, true, seconds(rest)?),
            None => {
                let (subject, _, rest) = around(tokens, LIMITED)?;
                let plain = strip_end(rest, &["at most", "max", "maximum", "tops", "or less"]);
                let led = strip(
                    rest,
                    &[
                        "at most",
                        "no longer than",
                        "not longer than",
                        "max",
                        "for at most",
                        "no more than",
                        "up to",
                    ],
                );
                (subject, false, seconds(led.or(plain).unwrap_or(rest))?)
            }
        };
        let subject = strip(subject, &["never run", "don't run", "do not run"])
            .or_else(|| strip(subject, &["run nothing"]).filter(|rest| rest.is_empty()))
            .unwrap_or(subject);
        let is_denied_subject =
            matches!(subject.first().map(|token| token.low.as_str()), Some("no" | "nothing"));
        let denies = |token: &Token| matches!(token.low.as_str(), "not" | "never" | "don't" | "nothing");
        let is_running = subject.is_empty() || strip(subject, RUNNING).is_some_and(<[Token]>::is_empty);
        if !is_running || (is_denied && !is_denied_subject && !tokens.iter().any(denies)) {
            return None;
        }
        let in_milliseconds =
            names.iter().any(|name| name.split(' ').any(|word| matches!(word, "ms" | "m" | "millisecond")));
        let most = if in_milliseconds { seconds.checked_mul(1000)? } else { seconds };
        let test = Test::Value { names, check: Check::Above(most), presence: Presence::One };
        Some(refused(Vec::new(), vec![test]))
    }

    /// "never check out main or release/*".
    fn checked_out(&self, tokens: &[Token]) -> Option<Rules> {
        let (rest, is_denied) = match strip(tokens, DENYING) {
            Some(rest) => (rest, true),
            None => (strip(tokens, &["only"])?, false),
        };
        let list = strip(rest, VERBS)?;
        let list = strip(list, &["branch", "branches", "the branch", "the branches"]).unwrap_or(list);
        let one = |item: &[Token]| -> Option<Form> {
            let kind = strip_end(item, &["branch", "branches"]);
            let [one] = bare(kind.unwrap_or(item)) else { return None };
            let is_name = matches!(one.shape, Shape::Path | Shape::Identifier | Shape::Quoted)
                || kind.is_some()
                || matches!(
                    one.low.as_str(),
                    "main" | "master" | "develop" | "production" | "staging" | "trunk" | "release" | "stable"
                )
                || one.text.contains(['/', '*', '-']);
            let is_some = kind.is_some() && matches!(one.low.as_str(), "release" | "hotfix" | "feature");
            let name = if is_some { format!("{}*", one.text) } else { one.text.clone() };
            let name = if name.ends_with('/') { format!("{name}*") } else { name };
            is_name.then_some(Form::Is(name))
        };
        let forms: Vec<Form> = items(list).into_iter().map(one).collect::<Option<_>>()?;
        let has_git = self.hand.has_tool_word("checkout") || self.hand.runs_commands();
        if forms.is_empty() || !has_git {
            return None;
        }
        let arguments = self.hand.arguments_of(&[]);
        let names: Vec<String> = ["branch name", "branch"]
            .iter()
            .filter(|name| arguments.contains(**name))
            .map(|name| (*name).to_owned())
            .collect();
        let presence = if is_denied { Presence::One } else { Presence::Other };
        let mut rules = Vec::new();
        if !names.is_empty() {
            let test = Test::Value { names, check: Check::Forms(forms.clone()), presence };
            rules.extend(refused(vec![Doing::Did("switch branch".to_owned())], vec![test]));
        }
        if self.hand.runs_commands() && is_denied {
            let spelled = forms.iter().flat_map(|form| match form {
                Form::Is(name) if !name.contains('*') => {
                    vec![format!("git checkout {name}"), format!("git switch {name}")]
                }
                _ => Vec::new(),
            });
            let doings: Vec<Doing> = spelled.map(Doing::Did).collect();
            if !doings.is_empty() {
                rules.extend(refused(doings, Vec::new()));
            }
        }
        (!rules.is_empty()).then_some(rules)
    }

    /// "api.acme.com: GET requests only", "no PUT or DELETE requests to api.acme.com".
    fn asked_by(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() && !self.hand.has_parameter("method") {
            return None;
        }
        const TO: &[&str] = &["to", "against", "on", "at", "for", "towards", "from", "with", "in"];
        let is_host = |tokens: &[Token]| {
            !tokens.is_empty()
                && items(tokens)
                    .iter()
                    .all(|item| matches!(bare(item), [one] if matches!(one.shape, Shape::Host | Shape::Url)))
        };
        // What is said of methods, and of which host.
        let (said, host) =
            if let Some((host, _, said)) = around(tokens, &[":"]).filter(|(host, ..)| is_host(host)) {
                (said, host)
            } else if let Some(at) = (1..tokens.len()).find(|at| {
                tokens.get(*at).is_some_and(|token| TO.contains(&token.low.as_str()))
                    && tokens
                        .get(at + 1..)
                        .is_some_and(|rest| is_host(strip_end(rest, &["only"]).unwrap_or(rest)))
            }) {
                let rest = tokens.get(at + 1..)?;
                (tokens.get(..at)?, strip_end(rest, &["only"]).unwrap_or(rest))
            } else {
                return None;
            };
        let ends_only = tokens.last().is_some_and(|token| token.low == "only");
        let actions = methods(said, ends_only)?;
        let places = self.named_places(host)?;
        let is_remote = |place: &Place| matches!(place, Place::Domain(_) | Place::Page(_));
        if !places.iter().all(is_remote) {
            return None;
        }
        let tests =
            vec![Test::Place { side: Side::Object, places, inside: true }, Test::Did { actions, is: true }];
        Some(refused(vec![Doing::Deed(Deed::Involves)], tests))
    }
}

/// The acts that are forbidden by what is said of methods: "GET only", "no PUT or DELETE requests", "never POST anything".
fn methods(said: &[Token], ends_only: bool) -> Option<Vec<String>> {
    const REQUESTS: &[&str] =
        &["requests", "request", "calls", "methods", "anything", "things", "something", "data", "queries"];
    let plain = strip_end(said, &["only", "alone"]).unwrap_or(said);
    let is_only = plain.len() < said.len() || ends_only;
    let (plain, is_only, is_denied) =
        match strip(plain, &["only", "only use", "use only", "only send", "only make", "nothing but"]) {
            Some(rest) => (rest, true, false),
            None => match strip(plain, DENYING).or_else(|| strip(plain, &["no", "without"])) {
                Some(rest) => (rest, false, true),
                None => (plain, is_only, false),
            },
        };
    let plain = strip(plain, &["send", "use", "make", "do", "issue"]).unwrap_or(plain);
    let plain = strip_end(plain, REQUESTS).unwrap_or(plain);
    let mut named = Vec::new();
    for item in items(plain) {
        let [one] = strip_end(item, REQUESTS).unwrap_or(item) else { return None };
        let text = one.text.strip_suffix('s').unwrap_or(&one.text);
        let parts = text.split('/');
        for part in parts {
            if !matches!(part, "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "PATCH" | "DELETE") {
                return None;
            }
            named.push(part.to_owned());
        }
    }
    if named.is_empty() || is_only == is_denied {
        return None;
    }
    let forbidden = METHODS.iter().filter(|(method, _)| named.iter().any(|own| own == method) == is_denied);
    let forbidden: Vec<String> = forbidden.map(|(_, act)| (*act).to_owned()).collect();
    (!forbidden.is_empty()).then_some(forbidden)
}

/// How many seconds these words say, if they say nothing else: "a minute", "90 seconds", "half an hour".
fn seconds(tokens: &[Token]) -> Option<i64> {
    let half = strip(tokens, &["half a", "half an"]);
    let (number, rest) = match half {
        Some(rest) => (1, rest),
        None => match amount::read_number(tokens)
            .filter(|_| !matches!(tokens.first().map(|token| token.low.as_str()), Some("hour")))
        {
            Some((number, length)) => (number, tokens.get(length..)?),
            None => (1, strip(tokens, &["a", "an"])?),
        },
    };
    // "5m" and "2h" are told in minutes.
    if rest.is_empty() && tokens.len() == 1 {
        let low = &tokens.first()?.low;
        let unit = low.trim_start_matches(|letter: char| letter.is_ascii_digit());
        return match unit {
            "m" | "min" | "mins" | "h" => number.checked_mul(60),
            _ => {
                let digits: i64 = low.strip_suffix('s')?.parse().ok()?;
                Some(digits)
            }
        };
    }
    let [unit] = rest else { return None };
    let factor = match unit.low.as_str() {
        "second" | "seconds" | "secs" | "sec" | "s" => 1,
        "minute" | "minutes" | "min" | "mins" => 60,
        "hour" | "hours" => 3600,
        _ => return None,
    };
    let seconds = number.checked_mul(factor)?;
    Some(if half.is_some() { seconds / 2 } else { seconds })
}

fn refused(doings: Vec<Doing>, tests: Vec<Test>) -> Rules {
    vec![(Verdict::Deny, Case { doings, tests, unless: Vec::new() })]
}
