//! The deeds of any command line: canonical, repeatable, and not hidden by what is put around it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_lattice::{Effect, Realms, Resource};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::shell::{Finding, Setting, analyse};

fuzz_target!(|bytes: &[u8]| {
    let command = String::from_utf8_lossy(bytes);
    let bare = read(&command);
    assert_eq!(bare, read(&command), "the same text is read alike");
    for deed in &bare.deeds {
        assert!(!deed.inputs.is_empty() && !deed.outputs.is_empty() && !deed.effects.is_empty(), "{deed:?}");
        for used in deed.inputs.iter().chain(&deed.outputs) {
            assert!(
                Resource::new(&used.name, used.reach, Realms::NETWORK).is_ok(),
                "no canonical name: {used:?}"
            );
        }
    }
    // A line that is readable by itself may not be so inside something else, but then anything may be run.
    let behind = read(&format!("true\n{command}"));
    let runs_anything = behind.deeds.iter().any(|deed| deed.effects.contains(Effect::Exec));
    let hidden = bare.deeds.iter().find(|deed| !behind.deeds.contains(deed));
    assert!(runs_anything || hidden.is_none(), "hidden behind another command: {hidden:?}");
});

fn read(command: &str) -> Finding {
    analyse(command, &Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() }, &NoLinks)
}
