//! From text to tape: one loop, no recursion.

use super::error::{JsonError, Problem, shown};
use super::keys::Keys;
use super::{DEEPEST, Kind, Limits, Slot, number, string};

/// The container around the outermost value.
const NONE: u32 = u32::MAX;
/// So many bytes of text for a node are expected; a wrong guess costs a larger allocation or one more.
const BYTES_OF_A_NODE: usize = 8;
const MOST_EXPECTED: usize = 4096;

/// What may come next.
enum State {
    Value,
    /// Behind `[`.
    ItemOrEnd,
    /// Behind `{`.
    KeyOrEnd,
    /// Behind a comma in an object.
    Key,
    /// Behind a value.
    AfterValue,
}

pub(super) struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    limits: &'t Limits,
    at: usize,
    tape: Vec<Slot>,
    /// The innermost container that is not closed.
    open: u32,
    depth: usize,
    keys: Keys,
}

impl<'t> Parser<'t> {
    /// A parser of a text whose positions fit into 32 bits.
    pub(super) fn new(text: &'t str, limits: &'t Limits) -> Parser<'t> {
        let expected = (text.len() / BYTES_OF_A_NODE).clamp(4, MOST_EXPECTED);
        Parser {
            text,
            bytes: text.as_bytes(),
            limits,
            at: 0,
            tape: Vec::with_capacity(expected),
            open: NONE,
            depth: 0,
            keys: Keys::default(),
        }
    }

    pub(super) fn run(mut self) -> Result<Vec<Slot>, JsonError> {
        if self.text.starts_with('\u{feff}') {
            return Err(self.error(Problem::ByteOrderMark));
        }
        let mut state = State::Value;
        loop {
            self.skip_space();
            state = match (state, self.bytes.get(self.at)) {
                (State::AfterValue, byte) if self.open == NONE => match byte {
                    None => return Ok(self.tape),
                    Some(_) => return Err(self.error(Problem::TrailingText)),
                },
                (_, None) => return Err(self.error(Problem::Ends)),
                (State::ItemOrEnd, Some(b']')) | (State::KeyOrEnd, Some(b'}')) => self.close()?,
                (State::Value | State::ItemOrEnd, Some(byte)) => self.value(*byte)?,
                (State::KeyOrEnd | State::Key, Some(b'"')) => self.key()?,
                (State::KeyOrEnd, Some(_)) => return Err(self.expected("a key in quotes, or `}`")),
                (State::Key, Some(_)) => return Err(self.expected("a key in quotes")),
                (State::AfterValue, Some(byte)) => self.after_value(*byte)?,
            };
        }
    }

    fn value(&mut self, byte: u8) -> Result<State, JsonError> {
        match byte {
            b'"' => self.string()?,
            b'{' => return self.open(Kind::Object, State::KeyOrEnd),
            b'[' => return self.open(Kind::Array, State::ItemOrEnd),
            b'-' | b'0'..=b'9' => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let length = number::scan(rest).map_err(|problem| self.inside(problem))?;
                self.push(Kind::Number, length, false)?;
            }
            b't' => self.literal("true", Kind::Bool)?,
            b'f' => self.literal("false", Kind::Bool)?,
            b'n' => self.literal("null", Kind::Null)?,
            _ => return Err(self.expected("a value")),
        }
        Ok(State::AfterValue)
    }

    fn after_value(&mut self, byte: u8) -> Result<State, JsonError> {
        let kind = self.tape.get(self.open as usize).map(|slot| slot.kind);
        match (kind, byte) {
            (Some(Kind::Object), b',') => {
                self.at += 1;
                Ok(State::Key)
            }
            (Some(Kind::Object), b'}') => self.close(),
            (Some(Kind::Object), _) => Err(self.expected("`,` or `}`")),
            (_, b',') => {
                self.at += 1;
                Ok(State::Value)
            }
            (_, b']') => self.close(),
            _ => Err(self.expected("`,` or `]`")),
        }
    }

    fn key(&mut self) -> Result<State, JsonError> {
        self.string()?;
        self.skip_space();
        match self.bytes.get(self.at) {
            Some(b':') => {
                self.at += 1;
                Ok(State::Value)
            }
            Some(_) => Err(self.expected("`:`")),
            None => Err(self.error(Problem::Ends)),
        }
    }

    fn string(&mut self) -> Result<(), JsonError> {
        let rest = self.bytes.get(self.at + 1..).unwrap_or_default();
        let scanned = string::scan(rest).map_err(|(offset, problem)| self.inside((offset + 1, problem)))?;
        self.push(Kind::String, scanned.length + 2, scanned.escaped)
    }

    fn literal(&mut self, word: &'static str, kind: Kind) -> Result<(), JsonError> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.starts_with(word.as_bytes()) {
            true => self.push(kind, word.len(), false),
            false if word.as_bytes().starts_with(rest) => {
                self.at = self.bytes.len();
                Err(self.error(Problem::Ends))
            }
            false => Err(self.expected("`true`, `false` or `null`")),
        }
    }

    fn push(&mut self, kind: Kind, length: usize, escaped: bool) -> Result<(), JsonError> {
        self.has_room()?;
        let (start, end) = (self.at as u32, (self.at + length) as u32);
        self.tape.push(Slot { start, end, next: self.tape.len() as u32 + 1, kind, escaped });
        self.at += length;
        Ok(())
    }

    fn open(&mut self, kind: Kind, state: State) -> Result<State, JsonError> {
        self.has_room()?;
        let limit = self.limits.depth.min(DEEPEST);
        if self.depth == limit {
            return Err(self.error(Problem::TooDeep { limit }));
        }
        self.depth += 1;
        let start = self.at as u32;
        self.tape.push(Slot { start, end: start, next: self.open, kind, escaped: false });
        self.open = self.tape.len() as u32 - 1;
        self.at += 1;
        Ok(state)
    }

    fn close(&mut self) -> Result<State, JsonError> {
        self.at += 1;
        self.depth -= 1;
        let (end, next) = (self.at as u32, self.tape.len() as u32);
        let index = self.open;
        if let Some(slot) = self.tape.get_mut(index as usize) {
            self.open = slot.next;
            slot.end = end;
            slot.next = next;
            if slot.kind == Kind::Object {
                self.check_keys(index, next)?;
            }
        }
        Ok(State::AfterValue)
    }

    fn check_keys(&mut self, object: u32, end: u32) -> Result<(), JsonError> {
        let mut index = object + 1;
        if self.tape.get(index as usize + 1).is_none_or(|value| value.next == end) {
            // None, or one alone.
            return Ok(());
        }
        self.keys.clear();
        while index < end {
            let (Some(key), Some(value)) = (self.tape.get(index as usize), self.tape.get(index as usize + 1))
            else {
                break;
            };
            self.keys.add(self.text, index, *key);
            index = value.next;
        }
        match self.keys.duplicate(self.text) {
            None => Ok(()),
            Some((index, key)) => {
                let at = self.tape.get(index as usize).map_or(0, |slot| slot.start as usize);
                Err(JsonError { at, problem: Problem::DuplicateKey { key: shown(key) } })
            }
        }
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn has_room(&self) -> Result<(), JsonError> {
        match self.tape.len() < self.limits.nodes {
            true => Ok(()),
            false => Err(self.error(Problem::TooManyNodes { limit: self.limits.nodes })),
        }
    }

    fn expected(&self, expected: &'static str) -> JsonError {
        self.error(Problem::Expected { expected })
    }

    fn error(&self, problem: Problem) -> JsonError {
        JsonError { at: self.at, problem }
    }

    fn inside(&self, (offset, problem): (usize, Problem)) -> JsonError {
        JsonError { at: self.at + offset, problem }
    }
}
