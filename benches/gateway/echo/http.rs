//! The same server over HTTP/1.1: a thread for each connection, and sessions that are only names.

use std::io::{BufRead, BufReader, Read, Result, Write};
use std::net::{TcpListener, TcpStream};

/// Listens on a free port of this machine, and says where.
pub(crate) fn serve() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(std::io::stdout(), "listening on http://{}/mcp", listener.local_addr()?)?;
    for stream in listener.incoming() {
        let stream = stream?;
        // Whoever leaves in the middle of a request is not missed.
        std::thread::spawn(move || drop(converse(stream)));
    }
    Ok(())
}

fn converse(stream: TcpStream) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut stream = BufReader::new(stream);
    while let Some((method, length)) = head(&mut stream)? {
        let mut body = vec![0; length];
        stream.read_exact(&mut body)?;
        let answer = super::answer_to(&String::from_utf8_lossy(&body));
        let answer = match (method.as_str(), answer) {
            ("POST", Some(answer)) => format!(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nMcp-Session-Id: echo\r\nContent-Length: {}\r\n\r\n{answer}",
                answer.len()
            ),
            ("POST", None) => "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n".to_owned(),
            ("DELETE", _) => "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned(),
            _ => "HTTP/1.1 405 Method Not Allowed\r\nAllow: POST, DELETE\r\nContent-Length: 0\r\n\r\n"
                .to_owned(),
        };
        stream.get_mut().write_all(answer.as_bytes())?;
    }
    Ok(())
}

/// The method of the next request, and the length of its body; nothing if the client has left.
fn head(stream: &mut BufReader<TcpStream>) -> Result<Option<(String, usize)>> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let method = line.split(' ').next().unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        match line.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            Some(_) => {}
            None => return Ok(Some((method, length))),
        }
    }
}
