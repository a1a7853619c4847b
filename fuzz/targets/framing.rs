//! Any bytes as a stream of lines and as one of events, cut at each `^`: how it is cut changes nothing, no line or event is
//! longer than the limit, which the first byte sets, and events are read back as they are written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_wire::framing::{Line, Lines};
use portcullis_wire::sse::{Parser, Read};

fuzz_target!(|bytes: &[u8]| {
    let Some((first, stream)) = bytes.split_first() else { return };
    let limit = usize::from(*first);
    let pieces: Vec<&[u8]> = stream.split(|byte| *byte == b'^').collect();
    let whole = pieces.concat();

    let read = lines(&pieces, limit);
    assert_eq!(read, lines(&[&whole], limit));
    for line in read {
        if let Line::Text(text) = line {
            assert!(!text.is_empty() && text.len() <= limit && !text.contains(&b'\n'));
        }
    }

    let read = events(&pieces, limit);
    assert_eq!(read, events(&[&whole], limit));
    for event in read {
        let Read::Event(event) = event else { continue };
        assert!(event.data.as_ref().is_none_or(|data| data.len() <= limit));
        assert_eq!(events(&[&event.to_bytes()], 1 << 20), [Read::Event(event)]);
    }
});

fn lines(pieces: &[&[u8]], limit: usize) -> Vec<Line> {
    let mut lines = Lines::new(limit);
    let mut read = Vec::new();
    for piece in pieces {
        lines.push(piece);
        read.extend(std::iter::from_fn(|| lines.next_line()));
    }
    read.extend(lines.finish());
    read
}

fn events(pieces: &[&[u8]], limit: usize) -> Vec<Read> {
    let mut parser = Parser::new(limit);
    let mut read = Vec::new();
    for piece in pieces {
        parser.push(piece);
        read.extend(std::iter::from_fn(|| parser.next_event()));
    }
    read
}
