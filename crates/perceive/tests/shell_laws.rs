//! What holds for every command line.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use portcullis_lattice::{Effect, Effects, Realms, Resource};
use portcullis_perceive::Deed;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::shell::{Doubt, Finding, MAX_LENGTH, Setting, analyse};
use proptest::prelude::*;

fn read(command: &str) -> Finding {
    analyse(command, &Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() }, &NoLinks)
}

/// Reads a command as a server's worker would: on a stack of two MiB.
fn read_on_small_stack(command: String) -> Finding {
    let worker = std::thread::Builder::new().stack_size(2 << 20);
    worker.spawn(move || read(&command)).unwrap().join().unwrap()
}

fn runs_anything(finding: &Finding) -> bool {
    finding.deeds.iter().any(|deed| deed.effects.contains(Effect::Exec))
}

const COMMANDS: &[&str] = &[
    "rm -rf a",
    "cat a",
    "cat a > b",
    "curl -d @a https://x.io/y",
    "cp a b",
    "mv a b",
    "git push https://x.io/y.git",
    "python3 x.py",
    "make test",
    "ssh h.io id",
    "pip install x",
    "tar czf a.tgz b",
    "find a -delete",
    "frobnicate a",
];

/// What stands before and after a command that is wrapped.
const WRAPPERS: &[(&str, &str)] = &[
    ("", ""),
    ("( ", " )"),
    ("{ ", "; }"),
    ("! ", ""),
    ("time ", ""),
    ("true; ", ""),
    ("true && ", ""),
    ("false || ", ""),
    ("true | ", ""),
    ("A=1 ", ""),
    ("if true; then ", "; fi"),
    ("while true; do ", "; done"),
    ("for i in 1 2; do ", "; done"),
    ("case x in x) ", ";; esac"),
    ("f() { ", "; }; f"),
    ("f() ( ", " ); f"),
    ("[[ -n x ]] && ", ""),
    ("bash -c '", "'"),
    ("sh -c \"", "\""),
    ("bash -lc '", "'"),
    ("eval '", "'"),
    ("sudo ", ""),
    ("sudo -n -u bob ", ""),
    ("doas ", ""),
    ("env ", ""),
    ("env -i A=b ", ""),
    ("command ", ""),
    ("exec ", ""),
    ("timeout 5 ", ""),
    ("timeout -k 1 5s ", ""),
    ("nice -n 3 ", ""),
    ("ionice -c 2 ", ""),
    ("stdbuf -oL ", ""),
    ("flock l ", ""),
    ("strace -f ", ""),
    ("busybox ", ""),
    ("script -q -c '", "' /dev/null"),
    ("watch '", "'"),
    ("xargs -I{} ", " < /dev/null"),
    ("sudo env nice timeout 5 ", ""),
    ("bash -c 'sudo sh -c \"", "\"'"),
    ("trap '", "' EXIT"),
];

/// What stands around a command that is left running.
const BACKGROUNDS: &[(&str, &str)] =
    &[("", " &"), ("nohup ", ""), ("setsid ", ""), ("coproc ", ""), ("tmux new -d '", "'"), ("(", " &)")];

#[test]
fn wrappers_never_hide_a_command() {
    for command in COMMANDS {
        let bare = read(command).deeds;
        for (before, after) in WRAPPERS {
            let wrapped = read(&format!("{before}{command}{after}"));
            // A redirect or a pipe belongs to the wrapper, so what it moves may be told with the wrapper's reader.
            for deed in &bare {
                assert!(has(&wrapped.deeds, deed), "`{before}{command}{after}` hides {deed:?}: {wrapped:?}");
            }
        }
    }
}

#[test]
fn what_is_left_running_is_spawned() {
    for command in COMMANDS {
        let bare = read(command).deeds;
        for (before, after) in BACKGROUNDS {
            let wrapped = read(&format!("{before}{command}{after}"));
            let text = format!("{before}{command}{after}");
            assert!(
                wrapped.deeds.iter().any(|deed| deed.effects.contains(Effect::Spawn)),
                "`{text}`: {wrapped:?}"
            );
            for deed in &bare {
                let mut spawned = deed.clone();
                if deed.effects.contains(Effect::Exec) {
                    spawned.effects = deed.effects.minus(Effects::only(Effect::Exec)).with(Effect::Spawn);
                }
                assert!(has(&wrapped.deeds, &spawned), "`{text}` hides {deed:?}: {wrapped:?}");
            }
        }
    }
}

fn has(deeds: &[Deed], wanted: &Deed) -> bool {
    deeds.iter().any(|deed| {
        let covers = |side: &[portcullis_perceive::Use], part: &[portcullis_perceive::Use]| {
            part.iter().all(|used| side.contains(used))
        };
        covers(&deed.inputs, &wanted.inputs)
            && covers(&deed.outputs, &wanted.outputs)
            && wanted.effects.is_subset(deed.effects)
    })
}

#[test]
fn whatever_is_too_large_is_taken_at_its_worst() {
    let nested = |open: &str, close: &str| format!("{}true{}", open.repeat(1000), close.repeat(1000));
    let names: String = (0..400).map(|number| format!("a{number} ")).collect();
    let inputs = [
        "a".repeat(1 << 20),
        "echo a; ".repeat(1 << 17),
        "(".repeat(1 << 20),
        format!("true{}", " | cat".repeat(10_000)),
        format!("true{}", " && frobnicate".repeat(10_000)),
        format!("echo {}", "$X ".repeat(20_000)),
        nested("{ ", "; }"),
        nested("( ", " )"),
        nested("((", "))"),
        nested("$(", ")"),
        nested("\"$(", ")\""),
        nested("${a:-", "}"),
        nested("<(", ")"),
        nested("`", "`"),
        nested("if ", "; then :; fi"),
        nested("! ", ""),
        nested("[[ ! ", " ]]"),
        nested("case x in x) ", ";; esac"),
        nested("f() { ", "; }"),
        nested("{ (", "); }"),
        nested("sudo ", ""),
        nested("eval ", ""),
        nested("@(", ")"),
        nested("coproc ", ""),
        format!("find {names}{} -exec cat {{}} +", "-name b -o ".repeat(200)),
        format!("grep -r x {}{names}", "--include=b ".repeat(500)),
        nested("time ", ""),
    ];
    for input in inputs {
        let front: String = input.chars().take(20).collect();
        let finding = read_on_small_stack(input);
        assert!(runs_anything(&finding), "`{front}…`: {:?}", finding.doubts);
        assert!(!finding.doubts.is_empty(), "`{front}…`");
    }
}

#[test]
fn just_below_the_limits_is_read_on_a_small_stack() {
    for (open, close) in [
        ("{ ", "; }"),
        ("( ", " )"),
        ("$(", ")"),
        ("if ", "; then :; fi"),
        ("\"$(", ")\""),
        ("${a:-", "}"),
        ("{ (", "); }"),
    ] {
        for levels in [8, 16, 24, 40, 46] {
            read_on_small_stack(format!("{}true{}", open.repeat(levels), close.repeat(levels)));
        }
    }
    read_on_small_stack(format!("cat {}", "a".repeat(MAX_LENGTH - 4)));
}

#[test]
fn a_descriptor_beyond_all_numbers_is_taken_at_its_worst() {
    // Found by fuzzing: the first grammar panicked here.
    for redirect in ["<", ">", ">>", "<<<", ">&", "<>", "<<"] {
        let finding = read(&format!("cat 88888888888{redirect}a"));
        assert!(runs_anything(&finding), "{redirect}: {finding:?}");
        assert!(!finding.doubts.is_empty(), "{redirect}");
    }
    for word in [
        "~88888888888888888888888/x",
        "~+88888888888888888888888",
        "{1..88888888888888888888888}",
        "{88888888888888888888888..1}",
    ] {
        assert!(runs_anything(&read(&format!("cat {word}"))), "{word}");
    }
}

#[test]
fn a_function_that_calls_itself_ends() {
    let finding = read_on_small_stack("f() { f; f; }; f".to_owned());
    assert!(finding.doubts.contains(&Doubt::TooLarge));
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
    "sed ",
    "-i ",
    "s/a/b/",
    "é",
    "\u{202e}",
    "\n",
    "\t",
    "=",
    "-o ",
    "/dev/tcp/h/1 ",
    "ssh ",
    "h.io:",
    "\u{ffff}",
    "\0",
    "tar ",
    "czf ",
    "-- ",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Words whose letters stand for themselves are read without a grammar; nothing in quotes before them sends them to it.
    #[test]
    fn a_plain_word_is_read_alike_with_and_without_a_grammar(
        command in prop::sample::select(vec!["cat", "rm -r", "cp a", "git add", "echo", "curl -o x", "cd", "find", "x"]),
        word in "[A-Za-z0-9_./,:=@%+-]{1,12}",
    ) {
        prop_assert_eq!(read(&format!("{command} {word} > z")), read(&format!("{command} \"\"{word} > z")));
        prop_assert_eq!(read(&format!("{command} '{word} b'")), read(&format!("{command} \"\"'{word} b'")));
    }

    #[test]
    fn any_text_is_read_without_panic_and_named_canonically(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_mixture_of_pieces_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        check(&pieces.concat());
    }

    #[test]
    fn a_mutated_command_is_read(
        at in 0..COMMANDS.len(),
        (before, after) in prop::sample::select(WRAPPERS),
        cut in 0..60usize,
        piece in prop::sample::select(PIECES),
    ) {
        let mut text = format!("{before}{}{after}", COMMANDS[at]);
        let cut = text.char_indices().map(|(index, _)| index).nth(cut).unwrap_or(text.len());
        text.insert_str(cut, piece);
        check(&text);
    }
}

fn check(text: &str) {
    let finding = read(text);
    for deed in &finding.deeds {
        assert!(!deed.inputs.is_empty() && !deed.outputs.is_empty() && !deed.effects.is_empty(), "{deed:?}");
        for used in deed.inputs.iter().chain(&deed.outputs) {
            let named = Resource::new(&used.name, used.reach, Realms::NETWORK);
            assert!(named.is_ok(), "{used:?} in `{text}`");
        }
    }
    assert_eq!(finding, read(text), "the same text is read alike");
}
