//! Signed definitions, from the key of a provider to what a user may call.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::home::{Home, SERVER, is_possible};

const PROGRAM: &str = env!("CARGO_BIN_EXE_portcullis");

fn write_note(description: &str) -> Value {
    json!({
        "name": "write_note", "description": description,
        "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}, "content": {"type": "string"}}},
    })
}

/// Signs a tool as Acme does.
fn signed(home: &Home, tool: &Value, version: &str) -> Value {
    std::fs::write(home.desk("unsigned.json"), json!([tool]).to_string()).unwrap();
    let words =
        ["sign", "--key", "acme", "--provider", "acme.example", "--version", version, "unsigned.json"];
    let said = home.says(&words);
    assert_eq!(said.status, 0, "{}", said.output);
    serde_json::from_str::<Value>(&said.output).unwrap()["tools"][0].clone()
}

/// A home with a key, which is trusted.
fn home_that_trusts() -> Home {
    let home = Home::that_asks();
    assert_eq!(home.says(&["keys", "new", "acme"]).status, 0);
    home.desk("");
    assert_eq!(home.says(&["keys", "export", "acme", "--output", "acme.json"]).status, 0);
    let trust = ["keys", "trust", "acme.json", "--name", "Acme", "--provider", "acme.example"];
    let seen = home.terminal(&trust, &[("Type yes:", "yes\n")]);
    assert_eq!(seen.status, 0, "{}", seen.output);
    home
}

#[test]
fn what_a_trusted_signer_vouches_for_needs_no_approval() {
    if !is_possible() {
        return;
    }
    let home = home_that_trusts();
    let tool = write_note("Write a note to a file.");
    let first = signed(&home, &tool, "1.0.0");
    let state = |tool: &Value| {
        home.serve(std::slice::from_ref(tool));
        home.start();
        home.state()
    };
    assert_eq!(state(&first), "verified");
    let told = home.says(&["tools", "list"]).output;
    assert!(told.contains("verified  write_note  Acme 1.0.0"), "{told}");

    let mut tampered = first.clone();
    tampered["description"] = "Write a note to a file. Quickly.".into();
    assert_eq!(state(&tampered), "invalid");
    let other = write_note("Write a note to some file.");
    assert_eq!(state(&signed(&home, &other, "1.0.0")), "invalid");
    assert_eq!(state(&signed(&home, &other, "0.9.0")), "downgraded");
    assert_eq!(state(&tool), "changed");
    let newer = signed(&home, &other, "1.1.0");
    assert_eq!(state(&newer), "verified");
    assert_eq!(state(&first), "downgraded");
    assert_eq!(state(&newer), "verified");

    // Anybody revokes, at once and without a new list; a person believes again.
    let revoked = home.says(&["keys", "revoke", "Acme", "--yes"]);
    assert_eq!(revoked.status, 0, "{}", revoked.output);
    assert_eq!(home.state(), "revoked");
    let call = home.host(r#"[{"path": "a.md", "content": "hello"}]"#, &[]).wait_with_output().unwrap();
    let answer = String::from_utf8_lossy(&call.stdout).into_owned();
    assert!(answer.contains("isError") && !answer.contains("written"), "{answer}");
    let again = home.says(&["keys", "trust", "acme.json", "--name", "Acme"]);
    assert_eq!(again.status, 2, "{}", again.output);
    let again = home.terminal(&["keys", "trust", "acme.json", "--name", "Acme"], &[("Type yes:", "yes\n")]);
    assert!(again.output.contains("it would be believed again"), "{}", again.output);
    assert_eq!(home.state(), "verified");
    let kinds = home.says(&["audit", "list", "--json"]).output;
    for kind in ["key-trusted", "key-revoked", "tools-listed"] {
        assert!(kinds.contains(kind), "{kind}");
    }
}

#[test]
fn a_key_counts_only_for_what_it_is_trusted_for() {
    if !is_possible() {
        return;
    }
    let home = home_that_trusts();
    let tool = write_note("Write a note.");
    std::fs::write(home.desk("unsigned.json"), tool.to_string()).unwrap();
    let words =
        ["sign", "--key", "acme", "--provider", "bank.example", "--version", "1.0.0", "unsigned.json"];
    let said = home.says(&words).output;
    std::fs::write(home.desk("signed.json"), &said).unwrap();
    let told = home.says(&["verify", "signed.json"]);
    assert_eq!(told.status, 1, "{}", told.output);
    assert!(told.output.starts_with("not-allowed"), "{}", told.output);
    // Who asks with the key alone believes it in everything.
    let told = home.says(&["verify", "signed.json", "--key", "acme.json", "--json"]);
    assert_eq!(told.status, 0, "{}", told.output);
    let report: Value = serde_json::from_str(&told.output).unwrap();
    assert_eq!(
        (&report["standing"], &report["version"], &report["tool_id"]),
        (&"verified".into(), &"1.0.0".into(), &"bank.example/write_note".into())
    );
    let unsigned = home.says(&["verify", "unsigned.json"]);
    assert_eq!((unsigned.status, unsigned.output.as_str()), (1, "unsigned    write_note\n"));
}

#[test]
fn a_server_that_cannot_sign_is_signed_for_and_nothing_else_changes() {
    if !is_possible() {
        return;
    }
    let home = home_that_trusts();
    home.serve(&[write_note("Write a note to a file.")]);
    let server = ["python3", SERVER];
    let signing =
        ["run", "--sign-with", "acme", "--provider", "acme.example", "--tool-version", "2.0.0", "--"];
    let wrapped = [&["verify", "--pass", "PORTCULLIS_HOME", "--", PROGRAM], &signing[..], &server].concat();
    let told = home.says(&wrapped);
    assert_eq!((told.status, told.output.as_str()), (0, "verified    write_note by Acme, version 2.0.0\n"));
    let plain = home.says(&[&["verify", "--"], &server[..]].concat());
    assert_eq!((plain.status, plain.output.as_str()), (1, "unsigned    write_note\n"));

    let requests = concat!(
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":"two","method":"tools/list"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write_note"}}"#,
        "\n"
    );
    std::fs::write(home.desk("requests"), requests).unwrap();
    let answers = |program: &str, words: &[&str]| -> Vec<String> {
        let input = std::fs::File::open(home.desk("requests")).unwrap();
        let done = home.command(program).args(words).stdin(Stdio::from(input)).output().unwrap();
        String::from_utf8(done.stdout).unwrap().split_inclusive('\n').map(str::to_owned).collect()
    };
    let bare = answers("python3", &[SERVER]);
    let behind = answers(PROGRAM, &[&signing[..], &server].concat());
    assert_eq!(bare.len(), 3);
    assert_eq!((&bare[0], &bare[2]), (&behind[0], &behind[2]));
    let (before, after) = behind[1].split_once(r#","_meta":{"#).unwrap();
    assert!(bare[1].starts_with(before), "{before}");
    assert!(after.ends_with("}}]}}\n") || after.ends_with("}}}]}}\n"), "{after}");
}

#[test]
fn servers_without_sessions_list_their_tools_too_and_silent_ones_are_left() {
    if !is_possible() {
        return;
    }
    let home = home_that_trusts();
    let stateless = r#"
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["method"] == "tools/list" and "io.modelcontextprotocol/protocolVersion" in message["params"]["_meta"]:
        page = 2 if message["params"].get("cursor") == "next" else 1
        tool = {"name": f"tool_{page}", "inputSchema": {"type": "object"}}
        reply = {"result": {"tools": [tool], **({"nextCursor": "next"} if page == 1 else {})}}
    else:
        reply = {"error": {"code": -32601, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
"#;
    std::fs::write(home.desk("stateless.py"), stateless).unwrap();
    let listed = home.says(&["verify", "--", "python3", "stateless.py"]);
    assert_eq!((listed.status, listed.output.as_str()), (1, "unsigned    tool_1\nunsigned    tool_2\n"));
    for (command, told) in [
        (["sleep", "600"], "did not list its tools within 1 seconds"),
        (["true", ""], "the server ended before it listed its tools"),
        (["no-such-program", ""], "cannot be started"),
    ] {
        let said = home.says(&[&["verify", "--timeout", "1", "--"], &command[..]].concat());
        assert_eq!(said.status, 2, "{}", said.output);
        assert!(
            said.output.contains(told) || said.output.contains("cannot be written to"),
            "{}",
            said.output
        );
    }
}

#[test]
fn private_keys_are_shown_to_a_person_alone() {
    if !is_possible() {
        return;
    }
    let home = home_that_trusts();
    let public = home.says(&["keys", "export", "acme"]).output;
    assert!(!public.contains("\"d\""), "{public}");
    let refused = home.says(&["keys", "export", "acme", "--private"]);
    assert_eq!(refused.status, 2, "{}", refused.output);
    assert!(!refused.output.contains("\"d\""), "{}", refused.output);
    let declined = home.terminal(&["keys", "export", "acme", "--private"], &[("Type yes:", "no\n")]);
    assert_eq!(declined.status, 1);
    assert!(!declined.output.contains("\"d\""), "{}", declined.output);
    let given = home.terminal(&["keys", "export", "acme", "--private"], &[("Type yes:", "yes\n")]);
    assert!(given.output.contains("\"d\""), "it is given out");
    // A private key is never taken for a public one.
    let key = given.output.lines().last().unwrap();
    std::fs::write(home.desk("private.json"), key).unwrap();
    let refused = home.terminal(&["keys", "trust", "private.json", "--name", "Acme"], &[]);
    assert_eq!(refused.status, 2);
    assert!(refused.output.contains("this is a private key"), "{}", refused.output);
    let listed = home.says(&["keys", "list"]).output;
    assert!(
        listed.contains("own")
            && listed.contains("trusted")
            && listed.contains("for tools * of acme.example"),
        "{listed}"
    );
    for (words, told) in [
        (["keys", "new", "acme"], "you have a key `acme` already"),
        (["keys", "new", "../acme"], "is no name for a key"),
        (["keys", "export", "nobody"], "you have no key `nobody`"),
        (["keys", "revoke", "nobody"], "no key `nobody` is known"),
    ] {
        let said = home.says(&words);
        assert_eq!(said.status, 2, "{}", said.output);
        assert!(said.output.contains(told), "{}", said.output);
    }
}
