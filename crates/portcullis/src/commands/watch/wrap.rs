//! Long lines, broken so that nothing of them is lost.

use unicode_width::UnicodeWidthChar;

/// How far what follows the first row stands in. So no text can pose as a line of its own.
const INDENT: usize = 6;

/// A line as rows of at most `width` columns. Put together, without what stands in, they are the line.
pub(super) fn wrap(line: &str, width: usize) -> Vec<String> {
    let width = width.max(INDENT + 2);
    let mut rows: Vec<String> = Vec::new();
    let mut rest = line;
    loop {
        let indent = if rows.is_empty() { 0 } else { INDENT };
        let cut = cut(rest, width - indent);
        let (row, behind) = rest.split_at_checked(cut).unwrap_or((rest, ""));
        rows.push(format!("{:indent$}{row}", ""));
        if behind.is_empty() {
            return rows;
        }
        rest = behind;
    }
}

/// Where a line is broken: behind the last blank that fits, else behind the last character that does.
fn cut(line: &str, width: usize) -> usize {
    let (mut used, mut blank) = (0, None);
    for (at, letter) in line.char_indices() {
        used += letter.width().unwrap_or(1);
        if used > width {
            // One character at least, however wide it is.
            let first = line.chars().next().map_or(0, char::len_utf8);
            return blank.unwrap_or(at).max(first);
        }
        // A run of blanks at the very beginning stays where it is.
        if letter == ' ' && !line.get(..at).unwrap_or_default().trim().is_empty() {
            blank = Some(at + 1);
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_width::UnicodeWidthStr;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_of_a_line_is_lost_and_no_row_is_wider_than_it_may_be(line in "[a-z漢 é\u{301}]{0,80}", width in 0usize..40) {
            let rows = wrap(&line, width);
            let parts = rows.iter().enumerate().map(|(number, row)| if number == 0 { row } else { &row[INDENT..] });
            prop_assert_eq!(parts.collect::<String>(), line);
            prop_assert!(rows.iter().all(|row| row.width() <= width.max(INDENT + 2)), "{:?}", rows);
        }
    }

    #[test]
    fn words_stay_whole_where_they_fit() {
        assert_eq!(
            wrap("send a file to somebody", 12),
            ["send a file ", "      to ", "      somebo", "      dy"]
        );
    }
}
