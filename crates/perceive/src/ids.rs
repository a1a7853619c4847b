//! Ids that one thing has in several spellings, and the one that counts.

/// A UUID in lower case and with its dashes; `None` for anything else.
pub(crate) fn uuid(text: &str) -> Option<String> {
    let digits: String = text.chars().filter(|letter| *letter != '-').collect();
    if digits.len() != 32 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut written = String::with_capacity(36);
    for (at, digit) in digits.chars().enumerate() {
        if matches!(at, 8 | 12 | 16 | 20) {
            written.push('-');
        }
        written.push(digit.to_ascii_lowercase());
    }
    Some(written)
}

/// An entry of a session's layout with its ids in the spelling that calls are named by: repositories ignore case, pages
/// of Notion have dashes.
pub(crate) fn entry(text: &str) -> String {
    if let Some(path) = text.strip_prefix("github:") {
        let parts: Vec<String> = path
            .splitn(3, '/')
            .enumerate()
            .map(|(at, part)| if at < 2 { part.to_ascii_lowercase() } else { part.to_owned() })
            .collect();
        return format!("github:{}", parts.join("/"));
    }
    match text.strip_prefix("notion:").and_then(uuid) {
        Some(id) => format!("notion:{id}"),
        None => text.to_owned(),
    }
}
