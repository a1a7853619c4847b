//! The definitions in a file: one, or a list as a server answers `tools/list`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use portcullis_perceive::json;
use portcullis_perceive::profile::Profile;
use portcullis_perceive::{Profiles, ServerIdentity};
use serde_json::Value;

use super::super::read;
use super::ExplainError;
use crate::failure::Failure;

/// How alike a name has to be to be offered instead, on a scale to 1.
const ALIKE: f64 = 0.84;
const MOST_OFFERED: usize = 3;

/// The tools of a file.
pub(in crate::commands) struct Tools {
    path: PathBuf,
    definitions: Vec<Value>,
    is_list: bool,
}

/// What of a file is to be explained.
pub(super) enum Chosen<'t> {
    /// One tool.
    One(&'t Value),
    /// All of them, in short.
    All(&'t [Value]),
}

impl Tools {
    pub(in crate::commands) fn read(path: &Path) -> Result<Tools, Failure> {
        let text = read(path)?;
        let value = json::strict(&text).map_err(|error| ExplainError::Json { path: path.into(), error })?;
        Ok(Tools::of(path, value)?)
    }

    fn of(path: &Path, mut value: Value) -> Result<Tools, ExplainError> {
        if let Some(result) = value.get_mut("result").filter(|result| result.is_object()) {
            value = result.take();
        }
        let is_definition = value.get("name").is_some();
        let list = match value.get_mut("tools").filter(|_| !is_definition) {
            Some(tools) => tools.take(),
            None => value,
        };
        let path = path.into();
        match list {
            Value::Array(definitions) if definitions.is_empty() => Err(ExplainError::NoTools { path }),
            Value::Array(definitions) => Ok(Tools { path, definitions, is_list: true }),
            one if is_definition => Ok(Tools { path, definitions: vec![one], is_list: false }),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                Err(ExplainError::NoDefinition { path })
            }
        }
    }

    /// The tool with this name; without a name the only one, or all if all will do.
    pub(super) fn choose(&self, name: Option<&str>, needs_one: bool) -> Result<Chosen<'_>, ExplainError> {
        let Some(name) = name else {
            return match self.definitions.as_slice() {
                [one] if needs_one || !self.is_list => Ok(Chosen::One(one)),
                _ if needs_one => Err(ExplainError::Which { path: self.path.clone(), names: self.names() }),
                all => Ok(Chosen::All(all)),
            };
        };
        let mut found = self.definitions.iter().filter(|one| name_of(one) == Some(name));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(Chosen::One(one)),
            (Some(_), Some(_)) => Err(ExplainError::Twice { path: self.path.clone(), name: name.to_owned() }),
            (None, _) => Err(self.unknown(name)),
        }
    }

    /// The profiles of all tools, for those that call others. What is no definition has none.
    pub(super) fn profiles(
        &self,
        server: ServerIdentity<'_>,
        profiles: &mut Profiles<'_>,
    ) -> BTreeMap<String, Arc<Profile>> {
        let all = self.definitions.iter().filter_map(|one| profiles.profile(server, one, None).ok());
        all.map(|profile| (profile.tool.clone(), profile)).collect()
    }

    /// All definitions.
    pub(in crate::commands) fn definitions(&self) -> &[Value] {
        &self.definitions
    }

    /// The file that they come from.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn names(&self) -> Vec<String> {
        self.definitions.iter().filter_map(name_of).map(str::to_owned).collect()
    }

    fn unknown(&self, name: &str) -> ExplainError {
        let wanted = name.to_lowercase();
        let likeness = |other: &String| {
            let other = other.to_lowercase();
            let holds = wanted.len() > 2 && other.contains(&wanted);
            if holds { 1.0 } else { strsim::jaro_winkler(&wanted, &other) }
        };
        let names = self.names();
        let mut near: Vec<(f64, String)> =
            names.iter().map(|other| (likeness(other), other.clone())).collect();
        near.retain(|(likeness, _)| *likeness >= ALIKE);
        near.sort_by(|left, right| right.0.total_cmp(&left.0));
        let near = near.into_iter().map(|(_, name)| name).take(MOST_OFFERED).collect();
        ExplainError::Unknown { path: self.path.clone(), name: name.to_owned(), near, names }
    }
}

fn name_of(definition: &Value) -> Option<&str> {
    definition.get("name").and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tools(value: Value) -> Result<Tools, ExplainError> {
        Tools::of(Path::new("tools.json"), value)
    }

    #[test]
    fn a_definition_and_every_form_of_a_list_are_taken() {
        let one = json!({ "name": "a" });
        let forms = [
            one.clone(),
            json!([one]),
            json!({ "tools": [one] }),
            json!({ "jsonrpc": "2.0", "id": 1, "result": { "tools": [one] } }),
        ];
        for form in forms {
            let tools = tools(form).unwrap();
            assert!(matches!(tools.choose(Some("a"), false), Ok(Chosen::One(found)) if *found == one));
            assert!(matches!(tools.choose(None, true), Ok(Chosen::One(_))), "there is only one");
        }
        for nothing in [json!({}), json!("a"), json!({ "tools": {} }), json!(null)] {
            assert!(matches!(tools(nothing), Err(ExplainError::NoDefinition { .. })));
        }
        assert!(matches!(tools(json!({ "tools": [] })), Err(ExplainError::NoTools { .. })));
    }

    #[test]
    fn a_name_that_stands_twice_is_neither() {
        let twice = tools(json!([{ "name": "a" }, { "name": "b" }, { "name": "a" }])).unwrap();
        assert!(matches!(twice.choose(Some("a"), false), Err(ExplainError::Twice { .. })));
        assert!(matches!(twice.choose(Some("b"), false), Ok(Chosen::One(_))));
    }

    #[test]
    fn names_that_are_near_are_offered() {
        let names = ["read_file", "read_files", "write_file", "move_file", "search"];
        let list: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
        let tools = tools(Value::from(list)).unwrap();
        let offered = |name: &str| {
            let ExplainError::Unknown { near, .. } = tools.unknown(name) else { panic!("it is unknown") };
            near
        };
        assert_eq!(offered("readFile"), ["read_file", "read_files"]);
        assert_eq!(offered("searc"), ["search"]);
        assert!(offered("deploy").is_empty());
    }
}
