//! Calls and rules that are measured, with everything that a call is judged with.

use portcullis_invariant::{CallFacts, Circumstances, Hand, History, Rulebook, Stated, Trails};
use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::layout::{Ground, Layout};
use portcullis_perceive::paths::NoLinks;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::{Memory, Perceiver, Perception};
use serde_json::{Value, json};

/// Twenty rules.
pub(crate) const SENTENCES: [&str; 20] = [
    "never email anyone outside acme.com",
    "only write inside docs/",
    "no deploys on Fridays",
    "nothing from hr/ may leave this machine",
    "no sudo",
    "don't install any packages",
    "never touch journal.md",
    "no force pushes",
    "nothing goes to the release branch",
    "don't read anything under private/",
    "no UPDATE or DELETE without a WHERE clause",
    "stay off LinkedIn",
    "no direct messages to anybody",
    "never delete anything in photos/",
    "ask me before buying anything",
    "no meetings before 9:30",
    "never send customer data to external people",
    "no bcc, ever",
    "don't download more than 3 files at once",
    "never pipe a download into a shell",
];

/// Everything that a call is judged with.
pub(crate) struct Desk {
    ground: Ground,
    formats: Formats,
    profile: Profile,
    arguments: Value,
    perception: Perception,
    pub(crate) hand: Hand,
    history: History,
}

fn layout() -> Layout {
    Layout {
        workspace: "/home/u/p".into(),
        home: "/home/u".into(),
        internal: vec!["acme.com".into()],
        ..Layout::default()
    }
}

impl Desk {
    fn new(server: &str, tool: &str, arguments: Value) -> Desk {
        let catalogue = Catalogue::built_in().unwrap();
        let mut hand = Hand::new(&layout());
        catalogue.servers().for_each(|(server, entry)| hand.add_catalogued(server, entry));
        let profile = catalogue.profile(server, tool).unwrap().clone();
        let (ground, formats) = (layout().ground().unwrap(), Formats::built_in().unwrap());
        let mut desk = Desk {
            ground,
            formats,
            profile,
            arguments,
            perception: Perception::default(),
            hand,
            history: History::default(),
        };
        desk.perception = desk.perceive();
        desk
    }

    pub(crate) fn perceive(&self) -> Perception {
        let none = |_: &str| None;
        let perceiver =
            Perceiver { ground: &self.ground, formats: &self.formats, resolver: &NoLinks, tools: &none };
        perceiver.call_with_particulars(&self.profile, &self.arguments, &Memory::default())
    }

    pub(crate) fn rulebook(&self, rules: usize) -> (Rulebook, Trails) {
        let sentences = SENTENCES.iter().cycle().take(rules).enumerate();
        let stated = sentences.map(|(at, text)| Stated::read(text, &self.hand, 2026, at).unwrap());
        let rulebook = Rulebook::new(stated.collect()).unwrap();
        let mut trails = Trails::default();
        trails.add(rulebook.sources());
        (rulebook, trails)
    }

    pub(crate) fn judge(&self, rulebook: &Rulebook, trails: &Trails) -> usize {
        self.find_out(rulebook, trails, |facts| rulebook.judge(facts).len())
    }

    pub(crate) fn find_out<T>(
        &self,
        rulebook: &Rulebook,
        trails: &Trails,
        with: impl FnOnce(&CallFacts<'_>) -> T,
    ) -> T {
        let known: Vec<&str> = self.profile.known_arguments().collect();
        let carried = trails.carried(1, &self.perception.acts, &[]);
        let secrets = vec![false; self.perception.acts.len()];
        let facts = CallFacts::of(&Circumstances {
            server: "filesystem",
            tool: &self.profile.tool,
            arguments: &self.arguments,
            calls_tools: false,
            known: &known,
            perception: &self.perception,
            secrets: &secrets,
            carried: &carried,
            ground: &self.ground,
            now: Some(jiff::civil::date(2026, 3, 5).at(15, 0, 0, 0)),
            interest: rulebook.interest(),
            history: &self.history,
        });
        with(&facts)
    }
}

/// A file that is written.
pub(crate) fn file() -> Desk {
    let write = json!({"path": "docs/api/rows.md", "content": "# Rows\n\nA row has an id and a name.\n"});
    Desk::new("filesystem", "write_file", write)
}

/// A mail that is sent.
pub(crate) fn mail() -> Desk {
    let mail = json!({"to": ["ann@acme.com"], "subject": "Minutes", "body": "They are in the wiki."});
    Desk::new("gmail", "send_email", mail)
}

/// A command line that is run.
pub(crate) fn command() -> Desk {
    let command = json!({"command": "grep -rn todo src | sort | head -20", "timeout_ms": 1000});
    Desk::new("desktop-commander", "start_process", command)
}
