//! Whether a path is a pattern that a shell or tool would expand, and which folder holds all it can mean.

use super::Family;

/// A path with characters that a shell expands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Glob<'t> {
    /// The longest folder before the first such character, as a path that [`name`](super::name) takes; `.` if the
    /// pattern begins with one.
    pub folder: &'t str,
    /// Whether `..` comes after such a character. Then what it means need not lie in the folder.
    pub climbs: bool,
}

/// Reads a path as a pattern, if it has any of `*`, `?`, `[`, `{`. Escapes are not looked at: a text that might be a
/// pattern is taken for one.
pub fn glob(text: &str, family: Family) -> Option<Glob<'_>> {
    let separates = |letter: char| letter == '/' || family == Family::Windows && letter == '\\';
    let (before, after) = text.split_at(text.find(['*', '?', '[', '{'])?);
    let folder = match before.rfind(separates) {
        // The root keeps its slash, which is all there is of its name.
        Some(end) => match before.get(..end).unwrap_or_default() {
            folder if folder.trim_end_matches(separates).is_empty() => before.get(..=end).unwrap_or("/"),
            folder if family == Family::Windows && folder.ends_with(':') => {
                before.get(..=end).unwrap_or(folder)
            }
            folder => folder,
        },
        None if family == Family::Windows && before.contains(':') => before,
        None => ".",
    };
    // In `{..,a}/b` the dots stand inside the braces.
    let climbs = after.split(|letter| separates(letter) || "{},".contains(letter)).any(|part| part == "..");
    Some(Glob { folder, climbs })
}
