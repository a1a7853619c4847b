//! Addresses of resources: which server one belongs to, and how the host sees it.

/// Before an address that names its server: `portcullis+SERVER:ADDRESS`.
const SCHEME: &str = "portcullis+";
/// Longer addresses are not compared with templates.
const LONGEST_MATCHED: usize = 8 << 10;

/// The server's part of a scheme. A scheme knows no case and no `_`; no two servers differ in nothing else.
pub(super) fn scheme(prefix: &str) -> String {
    prefix.to_ascii_lowercase().replace('_', ".")
}

/// An address with its server named.
pub(super) fn explicit(prefix: &str, uri: &str) -> String {
    format!("{SCHEME}{}:{uri}", scheme(prefix))
}

/// The server that an address names, as in a scheme, and the address that the server knows.
pub(super) fn named(uri: &str) -> Option<(String, &str)> {
    let begins = uri.get(..SCHEME.len())?.eq_ignore_ascii_case(SCHEME);
    let (server, rest) = uri.get(SCHEME.len()..).filter(|_| begins)?.split_once(':')?;
    Some((server.to_ascii_lowercase(), rest))
}

/// Whether an address would be taken for one that names its server.
pub(super) fn is_reserved(uri: &str) -> bool {
    uri.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME))
}

/// Whether a host may fetch it by itself.
pub(super) fn is_page(uri: &str) -> bool {
    let scheme = uri.split(':').next().unwrap_or_default();
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

/// Whether an address may come from a template (RFC 6570). What stands in braces may become any text: that two servers
/// match is told by their order, and a server that does not know the address says so itself.
pub(super) fn matches(template: &str, uri: &str) -> bool {
    if uri.len() > LONGEST_MATCHED {
        return false;
    }
    let mut rest = uri;
    let mut pieces = literals(template);
    let Some(first) = pieces.next() else { return false };
    match rest.strip_prefix(first) {
        Some(behind) => rest = behind,
        None => return false,
    }
    let mut last = None;
    for piece in pieces {
        if let Some(before) = last.replace(piece) {
            match rest.split_once(before) {
                Some((_, behind)) => rest = behind,
                None => return false,
            }
        }
    }
    // Without braces it is one address.
    last.map_or(rest.is_empty(), |last: &str| rest.ends_with(last))
}

/// What stands before, between and behind the braces of a template.
fn literals(template: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(template);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let Some((literal, behind)) = text.split_once('{') else { return Some(text) };
        rest = Some(behind.split_once('}').map_or("", |(_, behind)| behind));
        Some(literal)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_can_name_its_server() {
        assert_eq!(explicit("My_files", "file:///a"), "portcullis+my.files:file:///a");
        assert_eq!(named("PortCullis+My.Files:file:///a"), Some(("my.files".to_owned(), "file:///a")));
        assert_eq!(named("portcullis+a:portcullis+b:x"), Some(("a".to_owned(), "portcullis+b:x")));
        assert_eq!(named("portcullis:x"), None);
        assert_eq!(named("file:///portcullis+a:x"), None);
        assert!(is_reserved("PORTCULLIS+no-colon"));
        assert!(!is_reserved("portcülli"));
    }

    #[test]
    fn templates_match_what_may_come_from_them() {
        for (template, uri, expected) in [
            ("file:///{path}", "file:///a/b", true),
            ("file:///{path}", "db:///a", false),
            ("db://{table}/rows/{row}", "db://users/rows/7", true),
            ("db://{table}/rows/{row}", "db://users/columns/7", false),
            ("a{x}a", "a", false),
            ("a{x}a", "aa", true),
            ("{+x}", "anything", true),
            ("plain://x", "plain://x", true),
            ("plain://x", "plain://xy", false),
            ("x{", "xyz", true),
            ("{a}-{b}-", "1-2-3-", true),
            ("{a}--{b}-", "1--", false),
        ] {
            assert_eq!(matches(template, uri), expected, "{template} {uri}");
        }
    }
}
