//! Messages as lines of a stream, as MCP over standard input and output sends them. No stream is read here: bytes are
//! pushed in and lines taken out.

/// So much is kept of a line that is too long: enough to tell what it was about.
const HEAD: usize = 512;

/// A line without its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The bytes of it, at least one.
    Text(Vec<u8>),
    /// It was longer than allowed and is dropped, up to its end.
    TooLong {
        /// How it begins.
        head: Vec<u8>,
    },
}

/// Bytes on their way to lines. A line ends with `\n` or `\r\n`; empty lines are passed over.
#[derive(Debug)]
pub struct Lines {
    limit: usize,
    buffer: Vec<u8>,
    /// Where in the buffer the next line begins.
    start: usize,
    /// Up to where no end of a line was found.
    searched: usize,
    /// The line at hand was too long; what still comes of it is dropped.
    dropping: bool,
}

impl Lines {
    /// Lines of at most `limit` bytes, their end not counted (but a `\r` before it is).
    pub fn new(limit: usize) -> Lines {
        Lines { limit, buffer: Vec::new(), start: 0, searched: 0, dropping: false }
    }

    /// Takes what came. Take out all lines before more is pushed, so that no more than one line is kept.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// The next line, if all of it came.
    pub fn next_line(&mut self) -> Option<Line> {
        loop {
            let unsearched = self.buffer.get(self.searched..).unwrap_or_default();
            let Some(offset) = memchr::memchr(b'\n', unsearched) else {
                return self.unfinished();
            };
            let end = self.searched + offset;
            let line = self.buffer.get(self.start..end).unwrap_or_default();
            let line = (!self.dropping).then(|| line_of(line, self.limit)).flatten();
            self.dropping = false;
            self.start = end + 1;
            self.searched = self.start;
            if line.is_some() {
                return line;
            }
        }
    }

    /// What came behind the last end of a line, when no more will come.
    pub fn finish(self) -> Option<Line> {
        match self.dropping {
            true => None,
            false => line_of(self.buffer.get(self.start..).unwrap_or_default(), self.limit),
        }
    }

    /// There is no end of a line in the buffer.
    fn unfinished(&mut self) -> Option<Line> {
        self.searched = self.buffer.len();
        let is_news = !self.dropping && self.buffer.len() - self.start > self.limit;
        let news = is_news.then(|| too_long(self.buffer.get(self.start..).unwrap_or_default(), self.limit));
        self.dropping |= is_news;
        if self.dropping {
            self.buffer.clear();
            (self.start, self.searched) = (0, 0);
        }
        news
    }
}

/// No more of it than is there for certain, however the stream was cut.
fn too_long(bytes: &[u8], limit: usize) -> Line {
    Line::TooLong { head: bytes.get(..limit.min(HEAD)).unwrap_or_default().to_vec() }
}

fn line_of(bytes: &[u8], limit: usize) -> Option<Line> {
    if bytes.len() > limit {
        return Some(too_long(bytes, limit));
    }
    match bytes.strip_suffix(b"\r").unwrap_or(bytes) {
        [] => None,
        bytes => Some(Line::Text(bytes.to_vec())),
    }
}
