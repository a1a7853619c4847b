//! Exports of the audit log: any text, or a whole export in which some bytes are others.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_store::{Digest, Head, verify_export};

const WHOLE: &[u8] = include_bytes!("../corpus/audit_export/whole.jsonl");

fuzz_target!(|bytes: &[u8]| match bytes.strip_prefix(b"#") {
    Some(edits) => edited(edits),
    None => read(bytes),
});

fn read(text: &[u8]) {
    let Ok(verified) = verify_export(&mut &*text, None) else { return };
    assert!(verified.after.sequence <= verified.head.sequence);
    let with_note = |noted| verify_export(&mut &*text, Some(noted));
    assert_eq!(with_note(verified.head).ok(), Some(verified));
    assert_eq!(with_note(verified.after).ok(), Some(verified));
    assert!(with_note(Head { hash: Digest::new([0; 32]), ..verified.head }).is_err());
    assert!(with_note(Head { sequence: verified.head.sequence + 1, ..verified.head }).is_err());
}

fn edited(edits: &[u8]) {
    let mut text = WHOLE.to_vec();
    for edit in edits.as_chunks::<3>().0 {
        let place = usize::from(u16::from_be_bytes([edit[0], edit[1]])) % text.len();
        text[place] = edit[2];
    }
    let outcome = verify_export(&mut text.as_slice(), None);
    assert_eq!(outcome.is_ok(), text == WHOLE, "{outcome:?}: {}", String::from_utf8_lossy(&text));
}
