//! What holds for every text, however it was meant.

use portcullis_lattice::{Reach, Topology};
use portcullis_perceive::network::{self, Locator, Remote};
use portcullis_perceive::paths::{self, Case, Found, NoLinks, PathError};
use proptest::prelude::*;

use crate::cases::base;
use crate::generators::{mail, path, spoilt, url};

const PLATFORMS: [&str; 3] = ["unix", "mac", "windows"];

fn accepted(name: &str) {
    for reach in Reach::ALL {
        let placed = Topology::new().resource(name, reach);
        assert!(placed.is_ok(), "the lattice refuses {name:?}: {placed:?}");
    }
}

fn name_of(text: &str) -> Option<String> {
    match network::locate(text) {
        Ok(Locator::Place(named)) => Some(named.name),
        Ok(Locator::Mail(found)) => {
            found.names.iter().for_each(|name| accepted(name));
            None
        }
        Ok(Locator::Context | Locator::File | Locator::Opaque { .. }) | Err(_) => None,
    }
}

fn check_path(text: &str) {
    for platform in PLATFORMS {
        let base = base(platform);
        let Ok(named) = paths::name(text, &base, &NoLinks) else { continue };
        accepted(&named.name);
        let again = match named.name.starts_with('/') {
            true => paths::name(&named.name, &base, &NoLinks).map(|again| again.name).ok(),
            false => name_of(&named.name),
        };
        assert_eq!(again.as_ref(), Some(&named.name), "named anew on {platform}: {text:?}");
    }
}

fn check_url(text: &str) {
    if let Some(name) = name_of(text) {
        accepted(&name);
        assert_eq!(name_of(&name).as_ref(), Some(&name), "named anew: {text:?}");
        agrees_with_browsers(text, &name);
    }
    if let Ok(Remote::Place(named)) = network::remote(text) {
        accepted(&named.name);
        if !named.name.starts_with("github:") {
            let Ok(Remote::Place(again)) = network::remote(&named.name) else {
                panic!("a remote that is none: {named:?}")
            };
            assert_eq!(again.name, named.name, "named anew: {text:?}");
        }
    }
}

/// Where we name a host, a browser goes to the same one.
fn agrees_with_browsers(text: &str, name: &str) {
    let Ok(parsed) = url::Url::parse(text) else { return };
    if !matches!(parsed.scheme(), "http" | "https") {
        return;
    }
    let browsers = match parsed.host() {
        Some(url::Host::Domain(domain)) => domain.strip_suffix('.').unwrap_or(domain).to_owned(),
        Some(url::Host::Ipv4(address)) => address.to_string(),
        Some(url::Host::Ipv6(address)) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => format!("[{address}]"),
        },
        None => panic!("no host in {text:?}"),
    };
    let port = parsed.port().map(|port| format!(":{port}")).unwrap_or_default();
    let rest = name.split_once("://").unwrap().1;
    assert_eq!(rest.split('/').next().unwrap(), format!("{browsers}{port}"), "another host: {text:?}");
}

fn check_mail(text: &str) {
    let Ok(found) = network::recipients([text]) else { return };
    for name in &found.names {
        accepted(name);
        let address = name.strip_prefix("mailto:").unwrap();
        assert_eq!(network::recipients([address]).unwrap().names, [name.as_str()], "named anew: {text:?}");
    }
    for address in addresses_outside_quotes(text) {
        let named = network::recipients([address.as_str()]).map(|found| found.names);
        let held = named.is_ok_and(|names| names.iter().all(|name| found.names.contains(name)));
        assert!(held, "{address:?} was dropped from {text:?}: {found:?}");
    }
}

/// Every `@` outside quotes and comments, with the letters around it; found without the reader under test.
fn addresses_outside_quotes(text: &str) -> Vec<String> {
    let (mut outside, mut quoted, mut depth, mut escaped) = (String::new(), false, 0, false);
    for letter in text.chars() {
        let inside = quoted || depth > 0;
        match letter {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            _ if !inside => outside.push(letter),
            _ => {}
        }
        if quoted || depth > 0 {
            outside.push(' ');
        }
    }
    let ends = |letter: char| letter.is_whitespace() || ",;<>:".contains(letter);
    outside.split(ends).filter(|word| word.contains('@')).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_path_has_one_name_that_the_lattice_takes(text in spoilt(path())) {
        check_path(&text);
    }

    #[test]
    fn every_url_has_one_name_that_the_lattice_takes(text in spoilt(url())) {
        check_url(&text);
    }

    #[test]
    fn no_recipient_is_dropped(text in spoilt(mail())) {
        check_mail(&text);
    }

    #[test]
    fn any_text_at_all_is_read_without_harm(text in any::<String>()) {
        check_path(&text);
        check_url(&text);
        check_mail(&text);
    }

    #[test]
    fn links_that_lead_anywhere_end(text in path(), target in path()) {
        for platform in PLATFORMS {
            let disk = |place: &str| match place.ends_with("link") {
                true => Found::Link(target.clone()),
                false => Found::Plain,
            };
            if let Ok(named) = paths::name(&text, &base(platform), &disk) {
                accepted(&named.name);
            }
        }
    }

    #[test]
    fn dots_and_empty_segments_change_no_name(folders in prop::collection::vec("[a-z]{1,3}", 1..5), at in 0..5usize) {
        let plain = format!("/{}", folders.join("/"));
        let at = at.min(folders.len());
        for detour in [".", "x/..", "", "./x/./.."] {
            let mut detoured = folders.clone();
            detoured.insert(at, detour.to_owned());
            let text = format!("/{}", detoured.join("/"));
            assert_eq!(paths::name(&text, &base("unix"), &NoLinks).unwrap().name, plain, "{text:?}");
            assert_eq!(name_of(&format!("https://h.io{text}")), Some(format!("https://h.io{plain}")), "{text:?}");
        }
    }

    #[test]
    fn escapes_change_no_name(folder in "[a-z@~!.-]{1,6}[a-z]", at in 0..6usize) {
        let byte = folder.as_bytes()[at.min(folder.len() - 1)];
        let escaped = folder.replace(char::from(byte), &format!("%{byte:02x}"));
        assert_eq!(name_of(&format!("https://h.io/{escaped}")), name_of(&format!("https://h.io/{folder}")));
    }
}

#[test]
fn folding_case_is_done_once() {
    let mac = base("mac");
    assert_eq!(mac.case, Case::Folded);
    for letter in (1..=0x10_ffff).filter_map(char::from_u32).filter(|letter| letter.is_alphabetic()) {
        let once = paths::name(&format!("/{letter}"), &mac, &NoLinks).unwrap().name;
        assert_eq!(paths::name(&once, &mac, &NoLinks).unwrap().name, once, "{letter:?}");
    }
}

/// A megabyte of what costs most. Each would take minutes if work grew with its square.
#[test]
fn long_texts_are_read_in_one_go() {
    const SIZE: usize = 1 << 20;
    let pieces = ["a/", "%2e%2e/", "\\", "@", "(", "\"", "a@b.c,", ";", "e\u{301}", "xn--a."];
    for piece in pieces {
        let long = piece.repeat(SIZE / piece.len());
        for start in ["", "https://", "https://acme.com/", "mailto:"] {
            let _ = network::locate(&format!("{start}{long}"));
        }
        let _ = network::remote(&format!("git@h:{long}"));
        for start in ["", "ann@", "\"", "Team: "] {
            let _ = network::recipients([format!("{start}{long}").as_str()]);
        }
        let long = piece.repeat(paths::LONGEST_PATH / piece.len() - 10);
        for platform in PLATFORMS {
            for start in ["", "/", "C:\\", "file:///", "\\\\s\\s\\"] {
                let _ = paths::name(&format!("{start}{long}"), &base(platform), &NoLinks);
            }
        }
    }
    let too_long = "a/".repeat(SIZE);
    assert_eq!(paths::name(&too_long, &base("unix"), &NoLinks), Err(PathError::TooLong));
}
