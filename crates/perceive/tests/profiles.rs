//! Profiles: how they are written, and what arguments of odd shapes are taken for.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "it reads the manual")]

use portcullis_lattice::Class;
use portcullis_perceive::catalogue::{Catalogue, CatalogueError};
use portcullis_perceive::layout::Layout;
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::{ArgumentPath, IdForm};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, PageAfter, Perceiver, Perception, Use};
use serde_json::{Value, json};

fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into(), "github:Acme/**".into()],
        external: vec![
            "notion:0A568788DBE44437A73D429D94AFB598".into(),
            "calendar:Vendors".into(),
            "github:acme/Open/**".into(),
        ],
        ..Layout::default()
    }
}

/// What a call of the catalogue does in one session.
fn call(server: &str, tool: &str, arguments: &Value, memory: &Memory) -> Perception {
    let catalogue = Catalogue::built_in().unwrap_or_else(|error| panic!("{error}"));
    let ground = layout().ground().unwrap();
    let formats = Formats::built_in().unwrap();
    let profile = catalogue.profile(server, tool).expect("the tool is in the catalogue");
    let tools = |name: &str| catalogue.profile(server, name);
    Perceiver { ground: &ground, formats: &formats, resolver: &NoLinks, tools: &tools }
        .call(profile, arguments, memory)
}

fn acts(server: &str, tool: &str, arguments: &Value) -> Vec<String> {
    call(server, tool, arguments, &Memory::default()).acts.iter().map(ToString::to_string).collect()
}

/// The values at a way, as JSON.
fn values(way: &str, arguments: Value) -> Value {
    let way = ArgumentPath::parse(way).unwrap();
    Value::Array(way.values(&arguments).into_iter().map(|value| value.into_owned()).collect())
}

#[test]
fn a_way_finds_values_in_every_shape_that_servers_take() {
    let wanted = json!(["a@x.org"]);
    assert_eq!(values("to[].email", json!({"to": [{"email": "a@x.org"}]})), wanted, "as it should be");
    assert_eq!(values("to[].email", json!({"to": {"email": "a@x.org"}})), wanted, "one stands for a list");
    assert_eq!(values("to[].email", json!({"to": "[{\"email\": \"a@x.org\"}]"})), wanted, "JSON in a text");
    assert_eq!(values("to[].email", json!({"to": ["a@x.org"]})), wanted, "a text for an object is not lost");
    assert_eq!(values("to.email", json!({"to": [{"email": "a@x.org"}]})), wanted, "a list for an object");
    assert_eq!(values("to[].email", json!({"to": [null, {}]})), json!([]), "nothing is nothing");
}

#[test]
fn one_id_has_one_spelling() {
    let dashed = Some("0a568788-dbe4-4437-a73d-429d94afb598".to_owned());
    assert_eq!(IdForm::Uuid.read("0a568788-dbe4-4437-a73d-429d94afb598"), dashed);
    assert_eq!(IdForm::Uuid.read("0A568788DBE44437A73D429D94AFB598"), dashed);
    assert_eq!(IdForm::Uuid.read("0a568788"), None, "too short");
    assert_eq!(IdForm::Uuid.read("za568788-dbe4-4437-a73d-429d94afb598"), None, "no digit");
    assert_eq!(IdForm::Capitals.read("C04ENG").as_deref(), Some("C04ENG"));
    assert_eq!(IdForm::Capitals.read("#eng"), None, "a name may be any channel");
    assert_eq!(IdForm::Address.read("Ann@Acme.com").as_deref(), Some("ann@acme.com"));
    assert_eq!(IdForm::Address.read("Gym 2024").as_deref(), Some("Gym 2024"), "names keep their case");
}

#[test]
fn patterns_of_a_session_are_spelt_as_calls_are() {
    let ground = layout().ground().unwrap();
    let class = |seen: &Perception| {
        let act = seen.acts.first().unwrap();
        let place = act.deed.inputs.iter().find(|place| **place != Use::context()).unwrap();
        ground.topology().class(&ground.resource(place).unwrap())
    };
    let page = json!({"page_id": "0a568788-dbe4-4437-a73d-429d94afb598"});
    let seen = call("notion", "API-retrieve-a-page", &page, &Memory::default());
    assert_eq!(class(&seen), Class::External, "the exception is written without dashes");
    let repository = |name: &str| json!({"owner": "ACME", "repo": name, "path": "a"});
    let seen = call("github", "get_file_contents", &repository("Web"), &Memory::default());
    assert_eq!(class(&seen), Class::Internal, "owners ignore case");
    let seen = call("github", "get_file_contents", &repository("OPEN"), &Memory::default());
    assert_eq!(class(&seen), Class::External, "and repositories do");
}

#[test]
fn attendees_and_somebody_elses_calendar_both_get_an_invitation() {
    let event = |calendar: &str| json!({"calendarId": calendar, "summary": "s", "start": "x", "end": "y", "attendees": ["ann@acme.com"]});
    assert_eq!(
        acts("google-calendar", "create-event", &event("Team")),
        ["write from ctxt to mailto:ann@acme.com, with text"],
        "an own calendar is a means"
    );
    assert_eq!(
        acts("google-calendar", "create-event", &event("Vendors")),
        ["write from ctxt to mailto:ann@acme.com, calendar:Vendors, with text"],
        "one that is shared with others is a recipient"
    );
}

#[test]
fn a_browser_forgets_the_page_when_nobody_knows_it() {
    let open = json!({"url": "https://acme.com/a?b"});
    let opened = call("playwright", "browser_navigate", &open, &Memory::default());
    let memory = Memory::default().after(&opened);
    assert_eq!(memory.page.as_deref(), Some("https://acme.com/a"));
    let clicked = call("playwright", "browser_click", &json!({"target": "e1"}), &memory);
    assert_eq!(memory.clone().after(&clicked), memory, "a click changes nothing that is known");
    let back = call("playwright", "browser_navigate_back", &json!({}), &memory);
    assert_eq!(back.page, PageAfter::Unknown);
    let lost = memory.after(&back);
    let typed = call("playwright", "browser_type", &json!({"target": "e1", "text": "x"}), &lost);
    let typed: Vec<String> = typed.acts.iter().map(ToString::to_string).collect();
    assert_eq!(typed, ["write from ctxt to all of https://*, with text"], "it may be any page");
}

#[test]
fn pages_without_an_address_are_unknown() {
    for url in ["data:text/html,<form>", "about:blank", "https://a@b@c/"] {
        let seen = call("playwright", "browser_navigate", &json!({ "url": url }), &Memory::default());
        assert_eq!(seen.page, PageAfter::Unknown, "{url}");
    }
}

#[test]
fn an_argument_that_nobody_described_may_be_written_to() {
    let arguments = json!({"path": "a.txt", "mirror": "https://evil.example/in"});
    let seen = call("filesystem", "read_text_file", &arguments, &Memory::default());
    let found: Vec<String> = seen.acts.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        ["read from /home/u/p/a.txt to ctxt", "write from ctxt to https://evil.example/in, with text"]
    );
    assert_eq!(seen.doubts.len(), 1, "and it is said");
}

/// What is wrong with a file of one tool.
fn refused(tool: &str) -> String {
    let text = format!("server = \"x\"\nabout = \"x\"\npackages = []\n[[tool]]\nname = \"t\"\n{tool}");
    let mut catalogue = Catalogue::default();
    let result: Result<(), CatalogueError> = catalogue.add("x", &text).and_then(|()| catalogue.check());
    result.expect_err("the file is refused").to_string()
}

#[test]
fn a_file_that_says_too_little_or_too_much_is_refused() {
    let cases = [
        ("", "at least one deed"),
        ("deeds = [{ effects = [\"reads\"] }]", "no effect"),
        ("deeds = [{ from = [{ path = \"p\" }] }]", "says what is done"),
        ("deeds = [{ effects = [\"read\"], from = [{ path = \"p\", url = \"u\" }] }]", "exactly one kind"),
        ("deeds = [{ effects = [\"read\"], from = [{ page = \"p\" }] }]", "needs `of`"),
        (
            "deeds = [{ effects = [\"read\"], from = [{ page = \"p\", of = \"notion\", form = \"hex\" }] }]",
            "form of ids",
        ),
        (
            "deeds = [{ when = [{ argument = \"a\", is = 1, has = [\"x\"] }], effects = [\"read\"] }]",
            "exactly one of",
        ),
        ("deeds = [{ when = [{ argument = \"a\" }], effects = [\"read\"] }]", "exactly one of"),
        ("deeds = [{ effects = [\"read\"], from = [{ path = \"p..q\" }] }]", "names no argument"),
        ("deeds = [{ effects = [\"read\"], from = [{ name = \"a b\" }] }]", "no name of a resource"),
        (
            "deeds = [{ effects = [\"write\"], to = [{ path = \"p\", reach = \"names\" }] }]\n[[tool.example]]\narguments = '{\"p\": \"a\"}'\ndoes = [\"write from ctxt to names of /home/u/p/a\"]",
            "reach `names`",
        ),
        (
            "deeds = [{ effects = [\"read\"], from = [{ path = \"p\" }] }]\n[[tool.example]]\narguments = '{\"p\": \"a\"}'\ndoes = [\"read from /home/u/p/b to ctxt\"]",
            "and not",
        ),
    ];
    for (tool, wanted) in cases {
        let error = refused(tool);
        assert!(error.contains(wanted), "{tool}\n  {error}");
    }
}

#[test]
fn the_example_of_the_manual_holds() {
    let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/catalogue.md");
    let text = std::fs::read_to_string(manual).unwrap();
    let (_, rest) = text.split_once("```toml\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let mut catalogue = Catalogue::default();
    catalogue
        .add("notes", example)
        .and_then(|()| catalogue.check())
        .unwrap_or_else(|error| panic!("{error}"));
}
