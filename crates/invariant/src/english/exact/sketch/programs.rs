//! Which programs run, and how: not directly, from one place, with an option, with so many jobs, against one host.

use super::{Rules, Sketch, at, did, has, line_has, refused, says, value};
use crate::english::exact::Exact;
use crate::english::token::{Shape, Token};
use crate::meaning::{Check, Deed, Doing, Form, Place, Presence, Side, Test};

const RUNNING: &[&str] = &["run", "use", "call", "invoke", "start", "execute", "launch", "type"];

impl Exact<'_> {
    /// What is said of programs, one of these.
    pub(super) fn sketched_programs(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !self.hand.runs_commands() || sketch.has(&["unless", "except", "ask"]) {
            return None;
        }
        self.parallel_jobs(sketch)
            .or_else(|| self.python_of(sketch))
            .or_else(|| self.with_option(sketch))
            .or_else(|| self.variable(sketch))
            .or_else(|| self.databases(sketch))
            .or_else(|| self.downloads(sketch))
            .or_else(|| self.hosts(sketch))
            .or_else(|| self.activity(sketch))
            .or_else(|| self.not_directly(sketch))
    }

    /// "At most 4 jobs in parallel when you build."
    fn parallel_jobs(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const JOBS: &[&str] = &[
            "job|jobs|thread|threads|core|cores|process|processes .. parallel|once|build|compile|compiling|time",
            "parallel|concurrent .. job|jobs|build|thread|threads|core|cores",
            "build|compile|make|compiling .. job|jobs|thread|threads|core|cores",
        ];
        let is_most = sketch.says(&["at most", "most|max|maximum|more|exceed|limit|limited|than|above"]);
        let option = sketch.tokens.iter().find_map(|token| token.low.strip_prefix("-j")?.parse::<i64>().ok());
        if !is_most || !(sketch.says(JOBS) || option.is_some()) {
            return None;
        }
        let number = |token: &Token| {
            NUMBERS
                .iter()
                .position(|word| *word == token.low)
                .and_then(|at| i64::try_from(at).ok())
                .or_else(|| token.text.parse().ok())
        };
        let above = option.or_else(|| sketch.tokens.iter().find_map(number))?;
        Some(refused(Vec::new(), vec![Test::Measure { unit: "parallel job".to_owned(), above, is: true }]))
    }

    /// "Use the python in .venv, not the one of the system."
    fn python_of(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let folder = sketch.tokens.iter().find(|token| {
            token.shape == Shape::Path
                && token.low.split('/').any(|part| matches!(part, ".venv" | "venv" | "env" | ".env3"))
        })?;
        if !sketch.has(&["python", "python3", "interpreter", "pip"]) && !folder.low.contains("python") {
            return None;
        }
        let root = folder
            .text
            .split("/bin")
            .next()
            .unwrap_or(&folder.text)
            .trim_end_matches('/')
            .trim_start_matches("./");
        let uses = sketch.says(&["only", "use|take|run|always", "system", "never|not|no"]);
        let changes = sketch.denies(&["change|edit|touch|delete|modify|install|commit"]);
        if !uses || changes {
            return None;
        }
        let own = [format!("*{root}/bin/*"), format!("*{root}/Scripts/*")].map(Form::Is).to_vec();
        let tests = vec![
            Test::Program { names: ["python", "python3", "python2"].map(str::to_owned).to_vec(), is: true },
            value(&["command"], Check::Forms(own), Presence::Missing),
        ];
        Some(refused(Vec::new(), tests))
    }

    /// "Run pytest with -m fast only."
    fn with_option(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let flag = sketch.tokens.iter().position(|token| token.shape == Shape::Flag)?;
        let before = sketch.tokens.get(..flag)?;
        let is_must = says(before, &["without", "with|pass|add|use|set"])
            && (sketch.has(&["only", "always", "must", "every"])
                || says(before, &["never|not|no .. without"]));
        if !is_must || sketch.tokens.iter().filter(|token| token.shape == Shape::Flag).count() != 1 {
            return None;
        }
        if says(before, &["never|not|no|don't .. with|use|pass|add"]) && !says(before, &["without"]) {
            return None;
        }
        let program = sketch.tokens.iter().find(|token| {
            matches!(token.shape, Shape::Word | Shape::Identifier) && self.hand.has_program(&token.low)
        })?;
        // "npm install" is less than npm.
        let behind = sketch.tokens.iter().skip_while(|token| *token != program).nth(1);
        let is_part = |token: &Token| {
            token.shape == Shape::Word
                && !matches!(
                    token.low.as_str(),
                    "with"
                        | "without"
                        | "only"
                        | "is"
                        | "must"
                        | "always"
                        | "runs"
                        | "needs"
                        | "has"
                        | "may"
                        | "should"
                        | "never"
                        | "and"
                        | "gets"
                        | "takes"
                )
        };
        if behind.is_some_and(is_part) {
            return None;
        }
        let option = sketch.tokens.get(flag)?;
        let next = sketch.tokens.get(flag + 1).filter(|next| {
            matches!(next.shape, Shape::Word | Shape::Number | Shape::Identifier | Shape::Quoted)
                && !matches!(
                    next.low.as_str(),
                    "only" | "to" | "when" | "for" | "and" | "or" | "always" | "please" | "on" | "set"
                )
                && option.low.len() == 2
        });
        let text = next.map_or_else(|| option.text.clone(), |next| format!("{} {}", option.text, next.text));
        let tests = vec![
            Test::Program { names: vec![program.low.clone()], is: true },
            value(&["command"], Check::Forms(vec![Form::Has(text)]), Presence::Missing),
        ];
        Some(refused(Vec::new(), tests))
    }

    /// "Never with a postgres DATABASE_URL."
    fn variable(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let is_variable = |token: &&Token| {
            token.text.contains('_')
                && token.text.len() > 3
                && token
                    .text
                    .chars()
                    .all(|letter| letter.is_ascii_uppercase() || letter == '_' || letter.is_ascii_digit())
        };
        let part = sketch.denying().find(|part| part.iter().any(|token| is_variable(&token)))?;
        let name = part.iter().find(is_variable)?;
        let kinds: Vec<&str> =
            part.iter().map(|token| token.low.as_str()).filter(|word| SCHEMES.contains(word)).collect();
        let [kind] = kinds.as_slice() else { return None };
        let scheme = if *kind == "postgresql" { "postgres" } else { kind };
        let texts = [
            format!("{}={scheme}", name.text),
            format!("{}='{scheme}", name.text),
            format!("{}=\"{scheme}", name.text),
        ];
        Some(refused(Vec::new(), vec![line_has(&texts)]))
    }

    /// "Tests only against the database on localhost."
    fn databases(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        let is_local = sketch.has(&["localhost"]) || sketch.says(&["local database|databases|db"]);
        let limits = sketch.has(&["only"])
            || sketch.says(&["never|not|no .. other|but|not|anything|elsewhere", "not on localhost"]);
        if !is_local || !limits || !sketch.has(&["database", "databases", "db", "postgres", "mysql"]) {
            return None;
        }
        if sketch.tokens.iter().any(|token| matches!(token.shape, Shape::Path | Shape::Url | Shape::Quoted)) {
            return None;
        }
        let schemes: Vec<String> = SCHEMES.iter().map(|scheme| format!("{scheme}://")).collect();
        let local = ["localhost", "127.0.0.1", "[::1]"];
        let here = local
            .iter()
            .flat_map(|host| [format!("*://{host}*"), format!("*@{host}*")])
            .map(Form::Is)
            .collect();
        let tests = vec![line_has(&schemes), value(&["command"], Check::Forms(here), Presence::Missing)];
        Some(refused(Vec::new(), tests))
    }

    /// "The only host you download from is data.example.org."
    fn downloads(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if !sketch.has(&["download", "downloads", "downloading"])
            || sketch.has(&["upload", "larger", "bigger"])
        {
            return None;
        }
        let limits = sketch.says(&[
            "only",
            "nowhere else",
            "nothing else",
            "anywhere but|else",
            "nothing|anything .. but",
        ]);
        let hosts: Vec<Place> = sketch
            .tokens
            .iter()
            .filter(|token| token.shape == Shape::Host)
            .map(|token| Place::Domain(token.low.trim_start_matches("*.").trim_end_matches('/').to_owned()))
            .collect();
        if !limits
            || hosts.is_empty()
            || hosts.len() != sketch.tokens.iter().filter(|token| super::is_literal(token)).count()
        {
            return None;
        }
        let tests = vec![at(Side::From, vec![Place::Network], true), at(Side::From, hosts, false)];
        Some(refused(did(&["download"]), tests))
    }

    /// "No training on weekdays before 19:00": what nobody knows is looked for in what is run.
    fn activity(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const LOOKING: &[&str] = &[
            "cat", "less", "head", "tail", "grep", "ls", "echo", "rg", "wc", "stat", "git", "vim", "nano",
            "find", "cd",
        ];
        let time = self.sketched_time(sketch).filter(|tests| !tests.is_empty())?;
        let part = sketch
            .denying()
            .next()
            .or_else(|| sketch.parts.iter().copied().find(|part| has(part, &["only"])))?;
        let opens = |token: &Token| {
            matches!(
                token.low.as_str(),
                "on" | "at" | "before" | "after" | "between" | "during" | "from" | "until" | "in" | "of"
            )
        };
        let name = match part {
            [first, name, next, ..]
                if matches!(first.low.as_str(), "no" | "never" | "don't") && opens(next) =>
            {
                name
            }
            [name, only, ..] if only.low == "only" => name,
            _ => return None,
        };
        let is_plain = name.shape == Shape::Word && name.text.len() > 3 && !self.lexicon.knows(name);
        let stem = name.low.strip_suffix("ing").or_else(|| name.low.strip_suffix('s')).unwrap_or(&name.low);
        if !is_plain
            || self.hand.has_tool_word(stem)
            || sketch.tokens.iter().any(|token| token.shape == Shape::Path)
        {
            return None;
        }
        let mut tests = vec![line_has(&[stem.to_owned()])];
        tests.push(Test::Program {
            names: LOOKING.iter().map(|name| (*name).to_owned()).collect(),
            is: false,
        });
        tests.extend(time);
        Some(refused(Vec::new(), tests))
    }

    /// "Never connect to prod.example.org": whatever program names the host.
    fn hosts(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        const REACHING: &[&str] = &[
            "connect", "touch", "reach", "contact", "ssh", "talk", "limits", "away", "against", "run",
            "taboo", "log", "use", "call", "hands", "near", "access",
        ];
        let hosts: Vec<String> = sketch
            .tokens
            .iter()
            .filter(|token| token.shape == Shape::Host && !token.low.contains(['/', '*']))
            .map(|token| token.low.clone())
            .collect();
        let literals = sketch.tokens.iter().filter(|token| super::is_literal(token)).count();
        let denies = sketch.denying().any(|part| has(part, REACHING)) || sketch.says(&["away from"]);
        if hosts.is_empty()
            || literals != hosts.len()
            || !denies
            || sketch.has(&["only", "other", "but", "from", "outside", "download", "upload"])
        {
            return None;
        }
        let places = hosts.iter().map(|host| Place::Domain(host.clone())).collect();
        let mut rules = refused(vec![Doing::Deed(Deed::Involves)], vec![at(Side::Object, places, true)]);
        rules.extend(refused(Vec::new(), vec![line_has(&hosts)]));
        Some(rules)
    }

    /// "Tests are run with make, never call pytest yourself", "npm would wreck the lockfile, so never run it".
    fn not_directly(&self, sketch: &Sketch<'_>) -> Option<Rules> {
        if sketch.tokens.iter().any(|token| super::is_literal(token) || token.shape == Shape::Flag) {
            return None;
        }
        let via = ["only .. run|called|used|started via|through|by|with|from", "only via|through|by"];
        let only_via = |part: &&[Token]| says(part, &via);
        let part = sketch
            .denying()
            .find(|part| has(part, RUNNING) || has(part, DIRECTLY))
            .or_else(|| sketch.parts.iter().copied().find(only_via))?;
        let is_program = |token: &&Token| {
            token.shape == Shape::Word
                && self.hand.has_program(&token.low)
                && !ORDINARY.contains(&token.low.as_str())
        };
        let mut names: Vec<&Token> = part.iter().filter(is_program).collect();
        let refers = has(part, &["them", "it", "those", "these", "either"]);
        if names.is_empty() && refers {
            let is_wanted = |part: &[Token]| says(part, &["use|with|via|through|we use|prefer"]);
            names = sketch
                .parts
                .iter()
                .filter(|part| !is_wanted(part))
                .flat_map(|part| part.iter())
                .filter(is_program)
                .collect();
        }
        let is_direct = has(part, DIRECTLY) || refers || only_via(&part);
        if names.is_empty() || !is_direct {
            return None;
        }
        let mut others = part.iter().filter(|token| token.shape == Shape::Word && !is_program(token));
        if has(part, &["with", "on", "in", "for", "to", "as", "without", "under"])
            && !refers
            && others.next().is_none()
        {
            return None;
        }
        let names: Vec<String> = names.iter().map(|name| name.low.clone()).collect();
        Some(refused(
            Vec::new(),
            vec![Test::Any(vec![
                vec![Test::Program { names: names.clone(), is: true }],
                vec![Test::Did { actions: names, is: true }],
            ])],
        ))
    }
}

const DIRECTLY: &[&str] = &["directly", "direct", "yourself", "manually", "hand"];

const SCHEMES: &[&str] =
    &["postgres", "postgresql", "mysql", "mariadb", "mongodb", "redis", "mssql", "oracle", "sqlite"];

const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// Programs that are called by ordinary words.
const ORDINARY: &[&str] = &[
    "make", "test", "sort", "time", "at", "find", "cut", "install", "yes", "file", "which", "who", "look",
    "run", "sh", "service", "kill", "script", "more", "less", "watch", "tree", "date", "cat", "head", "tail",
    "env", "set", "start", "open", "write", "read", "link", "split", "join", "host", "wall", "screen",
    "stat", "top", "docker", "git",
];
