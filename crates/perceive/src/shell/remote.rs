//! Programs that reach other machines: logins, copies, raw connections, name lookups, object stores.

use portcullis_lattice::{Effect, Effects, Reach};

use crate::Use;
use crate::paths::NoLinks;

use super::arguments::{Argument, Divided, Order, divide};
use super::finding::Doubt;
use super::place;
use super::program::{Run, below, is_url, operand_places, takes_from};
use super::stream::{FOUND, Stream, UNKNOWN, merge};
use super::walk::Walk;

pub(super) const SSH_VALUES: &[&str] = &[
    "-p", "-i", "-l", "-o", "-J", "-F", "-L", "-R", "-D", "-W", "-b", "-c", "-E", "-e", "-I", "-m", "-O",
    "-Q", "-S", "-w", "-B",
];
const SCP_VALUES: &[&str] = &["-P", "-i", "-o", "-F", "-J", "-l", "-c", "-S", "-D", "-X"];
const RSYNC_VALUES: &[&str] = &[
    "-e",
    "--rsh",
    "--exclude",
    "--include",
    "--filter",
    "-f",
    "--files-from",
    "--exclude-from",
    "--include-from",
    "--log-file",
    "--bwlimit",
    "--timeout",
    "--port",
    "--rsync-path",
    "-T",
    "--temp-dir",
    "--partial-dir",
    "--backup-dir",
    "--suffix",
    "--chmod",
    "--chown",
    "--password-file",
    "-B",
    "-M",
    "--remote-option",
    "--max-size",
    "--min-size",
    "--compare-dest",
    "--link-dest",
    "--copy-dest",
    "--out-format",
    "--info",
    "--debug",
    "--contimeout",
    "--modify-window",
    "--write-batch",
];

impl Walk<'_> {
    /// A program that reaches another machine.
    pub(super) fn remote(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "ssh" | "mosh" | "autossh" | "sshpass" => Some(self.login(run)),
            "scp" | "sftp" | "rsync" => Some(self.remote_copy(run)),
            "nc" | "ncat" | "netcat" | "telnet" | "socat" | "ftp" | "lftp" | "tftp" => {
                Some(self.connection(run))
            }
            "ping" | "ping6" | "dig" | "nslookup" | "host" | "whois" | "traceroute" | "tracepath" | "mtr"
            | "drill" | "getent" | "fping" => Some(self.lookup(run)),
            "aws" | "gsutil" | "gcloud" | "rclone" | "s3cmd" | "azcopy" | "mc" => self.object_store(run),
            "mail" | "mailx" | "sendmail" | "mutt" => Some(self.mail(run)),
            _ => None,
        }
    }

    fn login(&mut self, run: &Run<'_>) -> Stream {
        if run.name == "sshpass" {
            let divided = divide(run.arguments, Order::OperandsLast, &takes_from(&["-p", "-f", "-d", "-P"]));
            return self.run(&divided.operands, run.stdin.clone());
        }
        let divided = divide(run.arguments, Order::OperandsLast, &takes_from(SSH_VALUES));
        self.ssh_options(&divided);
        let Some((host, command)) = divided.operands.split_first() else { return Stream::default() };
        // Options may also stand between the host and the command.
        let more = divide(command, Order::OperandsLast, &takes_from(SSH_VALUES));
        self.ssh_options(&more);
        let host_use = self.host(host, place::ssh_host);
        let mut inputs = run.stdin.sources.clone();
        command.iter().chain([host]).for_each(|word| merge(&mut inputs, word.sources.clone()));
        let stays = divided.has(&["-f", "-N"]) && more.operands.is_empty();
        let effect = if stays { Effect::Spawn } else { Effect::Exec };
        self.deed(inputs, vec![host_use.clone()], effect.into());
        Stream { is_answer: true, ..Stream::of(vec![host_use]) }
    }

    fn ssh_options(&mut self, divided: &Divided) {
        let runs = [
            "proxycommand",
            "localcommand",
            "knownhostscommand",
            "permitlocalcommand",
            "include",
            "pkcs11provider",
        ];
        let risky = divided.values(&["-o"]).iter().any(|value| {
            let text = value.text.to_ascii_lowercase();
            !value.is_known() || runs.iter().any(|name| text.starts_with(name))
        });
        if risky || divided.has(&["-F", "-I", "-S"]) {
            self.worst(Doubt::HelperProgram);
        }
    }

    /// The machine that an argument names, if it is known.
    fn host(&mut self, argument: &Argument, name: fn(&str) -> Use) -> Use {
        if argument.is_known() {
            return name(&argument.text);
        }
        self.doubt(Doubt::UnnamedOperand);
        place::any_host()
    }

    fn remote_copy(&mut self, run: &Run<'_>) -> Stream {
        let rsync = run.name == "rsync";
        let divided =
            divide(run.arguments, Order::Mixed, &takes_from(if rsync { RSYNC_VALUES } else { SCP_VALUES }));
        if rsync {
            self.rsync_options(&divided)
        } else {
            self.ssh_options(&divided)
        }
        let Some((target, sources)) = divided.operands.split_last() else { return Stream::default() };
        if run.name == "sftp" {
            let host = self.host(target, place::ssh_host);
            self.deed(run.stdin.sources.clone(), vec![host], Effects::only(Effect::Write).with(Effect::Exec));
            return Stream::default();
        }
        let reach = if rsync || divided.has(&["-r"]) { Reach::Subtree } else { Reach::One };
        if sources.is_empty() {
            let inputs = self.side(target, Reach::Names);
            return Stream::of(inputs);
        }
        let mut effects = Effects::only(Effect::Write);
        let deletes = divided.options.iter().any(|given| given.name.starts_with("--del"));
        if deletes || divided.has(&["--remove-source-files"]) {
            effects = effects.with(Effect::Del);
        }
        for source in sources {
            let inputs = self.side(source, reach);
            let outputs = match remote_side(&target.text) {
                Some(_) => self.side(target, reach),
                None if rsync && source.text.ends_with('/') => operand_places(self, target, reach),
                None => self.target(&remote_name(source), target, sources.len() > 1, reach),
            };
            self.copied(inputs, outputs, effects);
        }
        Stream::default()
    }

    fn rsync_options(&mut self, divided: &Divided) {
        let shells = divided.values(&["-e", "--rsh"]);
        let foreign = shells.iter().any(|shell| {
            let words: Vec<&str> = shell.text.split_whitespace().collect();
            let options = words.iter().any(|word| word.starts_with("-o") || word.starts_with("-F"));
            words.first() != Some(&"ssh") || options || !shell.is_known()
        });
        if foreign || divided.has(&["--rsync-path", "-M", "--remote-option"]) {
            self.worst(Doubt::HelperProgram);
        }
        for log in divided.values(&["--log-file", "--write-batch"]) {
            let places = self.written(&log);
            self.changed(places);
        }
    }

    /// One side of a copy: another machine or a local path.
    fn side(&mut self, argument: &Argument, reach: Reach) -> Vec<Use> {
        match remote_side(&argument.text) {
            Some(host) if !argument.text.contains([UNKNOWN, FOUND]) || !host.contains([UNKNOWN, FOUND]) => {
                vec![place::ssh_host(host)]
            }
            Some(_) => vec![self.host(argument, place::ssh_host)],
            None => operand_places(self, argument, reach),
        }
    }

    fn connection(&mut self, run: &Run<'_>) -> Stream {
        let values = takes_from(&["-w", "-s", "-p", "-e", "-x", "-X", "-i", "-q", "--exec", "--sh-exec"]);
        let divided = divide(run.arguments, Order::Mixed, &values);
        if divided.has(&["-e", "-c", "--exec", "--sh-exec", "--lua-exec"])
            || matches!(run.name, "socat" | "lftp")
        {
            self.worst(Doubt::HelperProgram);
        }
        if divided.has(&["-l", "--listen"]) {
            self.doubt(Doubt::UnnamedOperand);
            self.deed(run.stdin.sources.clone(), vec![place::any_host()], Effect::Write.into());
            return Stream::of(vec![place::any_host()]);
        }
        let mut operands = divided.operands.iter();
        let host = match operands.next() {
            Some(host) if host.is_known() => {
                let port =
                    operands.next().filter(|port| port.is_known()).map(|port| format!(":{}", port.text));
                place::bare_host("tcp", &format!("{}{}", host.text, port.unwrap_or_default()))
            }
            _ => {
                self.doubt(Doubt::UnnamedOperand);
                place::any_host()
            }
        };
        if divided.has(&["-z"]) && run.stdin.sources.is_empty() {
            return Stream::of(vec![host]);
        }
        self.deed(run.stdin.sources.clone(), vec![host.clone()], Effect::Write.into());
        Stream { is_answer: true, ..Stream::of(vec![host]) }
    }

    /// A name that is looked up is sent to whoever answers for it.
    fn lookup(&mut self, run: &Run<'_>) -> Stream {
        let values: &[&str] = match run.name {
            "dig" | "drill" => &["-f", "-t", "-q", "-x", "-p", "-b", "-k", "-c"],
            "host" => &["-t", "-W", "-c", "-R"],
            "whois" => &["-h", "-p"],
            _ => &["-c", "-i", "-s", "-W", "-w", "-t", "-m", "-I"],
        };
        let divided = divide(run.arguments, Order::Mixed, &takes_from(values));
        for list in divided.values(&["-f"]) {
            let read = self.readable(&list);
            self.deed(read, vec![place::any_host()], Effect::Write.into());
        }
        let mut names: Vec<Argument> = divided.operands.clone();
        names.extend(divided.values(&["-q", "-x", "-h"]));
        for name in names.iter().filter(|name| !name.text.starts_with('+')) {
            let server = name.text.strip_prefix('@').unwrap_or(&name.text);
            let known = server.rsplit([UNKNOWN, FOUND]).next().unwrap_or_default();
            let used = match known.strip_prefix('.') {
                Some(domain) if known.len() < server.len() => {
                    self.doubt(Doubt::UnnamedOperand);
                    below(&[place::bare_host("dns", domain)])
                }
                _ if known.len() < server.len() => {
                    self.doubt(Doubt::UnnamedOperand);
                    vec![place::any_host()]
                }
                _ => vec![place::bare_host("dns", server)],
            };
            self.deed(name.sources.clone(), used, Effect::Write.into());
        }
        Stream::default()
    }

    fn object_store(&mut self, run: &Run<'_>) -> Option<Stream> {
        let words: Vec<&str> = run.arguments.iter().map(|word| word.text.as_str()).collect();
        let verbs = [
            "cp", "mv", "sync", "rm", "ls", "cat", "copy", "move", "put", "get", "copyto", "delete", "mirror",
        ];
        let at = words.iter().position(|word| verbs.contains(word))?;
        let verb = words.get(at).copied().unwrap_or_default();
        let values = takes_from(&[
            "--profile",
            "--region",
            "--exclude",
            "--include",
            "--acl",
            "--config",
            "--endpoint-url",
        ]);
        let divided = divide(run.arguments.get(at + 1..).unwrap_or_default(), Order::Mixed, &values);
        let mut sides: Vec<Vec<Use>> = Vec::new();
        for operand in &divided.operands {
            sides.push(self.object(operand));
        }
        match (verb, sides.as_slice()) {
            ("rm" | "delete", _) => sides.into_iter().for_each(|side| self.deleted(side)),
            ("ls" | "cat", _) => return Some(Stream::of(sides.concat())),
            (_, [from, to]) => {
                let moves = matches!(verb, "mv" | "move") || divided.has(&["--delete"]);
                let effects = Effects::only(Effect::Write);
                self.copied(
                    from.clone(),
                    to.clone(),
                    if moves { effects.with(Effect::Del) } else { effects },
                );
            }
            _ => return None,
        }
        Some(Stream::default())
    }

    fn object(&mut self, operand: &Argument) -> Vec<Use> {
        if is_url(&operand.text) {
            return below(&[self.web_place(operand)]);
        }
        if let Some((remote, path)) = operand.text.split_once(':')
            && operand.is_known()
            && !remote.contains('/')
        {
            let Some(path) = place::path(place::ROOT, path, &NoLinks) else { return vec![place::any_host()] };
            let path = if path == place::ROOT { String::new() } else { path };
            return vec![place::checked(format!("rclone:{remote}{path}"), Reach::Subtree)];
        }
        operand_places(self, operand, Reach::Subtree)
    }

    fn mail(&mut self, run: &Run<'_>) -> Stream {
        let divided = divide(
            run.arguments,
            Order::Mixed,
            &takes_from(&["-s", "-a", "-A", "-c", "-b", "-r", "-S", "-f"]),
        );
        let mut inputs = run.stdin.sources.clone();
        for file in divided.values(&["-a", "-A"]) {
            let read = self.readable(&file);
            merge(&mut inputs, read);
        }
        let mut recipients = divided.operands.clone();
        recipients.extend(divided.values(&["-c", "-b"]));
        for recipient in &recipients {
            let (name, domain) = recipient.text.rsplit_once('@').unwrap_or((&recipient.text, "localhost"));
            let address = format!("mailto:{name}@{}", domain.to_ascii_lowercase());
            let to =
                if recipient.is_known() { place::checked(address, Reach::One) } else { place::any_host() };
            self.deed(inputs.clone(), vec![to], Effect::Write.into());
        }
        Stream::default()
    }
}

/// The host of `user@host:path` or of a URL, if the text names another machine.
fn remote_side(text: &str) -> Option<&str> {
    if let Some((scheme, rest)) = text.split_once("://") {
        return matches!(scheme, "scp" | "sftp" | "rsync" | "ssh").then_some(rest);
    }
    let (host, _) = text.split_once(':')?;
    (!host.is_empty() && !host.contains('/')).then_some(host)
}

/// A source by the path it has on the other machine.
fn remote_name(source: &Argument) -> Argument {
    match remote_side(&source.text) {
        Some(_) => source.with_text(source.text.rsplit_once(':').map_or("", |(_, path)| path)),
        None => source.clone(),
    }
}
