//! Exports, written and read.

use portcullis_store::{
    Broken, ChainId, Entry, ExportError, Fault, Head, LONGEST_BODY, NewEntry, ReadExportError, Store,
    read_export, verify_export,
};

use crate::sqlite::SqlitePlace;
use crate::suite::{Place, at, audit, digest, entry};

/// An export as the documentation describes it, written without the code that writes exports.
pub(crate) fn text(chain: ChainId, after: Head, entries: &[Entry], head: Head) -> String {
    let mut text = format!("{{\"portcullis_audit\":1,\"chain\":\"{chain}\",\"after\":\"{after}\"}}\n");
    for Entry { sequence, time, session, kind, body, previous, hash } in entries {
        let session = session.map_or("null".to_owned(), |session| format!("\"{session}\""));
        text.push_str(&format!(
            "{{\"sequence\":{sequence},\"time\":\"{time}\",\"session\":{session},\"kind\":\"{kind}\",\
             \"body\":{body},\"previous\":\"{previous}\",\"hash\":\"{hash}\"}}\n"
        ));
    }
    text.push_str(&format!("{{\"head\":\"{head}\"}}\n"));
    text
}

fn exported(store: &impl Store, after: u64) -> String {
    let mut output = Vec::new();
    store.export(after, &mut output, &mut |_| {}).unwrap();
    String::from_utf8(output).unwrap()
}

fn verify(text: &str) -> Result<Head, ReadExportError> {
    verify_export(&mut text.as_bytes(), None).map(|verified| verified.head)
}

#[test]
fn an_export_is_as_documented_and_verifies() {
    let store = SqlitePlace::fresh().open();
    let heads = audit::write(&store, 5);
    let (chain, entries) = (store.chain().unwrap(), store.entries(&Default::default()).unwrap());
    assert_eq!(exported(&store, 0), text(chain, chain.beginning(), &entries, heads[4]));
    assert_eq!(exported(&store, 3), text(chain, heads[2], &entries[3..], heads[4]));
    assert_eq!(exported(&store, 5), text(chain, heads[4], &[], heads[4]));
    for after in [0, 3, 5] {
        let verified = verify_export(&mut exported(&store, after).as_bytes(), Some(heads[4])).unwrap();
        assert_eq!((verified.chain, verified.head), (chain, heads[4]));
        assert_eq!(verified.after.sequence, after);
        let mut read = Vec::new();
        let mut keep = |entry: &Entry| read.push(entry.clone());
        assert_eq!(read_export(&mut exported(&store, after).as_bytes(), None, &mut keep).unwrap(), verified);
        assert_eq!(read, entries[after as usize..]);
    }
    let missing = store.export(6, &mut Vec::new(), &mut |_| {});
    assert!(matches!(missing, Err(ExportError::NoSuchStart(6))));
}

#[test]
fn an_export_without_its_end_or_with_more_is_refused() {
    let store = SqlitePlace::fresh().open();
    audit::write(&store, 3);
    let whole = exported(&store, 0);
    for cut in 0..whole.len() {
        let refused = verify(&whole[..cut]).unwrap_err();
        assert!(
            matches!(refused, ReadExportError::Unfinished | ReadExportError::Line { line: 1, .. }),
            "{cut}: {refused}"
        );
    }
    let lines: Vec<_> = whole.lines().collect();
    let shorter = format!("{}\n{}\n{}\n{}\n", lines[0], lines[1], lines[2], lines[4]);
    let head = store.head().unwrap();
    let missing = Broken { sequence: 3, fault: Fault::TailMissing { recorded: head } };
    assert!(matches!(verify(&shorter), Err(ReadExportError::Broken(broken)) if broken == missing));
    let refused = verify(&format!("{whole}{}\n", lines[1])).unwrap_err();
    assert_eq!(refused.to_string(), "line 6 of the export is not understood: it stands behind the end");
}

#[test]
fn an_export_that_begins_later_says_nothing_of_what_was_before() {
    let store = SqlitePlace::fresh().open();
    let heads = audit::write(&store, 5);
    let export = exported(&store, 3);
    for noted in &heads[2..] {
        verify_export(&mut export.as_bytes(), Some(*noted)).unwrap();
    }
    let refused = verify_export(&mut export.as_bytes(), Some(heads[1])).unwrap_err();
    assert!(matches!(refused, ReadExportError::BeginsLater { start: 3, noted: 2 }), "{refused}");
    let forged = Head { sequence: 3, hash: digest(9) };
    let refused = verify_export(&mut export.as_bytes(), Some(forged)).unwrap_err();
    let expected = Broken { sequence: 3, fault: Fault::NotAsNoted { noted: forged } };
    assert!(matches!(refused, ReadExportError::Broken(broken) if broken == expected));
}

#[test]
fn every_spelling_but_one_is_refused() {
    let store = SqlitePlace::fresh().open();
    store.commit(portcullis_store::Commit::at(at(0)).entry(entry("{\"n\":1}"))).unwrap();
    let whole = exported(&store, 0);
    let hash = store.head().unwrap().hash.to_string();
    for (from, to, why) in [
        (
            "\"portcullis_audit\":1",
            "\"portcullis_audit\":2",
            "line 1 of the export is not understood: it is an \
          export of another form, perhaps of a newer version",
        ),
        (
            "\"sequence\"",
            "\"extra\":1,\"sequence\"",
            "line 2 of the export is not understood: it is no entry",
        ),
        (
            ":00Z\"",
            ":00.000000Z\"",
            "line 2 of the export is not understood: its time is not written as it is here",
        ),
        (
            ":00Z\"",
            ":00.0000001Z\"",
            "line 2 of the export is not understood: its time is not written as it is here",
        ),
        (
            "\"kind\":\"verdict\"",
            "\"kind\":\"Verdict\"",
            "line 2 of the export is not understood: its kind or body is none",
        ),
        ("{\"n\":1}", "{\"n\": 1}", "entry 1 was changed: its fields do not give its hash"),
        (&hash, &hash.to_uppercase(), "line 2 of the export is not understood: its hash is none"),
    ] {
        let changed = whole.replacen(from, to, 1);
        assert_ne!(changed, whole);
        assert_eq!(verify(&changed).unwrap_err().to_string(), why);
    }
    verify(&whole).unwrap();
}

#[test]
fn a_chain_of_another_store_does_not_fit() {
    let store = SqlitePlace::fresh().open();
    audit::write(&store, 1);
    let own = store.chain().unwrap().to_string();
    let changed = exported(&store, 0).replacen(&own, &ChainId::new([1; 16]).to_string(), 1);
    let expected = Broken { sequence: 0, fault: Fault::Changed };
    assert!(matches!(verify(&changed), Err(ReadExportError::Broken(broken)) if broken == expected));
}

#[test]
fn lines_without_end_are_refused_before_memory_is_full() {
    struct Endless;
    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            buffer.fill(b'a');
            Ok(buffer.len())
        }
    }
    let refused = verify_export(&mut std::io::BufReader::new(Endless), None).unwrap_err();
    assert_eq!(refused.to_string(), "line 1 of the export is not understood: it is too long");
}

#[test]
fn the_longest_entry_survives_an_export() {
    let store = SqlitePlace::fresh().open();
    let body = format!("\"{}\"", "a".repeat(LONGEST_BODY - 2));
    let kind = "k".repeat(portcullis_store::LONGEST_KIND);
    let new = NewEntry::new(&kind, &body).unwrap();
    let session = crate::suite::join(&store, "editor").id;
    // Nor does depth end in a crash.
    let deep = entry(&format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    let commit = portcullis_store::Commit::at(at(0)).in_session(session).entry(new).entry(deep);
    store.commit(commit).unwrap();
    assert_eq!(verify(&exported(&store, 0)).unwrap(), store.head().unwrap());
}

#[test]
fn entries_that_could_not_be_exported_are_not_taken() {
    let long = format!("\"{}\"", "a".repeat(LONGEST_BODY - 1));
    for body in ["", " ", "{} ", "\t{}", "{\n}", "[1,\r2]", "{}{}", "nul", "{\"a\":}", "'a'", &long] {
        assert_eq!(NewEntry::new("verdict", body), Err(portcullis_store::EntryError::Body), "{body:.20}");
    }
    for kind in ["", "Verdict", "a b", "é", "a\n", &"k".repeat(65)] {
        assert_eq!(NewEntry::new(kind, "{}"), Err(portcullis_store::EntryError::Kind), "{kind}");
    }
}

#[test]
fn an_output_that_takes_no_more_is_told() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let store = SqlitePlace::fresh().open();
    let refused = store.export(0, &mut Full, &mut |_| {}).unwrap_err();
    assert!(matches!(refused, ExportError::Output(_)), "{refused}");
}
