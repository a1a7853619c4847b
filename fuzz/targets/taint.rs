//! Acts, one a line, against two sets of labels of which one is soon full; and a text that is remembered and sent in
//! other clothes.
//!
//! A line is `effects input output`, such as `read,exec /a/.env ctxt`; a `~` behind a name is its whole tree, a `?` the
//! names in it, a `!` before the effects a success. A line that begins with `=` is a text.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use portcullis_lattice::{Effect, Effects, Label, Reach, Taint};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::{Act, Deed, Use};
use portcullis_taint::{Evidence, Fingerprints, Key, Labels, Limits, Part};

static PLACES: LazyLock<Places> = LazyLock::new(|| Places::built_in().expect("the built-in places load"));
static FORMATS: LazyLock<Formats> = LazyLock::new(|| Formats::built_in().expect("the built-in formats load"));
static NOTHING: LazyLock<Fingerprints> = LazyLock::new(|| {
    Fingerprints::new(Key::new(*b"sixteen letters!"), Limits { bytes: 1 << 16, ..Limits::default() })
});
/// Found by its letters and digits, whatever stands around it.
const TOKEN: &str = "q7Zt2Lw9Xv4R";
const BOUND: usize = 6;

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let (mut wide, mut narrow) = (Labels::with_bound(100_000), Labels::with_bound(BOUND));
    let mut uses = Vec::new();
    for (line, step) in input.lines().zip(1..) {
        match line.strip_prefix('=') {
            Some(text) => texts(text),
            None => {
                let Some((act, succeeds)) = act(line) else { continue };
                uses.extend(act.deed.inputs.iter().chain(&act.deed.outputs).cloned());
                happen(&mut wide, step, &act, succeeds);
                happen(&mut narrow, step, &act, succeeds);
            }
        }
    }
    assert!(narrow.count() <= BOUND, "more names than the bound");
    for used in uses.iter().flat_map(reaches) {
        let (before, after) = (wide.attached(&used).taint, narrow.attached(&used).taint);
        assert!(before.is_subset(after), "{used:?} lost a label by lifting");
    }
    for labels in [wide, narrow] {
        let (files, session) = (labels.snapshot(Part::Files), labels.snapshot(Part::Session));
        assert_eq!(Labels::restore(100_000, &files, &session).map(|again| again.count()), Ok(labels.count()));
    }
});

fn happen(labels: &mut Labels, step: u64, act: &Act, succeeds: bool) {
    let carried = labels.carried(step, act, &PLACES, &Evidence::none());
    assert_eq!(carried.taint, carried.marks.taint(), "labels and their origins differ");
    labels.permit(step, act, &carried);
    if succeeds {
        labels.deleted(act, &PLACES);
    }
}

fn act(line: &str) -> Option<(Act, bool)> {
    let mut words = line.split(' ');
    let effects = words.next()?;
    let succeeds = effects.starts_with('!');
    let effects: Effects = effects.trim_start_matches('!').split(',').filter_map(Effect::from_name).collect();
    let (input, output) = (used(words.next()?), used(words.next()?));
    let payload = words.next().is_some();
    Some((Act { deed: Deed { inputs: vec![input], outputs: vec![output], effects }, payload }, succeeds))
}

fn used(word: &str) -> Use {
    match (word.strip_suffix('~'), word.strip_suffix('?')) {
        (Some(name), _) => Use::new(name, Reach::Subtree),
        (_, Some(name)) => Use::new(name, Reach::Names),
        _ => Use::new(word, Reach::One),
    }
}

fn reaches(used: &Use) -> impl Iterator<Item = Use> + '_ {
    Reach::ALL.into_iter().map(|reach| Use::new(used.name.clone(), reach))
}

/// The text is remembered with a token in it, and the token found in the text and in encodings.
fn texts(text: &str) {
    let remembered = format!("{text}\nTOKEN={TOKEN}\n");
    let mut fingerprints = NOTHING.clone();
    fingerprints.remember(1, "/p/.env", Taint::only(Label::Secret), &remembered, &FORMATS.find(&remembered));
    let hex: String = TOKEN.bytes().map(|byte| format!("{byte:02x}")).collect();
    let percent: String = TOKEN.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let base64 = "cTdadDJMdzlYdjRS".to_owned();
    for (name, argument) in [
        ("plain", format!("{text}{TOKEN}{text}")),
        ("hex", format!("{text} .{hex}. ")),
        ("percent", percent),
        ("base64", base64),
    ] {
        let found = fingerprints.find(&argument);
        let is_found = found.matches.iter().any(|one| one.characters >= TOKEN.len());
        assert!(is_found || !found.is_complete, "{name}: {argument:?}");
        for one in &found.matches {
            assert!(argument.get(one.range.clone()).is_some() || !one.encodings.is_empty(), "{one:?}");
            assert!(one.range.end <= argument.len() && !one.words(None).is_empty());
        }
    }
}
