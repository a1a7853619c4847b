//! Addresses that are not spoken to.

use portcullis_remote::{Address, AddressError, Remote};

/// Why an address is refused, with what it says.
fn refusal(address: &Address) -> AddressError {
    match Remote::connect(address) {
        Ok(_) => panic!("{address:?} is taken"),
        Err(error) => error,
    }
}

#[test]
fn what_is_no_address_of_a_server_is_refused() {
    let cases = [
        ("", "not a URL"),
        ("mcp.example", "not a URL"),
        ("https://", "not a URL"),
        ("https://a b/", "not a URL"),
        ("https://mcp.example/\nx", "not a URL"),
        ("https:\\\\mcp.example", "not a URL"),
        ("ftp://mcp.example/", "not with `ftp:`"),
        ("file:///etc/passwd", "not with `file:`"),
        ("https://ann@mcp.example/", "user name or a password"),
        ("https://ann:p-secret@mcp.example/", "user name or a password"),
        ("https://:p-secret@mcp.example/", "user name or a password"),
    ];
    for (text, why) in cases {
        let error = Address::new(text).map(|address| address.shown()).unwrap_err();
        assert!(error.to_string().contains(why), "{text}: {error}");
        assert!(!format!("{error} {error:?}").contains("secret"), "{text}: {error:?}");
    }
}

#[tokio::test]
async fn without_tls_only_this_machine_is_spoken_to() {
    for url in [
        "http://localhost:1/",
        "http://127.0.0.1:1/",
        "http://127.9.9.9/",
        "http://[::1]:1/mcp",
        "http://LOCALHOST/",
    ] {
        assert!(Remote::connect(&Address::new(url).unwrap()).is_ok(), "{url}");
    }
    for url in [
        "http://mcp.example/",
        "http://10.0.0.1/",
        "http://0.0.0.0/",
        "http://localhost.evil.example/",
        "http://a.localhost/",
        "http://[::ffff:10.0.0.1]/",
    ] {
        let mut address = Address::new(url).unwrap();
        let error = refusal(&address);
        assert!(matches!(error, AddressError::Plain { .. }), "{url}: {error}");
        assert!(error.to_string().contains("use `https://`"), "{error}");
        address.allow_plain = true;
        assert!(Remote::connect(&address).is_ok(), "{url}");
    }
}

#[tokio::test]
async fn headers_cannot_smuggle_anything() {
    let cases = [
        ("X-A", "h-secret\r\nX-B: c", "`x-a` has characters"),
        ("X-A", "h-secret\n", "`x-a` has characters"),
        ("X-A", "h-secret\0", "`x-a` has characters"),
        ("X-A\r\nX-B: c", "h-secret", "header 2 has a name"),
        ("X A", "h-secret", "header 2 has a name"),
        ("", "h-secret", "header 2 has a name"),
        ("Host", "h-secret", "`host` is made for each message"),
        ("Mcp-Session-Id", "h-secret", "`mcp-session-id` is made for each message"),
        ("mcp-param-region", "h-secret", "`mcp-param-region` is made for each message"),
        ("Content-Length", "7", "`content-length` is made for each message"),
        ("Transfer-Encoding", "chunked", "`transfer-encoding` is made for each message"),
        ("Accept-Encoding", "gzip", "`accept-encoding` is made for each message"),
    ];
    for (name, value, why) in cases {
        let mut address = Address::new("http://127.0.0.1:1/").unwrap();
        address.headers = vec![("X-Good".to_owned(), "yes".to_owned()), (name.to_owned(), value.to_owned())];
        let error = refusal(&address);
        assert!(error.to_string().contains(why), "{name}: {error}");
        assert!(!format!("{error} {error:?}").contains("secret"), "{name}: {error:?}");
    }
}

#[test]
fn an_address_shows_no_secrets() {
    let mut address = Address::new("https://mcp.example:8443/a/b?token=q-secret#f").unwrap();
    address.headers = vec![("Authorization".to_owned(), "Bearer h-secret".to_owned())];
    let shown = format!("{address:?} {}", address.shown());
    assert!(shown.contains("https://mcp.example:8443/a/b") && shown.contains("Authorization"), "{shown}");
    assert!(!shown.contains("secret"), "{shown}");
}

#[test]
fn without_a_runtime_there_is_an_error_and_no_panic() {
    let address = Address::new("http://127.0.0.1:1/").unwrap();
    assert!(matches!(refusal(&address), AddressError::NoRuntime));
}
