//! One bare address: a mailbox, `@`, a domain.

use unicode_normalization::is_nfc;

use super::MailError;
use crate::letters;
use crate::network::{Host, Note, add};

/// Longer than any mailbox that is in use; the standard says 64.
const LONGEST_MAILBOX: usize = 255;

/// Characters beyond ASCII that some programs read as `@`, a comma or a semicolon.
const MORE_SIGNS: [char; 12] = [
    '\u{ff20}', '\u{fe6b}', '\u{ff0c}', '\u{fe50}', '\u{3001}', '\u{ff64}', '\u{60c}', '\u{ff1b}',
    '\u{fe54}', '\u{37e}', '\u{61b}', '\u{fe10}',
];

/// The address in lower case, its domain in ASCII. In theory a server may tell mailboxes apart by case; in practice mail is
/// delivered alike, and a deny on an address must hold for every spelling of it.
pub(super) fn canonical(text: &str, notes: &mut Vec<Note>) -> Result<String, MailError> {
    let (mailbox, domain) = text.split_once('@').ok_or(MailError::NoAddress)?;
    if domain.contains('@') || text.contains(MORE_SIGNS) {
        return Err(MailError::Ambiguous);
    }
    check_mailbox(mailbox, notes)?;
    // Escapes mean nothing in mail, and brackets hold an address by number.
    if domain.starts_with('[') {
        return Err(MailError::NumericDomain);
    }
    if domain.contains(['%', '*']) || domain.contains(char::is_whitespace) {
        return Err(MailError::NoAddress);
    }
    match Host::read(domain, notes)? {
        Host::Domain(domain) => {
            let mailbox: String = mailbox.chars().flat_map(char::to_lowercase).collect();
            Ok(format!("{mailbox}@{domain}"))
        }
        Host::V4(_) | Host::V6(_) => Err(MailError::NumericDomain),
    }
}

fn check_mailbox(mailbox: &str, notes: &mut Vec<Note>) -> Result<(), MailError> {
    if mailbox.is_empty() || mailbox.len() > LONGEST_MAILBOX {
        return Err(MailError::NoAddress);
    }
    if mailbox.contains(['%', '!']) {
        return Err(MailError::Routed);
    }
    // Mail programs have been found to decode these here, and to send elsewhere than was checked.
    if mailbox.contains("=?") {
        return Err(MailError::Quoted);
    }
    let plain = |letter: char| match letter {
        '#' | '$' | '&' | '\'' | '*' | '+' | '-' | '=' | '?' | '^' | '_' | '`' | '{' | '|' | '}' | '~'
        | '.' => true,
        _ if letter.is_ascii() => letter.is_ascii_alphanumeric(),
        _ => {
            !letters::hides(letter) && !letter.is_whitespace() && letters::looks_like_syntax(letter).is_none()
        }
    };
    let dots_stand_between = mailbox.split('.').all(|part| !part.is_empty());
    if !mailbox.chars().all(plain) || !dots_stand_between {
        return Err(MailError::NoAddress);
    }
    if !mailbox.is_ascii() {
        if !is_nfc(mailbox) {
            return Err(MailError::Ambiguous);
        }
        add(notes, Note::InternationalMailbox);
    }
    Ok(())
}
