//! Paths as Windows reads them: drives, shares, `\` and `/`, and names that mean something else than they say.

use std::borrow::Cow;

use super::{Note, Notes, PathError, Place, Start};
use crate::network::{Host, climbs_for_some, escaped_path};

/// Names that are devices in every folder, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Reads a path. `root` is that of the working directory, for paths that begin with one `\`.
pub(super) fn read(text: &str, root: Option<&str>, notes: &mut Notes) -> Result<Place<'static>, PathError> {
    let slashed = text.replace('/', "\\");
    if let Some(rest) = slashed.strip_prefix(r"\\?\") {
        notes.add(Note::Verbatim);
        // Nothing is tidied after this prefix: `/` is part of a name there, and `..` is one.
        let tidy = |part: &str| !matches!(part, "." | "..") && !part.ends_with(['.', ' ']);
        if text.contains('/') || !rest.split('\\').all(tidy) {
            return Err(PathError::AmbiguousWindows);
        }
        return match rest.split_once('\\') {
            Some((unc, share)) if unc.eq_ignore_ascii_case("unc") => share_at(share, notes),
            _ => drive(rest, notes)?.ok_or(PathError::Device),
        };
    }
    if slashed.starts_with(r"\\.\") || slashed.starts_with(r"\??\") || slashed == r"\\." || slashed == r"\\?"
    {
        return Err(PathError::Device);
    }
    if let Some(share) = slashed.strip_prefix(r"\\") {
        return share_at(share, notes);
    }
    if let Some(place) = drive(&slashed, notes)? {
        return Ok(place);
    }
    match slashed.strip_prefix('\\') {
        None => Ok(Place {
            start: Start::Folder,
            root: root.unwrap_or_default().to_owned(),
            parts: parts(&slashed, notes)?,
        }),
        Some(rest) => match canonical_drive(rest) {
            true => drive(&format!("{rest}\\"), notes)?.ok_or(PathError::DriveRelative),
            false => {
                let root = root.ok_or(PathError::RelativeBase)?.to_owned();
                Ok(Place { start: Start::Root, root, parts: parts(rest, notes)? })
            }
        },
    }
}

/// Whether the text after the first slash is one of our own names: `C:` or `C:\x`.
fn canonical_drive(rest: &str) -> bool {
    let mut letters = rest.chars();
    letters.next().is_some_and(|letter| letter.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && letters.next().is_none_or(|letter| letter == '\\')
}

/// `C:\x` from the root of its drive.
fn drive(text: &str, notes: &mut Notes) -> Result<Option<Place<'static>>, PathError> {
    let mut letters = text.chars();
    let letter = match (letters.next(), letters.next()) {
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic() => letter.to_ascii_uppercase(),
        _ => return Ok(None),
    };
    let rest = letters.as_str().strip_prefix('\\').ok_or(PathError::DriveRelative)?;
    Ok(Some(Place { start: Start::Root, root: format!("/{letter}:"), parts: parts(rest, notes)? }))
}

/// `server\share\x`, from the root of the share.
fn share_at(text: &str, notes: &mut Notes) -> Result<Place<'static>, PathError> {
    let (server, rest) = text.split_once('\\').ok_or(PathError::BadShare)?;
    let (share, rest) = rest.split_once('\\').unwrap_or((rest, ""));
    // Escapes are for URLs: here a percent sign would be one.
    if server.contains('%') {
        return Err(PathError::BadShare);
    }
    let host = Host::parse(server).map_err(|_| PathError::BadShare)?;
    if share.is_empty() || matches!(share, "." | "..") || share.contains(':') || share.ends_with(['.', ' ']) {
        return Err(PathError::BadShare);
    }
    // `C$` and `ADMIN$` are folders of the machine that serves them.
    if host.is_this_machine() && share.ends_with('$') {
        return Err(PathError::DriveShare);
    }
    Ok(Place { start: Start::Root, root: format!("//{host}/{share}"), parts: parts(rest, notes)? })
}

fn parts(text: &str, notes: &mut Notes) -> Result<Vec<Cow<'static, str>>, PathError> {
    let named = text.split('\\').filter(|part| !part.is_empty() && *part != ".");
    named
        .map(|part| if part == ".." { Ok(Cow::Borrowed("..")) } else { segment(part, notes).map(Cow::Owned) })
        .collect()
}

/// A segment as Windows understands it: without a data stream, without dots and spaces at the end.
fn segment(part: &str, notes: &mut Notes) -> Result<String, PathError> {
    let name = part.split_once(':').map_or(part, |(name, _)| name);
    if name.len() != part.len() {
        notes.add(Note::Stream);
    }
    let kept = name.trim_end_matches(['.', ' ']);
    if kept.len() != name.len() {
        notes.add(Note::TrailingDots);
    }
    if kept.is_empty() {
        return Err(PathError::AmbiguousWindows);
    }
    let stem = kept.split_once('.').map_or(kept, |(stem, _)| stem);
    if is_device(stem.trim_end()) {
        return Err(PathError::Device);
    }
    if is_short(stem) {
        notes.add(Note::ShortName);
    }
    Ok(kept.to_owned())
}

fn is_device(stem: &str) -> bool {
    let stem = stem.to_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let numbered = port.is_some_and(|number| {
        let mut digits = number.chars();
        matches!(digits.next(), Some('0'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
    });
    numbered || DEVICES.contains(&stem.as_str())
}

/// `PROGRA~1`: at most eight characters that end in a tilde and a number.
fn is_short(stem: &str) -> bool {
    let Some((name, number)) = stem.rsplit_once('~') else { return false };
    let digits = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    !name.is_empty() && digits && stem.chars().count() <= 8
}

/// The name of a place in a share: `smb://server/share/folder`. It reads as a URL, so what cannot stand in one is
/// escaped.
pub(super) fn share_name(share: &str) -> Result<String, PathError> {
    let (host, path) = share.split_once('/').ok_or(PathError::BadShare)?;
    if path.split('/').any(|part| climbs_for_some(part.as_bytes())) {
        return Err(PathError::AmbiguousWindows);
    }
    Ok(format!("smb://{host}{}", escaped_path(path.split('/'))))
}
