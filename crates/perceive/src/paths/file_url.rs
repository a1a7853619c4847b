//! `file:` URLs as paths.

use super::PathError;

/// The path that a `file:` URL writes, or nothing if the text is no such URL.
///
/// Read by hand rather than with the `url` crate, which resolves `..` in the text before a link can be asked about.
pub(super) fn decode(text: &str) -> Result<Option<String>, PathError> {
    let Some((scheme, rest)) = text.split_once(':') else { return Ok(None) };
    if !scheme.trim_start().eq_ignore_ascii_case("file") {
        return Ok(None);
    }
    if rest.contains(['?', '#', '\\']) {
        return Err(PathError::AmbiguousUrl);
    }
    let path = match rest.strip_prefix("//") {
        None => rest,
        Some(rest) => {
            let start = rest.find('/').ok_or(PathError::AmbiguousUrl)?;
            let (host, path) = rest.split_at(start);
            if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
                return Err(PathError::OtherHost);
            }
            path
        }
    };
    if !path.starts_with('/') {
        return Err(PathError::AmbiguousUrl);
    }
    unescape(path).map(Some)
}

fn unescape(text: &str) -> Result<String, PathError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let byte = match byte {
            b'%' => {
                let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
                match (digit(rest.next()), digit(rest.next())) {
                    (Some(high), Some(low)) => {
                        u8::try_from(high * 16 + low).map_err(|_| PathError::BadEscape)?
                    }
                    _ => return Err(PathError::BadEscape),
                }
            }
            _ => byte,
        };
        bytes.push(byte);
    }
    String::from_utf8(bytes).map_err(|_| PathError::BadEscape)
}
