//! Git: what its subcommands do to the repository and to remotes.

use portcullis_lattice::{Effect, Reach};

use crate::Use;

use super::arguments::{Argument, Divided, Order, divide};
use super::finding::Doubt;
use super::place::{self, base_name};
use super::program::{Run, takes_from};
use super::stream::{Stream, merge};
use super::walk::Walk;

const READS: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "blame",
    "annotate",
    "shortlog",
    "describe",
    "rev-parse",
    "rev-list",
    "ls-files",
    "ls-tree",
    "cat-file",
    "reflog",
    "grep",
    "name-rev",
    "merge-base",
    "for-each-ref",
    "show-ref",
    "count-objects",
    "whatchanged",
    "cherry",
    "range-diff",
    "check-ignore",
    "check-attr",
    "var",
    "help",
    "version",
    "diff-tree",
    "diff-index",
    "diff-files",
    "symbolic-ref",
    "fsck",
    "verify-commit",
    "verify-tag",
    "show-branch",
    "merge-tree",
    "stripspace",
    "interpret-trailers",
];
const WRITES: &[&str] = &[
    "add",
    "commit",
    "checkout",
    "switch",
    "branch",
    "reset",
    "restore",
    "mv",
    "merge",
    "rebase",
    "cherry-pick",
    "revert",
    "stash",
    "tag",
    "init",
    "apply",
    "am",
    "gc",
    "config",
    "remote",
    "notes",
    "worktree",
    "update-index",
    "update-ref",
    "sparse-checkout",
    "prune",
    "repack",
    "bisect",
    "stage",
    "read-tree",
    "write-tree",
    "commit-tree",
    "hash-object",
    "maintenance",
    "rerere",
    "replace",
    "pack-refs",
    "submodule",
    "format-patch",
    "archive",
    "bundle",
];
/// Options with which Git runs a program of the caller's choice.
const RUNS: &[&str] = &[
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "-x",
    "--ext-diff",
    "--textconv",
    "--open-files-in-pager",
    "--template",
    "--extcmd",
];
/// Settings that only change how things look or who commits.
const PLAIN_SETTINGS: &[&str] = &[
    "user.",
    "color.",
    "advice.",
    "core.quotepath",
    "core.autocrlf",
    "commit.gpgsign",
    "tag.gpgsign",
    "init.defaultbranch",
    "log.",
    "diff.renames",
    "pull.rebase",
    "pull.ff",
    "push.default",
    "merge.ff",
    "safe.directory",
    "http.postbuffer",
    "column.",
    "fetch.prune",
    "rebase.autostash",
    "branch.",
    "core.pager=cat",
    "core.longpaths",
    "core.filemode",
    "help.",
];

impl Walk<'_> {
    /// Git.
    pub(super) fn version_control(&mut self, run: &Run<'_>) -> Option<Stream> {
        if run.name != "git" {
            return None;
        }
        let before = self.shell.workdir.clone();
        let output = self.git(run);
        self.shell.workdir = before;
        Some(output)
    }

    fn git(&mut self, run: &Run<'_>) -> Stream {
        let values = [
            "-C",
            "-c",
            "--git-dir",
            "--work-tree",
            "--namespace",
            "--exec-path",
            "--config-env",
            "--super-prefix",
        ];
        let divided = divide(run.arguments, Order::OperandsLast, &takes_from(&values));
        for directory in divided.values(&["-C"]) {
            self.change_directory(&directory, self.resolver);
        }
        for setting in divided.values(&["-c"]) {
            if !is_plain_setting(&setting) {
                self.worst(Doubt::HelperProgram);
            }
        }
        if divided.has(&["--git-dir", "--work-tree", "--exec-path", "--config-env"]) {
            // Another repository brings its own settings, and with them its own programs.
            self.worst(Doubt::HelperProgram);
        }
        let Some((subcommand, arguments)) = divided.operands.split_first() else { return Stream::default() };
        if !subcommand.is_known() {
            self.worst(Doubt::ComputedCommand);
            return Stream::default();
        }
        self.subcommand(&subcommand.text, arguments, run.stdin.clone())
    }

    fn subcommand(&mut self, name: &str, arguments: &[Argument], stdin: Stream) -> Stream {
        let divided = divide(arguments, Order::Mixed, &takes_from(values_of(name)));
        let runs_helper = RUNS.iter().any(|option| divided.has_like(option))
            || (name == "grep" && divided.options.iter().any(|given| given.name.starts_with("-O")))
            || (name == "clone" && divided.has(&["-u", "-c", "--config"]))
            || (name == "bisect" && divided.operands.first().is_some_and(|first| first.text == "run"))
            || (name == "rebase" && divided.has(&["-x"]));
        if runs_helper {
            self.worst(Doubt::HelperProgram);
        }
        match name {
            "clone" => self.clone_repository(&divided),
            "pull" | "fetch" => {
                let repository = self.workdir_uses();
                let remotes = self.remotes(&divided);
                self.copied(remotes, repository, Effect::Write.into());
                Stream::default()
            }
            "push" => self.push(&divided),
            "ls-remote" => Stream::of(self.remotes(&divided)),
            "clean" => {
                let repository = self.workdir_uses();
                if divided.has(&["-n", "--dry-run"]) {
                    return Stream::of(repository);
                }
                self.deleted(repository);
                Stream::default()
            }
            "rm" => {
                let places = self.all_places(&divided.operands, Reach::Subtree);
                self.deleted(places);
                Stream::default()
            }
            name if READS.contains(&name) || is_listing(name, &divided) => {
                let repository = self.repository_use(name, arguments, &divided);
                self.looks(name, &divided, repository)
            }
            name if WRITES.contains(&name) => {
                let repository = self.repository_use(name, arguments, &divided);
                self.changes_repository(name, &divided, &stdin, repository)
            }
            _ => {
                self.doubt(Doubt::UnknownProgram);
                self.executed_here(stdin)
            }
        }
    }

    /// The repository as a source: all of it, or some of its files.
    fn repository_use(&mut self, name: &str, arguments: &[Argument], divided: &Divided) -> Vec<Use> {
        let details = self.repository_files(name, arguments, divided);
        self.workdir_uses().into_iter().map(|used| Use { details: details.clone(), ..used }).collect()
    }

    fn looks(&mut self, name: &str, divided: &Divided, repository: Vec<Use>) -> Stream {
        let mut places = repository;
        if divided.has(&["--no-index"]) {
            places = self.all_places(&divided.operands, Reach::One);
        }
        let outputs = self.all_places(&divided.values(&["--output"]), Reach::One);
        if !outputs.is_empty() {
            self.copied(places, outputs, Effect::Write.into());
            return Stream::default();
        }
        let names = if name == "ls-files" { super::program::below(&places) } else { Vec::new() };
        Stream { names, ..Stream::of(places) }
    }

    fn changes_repository(
        &mut self,
        name: &str,
        divided: &Divided,
        stdin: &Stream,
        sources: Vec<Use>,
    ) -> Stream {
        let repository = self.workdir_uses();
        match name {
            "add" | "stage" => {
                // Which files go in is told beside, as what they are read for.
                let files: Vec<Argument> =
                    divided.operands.iter().filter(|file| file.is_known()).cloned().collect();
                let files = self.all_places(&files, Reach::Subtree);
                if !files.is_empty() {
                    self.deed(files, repository.clone(), Effect::Write.into());
                }
            }
            "config" => return self.configure(divided, repository),
            "archive" | "bundle" | "format-patch" => return self.exports(name, divided, sources),
            "submodule" => self.worst(Doubt::HelperProgram),
            "remote" if divided.operands.first().is_some_and(|first| first.text == "update") => {
                self.copied(vec![place::any_host()], repository.clone(), Effect::Write.into());
            }
            "init" => {
                let operands = divided.operands.clone();
                let places =
                    if operands.is_empty() { repository } else { self.all_places(&operands, Reach::One) };
                self.changed(places);
                return Stream::default();
            }
            "apply" | "am" | "commit" => {
                let patches = self.all_places(&divided.values(&["-F", "--file"]), Reach::One);
                let mut inputs = stdin.sources.clone();
                merge(&mut inputs, patches);
                if !inputs.is_empty() {
                    self.copied(inputs, repository.clone(), Effect::Write.into());
                }
            }
            _ => {}
        }
        self.copied(sources, repository, Effect::Write.into());
        Stream::default()
    }

    /// Settings can name programs, so all but plain ones are code.
    fn configure(&mut self, divided: &Divided, repository: Vec<Use>) -> Stream {
        let plain = divided.operands.first().is_none_or(is_plain_setting);
        if !plain {
            self.worst(Doubt::HelperProgram);
        }
        let places = if divided.has(&["--global"]) {
            let file = Argument::plain(&format!("{}/.gitconfig", self.setting.home));
            self.places(&file, Reach::One)
        } else if divided.has(&["--system"]) {
            self.places(&Argument::plain("/etc/gitconfig"), Reach::One)
        } else {
            repository.clone()
        };
        let inputs = if places == repository { repository } else { Vec::new() };
        self.copied(inputs, places, Effect::Write.into());
        Stream::default()
    }

    fn exports(&mut self, name: &str, divided: &Divided, repository: Vec<Use>) -> Stream {
        let mut files = divided.values(&["-o", "--output", "--output-directory"]);
        if name == "bundle" {
            files.extend(divided.operands.get(1).cloned());
        }
        let outputs = self.all_places(&files, Reach::One);
        if outputs.is_empty() && (name == "archive" || divided.has(&["--stdout"])) {
            return Stream::of(repository);
        }
        let outputs = if outputs.is_empty() { self.workdir_uses() } else { outputs };
        self.copied(repository, outputs, Effect::Write.into());
        Stream::default()
    }

    fn clone_repository(&mut self, divided: &Divided) -> Stream {
        let Some(source) = divided.operands.first() else { return Stream::default() };
        let inputs = self.repository(source);
        let directory = divided.operands.get(1).cloned().or_else(|| {
            let text = source.text.trim_end_matches('/');
            let name = base_name(text.rsplit(':').next().unwrap_or(text))?;
            source.is_known().then(|| Argument::plain(name.strip_suffix(".git").unwrap_or(name)))
        });
        let outputs = match directory {
            Some(directory) => self.places(&directory, Reach::One),
            None => self.workdir_uses(),
        };
        self.copied(inputs, outputs, Effect::Write.into());
        Stream::default()
    }

    fn push(&mut self, divided: &Divided) -> Stream {
        let repository = self.workdir_uses();
        let remotes = self.remotes(divided);
        self.copied(repository, remotes, Effect::Write.into());
        Stream::default()
    }

    fn remotes(&mut self, divided: &Divided) -> Vec<Use> {
        let named =
            divided.values(&["--repo"]).into_iter().next().or_else(|| divided.operands.first().cloned());
        match named {
            Some(remote) => self.repository(&remote),
            None => self.unnamed_remote(),
        }
    }

    /// A repository by URL or path; the name of a remote says nothing without the repository's settings.
    fn repository(&mut self, argument: &Argument) -> Vec<Use> {
        if argument.text.contains("::") {
            self.worst(Doubt::HelperProgram);
            return vec![place::any_host()];
        }
        if argument.is_known()
            && let Some(remote) = place::git_remote(&argument.text, self.resolver)
        {
            return vec![remote];
        }
        let is_path = argument.text.starts_with(['/', '.']) || argument.text.contains('/');
        if argument.is_known() && is_path {
            self.places(argument, Reach::Subtree)
        } else {
            self.unnamed_remote()
        }
    }

    fn unnamed_remote(&mut self) -> Vec<Use> {
        self.doubt(Doubt::UnnamedOperand);
        vec![place::any_host()]
    }
}

fn values_of(subcommand: &str) -> &'static [&'static str] {
    match subcommand {
        "clone" => &[
            "-b",
            "--branch",
            "--depth",
            "-o",
            "--origin",
            "--reference",
            "-u",
            "--upload-pack",
            "-c",
            "--config",
            "--template",
            "-j",
            "--jobs",
            "--filter",
            "--separate-git-dir",
            "--server-option",
            "--shallow-since",
            "--bundle-uri",
        ],
        "commit" => &[
            "-m",
            "-F",
            "-C",
            "-c",
            "-t",
            "--message",
            "--file",
            "--author",
            "--date",
            "--template",
            "--fixup",
        ],
        "push" => &["-o", "--push-option", "--repo", "--receive-pack", "--exec"],
        "fetch" | "pull" => {
            &["--depth", "--upload-pack", "-o", "-s", "-X", "-j", "--refmap", "--shallow-since", "--filter"]
        }
        "archive" => &["-o", "--output", "--format", "--prefix", "--remote", "--exec"],
        "format-patch" => &["-o", "--output-directory", "--subject-prefix", "--to", "--cc"],
        "tag" => &["-m", "-F", "-u", "--message", "--file", "--sort", "--contains"],
        "branch" => &["-u", "--set-upstream-to", "--sort", "--format"],
        "rebase" => &["--onto", "-x", "--exec", "-s", "-X"],
        "merge" | "cherry-pick" | "revert" => &["-m", "-s", "-X", "-F", "--message"],
        "log" | "diff" | "show" => {
            &["-S", "-G", "-n", "--author", "--since", "--until", "--grep", "--output", "-L", "--format"]
        }
        "grep" => &["-e", "-f", "-A", "-B", "-C", "-m", "--max-depth"],
        "notes" | "stash" => &["-m", "-F", "--message"],
        _ => &[],
    }
}

/// Whether a subcommand that can change things only lists them this time.
fn is_listing(name: &str, divided: &Divided) -> bool {
    let first = divided.operands.first().map(|first| first.text.as_str());
    match name {
        "branch" => {
            first.is_none()
                && !divided.has(&["-d", "-D", "-m", "-M", "-u", "--unset-upstream", "--edit-description"])
        }
        "tag" => first.is_none() || divided.has(&["-l", "--list", "--contains"]),
        "remote" => matches!(first, None | Some("show" | "get-url")),
        "stash" | "worktree" | "notes" => matches!(first, Some("list" | "show")),
        "config" => {
            divided.has(&["-l", "--list", "--get", "--get-all", "--get-regexp"])
                || matches!(first, Some("get" | "list"))
                || divided.operands.len() == 1
        }
        "submodule" => matches!(first, None | Some("status" | "summary")),
        "bisect" => matches!(first, Some("log" | "view")),
        "bundle" => matches!(first, Some("verify" | "list-heads")),
        _ => false,
    }
}

fn is_plain_setting(setting: &Argument) -> bool {
    let text = setting.text.to_ascii_lowercase();
    let known = setting.is_known() || text.starts_with("user.");
    known && PLAIN_SETTINGS.iter().any(|plain| text.starts_with(plain))
}
