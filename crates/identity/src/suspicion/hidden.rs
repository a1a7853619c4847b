//! Text that people do not see and models read.

use crate::definition::Text;

use super::cue::{Cue, Finding};

/// So many blanks in a line push what follows out of the window.
const FAR_RIGHT: usize = 100;
/// So many empty lines push what follows below it.
const FAR_BELOW: usize = 20;

/// Finds hidden text. One finding of each kind is enough: all of it is shown with the first.
pub(super) fn look(text: &Text<'_>, findings: &mut Vec<Finding>) {
    let mut add = |cue: Cue, at: usize| {
        let from = text.text.get(..at).map_or(0, start_of_excerpt);
        findings.push(Finding::new(cue, &text.pointer, text.text.get(from..).unwrap_or_default()));
    };
    if !text.text.is_ascii() {
        let mut seen = Vec::new();
        for (cue, at) in unseen(text.text) {
            if !seen.contains(&cue) {
                seen.push(cue);
                add(cue, at);
            }
        }
        if let Some(at) = mixed_word(text.text) {
            add(Cue::LookAlikeLetters, at);
        }
    } else if let Some(at) = text.text.bytes().position(is_control) {
        add(Cue::Control, at);
    }
    if let Some(at) = comment(text.text) {
        add(Cue::Comment, at);
    }
    if let Some(at) = far_away(text.text) {
        add(Cue::FarAway, at);
    }
}

/// A few words before the place, on a boundary of characters.
fn start_of_excerpt(before: &str) -> usize {
    before.char_indices().rev().take(20).last().map_or(0, |(at, _)| at)
}

fn is_control(byte: u8) -> bool {
    byte.is_ascii_control() && !matches!(byte, b'\n' | b'\r' | b'\t')
}

/// Whether a character leaves no mark on a screen, or turns others around.
pub(crate) fn is_unseen(letter: char) -> bool {
    letter.is_control() || kind(letter).is_some()
}

/// The kind of a character that is not seen, by itself.
fn kind(letter: char) -> Option<Cue> {
    match letter {
        '\n' | '\r' | '\t' => None,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fff9}'..='\u{fffb}' => Some(Cue::Control),
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}'
        | '\u{ffa0}'
        | '\u{1d173}'..='\u{1d17a}' => Some(Cue::ZeroWidth),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some(Cue::Bidi)
        }
        '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => Some(Cue::Selectors),
        '\u{e0000}'..='\u{e00ff}' => Some(Cue::Tags),
        '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' => Some(Cue::PrivateUse),
        _ => None,
    }
}

/// Characters that are not seen and have no honest reason to stand where they are.
fn unseen(text: &str) -> impl Iterator<Item = (Cue, usize)> {
    let mut before: Option<char> = None;
    let mut flag = false;
    let right_to_left = text.chars().any(is_right_to_left);
    text.char_indices().filter_map(move |(at, letter)| {
        let previous = before.replace(letter);
        flag = letter == '\u{1f3f4}' || flag && matches!(letter, '\u{e0020}'..='\u{e007e}');
        let cue = kind(letter)?;
        let honest = match (letter, previous) {
            // A byte order mark in front of a text that was read from a file.
            ('\u{feff}', None) => true,
            // Families of emoji and ligatures of scripts that have them.
            ('\u{200c}' | '\u{200d}', Some(previous)) => {
                is_pictograph(previous) || previous == '\u{fe0f}' || needs_joiners(previous)
            }
            ('\u{200e}' | '\u{200f}' | '\u{61c}', _) => right_to_left,
            // One selector behind something that has two looks.
            ('\u{fe0e}' | '\u{fe0f}', Some(previous)) => has_two_looks(previous),
            ('\u{e0100}'..='\u{e01ef}' | '\u{fe00}'..='\u{fe02}', Some(previous)) => is_ideograph(previous),
            // Flags of parts of countries.
            ('\u{e0020}'..='\u{e007e}', _) => flag,
            ('\u{e007f}', Some('\u{e0020}'..='\u{e007e}')) => true,
            _ => false,
        };
        (!honest).then_some((cue, at))
    })
}

fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
        && letter != '\u{61c}'
}

fn is_pictograph(letter: char) -> bool {
    matches!(letter, '\u{1f000}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}')
}

/// Arabic and the scripts of India and its neighbours.
fn needs_joiners(letter: char) -> bool {
    matches!(letter, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

fn has_two_looks(letter: char) -> bool {
    is_pictograph(letter)
        || matches!(letter, '#' | '*' | '0'..='9' | '©' | '®' | '\u{2000}'..='\u{2bff}' | '\u{3000}'..='\u{32ff}')
            && kind(letter).is_none()
}

fn is_ideograph(letter: char) -> bool {
    matches!(letter, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

/// Where a word begins that has letters of Latin and letters of Cyrillic or Greek that look like Latin ones.
fn mixed_word(text: &str) -> Option<usize> {
    let mut start = 0;
    for word in text.split(|letter: char| !letter.is_alphabetic()) {
        let latin = word.chars().any(|letter| letter.is_ascii_alphabetic());
        let foreign = word.chars().filter(|letter| is_cyrillic_or_greek(*letter));
        let look_alikes = foreign.clone().filter(|letter| looks_latin(*letter)).count();
        // `Δt` and `kΩ` are honest.
        if latin && look_alikes > 0 && look_alikes == foreign.count() && word.chars().count() > 2 {
            return Some(start);
        }
        start += word.len();
        start += text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    }
    None
}

fn is_cyrillic_or_greek(letter: char) -> bool {
    matches!(letter, '\u{370}'..='\u{52f}' | '\u{1d26}'..='\u{1d2b}' | '\u{1f00}'..='\u{1fff}')
}

fn looks_latin(letter: char) -> bool {
    let mut skeleton =
        unicode_security::skeleton(letter.encode_utf8(&mut [0; 4])).collect::<Vec<_>>().into_iter();
    skeleton.next().is_some_and(|letter| letter.is_ascii_alphabetic())
}

/// Where a comment begins, or a text that is styled so that nobody sees it.
fn comment(text: &str) -> Option<usize> {
    if !text.contains(['<', '[']) {
        return None;
    }
    if let Some(at) = text.find("<!--") {
        return Some(at);
    }
    for mark in ["[//]: #", "[comment]: "] {
        if let Some(at) = text.find(mark) {
            return Some(at);
        }
    }
    let lower = text.to_ascii_lowercase();
    let styles = [
        "display:none",
        "display: none",
        "visibility:hidden",
        "visibility: hidden",
        "font-size:0",
        "font-size: 0",
    ];
    let style = lower.find("<").and_then(|_| lower.find("style"))?;
    styles.iter().find_map(|words| lower.get(style..)?.find(words)).map(|_| style)
}

/// Where text begins that stands far to the right or far below.
fn far_away(text: &str) -> Option<usize> {
    if text.len() < FAR_BELOW.min(FAR_RIGHT / 8) {
        return None;
    }
    let (mut blanks, mut lines) = (0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => {
                lines += 1;
                blanks = 0;
            }
            '\t' => blanks += 8,
            '\r' => {}
            _ if letter.is_whitespace() => blanks += 1,
            _ if blanks >= FAR_RIGHT || lines > FAR_BELOW => return Some(at),
            _ => (blanks, lines) = (0, 0),
        }
    }
    None
}
