//! Who may answer: a person at a terminal, and no agent, whatever it tries. Needs python3, whose pseudo-terminals are used.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

mod audit;
mod home;
mod model;
mod replay;
mod rules;
mod sentences;
mod sessions;
mod signing;
mod tools;

use std::process::Stdio;

use home::{Home, SCRIPT, Seen, can, has, is_possible};

const PROGRAM: &str = env!("CARGO_BIN_EXE_portcullis");
const REFUSED: i32 = 2;

#[test]
fn a_person_answers_and_the_call_goes_on() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let host = home.host(r#"[{"path": "a.md", "content": "hello"}]"#, &[]);
    home.wait_for_a_question();
    let seen = home.terminal(&["watch", "--plain", "--once"], &[("q to leave:", "1\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert!(seen.output.contains("wants to call write_note"), "{}", seen.output);
    assert!(seen.output.contains("question 1: allow this call, once"), "{}", seen.output);
    let output = host.wait_with_output().unwrap();
    let output = String::from_utf8_lossy(&output.stdout);
    assert!(output.contains(r#""text": "written""#), "{output}");
}

#[test]
fn a_program_of_ones_own_is_answered_where_it_runs() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let host = home.host_here(r#"[{"path": "a.md", "content": "hello"}]"#);
    let host: Vec<&str> = host.iter().map(String::as_str).collect();
    let seen = home.terminal_of(&host, &[("s to leave it open:", "99\n"), ("That is no answer.", "1\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    assert!(seen.output.contains("wants to call write_note"), "{}", seen.output);
    assert!(seen.output.contains("allow this call, once"), "{}", seen.output);
    assert!(seen.output.contains(r#""text": "written""#), "{}", seen.output);
}

#[test]
fn where_there_is_no_terminal_nobody_is_asked_in_it() {
    if !is_possible() || !has("setsid") {
        return;
    }
    let home = Home::new();
    let done = home
        .command("setsid")
        .args(["-w", PROGRAM, "run", "--ask-here", "--", "true"])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(REFUSED), "{told}");
    assert!(told.contains("there is no terminal here to ask in"), "{told}");
}

#[test]
fn the_drawn_screen_answers_too() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let host = home.host(r#"[{"path": "a.md", "content": "hello"}]"#, &[]);
    home.wait_for_a_question();
    // The question takes no answer in its first moment, so there is a pause before one is chosen and given.
    let pause = ("", "");
    let steps = [("q leave", ""), pause, pause, pause, pause, pause, ("", "1"), ("", "\r")];
    let seen = home.terminal_of(
        &[&["sh", "-c", "stty rows 50 cols 120; exec \"$@\"", "sh", PROGRAM], &["watch", "--once"][..]]
            .concat(),
        &steps,
    );
    assert_eq!(seen.status, 0, "{}", seen.output);
    let output = host.wait_with_output().unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains(r#""text": "written""#), "{}", seen.output);
}

#[test]
fn answers_through_a_pipe_do_not_count() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let yes = format!("yes 1 | {PROGRAM} watch --plain");
    for output in [Stdio::piped(), Stdio::null()] {
        let done = home.command("sh").args(["-c", &yes]).stdout(output).output().unwrap();
        let told = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(REFUSED), "{told}");
        assert!(told.contains("standard input is none"), "{told}");
    }
    // Inside a terminal, a pipe on either side is still a pipe.
    for (line, stream) in
        [(yes, "standard input"), (format!("{PROGRAM} watch --plain | cat; exit 2"), "standard output")]
    {
        let seen = home.terminal_of(&["sh", "-c", &line], &[]);
        assert_eq!(seen.status, REFUSED, "{}", seen.output);
        assert!(seen.output.contains(&format!("{stream} is none")), "{}", seen.output);
    }
}

#[test]
fn an_own_terminal_does_not_help_what_descends_from_a_host() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let job = home.job(&[PROGRAM, "watch", "--plain"], &[("leave:", "1\n")], false, "attack");
    let attack = ["python3", SCRIPT, job.to_str().unwrap()];
    let host = home.host("[]", &attack).wait_with_output().unwrap();
    assert!(host.status.success(), "{}", String::from_utf8_lossy(&host.stderr));
    refused_as_a_host(&home.result("attack"));
}

#[test]
fn script_does_not_help_what_descends_from_a_host() {
    if !is_possible() || !has("script") {
        return;
    }
    let home = Home::new();
    let attack = ["script", "-qec", &format!("{PROGRAM} watch --plain"), "/dev/null"];
    let host = home.host("[]", &attack).wait_with_output().unwrap();
    let output = String::from_utf8_lossy(&host.stdout);
    assert!(output.contains("is the host of the open session"), "{output}");
    assert!(output.contains("status 2"), "{output}");
}

#[test]
fn the_terminal_of_others_is_none_of_ours() {
    if !is_possible() || !has("setsid") {
        return;
    }
    let home = Home::new();
    // A process that left its session still has the terminal on its streams, but it is no longer its own.
    let line = format!("setsid -w {PROGRAM} watch --plain");
    let seen = home.terminal_of(&["sh", "-c", &line], &[]);
    assert_eq!(seen.status, REFUSED, "{}", seen.output);
    assert!(seen.output.contains("is another one or was left behind"), "{}", seen.output);
}

#[test]
fn a_terminal_outside_of_this_world_of_processes_is_none_of_ours() {
    // As in a container: whoever leads the session of processes is not to be seen from inside, and has no number there.
    let inside = ["unshare", "--user", "--map-root-user", "--pid", "--fork"];
    if !is_possible() || !can(&inside) {
        return;
    }
    let home = Home::new();
    let watch = [PROGRAM, "watch", "--plain"];
    let done = home.command(inside[0]).args(&inside[1..]).args(watch).stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(REFUSED), "{told}");
    assert!(told.contains("standard input is none"), "{told}");
    let seen = home.terminal_of(&[&inside[..], &watch].concat(), &[]);
    assert_eq!(seen.status, REFUSED, "{}", seen.output);
    assert!(seen.output.contains("is another one or was left behind"), "{}", seen.output);
}

#[test]
fn the_background_is_no_place_to_answer_from() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let line = format!("set -m; {PROGRAM} watch --plain & wait $!; exit $?");
    let seen = home.terminal_of(&["sh", "-c", &line], &[]);
    assert_eq!(seen.status, REFUSED, "{}", seen.output);
    assert!(seen.output.contains("in the background"), "{}", seen.output);
}

#[test]
fn programs_in_which_agents_run_are_known_by_name() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let agent = home.path().join("claude");
    std::fs::copy("/bin/sh", &agent).unwrap();
    let line = format!("{PROGRAM} watch --plain; exit $?");
    let seen = home.terminal_of(&[agent.to_str().unwrap(), "-c", &line], &[]);
    assert_eq!(seen.status, REFUSED, "{}", seen.output);
    assert!(
        seen.output.contains("(claude), from which this one descends, is a program in which agents run"),
        "{}",
        seen.output
    );
}

#[test]
fn what_a_guarded_server_starts_is_known_even_when_its_parents_are_gone() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let seen = home.terminal_of(&["env", "PORTCULLIS_GUARDED=1", PROGRAM, "watch", "--plain"], &[]);
    assert_eq!(seen.status, REFUSED, "{}", seen.output);
    assert!(seen.output.contains("as PORTCULLIS_GUARDED tells"), "{}", seen.output);
}

#[test]
fn no_variable_opens_the_gate() {
    let home = Home::new();
    for variable in ["PORTCULLIS_TRUSTED", "PORTCULLIS_YES", "PORTCULLIS_FORCE", "CI"] {
        let mut command = home.command(PROGRAM);
        let done =
            command.args(["watch", "--plain"]).env(variable, "1").stdin(Stdio::null()).output().unwrap();
        assert_eq!(done.status.code(), Some(REFUSED), "{variable}");
    }
}

#[test]
fn open_questions_can_be_read_anywhere() {
    if !is_possible() {
        return;
    }
    let home = Home::new();
    let mut host = home.host(r#"[{"path": "a.md", "content": "hello"}]"#, &[]);
    let questions = home.wait_for_a_question();
    let question: serde_json::Value = serde_json::from_str(questions.lines().next().unwrap()).unwrap();
    assert_eq!(question["tool"], "write_note");
    assert_eq!(question["choices"][0]["id"], "once");
    let seen = home.terminal(&["watch", "--plain"], &[("q to leave:", "q\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    host.kill().unwrap();
    host.wait().unwrap();
}

fn refused_as_a_host(seen: &Seen) {
    assert_eq!(seen.status, REFUSED, "{}", seen.output);
    assert!(seen.output.contains("is the host of the open session"), "{}", seen.output);
    assert!(seen.output.contains("Open another terminal"), "{}", seen.output);
}
