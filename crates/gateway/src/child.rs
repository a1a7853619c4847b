//! A server that is a child process.

use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a server gets of our environment if nobody says otherwise: what programs need to run at all.
const USUAL: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LANGUAGE",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMFILES",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
];
/// How long a server may take to end by itself once its input is closed.
pub const LEAVE: Duration = Duration::from_secs(3);
/// How long it may take once it was asked to.
pub const END: Duration = Duration::from_secs(2);
const GLANCE: Duration = Duration::from_millis(10);

/// How a server is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where it runs.
    pub folder: Option<PathBuf>,
    /// What it gets of our environment.
    pub passed: Passed,
    /// What it gets besides.
    pub set: Vec<(String, String)>,
}

/// What a server gets of our environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Passed {
    /// What programs need to run at all, and what is named.
    Named(Vec<String>),
    /// All of it.
    All,
}

/// Why a server was not started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// There is no command.
    #[error("no command was given to start the server with")]
    NoCommand,
    /// It cannot be started.
    #[error("`{program}` cannot be started: {error}")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        error: io::Error,
    },
    /// Its streams cannot be had.
    #[error("the streams of `{0}` cannot be had")]
    Streams(String),
}

/// A server that runs.
pub struct Running {
    child: Child,
}

/// Its streams.
pub struct Streams {
    /// What it reads.
    pub input: ChildStdin,
    /// What it says.
    pub output: ChildStdout,
    /// What it complains.
    pub errors: ChildStderr,
}

impl Launch {
    /// Starts the server, in a process group of its own.
    pub fn start(&self) -> Result<(Running, Streams), LaunchError> {
        let (program, arguments) = self.command.split_first().ok_or(LaunchError::NoCommand)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &self.folder {
            command.current_dir(folder);
        }
        if let Passed::Named(named) = &self.passed {
            command.env_clear();
            let is_passed = |name: &str| {
                USUAL.iter().any(|usual| name.eq_ignore_ascii_case(usual))
                    || name.starts_with("LC_")
                    || named.iter().any(|known| known == name)
            };
            let known = std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_passed));
            command.envs(known);
        }
        command.envs(self.set.iter().map(|(name, value)| (name, value)));
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let start = |error| LaunchError::Start { program: program.clone(), error };
        let mut child = command.spawn().map_err(start)?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let running = Running { child };
        match streams {
            (Some(input), Some(output), Some(errors)) => Ok((running, Streams { input, output, errors })),
            _ => Err(LaunchError::Streams(program.clone())),
        }
    }
}

impl Streams {
    /// Writing to the server does not wait for it from now on: what it does not take at once is not written.
    pub fn write_without_waiting(&self) -> io::Result<()> {
        #[cfg(unix)]
        rustix::io::ioctl_fionbio(&self.input, true)?;
        Ok(())
    }
}

impl Running {
    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until the server ends, whose input has to be closed; one that does not is ended, with all that it started.
    pub fn finish(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.wait_for(LEAVE)? {
            // What it left behind is not ours to keep.
            end_group(self.child.id(), Force::Kill);
            return Ok(status);
        }
        end_group(self.child.id(), Force::Ask);
        if let Some(status) = self.wait_for(END)? {
            end_group(self.child.id(), Force::Kill);
            return Ok(status);
        }
        end_group(self.child.id(), Force::Kill);
        self.child.kill()?;
        self.child.wait()
    }

    fn wait_for(&mut self, time: Duration) -> io::Result<Option<ExitStatus>> {
        let began = Instant::now();
        loop {
            match self.child.try_wait()? {
                Some(status) => return Ok(Some(status)),
                None if began.elapsed() >= time => return Ok(None),
                None => std::thread::sleep(GLANCE),
            }
        }
    }
}

/// How a process group is ended.
#[derive(Clone, Copy)]
pub enum Force {
    /// It may tidy up.
    Ask,
    /// At once.
    Kill,
}

/// Ends a server with all that it started. One that is gone already is no trouble.
pub fn end_group(leader: u32, force: Force) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        let signal = match force {
            Force::Ask => Signal::TERM,
            Force::Kill => Signal::KILL,
        };
        if let Some(group) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            let _ = kill_process_group(group, signal);
        }
    }
    #[cfg(not(unix))]
    let _ = (leader, force);
}

/// Reads until the end, giving each piece to `take`; stops where it says so.
pub fn read_all(mut from: impl Read, take: &mut dyn FnMut(&[u8]) -> bool) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                if !take(buffer.get(..count).unwrap_or_default()) {
                    return Ok(());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
