//! Archives: what goes in, what comes out.

use portcullis_lattice::{Effect, Effects, Reach};

use crate::Use;

use super::arguments::{Argument, Order, Takes, divide};
use super::finding::Doubt;
use super::place;
use super::program::{Run, takes_from};
use super::stream::{Stream, merge};
use super::walk::Walk;

const TAR_VALUES: &[&str] = &[
    "-f",
    "--file",
    "-C",
    "--directory",
    "-T",
    "--files-from",
    "-X",
    "--exclude-from",
    "--exclude",
    "--to-command",
    "--checkpoint-action",
    "-I",
    "--use-compress-program",
    "-F",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
    "--transform",
    "--strip-components",
    "--owner",
    "--group",
    "--mode",
    "--mtime",
    "-b",
    "-L",
    "-N",
    "-K",
    "-g",
    "-H",
    "--format",
    "--newer",
    "--listed-incremental",
    "-s",
];
const TAR_RUNS: &[&str] = &[
    "--to-command",
    "--checkpoint-action",
    "-I",
    "--use-compress-program",
    "-F",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
];

impl Walk<'_> {
    /// A program that packs or unpacks.
    pub(super) fn archiver(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "tar" | "gtar" | "bsdtar" => Some(self.tar(run)),
            "zip" => Some(self.zip(run)),
            "unzip" => Some(self.unzip(run)),
            "gzip" | "bzip2" | "xz" | "zstd" | "lz4" | "compress" | "pigz" | "brotli" => {
                Some(self.compress(run, false))
            }
            "gunzip" | "bunzip2" | "unxz" | "unzstd" | "uncompress" => Some(self.compress(run, true)),
            _ => None,
        }
    }

    fn tar(&mut self, run: &Run<'_>) -> Stream {
        let mut arguments = run.arguments.to_vec();
        if let Some(first) = arguments.first_mut()
            && !first.text.starts_with('-')
        {
            first.text.insert(0, '-');
        }
        let divided = divide(&arguments, Order::Mixed, &takes_from(TAR_VALUES));
        let file = divided.values(&["-f", "--file"]).into_iter().next();
        let remote = file
            .as_ref()
            .is_some_and(|file| file.text.split('/').next().is_some_and(|host| host.contains(':')));
        if TAR_RUNS.iter().any(|name| divided.has_like(name)) || (remote && !divided.has(&["--force-local"]))
        {
            self.worst(Doubt::HelperProgram);
        }
        let before = self.shell.workdir.clone();
        let archive = file.filter(|file| file.text != "-").map(|file| self.written(&file));
        for directory in divided.values(&["-C", "--directory"]) {
            self.change_directory(&directory, self.resolver);
        }
        let output = if divided.has(&["-c", "-r", "-u", "-A", "--create", "--append", "--update"]) {
            let mut sources = self.all_places(&divided.operands, Reach::Subtree);
            if divided.has(&["-T", "--files-from"]) {
                self.doubt(Doubt::UnnamedOperand);
                merge(&mut sources, vec![place::any_file()]);
            }
            self.packed(sources, archive, divided.has(&["--remove-files"]))
        } else if divided.has(&["-x", "--extract", "--get"]) {
            let to_output = divided.has(&["-O", "--to-stdout"]);
            let stdin = run.stdin.clone();
            let directory = below_workdir(self);
            let directory =
                if divided.has(&["-P", "--absolute-names"]) { vec![place::any_file()] } else { directory };
            self.unpacked(archive, stdin, (!to_output).then_some(directory))
        } else {
            archive.map_or_else(|| run.stdin.clone(), Stream::of)
        };
        self.shell.workdir = before;
        output
    }

    fn packed(&mut self, sources: Vec<Use>, archive: Option<Vec<Use>>, moves: bool) -> Stream {
        if moves {
            self.deleted(sources.clone());
        }
        match archive {
            Some(places) => {
                self.copied(sources, places, Effect::Write.into());
                Stream::default()
            }
            None => Stream::of(sources),
        }
    }

    fn unpacked(&mut self, archive: Option<Vec<Use>>, stdin: Stream, directory: Option<Vec<Use>>) -> Stream {
        let stream = match archive {
            Some(places) => Stream::of(places),
            None => Stream { text: None, ..stdin },
        };
        match directory {
            Some(directory) => {
                self.delivered(stream, directory);
                Stream::default()
            }
            None => stream,
        }
    }

    fn zip(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&[
            "-x",
            "-i",
            "-b",
            "-P",
            "-t",
            "-tt",
            "-TT",
            "-n",
            "-s",
            "--unzip-command",
            "--password",
        ]);
        let divided = divide(run.arguments, Order::Mixed, &values);
        if divided.has(&["-TT", "--unzip-command"]) {
            self.worst(Doubt::HelperProgram);
        }
        let Some((archive, files)) = divided.operands.split_first() else { return Stream::default() };
        let reach = if divided.has(&["-r", "-R"]) { Reach::Subtree } else { Reach::One };
        let sources = self.all_places(files, reach);
        let archive = if archive.text == "-" { None } else { Some(self.written(archive)) };
        self.packed(sources, archive, divided.has(&["-m", "--move"]))
    }

    fn unzip(&mut self, run: &Run<'_>) -> Stream {
        let divided = divide(run.arguments, Order::Mixed, &takes_from(&["-d", "-x", "-P"]));
        let Some(archive) = divided.operands.first() else { return Stream::default() };
        let archive = self.readable(archive);
        if divided.has(&["-l", "-t", "-p", "-c", "-v", "-Z", "-z"]) {
            return Stream::of(archive);
        }
        let directory = match divided.values(&["-d"]).first() {
            Some(directory) => self.places(directory, Reach::Subtree),
            None => below_workdir(self),
        };
        self.copied(archive, directory, Effect::Write.into());
        Stream::default()
    }

    /// Compressing replaces a file by another.
    fn compress(&mut self, run: &Run<'_>, unpacks: bool) -> Stream {
        let takes = |name: &str| match name {
            "-S" | "--suffix" | "-T" | "--threads" | "-o" | "-D" => Takes::Value,
            _ => Takes::Nothing,
        };
        let divided = divide(run.arguments, Order::Mixed, &takes);
        let unpacks = unpacks || divided.has(&["-d", "--decompress", "--uncompress"]);
        if divided.operands.is_empty() {
            return Stream { text: None, names: Vec::new(), ..run.stdin.clone() };
        }
        if divided.has(&["-c", "--stdout", "--to-stdout", "-l", "-t", "--list", "--test"]) {
            return Stream::of(self.all_places(&divided.operands, Reach::One));
        }
        let keeps =
            divided.has(&["-k", "--keep"]) || matches!(run.name, "zstd" | "unzstd" | "lz4" | "brotli");
        let effects = Effects::only(Effect::Write);
        let effects = if keeps { effects } else { effects.with(Effect::Del) };
        let reach = if divided.has(&["-r", "--recursive"]) { Reach::Subtree } else { Reach::One };
        let chosen = self.all_places(&divided.values(&["-o"]), Reach::One);
        for file in &divided.operands {
            let inputs = self.places(file, reach);
            let outputs = if !chosen.is_empty() {
                chosen.clone()
            } else {
                let name = renamed(file, run.name, unpacks);
                self.places(&name, reach)
            };
            self.copied(inputs, outputs, effects);
        }
        Stream::default()
    }
}

fn below_workdir(walk: &mut Walk<'_>) -> Vec<Use> {
    super::program::below(&walk.workdir_uses())
}

fn renamed(file: &Argument, program: &str, unpacks: bool) -> Argument {
    if unpacks {
        let stem = file.text.rsplit_once('.').map_or(file.text.as_str(), |(stem, _)| stem);
        return file.with_text(stem);
    }
    let ending = match program {
        "bzip2" => "bz2",
        "xz" => "xz",
        "zstd" => "zst",
        "lz4" => "lz4",
        "compress" => "Z",
        "brotli" => "br",
        _ => "gz",
    };
    file.with_text(&format!("{}.{ending}", file.text))
}
