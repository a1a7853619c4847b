//! The log as JSON Lines, and its verification without a store.
//!
//! The first line says which chain it is and behind which entry it begins, the last where it ends; each line between is
//! an entry. Bodies stand there as they were written, letter by letter, for their hash is over their letters.

use std::io::{self, BufRead, BufWriter, Read, Write};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::audit::entry::{ChainId, Entry, Head, LONGEST_BODY, NewEntry};
use crate::audit::verify::{PIECE, Progress, each_entry};
use crate::audit::walk::{Broken, Fault, Walk};
use crate::error::StoreError;
use crate::store::Store;

/// The form of an export that is written and read here.
const FORM: u32 = 1;
/// Longer lines are not read: an entry with the longest body fits.
const LONGEST_LINE: u64 = LONGEST_BODY as u64 + 1_024;

/// Why an export was not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output took no more.
    #[error("the export cannot be written: {0}")]
    Output(#[from] io::Error),
    /// It was to begin behind an entry that is not there.
    #[error("the log has no entry {0} to begin behind")]
    NoSuchStart(u64),
}

/// Why an export cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum ReadExportError {
    /// It cannot be read.
    #[error("the export cannot be read: {0}")]
    Input(#[from] io::Error),
    /// A line is not one of an export.
    #[error("line {line} of the export is not understood: {why}")]
    Line {
        /// Its number, from 1.
        line: u64,
        /// What is wrong, without its content.
        why: &'static str,
    },
    /// It stops before its end.
    #[error("the export stops in the middle: its last line has to say where the log ends")]
    Unfinished,
    /// The entries are not what they were.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// It begins behind the head that was noted, so it says nothing about it.
    #[error("the export begins behind entry {start} and cannot show that entry {noted} is as it was noted")]
    BeginsLater {
        /// Where it begins.
        start: u64,
        /// What was noted.
        noted: u64,
    },
}

/// An export in which every entry is in its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerifiedExport {
    /// The chain.
    pub chain: ChainId,
    /// Behind which place it begins.
    pub after: Head,
    /// Where it ends.
    pub head: Head,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    portcullis_audit: u32,
    chain: String,
    after: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Closing {
    head: String,
}

#[derive(Serialize)]
struct WrittenEntry<'e> {
    sequence: u64,
    time: String,
    session: Option<String>,
    kind: &'e str,
    body: &'e RawValue,
    previous: String,
    hash: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadEntry {
    sequence: u64,
    time: String,
    session: Option<String>,
    kind: String,
    body: Box<RawValue>,
    previous: String,
    hash: String,
}

/// Writes the log behind an entry (0: all of it), as it is now.
pub(crate) fn export(
    store: &(impl Store + ?Sized),
    after: u64,
    output: &mut dyn Write,
    progress: &mut dyn FnMut(Progress),
) -> Result<Head, ExportError> {
    let (chain, end) = (store.chain()?, store.head()?);
    let start = match after {
        0 => chain.beginning(),
        _ => store.entry(after)?.ok_or(ExportError::NoSuchStart(after))?.head(),
    };
    let mut output = BufWriter::new(output);
    let opening = Opening { portcullis_audit: FORM, chain: chain.to_string(), after: start.to_string() };
    line(&mut output, &opening)?;
    let of = number_of_entries(start, end);
    each_entry(store, start, end, &mut |entry| {
        line(&mut output, &written(entry)?)?;
        let done = entry.sequence.saturating_sub(start.sequence);
        if done.is_multiple_of(u64::from(PIECE)) {
            progress(Progress { done, of });
        }
        Ok::<(), ExportError>(())
    })?;
    line(&mut output, &Closing { head: end.to_string() })?;
    output.flush()?;
    progress(Progress { done: of, of });
    Ok(end)
}

fn number_of_entries(start: Head, end: Head) -> u64 {
    end.sequence.saturating_sub(start.sequence)
}

fn written(entry: &Entry) -> Result<WrittenEntry<'_>, StoreError> {
    let damaged = |_| StoreError::Damaged(format!("the body of entry {} is no JSON", entry.sequence));
    Ok(WrittenEntry {
        sequence: entry.sequence,
        time: entry.time.to_string(),
        session: entry.session.map(|session| session.to_string()),
        kind: &entry.kind,
        body: serde_json::from_str(&entry.body).map_err(damaged)?,
        previous: entry.previous.to_string(),
        hash: entry.hash.to_string(),
    })
}

fn line(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, value)?;
    output.write_all(b"\n")
}

/// Reads an export and checks every entry of it, as [`Store::verify`] does with a store. A head that was noted elsewhere
/// has to be in it.
pub fn verify_export(
    input: &mut dyn BufRead,
    noted: Option<Head>,
) -> Result<VerifiedExport, ReadExportError> {
    read_export(input, noted, &mut |_| ())
}

/// The same, with each entry handed on once it is found in its place. What was handed on counts only if all of it was
/// verified: an entry that is missing at the end is found last.
pub fn read_export(
    input: &mut dyn BufRead,
    noted: Option<Head>,
    each: &mut dyn FnMut(&Entry),
) -> Result<VerifiedExport, ReadExportError> {
    let mut lines = Lines { input, number: 0, text: String::new() };
    let (chain, after) = opening(&mut lines)?;
    if let Some(noted) = noted.filter(|noted| noted.sequence < after.sequence) {
        return Err(ReadExportError::BeginsLater { start: after.sequence, noted: noted.sequence });
    }
    if after.sequence == 0 && after != chain.beginning() {
        return Err(Broken { sequence: 0, fault: Fault::Changed }.into());
    }
    let mut walk = Walk::new(after, noted)?;
    loop {
        let Some(text) = lines.next()? else { return Err(ReadExportError::Unfinished) };
        if let Ok(closing) = serde_json::from_str::<Closing>(text) {
            let head: Head = closing.head.parse().map_err(|_| lines.wrong("its head is none"))?;
            return match lines.next()? {
                Some(_) => Err(lines.wrong("it stands behind the end")),
                None => {
                    walk.end(head)?;
                    Ok(VerifiedExport { chain, after, head })
                }
            };
        }
        let entry = read_entry(text).map_err(|why| lines.wrong(why))?;
        walk.step(&entry)?;
        each(&entry);
    }
}

fn opening(lines: &mut Lines<'_>) -> Result<(ChainId, Head), ReadExportError> {
    let Some(text) = lines.next()? else { return Err(ReadExportError::Unfinished) };
    let Ok(opening) = serde_json::from_str::<Opening>(text) else {
        return Err(lines.wrong("it does not begin as an export does"));
    };
    if opening.portcullis_audit != FORM {
        return Err(lines.wrong("it is an export of another form, perhaps of a newer version"));
    }
    let chain = opening.chain.parse().map_err(|_| lines.wrong("its chain is none"))?;
    let after = opening.after.parse().map_err(|_| lines.wrong("its start is none"))?;
    Ok((chain, after))
}

/// An entry, if it is one that could have been exported: one value has one spelling.
fn read_entry(text: &str) -> Result<Entry, &'static str> {
    let read: ReadEntry = serde_json::from_str(text).map_err(|_| "it is no entry")?;
    let time: Timestamp = read.time.parse().map_err(|_| "its time is none")?;
    let truncated = Timestamp::from_microsecond(time.as_microsecond()).map_err(|_| "its time is none")?;
    if truncated.to_string() != read.time {
        return Err("its time is not written as it is here");
    }
    let session =
        read.session.map(|session| session.parse()).transpose().map_err(|_| "its session is none")?;
    let new = NewEntry::new(&read.kind, read.body.get()).map_err(|_| "its kind or body is none")?;
    Ok(Entry {
        sequence: read.sequence,
        time,
        session,
        kind: new.kind().to_owned(),
        body: new.body().to_owned(),
        previous: read.previous.parse().map_err(|_| "its previous hash is none")?,
        hash: read.hash.parse().map_err(|_| "its hash is none")?,
    })
}

struct Lines<'i> {
    input: &'i mut dyn BufRead,
    number: u64,
    text: String,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Option<&str>, ReadExportError> {
        self.text.clear();
        self.number = self.number.saturating_add(1);
        let mut bounded = (&mut *self.input).take(LONGEST_LINE);
        if bounded.read_line(&mut self.text)? == 0 {
            return Ok(None);
        }
        match self.text.strip_suffix('\n') {
            Some(line) => Ok(Some(line)),
            None if self.text.len() as u64 == LONGEST_LINE => Err(self.wrong("it is too long")),
            None => Err(ReadExportError::Unfinished),
        }
    }

    fn wrong(&self, why: &'static str) -> ReadExportError {
        ReadExportError::Line { line: self.number, why }
    }
}
