//! Profiles of tools: derived from a definition, and found again.

use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;

use portcullis_perceive::catalogue::Catalogue;
use portcullis_perceive::derive::{Definition, derive};
use portcullis_perceive::{Profiles, ServerIdentity};
use serde_json::{Value, json};

use crate::calls;
use crate::compare::Case;

/// A sentence of the kind that descriptions are made of.
const SENTENCE: &str = "A ticket belongs to one project and has a title, a body and a priority; the body is plain text, and \
                        links in it are shown as such. ";

/// A tool with eight arguments and two kilobytes of description.
pub(crate) fn typical() -> Value {
    let text = |description: &str| json!({ "type": "string", "description": description });
    let description = format!("Updates a ticket of the help desk. {}", SENTENCE.repeat(15));
    json!({
        "name": "update_ticket",
        "description": description.chars().take(2_000).collect::<String>(),
        "inputSchema": {
            "type": "object",
            "properties": {
                "project_id": text("The project that the ticket belongs to"),
                "ticket_id": { "type": "integer", "description": "The number of the ticket" },
                "title": text("The new title, one line"),
                "body": text("The new body"),
                "assignee": text("Who works on it"),
                "priority": { "type": "string", "enum": ["low", "normal", "high"] },
                "labels": { "type": "array", "items": { "type": "string" } },
                "is_draft": { "type": "boolean", "description": "Whether it is not shown yet" },
            },
            "required": ["project_id", "ticket_id"],
        },
        "annotations": { "readOnlyHint": false },
    })
}

/// The same tool, of which the schema says nothing.
pub(crate) fn unlisted() -> Value {
    let mut definition = typical();
    definition["inputSchema"] = json!({ "type": "object" });
    definition
}

pub(crate) fn all() -> Result<Vec<Case>, Box<dyn Error>> {
    let read = Definition::read(&typical())?;
    let derived = Case {
        name: "a profile is derived",
        budget: Some(100.0),
        analyse: Box::new(move || drop(black_box(derive("desk", black_box(&read))))),
        baseline_name: "serde_json reads the definition",
        baseline: calls::json(&typical()),
    };
    // Lives as long as the benchmark.
    let catalogue: &'static Catalogue = Box::leak(Box::new(Catalogue::built_in()?));
    let mut definition = typical();
    definition["outputSchema"] = json!({ "type": "object", "description": SENTENCE.repeat(3) });
    let server = ServerIdentity { name: "desk", catalogued: None };
    let profiles = RefCell::new(Profiles::new(catalogue));
    profiles.borrow_mut().profile(server, &definition, None)?;
    let baseline = calls::json(&definition);
    let found = Case {
        name: "a profile is found again, 3 kB",
        budget: None,
        analyse: Box::new(move || {
            drop(black_box(profiles.borrow_mut().profile(server, black_box(&definition), None)));
        }),
        baseline_name: "serde_json reads the definition",
        baseline,
    };
    Ok(vec![derived, found])
}
