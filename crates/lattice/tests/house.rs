//! The rules of the house that no compiler knows, checked on the repository itself.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "it reads the repository, not the engine"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A crate of the pure ring, and whom it may depend on with a reason each.
struct Pure {
    package: &'static str,
    standard_library: StandardLibrary,
    dependencies: &'static [(&'static str, &'static str)],
}

#[derive(PartialEq)]
enum StandardLibrary {
    Absent,
    /// A parser needs it; then nothing of it may be named that reaches the world.
    Present,
}

/// Engines: what they need of the world arrives as an argument.
const PURE_RING: &[Pure] =
    &[LATTICE, WIRE, IDENTITY, PERCEIVE, TAINT, DATALOG, INVARIANT, SEAL, OAUTH, MONITOR, CONSENTBENCH];

const LATTICE: Pure = Pure {
    package: "portcullis-lattice",
    standard_library: StandardLibrary::Absent,
    dependencies: &[
        ("foldhash", "a hash with a fixed seed, for there is no randomness here"),
        ("hashbrown", "the hash map of the standard library, without the standard library"),
        ("jiff", "times in rules; `now` is handed in, and the feature that reads a clock is off"),
        ("smallvec", "a decision allocates nothing for the usual handful of rules"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
    ],
};

const WIRE: Pure = Pure {
    package: "portcullis-wire",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("base64", "values that are no plain text, in headers"),
        ("memchr", "ends of lines"),
        ("ryu-js", "how ECMAScript writes a double, which is how canonical JSON does"),
        ("serde_json", "values for analysis"),
        ("smallvec", "the keys of a usual object are compared without an allocation"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
    ],
};

const IDENTITY: Pure = Pure {
    package: "portcullis-identity",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("strsim", "names a letter or two away from another"),
        ("base64", "text that is hidden in it"),
        ("portcullis-wire", "strict JSON and its canonical form, listings"),
        ("semver", "which version is older"),
        ("serde", "what the store keeps of approvals"),
        ("serde_json", "schemas are gone through as values"),
        ("sha2", "definitions are known by their hash"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
        ("unicode-normalization", "letters of other widths and styles"),
        ("unicode-security", "Unicode's own tables of look-alikes"),
    ],
};

const PERCEIVE: Pure = Pure {
    package: "portcullis-perceive",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("strsim", "hosts a letter or two away from another"),
        ("brush-parser", "the grammar closest to bash"),
        ("idna", "international names of hosts, as browsers read them"),
        ("portcullis-lattice", "names, effects and reach"),
        ("psl", "the list of public suffixes, compiled in"),
        ("rable", "a second reader of shell commands, which has to agree with the first"),
        ("regex", "formats of credentials, in linear time"),
        ("serde", "tables of programs, places and formats are data"),
        ("serde_json", "the arguments of calls are JSON"),
        ("sha2", "profiles are kept by the hash of their definition"),
        ("sqlparser", "the grammars of a dozen databases"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
        ("toml", "tables of programs, places and formats are data"),
        ("unicode-normalization", "composed and decomposed spellings of a name"),
        ("unicode-security", "Unicode's own tables of look-alikes"),
        ("url", "addresses and hosts, as browsers read them"),
    ],
};

const TAINT: Pure = Pure {
    package: "portcullis-taint",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("foldhash", "a hash with a fixed seed, for there is no randomness here"),
        ("hashbrown", "hash tables that take such a hash without naming one with a random seed"),
        ("portcullis-lattice", "labels, effects and reach"),
        ("portcullis-perceive", "acts, sensitive places, where credentials stand in a text"),
        ("serde", "what the store keeps"),
        ("siphasher", "a keyed hash, so that what the store keeps of a text tells nothing without the key"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
    ],
};

const DATALOG: Pure = Pure {
    package: "portcullis-datalog",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("foldhash", "a hash with a fixed seed, for there is no randomness here"),
        ("hashbrown", "hash tables that take such a hash without naming one with a random seed"),
        ("memchr", "a text to look for is made ready once"),
        ("regex", "patterns in rules, in linear time"),
        ("smallvec", "an evaluation in which nothing fires allocates nothing"),
        ("strsim", "the name that was probably meant"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
    ],
};

const INVARIANT: Pure = Pure {
    package: "portcullis-invariant",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("jiff", "dates and times in sentences and arguments"),
        ("portcullis-datalog", "what rules are evaluated by"),
        ("portcullis-lattice", "effects, realms and reach"),
        ("portcullis-perceive", "what a call does, the catalogue, the layout of a session"),
        ("portcullis-taint", "data followed from where it came"),
        ("psl", "whether a word is a host, by the list of public suffixes"),
        ("regex", "forms of names in rules, in linear time"),
        ("regex-syntax", "regular expressions read apart, to be said in Cedar"),
        ("serde", "the words of rules are data"),
        ("serde_json", "the arguments of calls are JSON"),
        ("sha2", "values of earlier calls, kept as digests"),
        ("strsim", "words that are mistyped"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
        ("toml", "the words of rules are data"),
    ],
};

const SEAL: Pure = Pure {
    package: "portcullis-seal",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        (
            "aws-lc-rs",
            "signatures and hashes; it draws the nonces of ES256 itself, and nothing decided depends on them",
        ),
        ("base64", "keys, headers and signatures"),
        ("jiff", "times of issue and expiry; `now` is handed in"),
        ("portcullis-lattice", "the effects and places of a declared profile"),
        ("portcullis-wire", "strict JSON, canonical forms, edits that leave the rest alone"),
        ("semver", "versions of tools, by precedence"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
        ("zeroize", "what is written of private keys is wiped from memory"),
    ],
};

const OAUTH: Pure = Pure {
    package: "portcullis-oauth",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("base64", "challenges, states and headers"),
        ("jiff", "when tokens end; `now` is handed in"),
        ("portcullis-wire", "strict JSON"),
        ("sha2", "the challenge of PKCE"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
        ("url", "addresses, as browsers read them"),
        ("zeroize", "tokens are wiped from memory"),
    ],
};

const MONITOR: Pure = Pure {
    package: "portcullis-monitor",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("jiff", "`now`, which is handed in"),
        ("portcullis-invariant", "the rules that the user stated"),
        ("portcullis-lattice", "rules and their decision"),
        ("portcullis-perceive", "what a call does"),
        ("portcullis-taint", "what it carries"),
        ("serde", "what of a session is kept is written and read"),
        ("serde_json", "the arguments of calls are JSON"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
    ],
};

const CONSENTBENCH: Pure = Pure {
    package: "portcullis-consentbench",
    standard_library: StandardLibrary::Present,
    dependencies: &[
        ("jiff", "the time of a recorded session"),
        ("portcullis-invariant", "the rules that recorded users stated"),
        ("portcullis-lattice", "decisions, classes and the rules that answers become"),
        ("portcullis-monitor", "what is measured"),
        ("portcullis-perceive", "the catalogue, and the layout of a session"),
        ("portcullis-taint", "a session's fingerprints"),
        ("serde", "figures for scripts"),
        ("serde_json", "traces are JSON"),
        ("thiserror", "error types without handwriting; it leaves nothing in the program"),
    ],
};

/// Parts of the standard library that reach the world.
const WORLD: &[&str] =
    &["std::fs", "std::env", "std::io", "std::process", "std::thread", "std::time", "std::os"];

/// What the `clippy.toml` of a pure crate bans at least.
const BANS: &[&str] = &[
    "std::time::SystemTime::now",
    "std::time::Instant::now",
    "jiff::Timestamp::now",
    "jiff::Zoned::now",
    "std::env::var",
    "std::env::args",
    "std::fs::read",
    "std::fs::read_to_string",
    "std::fs::write",
    "std::fs::File",
    "std::net::TcpStream",
    "std::net::TcpListener",
    "std::net::UdpSocket",
    "std::process::Command",
    "std::thread::spawn",
    "std::collections::hash_map::RandomState",
];

const LONGEST_FILE: usize = 600;

/// Names under which anything could be put, and in time is.
const NAMES_THAT_SAY_NOTHING: &[&str] =
    &["util", "utils", "utilities", "common", "helper", "helpers", "misc", "shared"];

/// Where this was made is nobody's business. In two halves, so that this file passes its own check.
const MACHINE_PATHS: &[&str] =
    &[concat!("/wo", "rk/"), concat!("/tmp", "/wt"), concat!("/tmp", "/target"), concat!("/root", "/.cargo")];

#[test]
fn the_pure_ring_has_no_standard_library() {
    for pure in PURE_RING.iter().filter(|pure| pure.standard_library == StandardLibrary::Absent) {
        let sources = rust_files(&package(pure.package).folder.join("src"));
        let root = sources.iter().find(|path| path.ends_with("src/lib.rs")).unwrap();
        assert!(
            code_lines(root).any(|line| line == "#![no_std]"),
            "{} does not say `#![no_std]`",
            root.display()
        );
        for path in sources {
            // `extern crate std as other;` brings it back too.
            let offender = code_lines(&path).find(|line| line.contains("extern crate std"));
            assert_eq!(offender, None, "the standard library is back in {}", path.display());
        }
    }
}

#[test]
fn the_pure_ring_names_nothing_of_the_world() {
    for pure in PURE_RING {
        for path in rust_files(&package(pure.package).folder.join("src")) {
            let offender = code_lines(&path).find(|line| WORLD.iter().any(|part| line.contains(part)));
            assert_eq!(offender, None, "the world is reached from {}", path.display());
        }
    }
}

#[test]
fn the_pure_ring_depends_on_nothing_unexplained() {
    for pure in PURE_RING {
        let allowed: BTreeSet<String> = pure.dependencies.iter().map(|(name, _)| name.to_string()).collect();
        let real = package(pure.package).dependencies;
        let extra: Vec<_> = real.difference(&allowed).collect();
        assert!(extra.is_empty(), "{} depends on {extra:?}; give a reason in PURE_RING", pure.package);
        let gone: Vec<_> = allowed.difference(&real).collect();
        assert!(gone.is_empty(), "{} no longer depends on {gone:?}", pure.package);
    }
}

#[test]
fn the_pure_ring_bans_the_world() {
    for pure in PURE_RING {
        let path = package(pure.package).folder.join("clippy.toml");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let banned = |ban: &&&str| {
            let entry = format!("path = \"{ban}\"");
            text.lines().any(|line| !line.trim_start().starts_with('#') && line.contains(&entry))
        };
        let missing: Vec<_> = BANS.iter().filter(|ban| !banned(ban)).collect();
        assert!(missing.is_empty(), "{} does not ban {missing:?}", path.display());
    }
}

#[test]
fn no_file_is_too_long_to_read_in_one_go() {
    for path in sources() {
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert!(lines <= LONGEST_FILE, "{} has {lines} lines, more than {LONGEST_FILE}", path.display());
    }
}

#[test]
fn every_module_says_what_it_is() {
    for path in sources() {
        // The folders above the repository are not ours to name.
        for part in path.strip_prefix(repository()).unwrap().iter() {
            let name = Path::new(part).file_stem().unwrap().to_string_lossy();
            let says_nothing = NAMES_THAT_SAY_NOTHING.contains(&&*name);
            assert!(!says_nothing, "`{name}` in {} says nothing about its content", path.display());
        }
        let text = fs::read_to_string(&path).unwrap();
        let inline = text.lines().filter_map(|line| line.split_once("mod ")?.1.split([' ', ';', '{']).next());
        let nameless: Vec<_> = inline.filter(|name| NAMES_THAT_SAY_NOTHING.contains(name)).collect();
        assert!(nameless.is_empty(), "modules {nameless:?} in {}", path.display());
    }
    for package in packages() {
        let nameless = package.name.split('-').find(|word| NAMES_THAT_SAY_NOTHING.contains(word));
        assert_eq!(nameless, None, "the package {} says nothing about its content", package.name);
    }
}

#[test]
fn a_module_is_a_file_of_its_own_name() {
    let files = files();
    let offender = files.iter().find(|path| path.file_name().is_some_and(|name| name == "mod.rs"));
    assert_eq!(offender, None, "write `foo.rs` and `foo/`, not `foo/mod.rs`");
}

#[test]
fn nothing_tells_where_it_was_made() {
    for path in files() {
        let text = fs::read(&path).unwrap();
        for machine in MACHINE_PATHS {
            let found = text.windows(machine.len()).enumerate().any(|(at, window)| {
                // `/home/u/work/` is an innocent name: only a path that begins so tells something.
                let begins = at == 0 || !is_part_of_a_name(text[at - 1]);
                window == machine.as_bytes() && begins
            });
            assert!(!found, "{} mentions {machine}", path.display());
        }
    }
}

fn is_part_of_a_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~*".contains(&byte) || !byte.is_ascii()
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A package of the workspace, as cargo sees it.
struct Package {
    name: String,
    folder: PathBuf,
    /// What it is built with; what only its tests need is left out.
    dependencies: BTreeSet<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(repository())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let read = |package: &serde_json::Value| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        Package {
            name: text(&package["name"]),
            folder: Path::new(&text(&package["manifest_path"])).parent().unwrap().to_owned(),
            dependencies: dependencies
                .filter(|one| one["kind"] != "dev")
                .map(|one| text(&one["name"]))
                .collect(),
        }
    };
    metadata["packages"].as_array().unwrap().iter().map(read).collect()
}

fn package(name: &str) -> Package {
    packages().into_iter().find(|package| package.name == name).unwrap_or_else(|| panic!("no package {name}"))
}

/// The code that people read: `src` of every crate, and the benchmarks.
fn sources() -> Vec<PathBuf> {
    let repository = repository();
    let is_source = |path: &&PathBuf| {
        let inside: Vec<_> = path.strip_prefix(&repository).unwrap().iter().collect();
        match inside.as_slice() {
            [crates, _, src, ..] if *crates == "crates" => *src == "src",
            [first, ..] => *first == "benches",
            [] => false,
        }
    };
    let found: Vec<_> = rust_files(&repository).iter().filter(is_source).cloned().collect();
    assert!(found.iter().any(|path| path.ends_with("crates/lattice/src/lib.rs")), "the search is broken");
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    files().into_iter().filter(|path| path.starts_with(folder) && is_rust(path)).collect()
}

/// Every file of the repository. Found by walking and not by asking git, which need not be there to build;
/// what `.gitignore` names is passed over.
fn files() -> Vec<PathBuf> {
    let repository = repository();
    let ignore = fs::read_to_string(repository.join(".gitignore")).unwrap();
    let mut ignored: Vec<PathBuf> = vec![repository.join(".git")];
    for line in ignore.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let inside =
            line.strip_prefix('/').unwrap_or_else(|| panic!("`{line}` in .gitignore is no rooted path"));
        assert!(!inside.contains('*'), "`{line}` in .gitignore is a pattern, which this test does not read");
        ignored.push(repository.join(inside));
    }
    let mut open = vec![repository];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() && !path.is_symlink() {
                _ if ignored.contains(&path) => {}
                true => open.push(path),
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}

/// The lines of a file without indentation and without comments.
fn code_lines(path: &Path) -> impl Iterator<Item = String> {
    let text = fs::read_to_string(path).unwrap();
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    lines.into_iter().filter(|line| !line.starts_with("//"))
}
