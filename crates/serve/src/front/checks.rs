//! Who may knock: programs of this machine that know the token, and no page in a browser.

use std::net::SocketAddr;

use hyper::StatusCode;
use hyper::header::{AUTHORIZATION, HOST, HeaderMap, ORIGIN};

/// What a host has to know.
#[derive(Clone, PartialEq, Eq)]
pub enum Token {
    /// This, as `Authorization: Bearer`.
    Needed(String),
    /// Nothing: every program of this machine may knock.
    None,
}

/// Why a host is not let in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refused {
    pub(crate) status: StatusCode,
    pub(crate) why: &'static str,
    /// It may try again with a token.
    pub(crate) needs_token: bool,
}

/// Whether a host may knock.
pub(crate) fn may_knock(headers: &HeaderMap, address: SocketAddr, token: &Token) -> Result<(), Refused> {
    let forbidden = |why| Refused { status: StatusCode::FORBIDDEN, why, needs_token: false };
    // A name that leads here may belong to a page that somebody else made: it would be taken for the page's own server.
    let mut hosts = headers.get_all(HOST).into_iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    if hosts.next().is_some() || !host.is_some_and(|host| is_here(host, address)) {
        return Err(forbidden("the header `Host` names another machine"));
    }
    for origin in headers.get_all(ORIGIN) {
        let origin = origin.to_str().unwrap_or_default();
        let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !host.is_some_and(is_loopback) {
            return Err(forbidden("pages of other machines may not ask anything here"));
        }
    }
    match token {
        Token::None => Ok(()),
        Token::Needed(token) => {
            let given = headers.get(AUTHORIZATION).and_then(|given| given.to_str().ok());
            let given = given.and_then(|given| given.split_once(' '));
            let given = given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            match given {
                Some((_, given)) if is_equal(given.trim(), token) => Ok(()),
                _ => Err(Refused {
                    status: StatusCode::UNAUTHORIZED,
                    why: "this needs the token of `portcullis serve`, as `Authorization: Bearer TOKEN`; \
                          `portcullis connect` knows it",
                    needs_token: true,
                }),
            }
        }
    }
}

/// Whether a host is this machine, and a port, if it names one, ours.
fn is_here(host: &str, address: SocketAddr) -> bool {
    let (_, port) = split_port(host);
    is_loopback(host) && port.is_none_or(|port| port.parse() == Ok(address.port()))
}

/// Whether it names this machine and nothing else.
fn is_loopback(host: &str) -> bool {
    let (name, port) = split_port(host);
    let is_port = port.is_none_or(|port| port.parse::<u16>().is_ok());
    is_port && (["127.0.0.1", "[::1]"].contains(&name) || name.eq_ignore_ascii_case("localhost"))
}

fn split_port(host: &str) -> (&str, Option<&str>) {
    match host.rsplit_once(':') {
        // The colons of an address stand in brackets.
        Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
        _ => (host, None),
    }
}

/// Whether two texts are equal, in a time that does not tell where they differ.
fn is_equal(given: &str, known: &str) -> bool {
    let differences = given.bytes().zip(known.bytes()).fold(0_u8, |all, (one, other)| all | (one ^ other));
    given.len() == known.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knock(headers: &[(&str, &str)], token: &Token) -> Result<(), StatusCode> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                hyper::header::HeaderName::from_bytes(name.as_bytes()).unwrap(),
                value.parse().unwrap(),
            );
        }
        may_knock(&map, "127.0.0.1:4711".parse().unwrap(), token).map_err(|refused| refused.status)
    }

    #[test]
    fn only_this_machine_is_meant() {
        for host in ["127.0.0.1:4711", "localhost:4711", "LOCALHOST", "[::1]:4711", "[::1]", "127.0.0.1"] {
            assert_eq!(knock(&[("host", host)], &Token::None), Ok(()), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:4711",
            "127.0.0.1:4712",
            "127.0.0.1.evil.example",
            "localhost.evil.example:4711",
            "localhost@evil.example",
            "[::2]",
            "127.0.0.1:",
            "",
        ] {
            assert_eq!(knock(&[("host", host)], &Token::None), Err(StatusCode::FORBIDDEN), "{host}");
        }
        assert_eq!(knock(&[], &Token::None), Err(StatusCode::FORBIDDEN));
        let twice = [("host", "localhost:4711"), ("host", "evil.example")];
        assert_eq!(knock(&twice, &Token::None), Err(StatusCode::FORBIDDEN));
    }

    #[test]
    fn pages_of_others_are_kept_out() {
        let host = ("host", "localhost:4711");
        for origin in ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:8080"] {
            assert_eq!(knock(&[host, ("origin", origin)], &Token::None), Ok(()), "{origin}");
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://localhost.evil.example",
            "file://",
            "chrome-extension://x",
        ] {
            assert_eq!(
                knock(&[host, ("origin", origin)], &Token::None),
                Err(StatusCode::FORBIDDEN),
                "{origin}"
            );
        }
    }

    #[test]
    fn the_token_has_to_be_known() {
        let token = Token::Needed("abc".to_owned());
        let host = ("host", "localhost:4711");
        assert_eq!(knock(&[host, ("authorization", "Bearer abc")], &token), Ok(()));
        assert_eq!(knock(&[host, ("authorization", "bearer  abc")], &token), Ok(()));
        for wrong in ["Bearer abd", "Bearer ab", "Bearer abcd", "Basic abc", "abc", "Bearer"] {
            let knocked = knock(&[host, ("authorization", wrong)], &token);
            assert_eq!(knocked, Err(StatusCode::UNAUTHORIZED), "{wrong}");
        }
        assert_eq!(knock(&[host], &token), Err(StatusCode::UNAUTHORIZED));
    }
}
