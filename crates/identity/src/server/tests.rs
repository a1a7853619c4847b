use super::Holding::{Broken, Holds, HoldsRecorded};
use super::*;

fn package(name: &str, version: &str, arguments: &[&str]) -> ServerIdentity {
    ServerIdentity::Package {
        registry: "npm".to_owned(),
        name: name.to_owned(),
        version: version.to_owned(),
        arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
    }
}

fn program(path: &str, content: &str, arguments: &[&str]) -> ServerIdentity {
    ServerIdentity::Program {
        path: path.to_owned(),
        digest: ContentHash::of(content.as_bytes()),
        arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
    }
}

fn remote(url: &str, tls: Option<(&str, &str)>) -> ServerIdentity {
    let tls = tls
        .map(|(key, issuer)| TlsIdentity { key: ContentHash::of(key.as_bytes()), issuer: issuer.to_owned() });
    ServerIdentity::Remote { url: url.to_owned(), tls, hold: TlsHold::Issuer }
}

#[test]
fn servers_are_compared_by_what_they_were_started_from() {
    check(&[
        (package("a", "1.0.0", &[]), package("a", "1.0.0", &[]), "the same server", Holds),
        (
            package("a", "1.0.0", &[]),
            package("a", "1.1.0", &["-v"]),
            "the same server at another version (1.1.0, was 1.0.0)",
            HoldsRecorded,
        ),
        (
            package("a", "1", &["/x"]),
            package("a", "1", &["/y"]),
            "the same program, started in another way",
            HoldsRecorded,
        ),
        (package("a", "1", &[]), package("b", "1", &[]), "another program", Broken),
        (
            program("/bin/a", "1", &[]),
            program("/bin/a", "2", &[]),
            "the same program with other content",
            HoldsRecorded,
        ),
        (program("/bin/a", "1", &[]), program("/opt/a", "1", &[]), "another program", Broken),
        (
            program("/bin/a", "1", &["x"]),
            program("/bin/a", "1", &[]),
            "the same program, started in another way",
            HoldsRecorded,
        ),
        (
            program("/bin/node", "1", &["x.js"]),
            program("/bin/node", "1", &["y.js"]),
            "another program",
            Broken,
        ),
        (
            program("/bin/python3.12", "1", &["x"]),
            program("/bin/python3.12", "1", &["y"]),
            "another program",
            Broken,
        ),
        (
            program("C:\\n\\Node.exe", "1", &["x"]),
            program("C:\\n\\Node.exe", "1", &["y"]),
            "another program",
            Broken,
        ),
        (
            program("/bin/node", "1", &["x.js"]),
            program("/bin/node", "2", &["x.js"]),
            "the same program with other content",
            HoldsRecorded,
        ),
        (package("a", "1", &[]), program("/bin/a", "1", &[]), "another program", Broken),
    ]);
}

#[test]
fn servers_are_compared_by_their_address_and_certificate() {
    let desk = "https://desk.acme.test/mcp";
    check(&[
        (remote(desk, Some(("k", "CA"))), remote(desk, Some(("k", "Other"))), "the same server", Holds),
        (
            remote(desk, Some(("k", "CA"))),
            remote(desk, Some(("l", "CA"))),
            "the same address with a new key of the same issuer",
            HoldsRecorded,
        ),
        (
            remote(desk, Some(("k", "CA"))),
            remote(desk, Some(("l", "Other"))),
            "the same address with a certificate of another issuer (Other, was CA)",
            Broken,
        ),
        (remote(desk, Some(("k", "CA"))), remote(desk, None), "the same address, now without TLS", Broken),
        (
            remote(desk, None),
            remote(desk, Some(("k", "CA"))),
            "the same address, whose certificate was not known when it was approved",
            HoldsRecorded,
        ),
        (remote(desk, None), remote(desk, None), "the same server", Holds),
        (remote(desk, None), remote("https://other.acme.test/mcp", None), "another program", Broken),
    ]);
}

#[test]
fn settings_say_what_of_a_certificate_has_to_stay() {
    let desk = "https://desk.acme.test/mcp";
    let held = |tls, hold| match remote(desk, tls) {
        ServerIdentity::Remote { url, tls, .. } => ServerIdentity::Remote { url, tls, hold },
        other @ (ServerIdentity::Package { .. } | ServerIdentity::Program { .. }) => other,
    };
    let approved = || remote(desk, Some(("k", "CA")));
    let pinned = "the same address with another key than the pinned one";
    check(&[
        (approved(), held(Some(("k", "CA")), TlsHold::Pinned), "the same server", Holds),
        (approved(), held(Some(("l", "CA")), TlsHold::Pinned), pinned, Broken),
        (approved(), held(Some(("l", "Other")), TlsHold::Pinned), pinned, Broken),
        (
            remote(desk, None),
            held(Some(("k", "CA")), TlsHold::Pinned),
            "the same address, whose key is to be pinned and was not known when it was approved",
            Broken,
        ),
        (
            remote(desk, None),
            held(Some(("k", "CA")), TlsHold::Name),
            "the same address, whose certificate was not known when it was approved",
            HoldsRecorded,
        ),
        (approved(), held(None, TlsHold::Name), "the same address, now without TLS", Broken),
        (
            approved(),
            held(Some(("l", "CA")), TlsHold::Name),
            "the same address with a new key of the same issuer",
            HoldsRecorded,
        ),
        (
            approved(),
            held(Some(("l", "Other")), TlsHold::Name),
            "the same address with a certificate of another issuer (Other, was CA), as settings allow",
            HoldsRecorded,
        ),
    ]);
}

#[test]
fn what_was_kept_before_there_were_settings_is_still_read() {
    let kept = r#"{"kind":"remote","url":"https://desk.acme.test/mcp","tls":null}"#;
    let read: ServerIdentity = serde_json::from_str(kept).unwrap();
    assert_eq!(read, remote("https://desk.acme.test/mcp", None));
    assert_eq!(serde_json::to_string(&read).unwrap(), kept);
}

fn check(cases: &[(ServerIdentity, ServerIdentity, &str, Holding)]) {
    for (approved, now, words, holding) in cases {
        let relation = approved.compare(now);
        assert_eq!(
            (relation.to_string().as_str(), relation.holding()),
            (*words, *holding),
            "{approved:?} {now:?}"
        );
    }
}

#[test]
fn an_interpreter_is_the_script_that_it_runs() {
    let program = |path: &str, words: &str| ServerIdentity::Program {
        path: path.to_owned(),
        digest: ContentHash::of(b"program"),
        arguments: words.split_whitespace().map(str::to_owned).collect(),
    };
    let cases = [
        (
            "/usr/bin/python3.12",
            "server.py --database prod",
            "server.py --database staging",
            Relation::OtherArguments,
        ),
        ("/usr/bin/python3", "-u server.py a", "-u server.py b", Relation::OtherArguments),
        ("/usr/bin/python3", "-m one", "-m two", Relation::Another),
        ("/usr/bin/python3", "-m one", "-m one --quiet", Relation::OtherArguments),
        ("/usr/bin/python3", "-c print(1)", "-c print(2)", Relation::Another),
        ("/usr/bin/node", "a.js", "b.js", Relation::Another),
        ("/usr/bin/node", "-e x()", "-e y()", Relation::Another),
        ("/usr/bin/bun", "run a.ts", "run b.ts", Relation::Another),
        ("/usr/bin/bash", "-c one", "-c two", Relation::Another),
        ("/usr/bin/docker", "run --rm image-one", "run --rm image-two", Relation::Another),
        ("/usr/bin/env", "A=1 server", "A=1 other", Relation::Another),
        ("/opt/server", "--root /a", "--root /b", Relation::OtherArguments),
    ];
    for (path, old, now, relation) in cases {
        assert_eq!(program(path, old).compare(&program(path, now)), relation, "{path}: {old} / {now}");
    }
}
