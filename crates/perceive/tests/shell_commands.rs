//! Command lines and the commands in them, as data, and what holds for all of them.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test tells all that is wrong, then panics")]

use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::shell::{Command, Doubt, Finding, Host, Setting, analyse, analyse_with_commands};
use proptest::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    run: String,
    /// One line for each command.
    commands: Vec<String>,
    /// Whether a doubt says that there may be more.
    #[serde(default)]
    hidden: bool,
    why: String,
}

fn setting() -> Setting {
    Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() }
}

fn read(line: &str) -> (Finding, Vec<Command>) {
    analyse_with_commands(line, &setting(), &NoLinks)
}

/// `A=b program word 'two words' ? ; fed by 0 1 ; on host ; fetches`, where `?` is what is not known.
fn told(command: &Command) -> String {
    let quoted = |word: &Option<String>| match word {
        None => "?".to_owned(),
        Some(word) if word.is_empty() || word.contains([' ', '\n', '?', ';']) => format!("'{word}'"),
        Some(word) => word.clone(),
    };
    let mut words: Vec<String> =
        command.assignments.iter().map(|(name, value)| format!("{name}={}", quoted(value))).collect();
    words.push(quoted(&command.program));
    words.extend(command.words.iter().map(quoted));
    let mut told = words.join(" ");
    if !command.fed_by.is_empty() {
        let makers: Vec<String> = command.fed_by.iter().map(usize::to_string).collect();
        told.push_str(&format!(" ; fed by {}", makers.join(" ")));
    }
    match &command.host {
        Host::Here => {}
        Host::Named(host) => told.push_str(&format!(" ; on {host}")),
        Host::Unknown => told.push_str(" ; elsewhere"),
    }
    if command.fetches {
        told.push_str(" ; fetches");
    }
    told
}

#[test]
fn lines_have_the_commands_that_the_cases_say() {
    let cases: Cases = toml::from_str(include_str!("cases/commands.toml")).unwrap();
    assert!(cases.case.len() >= 60, "{} cases", cases.case.len());
    let mut wrong = 0;
    for case in &cases.case {
        let (finding, commands) = read(&case.run);
        let found: Vec<String> = commands.iter().map(told).collect();
        let hidden = finding.doubts.iter().any(|doubt| doubt.hides_commands());
        if found != case.commands || hidden != case.hidden {
            wrong += 1;
            println!(
                "`{}` ({})\n  wanted {:?}\n  found  {found:?} {:?}",
                case.run, case.why, case.commands, finding.doubts
            );
        }
    }
    assert_eq!(wrong, 0, "of {} cases", cases.case.len());
}

/// Programs that run their operands as a command.
const PREFIXES: &[&str] = &[
    "sudo ",
    "sudo -n -u bob ",
    "doas ",
    "env ",
    "env -i A=b ",
    "command ",
    "exec ",
    "timeout 5 ",
    "timeout -k 1 5s ",
    "nice -n 3 ",
    "ionice -c 2 ",
    "stdbuf -oL ",
    "flock l ",
    "strace -f ",
    "busybox ",
    "nohup ",
    "setsid ",
    "xargs -I% ",
    "find . -type f -exec ",
    "docker exec -i web ",
    "docker run --rm -v .:/w alpine ",
    "podman exec web ",
    "docker compose exec web ",
    "kubectl exec web -- ",
    "npx ",
    "npx -y ",
    "npm exec -- ",
    "pnpm dlx ",
    "uvx ",
    "uv run ",
    "poetry run ",
    "bundle exec ",
    "pipx run ",
    "conda run -n e ",
];

/// What runs a text.
const TEXTS: &[(&str, &str)] = &[
    ("bash -c ", ""),
    ("sh -c ", ""),
    ("bash -lc ", ""),
    ("eval ", ""),
    ("ssh web1 ", ""),
    ("ssh -p 22 u@web1 ", ""),
    ("su -c ", ""),
    ("watch ", ""),
    ("script -q -c ", " /dev/null"),
    ("trap ", " EXIT"),
    ("tmux new -d ", ""),
    ("npx -c ", ""),
    ("vagrant ssh -c ", ""),
    ("echo ", " | sh"),
    ("sh <<< ", ""),
    ("ssh web1 <<< ", ""),
    ("echo ", " | xargs -I% sh -c %"),
    ("echo ", " | at now"),
];

/// What the shell itself runs.
const GRAMMAR: &[(&str, &str)] = &[
    ("( ", " )"),
    ("{ ", "; }"),
    ("! ", ""),
    ("true; ", ""),
    ("true && ", ""),
    ("false || ", ""),
    ("true | ", ""),
    ("", " | cat"),
    ("", " &"),
    ("A=1; ", ""),
    ("if true; then ", "; fi"),
    ("if ", "; then true; fi"),
    ("while true; do ", "; done"),
    ("for i in 1 2; do ", "; done"),
    ("case x in x) ", ";; esac"),
    ("f() { ", "; }; f"),
    ("[[ -n x ]] && ", ""),
    ("echo $( ", ")"),
    ("echo \"$( ", ")\""),
    ("cat <( ", ")"),
    ("tee >( ", ")"),
    ("x=$( ", ")"),
    ("echo ${a:-$( ", ")}"),
    ("coproc ", ""),
];

#[derive(Clone, Debug)]
enum Wrapper {
    Prefix(&'static str),
    Text(&'static str, &'static str),
    Grammar(&'static str, &'static str),
}

impl Wrapper {
    fn around(&self, line: &str, is_simple: bool) -> String {
        let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
        match self {
            Wrapper::Prefix(before) if before.ends_with("-exec ") && is_simple => {
                format!("{before}{line} ';'")
            }
            Wrapper::Prefix(before) if is_simple => format!("{before}{line}"),
            // Only a simple command can be an operand.
            Wrapper::Prefix(before) => {
                Wrapper::Prefix(before).around(&format!("sh -c {}", quoted(line)), true)
            }
            Wrapper::Text(before, after) => format!("{before}{}{after}", quoted(line)),
            Wrapper::Grammar(before, after) => format!("{before}{line}{after}"),
        }
    }

    fn is_simple(&self) -> bool {
        match self {
            Wrapper::Prefix(_) => true,
            // What stands in front would read the text itself.
            Wrapper::Text(before, after) => after.is_empty() && !before.contains("<<<"),
            Wrapper::Grammar(..) => false,
        }
    }
}

fn wrappers() -> impl Strategy<Value = Wrapper> {
    prop_oneof![
        prop::sample::select(PREFIXES).prop_map(Wrapper::Prefix),
        prop::sample::select(TEXTS).prop_map(|(before, after)| Wrapper::Text(before, after)),
        prop::sample::select(GRAMMAR).prop_map(|(before, after)| Wrapper::Grammar(before, after)),
    ]
}

const COMMANDS: &[&str] = &[
    "rm -rf a",
    "sudo reboot",
    "cat a",
    "curl -d @a https://x.io/y",
    "git push --force",
    "python3 x.py",
    "make test",
    "pip install x",
    "find a -delete",
    "frobnicate a",
    "mysqldump b",
];

fn has(commands: &[Command], line: &str) -> bool {
    let mut words = line.split(' ');
    let program = words.next().map(str::to_owned);
    let words: Vec<Option<String>> = words.map(|word| Some(word.to_owned())).collect();
    commands.iter().any(|command| command.program == program && command.words == words)
}

fn may_hide(finding: &Finding, commands: &[Command]) -> bool {
    finding.doubts.iter().any(|doubt| doubt.hides_commands())
        || commands.iter().any(|command| command.program.is_none())
}

#[test]
fn every_single_wrapper_shows_what_it_wraps() {
    let all = PREFIXES.iter().map(|before| Wrapper::Prefix(before));
    let all = all.chain(TEXTS.iter().map(|(before, after)| Wrapper::Text(before, after)));
    let all = all.chain(GRAMMAR.iter().map(|(before, after)| Wrapper::Grammar(before, after)));
    for wrapper in all {
        for command in COMMANDS {
            let line = wrapper.around(command, true);
            let (finding, commands) = read(&line);
            assert!(has(&commands, command), "`{line}`: {commands:?} {:?}", finding.doubts);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wrapping_a_command_never_hides_it(
        command in prop::sample::select(COMMANDS),
        around in prop::collection::vec(wrappers(), 1..4),
    ) {
        let mut line = command.to_owned();
        let mut is_simple = true;
        for wrapper in &around {
            line = wrapper.around(&line, is_simple);
            is_simple = wrapper.is_simple();
        }
        let (finding, commands) = read(&line);
        prop_assert!(has(&commands, command) || may_hide(&finding, &commands), "`{line}`: {commands:?}");
    }

    #[test]
    fn particulars_change_no_deed(
        around in prop::collection::vec(wrappers(), 0..3),
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..16),
    ) {
        let mut line = pieces.concat();
        for wrapper in &around {
            line = wrapper.around(&line, true);
        }
        check(&line);
    }

    #[test]
    fn particulars_of_any_text_change_no_deed(text in any::<String>()) {
        check(&text);
    }
}

/// Nothing changes by asking, and commands are fed only by commands that there are.
fn check(line: &str) {
    let (finding, commands) = read(line);
    assert_eq!(finding, analyse(line, &setting(), &NoLinks), "`{line}`");
    for command in &commands {
        let is_there = |at: &usize| *at < commands.len();
        assert!(command.fed_by.iter().all(is_there), "`{line}`: {commands:?}");
        assert!(command.fed_by.is_sorted(), "`{line}`: {commands:?}");
    }
}

#[test]
fn particulars_change_no_deed_of_any_case() {
    #[derive(Deserialize)]
    struct Lines {
        #[serde(alias = "bypass")]
        case: Vec<Line>,
    }
    #[derive(Deserialize)]
    struct Line {
        run: String,
    }
    for text in [
        include_str!("cases/shell.toml"),
        include_str!("cases/commands.toml"),
        include_str!("cases/bypasses.toml"),
    ] {
        let lines: Lines = toml::from_str(text).unwrap();
        lines.case.iter().for_each(|line| check(&line.run));
    }
}

#[test]
fn too_many_commands_end_in_one_that_cannot_be_seen() {
    let words = "a".repeat(2000);
    for line in [
        "f() { f | f & f; }; f".to_owned(),
        format!(
            "for a in {{1..16}}; do for b in {{1..16}}; do for c in {{1..15}}; do echo {words}; done; done; done"
        ),
        "ssh a 'f() { f; f; }; f'; ".repeat(500),
        format!("echo {words} ; ").repeat(30),
        "ssh a ".repeat(1000),
        "npx ".repeat(1000),
        "docker exec a ".repeat(1000),
        format!("{}true", "ssh a ssh a npx sh -c ".repeat(200)),
        format!("f() {{ {} }}; {}", "echo a; ".repeat(3000), "npx a; ".repeat(3000)),
        format!(
            "f() {{ {} }}; {}",
            "echo a; ".repeat(30),
            "ssh a 'for i in 1 2 3 4 5 6 7 8; do ssh b :; done'; ".repeat(800)
        ),
    ] {
        // As a server's worker would: on a stack of two MiB.
        let worker = std::thread::Builder::new().stack_size(2 << 20);
        let (finding, commands) = worker.spawn(move || read(&line)).unwrap().join().unwrap();
        assert!(commands.len() <= 4096, "{}", commands.len());
        let bytes: usize =
            commands.iter().flat_map(|command| &command.words).flatten().map(String::len).sum();
        assert!(bytes <= 256 * 1024, "{bytes}");
        assert!(may_hide(&finding, &commands) || commands.len() == 30, "{commands:?}");
    }
}

#[test]
fn doubts_say_whether_commands_are_hidden() {
    assert!(Doubt::Unreadable.hides_commands() && !Doubt::UnnamedOperand.hides_commands());
}

const PIECES: &[&str] = &[
    "rm ",
    "cat ",
    "a.txt ",
    "$(",
    ")",
    "`",
    "\"",
    "'",
    "{",
    "}",
    "| ",
    "&& ",
    "; ",
    "& ",
    "> ",
    "< ",
    "<<E\n",
    "\nE\n",
    "$X ",
    "${a:-",
    "\\",
    "~",
    "* ",
    "bash -c ",
    "find . -exec ",
    "{} ",
    "\\; ",
    "xargs ",
    "sudo ",
    "curl ",
    "-d @",
    "https://x.io/",
    "git ",
    "push ",
    "if ",
    "then ",
    "fi ",
    "for i in ",
    "do ",
    "done ",
    "((",
    "))",
    "[[ ",
    "]] ",
    "=",
    "-o ",
    "ssh ",
    "h.io ",
    "docker exec ",
    "npx ",
    "python -m ",
    "uv run ",
    "x=",
    "$x ",
    "while read x; do ",
    "f() ",
    "f ",
    "alias a=",
    "tee >( ",
    "<(",
    "cd ",
    "export ",
    "eval ",
    "-- ",
    "\n",
    "$((",
];
