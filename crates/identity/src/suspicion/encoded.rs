//! Text that is written in base64 or hexadecimal, so that people pass over it.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::cue::Cue;

/// How long a run has to be to be decoded, and from which length it is told even if it is no text.
const SHORTEST: usize = 24;
const LONG: usize = 120;
/// How many runs of one text are decoded.
const MOST_RUNS: usize = 16;

/// A run of encoded characters.
pub(super) struct Decoded {
    pub(super) cue: Cue,
    /// What it says, or the run itself if that is no text.
    pub(super) text: String,
}

/// The runs in a text that are encoded.
pub(super) fn texts(text: &str) -> Vec<Decoded> {
    if text.len() < SHORTEST {
        return Vec::new();
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "+/-_".contains(letter);
    let runs = text.split(|letter: char| !is_part(letter)).filter(|run| run.len() >= SHORTEST);
    runs.filter_map(decode).take(MOST_RUNS).collect()
}

fn decode(run: &str) -> Option<Decoded> {
    // A path and a long name are no base64, nor is a run without digits or letters of both cases.
    let has = |test: fn(&u8) -> bool| run.as_bytes().iter().any(test);
    let said = hexadecimal(run).or_else(|| base64(run)).filter(|bytes| is_text(bytes));
    if let Some(bytes) = said {
        return Some(Decoded { cue: Cue::Encoded, text: String::from_utf8_lossy(&bytes).into_owned() });
    }
    let mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    let separators = run.bytes().filter(|byte| b"/-_".contains(byte)).count();
    (run.len() >= LONG && mixed && separators * 12 < run.len())
        .then(|| Decoded { cue: Cue::Blob, text: run.to_owned() })
}

fn base64(run: &str) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    // A run may be cut out of more, so that up to three characters at its end are none of it.
    let whole = run.get(..run.len() / 4 * 4).unwrap_or(run);
    [run, whole].iter().find_map(|run| {
        let standard = GeneralPurpose::new(&STANDARD, config).decode(run);
        standard.or_else(|_| GeneralPurpose::new(&URL_SAFE, config).decode(run)).ok()
    })
}

fn hexadecimal(run: &str) -> Option<Vec<u8>> {
    let (pairs, []) = run.as_bytes().as_chunks::<2>() else { return None };
    let digit = |byte: u8| (byte as char).to_digit(16);
    pairs.iter().map(|[high, low]| Some((digit(*high)? << 4 | digit(*low)?) as u8)).collect()
}

/// Whether bytes are words: a name in base64 is seldom ASCII, and hardly ever has blanks between letters.
fn is_text(bytes: &[u8]) -> bool {
    let words = bytes.split(|byte| *byte == b' ').filter(|word| word.len() > 1).count();
    words >= 3 && bytes.iter().all(|byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
}
