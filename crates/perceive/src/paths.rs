//! Paths: from the text of an argument to the canonical name of a place on this machine.
//!
//! The name is what the lattice takes: `/` and segments. On Windows a drive is the first segment, `/C:/Users/u`, so
//! that containment by segment holds as it does elsewhere; a share is no place of this machine and is named
//! `smb://server/share/folder`, which makes it a place on the network. Where the platform ignores case, the whole name
//! is in lower case (`/c:/users/u`), and whoever writes rules for such a platform names their places through
//! [`name`] too.
//!
//! Nothing is looked up on a disk here. A [`Resolver`] that the caller brings says which places are links.

mod file_url;
mod glob;
mod unix;
mod walk;
mod windows;

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::letters;

pub use glob::{Glob, glob};
pub use walk::{Found, NoLinks, Resolver};

/// The longest text that is taken for a path, in bytes: what Windows takes at most, and eight times what Linux does.
pub const LONGEST_PATH: usize = 32_767;

/// How paths are written on a platform.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// One root, `/` between segments, every other character part of a name.
    Unix,
    /// Drives and shares, `\` or `/` between segments.
    Windows,
}

/// Whether a platform tells upper from lower case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    /// `A` and `a` are two files.
    Kept,
    /// `A` and `a` are one file, as Windows and macOS have it by default.
    Folded,
}

/// Where a path is read: what a relative one starts from, and how the platform reads it.
#[derive(Clone, Copy, Debug)]
pub struct Base<'b> {
    /// The working directory of the server that gets the argument; absolute.
    pub folder: &'b str,
    /// What `~` stands for; absolute.
    pub home: Option<&'b str>,
    /// How paths are written.
    pub family: Family,
    /// Whether case counts.
    pub case: Case,
}

/// A path with its canonical name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// The name, as `portcullis_lattice::Resource` takes it.
    pub name: String,
    /// What was done to find it, and what a person should know about the text.
    pub notes: Vec<Note>,
}

/// Something about a path that its name does not say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Note {
    /// `~` was replaced by the home folder. A server that does not do this takes it for a folder of that name.
    Home,
    /// The text was a `file:` URL.
    Url,
    /// A link was followed. This is the link itself, which is what deleting or replacing it would touch.
    Link {
        /// The canonical name of the link.
        at: String,
    },
    /// `..` comes after a link, and programs disagree: this is the name for those that read it the other way (the
    /// kernel's way on Windows, the textual way elsewhere). Whoever wants to be sure counts both.
    OtherReading {
        /// The other canonical name.
        name: String,
    },
    /// A character that cannot be seen, or that moves what is seen.
    Hidden(char),
    /// A character that looks like one of path syntax but is part of the name.
    LooksLike {
        /// The character in the text.
        letter: char,
        /// What it looks like.
        syntax: char,
    },
    /// The name is not in composed form (NFC), and another spelling of it looks the same. Most systems take the two for
    /// two files, macOS for one: there, whoever wants to be sure counts both.
    Decomposed {
        /// The name in composed form.
        composed: String,
    },
    /// White space at the beginning or end, which some programs drop.
    OuterSpace,
    /// On Unix: the text is written like a Windows path, and names a file with `\` or `:` in its name.
    WindowsForm,
    /// On Windows: the text began with `\\?\`, which switches off the usual reading.
    Verbatim,
    /// On Windows: a data stream of the named file (`a.txt:stream`).
    Stream,
    /// On Windows: dots or spaces at the end of a segment, which the system drops.
    TrailingDots,
    /// On Windows: a segment that looks like the short form (`PROGRA~1`) of a longer name.
    ShortName,
    /// On Windows: a share of another machine.
    Remote,
}

impl Note {
    /// Whether the text is one that an honest caller has little reason to write.
    pub fn is_suspicious(&self) -> bool {
        match self {
            Note::Home | Note::Url | Note::Link { .. } | Note::Remote | Note::Decomposed { .. } => false,
            Note::OtherReading { .. }
            | Note::Hidden(_)
            | Note::LooksLike { .. }
            | Note::OuterSpace
            | Note::WindowsForm
            | Note::Verbatim
            | Note::Stream
            | Note::TrailingDots
            | Note::ShortName => true,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Home => f.write_str("`~` was read as the home folder"),
            Note::Url => f.write_str("a `file:` URL was read as a path"),
            Note::Link { .. } => f.write_str("a link was followed"),
            Note::OtherReading { .. } => f.write_str("`..` after a link: programs disagree where it leads"),
            Note::Hidden(letter) => write!(f, "the invisible character U+{:04X}", u32::from(*letter)),
            Note::LooksLike { letter, syntax } => {
                write!(f, "the character U+{:04X}, which looks like `{syntax}`", u32::from(*letter))
            }
            Note::Decomposed { .. } => f.write_str("another spelling of the name looks the same"),
            Note::OuterSpace => f.write_str("white space around the path"),
            Note::WindowsForm => f.write_str("written like a Windows path"),
            Note::Verbatim => f.write_str("written in the verbatim form of Windows"),
            Note::Stream => f.write_str("a data stream of a file"),
            Note::TrailingDots => f.write_str("dots or spaces at the end of a name, which Windows drops"),
            Note::ShortName => f.write_str("looks like the short form of a longer name"),
            Note::Remote => f.write_str("a share of another machine"),
        }
    }
}

/// Why a path cannot be named. The caller then assumes the worst.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathError {
    /// There is no text.
    #[error("an empty path names nothing")]
    Empty,
    /// No system opens a path of this length.
    #[error("the path is longer than any system takes")]
    TooLong,
    /// A NUL ends the path for some programs and not for others.
    #[error("a NUL character in a path; leave it out")]
    Nul,
    /// `~user`, `~+` and the like: only a shell on that machine knows.
    #[error("`~` with a name after it is known to a shell alone; write the folder out")]
    OtherHome,
    /// `~` where the home folder is not known.
    #[error("`~` where the home folder is not known; write the folder out")]
    NoHome,
    /// The working or home folder of the base is not absolute.
    #[error("the folder that paths start from is not absolute")]
    RelativeBase,
    /// A `file:` URL on another host.
    #[error("a `file:` URL of another host")]
    OtherHost,
    /// A `file:` URL that programs read differently: a query, a fragment, `\`, no slash after the colon.
    #[error("a `file:` URL that programs read differently; write the path")]
    AmbiguousUrl,
    /// Escapes of a URL that do not give text.
    #[error("escapes in a `file:` URL that give no text")]
    BadEscape,
    /// Links that lead to links, more often than systems follow them.
    #[error("too many links, perhaps in a circle")]
    TooManyLinks,
    /// The resolver could not look.
    #[error("whether a part of the path is a link cannot be seen")]
    Unseen,
    /// `C:x` depends on a working directory for each drive.
    #[error("a path relative to a drive; write it from the root, as `C:\\x`")]
    DriveRelative,
    /// A device, pipe or volume by its number: no file with a name.
    #[error("a device is no file")]
    Device,
    /// A share without a server or a name, or with a server that is no host.
    #[error("a share is written `\\\\server\\share`")]
    BadShare,
    /// `\\localhost\C$`: a drive of this machine in disguise.
    #[error("a drive of this machine, written as a share; write the drive")]
    DriveShare,
    /// A form that Windows reads in a way of its own, such as `..` after `\\?\` or a segment of dots alone.
    #[error("a path that Windows and other programs read differently")]
    AmbiguousWindows,
}

/// Names the place that a path argument means.
///
/// ```
/// # use portcullis_perceive::paths::{self, Base, Case, Family, NoLinks};
/// let base = Base { folder: "/home/u/p", home: Some("/home/u"), family: Family::Unix, case: Case::Kept };
/// assert_eq!(paths::name("src/../../.ssh", &base, &NoLinks)?.name, "/home/u/.ssh");
/// # Ok::<(), paths::PathError>(())
/// ```
pub fn name(text: &str, base: &Base<'_>, resolver: &(impl Resolver + ?Sized)) -> Result<Named, PathError> {
    let mut notes = Notes::default();
    if text.len() > LONGEST_PATH {
        return Err(PathError::TooLong);
    }
    let text = match file_url::decode(text)? {
        Some(path) => {
            notes.add(Note::Url);
            Cow::Owned(path)
        }
        None => Cow::Borrowed(text),
    };
    check_letters(&text, &mut notes)?;
    let folder = absolute(base.folder, base.family)?;
    let place = match text.strip_prefix('~') {
        None => read(&text, base.family, Some(&folder.root), &mut notes)?,
        Some(rest) => {
            notes.add(Note::Home);
            below_home(rest, base, &mut notes)?
        }
    };
    let parts = match place.start {
        Start::Folder => {
            let mut parts = folder.parts;
            parts.extend(place.parts);
            parts
        }
        Start::Root => place.parts,
    };
    let name = walk::readings(&place.root, &parts, base.family, resolver, &mut notes)?;
    finish(name, base.case, notes)
}

/// Where a text starts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Start {
    /// The working directory.
    Folder,
    /// The root that the text names, or that of the working directory's drive.
    Root,
}

/// A text split into what it starts from and its segments, `..` among them.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Place<'t> {
    start: Start,
    /// Nothing on Unix, `/C:` for a drive, `//server/share` for a share.
    root: String,
    parts: Vec<Cow<'t, str>>,
}

/// Notes, each once.
#[derive(Default, Debug)]
struct Notes(Vec<Note>);

impl Notes {
    fn add(&mut self, note: Note) {
        if !self.has(&note) {
            self.0.push(note);
        }
    }

    fn has(&self, note: &Note) -> bool {
        self.0.contains(note)
    }
}

fn check_letters(text: &str, notes: &mut Notes) -> Result<(), PathError> {
    if text.is_empty() {
        return Err(PathError::Empty);
    }
    for letter in text.chars().filter(|letter| !letter.is_ascii_graphic()) {
        if letter == '\0' {
            return Err(PathError::Nul);
        }
        if letters::hides(letter) {
            notes.add(Note::Hidden(letter));
        }
        if let Some(syntax) = letters::looks_like_syntax(letter) {
            notes.add(Note::LooksLike { letter, syntax });
        }
    }
    if text.trim().len() != text.len() {
        notes.add(Note::OuterSpace);
    }
    Ok(())
}

/// Reads a path as the platform does. `root` is what a Windows path without a drive starts from.
fn read<'t>(
    text: &'t str,
    family: Family,
    root: Option<&str>,
    notes: &mut Notes,
) -> Result<Place<'t>, PathError> {
    match family {
        Family::Unix => Ok(unix::read(text, notes)),
        Family::Windows => windows::read(text, root, notes),
    }
}

fn absolute(folder: &str, family: Family) -> Result<Place<'_>, PathError> {
    if folder.contains('\0') {
        return Err(PathError::Nul);
    }
    let place = read(folder, family, None, &mut Notes::default())?;
    match place.start {
        Start::Root => Ok(place),
        Start::Folder => Err(PathError::RelativeBase),
    }
}

/// What comes after `~`, below the home folder.
fn below_home<'b>(rest: &str, base: &Base<'b>, notes: &mut Notes) -> Result<Place<'b>, PathError> {
    let separated = match base.family {
        Family::Unix => rest.starts_with('/'),
        Family::Windows => rest.starts_with(['/', '\\']),
    };
    if !rest.is_empty() && !separated {
        return Err(PathError::OtherHome);
    }
    let mut home = absolute(base.home.ok_or(PathError::NoHome)?, base.family)?;
    // What follows is relative, however many slashes stand there.
    let rest =
        rest.trim_start_matches(|letter| letter == '/' || base.family == Family::Windows && letter == '\\');
    if !rest.is_empty() {
        let below = format!("./{rest}");
        let below = read(&below, base.family, Some(&home.root), notes)?;
        home.parts.extend(below.parts.into_iter().map(|part| Cow::Owned(part.into_owned())));
    }
    Ok(home)
}

fn finish(place: String, case: Case, mut notes: Notes) -> Result<Named, PathError> {
    let fold = |name: String| match case {
        Case::Kept => name,
        Case::Folded => name.chars().map(fold_letter).collect(),
    };
    let finished = |place: String| {
        let place = fold(place);
        match place.strip_prefix("//") {
            Some(share) => windows::share_name(share),
            None if place.is_empty() => Ok("/".to_owned()),
            None => Ok(place),
        }
    };
    for note in &mut notes.0 {
        if let Note::Link { at: name } | Note::OtherReading { name } = note {
            *name = finished(std::mem::take(name))?;
        }
    }
    let name = finished(place)?;
    // Two readings that differ in case alone are one where case does not count.
    notes.0.retain(|note| !matches!(note, Note::OtherReading { name: other } if *other == name));
    if !is_nfc(&name) {
        notes.add(Note::Decomposed { composed: name.nfc().collect() });
    }
    if name.starts_with("smb:") {
        notes.add(Note::Remote);
    }
    Ok(Named { name, notes: notes.0 })
}

/// One character for all that file systems without case take for it. Only mappings of one character to one count, as
/// in the tables of these file systems; the dotless `ı` stays apart from `i`, as it does there.
fn fold_letter(letter: char) -> char {
    if letter == '\u{131}' {
        return letter;
    }
    let upper = only(letter, letter.to_uppercase());
    only(upper, upper.to_lowercase())
}

/// The one character of a mapping, or the character itself where it maps to several.
fn only(letter: char, mut mapped: impl Iterator<Item = char>) -> char {
    match (mapped.next(), mapped.next()) {
        (Some(one), None) => one,
        _ => letter,
    }
}
