//! Whether a new tool is an approved one under another name.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ledger::Ledger;
use super::listing::Listing;
use crate::definition::Definition;

/// The approved tools of a server that it does not list any more, by what they were but for the name.
#[derive(Default)]
pub(super) struct Gone {
    by_body: BTreeMap<String, String>,
    pub(super) names: Vec<String>,
}

impl Gone {
    pub(super) fn new(ledger: &Ledger, seat: &str, listing: &Listing<'_>) -> Gone {
        let mut gone = Gone::default();
        for (name, entry) in ledger.tools(seat) {
            let Some(accepted) = &entry.accepted else { continue };
            if listing.tools.contains_key(name) {
                continue;
            }
            gone.names.push(name.to_owned());
            if let Ok(definition) = Definition::parse(accepted.canonical.as_bytes(), &[]) {
                gone.by_body.insert(body(&definition), name.to_owned());
            }
        }
        gone
    }

    /// The name that this tool had, if one of them is the same but for that.
    pub(super) fn name_of(&self, definition: &Definition) -> Option<&str> {
        if self.by_body.is_empty() {
            return None;
        }
        self.by_body.get(&body(definition)).map(String::as_str)
    }
}

/// A definition without its name.
fn body(definition: &Definition) -> String {
    let mut members = definition.members().clone();
    members.remove("name");
    Value::Object(members).to_string()
}
