//! Signs of the shell in command lines: what joins commands, pipes and redirects, outside of quotes.

/// The signs that rules can speak of, the longer ones first.
pub(crate) const SIGNS: &[&str] = &["&&", "||", ">>", "$(", ";", "|", "&", ">", "<", "`"];

/// The signs in a command line that stand outside of quotes. A line break joins commands as `;` does.
pub(super) fn signs(line: &str) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut quote: Option<char> = None;
    let mut rest = line.trim();
    while let Some(letter) = rest.chars().next() {
        let mut length = letter.len_utf8();
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            // A substitution is one inside double quotes as well.
            (Some('"'), '$') if rest.starts_with("$(") => found.push("$("),
            (Some('"'), '`') => found.push("`"),
            (Some('"') | None, '\\') => {
                length += rest.chars().nth(1).map_or(0, char::len_utf8);
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(letter),
            (None, '\n') => found.push(";"),
            (None, _) => {
                // `2>&1` and `&>` are redirections.
                let is_redirected = rest.starts_with(">&") || rest.starts_with("&>");
                if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                    let sign = if is_redirected { ">" } else { sign };
                    found.push(sign);
                    length = if is_redirected { 2 } else { sign.len() };
                }
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::signs;

    #[test]
    fn what_stands_in_quotes_is_no_sign() {
        assert_eq!(signs("grep -n 'a && b; c' x"), Vec::<&str>::new());
        assert_eq!(signs("a && b; c | d"), ["&&", ";", "|"]);
        assert_eq!(signs("echo \"$(date)\" >> log"), ["$(", ">>"]);
        assert_eq!(signs("make 2>&1"), [">"]);
        assert_eq!(signs("echo a\\;b"), Vec::<&str>::new());
    }
}
