//! Whether a text says something.

/// Whether a text holds words, whatever their case, not inside others. What is written with signs is looked for as it is.
pub(crate) fn says(text: &str, wanted: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let text = text.to_lowercase();
    if let Some(start) = wanted.strip_prefix('^') {
        return text.trim_start().starts_with(start);
    }
    if let Some(end) = wanted.strip_prefix('$') {
        return text.trim_end().ends_with(end);
    }
    if let Some(group) = wanted.strip_prefix('@') {
        // Slack writes `<!here>`.
        return text.contains(&format!("<!{group}")) || has_bounded(&text, &wanted);
    }
    // An address says to whom something goes; a name in it is nothing that anybody wrote.
    if is_bare_address(&text) && !wanted.contains(['@', '.']) {
        return false;
    }
    if has_bounded(&text, &wanted) {
        return true;
    }
    // Addresses of pages have other signs for blanks, and long numbers are grouped in many ways.
    let is_open = wanted.contains(' ') && text.contains(['+', '%', '_']);
    (is_open && has_bounded(&spaced(&text), &wanted))
        || (is_long_number(&wanted) && ungrouped(&text).contains(&ungrouped(&wanted)))
}

/// Whether a text is nothing but an address.
pub(crate) fn is_bare_address(text: &str) -> bool {
    text.contains('@') && !text.trim().contains(char::is_whitespace)
}

/// A text with blanks for the signs that stand for them in addresses of pages.
pub(crate) fn spaced(text: &str) -> String {
    text.replace("%20", " ").replace(['+', '_'], " ")
}

/// Whether a text is a number so long that it is grouped in many ways.
pub(crate) fn is_long_number(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    let is_number = text.chars().all(|letter| letter.is_ascii_alphanumeric() || is_gap(letter));
    digits >= 6 && letters <= 2 && is_number
}

/// A text without what groups digits.
pub(crate) fn ungrouped(text: &str) -> String {
    text.chars().filter(|letter| !is_gap(*letter)).collect()
}

fn is_gap(letter: char) -> bool {
    matches!(letter, ' ' | '-' | '/' | '.' | '(' | ')' | '+' | '\u{a0}')
}

fn has_bounded(text: &str, wanted: &str) -> bool {
    // `audit_trail` is no part of `audit_trail_old`.
    let is_name = wanted.contains('_');
    let is_word = |letter: Option<char>| {
        letter.is_some_and(|letter| letter.is_alphanumeric() || (is_name && letter == '_'))
    };
    let starts_word = is_word(wanted.chars().next());
    let ends_word = is_word(wanted.chars().next_back());
    places(text, wanted).any(|at| {
        let before = text.get(..at).and_then(|front| front.chars().next_back());
        let rest = text.get(at + wanted.len()..).unwrap_or_default();
        (!starts_word || !is_word(before))
            && (!ends_word || !is_word(rest.chars().next()) || rest.starts_with("s ") || rest == "s")
    })
}

/// Where a text occurs in another, also where its occurrences overlap.
fn places(text: &str, wanted: &str) -> impl Iterator<Item = usize> {
    let first = wanted.chars().next().map_or(1, char::len_utf8);
    let next = move |from: usize| text.get(from..)?.find(wanted).map(|at| from + at);
    std::iter::successors(next(0), move |at| next(at + first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_where_they_overlap_others() {
        assert!(says("xno no no", "no no"));
        assert!(!says("xno nox", "no no"));
        assert!(says("two plums", "plum") && !says("plumsy", "plum"));
    }
}
