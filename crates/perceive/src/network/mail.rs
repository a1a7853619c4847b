//! Mail recipients: from the text of an argument to addresses, all of them or none.
//!
//! Programs disagree about what lies beyond plain lists: which of two addresses counts, whether a comma in a comment
//! separates. A reader that guesses drops a recipient, and a dropped recipient is a leak nobody was asked about. So
//! everything that another reader could take for one more recipient is an error.

mod address;
mod tokens;

use std::collections::BTreeSet;

use super::{HostError, Note, add};
use crate::letters;
use tokens::{Token, Tokens};

/// More recipients than these are a mailing that somebody should look at.
const MOST_RECIPIENTS: usize = 1000;

/// Who gets a mail.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recipients {
    /// Their names (`mailto:ann@acme.com`), each once, in the order of the text.
    pub names: Vec<String>,
    /// What a person should know about the text.
    pub notes: Vec<Note>,
}

/// Why recipients cannot be told. The caller then assumes the worst.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MailError {
    /// Nobody is named.
    #[error("no recipient is named")]
    Nobody,
    /// More than are read.
    #[error("more than {MOST_RECIPIENTS} recipients")]
    TooMany,
    /// A line break or another control character, with which headers are forged.
    #[error("a control character among recipients; leave it out")]
    Control,
    /// A quote, comment, angle bracket or group that never ends, or ends without having begun.
    #[error("a quote, bracket or group that is not closed")]
    Unclosed,
    /// Another program could find other recipients here.
    #[error("programs disagree who is meant; write plain addresses")]
    Ambiguous,
    /// A quoted or encoded part before the `@`.
    #[error("a quoted or encoded mailbox; write a plain address")]
    Quoted,
    /// `%`, `!` or a route in the address, by which old servers pass mail on.
    #[error("an address that routes mail through another server")]
    Routed,
    /// A word that is no address.
    #[error("not a mail address")]
    NoAddress,
    /// A number instead of a domain.
    #[error("a mail domain is a name, not a number")]
    NumericDomain,
    /// The domain is no host.
    #[error(transparent)]
    Domain(#[from] HostError),
}

/// Reads recipients from one text or several, each with any number of addresses.
///
/// ```
/// # use portcullis_perceive::network::recipients;
/// let found = recipients(["Ann <ann@ACME.com>; bob@acme.com"])?;
/// assert_eq!(found.names, ["mailto:ann@acme.com", "mailto:bob@acme.com"]);
/// # Ok::<(), portcullis_perceive::network::MailError>(())
/// ```
pub fn recipients<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<Recipients, MailError> {
    let mut found = Recipients::default();
    let mut seen = BTreeSet::new();
    for text in texts {
        let mut list = List { notes: &mut found.notes, addresses: Vec::new(), in_group: false };
        list.read(text)?;
        for address in list.addresses {
            if seen.insert(address.clone()) {
                found.names.push(format!("mailto:{address}"));
            }
        }
        if seen.len() > MOST_RECIPIENTS {
            return Err(MailError::TooMany);
        }
    }
    if found.names.is_empty() { Err(MailError::Nobody) } else { Ok(found) }
}

/// A text in the middle of being read.
struct List<'n> {
    notes: &'n mut Vec<Note>,
    addresses: Vec<String>,
    in_group: bool,
}

/// What stands between two separators.
#[derive(Default)]
struct Entry {
    /// What stands outside quotes, comments and brackets.
    words: String,
    quoted: bool,
    bracketed: Option<String>,
}

impl Entry {
    fn is_empty(&self) -> bool {
        self.words.trim().is_empty() && !self.quoted && self.bracketed.is_none()
    }
}

impl List<'_> {
    fn read(&mut self, text: &str) -> Result<(), MailError> {
        let mut entry = Entry::default();
        for token in Tokens::new(text) {
            match token? {
                Token::Letter(letter) => {
                    if entry.bracketed.is_some() && !letter.is_whitespace() {
                        return Err(MailError::Ambiguous);
                    }
                    entry.words.push(letter);
                }
                Token::Quoted(content) => {
                    self.check_aside(&content)?;
                    if entry.bracketed.is_some() {
                        return Err(MailError::Ambiguous);
                    }
                    entry.quoted = true;
                }
                Token::Comment(content) => {
                    self.check_aside(&content)?;
                    entry.words.push(' ');
                }
                Token::Bracketed(content) => {
                    if entry.bracketed.replace(content).is_some() {
                        return Err(MailError::Ambiguous);
                    }
                }
                Token::Colon => self.open_group(std::mem::take(&mut entry))?,
                Token::Comma => self.finish(std::mem::take(&mut entry))?,
                Token::Semicolon => {
                    self.finish(std::mem::take(&mut entry))?;
                    self.in_group = false;
                }
            }
        }
        self.finish(entry)?;
        if self.in_group { Err(MailError::Unclosed) } else { Ok(()) }
    }

    /// Looks at what is said beside an address: a display name in quotes, or a comment.
    fn check_aside(&mut self, content: &str) -> Result<(), MailError> {
        if content.contains('@') {
            // To a reader that knows no quotes or comments, the address would stand alone between separators.
            if content.contains([',', ';', '<', '>', '\\', '"', '(', ')']) {
                return Err(MailError::Ambiguous);
            }
            add(self.notes, Note::AddressInName);
        }
        self.check_display(content);
        Ok(())
    }

    fn check_display(&mut self, content: &str) {
        if content.contains("=?") {
            add(self.notes, Note::EncodedWord);
        }
        // One is enough to say that something is hidden.
        if let Some(letter) = content.chars().find(|letter| letters::hides(*letter)) {
            add(self.notes, Note::Hidden(letter));
        }
    }

    /// `Team:`, after which members follow up to a semicolon.
    fn open_group(&mut self, name: Entry) -> Result<(), MailError> {
        if self.in_group || name.bracketed.is_some() || name.is_empty() || has_at(&name.words) {
            return Err(MailError::Ambiguous);
        }
        self.check_display(&name.words);
        self.in_group = true;
        Ok(())
    }

    fn finish(&mut self, entry: Entry) -> Result<(), MailError> {
        if entry.is_empty() {
            return Ok(());
        }
        let address = match &entry.bracketed {
            Some(_) if has_at(&entry.words) => return Err(MailError::Ambiguous),
            Some(address) => {
                self.check_display(&entry.words);
                address.trim()
            }
            None if entry.quoted => return Err(MailError::Quoted),
            None => entry.words.trim(),
        };
        if self.addresses.len() >= MOST_RECIPIENTS {
            return Err(MailError::TooMany);
        }
        self.addresses.push(address::canonical(address, self.notes)?);
        Ok(())
    }
}

/// Whether a text has an `@`, or a character that some programs turn into one.
fn has_at(text: &str) -> bool {
    text.contains(['@', '\u{ff20}', '\u{fe6b}'])
}
