//! Real processes on one file: side by side, killed, and without room to write.
//!
//! A child is this test program again, told by its environment what to do.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use portcullis_store::{
    Change, Commit, CommitError, Durability, EntryFilter, Options, SessionFilter, SqliteStore, Store,
    StoreError, Verification,
};

use crate::sqlite::{SqlitePlace, options};
use crate::suite::{IDLE, Place, at, audit, entry, expected, join, key};

const ROLE: &str = "PORTCULLIS_STORE_TEST_ROLE";
const FILE: &str = "PORTCULLIS_STORE_TEST_FILE";
const NAME: &str = "PORTCULLIS_STORE_TEST_NAME";

/// How often each child of the first test commits.
const TURNS: u64 = 150;

/// The only test that a child runs. Without a role there is nothing for it to do.
#[test]
#[ignore = "is what child processes run"]
fn child() {
    let variable = |name| std::env::var(name).expect("a child is told its part by its environment");
    let (file, name) = (variable(FILE), variable(NAME));
    match variable(ROLE).as_str() {
        "decide" => decide(Path::new(&file), &name),
        "commit" => commit_for_ever(Path::new(&file), &name, Durability::Process),
        "commit durably" => commit_for_ever(Path::new(&file), &name, Durability::Power),
        "fill" => fill(Path::new(&file)),
        other => panic!("`{other}` is no role"),
    }
}

fn command(role: &str, file: &Path, name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "processes::child", "--ignored", "--nocapture", "--test-threads=1"]);
    command.env(ROLE, role).env(FILE, file).env(NAME, name);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    command
}

/// What a child says, apart from what the test program says on its behalf.
fn said(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let output = BufReader::new(child.stdout.take().unwrap());
    output.lines().map_while(Result::ok).filter_map(|line| Some(line.split_once("said: ")?.1.to_owned()))
}

#[expect(clippy::print_stdout, reason = "this is how a child speaks to its parent")]
fn say(text: &str) {
    println!("said: {text}");
}

/// Decides so many times in the session of all, again whenever somebody else was faster.
fn decide(file: &Path, name: &str) {
    let store = SqliteStore::open(file, options()).unwrap();
    let (session, _) = store.join(key("shared"), IDLE, at(0)).unwrap();
    let (mut lost, mut own) = (0, Vec::new());
    for turn in 0..TURNS {
        loop {
            let commit = Commit::at(at(1))
                .in_session(session.id)
                .expecting(expected(&store, session.id))
                .entry(entry(&format!("{{\"name\":\"{name}\",\"turn\":{turn}}}")))
                .change(Change::NextStep);
            match store.commit(commit) {
                Ok(committed) => break own.push((committed.entries[0].sequence, committed.step)),
                Err(CommitError::Outdated(_)) => lost += 1,
                Err(error) => panic!("{error}"),
            }
        }
    }
    own.iter().for_each(|(sequence, step)| say(&format!("{sequence} {step}")));
    say(&format!("lost {lost}"));
}

#[test]
fn processes_that_decide_at_once_make_one_chain_and_no_step_twice() {
    let place = SqlitePlace::fresh();
    drop(place.open());
    let mut children: Vec<_> = ["one", "other", "third"]
        .map(|name| command("decide", &place.file(), name).spawn().unwrap())
        .into_iter()
        .collect();
    let mut steps = BTreeMap::new();
    for child in &mut children {
        let lines: Vec<_> = said(child).collect();
        assert!(child.wait().unwrap().success());
        assert_eq!(lines.len() as u64, TURNS + 1);
        for (sequence, step) in lines.iter().filter_map(|line| line.split_once(' ')) {
            if let (Ok(sequence), Ok(step)) = (sequence.parse::<u64>(), step.parse::<u64>()) {
                assert_eq!(steps.insert(sequence, step), None);
            }
        }
    }
    // Each commit has an entry and a step, so their numbers go together.
    let all: BTreeMap<_, _> = (1..=3 * TURNS).map(|number| (number, number)).collect();
    assert_eq!(steps, all);
    let store = place.open();
    let [session] = <[_; 1]>::try_from(store.sessions(SessionFilter::All).unwrap()).unwrap();
    assert_eq!((session.step, session.version), (3 * TURNS, 3 * TURNS));
    let head = store.head().unwrap();
    assert_eq!(head.sequence, 3 * TURNS);
    assert_eq!(store.verify(None, &mut |_| {}).unwrap(), Verification::Whole { head });
}

/// Commits until it is killed, by several threads, and says each time what it was told.
fn commit_for_ever(file: &Path, name: &str, durability: Durability) {
    let store = SqliteStore::open(file, Options { durability, ..options() }).unwrap();
    let session = store.join(key("shared"), IDLE, at(0)).unwrap().0.id;
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let store = &store;
            scope.spawn(move || {
                for turn in 0_u64.. {
                    let body =
                        format!("{{\"by\":\"{name}/{thread}/{turn}\",\"rest\":\"{}\"}}", "x".repeat(300));
                    let part = Change::SetPart {
                        place: portcullis_store::Place::Session,
                        name: "labels".to_owned(),
                        content: Some(vec![7; 2_000]),
                    };
                    let commit = Commit::at(at(1)).in_session(session).entry(entry(&body));
                    let committed = store.commit(commit.change(Change::NextStep).change(part)).unwrap();
                    say(&format!("{} {name}/{thread}/{turn}", committed.entries[0].sequence));
                }
            });
        }
    });
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn what_was_committed_is_there_after_a_crash() {
    let place = SqlitePlace::fresh();
    drop(place.open());
    let mut numbers = Numbers(20_261_115);
    let mut acknowledged: BTreeMap<u64, String> = BTreeMap::new();
    for round in 0..10 {
        let role = if round % 2 == 0 { "commit" } else { "commit durably" };
        let mut children: Vec<_> = (0..2)
            .map(|child| command(role, &place.file(), &format!("{round}-{child}")).spawn().unwrap())
            .collect();
        // Killed after so many acknowledgements, which is at any moment of the next commits.
        let mut lines: Vec<_> = children.iter_mut().map(said).collect();
        let mut heard: Vec<String> = Vec::new();
        for _ in 0..1 + numbers.below(60) {
            let lines = &mut lines[numbers.below(2) as usize];
            heard.extend(lines.next());
        }
        children.iter_mut().for_each(|child| child.kill().unwrap());
        // None had ended by itself before.
        let ends: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().signal()).collect();
        assert_eq!(ends, [Some(9), Some(9)]);
        // What was said before the end was acknowledged too; a line that is cut off was not said.
        heard.extend(lines.into_iter().flatten());
        assert!(!heard.is_empty());
        for line in heard {
            let Some((sequence, by)) = line.split_once(' ') else { continue };
            if by.split('/').count() == 3 && by.split('/').next_back() != Some("") {
                acknowledged.insert(sequence.parse().unwrap(), by.to_owned());
            }
        }
        compare(&place, &acknowledged);
    }
}

fn compare(place: &SqlitePlace, acknowledged: &BTreeMap<u64, String>) {
    let store = place.open();
    assert_eq!(store.check().unwrap(), Vec::<String>::new());
    let head = store.head().unwrap();
    assert_eq!(store.verify(None, &mut |_| {}).unwrap(), Verification::Whole { head });
    let entries = store.entries(&EntryFilter::default()).unwrap();
    for (sequence, by) in acknowledged {
        let body = &entries[*sequence as usize - 1].body;
        // The last number of a line may have lost digits when its writer was killed.
        assert!(body.contains(&format!("\"by\":\"{by}")), "{sequence}: {by} is not in {body:.60}");
    }
    // No commit is there in part: each entry came with a step.
    let steps: u64 = store.sessions(SessionFilter::All).unwrap().iter().map(|session| session.step).sum();
    assert_eq!(steps, entries.len() as u64);
}

/// Commits until there is no more room, and says what happened.
fn fill(file: &Path) {
    let store = SqliteStore::open(file, options()).unwrap();
    let body = format!("\"{}\"", "x".repeat(2_000));
    for _ in 0..2_000 {
        match store.commit(Commit::at(at(1)).entry(entry(&body))) {
            Ok(committed) => say(&committed.entries[0].sequence.to_string()),
            Err(CommitError::Store(StoreError::Full | StoreError::Disk(_))) => {
                // And again: an error does not turn into a silent loss.
                assert!(store.commit(Commit::at(at(1)).entry(entry(&body))).is_err());
                return say("full");
            }
            Err(error) => panic!("{error:?}"),
        }
    }
}

#[test]
fn a_file_that_cannot_grow_gives_an_error_and_keeps_what_it_has() {
    let place = SqlitePlace::fresh();
    audit::write(&place.open(), 3);
    // The shell limits the size of files (in blocks of 512 bytes) and asks not to be killed for it.
    let child = command("fill", &place.file(), "");
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\""]);
    limited.arg0("sh").arg(child.get_program()).args(child.get_args());
    limited.envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = limited.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let lines: Vec<_> = said(&mut child).collect();
    assert!(child.wait().unwrap().success());
    let (last, sequences) = lines.split_last().unwrap();
    assert_eq!(last, "full");
    let acknowledged = sequences.last().unwrap().parse::<u64>().unwrap();
    assert_eq!(sequences.len() as u64, acknowledged - 3);
    // With room again, everything is there that was acknowledged, and nothing else.
    let store = place.open();
    let head = store.head().unwrap();
    assert_eq!(head.sequence, acknowledged);
    assert_eq!(store.verify(None, &mut |_| {}).unwrap(), Verification::Whole { head });
    join(&store, "editor");
    audit::write(&store, 1);
}
