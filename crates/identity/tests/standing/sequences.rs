//! `cases/sequences.toml`.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::world::{Listed, Sealed, World, server};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sequence: Vec<Sequence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sequence {
    name: String,
    why: String,
    steps: Vec<String>,
}

fn listed(text: &str) -> Listed {
    let (name, rest) = text.split_once('=').unwrap();
    let (content, seal) = rest.split_once('/').unwrap_or((rest, ""));
    let seal = match seal {
        "" => Sealed::No,
        "!" => Sealed::Wrong,
        "-" => Sealed::Revoked,
        "?" => Sealed::Unproven,
        "=" => Sealed::Listed,
        seal => {
            let (signer, version) = seal.split_once('@').unwrap();
            let (version, issuer) = version.split_once('&').unwrap_or((version, ""));
            let issuer = Some(issuer).filter(|issuer| !issuer.is_empty()).map(str::to_owned);
            let (version, scopes) = version.split_once('+').unwrap_or((version, ""));
            let scopes: BTreeSet<String> =
                scopes.split(',').filter(|scope| !scope.is_empty()).map(str::to_owned).collect();
            Sealed::By { signer: signer.to_owned(), version: version.to_owned(), scopes, issuer }
        }
    };
    Listed { name: name.to_owned(), content: content.parse().unwrap(), seal }
}

#[test]
fn sequences_end_as_they_should() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/sequences.toml")).unwrap();
    let file: File = toml::from_str(&text).unwrap();
    assert!(file.sequence.len() >= 25);
    for sequence in file.sequence {
        let mut world = World::new();
        let mut kept = None;
        let mut checked = 0;
        for (index, step) in sequence.steps.iter().enumerate() {
            let (word, rest) = step.split_once(' ').unwrap();
            let missing = || panic!("{}: nothing to approve in step {index}", sequence.name);
            match word {
                "list" => {
                    let page = |page: &str| page.split_whitespace().map(listed).collect();
                    world.list(&rest.split('|').map(page).collect::<Vec<_>>());
                }
                "approve" if rest == "kept" => {
                    world.ledger.approve(kept.take().unwrap_or_else(missing)).unwrap()
                }
                "approve" => world.ledger.approve(world.offer(rest).unwrap_or_else(missing)).unwrap(),
                "keep" => kept = Some(world.offer(rest).unwrap_or_else(missing)),
                "block" => world.ledger.block("desk", rest),
                "unblock" => world.ledger.unblock("desk", rest),
                "forget" => world.ledger.forget("desk", rest),
                "server" => world.server = server(rest),
                name => {
                    let judged = world.judged(name).unwrap_or_else(|| panic!("{}: no {name}", sequence.name));
                    let told =
                        format!("{}: step {index}, {}: {:?}", sequence.name, sequence.why, judged.grounds);
                    assert_eq!(judged.standing.to_string(), rest, "{told}");
                    let is_approved = matches!(rest, "pinned" | "verified");
                    assert_eq!(world.may_be_called(judged), is_approved, "{told}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 0, "{} checks nothing", sequence.name);
    }
}
