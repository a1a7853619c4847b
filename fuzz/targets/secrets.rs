//! Any text at all searched for credentials: what is found lies inside the text, on characters, in order.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_perceive::secrets::Formats;

static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().expect("the built-in formats load"));

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let findings = FORMATS.find(&text);
    for finding in &findings {
        let found = text.get(finding.range.clone()).expect("a finding lies inside the text");
        assert!(!found.is_empty());
    }
    assert!(findings.is_sorted_by_key(|finding| finding.range.start));
    assert_eq!(FORMATS.any(&text), !findings.is_empty());
});
