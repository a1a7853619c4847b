//! A server that does nearly nothing: what is measured is what stands in front of it.
//!
//! It reads one JSON-RPC message a line, or with `--http` one a request, and looks at its outermost members only.
//! `tools/call` is answered with the same text each time, whatever the tool and its arguments are.

mod http;

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    if std::env::args().any(|word| word == "--http") {
        return http::serve();
    }
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if let Some(mut answer) = answer_to(&line) {
            // One write for a message, as servers do that buffer.
            answer.push('\n');
            output.write_all(answer.as_bytes())?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// The answer to a message, if it is a request.
fn answer_to(message: &str) -> Option<String> {
    let (id, method) = (member(message, "id")?, member(message, "method")?);
    let answer = answer(method.trim_matches('"'));
    Some(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{answer}}}"))
}

fn answer(method: &str) -> &'static str {
    match method {
        "initialize" => concat!(
            r#""result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"#,
            r#""serverInfo":{"name":"echo","version":"1.0.0"}}"#
        ),
        "ping" => r#""result":{}"#,
        "tools/list" => concat!(
            r#""result":{"tools":[{"name":"echo","description":"Says something back","#,
            r#""inputSchema":{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}}]}"#
        ),
        "tools/call" => r#""result":{"content":[{"type":"text","text":"echoed"}],"isError":false}"#,
        _ => r#""error":{"code":-32601,"message":"there is no such method"}"#,
    }
}

/// The text of an outermost member of an object, without the spaces around it.
fn member<'a>(object: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = object.trim().strip_prefix('{')?;
    loop {
        let (key, after) = value(rest)?;
        let (found, after) = value(after.trim_start().strip_prefix(':')?)?;
        if key.trim_matches('"') == name {
            return Some(found);
        }
        rest = after.trim_start().strip_prefix(',')?;
    }
}

/// The first value of a text, and what comes after it.
fn value(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if quoted {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => quoted = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => quoted = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 0 => depth -= 1,
            b',' | b':' | b'}' | b']' if depth == 0 => {
                let (found, after) = text.split_at_checked(at)?;
                return Some((found.trim_end(), after));
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{answer_to, member};

    #[test]
    fn only_outermost_members_count() {
        let message = r#"{"params": {"id": 7, "a,\"b": "}"}, "method" : "ping","id" :  8 }"#;
        assert_eq!(member(message, "id"), Some("8"));
        assert_eq!(member(message, "method"), Some("\"ping\""));
        assert_eq!(member(message, "result"), None);
        assert_eq!(answer_to(message).as_deref(), Some(r#"{"jsonrpc":"2.0","id":8,"result":{}}"#));
    }

    #[test]
    fn what_is_no_request_has_no_answer() {
        for message in [r#"{"method":"notifications/initialized"}"#, r#"{"id":1,"result":{}}"#, "", "x"] {
            assert_eq!(answer_to(message), None, "{message}");
        }
    }
}
