//! What a program may be told, and ports: "kubectl: get and describe only", "git only for looking", "nothing may listen
//! on port 5432".

use crate::english::exact::Exact;
use crate::english::exact::words::{bare, items, strip, strip_end};
use crate::english::token::{Shape, Token};
use crate::meaning::{Case, Check, Deed, Doing, Form, Presence, Test, Verdict};

type Rules = Vec<(Verdict, Case)>;

/// What only looks, by the program.
const LOOKING: &[(&str, &[&str])] = &[
    ("kubectl", &["get", "describe", "logs", "top", "explain", "version", "api-resources", "diff"]),
    (
        "git",
        &["status", "log", "diff", "show", "blame", "shortlog", "describe", "ls-files", "rev-parse", "grep"],
    ),
    ("docker", &["ps", "images", "logs", "inspect", "stats", "version", "info", "top"]),
    ("terraform", &["plan", "show", "validate", "output", "graph", "version", "providers"]),
    ("systemctl", &["status", "list-units", "is-active", "is-enabled", "show", "cat", "list-timers"]),
    ("helm", &["list", "status", "get", "history", "show", "template", "search", "version"]),
    ("npm", &["list", "ls", "view", "outdated", "audit", "version"]),
    ("pip", &["list", "show", "freeze", "check"]),
    ("gh", &["view", "list", "status", "diff", "checks"]),
    ("apt", &["list", "search", "show"]),
];

/// Programs that speak to a port and listen on none. A rule has room for so many and no more.
const CLIENTS: &[&str] = &[
    "curl",
    "wget",
    "psql",
    "pg_dump",
    "mysql",
    "redis-cli",
    "telnet",
    "nmap",
    "grep",
    "cat",
    "ss",
    "lsof",
    "netstat",
    "kill",
    "fuser",
    "head",
    "tail",
    "jq",
    "awk",
    "sort",
    "echo",
    "ping",
];

/// In front of a port that nothing may listen on.
const FRONT: &[&str] = &[
    "nothing may listen on port",
    "nothing listens on port",
    "never start anything on port",
    "don't start anything on port",
    "do not start anything on port",
    "never start anything of yours on port",
    "never run anything on port",
    "don't run anything on port",
    "never use port",
    "don't use port",
    "do not use port",
    "nothing runs on port",
    "nothing may run on port",
    "nothing on port",
    "never listen on port",
    "don't listen on port",
    "do not listen on port",
    "no server on port",
    "no servers on port",
    "keep off port",
    "stay off port",
    "hands off port",
    "never bind to port",
    "don't bind to port",
    "never open port",
    "don't open port",
    "do not open port",
    "no processes on port",
    "nothing gets started on port",
    "don't start servers on port",
    "never start a server on port",
    "don't start a server on port",
];

/// Behind it.
const TAKEN: &[&str] = &[
    "is off limits",
    "is taken",
    "is taboo",
    "is reserved",
    "is not yours",
    "is out of bounds",
    "is in use",
    "is mine",
    "must stay free",
    "stays free",
    "is occupied",
];

impl Exact<'_> {
    /// A rule about what programs are told.
    pub(in crate::english::exact) fn told_programs(&self, tokens: &[Token]) -> Option<Rules> {
        if !self.hand.runs_commands() {
            return None;
        }
        self.ports(tokens).or_else(|| self.programs_only(tokens)).or_else(|| self.told_only(tokens))
    }

    /// "nothing but git and make", "only run pytest": programs that alone may run.
    fn programs_only(&self, tokens: &[Token]) -> Option<Rules> {
        const RUNNING: &[&str] = &[
            "only run",
            "run only",
            "only use",
            "use only",
            "run nothing but",
            "use nothing but",
            "only execute",
        ];
        let running = strip(tokens, RUNNING);
        let named = running.or_else(|| strip(tokens, &["nothing but", "only"]))?;
        let named =
            strip(bare(named), &["programs", "commands", "program", "command"]).unwrap_or(bare(named));
        let mut names = Vec::new();
        for item in items(named) {
            let [one] = bare(item) else { return None };
            let is_program = one.shape == Shape::Word && self.hand.has_program(&one.low);
            names.push(is_program.then(|| one.low.clone())?);
        }
        if names.is_empty() || (running.is_none() && names.len() < 2) {
            return None;
        }
        let tests = vec![Test::Program { names, is: false }];
        Some(vec![(Verdict::Deny, Case { tests, ..Case::default() })])
    }

    /// "kubectl: get and describe only", "only read-only git commands".
    fn told_only(&self, tokens: &[Token]) -> Option<Rules> {
        const READING: &[&str] = &[
            "looking",
            "reading",
            "for looking",
            "for reading",
            "read-only",
            "read only",
            "look but don't touch",
            "to look",
        ];
        let led = strip(tokens, &["only read-only", "only reading", "read-only", "only"]);
        let (first, rest) = led.unwrap_or(tokens).split_first()?;
        if !self.hand.has_program(&first.low) || first.shape == Shape::Quoted {
            return None;
        }
        let rest = strip(rest, &["commands", "command"]).unwrap_or(rest);
        let said = strip(
            rest,
            &[": only", "only for", "only to", ":", "is only for", "is for", "may only", "only", "is"],
        )
        .unwrap_or(rest);
        let ended = strip_end(said, &["only", ", nothing else", "and nothing else", ", no more", ", only"]);
        if led.is_none() && ended.is_none() && !rest.iter().any(|token| token.low == "only") {
            return None;
        }
        let said = ended.unwrap_or(said);
        let looks = LOOKING.iter().find(|(program, _)| *program == first.low).map(|(_, commands)| *commands);
        let is_led_reading =
            led.is_some() && tokens.iter().take(2).any(|token| token.low.starts_with("read"));
        let allowed: Vec<String> = if said.is_empty() && is_led_reading
            || strip(said, READING).is_some_and(<[Token]>::is_empty)
        {
            looks?.iter().map(|command| (*command).to_owned()).collect()
        } else {
            let each =
                items(said).into_iter().map(|item| match strip(bare(item), &["the"]).unwrap_or(bare(item)) {
                    [one] if one.shape == Shape::Word || one.shape == Shape::Identifier => {
                        Some(one.low.clone())
                    }
                    _ => None,
                });
            each.collect::<Option<Vec<String>>>()?
        };
        if allowed.is_empty() {
            return None;
        }
        let exception =
            |command: String| vec![Test::Did { actions: vec![format!("{} {command}", first.low)], is: true }];
        let tests = vec![Test::Program { names: vec![first.low.clone()], is: true }];
        let unless = allowed.into_iter().map(exception).collect();
        Some(vec![(Verdict::Deny, Case { doings: Vec::new(), tests, unless })])
    }

    /// "nothing may listen on port 5432", "port 8080 is taken".
    fn ports(&self, tokens: &[Token]) -> Option<Rules> {
        let number = strip(tokens, FRONT)
            .or_else(|| strip(tokens, &["port"]).and_then(|rest| strip_end(rest, TAKEN)))?;
        let [port] = number else { return None };
        if port.text.is_empty() || !port.text.chars().all(|letter| letter.is_ascii_digit()) {
            return None;
        }
        let names = vec!["command".to_owned()];
        let check = Check::Forms(vec![Form::Has(port.text.clone())]);
        let clients = CLIENTS.iter().map(|name| (*name).to_owned()).collect();
        let tests = vec![
            Test::Program { names: clients, is: false },
            Test::Value { names, check, presence: Presence::One },
        ];
        Some(vec![(Verdict::Deny, Case { doings: vec![Doing::Deed(Deed::Runs)], tests, ..Case::default() })])
    }
}
