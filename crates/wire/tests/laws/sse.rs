//! Laws of server-sent events.

use portcullis_wire::sse::{Event, KEEP_ALIVE, Parser, Read};
use proptest::prelude::*;

use crate::random::config;

const LARGE: usize = 1 << 20;

fn read(pieces: &[&[u8]], limit: usize) -> Vec<Read> {
    let mut parser = Parser::new(limit);
    let mut read = Vec::new();
    for piece in pieces {
        parser.push(piece);
        read.extend(std::iter::from_fn(|| parser.next_event()));
    }
    read
}

/// A stream, cut at some places.
fn cut(stream: &[u8], places: &[prop::sample::Index]) -> Vec<Vec<u8>> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(stream.len() + 1)).collect();
    places.extend([0, stream.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| stream[pair[0]..pair[1]].to_vec()).collect()
}

fn places() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..8)
}

fn event() -> impl Strategy<Value = Event> {
    let name = || prop::option::of("[a-z :é]{0,8}");
    let data = prop::option::of("[a-z {}\":\né]{0,20}".prop_map(String::into_bytes));
    (name(), data, name(), prop::option::of(any::<u64>()))
        .prop_filter("an event without anything is none", |(_, data, id, retry)| {
            data.is_some() || id.is_some() || retry.is_some()
        })
        .prop_map(|(name, data, id, retry)| Event { name, data, id, retry })
}

/// Lines of streams, and some ends of lines.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let line = prop::sample::select(
        &[
            "data",
            "data:",
            "data: ",
            "data:a",
            "data: a",
            "data:  b",
            "DATA: a",
            " data: a",
            "event:x",
            "event: ",
            "id:7",
            "id: \0",
            "id",
            "retry:10",
            "retry: -1",
            "retry: 1x",
            "retry:",
            ": comment",
            ":",
            "other: y",
            "\u{feff}",
            "\u{feff}data: z",
            "data: é",
            "data:::",
            "",
        ][..],
    );
    let end = prop::sample::select(&["\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "\n\r"][..]);
    prop::collection::vec((line, end), 0..16).prop_map(|lines| {
        lines.into_iter().flat_map(|(line, end)| format!("{line}{end}").into_bytes()).collect()
    })
}

/// What the specification says of a whole stream, line by line.
fn model(stream: &[u8]) -> Vec<Event> {
    let text = str::from_utf8(stream).unwrap().replace("\r\n", "\n").replace('\r', "\n");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut events = Vec::new();
    let mut event = Event::default();
    // What comes behind the last end of a line is no line.
    for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
        if line.is_empty() {
            let event = std::mem::take(&mut event);
            if event.data.is_some() || event.id.is_some() || event.retry.is_some() {
                events.push(event);
            }
            continue;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                let before = event.data.take().map(|mut data| {
                    data.push(b'\n');
                    data
                });
                event.data = Some([before.unwrap_or_default().as_slice(), value.as_bytes()].concat());
            }
            "event" => event.name = Some(value.to_owned()),
            "id" if !value.contains('\0') => event.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                event.retry = value.parse().ok().or(event.retry);
            }
            _ => {}
        }
    }
    events
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn events_are_read_back_however_the_stream_is_cut(
        events in prop::collection::vec(event(), 0..5),
        places in places(),
    ) {
        let stream: Vec<u8> = events.iter().flat_map(|event| [event.to_bytes(), KEEP_ALIVE.to_vec()].concat()).collect();
        let pieces = cut(&stream, &places);
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let expected: Vec<_> = events.into_iter().map(Read::Event).collect();
        prop_assert_eq!(read(&pieces, LARGE), expected);
    }

    #[test]
    fn a_stream_is_read_as_the_specification_says(stream in stream(), places in places()) {
        let pieces = cut(&stream, &places);
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let expected: Vec<_> = model(&stream).into_iter().map(Read::Event).collect();
        prop_assert_eq!(read(&pieces, LARGE), expected);
    }

    #[test]
    fn what_is_too_long_does_not_depend_on_how_the_stream_is_cut(
        stream in stream(),
        places in places(),
        limit in 0..24usize,
    ) {
        let pieces = cut(&stream, &places);
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let whole = read(&[&stream], limit);
        prop_assert_eq!(read(&pieces, limit), whole.clone());
        for event in whole {
            if let Read::Event(event) = event {
                prop_assert!(event.data.is_none_or(|data| data.len() <= limit));
            }
        }
    }

    #[test]
    fn an_event_of_our_own_cannot_hold_another(name in "[a-z\r\n\0]{0,6}", id in "[a-z\r\n\0]{0,6}", data in "[a-z\r\n]{0,9}") {
        let event = Event { name: Some(name), id: Some(id), data: Some(data.clone().into_bytes()), retry: None };
        let read = read(&[&event.to_bytes()], LARGE);
        prop_assert_eq!(read.len(), 1);
        let Read::Event(event) = &read[0] else { panic!("it was not too long") };
        let lines = data.replace("\r\n", "\n").replace('\r', "\n");
        prop_assert_eq!(event.data.as_deref(), Some(lines.as_bytes()));
    }
}

#[test]
fn an_event_that_never_ends_takes_no_more_room_than_the_limit() {
    let mut parser = Parser::new(100);
    parser.push(b"data: ok\n\n");
    for _ in 0..1000 {
        parser.push(b"data: and more and more and more and more\n");
    }
    assert_eq!(parser.next_event(), Some(Read::Event(Event { name: None, ..Event::message("ok") })));
    assert_eq!(parser.next_event(), Some(Read::TooLong));
    assert_eq!(parser.next_event(), None);
    assert!(format!("{parser:?}").len() < 400, "what was dropped is kept: {parser:?}");
    parser.push(b"\nevent: message\ndata: on\n\n");
    assert_eq!(parser.next_event(), Some(Read::Event(Event::message("on"))));
}

#[test]
fn comments_between_events_are_never_too_long() {
    let mut parser = Parser::new(40);
    for _ in 0..100 {
        parser.push(b": nobody is here\n");
    }
    parser.push(b"data: x\n\n");
    assert_eq!(parser.next_event(), Some(Read::Event(Event { name: None, ..Event::message("x") })));
    assert_eq!(parser.next_event(), None);
}

#[test]
fn only_messages_are_messages() {
    let event = |name: Option<&str>| Event { name: name.map(str::to_owned), ..Event::message("{}") };
    assert!(event(None).is_message() && event(Some("message")).is_message() && event(Some("")).is_message());
    assert!(!event(Some("endpoint")).is_message() && !event(Some("Message")).is_message());
    assert!(!Event { data: None, ..event(None) }.is_message());
}
