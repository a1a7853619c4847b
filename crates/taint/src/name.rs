//! Names, walked: from a name to what contains it, and to the range of what it contains.
//!
//! Inside this crate a whole scheme is named by its head alone (`db:`, `https://`) and not by `db:*`: so everything
//! that contains a name is the beginning of its text, and looking it up needs no new text. The empty key contains all
//! names that are no files.

/// The agent's context.
pub(crate) const CONTEXT: &str = "ctxt";
/// All files of this machine.
pub(crate) const FILES: &str = "/";
/// Everything that is no file.
pub(crate) const ELSEWHERE: &str = "";

/// What comes before the segments: `/`, `db:`, `https://`; nothing for what is no canonical name.
pub(crate) fn head(name: &str) -> &str {
    if name.starts_with(FILES) {
        return FILES;
    }
    let Some(colon) = name.find(':') else { return "" };
    let host = name.get(colon..).is_some_and(|rest| rest.starts_with("://"));
    name.get(..colon + if host { 3 } else { 1 }).unwrap_or(name)
}

/// The key under which a name is kept.
pub(crate) fn key(name: &str) -> &str {
    match name.strip_suffix('*') {
        Some(head_alone) if head(name) == head_alone => head_alone,
        _ => name,
    }
}

/// A key as users know it.
pub(crate) fn shown(key: &str) -> String {
    match key {
        ELSEWHERE => "*".to_owned(),
        _ if key != FILES && head(key) == key => format!("{key}*"),
        _ => key.to_owned(),
    }
}

/// Whether a key stands for a whole scheme, for all files or for everything else.
pub(crate) fn is_whole(key: &str) -> bool {
    key == ELSEWHERE || head(key) == key
}

/// Whether a key names a file, or all of them.
pub(crate) fn is_file(key: &str) -> bool {
    key.starts_with(FILES)
}

/// What comes after the head.
pub(crate) fn segments(key: &str) -> impl Iterator<Item = &str> {
    let rest = key.get(head(key).len()..).unwrap_or_default();
    rest.split('/').filter(|_| !rest.is_empty())
}

/// The next larger thing that contains the key. Files and other names never meet, so that what is kept for each of
/// them stays apart.
pub(crate) fn parent(key: &str) -> Option<&str> {
    if key == ELSEWHERE || key == FILES {
        return None;
    }
    let head = head(key);
    if head == key {
        return Some(ELSEWHERE);
    }
    let rest = key.get(head.len()..)?;
    match rest.rfind('/') {
        Some(slash) => key.get(..head.len() + slash),
        None => Some(head),
    }
}

/// Everything that contains the key, the nearest first, without itself.
pub(crate) fn ancestors(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(parent(key), |key| parent(key))
}

/// Whether `outer` contains `inner` and is not it.
pub(crate) fn is_below(outer: &str, inner: &str) -> bool {
    match outer {
        ELSEWHERE => inner != ELSEWHERE && !is_file(inner),
        _ if head(outer) == outer => head(inner) == outer && inner != outer,
        _ => inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/')),
    }
}

/// Where the keys below `outer` begin, in the order of texts; all of them begin with this text.
pub(crate) fn below_begins(outer: &str) -> String {
    match is_whole(outer) {
        true => outer.to_owned(),
        false => format!("{outer}/"),
    }
}

/// How many segments a key has.
pub(crate) fn depth(key: &str) -> usize {
    segments(key).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_contained_by_its_folders_its_scheme_and_all_that_is_no_file() {
        let above = |name| ancestors(name).collect::<Vec<_>>();
        assert_eq!(above("/home/u/a.py"), ["/home/u", "/home", "/"]);
        assert_eq!(
            above("https://docs.rs/serde/de"),
            ["https://docs.rs/serde", "https://docs.rs", "https://", ""]
        );
        assert_eq!(above("db:orders"), ["db:", ""]);
        assert_eq!(above("/"), [""; 0]);
        assert_eq!(above("nonsense"), [""]);
    }

    #[test]
    fn a_whole_scheme_is_kept_by_its_head() {
        assert_eq!((key("db:*"), key("https://*"), key("/*")), ("db:", "https://", "/"));
        assert_eq!((key("github:acme/*"), key("db:hr.*"), key("*")), ("github:acme/*", "db:hr.*", ""));
        assert_eq!(
            (shown("db:").as_str(), shown("/").as_str(), shown("db:a").as_str()),
            ("db:*", "/", "db:a")
        );
    }

    #[test]
    fn what_begins_alike_is_not_below() {
        assert!(
            is_below("/a", "/a/b") && is_below("/", "/a") && is_below("db:", "db:x") && is_below("", "db:")
        );
        assert!(
            !is_below("/a", "/ab")
                && !is_below("/a", "/a")
                && !is_below("db:", "db://x")
                && !is_below("", "/")
        );
    }
}
