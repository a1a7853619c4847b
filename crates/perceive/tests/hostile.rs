//! Input that is too long, too deep or too much ends quickly, on the stack of a worker.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it starts threads with small stacks")]

use portcullis_lattice::{Effect, Reach, Realm};
use portcullis_perceive::paths::{self, Base, Case, Family, Found, NoLinks, PathError};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::shell::{Setting, analyse};
use portcullis_perceive::sql::{self, Folder};
use portcullis_perceive::{Deed, Use, network, riskiest};

const MEGABYTE: usize = 1 << 20;
const LEVELS: usize = 1_000;
const MANY: usize = 10_000;

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn paths() {
    on_a_small_stack(|| {
        let base =
            Base { folder: "/home/u/p", home: Some("/home/u"), family: Family::Unix, case: Case::Kept };
        assert_eq!(paths::name(&"a/".repeat(MEGABYTE / 2), &base, &NoLinks), Err(PathError::TooLong));
        let deep = format!("{}{}x", "a/".repeat(LEVELS), "../".repeat(LEVELS));
        assert_eq!(paths::name(&deep, &base, &NoLinks).unwrap().name, "/home/u/p/x");
        // Every place leads to two more.
        let doubling = |_: &str| Found::Link("b/b".to_owned());
        assert_eq!(paths::name("a", &base, &doubling), Err(PathError::TooManyLinks));
        let growing = |place: &str| Found::Link(format!("{}/c", place.repeat(2)));
        assert!(paths::name("a", &base, &growing).is_err());
    });
}

#[test]
fn places_on_the_network() {
    on_a_small_stack(|| {
        assert!(network::locate(&format!("https://{}", "a".repeat(MEGABYTE))).is_err());
        assert!(network::locate(&format!("https://{}acme.com/", "a.".repeat(LEVELS))).is_err());
        assert!(network::locate(&format!("https://{}acme.com/", "u@".repeat(LEVELS))).is_err());
        let deep = network::locate(&format!("https://acme.com/{}", "a/../".repeat(MANY))).unwrap();
        assert_eq!(deep, network::locate("https://acme.com").unwrap());
        let _ = network::remote(&format!("git@h:{}", "a/".repeat(MEGABYTE / 2)));
        let list: Vec<String> = (0..MANY).map(|number| format!("p{number}@acme.com")).collect();
        assert!(network::recipients(list.iter().map(String::as_str)).is_err());
        assert!(network::recipients([list.join(", ").as_str()]).is_err());
        assert!(network::recipients(["(".repeat(MEGABYTE).as_str()]).is_err());
        assert!(network::recipients(["a: ".repeat(LEVELS).as_str()]).is_err());
    });
}

#[test]
fn names_of_places_and_texts_with_credentials() {
    on_a_small_stack(|| {
        let places = Places::built_in().unwrap();
        for piece in ["a/", "a", "token_", ".env", "TokenKey", "\u{130}", ".ssh/"] {
            let name = format!("/{}", piece.repeat(MEGABYTE / piece.len()));
            let _ = places.holds_secrets(&Use::new(name.clone(), Reach::One));
            let _ = places.holds_secrets(&Use::new(name, Reach::Subtree));
        }
        let details = (0..MANY).map(|number| format!("/p/{number}")).collect();
        let many = Use { details, ..Use::new("/p", Reach::One) };
        assert!(!places.holds_secrets(&many));
        let formats = Formats::built_in().unwrap();
        for piece in
            ["a_b-c.d_", "api_key = ", "https://u:", "aws secret access key ", "A1b2C3d4", "x.secret:"]
        {
            let _ = formats.any(&piece.repeat(MEGABYTE / piece.len()));
        }
    });
}

#[test]
fn shells_and_databases() {
    on_a_small_stack(|| {
        let setting = Setting { workdir: "/home/u/p".to_owned(), home: "/home/u".to_owned() };
        let runs = |deeds: &[Deed]| deeds.iter().any(|deed| deed.effects.contains(Effect::Exec));
        for command in [
            "a ".repeat(MEGABYTE / 2),
            format!("cat a{}", " | cat".repeat(MANY)),
            format!("{}true{}", "$(".repeat(LEVELS), ")".repeat(LEVELS)),
            format!("git add{}", " a".repeat(MANY)),
            format!("git show{}", " HEAD:.env".repeat(MANY)),
        ] {
            assert!(runs(&analyse(&command, &setting, &NoLinks).deeds), "{}", command.get(..20).unwrap());
        }
        // Braces that are never closed, or closed and no list.
        for braces in ["{".repeat(28), format!("{}b{}", "{".repeat(28), "}".repeat(28)), "{'}'".repeat(28)] {
            let deeds = analyse(&format!("rm a,{braces}"), &setting, &NoLinks).deeds;
            let anything = |deed: &Deed| deed.outputs.iter().any(|output| output.reach == Reach::Subtree);
            assert!(deeds.iter().any(anything), "{deeds:?}");
        }
        for text in [
            format!("SELECT a FROM t WHERE b IN ({}1)", "1, ".repeat(MEGABYTE / 3)),
            format!("SELECT a FROM t WHERE {}b{}", "(".repeat(LEVELS), ")".repeat(LEVELS)),
            format!("SELECT a FROM t{}", " JOIN t ON a = b".repeat(MANY)),
            format!("SELECT {}a FROM t", "CASE WHEN ".repeat(LEVELS)),
        ] {
            assert!(
                runs(&sql::read(&text, None, Folder(None), &NoLinks).deeds),
                "{}",
                text.get(..20).unwrap()
            );
        }
    });
}

#[test]
fn deeds() {
    let deed = |number: usize| Deed {
        inputs: vec![Use::new(format!("/p/{number}"), Reach::One)],
        outputs: vec![Use::context()],
        effects: Effect::Read.into(),
    };
    let deeds: Vec<Deed> = (0..MANY / 10).map(deed).collect();
    let found = riskiest(&deeds, |name| if name == "ctxt" { Realm::Context } else { Realm::Local }).unwrap();
    assert_eq!(found.inputs.len(), deeds.len());
}
