//! The profile that counts for a tool, from the best source there is, computed once for each definition.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::catalogue::Catalogue;
use crate::declared::Declaration;
use crate::derive::{Definition, DefinitionError, derive};
use crate::profile::Profile;

/// As many profiles as are kept; what comes on top is computed anew each time.
const MOST_KEPT: usize = 16_384;

/// Which definition of which server's tool: the same bytes give the same profile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefinitionHash([u8; 32]);

impl DefinitionHash {
    /// The hash of a definition as a server lists it, unknown fields included.
    pub fn of(server: &str, definition: &Value) -> DefinitionHash {
        let mut bytes = Vec::with_capacity(4096);
        put_text(&mut bytes, server);
        put_value(&mut bytes, definition);
        DefinitionHash(Sha256::digest(&bytes).into())
    }
}

impl DefinitionHash {
    /// The bytes of it.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// In hexadecimal digits.
impl fmt::Display for DefinitionHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('?');
        // In one piece: it is written down for every call.
        let digits: String = self.0.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
        f.write_str(&digits)
    }
}

/// Writes a value so that no two are written alike: every value begins with its kind, and what has parts or letters with
/// their number. Without recursion, for a definition may be deep.
fn put_value(bytes: &mut Vec<u8>, value: &Value) {
    let mut waiting = vec![(None, value)];
    while let Some((key, value)) = waiting.pop() {
        if let Some(key) = key {
            put_text(bytes, key);
        }
        match value {
            Value::Null => bytes.push(b'n'),
            Value::Bool(value) => bytes.push(if *value { b't' } else { b'f' }),
            Value::Number(number) => {
                bytes.push(b'd');
                put_text(bytes, &number.to_string());
            }
            Value::String(text) => {
                bytes.push(b's');
                put_text(bytes, text);
            }
            Value::Array(values) => {
                bytes.push(b'a');
                put_length(bytes, values.len());
                waiting.extend(values.iter().rev().map(|value| (None, value)));
            }
            Value::Object(entries) => {
                bytes.push(b'o');
                put_length(bytes, entries.len());
                waiting.extend(entries.iter().rev().map(|(key, value)| (Some(key.as_str()), value)));
            }
        }
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_length(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

fn put_length(bytes: &mut Vec<u8>, length: usize) {
    bytes.extend_from_slice(&(length as u64).to_le_bytes());
}

/// Who a server is, as far as its tools' profiles depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ServerIdentity<'s> {
    /// What it is called where it is configured; its own resources are named by it.
    pub name: &'s str,
    /// Its name in the catalogue, if it was started as a server that stands there.
    pub catalogued: Option<&'s str>,
}

/// The profiles of tools.
pub struct Profiles<'c> {
    catalogue: &'c Catalogue,
    kept: BTreeMap<DefinitionHash, Arc<Profile>>,
}

impl<'c> Profiles<'c> {
    /// No profiles yet.
    pub fn new(catalogue: &'c Catalogue) -> Profiles<'c> {
        Profiles { catalogue, kept: BTreeMap::new() }
    }

    /// The profile of a tool: from the catalogue, else derived; with what is `declared` of it, if anything is.
    ///
    /// Whether a declaration is verified is not for this to say; one that is not must not be given.
    pub fn profile(
        &mut self,
        server: ServerIdentity<'_>,
        definition: &Value,
        declared: Option<&Declaration>,
    ) -> Result<Arc<Profile>, DefinitionError> {
        let known = self.known(server, definition)?;
        Ok(match declared {
            Some(declared) => Arc::new(declared.joined(server.name, &known)),
            None => known,
        })
    }

    fn known(
        &mut self,
        server: ServerIdentity<'_>,
        definition: &Value,
    ) -> Result<Arc<Profile>, DefinitionError> {
        let hash = DefinitionHash::of(server.catalogued.unwrap_or(server.name), definition);
        if let Some(kept) = self.kept.get(&hash) {
            return Ok(Arc::clone(kept));
        }
        let profile = Arc::new(self.compute(server, definition)?);
        if self.kept.len() < MOST_KEPT {
            self.kept.insert(hash, Arc::clone(&profile));
        }
        Ok(profile)
    }

    fn compute(&self, server: ServerIdentity<'_>, definition: &Value) -> Result<Profile, DefinitionError> {
        let definition = Definition::read(definition)?;
        let known = server.catalogued.and_then(|name| self.catalogue.profile(name, &definition.name));
        Ok(known.cloned().unwrap_or_else(|| derive(server.name, &definition)))
    }
}
