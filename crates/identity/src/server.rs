//! Who a server is: how it was started and from what, or where it was reached. What it says of itself never counts.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::hash::ContentHash;

/// Who a server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServerIdentity {
    /// A package that a runner fetched, at the version that it resolved to.
    Package {
        /// Where packages of this kind come from: `npm`, `pypi`, `oci`.
        registry: String,
        /// Its name there.
        name: String,
        /// The version that runs.
        version: String,
        /// What it was started with behind its name.
        arguments: Vec<String>,
    },
    /// A program.
    Program {
        /// Its path, with all links resolved.
        path: String,
        /// What it consists of; of its bytes, or of its size and time where reading it is too slow.
        digest: ContentHash,
        /// What it was started with.
        arguments: Vec<String>,
    },
    /// A server that is reached over the network.
    Remote {
        /// Its address, without query and user.
        url: String,
        /// Who the certificate says it is; none without TLS.
        tls: Option<TlsIdentity>,
        /// What of the certificate has to stay.
        #[serde(default, skip_serializing_if = "TlsHold::is_usual")]
        hold: TlsHold,
    },
}

/// What of a certificate has to stay, so that what was approved of a server holds. The strictest comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TlsHold {
    /// That it is one of the name, whoever issued it.
    Name,
    /// Who issued it. Certificates are renewed every few weeks, mostly with a new key.
    #[default]
    Issuer,
    /// Its key.
    Pinned,
}

impl TlsHold {
    /// Whether it is the usual one.
    pub fn is_usual(&self) -> bool {
        *self == TlsHold::Issuer
    }
}

/// Who a certificate says a server is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TlsIdentity {
    /// The hash of the public key.
    pub key: ContentHash,
    /// Who issued the certificate: the organisation, for intermediate certificates change.
    pub issuer: String,
}

/// What one server is to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// The same.
    Same,
    /// The same at another version.
    OtherVersion {
        /// The version that was approved.
        old: String,
        /// The version now.
        new: String,
    },
    /// The same program, which consists of something else: most often a newer version.
    OtherContent,
    /// The same program or package, started in another way.
    OtherArguments,
    /// The same address with a new key from the same issuer.
    NewKey,
    /// The same address, whose certificate was not known when it was approved.
    FirstCertificate,
    /// The same, where settings pin a key and there is none to compare with.
    NothingPinned,
    /// The same address with a key from another issuer.
    OtherIssuer {
        /// Who issued the certificate that was approved.
        old: String,
        /// Who issued this one.
        new: String,
    },
    /// The same address with a key from another issuer, where settings say that only the name counts.
    IssuerAside {
        /// Who issued the certificate that was approved.
        old: String,
        /// Who issued this one.
        new: String,
    },
    /// The same address with another key than the one that settings pin.
    PinnedKeyGone,
    /// The same address, now without TLS.
    TlsGone,
    /// Another one.
    Another,
}

/// Whether what was approved of one server holds for the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holding {
    /// It holds.
    Holds,
    /// It holds, and that the server is another than before is to be recorded.
    HoldsRecorded,
    /// It does not: what was approved was approved of somebody else.
    Broken,
}

/// Programs that are somebody else according to what they are started with.
const RUNNERS: [&str; 26] = [
    "node",
    "nodejs",
    "bun",
    "deno",
    "npx",
    "npm",
    "pnpm",
    "yarn",
    "bunx",
    "python",
    "python3",
    "pypy3",
    "uv",
    "uvx",
    "pipx",
    "ruby",
    "java",
    "dotnet",
    "docker",
    "podman",
    "sh",
    "bash",
    "zsh",
    "env",
    "cmd",
    "powershell",
];

/// Those of them that are told by the script that they run.
const INTERPRETERS: [&str; 10] =
    ["node", "nodejs", "bun", "deno", "python", "python3", "pypy3", "ruby", "java", "dotnet"];

impl ServerIdentity {
    /// What this server, now, is to one that was approved.
    pub fn compare(&self, now: &ServerIdentity) -> Relation {
        match (self, now) {
            (
                ServerIdentity::Package { registry, name, version, arguments },
                ServerIdentity::Package {
                    registry: registry_now,
                    name: name_now,
                    version: version_now,
                    arguments: arguments_now,
                },
            ) => match (registry, name) == (registry_now, name_now) {
                false => Relation::Another,
                true if version != version_now => {
                    Relation::OtherVersion { old: version.clone(), new: version_now.clone() }
                }
                true if arguments != arguments_now => Relation::OtherArguments,
                true => Relation::Same,
            },
            (
                ServerIdentity::Program { path, digest, arguments },
                ServerIdentity::Program { path: path_now, digest: digest_now, arguments: arguments_now },
            ) => match path == path_now {
                false => Relation::Another,
                true if is_runner(path) && is_of_another(path, arguments, arguments_now) => Relation::Another,
                true if digest != digest_now => Relation::OtherContent,
                true if arguments != arguments_now => Relation::OtherArguments,
                true => Relation::Same,
            },
            (
                ServerIdentity::Remote { url, tls, hold: _ },
                ServerIdentity::Remote { url: url_now, tls: tls_now, hold },
            ) => match url == url_now {
                false => Relation::Another,
                // What has to stay is what settings say now.
                true => certificates(tls.as_ref(), tls_now.as_ref(), *hold),
            },
            _ => Relation::Another,
        }
    }
}

fn certificates(old: Option<&TlsIdentity>, now: Option<&TlsIdentity>, hold: TlsHold) -> Relation {
    match (old, now) {
        (None, None) => Relation::Same,
        (None, Some(_)) if hold == TlsHold::Pinned => Relation::NothingPinned,
        (None, Some(_)) => Relation::FirstCertificate,
        (Some(_), None) => Relation::TlsGone,
        (Some(old), Some(now)) if old.key == now.key => Relation::Same,
        (Some(_), Some(_)) if hold == TlsHold::Pinned => Relation::PinnedKeyGone,
        (Some(old), Some(now)) if old.issuer == now.issuer => Relation::NewKey,
        (Some(old), Some(now)) => {
            let (old, new) = (old.issuer.clone(), now.issuer.clone());
            match hold {
                TlsHold::Name => Relation::IssuerAside { old, new },
                TlsHold::Issuer | TlsHold::Pinned => Relation::OtherIssuer { old, new },
            }
        }
    }
}

fn is_runner(path: &str) -> bool {
    RUNNERS.contains(&bare(path).as_str())
}

/// The name of a program: `python3.12` is `python3`.
fn bare(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let name = name.strip_suffix(".exe").unwrap_or(&name);
    name.split('.').next().unwrap_or(name).to_owned()
}

/// Whether what a runner is started with makes it somebody else: another script, or anything else where there is no script.
fn is_of_another(path: &str, old: &[String], now: &[String]) -> bool {
    let is_interpreter = INTERPRETERS.contains(&bare(path).as_str());
    match (script(old), script(now)) {
        (Some(script), Some(script_now)) if is_interpreter => script != script_now,
        _ => old != now,
    }
}

/// All words up to the script or module that an interpreter runs. A program in the words themselves is none.
fn script(arguments: &[String]) -> Option<&[String]> {
    let runs_text = |word: &String| ["-c", "-e", "-p", "--eval", "--print"].contains(&word.as_str());
    let place = arguments.iter().position(|word| !word.starts_with('-') && word != "run")?;
    let (before, _) = arguments.split_at_checked(place + 1)?;
    (!before.iter().any(runs_text)).then_some(before)
}

impl Relation {
    /// Whether what was approved of the one holds for the other.
    pub fn holding(&self) -> Holding {
        match self {
            Relation::Same => Holding::Holds,
            Relation::OtherVersion { .. }
            | Relation::OtherContent
            | Relation::OtherArguments
            | Relation::NewKey
            | Relation::FirstCertificate
            | Relation::IssuerAside { .. } => Holding::HoldsRecorded,
            Relation::OtherIssuer { .. }
            | Relation::NothingPinned
            | Relation::PinnedKeyGone
            | Relation::TlsGone
            | Relation::Another => Holding::Broken,
        }
    }

    /// Whether the two have nothing to do with each other.
    pub fn is_another(&self) -> bool {
        *self == Relation::Another
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Relation::Same => formatter.write_str("the same server"),
            Relation::OtherVersion { old, new } => {
                write!(formatter, "the same server at another version ({new}, was {old})")
            }
            Relation::OtherContent => formatter.write_str("the same program with other content"),
            Relation::OtherArguments => formatter.write_str("the same program, started in another way"),
            Relation::NewKey => formatter.write_str("the same address with a new key of the same issuer"),
            Relation::FirstCertificate => {
                formatter.write_str("the same address, whose certificate was not known when it was approved")
            }
            Relation::NothingPinned => formatter.write_str(
                "the same address, whose key is to be pinned and was not known when it was approved",
            ),
            Relation::OtherIssuer { old, new } => {
                write!(formatter, "the same address with a certificate of another issuer ({new}, was {old})")
            }
            Relation::IssuerAside { old, new } => {
                write!(
                    formatter,
                    "the same address with a certificate of another issuer ({new}, was {old}), as settings allow"
                )
            }
            Relation::PinnedKeyGone => {
                formatter.write_str("the same address with another key than the pinned one")
            }
            Relation::TlsGone => formatter.write_str("the same address, now without TLS"),
            Relation::Another => formatter.write_str("another program"),
        }
    }
}

#[cfg(test)]
mod tests;
