//! Server-sent events, as MCP over HTTP streams messages. No stream is read here: bytes are pushed in and events taken
//! out.
//!
//! ```
//! use portcullis_wire::sse::{Event, Parser, Read};
//!
//! let mut parser = Parser::new(1 << 20);
//! parser.push(b"event: message\ndata: {\"jsonrpc\":\"2.0\",\r\ndata: \"method\":\"x\"}\n");
//! assert_eq!(parser.next_event(), None);
//! parser.push(b"\n");
//! let Some(Read::Event(event)) = parser.next_event() else { unreachable!() };
//! assert!(event.is_message());
//! assert_eq!(event.data.as_deref(), Some(b"{\"jsonrpc\":\"2.0\",\n\"method\":\"x\"}".as_slice()));
//! ```

use std::collections::VecDeque;

/// One event: what stood between two empty lines.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Event {
    /// What kind it is; none is `message`.
    pub name: Option<String>,
    /// Its lines with `\n` between them. Without, it is only about `id` or `retry`.
    pub data: Option<Vec<u8>>,
    /// Where to go on from, if the stream breaks.
    pub id: Option<String>,
    /// How many milliseconds to wait before it is tried again.
    pub retry: Option<u64>,
}

/// What came of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// An event.
    Event(Event),
    /// An event with more bytes than allowed, which is dropped.
    TooLong,
}

/// Bytes on their way to events.
#[derive(Debug)]
pub struct Parser {
    limit: usize,
    /// The line at hand, without its end.
    line: Vec<u8>,
    event: Event,
    ready: VecDeque<Read>,
    /// Nothing came yet but perhaps a part of the first line, which may begin with a byte order mark.
    is_first_line: bool,
    /// A `\n` that comes now belongs to the `\r` before it.
    after_return: bool,
    /// The event at hand was too long; what still comes of it is dropped.
    dropping: bool,
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Parser {
    /// Events of at most `limit` bytes.
    pub fn new(limit: usize) -> Parser {
        Parser {
            limit,
            line: Vec::new(),
            event: Event::default(),
            ready: VecDeque::new(),
            is_first_line: true,
            after_return: false,
            dropping: false,
        }
    }

    /// Takes what came. Take out all events before more is pushed, so that no more than one event is kept.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if self.after_return && !rest.is_empty() {
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            self.after_return = false;
        }
        while let Some(end) = memchr::memchr2(b'\n', b'\r', rest) {
            let (line, ending) = rest.split_at(end);
            self.extend(line);
            self.end_line();
            rest = match ending {
                [b'\r', b'\n', rest @ ..] | [_, rest @ ..] => rest,
                [] => ending,
            };
            self.after_return = ending == b"\r";
        }
        self.extend(rest);
    }

    /// The next event, if all of it came. What has no empty line behind it when the stream ends is no event.
    pub fn next_event(&mut self) -> Option<Read> {
        self.ready.pop_front()
    }

    /// How many bytes are kept of an event that is not over yet.
    pub fn held(&self) -> usize {
        self.line.len() + self.event.size()
    }

    fn extend(&mut self, part: &[u8]) {
        if self.dropping {
            // Only whether the line is empty still matters.
            self.line.extend(part.iter().take(1));
            self.line.truncate(1);
            return;
        }
        self.line.extend_from_slice(part);
        if self.held() > self.limit {
            self.dropping = true;
            self.event = Event::default();
            self.line.truncate(1);
            self.ready.push_back(Read::TooLong);
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let line = match std::mem::replace(&mut self.is_first_line, false) {
            true => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line),
            false => &line,
        };
        match (line.is_empty(), self.dropping) {
            (true, true) => self.dropping = false,
            (true, false) => self.dispatch(),
            (false, true) => {}
            (false, false) => self.field(line),
        }
    }

    fn field(&mut self, line: &[u8]) {
        let (name, value) = match memchr::memchr(b':', line) {
            Some(colon) => {
                let (name, value) = line.split_at(colon);
                let value = value.get(1..).unwrap_or_default();
                (name, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, [].as_slice()),
        };
        match name {
            b"data" => match &mut self.event.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                none => *none = Some(value.to_vec()),
            },
            b"event" => self.event.name = Some(String::from_utf8_lossy(value).into_owned()),
            b"id" if !value.contains(&0) => {
                self.event.id = Some(String::from_utf8_lossy(value).into_owned());
            }
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                self.event.retry = str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
            }
            // Comments, and what nobody knows.
            _ => {}
        }
    }

    fn dispatch(&mut self) {
        let event = std::mem::take(&mut self.event);
        if event.data.is_some() || event.id.is_some() || event.retry.is_some() {
            self.ready.push_back(Read::Event(event));
        }
    }
}

impl Event {
    /// A message.
    pub fn message(data: impl Into<Vec<u8>>) -> Event {
        Event { name: Some("message".to_owned()), data: Some(data.into()), ..Event::default() }
    }

    /// Whether it carries a message, and not something else.
    pub fn is_message(&self) -> bool {
        self.data.is_some() && self.name.as_deref().is_none_or(|name| name.is_empty() || name == "message")
    }

    /// The event as it is sent. A line break in the data begins a new line of data; one in the name or the id would end
    /// it, and is left out, as is a NUL in the id, which would make receivers pass over it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.size() + 32);
        if let Some(name) = &self.name {
            put(&mut bytes, "event", name.replace(['\n', '\r'], "").as_bytes());
        }
        if let Some(id) = &self.id {
            put(&mut bytes, "id", id.replace(['\n', '\r', '\0'], "").as_bytes());
        }
        if let Some(retry) = self.retry {
            put(&mut bytes, "retry", retry.to_string().as_bytes());
        }
        let mut rest = self.data.as_deref();
        while let Some(data) = rest {
            let (line, behind) = data.split_at(memchr::memchr2(b'\n', b'\r', data).unwrap_or(data.len()));
            put(&mut bytes, "data", line);
            rest = behind.strip_prefix(b"\r\n").or_else(|| behind.get(1..));
        }
        bytes.push(b'\n');
        bytes
    }

    fn size(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        text(&self.name) + text(&self.id) + self.data.as_ref().map_or(0, Vec::len)
    }
}

/// A comment, which receivers pass over, so that nobody in between takes the stream for dead.
pub const KEEP_ALIVE: &[u8] = b":\n\n";

fn put(bytes: &mut Vec<u8>, name: &str, value: &[u8]) {
    bytes.extend_from_slice(name.as_bytes());
    bytes.extend_from_slice(b": ");
    bytes.extend_from_slice(value);
    bytes.push(b'\n');
}
