//! Arguments as agents write them, and what reads them.

use std::error::Error;
use std::hint::black_box;

use portcullis_lattice::{Reach, Realms, Resource};
use portcullis_perceive::paths::{Base, Case as Letters, Family, NoLinks};
use portcullis_perceive::secrets::Formats;
use portcullis_perceive::sensitive::Places;
use portcullis_perceive::shell::{self, Setting};
use portcullis_perceive::sql::{self, Dialect, Folder};
use portcullis_perceive::{Use, network, paths};
use serde_json::Value;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::parser::Parser;

use crate::compare::Case;
use crate::texts::{PIPELINE, STATEMENT};

/// A command of the usual size.
const COMMAND: &str = "git log --oneline -n 20 -- src/main.rs";

/// Text without a credential, but with the words that stand beside one.
const PROSE: &str = "The quarterly report covers the token budget of the new release, how keys of the map are sorted, \
                     and what the team decided on Monday: ship the parser first, then look at https://acme.com/plan. ";

const RECIPIENTS: [&str; 5] = [
    "Ann Lee <ann.lee@acme.com>",
    "bob@acme.com",
    "\"Lee, Chris\" <chris@customer0.com>",
    "dana.smith@partner.example.co.uk",
    "eve@acme.com",
];

const ADDRESS: &str = "https://docs.acme.com:443/api/v2/guides/../reference/search?q=terms#results";

pub(crate) fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = vec![path(), recipients(), address()];
    cases.extend([command("shell, 40 characters", COMMAND), command("shell, 200 characters", PIPELINE)]);
    cases.extend([
        statement("SQL, 1 kB, known dialect", Some(Dialect::Postgres)),
        statement("SQL, 1 kB, unknown dialect", None),
    ]);
    cases.extend(sensitive()?);
    for (name, length, budget) in [
        ("credentials in 200 B", 200, Some(1.0)),
        ("credentials in 2 kB", 2_000, Some(10.0)),
        ("credentials in 100 kB", 100_000, None),
    ] {
        cases.push(credentials(name, length, budget)?);
    }
    Ok(cases)
}

fn path() -> Case {
    const TEXT: &str = "src/network/../paths/walk.rs";
    let base = Base {
        folder: "/home/ann/project",
        home: Some("/home/ann"),
        family: Family::Unix,
        case: Letters::Kept,
    };
    Case {
        name: "path",
        budget: Some(5.0),
        analyse: Box::new(move || drop(black_box(paths::name(black_box(TEXT), &base, &NoLinks)))),
        baseline_name: "serde_json reads the arguments",
        baseline: json(&serde_json::json!({ "path": TEXT })),
    }
}

fn recipients() -> Case {
    Case {
        name: "five mail recipients",
        budget: Some(10.0),
        analyse: Box::new(|| drop(black_box(network::recipients(black_box(RECIPIENTS))))),
        baseline_name: "serde_json reads the arguments",
        baseline: json(&serde_json::json!({ "to": RECIPIENTS })),
    }
}

fn address() -> Case {
    Case {
        name: "URL",
        budget: None,
        analyse: Box::new(|| drop(black_box(network::locate(black_box(ADDRESS))))),
        baseline_name: "url::Url::parse",
        baseline: Box::new(|| drop(black_box(url::Url::parse(black_box(ADDRESS))))),
    }
}

fn command(name: &'static str, text: &'static str) -> Case {
    let setting = Setting { workdir: "/home/ann/project".into(), home: "/home/ann".into() };
    Case {
        name,
        budget: Some(60.0),
        analyse: Box::new(move || drop(black_box(shell::analyse(black_box(text), &setting, &NoLinks)))),
        baseline_name: "rable parses it",
        baseline: Box::new(move || drop(black_box(rable::parse(black_box(text), true)))),
    }
}

fn statement(name: &'static str, dialect: Option<Dialect>) -> Case {
    Case {
        name,
        budget: Some(60.0),
        analyse: Box::new(move || {
            drop(black_box(sql::read(black_box(STATEMENT), dialect, Folder(None), &NoLinks)))
        }),
        baseline_name: "sqlparser parses it once",
        baseline: Box::new(|| {
            drop(black_box(Parser::parse_sql(&PostgreSqlDialect {}, black_box(STATEMENT))));
        }),
    }
}

/// Names that are no place of credentials, as nearly all are, and one that is.
fn sensitive() -> Result<Vec<Case>, Box<dyn Error>> {
    let names = [
        ("place, a file", "/home/ann/project/src/network/lookalike.rs"),
        ("place, a repository", "github:acme/webapp/main"),
        ("place, a mailbox", "mailto:ann.lee@acme.com"),
        ("place of credentials", "/home/ann/project/deploy/.env.production"),
    ];
    let case = |(name, resource): (&'static str, &'static str)| {
        let places = Places::built_in()?;
        let used = Use::new(resource, Reach::One);
        let case = Case {
            name,
            budget: Some(1.0),
            analyse: Box::new(move || _ = black_box(places.holds_secrets(black_box(&used)))),
            baseline_name: "the lattice takes the name",
            baseline: Box::new(move || {
                drop(black_box(Resource::new(black_box(resource), Reach::One, Realms::NETWORK)));
            }),
        };
        Ok(case)
    };
    names.into_iter().map(case).collect()
}

fn credentials(name: &'static str, length: usize, budget: Option<f64>) -> Result<Case, Box<dyn Error>> {
    let formats = Formats::built_in()?;
    let text: String = PROSE.chars().cycle().take(length).collect();
    if formats.any(&text) {
        return Err("ordinary text is taken for a credential".into());
    }
    let baseline = json(&Value::String(text.clone()));
    Ok(Case {
        name,
        budget,
        analyse: Box::new(move || _ = black_box(formats.any(black_box(&text)))),
        baseline_name: "serde_json reads the text",
        baseline,
    })
}

/// Reading the same as JSON, which happens to every call.
fn json(value: &Value) -> Box<dyn Fn()> {
    let text = value.to_string();
    Box::new(move || drop(black_box(serde_json::from_str::<Value>(black_box(&text)))))
}
