//! A server that is spoken with over one connection of HTTP/1.1, which is kept.

use std::io::{BufRead, BufReader, Error, Read, Result, Write};
use std::net::TcpStream;

use super::Way;

pub(crate) struct Connection {
    stream: BufReader<TcpStream>,
    host: String,
    path: String,
    session: Option<String>,
}

/// The first line, the length of what follows (none: in chunks), and the session.
struct Head {
    status: String,
    length: Option<usize>,
    session: Option<String>,
}

impl Connection {
    pub(crate) fn open(url: &str) -> Result<Box<dyn Way>> {
        let address =
            url.strip_prefix("http://").ok_or_else(|| Error::other(format!("`{url}` is no address")))?;
        let (host, path) = address.split_once('/').unwrap_or((address, ""));
        let stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        let (host, path) = (host.to_owned(), format!("/{path}"));
        Ok(Box::new(Connection { stream: BufReader::new(stream), host, path, session: None }))
    }

    fn post(&mut self, message: &str) -> Result<String> {
        let session =
            self.session.as_deref().map(|id| format!("Mcp-Session-Id: {id}\r\n")).unwrap_or_default();
        let request = format!(
            "POST {} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n\
             {session}Content-Length: {}\r\n\r\n{message}",
            self.path,
            self.host,
            message.len()
        );
        self.stream.get_mut().write_all(request.as_bytes())?;
        let head = self.head()?;
        let body = match head.length {
            Some(length) => self.bytes(length)?,
            None => self.chunks()?,
        };
        let body = String::from_utf8_lossy(&body).into_owned();
        if !head.status.contains(" 20") {
            return Err(Error::other(format!("{}: {body}", head.status)));
        }
        self.session = head.session.or(self.session.take());
        Ok(body)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(Error::other("the connection was closed"));
        }
        Ok(line.trim_end().to_owned())
    }

    fn head(&mut self) -> Result<Head> {
        let mut head = Head { status: self.line()?, length: Some(0), session: None };
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(':') else { return Ok(head) };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => head.length = value.trim().parse().ok(),
                "transfer-encoding" => head.length = None,
                "mcp-session-id" => head.session = Some(value.trim().to_owned()),
                _ => {}
            }
        }
    }

    fn bytes(&mut self, length: usize) -> Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        loop {
            let line = self.line()?;
            let length = usize::from_str_radix(&line, 16)
                .map_err(|_| Error::other(format!("`{line}` is no length")))?;
            all.extend(self.bytes(length)?);
            self.line()?;
            if length == 0 {
                return Ok(all);
            }
        }
    }
}

impl Way for Connection {
    fn ask(&mut self, _: u64, message: &str) -> Result<String> {
        self.post(message)
    }

    fn tell(&mut self, message: &str) -> Result<()> {
        self.post(message).map(drop)
    }
}
