//! Reading the schema of a tool's arguments: what it lists at any depth, whichever way it is written.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::property::{Property, Within, have_content, is_wrapper, is_wrapping};
use super::{DefinitionError, LONGEST_NAME, MOST_PROPERTIES};
use crate::profile::ArgumentPath;

/// So deep are schemas followed, references and alternatives included.
const DEEPEST: usize = 8;
/// So many parts of a schema are looked at.
const MOST_PARTS: usize = 4096;

/// What a schema says of the arguments.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) properties: Vec<Property>,
    pub(super) inner: Vec<Property>,
    /// Whether it lists them, be it that there are none.
    pub(super) lists: bool,
}

/// Reads the schema of the arguments.
pub(super) fn arguments(schema: Option<&Value>) -> Result<Arguments, DefinitionError> {
    let Some(schema) = schema else { return Ok(Arguments::default()) };
    let own = schema.as_object().ok_or(DefinitionError::Schema)?;
    if own.get("properties").is_some_and(|properties| !properties.is_object()) {
        return Err(DefinitionError::Schema);
    }
    let mut reading = Reading { root: schema, left: MOST_PARTS, inner: Vec::new() };
    let parts = reading.parts(schema, DEEPEST);
    let listed: Vec<&Map<String, Value>> = parts.iter().filter_map(|part| listed(part)).collect();
    let required = required(&parts);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let mut properties = Vec::new();
    for (name, schema) in listed.iter().copied().flatten() {
        if name.len() > LONGEST_NAME {
            return Err(DefinitionError::LongName);
        }
        if names.insert(name) {
            let property = Property::named(name, ArgumentPath::top(name), Within::Call);
            properties.push((property, schema));
        }
    }
    if properties.len() > MOST_PROPERTIES {
        return Err(DefinitionError::Schema);
    }
    let is_only = properties.len() == 1;
    let mut read: Vec<Property> = Vec::new();
    let mut insides = Vec::new();
    for (mut property, schema) in properties {
        property.required = required.contains(property.name.as_str());
        let inside = reading.fill(&mut property, schema);
        insides.push(inside);
        read.push(property);
    }
    // Where every argument is an object or a flag, the objects are parts of a request.
    let all_wrap = read.iter().all(|property| !property.is_plain() && !property.is_plain_list);
    for (property, inside) in read.iter().zip(insides) {
        let wraps = is_only && property.is_object()
            || is_wrapper(&property.name)
            || all_wrap && is_wrapping(&property.name);
        reading.go_in(property, &inside, if wraps { Inside::Wrapper } else { Inside::Object }, DEEPEST);
    }
    Ok(Arguments { properties: read, inner: reading.inner, lists: !listed.is_empty() })
}

/// What the properties inside a property stand in.
#[derive(Clone, Copy)]
enum Inside {
    Wrapper,
    Object,
}

/// Goes through a schema, so far and no further.
struct Reading<'s> {
    root: &'s Value,
    left: usize,
    inner: Vec<Property>,
}

impl<'s> Reading<'s> {
    /// A schema with everything that it refers to and its alternatives.
    fn parts(&mut self, schema: &'s Value, depth: usize) -> Vec<&'s Value> {
        let mut parts = Vec::new();
        let mut waiting = vec![(schema, depth)];
        while let Some((schema, depth)) = waiting.pop() {
            if self.left == 0 || depth == 0 {
                break;
            }
            self.left -= 1;
            parts.push(schema);
            let target = schema.get("$ref").and_then(Value::as_str).and_then(|text| self.target(text));
            let alternatives =
                ["allOf", "oneOf", "anyOf"].iter().filter_map(|key| schema.get(key)?.as_array());
            waiting.extend(alternatives.flat_map(|list| list.iter().rev()).map(|part| (part, depth - 1)));
            waiting.extend(target.map(|part| (part, depth - 1)));
        }
        parts
    }

    /// What a reference names. References to other documents name nothing.
    fn target(&self, reference: &str) -> Option<&'s Value> {
        self.root.pointer(reference.strip_prefix('#')?)
    }

    /// Fills in what a schema says of a property, and tells what stands inside.
    fn fill(&mut self, property: &mut Property, schema: &'s Value) -> Vec<&'s Value> {
        let parts = self.parts(schema, DEEPEST);
        let mut inside = Vec::new();
        for part in &parts {
            property.take(part);
            if let Some(items) = part.get("items").filter(|items| items.is_object()) {
                let items = self.parts(items, DEEPEST);
                items.iter().for_each(|one| property.take_items(one));
                inside.extend(items);
            }
        }
        inside.extend(parts);
        let lists = inside.iter().any(|part| listed(part).is_some_and(|entries| !entries.is_empty()));
        property.is_free = property.is_open() && !lists;
        inside
    }

    /// Adds what stands inside a property.
    fn go_in(&mut self, around: &Property, parts: &[&'s Value], inside: Inside, depth: usize) {
        let required = required(parts);
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let has_content = have_content(parts.iter().filter_map(|part| listed(part)).flat_map(Map::keys));
        for (name, schema) in parts.iter().filter_map(|part| listed(part)).flatten() {
            let is_too_much = self.inner.len() >= MOST_PROPERTIES || depth == 0 || self.left == 0;
            if is_too_much || name.len() > LONGEST_NAME || !seen.insert(name) {
                continue;
            }
            let within = match inside {
                Inside::Wrapper => Within::Wrapper,
                Inside::Object => Within::Object(around.words.clone()),
            };
            let mut property = Property::named(name, around.path().key(name), within);
            property.is_beside_content = has_content;
            property.required = around.required && required.contains(name.as_str());
            let parts = self.fill(&mut property, schema);
            let wraps = matches!(inside, Inside::Wrapper) && is_wrapper(name);
            let deeper = if wraps { Inside::Wrapper } else { Inside::Object };
            self.inner.push(property.clone());
            self.go_in(&property, &parts, deeper, depth - 1);
        }
    }
}

/// The properties that a schema lists.
fn listed(schema: &Value) -> Option<&Map<String, Value>> {
    schema.get("properties")?.as_object()
}

fn required<'s>(parts: &[&'s Value]) -> BTreeSet<&'s str> {
    let lists = parts.iter().filter_map(|part| part.get("required")?.as_array());
    lists.flatten().filter_map(Value::as_str).collect()
}
