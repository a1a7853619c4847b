//! Programs that talk to web servers: what they fetch, what they send.

use portcullis_lattice::{Effect, Reach};

use crate::Use;

use super::arguments::{Argument, Divided, Order, Takes, divide};
use super::finding::Doubt;
use super::place::{self, base_name};
use super::program::{Run, takes_from};
use super::stream::{FOUND, Stream, UNKNOWN, merge};
use super::walk::Walk;

const CURL_VALUES: &[&str] = &[
    "-A",
    "-b",
    "-c",
    "-C",
    "-d",
    "-D",
    "-e",
    "-E",
    "-F",
    "-H",
    "-K",
    "-m",
    "-o",
    "-P",
    "-Q",
    "-r",
    "-t",
    "-T",
    "-u",
    "-U",
    "-w",
    "-x",
    "-X",
    "-y",
    "-Y",
    "-z",
    "--cacert",
    "--capath",
    "--cert",
    "--ciphers",
    "--config",
    "--connect-timeout",
    "--connect-to",
    "--cookie",
    "--cookie-jar",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--dns-servers",
    "--doh-url",
    "--dump-header",
    "--form",
    "--form-string",
    "--header",
    "--interface",
    "--json",
    "--key",
    "--limit-rate",
    "--max-filesize",
    "--max-redirs",
    "--max-time",
    "--netrc-file",
    "--noproxy",
    "--output",
    "--output-dir",
    "--pinnedpubkey",
    "--preproxy",
    "--proto",
    "--proto-default",
    "--proto-redir",
    "--proxy",
    "--proxy-user",
    "--range",
    "--referer",
    "--request",
    "--resolve",
    "--retry",
    "--retry-delay",
    "--retry-max-time",
    "--socks5",
    "--socks5-hostname",
    "--stderr",
    "--time-cond",
    "--tls-max",
    "--trace",
    "--trace-ascii",
    "--unix-socket",
    "--upload-file",
    "--url",
    "--url-query",
    "--user",
    "--user-agent",
    "--variable",
    "--write-out",
    "--oauth2-bearer",
    "--aws-sigv4",
    "--cert-type",
    "--key-type",
    "--keepalive-time",
    "--local-port",
    "--speed-limit",
    "--speed-time",
    "--expand-data",
    "--expand-url",
    "--expand-output",
    "--etag-save",
    "--etag-compare",
    "--hsts",
    "--alt-svc",
    "--libcurl",
    "--quote",
    "--mail-from",
    "--mail-rcpt",
];
const CURL_DATA: &[&str] =
    &["-d", "--data", "--data-ascii", "--data-binary", "--json", "--data-urlencode", "--expand-data"];
const CURL_WRITES: &[&str] = &[
    "-c",
    "-D",
    "--cookie-jar",
    "--dump-header",
    "--stderr",
    "--trace",
    "--trace-ascii",
    "--etag-save",
    "--hsts",
    "--alt-svc",
    "--libcurl",
];
const CURL_READS: &[&str] = &["-b", "--cookie"];

const WGET_VALUES: &[&str] = &[
    "-O",
    "-P",
    "-o",
    "-a",
    "-i",
    "-e",
    "-t",
    "-T",
    "-w",
    "-Q",
    "-U",
    "-D",
    "-A",
    "-R",
    "-l",
    "-B",
    "-X",
    "-I",
    "--output-document",
    "--directory-prefix",
    "--output-file",
    "--append-output",
    "--input-file",
    "--execute",
    "--tries",
    "--timeout",
    "--wait",
    "--user-agent",
    "--header",
    "--post-data",
    "--post-file",
    "--method",
    "--body-data",
    "--body-file",
    "--user",
    "--password",
    "--referer",
    "--load-cookies",
    "--save-cookies",
    "--ca-certificate",
    "--certificate",
    "--private-key",
    "--level",
    "--accept",
    "--reject",
    "--domains",
    "--use-askpass",
    "--limit-rate",
    "--max-redirect",
    "--config",
    "--http-user",
    "--http-password",
];

/// What a request sends, and to whom.
#[derive(Default)]
struct Request {
    urls: Vec<Use>,
    /// Places whose content is sent.
    sent: Vec<Use>,
    /// Whether anything is sent beside the wish to fetch.
    sends: bool,
}

impl Walk<'_> {
    /// A program that talks to web servers.
    pub(super) fn transfer(&mut self, run: &Run<'_>) -> Option<Stream> {
        match run.name {
            "curl" => Some(self.curl(run)),
            "wget" | "wget2" | "aria2c" => Some(self.wget(run)),
            "http" | "https" | "xh" | "xhs" => Some(self.httpie(run)),
            _ => None,
        }
    }

    fn curl(&mut self, run: &Run<'_>) -> Stream {
        let divided = divide(run.arguments, Order::Mixed, &takes_from(CURL_VALUES));
        let mut request = Request::default();
        let mut addresses = divided.operands.clone();
        addresses.extend(divided.values(&["--url", "--expand-url"]));
        for address in &addresses {
            self.address(address, &mut request);
        }
        self.curl_routes(&divided, &mut request);
        self.curl_body(&divided, &run.stdin, &mut request);
        let method = divided.values(&["-X", "--request"]);
        request.sends |= method.iter().any(|method| is_changing(&method.text));
        if divided.has(&["-G", "--get"]) && request.sent.is_empty() {
            request.sends = method.iter().any(|method| is_changing(&method.text));
        }
        for option in [CURL_WRITES, &["-K", "--config"]].concat() {
            let values = divided.values(&[option]);
            if values.is_empty() {
                continue;
            }
            if CURL_WRITES.contains(&option) {
                let values: Vec<Argument> = values.into_iter().filter(|value| value.text != "-").collect();
                let written = self.all_places(&values, Reach::One);
                self.copied(request.urls.clone(), written, Effect::Write.into());
            } else {
                self.worst(Doubt::HelperProgram);
            }
        }
        let outputs = self.curl_outputs(&divided, &addresses);
        self.answered(request, outputs)
    }

    /// Proxies see everything; a route by hand can lead anywhere.
    fn curl_routes(&mut self, divided: &Divided, request: &mut Request) {
        let proxies = ["-x", "--proxy", "--preproxy", "--socks5", "--socks5-hostname", "--doh-url"];
        for proxy in divided.values(&proxies) {
            self.address(&proxy, request);
        }
        if divided.has(&["--resolve", "--connect-to", "--dns-servers"]) {
            self.doubt(Doubt::UnnamedOperand);
            merge(&mut request.urls, vec![place::any_host()]);
        }
        for value in divided.values(CURL_READS) {
            if !value.text.contains('=') {
                let file = value.text.split(':').next().unwrap_or_default().to_owned();
                let read = self.readable(&value.with_text(&file));
                merge(&mut request.sent, read);
            }
        }
    }

    fn curl_body(&mut self, divided: &Divided, stdin: &Stream, request: &mut Request) {
        for given in &divided.options {
            let Some(value) = &given.value else { continue };
            let file = match given.name.as_str() {
                "-T" | "--upload-file" => Some(value.text.clone()),
                "-F" | "--form" => form_file(&value.text),
                "--data-urlencode" if !value.text.contains('=') => {
                    value.text.split_once('@').map(|(_, file)| file.to_owned())
                }
                "-H" | "--header" => value.text.strip_prefix('@').map(str::to_owned),
                name if CURL_DATA.contains(&name) => value.text.strip_prefix('@').map(str::to_owned),
                "--data-raw" | "--form-string" | "--url-query" | "-u" | "--user" | "-A" | "-e"
                | "--variable" | "--mail-from" | "--mail-rcpt" | "-Q" | "--quote" | "--user-agent"
                | "--referer" | "--oauth2-bearer" => None,
                _ => continue,
            };
            merge(&mut request.sent, value.sources.clone());
            let is_body = !matches!(
                given.name.as_str(),
                "-H" | "--header"
                    | "-u"
                    | "--user"
                    | "-A"
                    | "-e"
                    | "--user-agent"
                    | "--referer"
                    | "--oauth2-bearer"
                    | "--url-query"
            );
            request.sends |= is_body || file.is_some() || !value.sources.is_empty();
            match file.as_deref() {
                Some("-" | ".") => merge(&mut request.sent, stdin.sources.clone()),
                Some(file) => {
                    let read = self.readable(&value.with_text(file));
                    merge(&mut request.sent, read);
                }
                None => {}
            }
        }
    }

    fn curl_outputs(&mut self, divided: &Divided, addresses: &[Argument]) -> Vec<Use> {
        let directory = divided.values(&["--output-dir"]).into_iter().next();
        let mut outputs = Vec::new();
        for file in
            divided.values(&["-o", "--output", "--expand-output"]).iter().filter(|file| file.text != "-")
        {
            let file = match &directory {
                Some(directory) => file.with_text(&format!("{}/{}", directory.text, file.text)),
                None => file.clone(),
            };
            let places = self.written(&file);
            merge(&mut outputs, places);
            if places_nothing(&outputs) {
                outputs.clear();
            }
        }
        if divided.has(&["-O", "--remote-name", "--remote-name-all", "-J", "--remote-header-name"]) {
            let directory = directory.unwrap_or_else(|| Argument::plain("."));
            for address in addresses {
                let places = self.saved(address, &directory);
                merge(&mut outputs, places);
            }
        }
        outputs
    }

    /// Where a download lands that keeps its name.
    fn saved(&mut self, address: &Argument, directory: &Argument) -> Vec<Use> {
        let path = address.text.split(['?', '#']).next().unwrap_or_default();
        let below = path.split_once("://").map_or(path, |(_, rest)| rest);
        let name = below.split_once('/').and_then(|(_, rest)| base_name(rest)).unwrap_or("index.html");
        let directory = directory.with_text(&format!("{}/", directory.text));
        self.target(&Argument::plain(name), &directory, true, Reach::One)
    }

    fn wget(&mut self, run: &Run<'_>) -> Stream {
        let divided = divide(run.arguments, Order::Mixed, &takes_from(WGET_VALUES));
        let mut request = Request::default();
        divided.operands.iter().for_each(|address| self.address(address, &mut request));
        if divided.has(&["-e", "--execute", "--use-askpass", "--config"]) {
            self.worst(Doubt::HelperProgram);
        }
        if divided.has(&["-i", "--input-file"]) {
            self.doubt(Doubt::UnnamedOperand);
            merge(&mut request.urls, vec![place::any_host()]);
        }
        for value in divided.values(&["--post-file", "--body-file", "--load-cookies"]) {
            let read = self.readable(&value);
            merge(&mut request.sent, read);
        }
        for value in divided.values(&["--post-data", "--body-data", "--header", "--user-agent"]) {
            merge(&mut request.sent, value.sources);
        }
        request.sends |= divided.has(&["--post-data", "--post-file", "--body-data", "--body-file"]);
        request.sends |= divided.values(&["--method"]).iter().any(|method| is_changing(&method.text));
        for log in divided.values(&["-o", "-a", "--output-file", "--append-output", "--save-cookies"]) {
            let places = self.written(&log);
            self.copied(request.urls.clone(), places, Effect::Write.into());
        }
        let outputs = self.wget_outputs(&divided);
        self.answered(request, outputs)
    }

    fn wget_outputs(&mut self, divided: &Divided) -> Vec<Use> {
        if let Some(file) = divided.values(&["-O", "--output-document"]).first() {
            return if file.text == "-" { Vec::new() } else { self.written(file) };
        }
        if divided.has(&["--spider"]) {
            return Vec::new();
        }
        let directory = divided.values(&["-P", "--directory-prefix"]).into_iter().next();
        let directory = directory.unwrap_or_else(|| Argument::plain("."));
        if divided.has(&[
            "-r",
            "-m",
            "-p",
            "-x",
            "-i",
            "--recursive",
            "--mirror",
            "--page-requisites",
            "--input-file",
        ]) {
            return self.places(&directory, Reach::Subtree);
        }
        let mut outputs = Vec::new();
        for address in &divided.operands {
            let places = self.saved(address, &directory);
            merge(&mut outputs, places);
        }
        outputs
    }

    fn httpie(&mut self, run: &Run<'_>) -> Stream {
        let takes = |name: &str| match name {
            "-a" | "--auth" | "-o" | "--output" | "-A" | "--session" | "-s" | "--style" | "--proxy"
            | "--raw" => Takes::Value,
            _ => Takes::Nothing,
        };
        let divided = divide(run.arguments, Order::Mixed, &takes);
        let mut request = Request::default();
        let mut operands = divided.operands.iter().peekable();
        let is_method = |word: &&Argument| word.text.bytes().all(|byte| byte.is_ascii_uppercase());
        let method = operands.next_if(|word| is_method(word));
        request.sends = method.is_some_and(|method| is_changing(&method.text)) || divided.has(&["--raw"]);
        if let Some(address) = operands.next() {
            self.address(address, &mut request);
        }
        for item in operands {
            let is_query = item.text.contains("==") || (item.text.contains(':') && !item.text.contains('='));
            request.sends |= method.is_none() && !is_query;
            merge(&mut request.sent, item.sources.clone());
            if let Some((_, file)) = item.text.split_once('@') {
                let read = self.readable(&item.with_text(file));
                merge(&mut request.sent, read);
            }
        }
        let outputs = self.all_places(&divided.values(&["-o", "--output"]), Reach::One);
        self.answered(request, outputs)
    }

    /// Adds an address. What is computed into it is sent by asking.
    fn address(&mut self, address: &Argument, request: &mut Request) {
        merge(&mut request.sent, address.sources.clone());
        request.sends |= !address.sources.is_empty();
        let named = self.web_place(address);
        merge(&mut request.urls, vec![named]);
    }

    /// The place that an address names, as far as it is known.
    pub(super) fn web_place(&mut self, address: &Argument) -> Use {
        let text = &address.text;
        let Some(at) = text.find([UNKNOWN, FOUND]) else { return place::url(text, self.resolver) };
        self.doubt(Doubt::UnnamedOperand);
        let known = text.get(..at).unwrap_or_default();
        let after_host = known.split_once("://").and_then(|(_, rest)| rest.split_once('/'));
        let in_query = known.contains(['?', '#']);
        match after_host {
            Some(_) if in_query => place::url(known, self.resolver),
            Some((host, _)) => {
                let scheme = known.split("://").next().unwrap_or("https");
                Use { reach: Reach::Subtree, ..place::url(&format!("{scheme}://{host}"), self.resolver) }
            }
            None if in_query => place::url(known, self.resolver),
            None => place::any_host(),
        }
    }

    fn answered(&mut self, request: Request, outputs: Vec<Use>) -> Stream {
        let Request { urls, sent, sends } = request;
        if urls.is_empty() {
            return Stream::default();
        }
        let sends = sends || !sent.is_empty();
        if sends {
            self.deed(sent, urls.clone(), Effect::Write.into());
        }
        if outputs.is_empty() {
            return Stream { is_answer: sends, ..Stream::of(urls) };
        }
        self.deed(urls, outputs, Effect::Write.into());
        Stream::default()
    }
}

fn places_nothing(places: &[Use]) -> bool {
    places.iter().all(|used| used.name.is_empty())
}

fn is_changing(method: &str) -> bool {
    !matches!(method.to_ascii_uppercase().as_str(), "GET" | "HEAD" | "OPTIONS")
}

/// The file that a form field takes: `name=@file;type=…` or `name=<file`.
fn form_file(field: &str) -> Option<String> {
    let (_, value) = field.split_once('=')?;
    let file = value.strip_prefix(['@', '<'])?;
    Some(file.split([';', ',']).next().unwrap_or(file).to_owned())
}
