//! Any text as a path, a URL, a Git remote or a list of recipients: a name that comes out is one that the lattice
//! takes, and its own name; and no recipient gets lost.
#![no_main]

use libfuzzer_sys::fuzz_target;
use portcullis_lattice::{Reach, Topology};
use portcullis_perceive::network::{self, Locator, Remote};
use portcullis_perceive::paths::{self, Base, Case, Family, Found, NoLinks};

/// The working directory and home folder that paths start from.
const BASES: [Base<'static>; 3] = [
    Base { folder: "/home/u/p", home: Some("/home/u"), family: Family::Unix, case: Case::Kept },
    Base { folder: "/home/u/p", home: None, family: Family::Unix, case: Case::Folded },
    Base { folder: r"C:\Users\u", home: Some(r"C:\Users\u"), family: Family::Windows, case: Case::Folded },
];

fuzz_target!(|bytes: &[u8]| {
    let input = String::from_utf8_lossy(bytes);
    let Some((kind, text)) = input.split_once(' ') else { return };
    match kind {
        "path" => path(text),
        "url" => url(text),
        "remote" => remote(text),
        "mail" => mail(text),
        _ => {}
    }
});

fn taken(name: &str) {
    for reach in Reach::ALL {
        let placed = Topology::new().resource(name, reach);
        assert!(placed.is_ok(), "the lattice refuses {name:?}: {placed:?}");
    }
}

fn path(text: &str) {
    for base in &BASES {
        // A link whose target is written after a `>` makes a disk for the text in front.
        if let Some((text, target)) = text.split_once('>') {
            let disk = |place: &str| match place.ends_with("link") {
                true => Found::Link(target.to_owned()),
                false => Found::Plain,
            };
            if let Ok(named) = paths::name(text, base, &disk) {
                taken(&named.name);
            }
        }
        let Ok(named) = paths::name(text, base, &NoLinks) else { continue };
        taken(&named.name);
        match named.name.starts_with('/') {
            true => {
                let again = paths::name(&named.name, base, &NoLinks).map(|again| again.name);
                assert_eq!(again.as_ref(), Ok(&named.name), "named anew: {text:?}");
            }
            false => url(&named.name),
        }
    }
}

fn url(text: &str) {
    match network::locate(text) {
        Ok(Locator::Place(named)) => {
            taken(&named.name);
            match network::locate(&named.name) {
                Ok(Locator::Place(again)) => assert_eq!(again.name, named.name, "named anew: {text:?}"),
                other => panic!("a name that leads elsewhere: {named:?}, {other:?}"),
            }
        }
        Ok(Locator::Mail(found)) => found.names.iter().for_each(|name| taken(name)),
        Ok(Locator::Context | Locator::File | Locator::Opaque { .. }) | Err(_) => {}
    }
}

fn remote(text: &str) {
    let Ok(Remote::Place(named)) = network::remote(text) else { return };
    taken(&named.name);
    if !named.name.starts_with("github:") {
        match network::remote(&named.name) {
            Ok(Remote::Place(again)) => assert_eq!(again.name, named.name, "named anew: {text:?}"),
            other => panic!("a name that leads elsewhere: {named:?}, {other:?}"),
        }
    }
}

fn mail(text: &str) {
    let Ok(found) = network::recipients([text]) else { return };
    for name in &found.names {
        taken(name);
        let address = name.strip_prefix("mailto:").expect("recipients are mailboxes");
        let again = network::recipients([address]).map(|found| found.names);
        assert_eq!(again, Ok(vec![name.clone()]), "named anew: {text:?}");
    }
    // Without quotes and comments every `@` is a recipient, though the same one may be named twice.
    if !text.contains(['"', '(']) {
        let addresses =
            text.split([',', ';', '<', '>', ':']).map(str::trim).filter(|word| word.contains('@'));
        for address in addresses {
            let names = network::recipients([address]).map(|found| found.names).unwrap_or_default();
            assert!(
                !names.is_empty() && names.iter().all(|name| found.names.contains(name)),
                "{address:?} was dropped from {text:?}"
            );
        }
    }
}
