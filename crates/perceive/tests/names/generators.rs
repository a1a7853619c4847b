//! Texts that come near to names: pieces that mean something, joined at random, and names with a few letters spoilt.

use proptest::prelude::*;
use proptest::sample::select;

fn joined(pieces: &'static [&'static str], most: usize) -> impl Strategy<Value = String> {
    let odd = any::<char>().prop_map(|letter| letter.to_string());
    let piece = prop_oneof![12 => select(pieces).prop_map(str::to_owned), 1 => odd, 2 => "[a-zA-Z0-9]{1,4}"];
    prop::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

pub(crate) fn path() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "/",
        "/",
        "/",
        "\\",
        "\\",
        "..",
        ".",
        "~",
        "a",
        "link",
        "C:",
        "c:",
        ":",
        "\\\\",
        "\\\\?\\",
        "//",
        "UNC\\",
        "server\\share",
        "localhost",
        "C$",
        "file://",
        "file:",
        "%2e",
        "%2F",
        "%41",
        " ",
        "*",
        "NUL",
        "com1",
        "~1",
        "::$DATA",
        "é",
        "e\u{301}",
        "\u{200b}",
        "\u{ff0f}",
        "Σ",
        "İ",
        "ß",
        "\u{212a}",
        "#",
        "?",
        "%",
        "\n",
        "smb:",
    ];
    joined(PIECES, 10)
}

pub(crate) fn url() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "https://",
        "http://",
        "ssh://",
        "smb://",
        "git@",
        "github.com",
        "github.com:",
        "acme.com",
        "evil.io",
        "/",
        "/",
        "//",
        "..",
        ".",
        "%2e",
        "%2F",
        "%5c",
        "%25",
        "%41",
        "%",
        "\\",
        "@",
        ":",
        ":443",
        ":8080",
        "?q",
        "#f",
        "[::1]",
        "[::ffff:1.2.3.4]",
        "0x7f.1",
        "2130706433",
        "127.0.0.1",
        ".git",
        "acme/web",
        "bücher",
        "\u{430}",
        "xn--",
        "\u{3002}",
        "\u{ad}",
        ";",
        "*",
        " ",
        "mailto:",
        "data:",
        "?cc=",
        "a@b.c",
    ];
    let start =
        select(&["https://acme.com/", "https://", "http://a.b", "ssh://git@h/", "git@github.com:", ""][..]);
    (start, joined(PIECES, 8)).prop_map(|(start, rest)| format!("{start}{rest}"))
}

pub(crate) fn mail() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "ann@acme.com",
        "bob@acme.com",
        "eve@evil.io",
        "@",
        "ann",
        ",",
        ", ",
        ";",
        "<",
        ">",
        "(",
        ")",
        "\"",
        "\\",
        " ",
        ":",
        "Team:",
        "Ann <ann@acme.com>",
        "\"Lee, Ann\" <ann@acme.com>",
        "(comment)",
        "=?utf-8?q?a?=",
        "%",
        "!",
        "\u{ff20}",
        "\u{200b}",
        "bücher.example",
        ".",
        "[127.0.0.1]",
        "\t",
    ];
    joined(PIECES, 9)
}

/// A text with one letter put in, taken out or replaced.
pub(crate) fn spoilt(texts: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let letter =
        prop_oneof![select(&['/', '\\', '.', '@', ':', '%', '"', ',', ' ', '\0'][..]), any::<char>()];
    (texts, any::<prop::sample::Index>(), letter, 0..4u8).prop_map(|(text, index, letter, how)| {
        let mut letters: Vec<char> = text.chars().collect();
        let at = index.index(letters.len() + 1);
        match how {
            0 => letters.insert(at, letter),
            1 if at < letters.len() => letters[at] = letter,
            2 if at < letters.len() => drop(letters.remove(at)),
            _ => {}
        }
        letters.into_iter().collect()
    })
}
