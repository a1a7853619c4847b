//! Laws of lines.

use portcullis_wire::framing::{Line, Lines};
use proptest::prelude::*;

use crate::random::config;

/// A stream with all that matters in it, in pieces.
fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let byte = prop_oneof![
        4 => prop::sample::select(&b"ab{}"[..]),
        2 => Just(b'\n'),
        1 => Just(b'\r'),
        1 => any::<u8>(),
    ];
    prop::collection::vec(prop::collection::vec(byte, 0..12), 0..12)
}

fn read(pieces: &[Vec<u8>], limit: usize) -> Vec<Line> {
    let mut lines = Lines::new(limit);
    let mut read = Vec::new();
    for piece in pieces {
        lines.push(piece);
        read.extend(std::iter::from_fn(|| lines.next_line()));
    }
    read.extend(lines.finish());
    read
}

/// What a stream is, said without a buffer.
fn model(stream: &[u8], limit: usize) -> Vec<Line> {
    stream
        .split(|byte| *byte == b'\n')
        .filter_map(|line| match line.len() > limit {
            true => Some(Line::TooLong { head: line.iter().take(limit.min(512)).copied().collect() }),
            false => Some(line.strip_suffix(b"\r").unwrap_or(line).to_vec())
                .filter(|line| !line.is_empty())
                .map(Line::Text),
        })
        .collect()
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn lines_do_not_depend_on_how_a_stream_is_cut(pieces in pieces(), limit in 0..20usize) {
        prop_assert_eq!(read(&pieces, limit), model(&pieces.concat(), limit));
    }

    #[test]
    fn bytes_one_by_one_are_the_same_lines(pieces in pieces(), limit in 0..20usize) {
        let stream = pieces.concat();
        let bytes: Vec<_> = stream.iter().map(|byte| vec![*byte]).collect();
        prop_assert_eq!(read(&bytes, limit), read(&[stream], limit));
    }
}

#[test]
fn a_line_that_never_ends_takes_no_more_room_than_the_limit() {
    let mut lines = Lines::new(10);
    lines.push(b"12345678901");
    assert_eq!(lines.next_line(), Some(Line::TooLong { head: b"1234567890".to_vec() }));
    for _ in 0..1000 {
        lines.push(&[b'x'; 1000]);
        assert_eq!(lines.next_line(), None);
    }
    assert!(format!("{lines:?}").len() < 200, "what was dropped is kept: {lines:?}");
    lines.push(b"\r\n\r\nok\r\n");
    assert_eq!(lines.next_line(), Some(Line::Text(b"ok".to_vec())));
    assert_eq!(lines.finish(), None);
}
