//! Texts found again: cases as data, laws over random secrets and encodings, and what must not be found.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads its cases")]

use std::path::Path;
use std::sync::LazyLock;

use portcullis_lattice::{Label, Taint};
use portcullis_perceive::secrets::Formats;
use portcullis_taint::{Encoding, Fingerprints, FingerprintsError, FingerprintsSnapshot, Key, Limits};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().unwrap());
static NOTHING: LazyLock<Fingerprints> = LazyLock::new(|| Fingerprints::new(key(), Limits::default()));
const SECRET: Taint = Taint::only(Label::Secret);

fn key() -> Key {
    Key::new(*b"sixteen letters!")
}

fn remembering(name: &str, text: &str) -> Fingerprints {
    let mut fingerprints = NOTHING.clone();
    fingerprints.remember(3, name, SECRET, text, &FORMATS.find(text));
    fingerprints
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    why: String,
    place: String,
    parts: Vec<String>,
    argument: Vec<String>,
    words: String,
}

#[test]
fn cases_are_found_as_they_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/fingerprints.toml");
    let file: File = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(file.case.len() >= 14);
    for case in file.case {
        let found = remembering(&case.place, &case.parts.concat()).find(&case.argument.concat());
        let words: Vec<String> = found.matches.iter().map(|one| one.words(Some("/home/u"))).collect();
        assert_eq!(words.join("; "), case.words, "{} ({})", case.name, case.why);
        assert!(found.is_complete);
    }
}

/// A way to write a text so that it can be read back.
#[derive(Clone, Copy, Debug)]
enum Encoder {
    Base64 { url: bool, padded: bool, line: usize },
    Hex { before: &'static str, between: &'static str, upper: bool },
    Percent { all: bool },
    Json { all: bool },
}

impl Encoder {
    fn write(self, text: &str) -> String {
        match self {
            Encoder::Base64 { url, padded, line } => wrapped(&base64(text.as_bytes(), url, padded), line),
            Encoder::Hex { before, between, upper } => {
                let byte = |byte: u8| {
                    if upper { format!("{before}{byte:02X}") } else { format!("{before}{byte:02x}") }
                };
                text.bytes().map(byte).collect::<Vec<_>>().join(between)
            }
            Encoder::Percent { all } => text
                .bytes()
                .map(|byte| match byte {
                    b' ' if !all => "+".to_owned(),
                    _ if !all && byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
                    _ => format!("%{byte:02X}"),
                })
                .collect(),
            Encoder::Json { all: false } => serde_json::to_string(text).unwrap(),
            Encoder::Json { all: true } => text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect(),
        }
    }
}

/// Written from the definition, bit by bit.
fn base64(bytes: &[u8], url: bool, padded: bool) -> String {
    let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').collect();
    let bits: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    let digit = |group: &[u8]| {
        let group = format!("{:0<6}", std::str::from_utf8(group).unwrap());
        match usize::from_str_radix(&group, 2).unwrap() {
            62 => {
                if url {
                    '-'
                } else {
                    '+'
                }
            }
            63 => {
                if url {
                    '_'
                } else {
                    '/'
                }
            }
            value => alphabet[value],
        }
    };
    let mut text: String = bits.as_bytes().chunks(6).map(digit).collect();
    while padded && !text.len().is_multiple_of(4) {
        text.push('=');
    }
    text
}

fn wrapped(text: &str, line: usize) -> String {
    if line == 0 {
        return text.to_owned();
    }
    text.as_bytes().chunks(line).map(|line| std::str::from_utf8(line).unwrap()).collect::<Vec<_>>().join("\n")
}

fn encoder() -> impl Strategy<Value = Encoder> {
    let base64 = (any::<bool>(), any::<bool>(), select(vec![0_usize, 20, 64, 76]))
        .prop_map(|(url, padded, line)| Encoder::Base64 { url, padded, line });
    let separators = select(vec![("", ""), ("", ":"), ("", " "), ("\\x", ""), ("0x", ", "), ("0x", " ")]);
    let hex = (separators, any::<bool>()).prop_map(|((before, between), upper)| Encoder::Hex {
        before,
        between,
        upper,
    });
    prop_oneof![
        2 => base64,
        2 => hex,
        1 => any::<bool>().prop_map(|all| Encoder::Percent { all }),
        1 => any::<bool>().prop_map(|all| Encoder::Json { all }),
    ]
}

/// Letters and digits in turn, as no word of a language has them; most of them different, as in every real key.
fn token() -> impl Strategy<Value = String> {
    let pair = "[a-z][0-9A-Z]";
    (vec(pair, 5..18), "[a-z][0-9]")
        .prop_map(|(pairs, last)| format!("{}{last}", pairs.concat()))
        .prop_filter("it repeats itself", |token| distinct(token) * 4 >= token.len().min(24) * 3)
}

fn distinct(text: &str) -> usize {
    text.chars().collect::<std::collections::BTreeSet<_>>().len()
}

fn surroundings() -> impl Strategy<Value = (String, String)> {
    (
        select(vec!["", "see ", "data:", "{\"k\":\"", "x/", "a b "]),
        select(vec!["", " end", "\"}", "&x=1", "\n"]),
    )
        .prop_map(|(before, after)| (before.to_owned(), after.to_owned()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn an_encoded_secret_is_found_again(
        secret in token(),
        layers in vec((encoder(), surroundings()), 0..4),
        (before, after) in surroundings(),
    ) {
        let fingerprints = remembering("/p/.env", &format!("# settings\nSERVICE={secret}\nLEVEL=debug\n"));
        let mut argument = format!("{before}{secret}{after}");
        for (encoder, (before, after)) in &layers {
            argument = format!("{before}{}{after}", encoder.write(&argument));
        }
        let found = fingerprints.find(&argument);
        prop_assert_eq!(found.matches.len(), 1, "{}", argument);
        prop_assert!(found.matches[0].characters >= secret.len(), "{:?} in {}", found, argument);
        prop_assert_eq!((found.matches[0].step, found.matches[0].taint), (3, SECRET));
    }

    #[test]
    fn a_passage_is_found_again_however_it_is_wrapped(
        words in vec("[a-z]{2,9}", 12..40),
        breaks in vec(select(vec![" ", "\n", "\t", "  ", "", "\u{200b}", "\r\n    "]), 40),
        encoder in proptest::option::of(encoder()),
    ) {
        let fingerprints = remembering("/p/notes.txt", &words.join(" "));
        let written: String = words.iter().zip(&breaks).map(|(word, space)| format!("{word}{space}")).collect();
        let argument = encoder.map_or_else(|| written.clone(), |encoder| encoder.write(&written));
        let letters: usize = words.iter().map(String::len).sum();
        let found = fingerprints.find(&argument);
        prop_assert_eq!(found.matches.len(), 1, "{}", argument);
        prop_assert_eq!(found.matches[0].characters, letters);
    }

    #[test]
    fn unrelated_text_is_not_found(secret in "[a-z0-9]{0,400}", other in "[ -~\n]{0,400}", encoder in encoder()) {
        let fingerprints = remembering("/p/.env", &secret);
        for argument in [other.clone(), encoder.write(&other)] {
            prop_assert_eq!(fingerprints.find(&argument).matches, vec![], "{}", argument);
        }
    }

    #[test]
    fn a_match_tells_where_it_stands(secret in token(), before in "[ -~]{0,40}", after in "[ -~]{0,40}") {
        let fingerprints = remembering("/p/.env", &format!("SERVICE={secret}"));
        let argument = format!("{before} {secret} {after}");
        let found = fingerprints.find(&argument);
        let range = found.matches[0].range.clone();
        prop_assert!(argument[range].contains(&secret) || found.matches[0].characters > secret.len());
    }
}

/// Found by fuzzing: a window that ends inside a character.
#[test]
fn a_match_covers_whole_characters() {
    let passage = "Überweisungen für Öl, Käse und Grünkohl: fünfzehn Töpfe";
    let fingerprints = remembering("/p/notes.txt", passage);
    for cut in passage.char_indices().map(|(at, _)| at) {
        let argument = format!("…{}…", &passage[..cut]);
        for found in fingerprints.find(&argument).matches {
            let part = &argument[found.range.clone()];
            let letters = part.chars().filter(|letter| !letter.is_whitespace()).count();
            assert!(passage.contains(part) && letters == found.characters, "{part:?}: {found:?}");
        }
    }
    let all = &fingerprints.find(&format!("→ {passage} ←")).matches[0];
    assert_eq!((all.range.clone(), all.characters), (4..4 + passage.len(), 48));
}

#[test]
fn documentation_is_not_taken_for_a_secret() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut fingerprints = Fingerprints::new(key(), Limits::default());
    let samples = [
        concat!(
            "-----BEGIN OPENSSH PRI",
            "VATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQAAACBk8\n"
        ),
        "[default]\naws_access_key_id =\naws_secret_access_key =\n",
        "DATABASE_URL=postgres://postgres:postgres@localhost:5432/postgres\nNODE_ENV=development\n",
        "//registry.npmjs.org/:_authToken=${NPM_TOKEN}\n",
        "Host github.com\n  HostName github.com\n  User git\n",
    ];
    for sample in samples {
        fingerprints.remember(1, "/p/.env", SECRET, sample, &FORMATS.find(sample));
    }
    for file in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/rules.md", "LICENSE", "Cargo.toml"]
    {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        assert_eq!(fingerprints.find(&text).matches, [], "{file}");
    }
    let template = "[default]\naws_access_key_id = YOUR_KEY\naws_secret_access_key = YOUR_SECRET\n";
    assert_eq!(fingerprints.find(template).matches, []);
}

#[test]
fn what_is_public_can_be_overlooked() {
    let text = "prints every line of the note that a path leads to on disk";
    let mut fingerprints = Fingerprints::new(key(), Limits::default());
    fingerprints.overlook(text);
    fingerprints.remember(1, "/p/.env", SECRET, text, &[]);
    assert_eq!(fingerprints.find(text).matches, []);
    assert_eq!(remembering("/p/.env", text).find(text).matches.len(), 1);
}

#[test]
fn encodings_are_told_from_the_outermost_in() {
    let fingerprints = remembering("/home/u/.netrc", "kq7Zt2Lw9Xv4Rb8Np3Fs");
    let hex = Encoder::Hex { before: "", between: "", upper: false }.write("kq7Zt2Lw9Xv4Rb8Np3Fs");
    let argument = Encoder::Base64 { url: false, padded: true, line: 0 }.write(&hex);
    let found = fingerprints.find(&argument);
    assert_eq!(found.matches[0].encodings, [Encoding::Base64, Encoding::Hex]);
    assert_eq!(
        found.matches[0].words(Some("/home/u")),
        "contains 20 characters of ~/.netrc, read in step 3 in base64 of hexadecimal digits"
    );
    // The padding at its end says nothing.
    assert_eq!(found.matches[0].range, 0..argument.trim_end_matches('=').len());
}

#[test]
fn the_same_text_with_another_label_carries_both() {
    let text = "these are words that two places have in common, and one of them is secret";
    let mut fingerprints = Fingerprints::new(key(), Limits::default());
    for step in 0..9 {
        fingerprints.remember(step, &format!("https://h/{step}"), Taint::only(Label::Untrusted), text, &[]);
    }
    fingerprints.remember(9, "/p/.env", SECRET, text, &[]);
    let taint = fingerprints.find(text).matches.iter().fold(Taint::EMPTY, |all, one| all.join(one.taint));
    assert_eq!(taint, Taint::ALL);
}

#[test]
fn over_the_bound_windows_get_sparser_and_short_secrets_stay() {
    let limits = Limits { hashes: 600, texts: 50, bytes: 1 << 20 };
    let mut fingerprints = Fingerprints::new(key(), limits);
    let passage = |number: u64| -> String {
        (0..60_u64)
            .map(|at| format!("w{}", (number * 7919 + at * 104_729) % 99_991))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let token = |number: u64| format!("q{}Zt{}Lw{}Xv", number % 10, (number / 10) % 10, number % 7);
    for number in 0..60 {
        let text = format!("TOKEN={}\n{}", token(number), passage(number));
        fingerprints.remember(number, "/p/.env", SECRET, &text, &FORMATS.find(&text));
    }
    assert_eq!((fingerprints.texts(), fingerprints.left_out()), (50, 10));
    for number in 0..50 {
        assert_eq!(fingerprints.find(&token(number)).matches.len(), 1, "token {number}");
        assert!(!fingerprints.find(&passage(number)).matches.is_empty(), "passage {number}");
    }
    let kept = serde_json::to_value(fingerprints.snapshot()).unwrap();
    let hashes = kept["windows"].as_array().unwrap().len() + kept["secrets"].as_array().unwrap().len();
    assert!(hashes <= 600, "{hashes}");
}

#[test]
fn a_search_ends_at_its_limit_and_says_so() {
    let limits = Limits { bytes: 10_000, ..Limits::default() };
    let mut fingerprints = Fingerprints::new(key(), limits);
    fingerprints.remember(1, "/p/.env", SECRET, "TOKEN=kq7Zt2Lw9Xv4Rb8Np3Fs", &[]);
    let long = format!("{}kq7Zt2Lw9Xv4Rb8Np3Fs", "é".repeat(20_000));
    let found = fingerprints.find(&long);
    assert!(!found.is_complete && found.matches.is_empty());
    assert!(fingerprints.find("kq7Zt2Lw9Xv4Rb8Np3Fs").is_complete);
    assert!(Fingerprints::new(key(), limits).find(&long).is_complete, "there was nothing to look for");
}

#[test]
fn fingerprints_survive_being_kept_and_hold_no_text() {
    let secret = "kq7Zt2Lw9Xv4Rb8Np3Fs";
    let fingerprints =
        remembering("/p/.env", &format!("TOKEN={secret}\nand some more words to fill a window\n"));
    let kept = serde_json::to_string(&fingerprints.snapshot()).unwrap();
    assert!(!kept.contains(secret) && !kept.contains(&secret[..8]) && !kept.contains("words"));
    let snapshot: FingerprintsSnapshot = serde_json::from_str(&kept).unwrap();
    let again = Fingerprints::restore(key(), Limits::default(), &snapshot).unwrap();
    for argument in [secret, "and some more words to fill a window", "nothing of the kind"] {
        assert_eq!(again.find(argument), fingerprints.find(argument));
    }
    assert_eq!(serde_json::to_string(&again.snapshot()).unwrap(), kept);

    let other = Fingerprints::restore(Key::new([7; 16]), Limits::default(), &snapshot).unwrap_err();
    assert_eq!(other, FingerprintsError::OtherKey);
    let newer = kept.replace("portcullis-fingerprints-1", "portcullis-fingerprints-2");
    assert!(serde_json::from_str::<FingerprintsSnapshot>(&newer).is_err());
    let label = kept.replace("\"secret\"", "\"private\"");
    let label = Fingerprints::restore(key(), Limits::default(), &serde_json::from_str(&label).unwrap());
    assert_eq!(label.unwrap_err(), FingerprintsError::UnknownLabel("private".into()));
    let orphan = kept.replace("\"source\":0", "\"source\":5");
    let orphan = Fingerprints::restore(key(), Limits::default(), &serde_json::from_str(&orphan).unwrap());
    assert!(matches!(orphan.unwrap_err(), FingerprintsError::Damaged(_)));
}
