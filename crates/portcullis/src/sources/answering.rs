//! A server for tests that answers once.

use std::io::{Read, Write};
use std::net::TcpListener;

/// Answers one request with status 200 and this text, after something was done. Returns the address.
pub(super) fn answering(text: &str, meanwhile: impl FnOnce() + Send + 'static) -> String {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", text.len());
    answering_with([head.as_bytes(), text.as_bytes()].concat(), meanwhile)
}

/// The same with these bytes.
pub(super) fn answering_with(answer: Vec<u8>, meanwhile: impl FnOnce() + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/document", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 4096]).unwrap();
        meanwhile();
        // Whoever has read enough hangs up.
        let _ = stream.write_all(&answer);
    });
    address
}
