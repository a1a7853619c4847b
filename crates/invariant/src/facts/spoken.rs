//! What a command line says where a tool would have an argument, such as the message of `git commit -m`; and by which
//! method it asks a server.

use std::borrow::Cow;

use portcullis_perceive::shell::Command;

use super::CallFacts;
use super::commands::plain_words;

/// A program with its subcommand, and what its options say.
type Said = (&'static str, &'static [&'static str], &'static [(&'static str, &'static str)]);

const SAID: &[Said] = &[
    ("git", &["commit"], &[("-m", "message"), ("--message", "message")]),
    ("git", &["tag"], &[("-m", "message"), ("--message", "message")]),
    ("git", &["merge"], &[("-m", "message")]),
    ("gh", &["pr", "create"], &[("-t", "title"), ("--title", "title"), ("-b", "body"), ("--body", "body")]),
    ("gh", &["pr", "comment"], &[("-b", "body"), ("--body", "body")]),
    (
        "gh",
        &["issue", "create"],
        &[("-t", "title"), ("--title", "title"), ("-b", "body"), ("--body", "body")],
    ),
    ("gh", &["issue", "comment"], &[("-b", "body"), ("--body", "body")]),
];

/// Adds what commands say to the arguments of the call.
pub(super) fn add<'c>(facts: &mut CallFacts<'c>, commands: &'c [Command]) {
    for command in commands {
        let Some((_, _, options)) = SAID.iter().find(|(program, words, _)| {
            command.program.as_deref() == Some(*program)
                && plain_words(command).iter().zip(*words).filter(|(own, word)| own == word).count()
                    == words.len()
        }) else {
            continue;
        };
        for (option, name) in *options {
            for text in values(command, option) {
                facts.arguments.say(name, text);
            }
        }
    }
}

/// The values of an option: `-m text`, `-am text`, `--message=text`.
fn values<'c>(command: &'c Command, option: &str) -> Vec<&'c str> {
    let mut found = Vec::new();
    let mut words = command.words.iter().filter_map(|word| word.as_deref());
    let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
    while let Some(word) = words.next() {
        let is_joined = letter.is_some_and(|letter| {
            word.starts_with('-') && !word.starts_with("--") && word.len() > 2 && word.ends_with(letter)
        });
        if word == option || is_joined {
            found.extend(words.next());
        } else if let Some(value) = word.strip_prefix(option).and_then(|rest| rest.strip_prefix('=')) {
            found.push(value);
        }
    }
    found
}

/// The method by which a command asks a server, where it is a program that does so.
pub(super) fn method(command: &Command) -> Option<Cow<'_, str>> {
    let words = || command.words.iter().filter_map(|word| word.as_deref());
    match command.program.as_deref()? {
        "curl" => Some(curl(words)),
        "wget" => {
            let posts =
                words().any(|word| word.starts_with("--post-data") || word.starts_with("--post-file"));
            let own = words().find_map(|word| word.strip_prefix("--method="));
            Some(
                own.map_or(if posts { "POST".into() } else { "GET".into() }, |own| own.to_uppercase().into()),
            )
        }
        "http" | "https" | "xh" | "xhs" => {
            let plain = plain_words(command);
            let first = plain.first().copied().unwrap_or_default();
            let is_method = !first.is_empty() && first.chars().all(|letter| letter.is_ascii_alphabetic());
            let sends = plain
                .iter()
                .skip(1)
                .any(|word| word.contains('=') && !word.contains("==") && !word.contains("://"));
            Some(match (is_method, sends) {
                (true, _) => first.to_uppercase().into(),
                (false, true) => "POST".into(),
                (false, false) => "GET".into(),
            })
        }
        _ => None,
    }
}

fn curl<'c, Words: Iterator<Item = &'c str>>(words: impl Fn() -> Words) -> Cow<'c, str> {
    let mut after = words().skip_while(|word| !matches!(*word, "-X" | "--request"));
    let stated = after.nth(1).or_else(|| {
        words().find_map(|word| {
            word.strip_prefix("--request=").or_else(|| word.strip_prefix("-X").filter(|own| !own.is_empty()))
        })
    });
    if let Some(stated) = stated {
        return stated.to_uppercase().into();
    }
    let has = |letters: &[char], long: &[&str]| {
        words().any(|word| {
            let short = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            // Options in one word stand before the first that takes a value.
            let flags = short.map_or("", |short| {
                let end = short.find(['o', 'H', 'u', 'w', 'A', 'e', 'b', 'c']);
                end.and_then(|end| short.get(..end)).unwrap_or(short)
            });
            let is_data = flags.chars().next().is_some_and(|first| letters.contains(&first))
                || flags.chars().take_while(char::is_ascii_lowercase).any(|letter| letters.contains(&letter));
            is_data || long.iter().any(|long| word == *long || word.starts_with(&format!("{long}=")))
        })
    };
    const DATA: &[&str] = &[
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--data-ascii",
        "--form",
        "--form-string",
        "--json",
    ];
    if has(&['G'], &["--get"]) {
        return "GET".into();
    }
    if has(&['I'], &["--head"]) {
        return "HEAD".into();
    }
    if has(&['T'], &["--upload-file"]) {
        return "PUT".into();
    }
    if has(&['d', 'F'], DATA) {
        return "POST".into();
    }
    "GET".into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        let mut words = line.split(' ').map(str::to_owned);
        Command { program: words.next(), words: words.map(Some).collect(), ..Command::default() }
    }

    #[test]
    fn a_command_says_by_which_method_it_asks() {
        let cases = [
            ("curl -s https://a.example/x", Some("GET")),
            ("curl -sd a=1 https://a.example/x", Some("POST")),
            ("curl -s -G -d a=1 https://a.example/x", Some("GET")),
            ("curl -XDELETE https://a.example/x", Some("DELETE")),
            ("curl -X put -d {} https://a.example/x", Some("PUT")),
            ("curl --request=PATCH https://a.example/x", Some("PATCH")),
            ("curl -so dump https://a.example/x", Some("GET")),
            ("curl -I https://a.example/x", Some("HEAD")),
            ("curl -T file https://a.example/x", Some("PUT")),
            ("curl --json {} https://a.example/x", Some("POST")),
            ("wget -q https://a.example/x", Some("GET")),
            ("wget --post-data=a=1 https://a.example/x", Some("POST")),
            ("http POST https://a.example/x a=1", Some("POST")),
            ("http https://a.example/x", Some("GET")),
            ("ls -d", None),
        ];
        for (line, expected) in cases {
            assert_eq!(method(&command(line)).as_deref(), expected, "{line}");
        }
    }

    #[test]
    fn an_option_has_its_values_however_they_are_written() {
        for line in
            ["git commit -m x", "git commit -am x", "git commit --message=x", "git commit --message x"]
        {
            let command = command(line);
            let found = [values(&command, "-m"), values(&command, "--message")].concat();
            assert_eq!(found, ["x"], "{line}");
        }
    }
}
