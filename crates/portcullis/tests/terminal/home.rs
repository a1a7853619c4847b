//! A store of its own, a host, and terminals to sit at.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal/terminal.py");
const HOST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal/host.py");
pub(crate) const SERVER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal/server.py");
const PROGRAM: &str = env!("CARGO_BIN_EXE_portcullis");
/// Longer than anything here takes on a slow machine.
const SECONDS: u64 = 60;

/// What was seen on a terminal.
pub(crate) struct Seen {
    pub(crate) output: String,
    pub(crate) status: i32,
}

pub(crate) struct Home {
    folder: tempfile::TempDir,
}

/// Whether a program is there. That a test was left out is said.
pub(crate) fn has(program: &str) -> bool {
    let found =
        Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
    if !found {
        eprintln!("left out: there is no {program}");
    }
    found
}

/// Whether programs can be started in this way. That a test was left out is said.
pub(crate) fn can(way: &[&str]) -> bool {
    let tried = Command::new(way[0]).args(&way[1..]).arg("true").stderr(Stdio::null()).status();
    let can = tried.is_ok_and(|status| status.success());
    if !can {
        eprintln!("left out: `{}` does not work here", way.join(" "));
    }
    can
}

/// Whether terminals can be made.
pub(crate) fn is_possible() -> bool {
    has("python3")
}

impl Home {
    pub(crate) fn new() -> Home {
        let home = Home { folder: tempfile::tempdir().unwrap() };
        // These tests are about rules, so tools are approved as they are first seen.
        let state = home.path().join("state");
        std::fs::create_dir_all(&state).unwrap();
        std::fs::set_permissions(&state, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
        std::fs::write(state.join("portcullis.toml"), "[tools]\nunverified = \"warn\"\n").unwrap();
        home
    }

    /// One in which tools that nobody approved are asked about, as they usually are.
    pub(crate) fn that_asks() -> Home {
        Home { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A command in this home.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        let work = self.path().join("desk");
        std::fs::create_dir_all(&work).unwrap();
        command
            .env("PORTCULLIS_HOME", self.path().join("state"))
            .env_remove("PORTCULLIS_SESSION")
            .current_dir(work);
        command
    }

    /// What the program says without a terminal, and how it ends.
    pub(crate) fn says(&self, arguments: &[&str]) -> Seen {
        let done = self.command(PROGRAM).args(arguments).stdin(Stdio::null()).output().unwrap();
        let output = [done.stdout, done.stderr].concat();
        Seen { output: String::from_utf8(output).unwrap(), status: done.status.code().unwrap() }
    }

    /// The state of the tool `write_note`, as `tools list` has it.
    pub(crate) fn state(&self) -> String {
        let listed = self.says(&["tools", "list", "--json"]);
        assert_eq!(listed.status, 0, "{}", listed.output);
        let read = |line: &str| -> Value { serde_json::from_str(line).unwrap() };
        let tool = listed.output.lines().map(read).find(|tool| tool["tool"] == "write_note").unwrap();
        tool["state"].as_str().unwrap().to_owned()
    }

    /// From now on the server lists these.
    pub(crate) fn serve(&self, tools: &[Value]) {
        std::fs::write(self.desk("tools.json"), Value::from(tools).to_string()).unwrap();
    }

    /// A file in the folder that is worked in.
    pub(crate) fn desk(&self, name: &str) -> PathBuf {
        let desk = self.path().join("desk");
        std::fs::create_dir_all(&desk).unwrap();
        desk.join(name)
    }

    /// A host starts the server once.
    pub(crate) fn start(&self) {
        let host = self.host("[]", &[]).wait_with_output().unwrap();
        assert!(host.status.success(), "{}", String::from_utf8_lossy(&host.stderr));
    }

    /// A host that makes calls, and runs a command as an agent would.
    pub(crate) fn host(&self, calls: &str, attack: &[&str]) -> Child {
        self.host_of(SERVER, calls, attack)
    }

    /// The same with a server in another file.
    pub(crate) fn host_of(&self, server: &str, calls: &str, attack: &[&str]) -> Child {
        let mut command = self.command("python3");
        command.args([HOST, PROGRAM, server, calls]).args(attack);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The command of a host that makes calls and leaves its terminal to the gateway.
    pub(crate) fn host_here(&self, calls: &str) -> Vec<String> {
        let words = ["env", "HOST_OPTIONS=--ask-here", "python3", HOST, PROGRAM, SERVER, calls];
        words.map(str::to_owned).to_vec()
    }

    /// The open questions, once there are any.
    pub(crate) fn wait_for_a_question(&self) -> String {
        for _ in 0..SECONDS * 10 {
            let seen = self.says(&["watch", "--json"]);
            if seen.status == 0 && !seen.output.is_empty() {
                return seen.output;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("no question came up");
    }

    /// Runs the program in a terminal that a person opened.
    pub(crate) fn terminal(&self, arguments: &[&str], steps: &[(&str, &str)]) -> Seen {
        self.terminal_of(&[&[PROGRAM], arguments].concat(), steps)
    }

    /// Runs a command in a terminal that a person opened.
    pub(crate) fn terminal_of(&self, command: &[&str], steps: &[(&str, &str)]) -> Seen {
        let job = self.job(command, steps, true, "terminal");
        let done = self.command("python3").arg(SCRIPT).arg(job).stdin(Stdio::null()).status().unwrap();
        assert!(done.success());
        self.result("terminal")
    }

    /// A job for the script that makes terminals.
    pub(crate) fn job(
        &self,
        command: &[&str],
        steps: &[(&str, &str)],
        detached: bool,
        name: &str,
    ) -> PathBuf {
        let result = self.result_file(name);
        let _ = std::fs::remove_file(&result);
        let job = json!({
            "command": command, "steps": steps, "detached": detached, "result": result, "seconds": SECONDS,
        });
        let path = self.path().join(format!("{name}.json"));
        std::fs::write(&path, job.to_string()).unwrap();
        path
    }

    /// What became of a job, once it is done.
    pub(crate) fn result(&self, name: &str) -> Seen {
        let path = self.result_file(name);
        for _ in 0..SECONDS * 12 {
            if let Ok(text) = std::fs::read_to_string(&path) {
                let read: Value = serde_json::from_str(&text).unwrap();
                let status = i32::try_from(read["status"].as_i64().unwrap()).unwrap();
                return Seen { output: read["output"].as_str().unwrap().to_owned(), status };
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the terminal did not come to an end");
    }

    fn result_file(&self, name: &str) -> PathBuf {
        self.path().join(format!("{name}.result"))
    }
}
